#include "daedal/nonsmooth/mixed_lcp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "nonsmooth/laws.hpp"

namespace daedal::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Random;

struct Solution {
  LcpResult result;
  VectorXd x, w;
};

Solution solve(int equations, const MatrixXd& M, const VectorXd& q) {
  Solution s{{}, VectorXd(q.size()), VectorXd(q.size())};
  s.result = MixedLcpSolver().solve(equations, M, q, s.x, s.w);
  return s;
}

void expect_solved(int equations, const MatrixXd& M, const VectorXd& q, const Solution& s) {
  ASSERT_EQ(s.result.status, Status::solved);
  const VectorXd w = M * s.x + q;
  const double size = (q.cwiseAbs() + M.cwiseAbs() * s.x.cwiseAbs()).maxCoeff();
  EXPECT_LT(w.head(equations).norm(), 1e-9 * size);
  EXPECT_LT((w - s.w).norm(), 1e-9 * size);
  const auto contacts = q.size() - equations;
  for (Eigen::Index i = 0; i < contacts; ++i) {
    EXPECT_GE(s.x[equations + i], 0.0);
    EXPECT_GE(s.w[equations + i], -1e-9 * size);
    EXPECT_LT(std::abs(std::min(s.x[equations + i], s.w[equations + i])), 1e-9 * size);
  }
}

TEST(MixedLcp, RandomProblemsAreSolved) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int m = random.integer(0, 8), n = m + random.integer(0, 8);
    if (n == 0) continue;
    MatrixXd M = random.delassus(n, n + 2);
    M.diagonal().array() += 0.05;
    const VectorXd q = random.vector(n);
    expect_solved(m, M, q, solve(m, M, q));
  }
}

TEST(MixedLcp, EquationsAloneAreALinearSystem) {
  Random random(2);
  MatrixXd M = random.delassus(6, 6);
  M.diagonal().array() += 0.1;
  const VectorXd q = random.vector(6);
  const auto s = solve(6, M, q);
  ASSERT_EQ(s.result.status, Status::solved);
  EXPECT_LT((s.x + M.ldlt().solve(q)).norm(), 1e-11);
}

TEST(MixedLcp, DependentBilateralConstraintsAreHeldByAny) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    MatrixXd G = random.matrix(7, 8);
    G.row(2) = 2.0 * G.row(0) - G.row(1);
    const VectorXd free = random.vector(8);  // acceleration without constraints
    const MatrixXd M = G * G.transpose();
    const VectorXd q = G * free;
    expect_solved(4, M, q, solve(4, M, q));
  }
}

TEST(MixedLcp, ContradictingBilateralConstraintsHaveNoSolution) {
  Random random(4);
  MatrixXd G = random.matrix(5, 8);
  G.row(1) = G.row(0);
  VectorXd q = random.vector(5);
  q[1] = q[0] + 1.0;
  EXPECT_EQ(solve(3, G * G.transpose(), q).result.status, Status::no_solution);
}

TEST(MixedLcp, ContactThatABilateralConstraintHoldsAlreadyCarriesNothing) {
  Random random(5);
  MatrixXd G = random.matrix(5, 8);
  G.row(3) = G.row(0) + 0.5 * G.row(1);
  const MatrixXd M = G * G.transpose();
  const VectorXd q = G * random.vector(8);
  const auto s = solve(2, M, q);
  expect_solved(2, M, q, s);
  EXPECT_EQ(s.x[3], 0.0);
}

TEST(MixedLcp, MassesDoNotMatter) {
  Random random(6);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 8, m = 3;
    MatrixXd M = random.delassus(n, n);
    M.diagonal().array() += 0.3;
    const VectorXd q = random.vector(n);
    const VectorXd unit =
        VectorXd::NullaryExpr(n, [&] { return std::pow(10.0, random.number(-6.0, 6.0)); });
    const auto plain = solve(m, M, q);
    const auto scaled = solve(m, unit.asDiagonal() * M * unit.asDiagonal(), unit.cwiseProduct(q));
    ASSERT_EQ(plain.result.status, Status::solved);
    ASSERT_EQ(scaled.result.status, Status::solved);
    EXPECT_LT((scaled.x.cwiseProduct(unit) - plain.x).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace daedal::nonsmooth
