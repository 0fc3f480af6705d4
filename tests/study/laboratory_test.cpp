#include "daedal/study/laboratory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "daedal/io/csv.hpp"
#include "daedal/study/report.hpp"
#include "io/temporary_folder.hpp"
#include "study/small_study.hpp"

namespace daedal::study {
namespace {

using testing::HasSubstr;

/// A second bar of length L from the same point: the mechanism cannot be assembled if L is 2.
const char* const kTwoBars = R"(study: 1
title: Two bars
model: pendulum
set:
  simulate.until: 0.1
  joints.other:
    {type: distance, between: [ground, mass], at: {ground: [0, 0], mass: [0, 0]}, length: "{L}"}
axes:
  L: {values: [2, 1]}
measure:
  steps: {field: steps}
  twice: {expression: 2*steps}
)";

TEST(Laboratory, RowsDoNotDependOnTheNumberOfThreads) {
  const io::TemporaryFolder folder;
  const Study study = read(small_study());
  const Results one = results_of(study, folder / "one", false, 1);
  const Results four = results_of(study, folder / "four", false, 4);
  ASSERT_EQ(one.lines.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(one.lines[i].point, four.lines[i].point);
    EXPECT_EQ(one.lines[i].values, four.lines[i].values);
    EXPECT_TRUE(one.lines[i].done());
    EXPECT_NEAR(*one.lines[i].values[2], 20.0, 1e-9);  // the expression: until * 100
  }
}

TEST(Laboratory, AFailedRunIsARowAndNotTheEnd) {
  const io::TemporaryFolder folder;
  const Results results = results_of(read(kTwoBars), folder / "rows");
  ASSERT_EQ(results.lines.size(), 2u);
  EXPECT_FALSE(results.interrupted);
  EXPECT_EQ(results.lines[0].status, "conflicting_constraints");
  EXPECT_FALSE(results.lines[0].message.empty());
  for (const auto& value : results.lines[0].values) EXPECT_FALSE(value.has_value());
  EXPECT_TRUE(results.lines[1].done());
  EXPECT_EQ(results.lines[1].values[1], 200.0);
}

TEST(Laboratory, AReferenceTimeWithoutARowIsSaidInTheRow) {
  const io::TemporaryFolder folder;
  folder.write("r.csv", "time,x\n0,-1\n0.15,-0.99\n");
  const Study study = parse_study(
      small_study(
          "  e: {reference: r, compare: {mass.x: x}}\nreferences: {r: {file: r.csv, source: "
          "us}}\n"),
      folder / "s.yaml", kGallery);
  const Results results = results_of(study, folder / "rows");
  EXPECT_EQ(results.lines[0].status, kRefused);
  EXPECT_THAT(results.lines[0].message, HasSubstr("no row at t = 0.15 s"));
}

TEST(Laboratory, ErrorsAreMeasuredOverAllTimesOrAtTheEnd) {
  const io::TemporaryFolder folder;
  folder.write("r.csv", "time,x\n0,-1\n0.1,4\n0.2,-0.98\n0.3,9\n");
  const Study study = parse_study(
      small_study(
          "  all: {reference: r, compare: {mass.x: x}}\n"
          "  last: {reference: r, at: end, compare: {mass.x: x}}\n"
          "  relative: {reference: r, relative: true, compare: {mass.x: x}}\n"
          "  force: {reference: r, compare: {\"scheme.bar.0\": 0*x, \"multipliers.bar.0\": 0*x}}\n"
          "references: {r: {file: r.csv, source: us}}\n"),
      folder / "s.yaml", kGallery);
  const Results results = results_of(study, folder / "rows");
  const Line& line = results.lines.front();
  ASSERT_TRUE(line.done()) << line.message;
  EXPECT_NEAR(*line.values[3], 4.9988, 1e-3);
  EXPECT_LT(*line.values[4], 1e-2);
  EXPECT_NEAR(*line.values[5], 4.9988 / 9.0, 1e-3);
  EXPECT_GT(*line.values[6], 1.0);
}

TEST(Laboratory, ATaskThatComparesWhatItsModelHasNotIsRefused) {
  const Study study = read(small_study());
  const Comparison comparison{.column = "e", .reference = {{0.0}, {"scheme.bar"}, {{-1.0}}}};
  const Task task{
      std::make_shared<Subject>(Subject{study.model_text, study.model_name, {comparison}}), {}};
  const Row row = execute(task);
  EXPECT_EQ(row.status, kRefused);
  EXPECT_THAT(row.message,
              HasSubstr("the run has no 'scheme.bar' to compare; did you mean 'scheme.bar.0'?"));
}

TEST(Laboratory, AMeasuredConditionNumberIsComputedWithoutBeingAskedFor) {
  const io::TemporaryFolder folder;
  const Study study =
      read(small_study("  c: {field: condition_number}\n  e: {field: solver_error}\n"));
  for (const Line& line : results_of(study, folder / "rows").lines) {
    ASSERT_TRUE(line.values[3] && line.values[4]);
    EXPECT_GT(*line.values[3], 1.0);
    EXPECT_LT(*line.values[4], 1e-6);
  }
}

TEST(Laboratory, AnInterruptedStudyKeepsItsRowsAndResumes) {
  const io::TemporaryFolder folder;
  const Study study = read(small_study());
  {
    ThreadExecutor executor(1);
    Journal journal(folder / "rows", false);
    PatientObserver observer(40);  // in the midst of the third run
    const Results results = conduct(study, executor, journal, observer, "test");
    EXPECT_TRUE(results.interrupted);
    EXPECT_EQ(journal.size(), 2u);
    EXPECT_EQ(results.lines[5].status, kNotRun);
  }
  const Results results = results_of(study, folder / "rows", true);
  EXPECT_EQ(results.resumed, 2u);
  EXPECT_FALSE(results.interrupted);
  const Results whole = results_of(study, folder / "fresh");
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(results.lines[i].values, whole.lines[i].values);
}

TEST(Laboratory, RowsOfOtherSettingsModelsOrVersionsDoNotCount) {
  const io::TemporaryFolder folder;
  results_of(read(small_study()), folder / "rows");
  EXPECT_EQ(results_of(read(small_study()), folder / "rows", true).resumed, 6u);
  EXPECT_EQ(
      results_of(read(small_study(), {"set.simulate.until=0.3"}), folder / "rows", true).resumed,
      0u);
  EXPECT_EQ(results_of(read(small_study(), {"axes.h.values=[0.02, 0.04]"}), folder / "rows", true)
                .resumed,
            2u);
  const Task task{std::make_shared<Subject>(Subject{"text", "name", {}}), {"a=1"}};
  Task other = task;
  other.overrides = {"a=", "1"};
  EXPECT_NE(key_of(task, "1"), key_of(task, "2"));
  EXPECT_NE(key_of(task, "1"), key_of(other, "1"));
}

TEST(Laboratory, ProgressIsThatOfTheWholeStudy) {
  const io::TemporaryFolder folder;
  ThreadExecutor executor(2);
  Journal journal(folder / "rows", false);
  PatientObserver observer;
  conduct(read(small_study()), executor, journal, observer, "test");
  EXPECT_EQ(observer.last_part, 1.0);
  EXPECT_EQ(observer.last_rows, 6u);
  EXPECT_EQ(observer.last_total, 6u);
}

TEST(Journal, ALineThatAKillCutShortIsDroppedAndWrittenAnew) {
  const io::TemporaryFolder folder;
  const std::filesystem::path path = folder / "rows";
  const Row row{"done", "", {{"steps", 3.0}, {"e", 1e-300}}};
  {
    Journal journal(path, false);
    journal.add("a", row);
    journal.add("b", row);
  }
  const std::string whole = folder.read("rows");
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t length = first; length < whole.size(); ++length) {
    folder.write("rows", whole.substr(0, length));
    Journal journal(path, true);
    ASSERT_EQ(journal.size(), 1u) << length;
    EXPECT_EQ(journal.find("a")->values, row.values);
    journal.add("b", row);
    EXPECT_EQ(folder.read("rows"), whole) << length;
  }
}

