#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numbers>
#include <string>

#include "daedal/math/expression.hpp"

namespace daedal::math {
namespace {

using std::numbers::pi;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<double> points(const char* text, double t0, double t1) {
  return Expression::parse(text).break_points(t0, t1);
}

TEST(BreakPoints, AreExactForAffineArguments) {
  EXPECT_THAT(points("step(t - 0.1)", 0, 1), ElementsAre(0.1));
  EXPECT_THAT(points("step(0.7 - t)", 0, 1), ElementsAre(0.7));
  EXPECT_THAT(points("abs((t - 0.5)/0.25 + 1)", 0, 1), ElementsAre(0.25));
  EXPECT_THAT(points("max(2*t, 1 - t - 0.25)", 0, 1), ElementsAre(0.25));
  EXPECT_THAT(points("step(t-1) - step(t-2) + min(t, 3)", 0, 10), ElementsAre(1, 2, 3));
  EXPECT_THAT(points("step(t-2)*abs(t-1)*step(t-2)", 0, 10), ElementsAre(1, 2));
  EXPECT_THAT(Expression::parse("step(t - t_on)").bind({{"t_on", 0.3}}).break_points(0, 1),
              ElementsAre(0.3));
}

TEST(BreakPoints, LieInTheOpenIntervalOnly) {
  EXPECT_THAT(points("step(t - 1)", 0, 1), IsEmpty());
  EXPECT_THAT(points("step(t - 1)", 1, 2), IsEmpty());
  EXPECT_THAT(points("step(sin(t))", 0, 1), IsEmpty());
  EXPECT_THAT(points("step(t - 1)", 2, 0), IsEmpty());
  EXPECT_THAT(points("sin(t)*t^2", 0, 10), IsEmpty());
  EXPECT_THAT(points("step(2) + abs(0*t + 1)", 0, 10), IsEmpty());
  EXPECT_THROW(points("step(t)", 0, INFINITY), std::invalid_argument);
}

TEST(BreakPoints, AreFoundToRoundOffForCurvedArguments) {
  EXPECT_THAT(
      points("abs(sin(t))", 1, 10),
      ElementsAre(DoubleNear(pi, 1e-15), DoubleNear(2 * pi, 2e-15), DoubleNear(3 * pi, 2e-15)));
  EXPECT_THAT(points("max(sin(t), cos(t))", 0, 3), ElementsAre(DoubleNear(pi / 4, 1e-15)));
  EXPECT_THAT(points("step(t^2 - 2)", -2, 2),
              ElementsAre(DoubleNear(-std::sqrt(2), 1e-15), DoubleNear(std::sqrt(2), 1e-15)));
  EXPECT_EQ(points("step(sin(100*t))", 0, 10).size(), 318u);  // floor(1000 / pi)
}

TEST(BreakPoints, TouchingZeroIsNone) {
  EXPECT_THAT(points("abs(t^2)", -1, 1.1), IsEmpty());
  EXPECT_THAT(points("abs((t-0.3)^2 + 1e-12)", 0, 1), IsEmpty());
}

TEST(BreakPoints, PairsCloserThanTheSamplesAreFoundThroughTheExtremum) {
  EXPECT_THAT(points("abs((t-0.3)^2 - 1e-10)", 0, 1),
              ElementsAre(DoubleNear(0.3 - 1e-5, 1e-11), DoubleNear(0.3 + 1e-5, 1e-11)));
}

TEST(BreakPoints, OfInnerFunctionsRefineTheSearchInOuterOnes) {
  EXPECT_THAT(points("step(1e-9 - abs(t - 0.3))", 0, 1),
              ElementsAre(DoubleNear(0.3 - 1e-9, 1e-16), 0.3, DoubleNear(0.3 + 1e-9, 1e-16)));
  EXPECT_THAT(points("max(0, min(t - 1, 2))", 0, 10), ElementsAre(1, 3));
  EXPECT_THAT(points("abs(step(t - 0.4) - 0.5)", 0, 1), ElementsAre(0.4));
}

TEST(BreakPoints, UndefinedStretchesAreSkipped) {
  EXPECT_THAT(points("step(log(t))", -1, 3), ElementsAre(DoubleNear(1.0, 1e-15)));
}

TEST(BreakPoints, PointsThatDifferByRoundingAreOne) {
  EXPECT_EQ(points("step(t - 0.1) + step(3*t - 0.3) + abs(sin(pi*(t - 0.1)))", 0, 0.9).size(), 1u);
}

TEST(BreakPoints, AStepAtABreakPointHasSwitched) {
  for (const char* text : {"step(cos(7*t))", "step(0.3 - 3*t)", "step(3*t - 0.3)", "step(1 - t)",
                           "step(0.7/3 - t*0.7)", "step(4 - t^2)"}) {
    const auto e = Expression::parse(text);
    const auto times = e.break_points(0, 5);
    EXPECT_FALSE(times.empty()) << text;
    for (double t : times) {
      EXPECT_EQ(e.evaluate_jet(t).value, e.evaluate(t + 1e-6)) << text;
      EXPECT_NE(e.evaluate_jet(t).value, e.evaluate(t - 1e-6)) << text;
    }
  }
}

TEST(BreakPoints, OfHostileExpressionsTakeBoundedTime) {
  const auto joined = [](std::string text, const auto& term, const std::string& end) {
    for (int k = 1; text.size() < 4'000; ++k) text += term(k);
    return text + end;
  };
  const auto same = [](int) { return std::string(",sin(9*t)"); };
  const auto different = [](int k) { return ",sin(" + std::to_string(k) + "*t)"; };
  const auto fast = [](int k) { return "+abs(sin(1e" + std::to_string(1 + k % 9) + "*t))"; };
  const auto touching = [](int) { return std::string(",t^2"); };
  std::string deep;
  for (int k = 0; k < 50; ++k) deep += "abs(";
  for (const std::string& text :
       {joined("max(0", same, ")"), joined("max(0", different, ")"), joined("0", fast, ""), joined("min(t^2,0*t", touching, ")"),
        joined(deep + "-9", fast, std::string(50, ')'))}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NO_THROW(Expression::parse(text).break_points(0, 100));
    // A second, and time for sanitizers and a busy machine; it was minutes once.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text;
  }
}

}  // namespace
}  // namespace daedal::math
