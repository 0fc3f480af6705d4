#include "daedal/doctor/circuits.hpp"

#include <gmock/gmock.h>

#include <Eigen/SVD>
#include <random>


namespace daedal::testing {
namespace {

using doctor::Circuit;
using doctor::RankAnalysis;

/// A random block matrix of which some rows are combinations of others.
struct Sample {
  linear::BlockMatrix G;
  std::vector<double> reach;
};

Sample sample(std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  const auto below = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
  const int bodies = 2 + below(6), joints = 2 + below(12);
  std::vector<int> rows, columns;
  for (int i = 0; i < bodies; ++i) columns.push_back(below(2) ? 6 : 3);
  std::vector<std::pair<int, int>> blocks;
  for (int i = 0; i < joints; ++i) {
    rows.push_back(1 + below(5));
    blocks.push_back({i, below(bodies)});
    if (below(3)) blocks.push_back({i, below(bodies)});
  }
  Sample out{linear::BlockMatrix(std::make_shared<const linear::BlockPattern>(rows, columns, blocks)),
             {}};
  for (double& entry : out.G.values()) entry = value(generator);
  for (int k = 0; k < out.G.pattern().blocks(); ++k) {
    auto block = out.G.block(k);
    // The same combination in all blocks of a row node.
    if (block.rows() > 2 && out.G.pattern().row_node(k) % 3 == 0) {
      block.row(2) = 3.0 * block.row(0) - block.row(1);
    }
  }
  for (int i = 0; i < out.G.pattern().columns(); ++i) out.reach.push_back(0.1 + i % 3);
  return out;
}

TEST(RankAnalysis, AgreesWithSingularValues) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Sample s = sample(seed);
    const RankAnalysis analysis(s.G, s.reach, 1e-9);
    const Eigen::MatrixXd G = s.G.dense();
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(G);
    svd.setThreshold(1e-9);
    EXPECT_EQ(analysis.rank(), svd.rank()) << seed;
    EXPECT_EQ(analysis.circuits().size(), static_cast<std::size_t>(G.rows() - svd.rank())) << seed;
  }
}

TEST(RankAnalysis, CircuitsAreNullVectorsOfMinimalSupport) {
  int circuits = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Sample s = sample(seed);
    const Eigen::MatrixXd G = s.G.dense();
    const RankAnalysis analysis(s.G, s.reach, 1e-9);
    for (const Circuit& circuit : analysis.circuits()) {
      ++circuits;
      Eigen::VectorXd z = Eigen::VectorXd::Zero(G.rows());
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) z[circuit.rows[k]] = circuit.weights[k];
      EXPECT_LT((G.transpose() * z).norm(), 1e-9 * z.norm()) << seed;
      EXPECT_THAT(circuit.rows, ::testing::Contains(circuit.row));
      // Without one of its rows the others are independent.
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(G(circuit.rows, Eigen::all));
      svd.setThreshold(1e-9);
      EXPECT_EQ(svd.rank(), static_cast<int>(circuit.rows.size()) - 1) << seed;
    }
  }
  EXPECT_GT(circuits, 500);
}

TEST(RankAnalysis, RandomMotionsSatisfyTheConstraints) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Sample s = sample(seed);
    const RankAnalysis analysis(s.G, s.reach, 1e-9);
    const std::vector<double> v = analysis.random_motion(7);
    const Eigen::Map<const Eigen::VectorXd> w(v.data(), static_cast<Eigen::Index>(v.size()));
    EXPECT_LT((s.G.dense() * w).norm(), 1e-9 * (1.0 + w.norm())) << seed;
    EXPECT_EQ(v, analysis.random_motion(7));
  }
}

TEST(RankAnalysis, ARowOfZerosDependsOnNothing) {
  linear::BlockMatrix G(std::make_shared<const linear::BlockPattern>(
      std::vector<int>{2}, std::vector<int>{2}, std::vector<std::pair<int, int>>{{0, 0}}));
  G.block(0)(0, 1) = 2.0;
  const std::vector<double> reach(2, 1.0);
  const RankAnalysis analysis(G, reach, 1e-9);
  EXPECT_EQ(analysis.rank(), 1);
  ASSERT_EQ(analysis.circuits().size(), 1u);
  EXPECT_THAT(analysis.circuits()[0].rows, ::testing::ElementsAre(1));
}

}  // namespace
}  // namespace daedal::testing
