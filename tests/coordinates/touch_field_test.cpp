// Distances from the surfaces of parts that touch: closed forms in every region, and derivatives.
#include "daedal/coordinates/absolute/touch_field.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace daedal::testing {
namespace {

using coordinates::absolute::BoxField;
using coordinates::absolute::Distance;
using coordinates::absolute::PlaneField;
using coordinates::absolute::ProfileField;
using coordinates::absolute::RoundField;
using coordinates::absolute::TouchField;

constexpr double kExact = 1e-14;

template <int D>
using Vector = Eigen::Matrix<double, D, 1>;
template <int D>
using Matrix = Eigen::Matrix<double, D, D>;

template <int D>
Distance<D> measured(const TouchField<D>& field, const Vector<D>& y) {
  return coordinates::absolute::distance<D>(field, y);
}

template <int D>
void expect_distance(const TouchField<D>& field, const Vector<D>& y, double value,
                     const Vector<D>& normal, const Matrix<D>& hessian) {
  const Distance<D> d = measured<D>(field, y);
  EXPECT_NEAR(d.value, value, kExact);
  EXPECT_LT((d.normal - normal).norm(), kExact) << d.normal.transpose();
  EXPECT_LT((d.hessian - hessian).norm(), 10.0 * kExact) << d.hessian;
}

/// The gradient is a unit vector, and both it and the Hessian are what differences say.
template <int D>
void expect_derivatives(const TouchField<D>& field, const Vector<D>& y) {
  constexpr double h = 1e-5;
  const Distance<D> d = measured<D>(field, y);
  EXPECT_NEAR(d.normal.norm(), 1.0, kExact);
  for (int k = 0; k < D; ++k) {
    const Vector<D> step = h * Vector<D>::Unit(k);
    const Distance<D> ahead = measured<D>(field, y + step), behind = measured<D>(field, y - step);
    EXPECT_NEAR(d.normal[k], (ahead.value - behind.value) / (2.0 * h), 1e-8);
    const Vector<D> column = (ahead.normal - behind.normal) / (2.0 * h);
    EXPECT_LT((d.hessian.col(k) - column).norm(), 1e-7 * (1.0 + column.norm()));
  }
}

/// A plane's Hessian, a cylinder's about e or a ball's, at a distance r from what is in the middle.
template <int D>
Matrix<D> flat() {
  return Matrix<D>::Zero();
}
template <int D>
Matrix<D> round(const Vector<D>& n, double r) {
  return (Matrix<D>::Identity() - n * n.transpose()) / r;
}

class TouchFields : public ::testing::TestWithParam<int> {
 protected:
  int k() const { return GetParam(); }
  /// A frame of which everything is stated, its axes in every order.
  Mat3 axes() const {
    const Mat3 R = math::rotation_matrix(math::exp_so3({0.4, -0.9, 0.6}));
    Mat3 X;
    for (int i = 0; i < 3; ++i) X.col(i) = R.col((k() + i) % 3);
    return X;
  }
  const Vec3 center_{0.3, -0.2, 0.7};
};

TEST_P(TouchFields, PlaneIsAsFarAsTheNormalComponentSays) {
  const Vec3 n = axes().col(2);
  const TouchField<3> plane = PlaneField<3>{n, n.dot(center_)};
  for (const double d : {0.4, -0.3}) {
    const Vec3 y = center_ + axes() * Vec3(0.5, -0.8, d);
    expect_distance<3>(plane, y, d, n, flat<3>());
    expect_derivatives<3>(plane, y);
  }
}

TEST_P(TouchFields, SphereIsAsFarAsItsCenterLessItsRadius) {
  const TouchField<3> sphere = RoundField<3>{.start = center_, .radius = 0.5};
  const Vec3 n = axes() * Vec3(2.0, -1.0, 2.0) / 3.0;
  for (const double r : {0.9, 0.2}) {  // outside and inside
    expect_distance<3>(sphere, center_ + r * n, r - 0.5, n, round<3>(n, r));
    expect_derivatives<3>(sphere, center_ + r * n);
  }
}

TEST_P(TouchFields, SphereHasADirectionAlsoInItsMiddle) {
  const TouchField<3> sphere = RoundField<3>{.start = center_, .radius = 0.5};
  const Distance<3> d = measured<3>(sphere, center_);
  EXPECT_EQ(d.value, -0.5);
  EXPECT_EQ(d.normal.norm(), 1.0);
  EXPECT_EQ(d.hessian, flat<3>());
}

TEST_P(TouchFields, CapsuleIsACylinderBetweenHalvesOfBalls) {
  const Vec3 e = axes().col(0), n = 0.6 * axes().col(1) - 0.8 * axes().col(2);
  constexpr double r = 0.7, radius = 0.3, length = 1.2;
  const RoundField<3> capsule{.start = center_, .direction = e, .length = length, .radius = radius};
  const Matrix<3> side = round<3>(n, r) - e * e.transpose() / r;
  expect_distance<3>(capsule, center_ + 0.5 * e + r * n, r - radius, n, side);
  const Vec3 before = (-0.6 * e + 0.8 * n), beyond = (0.28 * e + 0.96 * n);
  expect_distance<3>(capsule, center_ + r * before, r - radius, before, round<3>(before, r));
  expect_distance<3>(capsule, center_ + length * e + r * beyond, r - radius, beyond,
                     round<3>(beyond, r));
  for (const double along : {-0.8, -0.2, 0.3, 1.0, 1.4}) {
    expect_derivatives<3>(capsule, center_ + along * e + 0.5 * n);
  }
}

TEST_P(TouchFields, CylinderHasNoEnds) {
  const Vec3 e = axes().col(2), n = axes().col(0);
  const TouchField<3> cylinder =
      RoundField<3>{.start = center_, .direction = e, .endless = true, .radius = 0.3};
  for (const double along : {-50.0, 0.1, 70.0}) {
    const Vec3 y = center_ + along * e + 0.8 * n;
    const Distance<3> d = measured<3>(cylinder, y);
    EXPECT_NEAR(d.value, 0.5, 1e-13);
    EXPECT_LT((d.normal - n).norm(), 1e-12);
    EXPECT_LT((d.hessian - (round<3>(n, 0.8) - e * e.transpose() / 0.8)).norm(), 1e-12);
    expect_derivatives<3>(cylinder, y);
  }
}

TEST_P(TouchFields, BoxIsFlatBeforeFacesAndRoundAboutEdgesAndCorners) {
  const Mat3 X = axes();
  const Vec3 half(0.5, 0.4, 0.3);
  const TouchField<3> box = BoxField<3>{center_, half, X};
  const auto at = [&](const Vec3& z) { return Vec3(center_ + X * z); };
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    for (const double side : {1.0, -1.0}) {
      const Vec3 n = side * X.col(i);
      Vec3 z = 0.2 * half;
      z[i] = side * (half[i] + 0.25);
      expect_distance<3>(box, at(z), 0.25, n, flat<3>());
      expect_derivatives<3>(box, at(z));
      z[i] = side * (half[i] - 0.05);  // inside, nearest to the same face
      expect_distance<3>(box, at(z), -0.05, n, flat<3>());
      expect_derivatives<3>(box, at(z));

      z[i] = side * (half[i] + 0.3);
      z[j] = -(half[j] + 0.4);
      const Vec3 m = X * (side * 0.6 * Vec3::Unit(i) - 0.8 * Vec3::Unit(j));
      const Vec3 e = X.col(l);
      expect_distance<3>(box, at(z), 0.5, m, round<3>(m, 0.5) - e * e.transpose() / 0.5);
      expect_derivatives<3>(box, at(z));

      z[i] = side * (half[i] + 0.2);
      z[j] = -(half[j] + 0.4);
      z[l] = half[l] + 0.4;
      const Vec3 c = X * (side * Vec3::Unit(i) - 2.0 * Vec3::Unit(j) + 2.0 * Vec3::Unit(l)) / 3.0;
      expect_distance<3>(box, at(z), 0.6, c, round<3>(c, 0.6));
      expect_derivatives<3>(box, at(z));
    }
  }
}

