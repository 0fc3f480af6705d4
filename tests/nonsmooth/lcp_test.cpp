#include "daedal/nonsmooth/lcp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <string>

#include "daedal/nonsmooth/siconos.hpp"
#include "nonsmooth/laws.hpp"

namespace daedal::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::lcp_violation;
using test::Random;

struct Solution {
  LcpResult result;
  VectorXd z, w;
};

class EveryPivoting : public testing::TestWithParam<Pivoting> {
 protected:
  void SetUp() override {
    if (GetParam() == Pivoting::siconos && !siconos::available()) {
      GTEST_SKIP() << "built without Siconos";
    }
  }
  Solution solve(const MatrixXd& M, const VectorXd& q) {
    Solution s{{}, VectorXd::Zero(q.size()), VectorXd::Zero(q.size())};
    s.result = LcpSolver(0, {.pivoting = GetParam()}).solve(M, q, s.z, s.w);
    return s;
  }
};

INSTANTIATE_TEST_SUITE_P(Lcp, EveryPivoting,
                         testing::Values(Pivoting::automatic, Pivoting::own, Pivoting::siconos),
                         [](const auto& given) {
                           const Pivoting p = given.param;
                           return std::string(p == Pivoting::own       ? "own"
                                              : p == Pivoting::siconos ? "siconos"
                                                                       : "automatic");
                         });

TEST_P(EveryPivoting, ScalarProblemsHaveTheirClosedForm) {
  const auto closing = solve(MatrixXd::Constant(1, 1, 2.0), VectorXd::Constant(1, -3.0));
  EXPECT_EQ(closing.result.status, Status::solved);
  EXPECT_DOUBLE_EQ(closing.z[0], 1.5);
  EXPECT_EQ(closing.w[0], 0.0);
  const auto opening = solve(MatrixXd::Constant(1, 1, 2.0), VectorXd::Constant(1, 3.0));
  EXPECT_EQ(opening.result.status, Status::solved);
  EXPECT_EQ(opening.z[0], 0.0);
  EXPECT_EQ(opening.w[0], 3.0);
  EXPECT_EQ(solve(MatrixXd(0, 0), VectorXd(0)).result.status, Status::solved);
}

TEST_P(EveryPivoting, RandomPositiveDefiniteAndUnsymmetricProblemsAreSolved) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.integer(1, 30);
    MatrixXd M = random.delassus(n, n + 2);
    M.diagonal().array() += 0.05;
    if (trial % 2) {
      const MatrixXd A = random.matrix(n, n);
      M += A - A.transpose();
    }
    const VectorXd q = random.vector(n);
    const auto s = solve(M, q);
    ASSERT_EQ(s.result.status, Status::solved) << n;
    ASSERT_LT(lcp_violation(M, q, s.z, s.w), 1e-11) << n;
  }
}

TEST_P(EveryPivoting, SolutionsOfPMatricesAreTheOneThatExists) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = random.integer(1, 20);
    MatrixXd M = random.delassus(n, n);
    M.diagonal().array() += 0.5;
    // A solution first, then the q it belongs to.
    VectorXd z = random.vector(n).cwiseMax(0.0), w = random.vector(n).cwiseMax(0.0);
    for (int i = 0; i < n; ++i) (z[i] > 0.0 ? w[i] : z[i]) = 0.0;
    const auto s = solve(M, w - M * z);
    ASSERT_EQ(s.result.status, Status::solved);
    ASSERT_LT((s.z - z).norm(), 1e-10);
    ASSERT_LT((s.w - w).norm(), 1e-10);
  }
}

TEST_P(EveryPivoting, RedundantContactsAreSolved) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int rank = random.integer(1, 6), n = rank + random.integer(1, 10);
    const MatrixXd G = random.matrix(n, rank);
    const MatrixXd M = G * G.transpose();
    // G v >= 0 has a solution, so the problem has.
    const VectorXd v = random.vector(rank);
    VectorXd q = G * v;
    for (int i = 0; i < n; ++i) {
      if (trial % 2) q[i] = random.number(-1.0, 0.0);
      if (q[i] < 0.0 && random.integer(0, 1)) q[i] = -q[i];
    }
    q = q.cwiseMax(G * v);
    const auto s = solve(M, q);
    ASSERT_EQ(s.result.status, Status::solved) << trial;
    ASSERT_LT(lcp_violation(M, q, s.z, s.w), 1e-10) << trial;
  }
}

TEST_P(EveryPivoting, BoxStandsOnItsFourCorners) {
  const double mass = 3.0, gravity = 9.81, a = 0.4, b = 0.7, inertia_x = 0.2, inertia_y = 0.1;
  MatrixXd G(4, 3);  // height, rotations about x and y
  G << 1, b, -a, 1, b, a, 1, -b, a, 1, -b, -a;
  const VectorXd inverse{{1.0 / mass, 1.0 / inertia_x, 1.0 / inertia_y}};
  const MatrixXd W = G * inverse.asDiagonal() * G.transpose();
  const auto s = solve(W, VectorXd::Constant(4, -gravity));
  ASSERT_EQ(s.result.status, Status::solved);
  EXPECT_LT(s.w.norm(), 1e-12);
  EXPECT_GE(s.z.minCoeff(), 0.0);
  const Eigen::Vector3d force = G.transpose() * s.z;
  EXPECT_NEAR(force[0], mass * gravity, 1e-12);
  EXPECT_NEAR(force.tail(2).norm(), 0.0, 1e-12);
}

