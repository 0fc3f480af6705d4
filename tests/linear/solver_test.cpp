// One suite over every solver: they agree with Eigen, leave a residual of round-off and name the
// equation of a singular matrix.
#include "daedal/linear/solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <limits>
#include <stdexcept>

#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

using test::Graph;

/// Backward error granted to a factorisation without pivoting between blocks.
constexpr double kRoundOff = 1e-13;

class EverySolver : public testing::TestWithParam<std::string_view> {
 protected:
  std::unique_ptr<Solver> solver = make_solver(GetParam());
};

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

/// Normwise backward error of A x = b.
double backward_error(const Eigen::MatrixXd& A, const std::vector<double>& x,
                      const std::vector<double>& b) {
  const double norm = A.cwiseAbs().rowwise().sum().maxCoeff();
  const auto residual = (as_vector(b) - A * as_vector(x)).eval();
  return residual.lpNorm<Eigen::Infinity>() / (norm * as_vector(x).lpNorm<Eigen::Infinity>() +
                                               as_vector(b).lpNorm<Eigen::Infinity>());
}

void expect_agrees_with_eigen(Solver& solver, const Graph& graph, Symmetry symmetry,
                              bool multiplier_diagonals) {
  SCOPED_TRACE(graph.name + (symmetry == Symmetry::general ? " general" : " symmetric"));
  const BlockMatrix A = graph.matrix(symmetry, 3, multiplier_diagonals);
  solver.analyse(A.shared_pattern(), graph.kinds());
  ASSERT_TRUE(solver.factorise(A, symmetry));
  const Eigen::MatrixXd dense = A.dense();
  const auto b = test::random_vector(A.pattern().rows());
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(dense);
  const double accuracy = 1e-13 / lu.rcond();

  auto x = b;
  solver.solve(x);
  const Eigen::VectorXd expected = lu.solve(as_vector(b));
  EXPECT_LT(backward_error(dense, x, b), kRoundOff);
  EXPECT_LT((as_vector(x) - expected).norm(), accuracy * expected.norm());

  auto y = b;
  solver.solve_transposed(y);
  const Eigen::VectorXd expected_transposed = lu.transpose().solve(as_vector(b));
  EXPECT_LT(backward_error(dense.transpose(), y, b), kRoundOff);
  EXPECT_LT((as_vector(y) - expected_transposed).norm(), accuracy * expected_transposed.norm());
}

TEST_P(EverySolver, AgreesWithEigenOnGeneralMatricesOfEveryGraph) {
  for (const Graph& graph : test::graphs()) {
    expect_agrees_with_eigen(*solver, graph, Symmetry::general, true);
  }
}

TEST_P(EverySolver, AgreesWithEigenOnSymmetricMatricesOfEveryGraph) {
  for (const Graph& graph : test::graphs()) {
    expect_agrees_with_eigen(*solver, graph, Symmetry::symmetric, true);
  }
}

TEST_P(EverySolver, NeedsNoDiagonalBlocksOfMultipliers) {
  for (const Graph& graph : test::graphs()) {
    expect_agrees_with_eigen(*solver, graph, Symmetry::general, false);
    expect_agrees_with_eigen(*solver, graph, Symmetry::symmetric, false);
  }
}

TEST_P(EverySolver, ReadsOnlyLowerBlocksOfASymmetricMatrix) {
  const Graph graph = test::four_bar_chain(4);
  const BlockMatrix A = graph.matrix(Symmetry::symmetric);
  BlockMatrix lower = A;
  for (int k = 0; k < A.pattern().blocks(); ++k) {
    if (A.pattern().column_node(k) > A.pattern().row_node(k)) lower.block(k).setConstant(1e30);
  }
  solver->analyse(A.shared_pattern(), graph.kinds());
  ASSERT_TRUE(solver->factorise(lower, Symmetry::symmetric));
  const auto b = test::random_vector(A.pattern().rows());
  auto x = b;
  solver->solve(x);
  EXPECT_LT(backward_error(A.dense(), x, b), kRoundOff);
}

TEST_P(EverySolver, FactorisesAgainAndAgain) {
  const Graph graph = test::ring(7);
  solver->analyse(graph.pattern(), graph.kinds());
  for (unsigned seed = 1; seed < 20; ++seed) {
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
      const BlockMatrix A = graph.matrix(symmetry, seed);
      ASSERT_TRUE(solver->factorise(A, symmetry));
      const auto b = test::random_vector(A.pattern().rows(), seed);
      auto x = b;
      solver->solve(x);
      EXPECT_LT(backward_error(A.dense(), x, b), kRoundOff);
    }
  }
}