TEST_P(TouchFields, ProfileIsRoundAboutWhatItIsRoundAbout) {
  const Mat3 X = axes();
  // The bottom of z = x^2 / (2 R) and the top of its mirror image have the radius R.
  constexpr double R = 2.0, height = 0.4;
  for (const double sign : {1.0, -1.0}) {
    const auto curve = std::make_shared<const math::Curve>(
        math::Curve::graph(math::Expression::parse(sign > 0.0 ? "x^2/4" : "-x^2/4")));
    const TouchField<3> profile = ProfileField<3>{center_, X.col(0), X.col(2), curve};
    const Matrix<3> bend = -sign / (R - sign * height) * X.col(0) * X.col(0).transpose();
    expect_distance<3>(profile, center_ + X * Vec3(0.0, 0.9, height), height, X.col(2), bend);
    for (const double x : {-0.7, 0.2, 1.1}) {
      expect_derivatives<3>(profile, center_ + X * Vec3(x, -0.3, sign * x * x / 4.0 + 0.2));
    }
  }
  const auto spline = std::make_shared<const math::Curve>(math::Curve::spline(
      std::vector<Eigen::Vector2d>{{-1.0, 0.0}, {-0.3, 0.2}, {0.5, -0.1}, {1.2, 0.1}}));
  const TouchField<3> profile = ProfileField<3>{center_, X.col(0), X.col(2), spline};
  for (const double x : {-1.5, -0.6, 0.1, 0.8, 1.6}) {
    expect_derivatives<3>(profile, center_ + X * Vec3(x, 0.4, 0.3));
  }
}

