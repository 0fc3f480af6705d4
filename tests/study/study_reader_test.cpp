#include "daedal/study/study_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "daedal/study/sweep.hpp"
#include "daedal/study/task.hpp"
#include "io/temporary_folder.hpp"
#include "study/small_study.hpp"

namespace daedal::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return io::message_of<io::InputError>([&] { read(text, overrides); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> all;
  for (const Value& value : axis.values) all.push_back(value.text);
  return all;
}

TEST(StudyReader, ReadsAxesColumnsAndSettings) {
  const Study study = read(small_study());
  ASSERT_EQ(study.axes.size(), 2u);
  EXPECT_THAT(texts(study.axes[0]), ElementsAre("newmark", "midpoint"));
  EXPECT_FALSE(study.axes[0].numeric());
  EXPECT_TRUE(study.axes[1].numeric());
  EXPECT_EQ(study.columns.size(), 3u);
  EXPECT_EQ(grid(study).size(), 6u);
  EXPECT_THAT(overrides(assignments(study, {1, 2})),
              ElementsAre("simulate.until=0.2", "simulate.output_step=0.1",
                          "simulate.method=midpoint", "simulate.step=5e-3"));
}

TEST(StudyReader, RangesAreLogarithmicOrLinear) {
  const auto axis = [](const std::string& range) {
    return texts(read(replaced(small_study(), "values: [0.02, 0.01, 5e-3]", range)).axes[1]);
  };
  EXPECT_THAT(axis("from: 1e-2, to: 1e-4, per_decade: 1"), ElementsAre("0.01", "0.001", "0.0001"));
  EXPECT_THAT(axis("from: 1e-2, to: 1e-3, count: 3"),
              ElementsAre("0.01", "0.00316227766", "0.001"));
  EXPECT_THAT(axis("from: 0.01, to: 0.03, count: 3, spacing: linear"),
              ElementsAre("0.01", "0.02", "0.03"));
}

TEST(StudyReader, ValuesStandWhereTheirAxisIsNamedInBraces) {
  const Study study =
      read(replaced(small_study(), "simulate.until: 0.2", "simulate.until: \"10*{h}\""));
  EXPECT_THAT(overrides(assignments(study, {0, 1})), testing::Contains("simulate.until=10*0.01"));
}

TEST(StudyReader, BracesWithoutQuotesAreExplained) {
  EXPECT_THAT(refusal(replaced(small_study(), "simulate.until: 0.2", "simulate.until: {h}")),
              HasSubstr("'simulate.until': {h} without quotes is a map; write \"{h}\""));
}

TEST(StudyReader, ModelFilesAreToldFromStudies) {
  EXPECT_THAT(refusal("title: Bar\ndaedal: 1\nbodies: {a: {mass: 1, inertia: 1}}\n"),
              HasSubstr("2:9: this is a model file, not a study; simulate it with 'daedal run'"));
}

TEST(StudyReader, RangesOfOneValueAreRefusedOnce) {
  const auto problem = [](const std::string& range) {
    return refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]", range));
  };
  const std::string same = problem("from: 1e-3, to: 1e-3, count: 4");
  EXPECT_THAT(same, HasSubstr("axis 'h': its range begins and ends with the same value"));
  EXPECT_EQ(std::count(same.begin(), same.end(), '\n'), 0);
  EXPECT_THAT(problem("from: 1, to: 1e-3, count: 1"), HasSubstr("the range has 1 value; give 2"));
}

TEST(StudyReader, ValuesThatNameAxesAreTakenAsTheyAre) {
  std::string axes;  // each names the next one twice
  for (int i = 0; i < 40; ++i) {
    axes += fmt::format("  a{}: {{values: [\"{{a{}}}{{a{}}}\"]}}\n", i, i + 1, i + 1);
  }
  const Study study = read(replaced(replaced(small_study(), "axes:\n", "axes:\n" + axes),
                                    "set: {", "set: {title: \"x {a0}\", "));
  EXPECT_THAT(overrides(assignments(study, Point(42))),
              testing::Contains("title=x {a1}{a1}"));
}