TEST(Journal, LinesThatAreNoRowsAreIgnored) {
  const io::TemporaryFolder folder;
  folder.write("rows", "{}\nnonsense\n[1]\n{\"key\": 1}\n");
  EXPECT_EQ(Journal(folder / "rows", true).size(), 0u);
}

TEST(Journal, TwoStudiesCannotWriteOneFile) {
  const io::TemporaryFolder folder;
  const Journal first(folder / "rows", false);
  EXPECT_THAT(io::message_of<io::OutputError>([&] { Journal second(folder / "rows", true); }),
              HasSubstr("another study"));
}

/// A monitor whose disk is full.
class FullDisk final : public Monitor {
 public:
  bool running(std::size_t, double) override { return true; }
  void finished(std::size_t, const Row&) override {
    ++rows;
    throw io::OutputError("disk full");
  }
  std::atomic<int> rows = 0;
};

TEST(ThreadExecutor, WhatTheMonitorThrowsEndsTheWork) {
  const Study study = read(small_study());
  const auto subject = std::make_shared<Subject>(Subject{study.model_text, study.model_name, {}});
  std::vector<Task> tasks;
  for (const Point& point : grid(study)) {
    tasks.push_back({subject, overrides(assignments(study, point))});
  }
  FullDisk monitor;
  EXPECT_THROW(ThreadExecutor(1).run(tasks, monitor), io::OutputError);
  EXPECT_EQ(monitor.rows, 1);
}

