#include "daedal/linear/tree.hpp"

#include <gtest/gtest.h>

#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

using test::Graph;

/// Scalars of the triangle of A itself: what remains if nothing fills in.
std::size_t entries_without_fill(const Graph& graph) {
  std::size_t entries = 0;
  const auto triangle = [](int n) { return static_cast<std::size_t>(n * (n + 1) / 2); };
  for (const int size : graph.bodies) entries += triangle(size);
  for (const auto& joint : graph.joints) {
    entries += triangle(joint.rows);
    for (const int body : joint.bodies) {
      entries += static_cast<std::size_t>(joint.rows * graph.bodies[body]);
    }
  }
  return entries;
}

std::size_t symmetric_entries(const Graph& graph) {
  TreeSolver solver;
  const BlockMatrix A = graph.matrix(Symmetry::symmetric);
  solver.analyse(A.shared_pattern(), graph.kinds());
  EXPECT_TRUE(solver.factorise(A, Symmetry::symmetric)) << graph.name;
  return solver.factor_entries();
}

TEST(TreeSolver, FillsNothingInOnTrees) {
  for (const Graph& graph :
       {test::chain(50), test::chain(50, 6, 1), test::chain(30, 3, 2), test::star(40),
        test::star(40, 6, 1), test::binary_tree(63), test::chain(9, 12, 10)}) {
    EXPECT_EQ(symmetric_entries(graph), entries_without_fill(graph)) << graph.name;
  }
}

TEST(TreeSolver, StoresTheGeneralFactorsInTwiceTheBlocks) {
  const Graph graph = test::chain(20);
  TreeSolver solver;
  const BlockMatrix A = graph.matrix(Symmetry::general);
  solver.analyse(A.shared_pattern(), graph.kinds());
  ASSERT_TRUE(solver.factorise(A));
  EXPECT_EQ(solver.factor_entries(), 20U * (36 + 25) + 2U * (20 + 19) * 30);
}

TEST(TreeSolver, NeedsEntriesInProportionToTheBodies) {
  // Doubling the bodies doubles the entries; a star of 800 has the 96 per body of any tree.
  const auto grows_linearly = [](Graph (*make)(int), int n) {
    const double once = static_cast<double>(symmetric_entries(make(n)));
    const double twice = static_cast<double>(symmetric_entries(make(2 * n)));
    EXPECT_NEAR(twice / once, 2.0, 0.02);
  };
  grows_linearly(&test::four_bar_chain, 400);
  grows_linearly(&test::ring, 400);
  grows_linearly(&test::force_coupled, 400);
  const Graph star = test::star(800);
  EXPECT_EQ(symmetric_entries(star), entries_without_fill(star));
  EXPECT_LT(symmetric_entries(test::four_bar_chain(1000)), 2 * entries_without_fill(test::four_bar_chain(1000)));
}

TEST(TreeSolver, TriesDiagonalPivotingOnlyWhereABlockIsIndefinite) {
  // The same chain once with all signs turned: blocks stay definite, the solution turns too.
  const Graph graph = test::chain(6);
  BlockMatrix A = graph.matrix(Symmetry::symmetric);
  TreeSolver solver;
  solver.analyse(A.shared_pattern(), graph.kinds());
  auto x = test::random_vector(A.pattern().rows());
  auto y = x;
  ASSERT_TRUE(solver.factorise(A, Symmetry::symmetric));
  solver.solve(x);
  for (double& value : A.values()) value = -value;
  ASSERT_TRUE(solver.factorise(A, Symmetry::symmetric));
  solver.solve(y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_DOUBLE_EQ(x[i], -y[i]);
}

}  // namespace
}  // namespace daedal::linear