TEST_P(EveryPivoting, TiesDoNotCycle) {
  // Kostreva's matrix, on which pivoting by smallest ratio alone is known to cycle.
  MatrixXd M(3, 3);
  M << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const auto s = solve(M, -VectorXd::Ones(3));
  ASSERT_EQ(s.result.status, Status::solved);
  EXPECT_LT((s.z - VectorXd::Constant(3, 1.0 / 3.0)).norm(), 1e-14);
  // The same contact twenty times.
  const auto same = solve(MatrixXd::Ones(20, 20), -VectorXd::Ones(20));
  ASSERT_EQ(same.result.status, Status::solved);
  EXPECT_NEAR(same.z.sum(), 1.0, 1e-14);
}

TEST_P(EveryPivoting, ProblemsWithoutSolutionAreCalledSo) {
  MatrixXd pulled(2, 2);  // w1 = -w2 - 2: a body held from both sides that is to move both ways
  pulled << 1, -1, -1, 1;
  for (const MatrixXd& M :
       {MatrixXd(MatrixXd::Constant(1, 1, -1.0)), MatrixXd(MatrixXd::Zero(1, 1)),
        MatrixXd(MatrixXd::Zero(3, 3)), pulled}) {
    const auto s = solve(M, -VectorXd::Ones(M.rows()));
    EXPECT_EQ(s.result.status,
              GetParam() == Pivoting::siconos ? Status::not_converged : Status::no_solution)
        << M;
    EXPECT_EQ(s.z, VectorXd::Zero(M.rows()));
  }
}

TEST_P(EveryPivoting, MassesDoNotMatter) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = random.integer(2, 12);
    MatrixXd M = random.delassus(n, n);
    M.diagonal().array() += 0.3;
    const VectorXd q = random.vector(n);
    const auto plain = solve(M, q);
    // Each row in its own units, over twelve decades; rows and columns alike.
    const VectorXd unit =
        VectorXd::NullaryExpr(n, [&] { return std::pow(10.0, random.number(-6.0, 6.0)); });
    const auto scaled = solve(unit.asDiagonal() * M * unit.asDiagonal(), unit.cwiseProduct(q));
    ASSERT_EQ(plain.result.status, Status::solved);
    ASSERT_EQ(scaled.result.status, Status::solved);
    ASSERT_LT((scaled.z.cwiseProduct(unit) - plain.z).norm(), 1e-9);
    ASSERT_LT((scaled.w.cwiseQuotient(unit) - plain.w).norm(), 1e-9);
  }
}

TEST_P(EveryPivoting, NumbersThatAreNoneAreNotSolved) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(MatrixXd::Identity(2, 2), VectorXd{{-1.0, nan}}).result.status,
            Status::not_converged);
  EXPECT_EQ(solve(MatrixXd::Constant(2, 2, nan), VectorXd{{-1.0, 1.0}}).result.status,
            Status::not_converged);
}

// The system of section 4 of [Haddouni2013]: a sphere on the edge between z = 0 and z = x^2.
class Edge {
 public:
  Eigen::Matrix2d G{{1.0, 0.0}, {1.0, 6.65031e-05}};
  Eigen::Vector2d F{-9.81, 0.0}, r{-0.0362238, 44.1971};
};

TEST(LcpOfTheEdge, AsEquationsItIsSingularToTheAccuracyOfItsData) {
  const Edge edge;
  Eigen::Matrix4d K = Eigen::Matrix4d::Zero();
  K.topLeftCorner<2, 2>().setIdentity();
  K.topRightCorner<2, 2>() = -edge.G.transpose();
  K.bottomLeftCorner<2, 2>() = edge.G;
  FullPivot elimination;
  EXPECT_EQ(elimination.factorise(K, 1e-8), 3);
  VectorXd x(4);
  x << edge.F, edge.r;
  EXPECT_GT(elimination.solve(x), 1.0);  // and what is left over contradicts it
  // Solved all the same, it asks for a pull of 1e10.
  Eigen::Vector4d right;
  right << edge.F, edge.r;
  EXPECT_LT(Eigen::Vector4d(K.fullPivLu().solve(right))[2], -1e9);
}

TEST_P(EveryPivoting, EdgeOfThePaperHasTheSolutionOfOneContact) {
  const Edge edge;
  const auto s = solve(edge.G * edge.G.transpose(), edge.G * edge.F - edge.r);
  ASSERT_EQ(s.result.status, Status::solved);
  EXPECT_EQ(s.z[0], 0.0);
  EXPECT_NEAR(s.z[1], 54.00709976114484, 1e-12);
  EXPECT_NEAR(s.w[0], 44.23332356114484, 1e-12);
  EXPECT_EQ(s.w[1], 0.0);
  const Eigen::Vector2d acceleration = edge.F + edge.G.transpose() * s.z;
  EXPECT_NEAR(acceleration[0], 44.19709976114484, 1e-12);
  EXPECT_NEAR(acceleration[1], 0.003591639556125392, 1e-15);
}

TEST(Lcp, PivotsThatRunOutAreReported) {
  Random random(5);
  MatrixXd M = random.delassus(12, 12);
  M.diagonal().array() += 0.3;
  VectorXd z(12), w(12);
  const LcpOptions options{.pivoting = Pivoting::own, .pivots_per_row = 0};
  EXPECT_EQ(LcpSolver(12, options).solve(M, -VectorXd::Ones(12), z, w).status,
            Status::not_converged);
}

TEST(Lcp, EveryStatusHasASentence) {
  for (const Status status : {Status::solved, Status::no_solution, Status::not_converged}) {
    EXPECT_FALSE(sentence(status).empty());
  }
}

}  // namespace
}  // namespace daedal::nonsmooth
