// Every analytic derivative, in all coordinates, against central differences, on random models
// that contain every joint, drive and force, without contacts and with all.
#include <gtest/gtest.h>

#include <functional>

#include "daedal/coordinates/joint/evaluator.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector = std::vector<double>;

constexpr double kStep = 2e-5;
constexpr double kTolerance = 2e-8;  // relative to the largest entry

Eigen::Map<const VectorXd> map(const Vector& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

class DerivativeLaws
    : public ::testing::TestWithParam<std::tuple<View, bool, Contacts, unsigned>> {
 protected:
  DerivativeLaws()
      : s_(std::get<1>(GetParam()), std::get<3>(GetParam()), std::get<0>(GetParam()),
           std::get<2>(GetParam())) {}

  int n() const { return s_.structure.dof(); }
  int m() const { return s_.structure.constraint_rows; }

  Vector constraints(const system::Point& p) {
    Vector g(m());
    s_.evaluator->move_to(p);
    s_.evaluator->constraints(g);
    return g;
  }
  Vector residual(const system::Point& p) {
    Vector r(n());
    s_.evaluator->move_to(p);
    s_.evaluator->residual(s_.a, s_.lambda, r);
    return r;
  }
  Vector state_rates(const system::Point& p) {
    Vector c(s_.structure.state_size);
    s_.evaluator->move_to(p);
    s_.evaluator->state_rates(c);
    return c;
  }

  using Function = std::function<Vector(const system::Point&)>;

  /// Central difference of f with respect to increments at q.
  MatrixXd by_coordinates(const Function& f) {
    return columns(n(), [&](int j, double step) {
      Vector dq(n(), 0.0), q(s_.q.size());
      dq[j] = step;
      s_.structure.manifold.retract(s_.q, dq, q);
      return f({q, s_.v, s_.x, s_.u});
    });
  }
  MatrixXd by_velocities(const Function& f) {
    return columns(n(), [&](int j, double step) {
      Vector v = s_.v;
      v[j] += step;
      return f({s_.q, v, s_.x, s_.u});
    });
  }
  MatrixXd by_states(const Function& f) {
    return columns(s_.structure.state_size, [&](int j, double step) {
      Vector x = s_.x;
      x[j] += step;
      return f({s_.q, s_.v, x, s_.u});
    });
  }

  /// Central difference of f along the motion with velocity v and acceleration a.
  VectorXd along_motion(const Function& f) {
    return columns(1, [&](int, double step) {
      Vector dq(n()), q(s_.q.size()), v(n());
      for (int i = 0; i < n(); ++i) {
        dq[i] = step * (s_.v[i] + 0.5 * step * s_.a[i]);
        v[i] = s_.v[i] + step * s_.a[i];
      }
      s_.structure.manifold.retract(s_.q, dq, q);
      std::vector<math::Jet> u(s_.u.size());
      s_.system.excitations(s_.t + step, u);
      return f({q, v, s_.x, u});
    });
  }

  system::Linearisation linearised() {
    system::Linearisation out(s_.structure);
    s_.evaluator->move_to(s_.at());
    s_.evaluator->linearise(s_.a, s_.lambda, out);
    return out;
  }

  static void expect_near(const MatrixXd& actual, const MatrixXd& expected) {
    ASSERT_EQ(actual.rows(), expected.rows());
    ASSERT_EQ(actual.cols(), expected.cols());
    if (actual.size() == 0) return;
    const double size = std::max(1.0, expected.cwiseAbs().maxCoeff());
    Eigen::Index row, column;
    const double error = (actual - expected).cwiseAbs().maxCoeff(&row, &column);
    EXPECT_LT(error, kTolerance * size)
        << "at (" << row << ", " << column << "): " << actual(row, column) << " instead of "
        << expected(row, column);
  }

  std::vector<bool> is_velocity_row() {
    std::vector<bool> out;
    for (const system::Level level : s_.structure.row_levels()) {
      out.push_back(level == system::Level::velocity);
    }
    return out;
  }

  Sample s_;

 private:
  /// By five points: distances from small parts on long levers bend a lot.
  static MatrixXd columns(int count, const std::function<Vector(int, double)>& f) {
    MatrixXd out;
    for (int j = 0; j < count; ++j) {
      const Vector plus = f(j, kStep), minus = f(j, -kStep);
      const Vector far_plus = f(j, 2.0 * kStep), far_minus = f(j, -2.0 * kStep);
      if (j == 0) out.resize(static_cast<Eigen::Index>(plus.size()), count);
      out.col(j) = (8.0 * (map(plus) - map(minus)) - (map(far_plus) - map(far_minus))) /
                   (12.0 * kStep);
    }
    return out;
  }
};

TEST_P(DerivativeLaws, ConstraintMatrixIsTheDerivativeOfTheConstraints) {
  const auto g = [this](const system::Point& p) { return constraints(p); };
  const MatrixXd by_q = by_coordinates(g), by_v = by_velocities(g);
  const system::Linearisation l = linearised();
  const MatrixXd G = l.G.dense(), W = l.W.dense();
  const std::vector<bool> velocity = is_velocity_row();
  MatrixXd expected_G = by_q, expected_W = by_q;
  for (int i = 0; i < m(); ++i) {
    if (velocity[i]) {
      expected_G.row(i) = by_v.row(i);
    } else {
      expected_W.row(i).setZero();
      EXPECT_EQ(by_v.row(i).cwiseAbs().maxCoeff(), 0.0);
    }
  }
  expect_near(G, expected_G);
  expect_near(W, expected_W);
  s_.evaluator->move_to(s_.at());
  EXPECT_EQ(s_.evaluator->G().dense(), G);
  EXPECT_EQ(s_.evaluator->H().dense(), l.directions().dense());
}

TEST_P(DerivativeLaws, DirectionsOfMultipliersDifferFromTheConstraintsWhereContactsSlide) {
  s_.evaluator->move_to(s_.at());
  const MatrixXd difference = s_.evaluator->H().dense() - s_.evaluator->G().dense();
  const std::vector<coordinates::ContactRows>& contacts = s_.mechanism.contacts;
  std::vector<bool> may_slide(m(), false);
  for (const coordinates::ContactRows& rows : contacts) {
    if (rows.depth >= 0 && rows.slip < 0) may_slide[rows.depth] = true;
  }
  int slide = 0;
  for (int i = 0; i < m(); ++i) {
    if (difference.row(i).cwiseAbs().maxCoeff() == 0.0) continue;
    ++slide;
    EXPECT_TRUE(may_slide[i]) << s_.structure.row_name(i);
  }
  EXPECT_EQ(slide > 0, !contacts.empty());
  EXPECT_EQ(s_.structure.directed, !contacts.empty());
}

TEST_P(DerivativeLaws, ConstraintRatesAndGammaAreTimeDerivatives) {
  const std::vector<bool> velocity = is_velocity_row();
  const VectorXd first = along_motion([this](const system::Point& p) { return constraints(p); });
  Vector rate(m()), gamma(m()), g(m());
  s_.evaluator->move_to(s_.at());
  s_.evaluator->constraint_rates(rate);
  s_.evaluator->gamma(gamma);
  s_.evaluator->constraints(g);
  VectorXd expected = first;
  for (int i = 0; i < m(); ++i) {
    if (velocity[i]) expected[i] = g[i];
  }
  expect_near(map(rate), expected);

  // d/dt of the rates is G a - gamma, in rows of both kinds.
  const VectorXd second = along_motion([this](const system::Point& p) {
    Vector r(m());
    s_.evaluator->move_to(p);
    s_.evaluator->constraint_rates(r);
    return r;
  });
  s_.evaluator->move_to(s_.at());
  expect_near(s_.evaluator->G().dense() * map(s_.a) - map(gamma), second);
}

TEST_P(DerivativeLaws, ResidualIsMassTimesAccelerationMinusForcePlusReactions) {
  Vector f(n());
  s_.evaluator->move_to(s_.at());
  s_.evaluator->force(f);
  linear::BlockMatrix M(s_.structure.mass);
  s_.evaluator->mass(M);
  const VectorXd expected = M.dense() * map(s_.a) - map(f) +
                            s_.evaluator->H().dense().transpose() * map(s_.lambda);
  const double size = expected.cwiseAbs().maxCoeff();
  EXPECT_LT((map(residual(s_.at())) - expected).cwiseAbs().maxCoeff(), 1e-14 * std::max(100.0, size));
}

TEST_P(DerivativeLaws, MassIsTheDerivativeByAccelerations) {
  const system::Linearisation l = linearised();
  linear::BlockMatrix M(s_.structure.mass);
  s_.evaluator->mass(M);
  const double size = std::max(1.0, M.dense().cwiseAbs().maxCoeff());
  EXPECT_LT((M.dense() - l.M.dense()).cwiseAbs().maxCoeff(), 1e-14 * size);
  EXPECT_LT((M.dense() - M.dense().transpose()).cwiseAbs().maxCoeff(), 1e-14 * size);
  // Positive definite but for the massless coordinates, which are last and have no entries.
  int massive = 0;
  for (int i = 0; i < static_cast<int>(s_.structure.coordinates.size()); ++i) {
    if (!s_.structure.massless(i)) massive += s_.structure.coordinates[i].size;
  }
  EXPECT_EQ(s_.structure.has_massless(), massive < s_.structure.dof());
  EXPECT_EQ(M.dense().topLeftCorner(massive, massive).llt().info(), Eigen::Success);
  EXPECT_EQ(M.dense().rightCols(s_.structure.dof() - massive).cwiseAbs().sum(), 0.0);
}

TEST_P(DerivativeLaws, ForwardDynamicsSolvesTheResidual) {
  if (std::get<0>(GetParam()) == View::absolute || s_.structure.has_massless()) return;
  Vector a(n()), r(n());
  const auto solve = [&](auto* evaluator) {
    if (!evaluator) return false;
    evaluator->move_to(s_.at());
    evaluator->accelerations(s_.lambda, a);
    evaluator->residual(a, s_.lambda, r);
    return true;
  };
  ASSERT_TRUE(solve(dynamic_cast<coordinates::joint::JointEvaluator<2>*>(s_.evaluator.get())) ||
              solve(dynamic_cast<coordinates::joint::JointEvaluator<3>*>(s_.evaluator.get())));
  EXPECT_LT(map(r).cwiseAbs().maxCoeff(), 1e-10 * std::max(1.0, map(a).cwiseAbs().maxCoeff()));
}

TEST_P(DerivativeLaws, StiffnessIsTheDerivativeOfTheResidualByCoordinates) {
  const MatrixXd expected = by_coordinates([this](const system::Point& p) { return residual(p); });
  expect_near(linearised().K.dense(), expected);
}

TEST_P(DerivativeLaws, DampingIsTheDerivativeOfTheResidualByVelocities) {
  const MatrixXd expected = by_velocities([this](const system::Point& p) { return residual(p); });
  expect_near(linearised().D.dense(), expected);
}

TEST_P(DerivativeLaws, StateDerivativesMatchDifferences) {
  if (s_.structure.state_size == 0) return;  // angles in the plane are continuous anyway
  const auto c = [this](const system::Point& p) { return state_rates(p); };
  const MatrixXd by_q = by_coordinates(c), by_v = by_velocities(c), by_x = by_states(c);
  const MatrixXd force = by_states([this](const system::Point& p) { return residual(p); });
  const system::Linearisation l = linearised();
  expect_near(l.c_q.dense(), by_q);
  expect_near(l.c_v.dense(), by_v);
  expect_near(l.c_x.dense(), by_x);
  expect_near(-l.f_x.dense(), force);
}

TEST_P(DerivativeLaws, ExcitationsCarryTheirDerivatives) {
  constexpr double e = 1e-5;
  std::vector<math::Jet> after(s_.u.size()), before(s_.u.size());
  s_.system.excitations(s_.t + e, after);
  s_.system.excitations(s_.t - e, before);
  for (std::size_t i = 0; i < s_.u.size(); ++i) {
    EXPECT_NEAR(s_.u[i].first, (after[i].value - before[i].value) / (2 * e), 1e-8);
    EXPECT_NEAR(s_.u[i].second, (after[i].first - before[i].first) / (2 * e), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Random, DerivativeLaws,
    ::testing::Combine(::testing::Values(View::absolute, View::joint, View::joint_with_loops),
                       ::testing::Bool(), ::testing::Values(Contacts::none, Contacts::all),
                       ::testing::Range(1u, 7u)),
    [](const auto& p) {
      return fmt::format("{}{}{}{}", name_of(std::get<0>(p.param)),
                         std::get<1>(p.param) ? "Plane" : "Space",
                         std::get<2>(p.param) == Contacts::all ? "Contacts" : "",
                         std::get<3>(p.param));
    });

}  // namespace
}  // namespace daedal::testing
