// What a method promises beyond its order: energy, reversibility, small steps, changing steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/reference_solution.hpp"
#include "support/run.hpp"

namespace daedal::testing {
namespace {

integrate::Options tight() {
  integrate::Options options;
  options.newton.tolerance = 1e-15;  // as far as round-off lets it
  return options;
}

/// Largest deviation of the energy from that of the first step.
double energy_error(const Problem& problem, std::string_view method, double h, int steps) {
  const auto integrator = integrate::find_method(method)->make(*problem.system, tight());
  const auto evaluator = problem.system->evaluator();
  double first = 0.0, worst = 0.0;
  bool seen = false;
  run(*problem.system, problem.start, *integrator, h, steps, [&](const auto& state, const auto&) {
    const double energy = energy_of(*problem.system, *evaluator, state);
    if (!seen) first = energy;
    seen = true;
    worst = std::max(worst, std::abs(energy - first));
  });
  return worst;
}

TEST(Midpoint, ConservesTheEnergyOfThePointPendulumToRoundOff) {
  const Problem pendulum = problem_of("", point_pendulum_model(2.0, 1.0), 1.0, 0);
  EXPECT_LT(energy_error(pendulum, "midpoint", 0.01, 2000), 1e-11);
  EXPECT_LT(energy_error(pendulum, "midpoint", 0.05, 2000), 1e-11);
}

TEST(Midpoint, KeepsTheEnergyOfRigidBodiesWithinOrderTwo) {
  for (const model::Model& model : {rigid_pendulum_model(2.0, 1.0), heavy_top_model()}) {
    const Problem problem = problem_of("", model, 1.0, 0);
    // Bounded: no more over ten times the time.
    const double h = model.planar ? 0.01 : 0.002;
    const double once = energy_error(problem, "midpoint", h, 1000);
    const double longer = energy_error(problem, "midpoint", h, 10000);
    const double halved = energy_error(problem, "midpoint", h / 2, 2000);
    fmt::print("energy error {:.3e}, ten times longer {:.3e}, half the step {:.3e}\n", once, longer,
               halved);
    EXPECT_LT(longer, 1.2 * once);
    EXPECT_NEAR(std::log2(once / halved), 2.0, 0.15);
  }
}

TEST(Midpoint, IsReversible) {
  for (const Problem& problem :
       {problem_of("", point_pendulum_model(1.2, 0.7), 1.0, 0),
        problem_of("", heavy_top_model(), 1.0, 0), squeezer_problem(0.01, 0)}) {
    const bool squeezer = problem.system->structure().dof() == 7;
    const double h = squeezer ? 2e-5 : 2e-3;
    const auto integrator = integrate::find_method("midpoint")->make(*problem.system, tight());
    integrate::State start = problem.start, state, other(problem.system->structure());
    integrator->start(start, h);
    state = start;
    for (int n = 0; n < 200; ++n) {
      ASSERT_EQ(integrator->step(state, n < 100 ? h : -h, other).status, integrate::StepStatus::ok);
      std::swap(state, other);
    }
    double size = 1.0;
    for (double value : start.v) size = std::max(size, std::abs(value));
    EXPECT_LT(largest_difference(state.q, start.q), 1e-10);
    EXPECT_LT(largest_difference(state.v, start.v), 1e-8 * size);
  }
}

TEST(GeneralizedAlpha, DissipatesMoreTheSmallerRho) {
  // A stiff spring beside a slow pendulum: its vibration is damped out.
  model::Model model = rigid_pendulum_model(0.5, 0.0);
  model.bodies.push_back(point_mass("mass", 0.1, {2.00001, 0.0, 0.0}));
  model.forces.push_back(model::Spring{
      "stiff", {{{"ground", Vec3::Zero()}, {"mass", Vec3::Zero()}}}, 1e6, 0.0, 2.0});
  const Problem problem = problem_of("", model, 1.0, 0);
  const auto evaluator = problem.system->evaluator();
  double previous = -1e9;
  for (const double rho : {0.1, 0.5, 0.9}) {
    integrate::Options options = tight();
    options.rho_inf = rho;
    const integrate::State end = run(problem, "generalized-alpha", options, 0.01, 20);
    const double energy = energy_of(*problem.system, *evaluator, end);
    EXPECT_GT(energy, previous);
    previous = energy;
  }
}

class SmallSteps : public ::testing::TestWithParam<correct::Scaling> {};

TEST_P(SmallSteps, NewtonConvergesOnTheSqueezerAtAnyStep) {
  for (const FixedStep& method : fixed_steps()) {
    for (const double h : {1e-5, 1e-6, 1e-7}) {
      const Problem problem = squeezer_problem(1.0, 0);
      integrate::Options options;
      options.scaling = GetParam();
      const auto integrator = method.make(*problem.system, options);
      int most = 0;
      const integrate::State end = run(*problem.system, problem.start, *integrator, h, 200,
                                       [&](const auto&, const integrate::StepReport& report) {
                                         most = std::max(most, report.newton.iterations);
                                       });
      const Trajectory reference =
          reference_solution(*problem.system, problem.start, 200 * h, 1, 400);
      EXPECT_LE(most, 8) << method.name << " at h = " << h;
      EXPECT_LT(largest_difference(end.q, reference.q[1]), 0.2 * std::pow(1e5 * h, 2) * 1e-4 + 1e-12)
          << method.name << " at h = " << h;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scalings, SmallSteps,
                         ::testing::Values(correct::Scaling::time_step, correct::Scaling::physical),
                         [](const auto& p) {
                           return p.param == correct::Scaling::physical ? "physical" : "time_step";
                         });

/// Error of the multipliers, maximum over the steps, when blocks of steps h and h/2 alternate.
double changing_step_error(const Problem& problem, const FixedStep& method, double h,
                           int per_block) {
  constexpr int kBlocks = 6;
  const auto integrator = method.make(*problem.system, tight());
  integrate::State from = problem.start, to(problem.system->structure());
  integrator->start(from, h);
  const int quarters = kBlocks / 2 * per_block * (4 + 2);
  const Trajectory reference =
      reference_solution(*problem.system, problem.start, quarters * h / 4, quarters, 4);
  double worst = 0.0;
  const bool midpoint = method.name == "midpoint";
  int at = 0;  // in quarters of h
  for (int block = 0; block < kBlocks; ++block) {
    const int stride = block % 2 ? 2 : 4;
    for (int n = 0; n < per_block; ++n) {
      EXPECT_EQ(integrator->step(from, stride * h / 4, to).status, integrate::StepStatus::ok);
      at += stride;
      worst = std::max(worst, largest_difference(to.lambda,
                                                 reference.lambda[midpoint ? at - stride / 2 : at]));
      std::swap(from, to);
    }
  }
  return worst;
}

class ChangingSteps : public ::testing::TestWithParam<int> {};

TEST_P(ChangingSteps, LeaveTheMultipliersOfOrderTwo) {
  const FixedStep method = fixed_steps()[GetParam()];
  if (method.method->is_explicit) GTEST_SKIP() << "has no memory of its last step";
  const auto expect_order_two = [&](const char* name, const Problem& problem, double h) {
    double previous = 0.0;
    for (const int refined : {1, 2, 4}) {
      const double error = changing_step_error(problem, method, h / refined, 5 * refined);
      fmt::print("{} on {}: h = {:.3e}, multiplier error {:.3e}, slope {:.2f}\n", method.name, name,
                 h / refined, error, std::log2(previous / error));
      if (refined == 4) {
        EXPECT_NEAR(std::log2(previous / error), 2.0, 0.3);
      }
      previous = error;
    }
  };
  expect_order_two("pendulum", problem_of("", point_pendulum_model(1.2, 0.7), 1.0, 0), 0.01);
  expect_order_two("top", problem_of("", heavy_top_model(), 1.0, 0), 0.004);
  expect_order_two("speed drive", problem_of("", spatial_speed_driven_model(), 1.0, 0), 0.006);
}

INSTANTIATE_TEST_SUITE_P(Methods, ChangingSteps,
                         ::testing::Range(0, static_cast<int>(fixed_steps().size())));

TEST(Steps, LeaveTheirStartUntouchedAndRepeatExactly) {
  for (const FixedStep& method : fixed_steps()) {
    const Problem problem = problem_of("", angle_driven_model(), 1.0, 0);
    const auto integrator = method.make(*problem.system, tight());
    integrate::State from = problem.start, to(problem.system->structure()), again = to;
    integrator->start(from, 1e-3);
    const integrate::State kept = from;
    ASSERT_EQ(integrator->step(from, 1e-3, to).status, integrate::StepStatus::ok);
    EXPECT_EQ(from.q, kept.q);
    EXPECT_EQ(from.v, kept.v);
    EXPECT_EQ(from.memory, kept.memory);
    // A rejected step is taken again with another size, and then with the first one.
    integrate::State rejected(problem.system->structure());
    ASSERT_EQ(integrator->step(from, 5e-4, rejected).status, integrate::StepStatus::ok);
    ASSERT_EQ(integrator->step(from, 1e-3, again).status, integrate::StepStatus::ok);
    EXPECT_LT(largest_difference(again.q, to.q), 1e-14);
    EXPECT_LT(largest_difference(again.lambda, to.lambda), 1e-6);
  }
}

TEST(Steps, UnconstrainedBodiesFallFreely) {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("stone", 2.0, {1.0, 1.2, 1.4}, Vec3::Zero()));
  model.initial.push_back(moving("stone", {1.0, 0.0, 5.0}, {0.0, 3.0, 0.0}));
  const Problem problem = problem_of("", model, 1.0, 0);
  for (const FixedStep& method : fixed_steps()) {
    const integrate::State end = run_by_name(problem, method.name, tight(), 0.01, 100);
    EXPECT_NEAR(end.q[0], 1.0, 1e-12);
    EXPECT_NEAR(end.q[2], 5.0 - 0.5 * 9.81, 1e-12);
    EXPECT_NEAR(end.v[4], 3.0, 1e-12);
  }
}

TEST(Steps, ReportWhatFailed) {
  // A step far too large for a fast top does not converge, and says so.
  const Problem problem = problem_of("", heavy_top_model(), 1.0, 0);
  for (const FixedStep& method : fixed_steps()) {
    if (method.method->is_explicit) continue;  // has nothing that could converge
    const auto integrator = method.make(*problem.system, {});
    integrate::State from = problem.start, to(problem.system->structure());
    integrator->start(from, 30.0);
    const integrate::StepReport report = integrator->step(from, 30.0, to);
    EXPECT_NE(report.status, integrate::StepStatus::ok) << method.name;
    EXPECT_FALSE(report.where.empty());
  }
}

}  // namespace
}  // namespace daedal::testing
