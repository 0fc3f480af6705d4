// Condition numbers of the Newmark matrix of Andrews' squeezer at t = 0, with M in place of the
// full tangent and beta = 1/4, against values computed in 60-digit arithmetic.
#include <gtest/gtest.h>

#include "daedal/correct/newton_matrix.hpp"
#include "daedal/formulate/index3.hpp"
#include "support/squeezer.hpp"

namespace daedal::testing {
namespace {

using correct::Scaling;

class SqueezerMatrix {
 public:
  SqueezerMatrix() : blocks_(squeezer_.structure()), formulation_(squeezer_.structure()) {
    const auto evaluator = squeezer_.evaluator();
    const std::vector<double> q = Squeezer::initial_q(), v(7, 0.0), zero(7, 0.0);
    evaluator->move_to({q, v, {}, {}});
    evaluator->linearise(zero, zero, blocks_);
    blocks_.D.set_zero();
    blocks_.K.set_zero();
  }

  Eigen::MatrixXd assemble(Scaling scaling, double h) {
    constexpr double beta = 0.25, gamma = 0.5;
    correct::NewtonMatrix matrix(formulation_.layout(),
                                 formulation_.terms(blocks_, blocks_.G, blocks_.W),
                                 squeezer_.structure(), false);
    correct::MethodFactors factors;
    factors.displacement[1] = gamma / (beta * h);
    factors.displacement[2] = 1.0 / (beta * h * h);
    correct::scale_factors(formulation_.layout(), scaling, h, factors, 1.0,
                           matrix.scale());
    matrix.assemble(factors, {}, 0.0, 0.0);
    row_ = matrix.scale().row;
    unknown_ = matrix.scale().unknown;
    return matrix.matrix().dense();
  }
  /// Scale factors of every row and unknown of the matrix assembled last.
  Eigen::VectorXd left() const { return spread(row_); }
  Eigen::VectorXd right() const { return spread(unknown_); }

 private:
  static Eigen::VectorXd spread(const std::vector<double>& nodes) {
    Eigen::VectorXd out(13);
    out << Eigen::VectorXd::Constant(7, nodes[0]), Eigen::VectorXd::Constant(6, nodes[1]);
    return out;
  }
  Squeezer squeezer_;
  system::Linearisation blocks_;
  formulate::Index3 formulation_;
  std::vector<double> row_, unknown_;
};

double norm(const Eigen::MatrixXd& A) { return A.cwiseAbs().rowwise().sum().maxCoeff(); }

/// Of a badly scaled matrix, through the well scaled one: J^-1 = R (L J R)^-1 L.
double condition(SqueezerMatrix& squeezer, Scaling scaling, double h) {
  const Eigen::MatrixXd J = squeezer.assemble(scaling, h);
  const Eigen::VectorXd L0 = squeezer.left(), R0 = squeezer.right();
  const Eigen::MatrixXd scaled = squeezer.assemble(Scaling::time_step, h);
  const Eigen::MatrixXd inverse =
      (squeezer.right().cwiseQuotient(R0)).asDiagonal() * scaled.inverse() *
      (squeezer.left().cwiseQuotient(L0)).asDiagonal();
  return norm(J) * norm(inverse);
}

void expect_three_digits(double actual, double expected) {
  EXPECT_NEAR(actual, expected, 5e-4 * expected);
}

constexpr double kSteps[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

TEST(SqueezerCondition, GrowsWithTheFourthPowerUnscaled) {
  constexpr double expected[] = {1.6640e8, 1.6634e12, 1.6634e16, 1.6634e20, 1.6634e24};
  SqueezerMatrix squeezer;
  for (int i = 0; i < 5; ++i) {
    expect_three_digits(condition(squeezer, Scaling::none, kSteps[i]), expected[i]);
  }
}

TEST(SqueezerCondition, GrowsWithTheSecondPowerUnderRightScaling) {
  constexpr double expected[] = {2.8302e7, 2.8302e9, 2.8302e11, 2.8302e13, 2.8302e15};
  SqueezerMatrix squeezer;
  for (int i = 0; i < 5; ++i) {
    expect_three_digits(condition(squeezer, Scaling::time_step_right, kSteps[i]), expected[i]);
  }
}

TEST(SqueezerCondition, DoesNotDependOnTheStepUnderFullScaling) {
  SqueezerMatrix squeezer;
  for (double h : kSteps) {
    expect_three_digits(condition(squeezer, Scaling::time_step, h), 8.320870e4);
    // Bauchau's s = 1 differs by the factor beta alone.
    EXPECT_NEAR(condition(squeezer, Scaling::physical, h) /
                    condition(squeezer, Scaling::physical, 1e-3),
                1.0, 1e-6);
  }
}

// [Bauchau2009], section 6: preconditioning with L = diag(h^2, s), R = diag(1, s/h^2) and scaling of
// the equations give the same matrix.
TEST(SqueezerCondition, PreconditioningIsScaling) {
  SqueezerMatrix squeezer;
  for (const double h : kSteps) {
    const Eigen::MatrixXd plain = squeezer.assemble(Scaling::none, h);
    const Eigen::MatrixXd scaled = squeezer.assemble(Scaling::physical, h);
    constexpr double s = 1.0;  // as assembled
    Eigen::VectorXd L(13), R(13);
    L << Eigen::VectorXd::Constant(7, h * h), Eigen::VectorXd::Constant(6, s);
    R << Eigen::VectorXd::Constant(7, 1.0), Eigen::VectorXd::Constant(6, s / (h * h));
    const Eigen::MatrixXd preconditioned = L.asDiagonal() * plain * R.asDiagonal();
    for (int i = 0; i < 13; ++i) {
      for (int j = 0; j < 13; ++j) {
        EXPECT_NEAR(scaled(i, j), preconditioned(i, j), 1e-14 * std::abs(scaled(i, j)));
      }
    }
  }
}

}  // namespace
}  // namespace daedal::testing
