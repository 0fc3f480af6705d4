#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "daedal/linear/solver.hpp"
#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

BlockMatrix one_block(const Eigen::MatrixXd& values) {
  const int n = static_cast<int>(values.rows());
  BlockMatrix A(std::make_shared<const BlockPattern>(std::vector{n}, std::vector{n},
                                                     std::vector{std::pair{0, 0}}));
  A.block(0) = values;
  return A;
}

BlockMatrix diagonal(const std::vector<double>& entries) {
  const int n = static_cast<int>(entries.size());
  std::vector<std::pair<int, int>> blocks;
  for (int i = 0; i < n; ++i) blocks.emplace_back(i, i);
  BlockMatrix A(std::make_shared<const BlockPattern>(std::vector(n, 1), std::vector(n, 1), blocks));
  std::copy(entries.begin(), entries.end(), A.values().begin());
  return A;
}

double condition(const BlockMatrix& A, std::string_view name) {
  const auto solver = make_solver(name);
  const std::vector kinds(A.pattern().row_nodes(), NodeKind::coordinate);
  solver->analyse(A.shared_pattern(), kinds);
  EXPECT_TRUE(solver->factorise(A));
  return condition_number(A, *solver);
}

TEST(ConditionNumber, OfHilbertMatricesMatchesTheirExactInverse) {
  // ||H_n^-1||_inf from the integer entries of the inverse.
  const double expected[] = {27.0, 748.0, 28375.0, 943656.0, 29070279.0};
  for (int n = 2; n <= 6; ++n) {
    const Eigen::MatrixXd H = Eigen::MatrixXd::NullaryExpr(
        n, n, [](Eigen::Index i, Eigen::Index j) { return 1.0 / static_cast<double>(i + j + 1); });
    for (const auto name : solver_names()) {
      EXPECT_NEAR(condition(one_block(H), name) / expected[n - 2], 1.0, 1e-8) << name << n;
    }
  }
}

TEST(ConditionNumber, OfADiagonalIsTheRatioOfItsEntries) {
  for (const int n : {3, kExactConditionSize, kExactConditionSize + 400}) {
    std::vector<double> entries(n);
    for (int i = 0; i < n; ++i) entries[i] = std::pow(10.0, -20.0 * i / (n - 1));
    for (const auto name : solver_names()) {
      EXPECT_NEAR(condition(diagonal(entries), name) / 1e20, 1.0, 1e-10) << name << n;
    }
  }
}

TEST(ConditionNumber, IsEstimatedWithinAFactorOfThreeForLargeMatrices) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const test::Graph graph = test::binary_tree(70);
    const BlockMatrix A = graph.matrix(symmetry);
    ASSERT_GT(A.pattern().rows(), kExactConditionSize);
    const Eigen::MatrixXd inverse = A.dense().inverse();
    const double exact = A.infinity_norm() * inverse.cwiseAbs().rowwise().sum().maxCoeff();
    for (const auto name : solver_names()) {
      const auto solver = make_solver(name);
      solver->analyse(A.shared_pattern(), graph.kinds());
      ASSERT_TRUE(solver->factorise(A, symmetry));
      const double estimate = condition_number(A, *solver);
      EXPECT_LE(estimate, exact * (1 + 1e-8)) << name;
      EXPECT_GE(estimate, exact / 3) << name;
    }
  }
}

}  // namespace
}  // namespace daedal::linear