TEST_P(EverySolver, SolvesWhereABodyBlockIsIndefinite) {
  const Graph graph = test::chain(5);
  BlockMatrix A = graph.matrix(Symmetry::symmetric);
  for (const int body : {1, 3}) {
    auto H = A.block(A.pattern().find(body, body));
    H.row(2) *= -1.0;
    H.col(2) *= -1.0;
    H(2, 2) *= -1.0;
    H(4, 4) = 0.0;
    H(5, 5) = 0.0;
  }
  solver->analyse(A.shared_pattern(), graph.kinds());
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    ASSERT_TRUE(solver->factorise(A, symmetry));
    const auto b = test::random_vector(A.pattern().rows());
    auto x = b;
    solver->solve(x);
    EXPECT_LT(backward_error(A.dense(), x, b), kRoundOff);
  }
}

TEST_P(EverySolver, NamesTheEquationOfAZeroRow) {
  const Graph graph = test::chain(6);
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    for (const int joint : {0, 3, 5}) {
      BlockMatrix A = graph.matrix(symmetry);
      const BlockPattern& p = A.pattern();
      const int node = graph.joint_node(joint);
      for (int k = 0; k < p.blocks(); ++k) {
        if (p.row_node(k) == node) A.block(k).row(2).setZero();
        if (symmetry == Symmetry::symmetric && p.column_node(k) == node) A.block(k).col(2).setZero();
      }
      solver->analyse(A.shared_pattern(), graph.kinds());
      const FactorStatus status = solver->factorise(A, symmetry);
      EXPECT_FALSE(status);
      EXPECT_EQ(status.equation, p.row_offset(node) + 2);
      EXPECT_LT(status.pivot, 1e-13);
    }
  }
}

TEST_P(EverySolver, NamesARedundantConstraint) {
  // The last joint repeats row 1 of joint 2 in its row 0.
  Graph graph = test::chain(6);
  graph.joints.push_back({2, graph.joints[2].bodies});
  const int original = graph.joint_node(2), repeated = graph.joint_node(6);
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    BlockMatrix A = graph.matrix(symmetry);
    const BlockPattern& p = A.pattern();
    for (const int body : graph.joints[2].bodies) {
      A.block(p.find(repeated, body)).row(0) = A.block(p.find(original, body)).row(1);
      A.block(p.find(body, repeated)).col(0) = A.block(p.find(body, original)).col(1);
    }
    solver->analyse(A.shared_pattern(), graph.kinds());
    const FactorStatus status = solver->factorise(A, symmetry);
    EXPECT_FALSE(status);
    EXPECT_THAT(status.equation,
                testing::AnyOf(p.row_offset(original) + 1, p.row_offset(repeated) + 0));
    EXPECT_LT(status.pivot, 1e-13);
  }
}

/// A planar four-bar linkage of spatial hinges, turned in space so that nothing cancels exactly:
/// 20 constraints of rank 17 on 18 coordinates.
BlockMatrix spatial_four_bar(const Graph& graph, unsigned seed) {
  BlockMatrix A(graph.pattern());
  const auto angles = test::random_vector(4, seed);
  const Eigen::Matrix3d R =
      Eigen::Quaterniond(angles[0], angles[1], angles[2], angles[3]).normalized().matrix();
  const auto point = [&](double x, double y) { return (R * Eigen::Vector3d(x, y, 0.3)).eval(); };
  const Eigen::Vector3d hinge[] = {point(0, 0), point(0.3, 1), point(2.1, 1.4), point(1.7, 0.1)};
  const auto block = [&](int i, int j) { return A.block(A.pattern().find(i, j)); };
  const auto cross = [](const Eigen::Vector3d& v) {
    return (Eigen::Matrix3d() << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0).finished();
  };
  for (int body = 0; body < 3; ++body) {
    block(body, body).setIdentity();
    block(body, body).bottomRightCorner(3, 3) =
        0.2 * R * Eigen::Vector3d(1, 2, 2.5).asDiagonal() * R.transpose();
    const Eigen::Vector3d centre = 0.5 * (hinge[body] + hinge[body + 1]);
    for (const int end : {0, 1}) {  // velocity of the hinge point and two components of rotation
      const int node = graph.joint_node(body + end);
      const double sign = end == 0 ? 1.0 : -1.0;
      auto G = block(node, body);
      G.topLeftCorner(3, 3) = sign * Eigen::Matrix3d::Identity();
      G.topRightCorner(3, 3) = -sign * cross(hinge[body + end] - centre);
      G.bottomRightCorner(2, 3) = sign * R.leftCols(2).transpose();
      block(body, node) = G.transpose();
    }
  }
  return A;
}

