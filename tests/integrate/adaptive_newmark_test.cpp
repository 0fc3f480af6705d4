// Generalized-alpha on the stabilised index-2 equations: both levels of the constraints, and orders over
// steps of any size, given or chosen.
#include "daedal/integrate/adaptive_newmark.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/reference_solution.hpp"
#include "support/run.hpp"

namespace daedal::testing {
namespace {

using integrate::Options;
using integrate::State;
using integrate::StepControl;
using integrate::StepStatus;

using Parameters = integrate::NewmarkFamily::Parameters;

/// How far a state is from what it should satisfy.
class Judge {
 public:
  explicit Judge(const system::ConstrainedSystem& system)
      : system_(system),
        evaluator_(system.evaluator()),
        level_(system, "dense"),
        u_(system.structure().excitations) {}

  void look(const State& state) {
    const system::Structure& s = system_.structure();
    system_.excitations(state.t, u_);
    evaluator_->move_to({state.q, state.v, state.x, u_});
    std::vector<double> g(s.constraint_rows), a(s.dof()), lambda(s.constraint_rows);
    evaluator_->constraints(g);
    for (double value : g) position = std::max(position, std::abs(value));
    evaluator_->constraint_rates(g);
    for (double value : g) velocity = std::max(velocity, std::abs(value));
    ASSERT_TRUE(level_.accelerations(*evaluator_, a, lambda));
    multipliers = std::max(multipliers, largest_difference(lambda, state.lambda));
  }

  double position = 0.0, velocity = 0.0;
  double multipliers = 0.0;  // the method's own, beside those of the acceleration level

 private:
  const system::ConstrainedSystem& system_;
  std::unique_ptr<system::Evaluator> evaluator_;
  formulate::AccelerationLevel level_;
  std::vector<math::Jet> u_;
};

struct Outcome {
  double q = 0.0, v = 0.0;  // errors at the end
  double position = 0.0, velocity = 0.0, multipliers = 0.0;  // at worst over all steps
  long steps = 0, rejected = 0;
  double largest_step = 0.0;
};

Outcome outcome(const Problem& problem, const State& end, const Judge& judge) {
  const system::Structure& s = problem.system->structure();
  const Trajectory reference =
      reference_solution(*problem.system, problem.start, problem.end, 1, 16 * problem.steps);
  Outcome out;
  std::vector<double> dq(s.dof());
  s.manifold.local(reference.q[1], end.q, dq);
  for (double value : dq) out.q = std::max(out.q, std::abs(value));
  out.v = largest_difference(end.v, reference.v[1]);
  out.position = judge.position, out.velocity = judge.velocity, out.multipliers = judge.multipliers;
  return out;
}

Outcome adaptive(const Problem& problem, double tolerance) {
  Options options;
  options.tolerance = tolerance;
  options.newton.tolerance = 1e-13;
  integrate::AdaptiveNewmark method(*problem.system, options, Parameters::generalized_alpha(0.8));
  State start = problem.start, at(problem.system->structure());
  method.start(start, problem.end / 10.0);
  Judge judge(*problem.system);
  long steps = 0, rejected = 0;
  double last = start.t, largest_step = 0.0;
  for (at.t = start.t; at.t < problem.end; ++steps) {
    const integrate::StepReport report = method.advance(problem.end, at);
    EXPECT_EQ(report.status, StepStatus::ok) << report.where;
    if (report.status != StepStatus::ok) break;
    rejected += report.rejected;
    judge.look(at);
    largest_step = std::max(largest_step, at.t - last);
    last = at.t;
  }
  Outcome out = outcome(problem, at, judge);
  out.steps = steps, out.rejected = rejected, out.largest_step = largest_step;
  return out;
}

/// Steps h (1 + 0.4 sin(5 t / end)), as many as fit.
Outcome varying(const Problem& problem, int steps) {
  Options options;
  options.stabilised = true;
  options.newton.tolerance = 1e-13;
  const auto method = integrate::find_method("generalized-alpha")->make(*problem.system, options);
  const auto size = [&](double t) {
    return problem.end / steps * (1.0 + 0.4 * std::sin(5.0 * t / problem.end));
  };
  State from = problem.start, to(problem.system->structure());
  method->start(from, size(0.0));
  Judge judge(*problem.system);
  while (from.t < problem.end * (1.0 - 1e-9)) {
    const double left = problem.end - from.t, h = size(from.t);
    EXPECT_EQ(method->step(from, h < 0.7 * left ? h : left, to).status, StepStatus::ok);
    judge.look(to);
    std::swap(from, to);
  }
  return outcome(problem, from, judge);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, make] : convergence_problems()) out.push_back(name);
  return out;
}

class Stabilised : public ::testing::TestWithParam<std::string> {
 protected:
  static Problem problem() {
    for (const auto& [name, make] : convergence_problems()) {
      if (name == GetParam()) return make();
    }
    throw std::runtime_error("no such problem");
  }
  static double largest_speed(const Problem& problem) {
    double size = 1.0;
    for (double value : problem.start.v) size = std::max(size, std::abs(value));
    return GetParam() == "Squeezer" ? 1e3 : size;  // it starts at rest
  }
};

