#include "daedal/integrate/root_finder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daedal/integrate/bdf.hpp"
#include "support/problems.hpp"

namespace daedal::testing {
namespace {

using integrate::Crossing;
using integrate::State;

/// Crossings of functions of the state up to a time.
std::vector<Crossing> crossings(const Problem& problem, double end, int count,
                                const integrate::RootFinder::Functions& functions) {
  integrate::Options options;
  options.linear_solver = "dense";
  options.tolerance = 1e-10;
  options.max_step = end / 20.0;
  integrate::Bdf bdf(*problem.system, options);
  State start = problem.start, to(problem.system->structure());
  bdf.start(start, 1e-4 * end);
  integrate::RootFinder finder(problem.system->structure(), count, functions);
  finder.begin(start);
  std::vector<Crossing> out;
  while (to.t < end) {
    EXPECT_EQ(bdf.advance(end, to).status, integrate::StepStatus::ok);
    while (const auto crossing = finder.look(bdf, to, 1e-13)) {
      out.push_back(*crossing);
      if (out.size() > 100) {
        ADD_FAILURE() << "crossings without end at " << out.back().t;
        return out;
      }
    }
  }
  return out;
}

TEST(RootFinder, FindsThePassagesOfAThrownStoneAtTheirTimes) {
  // A free point: y = 5 t - 9.81/2 t^2, exactly what BDF of order 2 and above can represent.
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(point_mass("stone", 1.0, Vec3::Zero()));
  model::InitialState up;
  up.body = "stone";
  up.velocity = Vec3(1.0, 5.0, 0.0);
  model.initial.push_back(up);
  const Problem problem = problem_of("", model, 2.0, 0);
  // Starts at zero of the first function: leaving it is no crossing.
  const auto found = crossings(problem, 2.0, 3, [](const State& s, std::span<double> g) {
    g[0] = s.q[1];        // the ground
    g[1] = s.q[1] - 1.0;  // a height that is passed twice
    g[2] = s.v[1];        // the top
  });
  const double g = 9.81, root = std::sqrt(25.0 - 2.0 * g);
  const std::vector<std::pair<int, double>> expected{
      {1, (5.0 - root) / g}, {2, 5.0 / g}, {1, (5.0 + root) / g}, {0, 10.0 / g}};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].function, expected[k].first) << k;
    EXPECT_NEAR(found[k].t, expected[k].second, 1e-9) << k;
    EXPECT_EQ(found[k].rising, k == 0) << k;
  }
}

TEST(RootFinder, FindsThePeriodOfAPendulum) {
  const Problem problem = problem_of("", point_pendulum_model(0.01, 0.0), 10.0, 0);
  const auto found = crossings(problem, 9.0, 1, [](const State& s, std::span<double> g) {
    g[0] = s.q[0];
  });
  // T = 2 pi sqrt(l/g) (1 + phi^2/16 + ...)
  const double period = 2.0 * std::numbers::pi / std::sqrt(9.81) * (1.0 + 1e-4 / 16.0);
  ASSERT_EQ(found.size(), 9u);
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k].t, (0.25 + 0.5 * static_cast<double>(k)) * period, 1e-8 * period * 9.0);
    EXPECT_EQ(found[k].rising, k % 2 == 1);
  }
}

TEST(RootFinder, FunctionsThatCrossTogetherAreAllReported) {
  const Problem problem = problem_of("", point_pendulum_model(0.5, 0.0), 1.0, 0);
  const auto found = crossings(problem, 1.0, 3, [](const State& s, std::span<double> g) {
    g[0] = s.q[0];
    g[1] = -3.0 * s.q[0];
    g[2] = std::tanh(1e3 * s.q[0]);  // steep: regula falsi alone would creep
  });
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT((std::vector<int>{found[0].function, found[1].function, found[2].function}),
              ::testing::UnorderedElementsAre(0, 1, 2));
  for (const Crossing& c : found) EXPECT_NEAR(c.t, found[0].t, 1e-12);
}

}  // namespace
}  // namespace daedal::testing
