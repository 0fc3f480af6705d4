// The wheelset of the IVP test set: normal forces in the friction, contact found at every evaluation.
// Reference: problem `wheel`, DASSL at a tolerance of 1e-9; recomputed for this project it differs by
// 2e-6, because of the force limit that is not smooth. So 1e-5 is what can be asked for.
#include "../../examples/wheelset/wheelset.hpp"

#include <gtest/gtest.h>

#include "daedal/integrate/bdf.hpp"
#include "support/consistent_start.hpp"

namespace daedal::testing {
namespace {

using examples::Wheelset;

/// The published start, with y moved by 1e-10 m or so until the wheels touch.
integrate::State start_of(const Wheelset& system) {
  const auto evaluator = system.evaluator();
  std::vector<double> q = Wheelset::initial_q(), v(6, 0.0), g(2);
  for (int k = 0; k < 4; ++k) {
    evaluator->move_to({q, v, {}, {}});
    evaluator->constraints(g);
    EXPECT_LT(std::abs(g[0]) + std::abs(g[1]), 1e-7);
    const auto G = evaluator->G().dense();
    const Eigen::Matrix2d J{{G(0, 1), G(0, 4)}, {G(1, 1), G(1, 4)}};
    const Eigen::Vector2d dq = -J.inverse() * Eigen::Vector2d(g[0], g[1]);
    q[1] += dq[0];
    q[4] += dq[1];
  }
  return consistent_start(system, 0.0, q, v);
}

TEST(Wheelset, StartsWithThePublishedAccelerationsAndForces) {
  const Wheelset system;
  const integrate::State start = start_of(system);
  const double published[6] = {-1.975258894011285,  -1.0898297102811276e-3, 7.8855083626142589e-2,
                               -5.533362821731549, -0.3487021489546511,    -2.132968724380927};
  // The published forces have five digits, and what follows from them no more.
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(start.a[i], published[i], 2e-3) << i;
  EXPECT_NEAR(-start.lambda[0] / 1e4, -8.3593e-3, 1e-6);
  EXPECT_NEAR(-start.lambda[1] / 1e4, -7.4144e-3, 1e-6);
  const auto contacts = Wheelset::contacts(Eigen::Map<const Wheelset::Vector6>(start.q.data()));
  EXPECT_NEAR(contacts[0].psi, 7.5634406395172940e-6, 1e-9);
  EXPECT_NEAR(contacts[0].xi, 0.1490635714733819, 1e-8);
  EXPECT_NEAR(contacts[1].psi, -7.4122380357667139e-6, 1e-9);
  EXPECT_NEAR(contacts[1].xi, -0.1521364296121248, 1e-8);
}

TEST(Wheelset, ConstraintsHaveTheirDerivatives) {
  const Wheelset system;
  const auto evaluator = system.evaluator();
  const std::vector<double> q{2e-3, 1e-4, 3e-3, -0.02, 1e-3, 0.4}, v{0.3, -0.1, 0.2, 0.5, -0.4, 1.0};
  const auto at = [&](double t) {
    std::vector<double> there = q, g(2), rate(2);
    for (int i = 0; i < 6; ++i) there[i] += t * v[i];
    evaluator->move_to({there, v, {}, {}});
    evaluator->constraints(g);
    evaluator->constraint_rates(rate);
    return std::pair(g, rate);
  };
  constexpr double h = 1e-5;
  const auto up = at(h), down = at(-h), here = at(0.0);
  std::vector<double> gamma(2);
  evaluator->gamma(gamma);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(here.second[i], (up.first[i] - down.first[i]) / (2 * h), 1e-8);
    EXPECT_NEAR(-gamma[i], (up.second[i] - down.second[i]) / (2 * h), 1e-7);
  }
}

class WheelsetRun : public ::testing::TestWithParam<formulate::Form> {};

TEST_P(WheelsetRun, EndsAtTheReference) {
  const Wheelset system;
  integrate::Options options;
  options.linear_solver = "dense";
  options.form = GetParam();
  options.tolerance = 1e-9;
  options.max_step = 0.1;
  options.newton.source = correct::JacobianSource::differences;
  integrate::Bdf bdf(system, options);
  integrate::State state = start_of(system), last(system.structure());
  bdf.start(state, 1e-4);
  long steps = 0;
  while (last.t < 10.0) {
    const integrate::StepReport report = bdf.advance(10.0, last);
    ASSERT_EQ(report.status, integrate::StepStatus::ok) << last.t << " " << report.where;
    ++steps;
  }
  const double q[5] = {0.86355386965811e-2, 0.13038281022727e-4, -0.93635784016818e-4,
                       -0.13642299804033e-1, 0.15292895005422e-2};
  const double v[6] = {-0.76985374142666e-1, -0.25151106429207e-3, 0.20541188079539e-2,
                       -0.23904837703692,    -0.13633468454173e-1, -0.24421377661131};
  const double lambda[2] = {-0.10124044903201e-1, -0.56285630573753e-2};
  const auto error = [](double value, double reference) {
    return std::abs(value - reference) / std::abs(reference);
  };
  double worst = 0.0;
  for (int i = 0; i < 5; ++i) worst = std::max(worst, error(last.q[i], q[i]));
  for (int i = 0; i < 6; ++i) worst = std::max(worst, error(last.v[i], v[i]));
  for (int i = 0; i < 2; ++i) worst = std::max(worst, error(-last.lambda[i] / 1e4, lambda[i]));
  RecordProperty("steps", static_cast<int>(steps));
  std::printf("%s: %ld steps, %ld Jacobians, largest relative error %.2g\n",
              std::string(name_of(GetParam())).c_str(), steps, bdf.counters().jacobian_evaluations,
              worst);
  EXPECT_LT(worst, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Forms, WheelsetRun,
                         ::testing::Values(formulate::Form::ggl, formulate::Form::index2),
                         [](const auto& p) {
                           return p.param == formulate::Form::ggl ? "ggl" : "index2";
                         });

}  // namespace
}  // namespace daedal::testing