TEST(StudyReader, StaysWithinTheLimitsOfTheCaller) {
  EXPECT_NO_THROW(parse_study(small_study(), "small.yaml", kGallery, {}, {.rows = 6}));
  EXPECT_THAT(io::message_of<io::InputError>([&] {
                parse_study(small_study(), "small.yaml", kGallery, {}, {.rows = 5});
              }),
              HasSubstr("the study has more than 5 rows"));
}

TEST(StudyReader, CasesSetSeveralKeys) {
  const Study study =
      read(replaced(small_study(), "method: {key: simulate.method, values: [newmark, midpoint]}",
                    "method: {cases: {soft: {simulate.method: hht, simulate.alpha: -0.3}, hard: "
                    "{simulate: {method: "
                    "hht, alpha: 0}}}}"));
  EXPECT_THAT(texts(study.axes[0]), ElementsAre("soft", "hard"));
  EXPECT_THAT(overrides(assignments(study, {1, 0})),
              testing::IsSupersetOf({"simulate.method=hht", "simulate.alpha=0"}));
}

TEST(StudyReader, OverridesChangeTheStudy) {
  const Study study = read(small_study(), {"axes.h.values=[1e-2]", "set.simulate.rho_inf=0.5"});
  EXPECT_EQ(study.axes[1].values.size(), 1u);
  EXPECT_THAT(overrides(assignments(study, {0, 0})), testing::Contains("simulate.rho_inf=0.5"));
}

TEST(StudyReader, UnknownKeysAreErrorsWithPositionAndNearMiss) {
  EXPECT_EQ(refusal(replaced(small_study(), "title:", "titel:")).substr(0, 72),
            "small.yaml:2:1: unknown key 'titel' in study; did you mean 'title'?\nsmal");
  EXPECT_THAT(refusal(small_study("claims: {a: {type: slope, of: x, ovr: h}}")),
              HasSubstr("did you mean 'over'?"));
  EXPECT_THAT(refusal(small_study("claims: {a: {type: slop}}")),
              HasSubstr("did you mean 'slope'?"));
  EXPECT_THAT(refusal(replaced(small_study(), "field: steps", "field: step_s")),
              HasSubstr("small.yaml:9:18: measure 'steps': the summary has no number 'step_s'; did "
                        "you mean 'steps'?"));
  EXPECT_THAT(refusal(replaced(small_study(), "final.mass.x", "final.mas.x")),
              HasSubstr("the model has no output 'mas.x'; did you mean 'mass.x'?"));
}

TEST(StudyReader, WrongKeysOfTheModelPointIntoTheStudy) {
  EXPECT_THAT(refusal(replaced(small_study(), "simulate.until: 0.2", "simulate.untl: 0.2")),
              testing::AllOf(StartsWith("small.yaml:4:7: simulate.untl=0.2: unknown key 'untl'"),
                             HasSubstr("did you mean 'until'?")));
  EXPECT_THAT(refusal(replaced(small_study(), "[newmark, midpoint]", "[newmark, midpiont]")),
              testing::AllOf(StartsWith("small.yaml:6:11: simulate.method=midpiont"),
                             HasSubstr("did you mean 'midpoint'?")));
  EXPECT_THAT(refusal(replaced(small_study(), "model: pendulum", "model: pendulm")),
              testing::AllOf(StartsWith("small.yaml:3:8"), HasSubstr("did you mean 'pendulum'?")));
}