INSTANTIATE_TEST_SUITE_P(Axes, TouchFields, ::testing::Range(0, 3),
                         [](const auto& p) { return std::string(1, "XYZ"[p.param]); });

TEST(TouchFieldsInThePlane, AreThoseOfTheirShapes) {
  const Eigen::Vector2d c(0.3, -0.2), e(0.8, 0.6), n(-0.6, 0.8);
  const TouchField<2> line = PlaneField<2>{n, n.dot(c)};
  expect_distance<2>(line, c + 0.7 * e - 0.2 * n, -0.2, n, flat<2>());
  const TouchField<2> disc = RoundField<2>{.start = c, .radius = 0.5};
  expect_distance<2>(disc, c + 0.9 * e, 0.4, e, round<2>(e, 0.9));
  const TouchField<2> capsule =
      RoundField<2>{.start = c, .direction = e, .length = 1.0, .radius = 0.1};
  expect_distance<2>(capsule, c + 0.4 * e - 0.3 * n, 0.2, -n, flat<2>());
  expect_distance<2>(capsule, c + 1.5 * e, 0.4, e, round<2>(e, 0.5));
  Matrix<2> axes;
  axes << e, n;
  const TouchField<2> box = BoxField<2>{c, {0.5, 0.4}, axes};
  expect_distance<2>(box, c + 0.1 * e - 0.7 * n, 0.3, -n, flat<2>());
  expect_distance<2>(box, c + 0.1 * e + 0.3 * n, -0.1, n, flat<2>());
  const Eigen::Vector2d m = 0.6 * e + 0.8 * n;
  expect_distance<2>(box, c + 0.8 * e + 0.8 * n, 0.5, m, round<2>(m, 0.5));
  const auto roof = std::make_shared<const math::Curve>(
      math::Curve::straight(std::vector<Eigen::Vector2d>{{-1.0, -1.0}, {0.0, 0.0}, {1.0, -1.0}}));
  const TouchField<2> profile = ProfileField<2>{c, e, n, roof};
  expect_distance<2>(profile, c + 0.5 * n, 0.5, n, round<2>(n, 0.5));
  for (const auto& field : {line, disc, capsule, box, profile}) {
    for (const double x : {-0.7, 0.05, 0.8}) {
      expect_derivatives<2>(field, c + x * e + 0.9 * n);
    }
  }
}

}  // namespace
}  // namespace daedal::testing
