#include "daedal/simulate/settings.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/choice.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/status.hpp"
#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using simulate::Settings;

TEST(Settings, DefaultsAreSound) { EXPECT_THAT(simulate::validate(Settings{}), IsEmpty()); }

struct Wrong {
  const char* key;
  const char* message;  // part of it
  void (*spoil)(Settings&);
};

const Wrong kWrong[] = {
    {"until", "positive and finite [s]", [](Settings& s) { s.until = 0.0; }},
    {"until", "positive and finite", [](Settings& s) { s.until = HUGE_VAL; }},
    {"step", "step is -0.1", [](Settings& s) { s.step = -0.1; }},
    {"step", "nan", [](Settings& s) { s.step = std::nan(""); }},
    {"until", "makes steps of until/1000 = 1e-303 s; a step must lie between 1e-15 s and 1e+15 s",
     [](Settings& s) { s.until = 1e-300; }},
    {"until", "a step must lie between", [](Settings& s) { s.until = 1e300; }},
    {"step", "step is 1e-20 s; a step must lie between",
     [](Settings& s) { s.until = 1e-19, s.step = 1e-20; }},
    {"step", "step is 2 s, longer than the whole run, until = 1 s; choose a smaller step",
     [](Settings& s) { s.step = 2.0; }},
    {"step", "more than 1e9", [](Settings& s) { s.step = 1e-12; }},
    {"output_step", "positive", [](Settings& s) { s.output_step = 0.0; }},
    {"tolerance", "positive", [](Settings& s) { s.tolerance = 0.0; }},
    {"tolerance", "at most 0.1", [](Settings& s) { s.tolerance = 0.5; }},
    {"method", "did you mean 'newmark'", [](Settings& s) { s.method = "newmrak"; }},
    {"method", "known: auto, newmark, hht", [](Settings& s) { s.method = "euler"; }},
    {"coordinates", "absolute", [](Settings& s) { s.coordinates = "polar"; }},
    {"formulation", "index-3", [](Settings& s) { s.formulation = "index-7"; }},
    {"scaling", "time-step", [](Settings& s) { s.scaling = "big"; }},
    {"scaling_factor", "positive", [](Settings& s) { s.scaling_factor = 0.0; }},
    {"jacobian", "analytic", [](Settings& s) { s.jacobian = "guess"; }},
    {"linear_solver", "klu", [](Settings& s) { s.linear_solver = "gauss"; }},
    {"rho_inf", "[0, 1]", [](Settings& s) { s.rho_inf = 1.1; }},
    {"alpha", "[-0.3333, 0]", [](Settings& s) { s.alpha = 0.1; }},
    {"beta", "beta is 0", [](Settings& s) { s.beta = 0.0; }},
    {"gamma", "[0.5, 2]", [](Settings& s) { s.gamma = 0.4; }},
    {"augmentation", "augmentation is -1", [](Settings& s) { s.augmentation = -1.0; }},
    {"max_iterations", "[2, 1000]", [](Settings& s) { s.max_iterations = 0; }},
};

TEST(Settings, EveryViolatedBoundHasItsKeyAndSentence) {
  for (const Wrong& wrong : kWrong) {
    Settings s;
    wrong.spoil(s);
    const auto problems = simulate::validate(s);
    ASSERT_THAT(problems, SizeIs(1)) << wrong.key;
    EXPECT_EQ(problems[0].where, std::string("simulate.") + wrong.key);
    EXPECT_THAT(problems[0].message, AllOf(HasSubstr(wrong.message), HasSubstr(wrong.key)));
  }
}

TEST(Settings, AllProblemsComeAtOnce) {
  Settings s;
  s.until = -1.0;
  s.rho_inf = 2.0;
  s.method = "euler";
  EXPECT_THAT(simulate::validate(s), SizeIs(3));
  EXPECT_THROW(simulate::run(double_pendulum(), s), model::ModelError);
}

TEST(Settings, OneStepMayBeTheWholeRunAndTheShortestIsStood) {
  for (const auto& [until, step] : {std::pair(0.01, 0.01), std::pair(1e-14, 1e-15)}) {
    EXPECT_THAT(simulate::validate(settings(until, step)), IsEmpty());
    EXPECT_EQ(simulate::run(double_pendulum(), settings(until, step)).status,
              simulate::Status::done)
        << step;
  }
}

TEST(MethodChoice, AutoIsPossibleForEveryModelAndGivesAReason) {
  for (const bool with_step : {false, true}) {
    Settings s;
    if (with_step) s.step = 1e-3;
    const auto choice = simulate::choose_method(double_pendulum(), s);
    EXPECT_NE(integrate::find_method(choice.method), nullptr);
    EXPECT_FALSE(choice.reason.empty());
    EXPECT_TRUE(simulate::is_possible({choice.coordinates, choice.formulation, choice.method}));
  }
}

TEST(MethodChoice, WhatIsAskedForIsTaken) {
  Settings s;
  s.method = "midpoint";
  const auto choice = simulate::choose_method(double_pendulum(), s);
  EXPECT_EQ(choice.method, "midpoint");
  EXPECT_EQ(choice.reason, "as asked");
}

TEST(Combinations, EveryRowRunsAndNamesItself) {
  ASSERT_GE(simulate::combinations().size(), integrate::methods().size());
  for (const simulate::Combination& row : simulate::combinations()) {
    EXPECT_TRUE(simulate::is_possible(row));
    Settings s = settings(0.1, 0.01);
    s.coordinates = row.coordinates;
    s.formulation = row.formulation;
    s.method = row.method;
    const simulate::Summary summary = simulate::run(double_pendulum(), s);
    EXPECT_EQ(summary.status, simulate::Status::done) << row.method;
    EXPECT_EQ(summary.method, row.method);
    EXPECT_FALSE(summary.references.empty()) << row.method;
  }
  EXPECT_FALSE(simulate::is_possible({"absolute", "index-3", "auto"}));
  EXPECT_FALSE(simulate::is_possible({"directors", "index-3", "newmark"}));
}

TEST(Status, EveryOneHasAWordAndAdvice) {
  using enum simulate::Status;
  std::set<std::string_view> words;
  for (const auto status : {done, interrupted, newton_diverged, singular_matrix, not_finite,
                            step_too_small, unstable, conflicting_constraints, cannot_assemble,
                            output_failed}) {
    words.insert(name_of(status));
    EXPECT_TRUE(advice(status).ends_with('.')) << name_of(status);
  }
  EXPECT_THAT(words, SizeIs(10));
}

}  // namespace
}  // namespace daedal::testing
