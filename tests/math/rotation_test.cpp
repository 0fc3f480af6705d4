#include "daedal/math/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "math/matrix_series.hpp"

namespace daedal::math {
namespace {

using std::numbers::pi;

// Angles where series, closed forms and the switch between them are all met.
const std::vector<double> kAngles = {0.0, 1e-300, 1e-160, 1e-12,     1e-8, 1e-5,      1e-3, 0.02,
                                     0.3, 1.0,    1.9,    1.9999999, 2.0,  2.0000001, 2.1,  2.7,
                                     3.0, 3.14,   pi,     4.0,       5.0,  5.8};

Mat3 closed_form(const Vec3& axis, double angle) {  // Rodrigues
  const Mat3 k = skew(axis);
  return Mat3::Identity() + std::sin(angle) * k + (1.0 - std::cos(angle)) * k * k;
}

TEST(Rotation, ExponentialTurnsCounterclockwiseAboutEachAxis) {
  for (double a : {0.3, -1.2, 2.9}) {
    const double c = std::cos(a), s = std::sin(a);
    Mat3 x, y, z;
    x << 1, 0, 0, 0, c, -s, 0, s, c;
    y << c, 0, s, 0, 1, 0, -s, 0, c;
    z << c, -s, 0, s, c, 0, 0, 0, 1;
    EXPECT_LT((rotation_matrix(exp_so3({a, 0, 0})) - x).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((rotation_matrix(exp_so3({0, a, 0})) - y).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((rotation_matrix(exp_so3({0, 0, a})) - z).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST(Rotation, ProductOfQuaternionsIsProductOfMatrices) {
  oracle::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Quaternion a = exp_so3(random.vector()), b = exp_so3(random.vector());
    const Vec3 r = random.vector();
    EXPECT_LT((rotation_matrix(a * b) - rotation_matrix(a) * rotation_matrix(b)).norm(), 2e-15);
    EXPECT_LT((rotate(a, r) - rotation_matrix(a) * r).norm(), 2e-15);
    EXPECT_LT((rotation_matrix(a.conjugate()) - rotation_matrix(a).transpose()).norm(), 1e-15);
  }
  const Quaternion q = Quaternion{2, 0, -2, 1}.normalised();
  EXPECT_NEAR(q.norm(), 1.0, 1e-16);
  EXPECT_DOUBLE_EQ(q.z, 1.0 / 3.0);
  EXPECT_EQ(rotation_matrix(Quaternion::identity()), Mat3::Identity());
}

TEST(Rotation, LogarithmInvertsExponentialUpToPi) {
  oracle::Random random(2);
  double worst = 0.0;
  for (double angle : {1e-300, 1e-160, 1e-12, 1e-9, 1e-8, 1e-4, 0.1, 1.0, 2.0, 3.0, 3.1415,
                       3.14159265, pi - 1e-12, pi - 1e-15}) {
    for (int i = 0; i < 50; ++i) {
      const Vec3 theta = angle * random.direction();
      const Quaternion q = exp_so3(theta);
      const Quaternion minus{-q.w, -q.x, -q.y, -q.z};
      worst = std::max({worst, (log_so3(q) / angle - theta / angle).norm(),
                        (log_so3(minus) / angle - theta / angle).norm()});
    }
  }
  std::printf("  log(exp(theta)): relative error %.1e\n", worst);
  EXPECT_LT(worst, 1e-15);
  EXPECT_EQ(log_so3(Quaternion::identity()), Vec3::Zero());
  EXPECT_NEAR(log_so3(exp_so3({0, 0, pi})).norm(), pi, 1e-15);
  EXPECT_NEAR(log_so3(exp_so3({0, 0, 4.0})).z(), 4.0 - 2.0 * pi, 1e-15);
}

TEST(Rotation, QuaternionFromMatrixIsAccurateAtEveryAngle) {
  oracle::Random random(3);
  double worst = 0.0;
  for (double angle : {0.0, 1e-12, 1e-6, 1e-3, 0.5, 2.0, 3.0, pi - 1e-6, pi - 1e-12, pi}) {
    for (int i = 0; i < 100; ++i) {
      Vec3 axis = random.direction();
      if (i < 3) axis = Vec3::Unit(i);
      const Mat3 m = closed_form(axis, angle);
      const Quaternion q = quaternion_from_matrix(m);
      worst = std::max(worst, (rotation_matrix(q) - m).cwiseAbs().maxCoeff());
      EXPECT_NEAR(q.norm(), 1.0, 3e-16);
      EXPECT_GE(q.w, 0.0);
      EXPECT_NEAR(log_so3(q).norm(), angle, 1e-14);
    }
  }
  std::printf("  matrix -> quaternion -> matrix: error %.1e\n", worst);
  EXPECT_LT(worst, 2e-15);
}

TEST(Rotation, TangentOperatorsAgreeWithMatrixSeries) {
  oracle::Random random(4);
  double t = 0, t_inverse = 0, t_derivative = 0, t_inverse_derivative = 0;
  const auto note = [](double& worst, double error) { worst = std::max(worst, error); };
  for (double angle : kAngles) {
    for (int i = 0; i < 8; ++i) {
      const Vec3 theta = angle * random.direction(), v = random.vector();
      const oracle::Matrix a = oracle::ad(theta);
      note(t, oracle::error(tangent_so3(theta), oracle::tangent(a)));
      note(t_inverse, oracle::error(tangent_inverse_so3(theta), oracle::tangent_inverse(a)));
      note(t_derivative, oracle::error(tangent_derivative_so3(theta, v),
                                       oracle::derivative(oracle::tangent, theta, v)));
      note(t_inverse_derivative,
           oracle::error(tangent_inverse_derivative_so3(theta, v),
                         oracle::derivative(oracle::tangent_inverse, theta, v)));
    }
  }
  std::printf("  T %.1e  T^-1 %.1e  d(T v) %.1e  d(T^-1 v) %.1e\n", t, t_inverse, t_derivative,
              t_inverse_derivative);
  EXPECT_LT(t, 5e-16);
  EXPECT_LT(t_inverse, 2e-15);
  EXPECT_LT(t_derivative, 1e-15);
  EXPECT_LT(t_inverse_derivative, 4e-15);
}

TEST(Rotation, CoefficientsAreContinuousWhereSeriesAndClosedFormMeet) {
  const double below = std::nextafter(detail::kSeriesLimit, 0.0), above = detail::kSeriesLimit;
  const auto compare = [](const auto& x, const auto& y, double tolerance) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(x.alpha[i], y.alpha[i], tolerance);
      EXPECT_NEAR(x.beta[i], y.beta[i], tolerance);
    }
  };
  compare(detail::tangent_coefficients<2>(below), detail::tangent_coefficients<2>(above), 1e-16);
  compare(detail::tangent_inverse_coefficients<2>(below),
          detail::tangent_inverse_coefficients<2>(above), 3e-16);
}

TEST(Rotation, TangentTimesInverseIsIdentity) {
  oracle::Random random(5);
  double worst = 0.0;
  for (double angle : kAngles) {
    for (int i = 0; i < 50; ++i) {
      const Vec3 theta = angle * random.direction();
      const Mat3 product = tangent_so3(theta) * tangent_inverse_so3(theta);
      worst = std::max(worst, (product - Mat3::Identity()).cwiseAbs().maxCoeff());
    }
  }
  std::printf("  T T^-1 - I: %.1e\n", worst);
  EXPECT_LT(worst, 1e-14);
}

// Near 2 pi the inverse grows like 1/(2 pi - angle); its relative error grows no faster.
TEST(Rotation, InverseTangentStaysAccurateTowardsItsSingularity) {
  oracle::Random random(6);
  for (double gap : {1e-1, 1e-3, 1e-6}) {
    const Vec3 theta = (2.0 * pi - gap) * random.direction();
    const double e =
        oracle::error(tangent_inverse_so3(theta), oracle::tangent_inverse(oracle::ad(theta)));
    std::printf("  2 pi - %.0e: relative error of T^-1 %.1e\n", gap, e);
    EXPECT_LT(e, 4e-15 / gap);
  }
}

TEST(Rotation, TangentOperatorIsTheDerivativeOfTheExponential) {
  oracle::Random random(7);
  const double h = 1e-5;
  for (double angle : {0.0, 1e-6, 0.2, 1.5, 2.5, 4.0, 6.0}) {
    const Vec3 theta = angle * random.direction(), rate = random.vector();
    const Mat3 r = rotation_matrix(exp_so3(theta));
    const Mat3 difference =
        (rotation_matrix(exp_so3(theta + h * rate)) - rotation_matrix(exp_so3(theta - h * rate))) /
        (2.0 * h);
    EXPECT_LT((difference - r * skew(tangent_so3(theta) * rate)).norm(), 1e-8);
  }
}

TEST(Rotation, DerivativesAgreeWithDifferences) {
  oracle::Random random(8);
  const double h = 1e-5;
  for (double angle : {0.0, 1e-6, 0.2, 1.5, 1.999, 2.5, 4.0, 5.5}) {
    const Vec3 theta = angle * random.direction(), v = random.vector();
    Mat3 t, t_inverse;
    for (int i = 0; i < 3; ++i) {
      const Vec3 d = h * Vec3::Unit(i);
      t.col(i) = (tangent_so3(theta + d) - tangent_so3(theta - d)) * v / (2.0 * h);
      t_inverse.col(i) =
          (tangent_inverse_so3(theta + d) - tangent_inverse_so3(theta - d)) * v / (2.0 * h);
    }
    EXPECT_LT((tangent_derivative_so3(theta, v) - t).norm(), 1e-8);
    EXPECT_LT((tangent_inverse_derivative_so3(theta, v) - t_inverse).norm(), 1e-7);
  }
}

TEST(Rotation, TangentOperatorKeepsItsArgumentAndTransposesWithIt) {
  oracle::Random random(9);
  for (double angle : kAngles) {
    const Vec3 theta = angle * random.direction();
    EXPECT_LT((tangent_so3(theta) * theta - theta).norm(), 3e-15);
    EXPECT_EQ(tangent_so3(-theta), tangent_so3(theta).transpose());
    EXPECT_LT(
        (rotation_matrix(exp_so3(theta)) - tangent_so3(-theta) * tangent_inverse_so3(theta)).norm(),
        2e-14);
  }
}

}  // namespace
}  // namespace daedal::math