TEST(StudyReader, NamesMustBeKnown) {
  EXPECT_THAT(refusal(small_study("claims: {a: {type: bound, of: stps, at_most: 1}}")),
              HasSubstr("claim 'a': no column is called 'stps'; did you mean 'steps'?"));
  EXPECT_THAT(refusal(small_study("claims: {a: {type: bound, of: x, at_most: 1, where: {hh: 1}}}")),
              HasSubstr("no axis is called 'hh'"));
  EXPECT_THAT(refusal(small_study("claims: {a: {type: bound, of: x, at_most: 1, where: {method: "
                                  "newmrk}}}")),
              HasSubstr("axis 'method' has no value 'newmrk'; did you mean 'newmark'?"));
  EXPECT_THAT(refusal(small_study("plots: {a: {x: hh, y: x}}")),
              HasSubstr("no axis or column is called 'hh'"));
  EXPECT_THAT(refusal(small_study("table: [steps, y]")), HasSubstr("no column is called 'y'"));
  EXPECT_THAT(
      refusal(replaced(small_study(), "steps*h*100", "steps*hh")),
      HasSubstr("small.yaml:11:31: measure 'hundred': 'hh' is no axis and no column above"));
  EXPECT_THAT(refusal(replaced(small_study(), "simulate.until: 0.2", "simulate.until: \"{k}\"")),
              HasSubstr("no axis is called 'k'"));
}

TEST(StudyReader, ContradictionsAreRefused) {
  EXPECT_THAT(refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]", "values: [1, 1.0]")),
              HasSubstr("the value '1.0' is given twice"));
  EXPECT_THAT(refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]", "values: []")),
              HasSubstr("it has no values"));
  EXPECT_EQ(refusal(small_study("plots: {a: {x: h, y: []}}")),
            "small.yaml:12:22: plot 'a': 'y' is empty; name a column");
  EXPECT_THAT(refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]", "from: 1, to: 2")),
              HasSubstr("one of 'count' and 'per_decade'"));
  EXPECT_THAT(
      refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]", "from: -1, to: 2, count: 3")),
      HasSubstr("positive ends"));
  EXPECT_THAT(refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]",
                               "from: 1, to: 2, count: 20000")),
              HasSubstr("give 2 to 10000"));
  EXPECT_THAT(refusal(replaced(small_study(), "field: steps", "label: s")),
              HasSubstr("give one of 'field', 'reference' and 'expression'"));
  EXPECT_THAT(refusal(replaced(small_study(), "  steps: {", "  h: {")),
              HasSubstr("the name is taken"));
  EXPECT_THAT(refusal(replaced(small_study(), "  steps: {", "  pi: {")), HasSubstr("cannot use"));
  EXPECT_THAT(refusal(small_study("claims: {a: {type: slope, of: x, over: method, expected: 1, "
                                  "within: 1}}")),
              HasSubstr("needs an axis of numbers"));
  EXPECT_THAT(refusal(small_study("claims: {a: {type: ratio, of: x, over: h, expected: 1}}")),
              HasSubstr("give 'expected' and 'within'"));
  EXPECT_THAT(refusal(small_study("claims: {a: {type: agreement, of: x, with: steps}}")),
              HasSubstr("give one of 'within' and 'factor'"));
  EXPECT_THAT(refusal(replaced(small_study(), "study: 1", "study: 2")), HasSubstr("version '2'"));
}

TEST(StudyReader, AKeyIsSetOnceInARow) {
  const auto with = [](const std::string& axis) {
    return refusal(replaced(small_study(), "measure:\n", "  k: " + axis + "\nmeasure:\n"));
  };
  EXPECT_EQ(with("{key: simulate.step, values: [1e-3, 2e-3]}"),
            "small.yaml:8:6: axis 'k': axis 'h' sets 'simulate.step', too; a key has one value in a "
            "row, so remove one");
  EXPECT_EQ(with("{cases: {a: {simulate.step: 1e-3}, b: {simulate.rho_inf: 0.5}}}"),
            "small.yaml:8:19: axis 'k': axis 'h' sets 'simulate.step', too; a key has one value in "
            "a row, so remove one");
  EXPECT_THAT(with("{key: simulate, values: [1, 2]}"),
              StartsWith("small.yaml:8:6: axis 'k': axis 'method' sets 'simulate.method', and this "
                         "sets 'simulate'"));
  EXPECT_THAT(with("{cases: {a: {simulate.rho_inf: 0.5, simulate: {rho_inf: 0.4}}, b: {}}}"),
              StartsWith("small.yaml:8:53: axis 'k': it already sets 'simulate.rho_inf', too"));
  EXPECT_THAT(refusal(replaced(small_study(), "set: {", "set: {simulate.step: 1e-3, ")),
              StartsWith("small.yaml:7:6: axis 'h': 'set' sets 'simulate.step', too"));
  // Cases change what `set` gives to the others; keys that share letters are no parents.
  EXPECT_NO_THROW(read(replaced(
      replaced(small_study(), "set: {", "set: {simulate.rho_inf: 0.8, "), "measure:\n",
      "  k: {cases: {a: {simulate.rho_inf: 0.5}, b: {simulate.tolerance: 1e-7}}}\nmeasure:\n")));
}

