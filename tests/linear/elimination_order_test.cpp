#include "daedal/linear/elimination_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "linear/saddle_point.hpp"

namespace daedal::linear {
namespace {

using test::Graph;

EliminationOrder order_of(const Graph& graph) {
  return elimination_order(*graph.pattern(), graph.kinds());
}

std::vector<int> steps(const EliminationOrder& result) {
  std::vector<int> step(result.order.size());
  for (std::size_t k = 0; k < step.size(); ++k) step[result.order[k]] = static_cast<int>(k);
  return step;
}

TEST(EliminationOrder, VisitsEveryNodeOnce) {
  for (const Graph& graph : test::graphs()) {
    auto order = order_of(graph).order;
    std::vector<int> expected(graph.bodies.size() + graph.joints.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, expected) << graph.name;
  }
}

TEST(EliminationOrder, SweepsAChainFromItsFreeEnd) {
  const auto result = order_of(test::chain(4));
  EXPECT_EQ(result.order, (std::vector<int>{3, 7, 2, 6, 1, 5, 0, 4}));
  EXPECT_EQ(std::vector(result.parent.begin(), result.parent.begin() + 4),
            (std::vector<int>{-1, 0, 1, 2}));
  EXPECT_TRUE(result.loop_closers.empty());
}

TEST(EliminationOrder, PlacesATreeMultiplierAfterItsChild) {
  for (const Graph& graph : test::graphs()) {
    const auto result = order_of(graph);
    const auto step = steps(result);
    for (int body = 0; body < graph.body_count(); ++body) {
      const int multiplier = result.tree_multiplier[body];
      if (multiplier >= 0) {
        EXPECT_GT(step[multiplier], step[body]) << graph.name;
      }
    }
  }
}

TEST(EliminationOrder, PlacesALoopCloserAfterItsCycle) {
  const int loops = 6;
  const Graph graph = test::four_bar_chain(loops);
  const auto result = order_of(graph);
  const auto step = steps(result);
  ASSERT_EQ(result.loop_closers.size(), static_cast<std::size_t>(loops));
  for (const int closer : result.loop_closers) {
    const int loop = (closer - graph.body_count()) / 4;
    for (int body = 3 * loop; body < 3 * loop + 3; ++body) {
      EXPECT_GT(step[closer], step[body]);
      EXPECT_GT(step[closer], step[result.tree_multiplier[body]]);
    }
  }
}

TEST(EliminationOrder, GrowsAShallowForest) {
  // Both ends of a chain are grounded: no body is deeper than half its length.
  const auto result = order_of(test::ring(20));
  for (int body = 0; body < 20; ++body) {
    int depth = 0;
    for (int at = body; at >= 0; at = result.parent[at]) ++depth;
    EXPECT_LE(depth, 10);
  }
}

TEST(EliminationOrder, ReachesACoordinateOnlyThroughAMultiplierItCanCarry) {
  // Six rows between two particles of three coordinates wait for both.
  const Graph graph{"pair", {3, 3}, {{3, {0}}, {6, {0, 1}}}, {}};
  const auto result = order_of(graph);
  EXPECT_EQ(result.loop_closers, (std::vector<int>{3}));
  EXPECT_EQ(result.order.back(), 3);
}

TEST(EliminationOrder, PlacesClosersLastWhereAMultiplierCouplesThreeCoordinates) {
  // A differential: body 2 follows from bodies 0 and 1.
  const Graph graph{
      "differential", {1, 1, 1}, {{1, {0}}, {1, {1}}, {1, {0, 1, 2}}, {1, {2}}}, {}};
  const auto result = order_of(graph);
  EXPECT_EQ(result.loop_closers.size(), 1U);
  EXPECT_EQ(result.order.back(), result.loop_closers[0]);
}

TEST(EliminationOrder, TakesTenThousandBodiesAndThousandsOfLoops) {
  // Quadratic time would show as a hang.
  for (const Graph& graph : {test::chain(10000), test::star(10000), test::ring(10000),
                             test::binary_tree(10000), test::four_bar_chain(3000)}) {
    EXPECT_EQ(order_of(graph).order.size(), graph.bodies.size() + graph.joints.size());
  }
}

TEST(EliminationOrder, RejectsAnUnsymmetricPattern) {
  const BlockPattern pattern({1, 1}, {1, 1}, {{0, 0}, {1, 1}, {0, 1}});
  const std::vector kinds(2, NodeKind::coordinate);
  EXPECT_THROW(elimination_order(pattern, kinds), std::invalid_argument);
  EXPECT_THROW(elimination_order(pattern, {kinds.data(), 1}), std::invalid_argument);
}

}  // namespace
}  // namespace daedal::linear
