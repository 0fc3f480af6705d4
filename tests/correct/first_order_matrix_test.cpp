// The Newton matrix of the first-order forms: every source against differences of the residual, and
// the cheap updates.
#include "daedal/correct/first_order_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/problems.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using correct::FirstOrderMatrix;
using correct::JacobianPattern;
using correct::JacobianSource;
using correct::JacobianUpdate;
using formulate::FirstOrder;
using formulate::Form;
using formulate::Formalism;
using Vector = std::vector<double>;

/// A point off the solution: nothing vanishes, quaternions are not quite of length 1.
struct Point {
  Point(const system::ConstrainedSystem& system, const FirstOrder& form, double eta, unsigned seed)
      : random(seed), y(form.size()), y_rate(random.values(form.size())), u(system.structure().excitations) {
    const std::span<double> all(y);
    const Vector step = random.values(system.structure().dof());
    const std::span<double> q = form.q(all);
    system.structure().manifold.identity(q);
    system.structure().manifold.retract(q, step, q);
    for (const auto& r : system.structure().manifold.rotations()) {
      for (int i = 0; i < 4; ++i) q[r.storage + i] *= 1.02;
    }
    fill(form.v(all), 1.0);
    fill(form.lambda(all), 1.0);
    fill(form.eta(all), eta);
    fill(form.x(all), 1.0);
    system.excitations(0.37, u);
  }
  void fill(std::span<double> part, double size) {
    for (double& value : part) value = size * random.uniform();
  }
  Random random;
  Vector y, y_rate;
  std::vector<math::Jet> u;
};

/// J z for a given alpha, from central differences of F along (dy, alpha dy).
Vector product_by_differences(FirstOrder& form, const Point& p, double alpha, const Vector& dy) {
  const double e = 1e-6;
  Vector out(form.size()), back(form.size()), y(p.y), rate(p.y_rate);
  const auto at = [&](double step, Vector& F) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = p.y[i] + step * dy[i];
      rate[i] = p.y_rate[i] + step * alpha * dy[i];
    }
    form.residual(p.u, y, rate, F);
  };
  at(e, out);
  at(-e, back);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - back[i]) / (2.0 * e);
  return out;
}

class FirstOrderMatrices : public ::testing::TestWithParam<std::tuple<Form, bool, unsigned>> {};

