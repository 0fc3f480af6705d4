#include "daedal/math/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedal::math {
namespace {

using Vec2 = Curve::Vec2;

std::vector<Vec2> circle(int count, double radius) {
  std::vector<Vec2> points;
  for (int i = 0; i <= count; ++i) {
    const double angle = M_PI * (1.0 - static_cast<double>(i) / count);  // left to right, above
    points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return points;
}

TEST(Curve, StraightPiecesAreMeasuredByTheLengthOfTheArc) {
  const std::vector<Vec2> points{{0.0, 0.0}, {3.0, 4.0}, {6.0, 4.0}};
  const Curve curve = Curve::straight(points);
  EXPECT_DOUBLE_EQ(curve.end(), 8.0);
  EXPECT_NEAR(curve.evaluate(2.5).at.x(), 1.5, 1e-15);
  EXPECT_NEAR(curve.evaluate(6.0).at.x(), 4.0, 1e-15);
  EXPECT_NEAR(curve.evaluate(9.0).at.x(), 7.0, 1e-15);  // beyond the end
}

TEST(Curve, SplineThroughACircleHasItsDistancesAndItsBend) {
  const Curve curve = Curve::spline(circle(64, 2.0));
  for (const double angle : {0.9, 1.3, 2.0}) {
    const Vec2 direction{std::cos(angle), std::sin(angle)};
    const Curve::Distance d = curve.distance(2.5 * direction);
    EXPECT_NEAR(d.value, 0.5, 1e-6);
    EXPECT_NEAR((d.normal - direction).norm(), 0.0, 1e-5);
    EXPECT_NEAR(d.bend, 1.0 / 2.5, 1e-3);
    EXPECT_NEAR(curve.distance(1.8 * direction).value, -0.2, 1e-6);
  }
}

TEST(Curve, CornersThatStandOutAreRoundAndOthersAreNot) {
  const std::vector<Vec2> roof{{-1.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}};
  const Curve::Distance above = Curve::straight(roof).distance({0.1, 2.0});
  EXPECT_NEAR(above.value, std::hypot(0.1, 1.0), 1e-15);
  EXPECT_NEAR(above.bend, 1.0 / above.value, 1e-15);
  const std::vector<Vec2> valley{{-1.0, 1.0}, {0.0, 0.0}, {1.0, 1.0}};
  const Curve::Distance in = Curve::straight(valley).distance({0.1, 0.8});
  EXPECT_NEAR(in.value, 0.7 / std::sqrt(2.0), 1e-15);
  EXPECT_EQ(in.bend, 0.0);
}

/// The gradient and Hessian of distances against differences of the values.
void expect_derivatives(const Curve& curve, const Vec2& at) {
  const double h = 1e-5;
  const Curve::Distance d = curve.distance(at);
  const Vec2 t{d.normal.y(), -d.normal.x()};
  for (int i = 0; i < 2; ++i) {
    const Curve::Distance ahead = curve.distance(at + h * Vec2::Unit(i));
    const Curve::Distance behind = curve.distance(at - h * Vec2::Unit(i));
    EXPECT_NEAR(d.normal[i], (ahead.value - behind.value) / (2.0 * h), 1e-8);
    const Vec2 column = (ahead.normal - behind.normal) / (2.0 * h);
    EXPECT_NEAR((column - d.bend * t * t[i]).norm(), 0.0, 2e-6 * (1.0 + std::abs(d.bend)));
  }
}

TEST(Curve, DerivativesOfDistancesAreThoseOfDifferences) {
  const Curve parabola = Curve::graph(Expression::parse("x^2"));
  const Curve spline = Curve::spline(circle(12, 1.5));
  const Curve broken = Curve::straight(circle(5, 1.5));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  for (int k = 0; k < 40; ++k) {
    const Vec2 at{place(random), 0.2 * place(random)};
    expect_derivatives(parabola, {0.5 * at.x(), at.x() * at.x() * 0.25 + 0.1 * at.y()});
    expect_derivatives(spline, {at.x(), 1.9 + at.y()});
    expect_derivatives(broken, {at.x(), 2.0 + at.y()});
  }
}

TEST(Curve, NothingIsNearerThanTheNearestPoint) {
  const Curve spline = Curve::spline(circle(7, 1.0));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-2.0, 2.0);
  for (int k = 0; k < 50; ++k) {
    const Vec2 from{place(random), place(random)};
    const double nearest = std::abs(spline.distance(from).value);
    for (double s = spline.begin() - 1.0; s <= spline.end() + 1.0; s += 0.01) {
      EXPECT_GE((spline.evaluate(s).at - from).norm(), nearest - 1e-9);
    }
  }
}

}  // namespace
}  // namespace daedal::math