TEST(StudyReader, ValuesAndRowsOfThePaperAreGivenOnce) {
  EXPECT_EQ(refusal(replaced(small_study(), "values: [0.02, 0.01, 5e-3]",
                             "values: [1e-3, \"1/1000\"]")),
            "small.yaml:7:6: axis 'h': the value '1/1000' is given twice, also as '1e-3'");
  EXPECT_EQ(refusal(small_study("paper:\n  p: {source: us, axes: [h], rows: [[0.02, 1], [2e-2, 3]]}")),
            "small.yaml:13:48: paper 'p': a row with these values of the axes is there already; "
            "remove one");
  EXPECT_EQ(refusal(small_study("paper:\n  p: {source: us, axes: [h, h], rows: [[1, 1, 1]]}")),
            "small.yaml:13:29: paper 'p': axis 'h' is named twice");
}

TEST(StudyReader, ClaimsThatCanNeverHoldAreRefused) {
  const auto claim = [](const std::string& text) {
    return refusal(small_study("claims: {a: {" + text + "}}"));
  };
  EXPECT_EQ(claim("type: slope, of: x, over: h, expected: 1, within: -1"),
            "small.yaml:12:64: claim 'a': it can never hold with this 'within': a deviation is "
            "never negative; give 0 or more");
  EXPECT_THAT(claim("type: agreement, of: x, with: steps, factor: 0.5"),
              StartsWith("small.yaml:12:59: claim 'a': it can never hold with this 'factor'"));
  EXPECT_THAT(claim("type: ratio, of: x, over: h, at_most: 0.5"), HasSubstr("never below 1"));
  EXPECT_THAT(claim("type: ratio, of: x, over: h, expected: 0.5, within: 0.1"),
              HasSubstr("never below 1"));
  EXPECT_THAT(claim("type: ratio, of: x, over: h, between: [0.02, 0.01], at_most: -1"),
              HasSubstr("above 0"));
  EXPECT_THAT(claim("type: order, of: x, over: h, sequence: [0.02, 0.01, 0.02]"),
              HasSubstr("'0.02' is in it twice"));
  EXPECT_THAT(claim("type: agreement, of: x, with: x, within: 1"), HasSubstr("with itself"));
  EXPECT_NO_THROW(read(small_study(
      "claims: {a: {type: ratio, of: x, over: h, between: [0.02, 0.01], at_most: 0.5}}")));
}

TEST(StudyReader, AnAgreementNeedsThePapersValueInEveryRow) {
  const std::string paper = "paper: {p: {source: us, axes: [h], rows: [[0.02, 1], [0.01, 2]]}}\n";
  EXPECT_EQ(refusal(small_study(paper + "claims: {a: {type: agreement, of: x, with: p, within: 1}}")),
            "small.yaml:13:44: claim 'a': 'p' has no value at h = 5e-3; leave that row out with "
            "'where'");
  EXPECT_NO_THROW(read(small_study(
      paper + "claims: {a: {type: agreement, of: x, with: p, within: 1, where: {h: {from: 0.01}}}}")));
}

TEST(StudyReader, EmptySectionsAreRefused) {
  for (const char* section :
       {"plots: {}", "claims: {}", "paper: {}", "references: {}", "table: []"}) {
    EXPECT_THAT(refusal(small_study(section)),
                HasSubstr("it is empty; give an entry or leave the key out"))
        << section;
  }
  EXPECT_THAT(refusal(small_study(), {"axes={}"}), HasSubstr("'axes': it is empty"));
  EXPECT_THAT(refusal(small_study(), {"measure={}"}), HasSubstr("'measure': it is empty"));
}

