#include "daedal/linear/block_matrix.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

TEST(BlockPattern, SortsBlocksAndCountsRepeatedOnesOnce) {
  const BlockPattern pattern({2, 3}, {1, 4}, {{1, 0}, {0, 1}, {1, 0}, {0, 0}});
  EXPECT_EQ(pattern.blocks(), 3);
  EXPECT_EQ(pattern.rows(), 5);
  EXPECT_EQ(pattern.columns(), 5);
  EXPECT_EQ(pattern.values(), 2 * 1 + 2 * 4 + 3 * 1);
  EXPECT_EQ(pattern.find(0, 0), 0);
  EXPECT_EQ(pattern.find(0, 1), 1);
  EXPECT_EQ(pattern.find(1, 0), 2);
  EXPECT_EQ(pattern.find(1, 1), -1);
  EXPECT_EQ(pattern.value_offset(2), 10);
  EXPECT_EQ(pattern.row_begin(1), 2);
}

TEST(BlockPattern, RejectsNodesThatDoNotExist) {
  EXPECT_THROW(BlockPattern({2}, {2}, {{0, 1}}), std::invalid_argument);
  EXPECT_THROW(BlockPattern({2}, {2}, {{-1, 0}}), std::invalid_argument);
  EXPECT_THROW(BlockPattern({-2}, {2}, {}), std::invalid_argument);
}

TEST(BlockMatrix, MultipliesLikeItsDenseCopy) {
  const BlockMatrix A = test::mixed_sizes().matrix(Symmetry::general);
  const Eigen::MatrixXd dense = A.dense();
  const int n = A.pattern().rows();
  const auto x = test::random_vector(n, 1), start = test::random_vector(n, 2);
  const Eigen::Map<const Eigen::VectorXd> xv(x.data(), n), sv(start.data(), n);
  auto y = start;
  A.multiply_add(x, y, -2.0);
  EXPECT_LT((Eigen::Map<Eigen::VectorXd>(y.data(), n) - (sv - 2.0 * dense * xv)).norm(), 1e-11);
  y = start;
  A.transpose_multiply_add(x, y, 3.0);
  EXPECT_LT((Eigen::Map<Eigen::VectorXd>(y.data(), n) - (sv + 3.0 * dense.transpose() * xv)).norm(),
            1e-11);
  EXPECT_NEAR(A.infinity_norm(), dense.cwiseAbs().rowwise().sum().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace daedal::linear
