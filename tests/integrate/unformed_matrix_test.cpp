// Joint coordinates: steps that are solved along the tree are those that are solved with blocks.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace daedal::testing {
namespace {

std::vector<Problem> problems() {
  return {joint_problem_of("hinges", spatial_chain_model(8), 0.2, 40),
          joint_problem_of("balls", ball_chain_model(4), 0.2, 40),
          joint_problem_of("arch", arch_model(30), 0.05, 40),
          joint_problem_of("speeds", spatial_speed_driven_model(), 0.2, 40)};
}

integrate::Options options(std::string solver) {
  integrate::Options out;
  out.linear_solver = std::move(solver);
  out.newton.tolerance = 1e-13;
  out.tolerance = 1e-7;
  out.max_step = 0.01;
  out.reference.length = 1.0;
  return out;
}

void expect_near(const integrate::State& a, const integrate::State& b, double tolerance) {
  const auto size = [](const std::vector<double>& values) {
    double out = 1.0;
    for (double value : values) out = std::max(out, std::abs(value));
    return out;
  };
  EXPECT_LT(largest_difference(a.q, b.q), tolerance);
  EXPECT_LT(largest_difference(a.v, b.v), tolerance * size(b.v));
  EXPECT_LT(largest_difference(a.lambda, b.lambda), 1e3 * tolerance * size(b.lambda));
}

void expect_same_matrix(integrate::Integrator& unformed, integrate::Integrator& formed) {
  const correct::MatrixQuality a = unformed.matrix_quality(), b = formed.matrix_quality();
  EXPECT_NEAR(a.condition_number / b.condition_number, 1.0, 1e-4);
  EXPECT_LT(a.solver_error, 1e-9);
}

TEST(UnformedMatrix, StepsOfFixedSizeAreTheSame) {
  for (const Problem& p : problems()) {
    SCOPED_TRACE(p.name);
    ASSERT_NE(p.system->implicit_dynamics(), nullptr);
    for (const char* name : {"generalized-alpha", "midpoint"}) {
      SCOPED_TRACE(name);
      const integrate::Method& method = *integrate::find_method(name);
      const auto ours = method.make(*p.system, options("tree"));
      const auto plain = method.make(*p.system, options("dense"));
      const auto ignore = [](const auto&, const auto&) {};
      const double h = p.end / p.steps;
      expect_near(run(*p.system, p.start, *ours, h, p.steps, ignore),
                  run(*p.system, p.start, *plain, h, p.steps, ignore), 1e-10);
      // Where corrections are round-off, an iteration more or less is chance.
      EXPECT_LE(static_cast<double>(ours->counters().iterations),
                1.05 * static_cast<double>(plain->counters().iterations) + 2.0);
      // The last step's start must be there when its matrix is looked at.
      integrate::State first = p.start, second = p.start, to(p.system->structure());
      ours->start(first, h);
      plain->start(second, h);
      EXPECT_EQ(ours->step(first, h, to).status, integrate::StepStatus::ok);
      EXPECT_EQ(plain->step(second, h, to).status, integrate::StepStatus::ok);
      expect_same_matrix(*ours, *plain);
    }
  }
}

TEST(UnformedMatrix, AdaptiveStepsAreTheSame) {
  using formulate::Form;
  for (const Problem& p : problems()) {
    SCOPED_TRACE(p.name);
    ASSERT_NE(p.system->implicit_dynamics(), nullptr);
    for (const Form form : {Form::ggl, Form::index2, Form::index1}) {
      SCOPED_TRACE(formulate::name_of(form));
      integrate::Options tree = options("tree"), dense = options("dense");
      tree.form = dense.form = form;
      const integrate::Method& bdf = *integrate::find_method("bdf");
      const auto ours = bdf.make_adaptive(*p.system, tree);
      const auto plain = bdf.make_adaptive(*p.system, dense);
      integrate::State a(p.system->structure()), b(p.system->structure());
      for (auto* one : {ours.get(), plain.get()}) {
        integrate::State start = p.start, &to = one == ours.get() ? a : b;
        one->start(start, 1e-3);
        for (to.t = 0.0; to.t < p.end;) {
          const integrate::StepReport report = one->advance(p.end, to);
          ASSERT_EQ(report.status, integrate::StepStatus::ok) << report.where;
        }
      }
      expect_near(a, b, 1e-8);
      EXPECT_EQ(ours->counters().jacobian_evaluations, plain->counters().jacobian_evaluations);
      expect_same_matrix(*ours, *plain);
    }
  }
}

}  // namespace
}  // namespace daedal::testing