TEST(StudyReader, AMistakeInAnAxisIsOneMessage) {
  const auto message = [](const std::string& axis) {
    return refusal(
        replaced(replaced(small_study(),
                          "  method: {key: simulate.method, values: [newmark, midpoint]}\n", ""),
                 "h: {key: simulate.step, values: [0.02, 0.01, 5e-3], unit: s}", axis));
  };
  for (const char* axis :
       {"h: {key: simulate.step}", "h: {key: simulate.step, values: []}",
        "h: {key: simulate.step, values: [1], count: 3}", "h: {key: simulate.step, from: 1, to: 2}",
        "h: {key: simulate.step, from: one, to: 2, count: 3}",
        "h: {key: simulate.step, from: 1, to: 2, count: 2.5}",
        "h: {key: simulate.step, from: -1, to: 2, count: 3}",
        "h: {key: simulate.step, from: 1, to: 2, count: 1}",
        "h: {key: simulate.step, values: [0.1, -1]}",
        "h: {key: simulate.stp, values: [0.1, 0.2, 0.3]}",
        "h: {key: parameters.none, values: [0.1, 0.2, 0.3]}"}) {
    EXPECT_THAT(message(axis),
                testing::AllOf(StartsWith("small.yaml:6:"), testing::Not(HasSubstr("\n"))))
        << axis;
  }
  // A number that is misspelt is a word, which only what needs numbers can know.
  EXPECT_EQ(
      message("h: {key: simulate.step, values: [0.1, 0.o1]}"),
      "small.yaml:10:25: measure 'hundred': an expression needs an axis of numbers; '0.o1' of "
      "axis 'h' is none");
}

TEST(StudyReader, AStatusIsOneThatARowCanHave) {
  const auto claim = [](const std::string& status) {
    return small_study("claims: {a: {type: status, expected: " + status + "}}");
  };
  for (const std::string& status : row_statuses()) EXPECT_NO_THROW(read(claim(status))) << status;
  EXPECT_EQ(
      refusal(claim("singular_matrx")),
      "small.yaml:12:38: status claim 'a': 'expected' cannot be 'singular_matrx'; did you mean "
      "'singular_matrix'?");
  EXPECT_THAT(
      refusal(claim("well")),
      HasSubstr("known: done, newton_diverged, singular_matrix, not_finite, step_too_small, "
                "unstable, conflicting_constraints, no_contact_forces, events_accumulate, "
                "cannot_assemble, refused, "
                "out_of_memory"));
}

TEST(StudyReader, AConditionNumberThatIsMeasuredAndForbiddenIsAContradiction) {
  const std::string text = small_study("  c: {field: condition_number}\n");
  EXPECT_THAT(overrides(assignments(read(text), {0, 0})),
              testing::Contains("simulate.condition_number=true"));
  EXPECT_THAT(overrides(assignments(read(small_study()), {0, 0})),
              testing::Not(testing::Contains("simulate.condition_number=true")));
  EXPECT_THAT(refusal(text, {"set.simulate.condition_number=false"}),
              StartsWith("small.yaml:12:3: measure 'c': 'condition_number' needs "
                         "simulate.condition_number, which is set to false"));
}

