// The profile solver: its order, its fill, and what factorising without pivoting costs.
#include "daedal/linear/skyline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

TEST(ProfileOrder, PutsEveryMultiplierAfterTheCoordinatesItConstrains) {
  for (const test::Graph& graph : test::graphs()) {
    const auto pattern = graph.pattern();
    const auto kinds = graph.kinds();
    const std::vector<int> order = profile_order(*pattern, kinds);
    ASSERT_EQ(static_cast<int>(order.size()), pattern->row_nodes()) << graph.name;
    std::vector<int> at(order.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) at[order[i]] = static_cast<int>(i);
    EXPECT_EQ(std::count(at.begin(), at.end(), -1), 0) << graph.name;
    for (int k = 0; k < pattern->blocks(); ++k) {
      const int i = pattern->row_node(k), j = pattern->column_node(k);
      if (kinds[i] == NodeKind::multiplier && kinds[j] == NodeKind::coordinate) {
        EXPECT_GT(at[i], at[j]) << graph.name;
      }
    }
  }
}

TEST(Skyline, StoresAChainInProportionToItsLength) {
  const auto entries = [](int bodies) {
    const test::Graph graph = test::chain(bodies);
    SkylineSolver solver;
    solver.analyse(graph.pattern(), graph.kinds());
    return static_cast<double>(solver.factor_entries());
  };
  const double per_body = (entries(200) - entries(100)) / 100.0;
  EXPECT_NEAR(entries(100) / 100.0, per_body, 0.05 * per_body);
}

/// [Bauchau2009], eq. 35: nodes u, phi and the multiplier of phi, all of one equation.
struct SmallSystem {
  std::shared_ptr<const BlockPattern> pattern = std::make_shared<const BlockPattern>(
      std::vector{1, 1, 1}, std::vector{1, 1, 1},
      std::vector<std::pair<int, int>>{{0, 0}, {1, 1}, {1, 2}, {2, 1}});
  std::vector<NodeKind> kinds{NodeKind::coordinate, NodeKind::coordinate, NodeKind::multiplier};
  BlockMatrix A{pattern};

  explicit SmallSystem(double h) {
    A.block(pattern->find(0, 0))(0, 0) = 1.0;
    A.block(pattern->find(1, 1))(0, 0) = h * h;
    A.block(pattern->find(1, 2))(0, 0) = A.block(pattern->find(2, 1))(0, 0) = 1.0;
  }
};

/// Five significant digits, chopped: the arithmetic of the paper's example.
double five_digits(double x) {
  if (x == 0.0) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(x))) - 4.0);
  // Products of decimals are not exact in binary: a digit that is nearly full is full.
  return std::trunc(x / unit * (1.0 + 1e-9)) * unit;
}

TEST(Skyline, ThePapersExampleInFiveDigits) {
  const double h2 = five_digits(1e-6);
  // Without pivoting: phi first.
  const double l = five_digits(1.0 / h2), d = five_digits(-five_digits(l * 1.0));
  const double x3 = five_digits(five_digits(1.0 - l) / d);
  const double x2 = five_digits(five_digits(1.0 - x3) / h2);
  EXPECT_NEAR(x3, 0.99999, 1e-9);
  EXPECT_NEAR(x2, 10.0, 1e-6);
  // With pivoting the rows are exchanged: x2 = 1, then x3.
  EXPECT_NEAR(five_digits(1.0 - five_digits(h2 * 1.0)), 0.99999, 1e-9);
}

TEST(Skyline, LosesWhatASmallPivotAmplifiesAndPivotingKeeps) {
  for (const double h : {1e-3, 1e-5, 1e-7}) {
    const SmallSystem system(h);
    const auto error = [&](Solver& solver) {
      solver.analyse(system.pattern, system.kinds);
      EXPECT_TRUE(solver.factorise(system.A, Symmetry::symmetric));
      std::vector<double> x(3, 1.0);
      solver.solve(x);
      return std::max({std::abs(x[0] - 1.0), std::abs(x[1] - 1.0), std::abs(x[2] - (1.0 - h * h))});
    };
    SkylineSolver skyline;
    constexpr double kEps = std::numeric_limits<double>::epsilon();
    EXPECT_LT(error(*make_solver("dense")), 4.0 * kEps);
    EXPECT_LT(error(skyline), 4.0 * kEps / (h * h));
  }
  // Digits of the right-hand side beside 1/h^2 are lost.
  SkylineSolver skyline;
  const SmallSystem system(1e-7);
  skyline.analyse(system.pattern, system.kinds);
  ASSERT_TRUE(skyline.factorise(system.A));
  std::vector<double> x{1.0, 1.0, 1.0 / 3.0};
  skyline.solve(x);
  EXPECT_GT(std::abs(x[1] - 1.0 / 3.0), 1e-4);
  const auto dense = make_solver("dense");
  dense->analyse(system.pattern, system.kinds);
  ASSERT_TRUE(dense->factorise(system.A));
  EXPECT_NEAR(condition_number(system.A, *dense), 1.0, 1e-12);
}

TEST(Skyline, NamesTheEquationWhosePivotIsZero) {
  const SmallSystem system(0.0);
  SkylineSolver skyline;
  skyline.analyse(system.pattern, system.kinds);
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    const FactorStatus status = skyline.factorise(system.A, symmetry);
    EXPECT_FALSE(status);
    EXPECT_EQ(status.equation, 1);
    EXPECT_EQ(status.pivot, 0.0);
  }
}

}  // namespace
}  // namespace daedal::linear