TEST_P(FirstOrderMatrices, SolveWhatTheResidualSays) {
  const auto [kind, planar, seed] = GetParam();
  RandomModel random(planar, seed);
  const coordinates::Mechanism mechanism = coordinates::make_absolute(random.model());
  FirstOrder form(*mechanism.system, {kind, 3.0, 2.0, 1.5});
  // Terms with eta's own size are left out of the analytic matrix, and so is d(G v' - gamma)/dq.
  const Point p(*mechanism.system, form, 0.0, 17 + seed);
  const double alpha = 50.0;
  for (const auto source : {JacobianSource::analytic, JacobianSource::grouped}) {
    if (kind == Form::index1 && source == JacobianSource::analytic) continue;
    FirstOrderMatrix matrix(form, source, JacobianUpdate::none, correct::Scaling::time_step);
    Vector F(form.size());
    form.residual(p.u, p.y, p.y_rate, F);
    matrix.evaluate(p.u, p.y, p.y_rate, F);
    matrix.assemble(alpha, p.y, 0.0);

    Random directions(5);
    for (int k = 0; k < 3; ++k) {
      // Rows of J dy, reduced and scaled, against the matrix times the reduced and scaled dy.
      Vector z = directions.values(form.layout().size);
      const Vector given = z;
      Vector rows(form.layout().size, 0.0);
      matrix.matrix().multiply_add(z, rows);
      matrix.unscale_unknowns(z);
      Vector dy(form.size()), none(form.size(), 0.0);
      form.expand(z, none, dy);
      const Vector product = product_by_differences(form, p, alpha, dy);
      Vector expected(form.layout().size);
      form.reduce(product, expected);
      matrix.scale_rows(expected);
      double size = 0.0;
      for (double value : expected) size = std::max(size, std::abs(value));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        // Small unknowns have increments of 2e-12.
        const double tolerance = source == JacobianSource::analytic ? 3e-6 : 3e-4;
        EXPECT_NEAR(rows[i], expected[i], tolerance * size)
            << form.equation_name(static_cast<int>(i)) << ", " << name_of(source);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, FirstOrderMatrices,
                         ::testing::Combine(::testing::Values(Form::ggl, Form::index2, Form::index1),
                                            ::testing::Bool(), ::testing::Values(0u, 1u, 2u)));

TEST(FirstOrderMatrix, GroupsAreFewerThanColumns) {
  const Problem chain = problem_of("", spatial_chain_model(20), 1.0, 1);
  FirstOrder form(*chain.system, {});
  const FirstOrderMatrix dense(form, JacobianSource::differences, JacobianUpdate::none,
                               correct::Scaling::none);
  const FirstOrderMatrix grouped(form, JacobianSource::grouped, JacobianUpdate::none,
                                 correct::Scaling::none);
  // Columns of eta cost nothing.
  EXPECT_EQ(dense.residuals_per_evaluation(), 2 * 120 + 100);
  EXPECT_LE(grouped.residuals_per_evaluation(), 60);
}

TEST(FirstOrderMatrix, PartitionedUpdateIsExactWhereTheSlopeIsConstant) {
  const Problem problem = maxwell_problem();
  FirstOrder form(*problem.system, {Form::index2, 0.0, 0.0, 1.0});
  Point p(*problem.system, form, 0.0, 3);
  Vector F(form.size());
  form.residual(p.u, p.y, p.y_rate, F);
  FirstOrderMatrix updated(form, JacobianSource::analytic, JacobianUpdate::partitioned,
                           correct::Scaling::none);
  updated.evaluate(p.u, p.y, p.y_rate, F);
  updated.update(p.u, p.y);
  updated.assemble(123.0, p.y, 0.0);
  FirstOrderMatrix fresh(form, JacobianSource::analytic, JacobianUpdate::none,
                         correct::Scaling::none);
  fresh.evaluate(p.u, p.y, p.y_rate, F);
  fresh.assemble(123.0, p.y, 0.0);
  EXPECT_EQ(updated.updates(), 1);
  for (std::size_t i = 0; i < fresh.matrix().values().size(); ++i) {
    EXPECT_DOUBLE_EQ(updated.matrix().values()[i], fresh.matrix().values()[i]);
  }
}

TEST(FirstOrderMatrix, ExtendedUpdateFollowsTheExcitations) {
  // A force that turns with its body enters K, so dF/dy changes with u though y stays.
  RandomModel random(false, 2);
  const coordinates::Mechanism mechanism = coordinates::make_absolute(random.model());
  for (const auto source : {JacobianSource::analytic, JacobianSource::grouped}) {
    FirstOrder form(*mechanism.system, {Form::ggl, 0.0, 0.0, 1.0});
    Point p(*mechanism.system, form, 0.0, 3);
    std::vector<math::Jet> later(p.u);
    for (math::Jet& u : later) u.value += 0.02, u.first += 0.05, u.second -= 0.03;
    Vector F(form.size());
    const auto error = [&](JacobianUpdate update) {
      FirstOrderMatrix moved(form, source, update, correct::Scaling::none);
      form.residual(p.u, p.y, p.y_rate, F);
      moved.evaluate(p.u, p.y, p.y_rate, F);
      moved.update(later, p.y);
      moved.assemble(50.0, p.y, 0.0);
      FirstOrderMatrix fresh(form, source, JacobianUpdate::none, correct::Scaling::none);
      form.residual(later, p.y, p.y_rate, F);
      fresh.evaluate(later, p.y, p.y_rate, F);
      fresh.assemble(50.0, p.y, 0.0);
      double largest = 0.0;
      for (std::size_t i = 0; i < fresh.matrix().values().size(); ++i) {
        largest = std::max(largest,
                           std::abs(fresh.matrix().values()[i] - moved.matrix().values()[i]));
      }
      return largest;
    };
    const double partitioned = error(JacobianUpdate::partitioned);
    EXPECT_GT(partitioned, 1e-2);
    EXPECT_LT(error(JacobianUpdate::extended), 0.1 * partitioned) << name_of(source);
  }
}

class ExplicitFormalism : public ::testing::TestWithParam<std::tuple<bool, unsigned>> {};

TEST_P(ExplicitFormalism, IsTheResidualDividedByTheMass) {
  const auto [planar, seed] = GetParam();
  RandomModel random(planar, seed);
  const coordinates::Mechanism mechanism = make_mechanism(random.model(), View::joint);
  const system::ConstrainedSystem& system = *mechanism.system;
  if (!system.evaluator()->forward_dynamics()) GTEST_SKIP() << "has massless coordinates";
  FirstOrder residual(system, {Form::ggl, 0.0, 0.0, 1.0});
  FirstOrder solved(system, {Form::ggl, 0.0, 0.0, 1.0, Formalism::explicit_});
  const Point p(system, residual, 0.1, 11 + seed);
  Vector F(residual.size()), E(residual.size());
  residual.residual(p.u, p.y, p.y_rate, F);
  solved.residual(p.u, p.y, p.y_rate, E);

  const int n = system.structure().dof();
  linear::BlockMatrix M(system.structure().mass);
  const auto evaluator = system.evaluator();
  Vector q(residual.q(std::span(p.y)).size());
  residual.normalise(residual.q(std::span(p.y)), q);
  evaluator->move_to({q, residual.v(std::span(p.y)), residual.x(std::span(p.y)), p.u});
  evaluator->mass(M);
  Vector product(n, 0.0);
  M.multiply_add(residual.v(std::span<const double>(E)), product);
  double size = 0.0;
  for (double value : product) size = std::max(size, std::abs(value));
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(product[i], residual.v(std::span<const double>(F))[i], 1e-9 * size);
  }
}

TEST_P(ExplicitFormalism, GroupsGiveTheMatrixOfSingleColumns) {
  const auto [planar, seed] = GetParam();
  RandomModel random(planar, seed);
  const coordinates::Mechanism mechanism = make_mechanism(random.model(), View::joint);
  if (!mechanism.system->evaluator()->forward_dynamics()) GTEST_SKIP() << "has massless coordinates";
  FirstOrder form(*mechanism.system, {Form::ggl, 0.0, 0.0, 1.0, Formalism::explicit_});
  const Point p(*mechanism.system, form, 0.1, 11 + seed);
  Vector F(form.size());
  form.residual(p.u, p.y, p.y_rate, F);
  const auto matrix = [&](JacobianSource source, JacobianPattern pattern) {
    FirstOrderMatrix m(form, source, JacobianUpdate::none, correct::Scaling::none, pattern);
    m.evaluate(p.u, p.y, p.y_rate, F);
    m.evaluate(p.u, p.y, p.y_rate, F);  // with the groups found by then
    m.assemble(50.0, p.y, 0.0);
    const auto values = m.matrix().values();
    return Vector(values.begin(), values.end());
  };
  const Vector single = matrix(JacobianSource::differences, JacobianPattern::topology);
  double size = 0.0;
  for (double value : single) size = std::max(size, std::abs(value));
  for (const auto pattern : {JacobianPattern::topology, JacobianPattern::estimated}) {
    const Vector grouped = matrix(JacobianSource::grouped, pattern);
    for (std::size_t i = 0; i < single.size(); ++i) {
      EXPECT_NEAR(grouped[i], single[i], 1e-5 * size) << name_of(pattern);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, ExplicitFormalism,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(0u, 1u, 2u, 3u)));

TEST(EstimatedPattern, IsExtendedWhenItIsUnderSuspicion) {
  const Problem chain = problem_of("", spatial_chain_model(6), 1.0, 1);
  FirstOrder form(*chain.system, {});
  Point rest(*chain.system, form, 0.0, 3), moving(*chain.system, form, 0.0, 4);
  for (double& value : form.v(std::span(rest.y))) value = 0.0;
  for (double& value : form.lambda(std::span(rest.y))) value = 0.0;
  std::fill(rest.y_rate.begin(), rest.y_rate.end(), 0.0);
  Vector F(form.size());
  const auto difference = [&](FirstOrderMatrix& estimated, bool suspect) {
    form.residual(moving.u, moving.y, moving.y_rate, F);
    FirstOrderMatrix exact(form, JacobianSource::grouped, JacobianUpdate::none,
                           correct::Scaling::none);
    exact.evaluate(moving.u, moving.y, moving.y_rate, F);
    exact.assemble(50.0, moving.y, 0.0);
    estimated.evaluate(moving.u, moving.y, moving.y_rate, F, suspect);
    estimated.assemble(50.0, moving.y, 0.0);
    double largest = 0.0, size = 0.0;
    for (std::size_t i = 0; i < exact.matrix().values().size(); ++i) {
      size = std::max(size, std::abs(exact.matrix().values()[i]));
      largest = std::max(largest,
                         std::abs(exact.matrix().values()[i] - estimated.matrix().values()[i]));
    }
    return largest / size;
  };
  // Gyroscopic terms vanish at rest, so the first pattern lacks them.
  FirstOrderMatrix matrix(form, JacobianSource::grouped, JacobianUpdate::none,
                          correct::Scaling::none, JacobianPattern::estimated);
  form.residual(rest.u, rest.y, rest.y_rate, F);
  matrix.evaluate(rest.u, rest.y, rest.y_rate, F);
  const int few = matrix.residuals_per_evaluation();
  EXPECT_GT(difference(matrix, false), 1e-3);
  EXPECT_EQ(matrix.residuals_per_evaluation(), few);
  EXPECT_LT(difference(matrix, true), 1e-6);
  EXPECT_GT(matrix.residuals_per_evaluation(), few);
  EXPECT_LT(difference(matrix, false), 1e-6);
}

}  // namespace
}  // namespace daedal::testing