TEST(StudyReader, ReferencesAreReadAndCheckedWithTheStudy) {
  const io::TemporaryFolder folder;
  folder.write("r.csv", "time,x\n0,-1\n0.1,-0.99\n");
  folder.write("late.csv", "time,x\n1,-1\n0.1,-0.99\n");
  const auto with = [&](const std::string& file, const std::string& compare) {
    return parse_study(small_study("  e: {reference: r, compare: " + compare +
                                   "}\nreferences: {r: {file: " + file + ", source: us}}\n"),
                       folder / "s.yaml", kGallery);
  };
  const auto message = [&](const std::string& file, const std::string& compare) {
    return io::message_of<io::InputError>([&] { with(file, compare); });
  };
  EXPECT_THAT(with("r.csv", "{mass.x: 2*x}").comparisons.at(0).reference.values.at(0),
              ElementsAre(-2.0, -1.98));
  EXPECT_THAT(message("r.csv", "{mass.x: y}"), HasSubstr("the reference has no column 'y'"));
  EXPECT_THAT(message("r.csv", "{mas.x: x}"), HasSubstr("did you mean 'mass.x'?"));
  EXPECT_NO_THROW(with("r.csv", "{multipliers.bar.0: x, scheme.bar.0: x}"));
  EXPECT_THAT(message("r.csv", "{scheme.bar.1: x}"),
              HasSubstr("s.yaml:12:3: measure 'e': the model has no multiplier 'scheme.bar.1'; did "
                        "you mean 'scheme.bar.0'?"));
  folder.write("begins_late.csv", "time,x\n0.25,-1\n");
  EXPECT_THAT(
      message("begins_late.csv", "{mass.x: x}"),
      HasSubstr("s.yaml:12:3: measure 'e': a run ends at 0.2 s, before the reference begins at "
                "0.25 s"));
  folder.write("header.csv", "time,x\n");
  EXPECT_THAT(
      message("header.csv", "{mass.x: x}"),
      testing::AllOf(HasSubstr("s.yaml:13:24: reference 'r': 'header.csv' has a header and no "
                               "rows"),
                     testing::Not(HasSubstr("\n"))));
  EXPECT_THAT(message("none.csv", "{mass.x: x}"), HasSubstr("none.csv"));
  EXPECT_THAT(message("late.csv", "{mass.x: x}"), HasSubstr("times must increase"));
}

TEST(StudyReader, EveryStudyOfTheRepositoryIsRead) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DAEDAL_SOURCE_DIR) / "studies")) {
    if (entry.path().extension() != ".yaml") continue;
    const Study study = read_study(entry.path(), kGallery);
    EXPECT_FALSE(study.claims.empty()) << entry.path();
    EXPECT_FALSE(study.description.empty()) << entry.path();
    EXPECT_FALSE(study.plots.empty() && study.traces.empty()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST(StudyReader, SaysWhatIsWrongWithRepeatsAndComparedRows) {
  const auto with = [](const std::string& more) {
    return refusal(replaced(small_study(), "axes:", more + "\naxes:"));
  };
  EXPECT_THAT(with("repeat: {times: 3}"), HasSubstr("give 'set', with {run} in a value"));
  EXPECT_THAT(with("repeat: {times: 0, set: {parameters.L: 1}}"), HasSubstr("whole number from 1"));
  EXPECT_THAT(with("repeat: {times: 2, set: {simulate.step: \"1e-3*{run}\"}}"),
              HasSubstr("axis 'h' sets 'simulate.step', too"));
  EXPECT_THAT(with("repeat: {times: 2, set: {parameters.L: \"{k}\"}}"),
              HasSubstr("no axis is called 'k'"));
  EXPECT_THAT(refusal(small_study("  a: {field: steps, of_runs: largest}\n")),
              HasSubstr("in a study with 'repeat'"));
  EXPECT_THAT(refusal(small_study("  a: {column: steps}\n")), HasSubstr("'column' needs 'against'"));
  EXPECT_THAT(refusal(small_study("  a: {column: stps, against: {h: 0.02}}\n")),
              HasSubstr("no column is called 'stps'"));
  EXPECT_THAT(refusal(small_study("  a: {column: steps, against: {k: 0.02}}\n")),
              HasSubstr("no axis is called 'k'"));
  EXPECT_THAT(refusal(small_study("  a: {column: steps, against: {h: 7}}\n")),
              HasSubstr("axis 'h' has no value '7'"));
  EXPECT_THAT(refusal(small_study("  a: {field: steps, as: ratio}\n")),
              HasSubstr("'as' goes with 'column' alone"));
}

}  // namespace
}  // namespace daedal::study
