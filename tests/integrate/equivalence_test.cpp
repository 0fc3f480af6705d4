// What must not change a trajectory: where the Jacobian comes from, how it is scaled, augmented and
// solved, and whether it is kept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace daedal::testing {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> out;
  for (const FixedStep& method : fixed_steps()) out.push_back(method.name);
  return out;
}

std::string identifier(std::string name) {
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

struct Named {
  std::string name;
  Problem problem;
  double h;
  int steps;
  double multiplier_noise;  // eps |q| / h^2 times mass, with some room
};

/// Made on demand: googletest lists its parameters before main().
std::vector<Named> problems() {
  std::vector<Named> out;
  out.push_back({"pendulum", problem_of("", point_pendulum_model(1.2, 0.7), 1.0, 0), 5e-3, 60, 1e-7});
  out.push_back({"top", problem_of("", heavy_top_model(), 1.0, 0), 2e-3, 60, 1e-6});
  out.push_back({"squeezer", squeezer_problem(0.1, 0), 2e-5, 60, 1e-6});
  out.push_back({"speed", problem_of("", spatial_speed_driven_model(), 1.0, 0), 3e-3, 60, 1e-6});
  out.push_back({"angle", problem_of("", angle_driven_model(), 1.0, 0), 3e-3, 60, 1e-6});
  out.push_back({"spring", problem_of("", joint_spring_model(), 1.0, 0), 3e-3, 60, 1e-6});
  out.push_back({"states", maxwell_problem(), 5e-3, 60, 1e-6});
  out.push_back({"chain", problem_of("", spatial_chain_model(8), 1.0, 0), 1e-3, 60, 1e-6});
  return out;
}

class Equivalence : public ::testing::TestWithParam<std::string> {
 protected:
  static integrate::Options tight() {
    integrate::Options options;
    options.newton.tolerance = 1e-14;
    return options;
  }

  /// Runs every problem with the plain options and the changed ones.
  void expect_same(const integrate::Options& changed, double multiplier_factor = 1.0) {
    for (const Named& p : problems()) {
      SCOPED_TRACE(p.name);
      const integrate::State expected = run_by_name(p.problem, GetParam(), tight(), p.h, p.steps);
      const integrate::State actual = run_by_name(p.problem, GetParam(), changed, p.h, p.steps);
      double size_v = 1.0, size_lambda = 1.0;
      for (double value : expected.v) size_v = std::max(size_v, std::abs(value));
      for (double value : expected.lambda) size_lambda = std::max(size_lambda, std::abs(value));
      EXPECT_LT(largest_difference(actual.q, expected.q), 1e-11);
      EXPECT_LT(largest_difference(actual.v, expected.v), 1e-8 * size_v);
      EXPECT_LT(largest_difference(actual.lambda, expected.lambda),
                multiplier_factor * p.multiplier_noise * size_lambda);
      if (HasFailure()) return;
    }
  }
};

TEST_P(Equivalence, JacobianByDifferencesGivesTheSameTrajectory) {
  integrate::Options options = tight();
  options.newton.source = correct::JacobianSource::differences;
  expect_same(options);
}

TEST_P(Equivalence, JacobianByGroupedDifferencesGivesTheSameTrajectory) {
  integrate::Options options = tight();
  options.newton.source = correct::JacobianSource::grouped;
  expect_same(options);
}

TEST_P(Equivalence, FreshJacobiansGiveTheSameTrajectory) {
  integrate::Options options = tight();
  options.newton.reuse = false;
  expect_same(options);
}

TEST_P(Equivalence, AugmentationGivesTheSameTrajectory) {
  for (const double rho : {1.0, 10.0}) {
    integrate::Options options = tight();
    options.augmentation = rho;
    expect_same(options, 10.0);
    options.scaling = correct::Scaling::physical;
    expect_same(options, 10.0);
  }
}

TEST_P(Equivalence, EveryLinearSolverGivesTheSameTrajectory) {
  for (const std::string_view solver : linear::solver_names()) {
    SCOPED_TRACE(solver);
    integrate::Options options = tight();
    options.linear_solver = solver;
    expect_same(options);
  }
}

TEST_P(Equivalence, EveryScalingGivesTheSameTrajectory) {
  for (const std::string_view scaling : correct::scaling_names()) {
    SCOPED_TRACE(scaling);
    integrate::Options options = tight();
    options.scaling = *correct::scaling_from(scaling);
    expect_same(options, 10.0);
  }
}

TEST_P(Equivalence, EveryChoiceOfUnknownsGivesTheSameTrajectory) {
  if (GetParam() == "midpoint") GTEST_SKIP() << "has displacements alone";
  for (const std::string_view unknowns : formulate::unknowns_names()) {
    for (const std::string_view scaling : correct::scaling_names()) {
      SCOPED_TRACE(fmt::format("{} {}", unknowns, scaling));
      integrate::Options options = tight();
      options.unknowns = *formulate::unknowns_from(unknowns);
      options.scaling = *correct::scaling_from(scaling);
      options.linear_solver = "dense";
      expect_same(options, 10.0);
    }
  }
}

TEST_P(Equivalence, FewFullIterationsSuffice) {
  // Few iterations with the exact Jacobian bring a smooth step close to round-off.
  for (const Named& p : problems()) {
    SCOPED_TRACE(p.name);
    integrate::Options options;
    options.newton.tolerance = 1e-10;
    options.newton.reuse = false;
    const auto integrator = fixed_step(GetParam()).make(*p.problem.system, options);
    int most = 0;
    run(*p.problem.system, p.problem.start, *integrator, p.h, p.steps,
        [&](const auto&, const integrate::StepReport& report) {
          most = std::max(most, report.newton.iterations);
        });
    EXPECT_LE(most, 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Equivalence, ::testing::ValuesIn(method_names()),
                         [](const auto& p) { return identifier(p.param); });

}  // namespace
}  // namespace daedal::testing