TEST_P(EverySolver, ReportsTheRedundantHingesOfAPlanarLinkageUnlessRegularised) {
  const Graph graph{"hinges", {6, 6, 6}, {{5, {0}}, {5, {0, 1}}, {5, {1, 2}}, {5, {2}}}, {}};
  solver->analyse(graph.pattern(), graph.kinds());
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
      BlockMatrix A = spatial_four_bar(graph, seed);
      const FactorStatus status = solver->factorise(A, symmetry);
      EXPECT_FALSE(status) << seed;
      EXPECT_GE(status.equation, 18);
      for (int joint = 0; joint < 4; ++joint) {
        const int node = graph.joint_node(joint);
        A.block(A.pattern().find(node, node)).diagonal().setConstant(-1e-8);
      }
      EXPECT_TRUE(solver->factorise(A, symmetry));
    }
  }
}

TEST_P(EverySolver, ReportsNotANumber) {
  const Graph graph = test::chain(3);
  BlockMatrix A = graph.matrix(Symmetry::symmetric);
  A.values()[40] = std::numeric_limits<double>::quiet_NaN();
  solver->analyse(A.shared_pattern(), graph.kinds());
  EXPECT_FALSE(solver->factorise(A, Symmetry::general));
}

TEST_P(EverySolver, RecoversAfterASingularMatrix) {
  const Graph graph = test::chain(4);
  const BlockMatrix A = graph.matrix(Symmetry::symmetric);
  BlockMatrix zero = A;
  zero.set_zero();
  solver->analyse(A.shared_pattern(), graph.kinds());
  EXPECT_FALSE(solver->factorise(zero, Symmetry::symmetric));
  ASSERT_TRUE(solver->factorise(A, Symmetry::symmetric));
  const auto b = test::random_vector(A.pattern().rows());
  auto x = b;
  solver->solve(x);
  EXPECT_LT(backward_error(A.dense(), x, b), kRoundOff);
}

TEST_P(EverySolver, FactorisesQuasiDefiniteMatricesWithRedundantRows) {
  // [H G^T; G -mu I] with every joint doubled.
  const double mu = 1e-7;
  Graph graph = test::four_bar_chain(5);
  const std::size_t joints = graph.joints.size();
  for (std::size_t j = 0; j < joints; ++j) graph.joints.push_back(graph.joints[j]);
  BlockMatrix A = graph.matrix(Symmetry::symmetric);
  const BlockPattern& p = A.pattern();
  for (std::size_t j = 0; j < graph.joints.size(); ++j) {
    const int node = graph.joint_node(static_cast<int>(j));
    const int original = graph.joint_node(static_cast<int>(j % joints));
    A.block(p.find(node, node)).diagonal().setConstant(-mu);
    for (const int body : graph.joints[j].bodies) {
      A.block(p.find(node, body)) = A.block(p.find(original, body));
      A.block(p.find(body, node)) = A.block(p.find(body, original));
    }
  }
  solver->analyse(A.shared_pattern(), graph.kinds());
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    ASSERT_TRUE(solver->factorise(A, symmetry));
    const auto b = test::random_vector(p.rows());
    auto x = b;
    solver->solve(x);
    EXPECT_LT(backward_error(A.dense(), x, b), kRoundOff);
  }
}

TEST_P(EverySolver, AcceptsABadlyScaledMatrix) {
  // Index 3 without scaling: [M / h^2  G^T; G  0] at h = 1e-8, condition number far above 1e16.
  const Graph graph = test::chain(8);
  BlockMatrix A = graph.matrix(Symmetry::symmetric);
  for (int body = 0; body < graph.body_count(); ++body) A.block(A.pattern().find(body, body)) *= 1e16;
  solver->analyse(A.shared_pattern(), graph.kinds());
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    ASSERT_TRUE(solver->factorise(A, symmetry));
    EXPECT_GT(condition_number(A, *solver), 1e25);
  }
}

TEST_P(EverySolver, TakesAnEmptyMatrix) {
  solver->analyse(std::make_shared<const BlockPattern>(), {});
  EXPECT_TRUE(solver->factorise(BlockMatrix(std::make_shared<const BlockPattern>())));
  solver->solve({});
}

INSTANTIATE_TEST_SUITE_P(Linear, EverySolver, testing::ValuesIn(solver_names().begin(),
                                                                solver_names().end()),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(MakeSolver, KnowsItsNames) {
  for (const auto name : solver_names()) EXPECT_EQ(make_solver(name)->name(), name);
  EXPECT_THROW(make_solver("cholesky"), std::invalid_argument);
}

}  // namespace
}  // namespace daedal::linear