TEST(Laboratory, ARowOfSeveralRunsHasTheirMedianAndExtremes) {
  const io::TemporaryFolder folder;
  const Study study = read(R"(study: 1
title: Repeated
model: pendulum
set: {simulate.until: 0.2, simulate.output_step: 0.1, simulate.step: 0.01}
repeat: {times: 3, set: {parameters.L: "1 + {run}"}}
axes:
  method: {key: simulate.method, values: [newmark, midpoint]}
measure:
  x: {field: final.mass.x}
  least: {field: final.mass.x, of_runs: smallest}
  most: {field: final.mass.x, of_runs: largest}
)");
  const Results results = results_of(study, folder / "rows");
  ASSERT_EQ(results.lines.size(), 2u);
  // Released from x = -L with L = 1, 2 and 3.
  for (const Line& line : results.lines) {
    EXPECT_NEAR(*line.values[0], -2.0, 0.05);
    EXPECT_NEAR(*line.values[1], -3.0, 0.05);
    EXPECT_NEAR(*line.values[2], -1.0, 0.05);
  }
  EXPECT_EQ(results_of(study, folder / "rows", true).resumed, 6u);
}

TEST(Laboratory, TracesFollowTheStepsOfTheRowsThatAreAsked) {
  const io::TemporaryFolder folder;
  const Study study = read(small_study(
      "traces:\n  sizes: {of: [step_size, jacobian_evaluations], where: {method: midpoint}}\n"));
  for (const bool resume : {false, true}) {
    const Results results = results_of(study, folder / "rows", resume);
    for (const Line& line : results.lines) EXPECT_EQ(line.traces.size(), line.point[0] == 1 ? 2u : 0u);
    const std::vector<io::Plot> panels = make_traces(study, results, study.traces.front());
    ASSERT_EQ(panels.size(), 3u);
    EXPECT_EQ(panels[0].title, "method = midpoint, h = 0.02");
    ASSERT_EQ(panels[0].series.size(), 2u);
    EXPECT_NEAR(panels[0].series[0].y.back(), 0.02, 1e-12);
    EXPECT_DOUBLE_EQ(panels[0].series[1].x.back(), 0.2);
    EXPECT_GE(panels[0].series[1].y.back(), 1.0);
  }
}

TEST(Laboratory, TracesOfAQuantityShareAPanel) {
  const io::TemporaryFolder folder;
  const Study study = read(small_study(
      "traces:\n  sizes: {of: [velocity_violation, step_size], panel: quantity, scale: log-y, "
      "where: {h: 0.02}}\n"));
  const Results results = results_of(study, folder / "rows");
  const std::vector<io::Plot> panels = make_traces(study, results, study.traces.front());
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].title, "velocity_violation");
  EXPECT_TRUE(panels[1].y.logarithmic);
  ASSERT_EQ(panels[1].series.size(), 2u);
  EXPECT_EQ(panels[1].series[0].label, "method = newmark, h = 0.02");
  EXPECT_EQ(panels[1].series[1].label, "method = midpoint, h = 0.02");
  EXPECT_NEAR(panels[1].series[1].y.back(), 0.02, 1e-12);
}

TEST(Laboratory, ColumnsAreMeasuredByAnotherRow) {
  const io::TemporaryFolder folder;
  const Study study = parse_study(
      small_study("  share: {column: steps, against: {h: 0.02}}\n"
                  "  more: {column: steps, against: {h: 0.02, method: midpoint}, as: difference}\n"
                  "  percent: {expression: 100*share}\n"),
      "small.yaml", kGallery);
  for (const Line& line : results_of(study, folder / "rows").lines) {
    const double steps = *line.values[0];
    EXPECT_DOUBLE_EQ(*line.values[3], steps / 10.0);
    EXPECT_DOUBLE_EQ(*line.values[4], steps - 10.0);
    EXPECT_DOUBLE_EQ(*line.values[5], 10.0 * steps);
  }
}

}  // namespace
}  // namespace daedal::study