TEST_P(Stabilised, IsOfOrderTwoOverSmoothlyVaryingSteps) {
  const Problem p = problem();
  std::vector<Outcome> o;
  for (const int refined : {1, 2, 4}) {
    o.push_back(varying(p, refined * p.steps));
    fmt::print("{:<20} {} steps: q {:.2e} v {:.2e} lambda {:.2e}", GetParam(), refined * p.steps,
               o.back().q, o.back().v, o.back().multipliers);
    if (o.size() > 1) {
      const Outcome &c = o[o.size() - 2], &f = o.back();
      fmt::print("  slopes {:.2f} {:.2f} {:.2f}", std::log2(c.q / f.q), std::log2(c.v / f.v),
                 std::log2(c.multipliers / f.multipliers));
    }
    fmt::print("\n");
  }
  EXPECT_NEAR(std::log2(o[1].q / o[2].q), 2.0, 0.2);
  EXPECT_NEAR(std::log2(o[1].v / o[2].v), 2.0, 0.2);
  // Errors of both signs meet there: over both refinements.
  EXPECT_NEAR(std::log2(o[0].multipliers / o[2].multipliers) / 2.0, 2.0, 0.2);
}

TEST_P(Stabilised, IsOfOrderTwoOverTheStepsItChooses) {
  const Problem p = problem();
  std::vector<Outcome> o;
  for (const double tolerance : {1e-5, 1e-6, 1e-8}) {
    o.push_back(adaptive(p, tolerance));
    const Outcome& f = o.back();
    fmt::print("{:<20} tol {:.0e}: {} steps, at most {:.1e}, {} rejected: q {:.2e} v {:.2e} lambda {:.2e} = "
               "{:.3g} h^2\n",
               GetParam(), tolerance, f.steps, f.largest_step, f.rejected, f.q, f.v, f.multipliers,
               f.multipliers / std::pow(f.largest_step, 2));
    EXPECT_LT(f.rejected, 5 + f.steps / 10);
  }
  // A tenth of the tolerance costs 10^(1/3) times the steps, and leaves errors of the square of that.
  const Outcome &c = o.front(), &f = o.back();
  const double finer = std::log(static_cast<double>(f.steps) / static_cast<double>(c.steps));
  EXPECT_NEAR(finer, std::log(1000.0) / 3.0, 0.25);
  EXPECT_GT(std::log(c.q / f.q) / finer, 1.6);
  EXPECT_GT(std::log(c.v / f.v) / finer, 1.6);
  // The multipliers feel the largest steps, where the motion needs no small ones. First order would
  // enlarge this by the ratio of those steps, five to eleven.
  EXPECT_LT(f.multipliers / std::pow(f.largest_step, 2),
            1.5 * c.multipliers / std::pow(c.largest_step, 2));
}

TEST_P(Stabilised, HoldsBothLevelsOfTheConstraints) {
  const Problem p = problem();
  const double speed = largest_speed(p);
  for (const Outcome& o : {varying(p, p.steps), adaptive(p, 1e-6)}) {
    EXPECT_LT(o.position, 1e-11);
    EXPECT_LT(o.velocity, 1e-9 * speed);
  }
}

TEST_P(Stabilised, IsContinuousBetweenItsSteps) {
  const Problem p = problem();
  Options options;
  options.tolerance = 1e-6;
  integrate::AdaptiveNewmark method(*p.system, options, Parameters::generalized_alpha(0.8));
  State start = p.start, at(p.system->structure()), between = at;
  method.start(start, p.end / 10.0);
  // The points of a grid that fall into its steps are as near to the solution as their ends.
  constexpr int kPoints = 97;
  const Trajectory reference =
      reference_solution(*p.system, p.start, p.end, kPoints, 1 + 16 * p.steps / kPoints);
  std::vector<double> dq(p.system->structure().dof());
  Judge judge(*p.system);
  double worst = 0.0, at_end = 0.0;
  int next = 1;
  for (at.t = start.t; at.t < p.end;) {
    ASSERT_EQ(method.advance(p.end, at).status, StepStatus::ok);
    for (; next <= kPoints && next * reference.spacing <= at.t * (1.0 + 1e-12); ++next) {
      method.interpolate(next * reference.spacing, between);
      judge.look(between);
      p.system->structure().manifold.local(reference.q[next], between.q, dq);
      double error = 0.0;
      for (double value : dq) error = std::max(error, std::abs(value));
      worst = std::max(worst, error);
      at_end = error;
    }
  }
  EXPECT_EQ(next, kPoints + 1);
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(worst, 20.0 * at_end + 1e-5);
  EXPECT_LT(judge.position, 1e-13);
  EXPECT_LT(judge.velocity, 1e-12 * largest_speed(p));
}

INSTANTIATE_TEST_SUITE_P(Problems, Stabilised, ::testing::ValuesIn(names()),
                         [](const auto& p) { return p.param; });

TEST(StepControl, KeepsAStepThatWouldGrowLittle) {
  StepControl control({.order = 3, .kept = 1.2});
  control.start();
  EXPECT_EQ(control.accepted(0.6), 1.0);
  EXPECT_LT(control.accepted(0.95), 1.0);
  EXPECT_GT(control.accepted(0.05), 1.2);
}

TEST(StepControl, ChangesStepsByLimitedFactors) {
  StepControl control({.order = 3, .kept = 1.2});
  control.start();
  EXPECT_EQ(control.accepted(0.0), 5.0);
  EXPECT_EQ(control.rejected(1e12), 0.2);
  EXPECT_LT(control.rejected(1.01), 1.0);
  EXPECT_LE(control.accepted(1e-3), 1.0) << "after a rejection no step grows at once";
  EXPECT_GT(control.accepted(1e-3), 1.0);
}

}  // namespace
}  // namespace daedal::testing
