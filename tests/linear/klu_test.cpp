#include "daedal/linear/klu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

TEST(KluSolver, ChoosesPivotsAnewOnlyWhereTheOldOnesFail) {
  const test::Graph graph = test::chain(5);
  BlockMatrix A = graph.matrix(Symmetry::general);
  KluSolver solver;
  solver.analyse(A.shared_pattern(), graph.kinds());
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (double& value : A.values()) value *= 1.1;
    ASSERT_TRUE(solver.factorise(A));
  }
  EXPECT_EQ(solver.full_factorisations(), 1);
  for (int body = 0; body < 5; ++body) A.block(A.pattern().find(body, body)) *= 1e-9;
  ASSERT_TRUE(solver.factorise(A));
  EXPECT_EQ(solver.full_factorisations(), 2);
  const auto b = test::random_vector(A.pattern().rows());
  auto x = b, residual = b;
  solver.solve(x);
  A.multiply_add(x, residual, -1.0);
  double largest = 0.0, size = 0.0;
  for (const double r : residual) largest = std::max(largest, std::abs(r));
  for (const double entry : x) size = std::max(size, std::abs(entry));
  EXPECT_LT(largest, 1e-14 * A.infinity_norm() * size);
}

}  // namespace
}  // namespace daedal::linear
