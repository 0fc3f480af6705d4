#include "daedal/math/rigid_motion.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "math/matrix_series.hpp"

namespace daedal::math {
namespace {

using std::numbers::pi;

const std::vector<double> kAngles = {0.0, 1e-160,    1e-12,     1e-8, 1e-5, 1e-3, 0.02, 0.3, 1.0,
                                     1.9, 1.9999999, 2.0000001, 2.1,  3.0,  pi,   4.0,  5.0, 5.8};

Vec6 twist(const Vec3& u, const Vec3& theta) {
  Vec6 xi;
  xi.head<3>() = u;
  xi.tail<3>() = theta;
  return xi;
}

double distance(const RigidMotion& a, const RigidMotion& b) {
  return (rotation_matrix(a.rotation) - rotation_matrix(b.rotation)).norm() +
         (a.translation - b.translation).norm();
}

TEST(RigidMotion, ScrewAboutAnAxisTurnsAndAdvances) {
  // A screw of angle a and advance d about the axis through c along z.
  const double a = 1.1, d = 0.7;
  const Vec3 c(0.4, -0.3, 0.0), z = Vec3::UnitZ();
  const RigidMotion screw = exp_se3(twist(d * z - a * z.cross(c), a * z));
  const Vec3 x(1.0, 2.0, 3.0);
  const double cosine = std::cos(a), sine = std::sin(a);
  const Vec3 r = x - c;
  const Vec3 expected =
      c + Vec3(cosine * r.x() - sine * r.y(), sine * r.x() + cosine * r.y(), r.z() + d);
  EXPECT_LT((apply(screw, x) - expected).norm(), 1e-15);
  EXPECT_LT((apply(exp_se3(twist({1, 2, 3}, Vec3::Zero())), x) - Vec3(2, 4, 6)).norm(), 1e-15);
}

TEST(RigidMotion, ComposeAppliesTheSecondFirstAndInverseUndoes) {
  oracle::Random random(11);
  for (int i = 0; i < 100; ++i) {
    const RigidMotion a = exp_se3(random.vector6()), b = exp_se3(random.vector6());
    const Vec3 x = random.vector();
    EXPECT_LT((apply(a * b, x) - apply(a, apply(b, x))).norm(), 5e-15);
    EXPECT_LT(distance(a * inverse(a), RigidMotion::identity()), 5e-15);
    EXPECT_LT(distance(inverse(a) * a, RigidMotion::identity()), 5e-15);
  }
}

TEST(RigidMotion, LogarithmInvertsExponentialUpToPi) {
  oracle::Random random(12);
  double worst = 0.0;
  for (double angle : {0.0, 1e-160, 1e-12, 1e-8, 1e-4, 0.1, 1.0, 1.999, 2.0, 3.0, pi - 1e-9}) {
    for (int i = 0; i < 50; ++i) {
      const Vec6 xi = twist(random.vector(), angle * random.direction());
      worst = std::max(worst, (log_se3(exp_se3(xi)) - xi).cwiseAbs().maxCoeff());
    }
  }
  std::printf("  log(exp(xi)): error %.1e\n", worst);
  EXPECT_LT(worst, 5e-15);
}

TEST(RigidMotion, TangentOperatorsAgreeWithMatrixSeries) {
  oracle::Random random(13);
  double t = 0, t_inverse = 0, t_derivative = 0, t_inverse_derivative = 0;
  const auto note = [](double& worst, double error) { worst = std::max(worst, error); };
  for (double angle : kAngles) {
    for (int i = 0; i < 4; ++i) {
      const Vec6 xi = twist(random.vector(), angle * random.direction()), v = random.vector6();
      const oracle::Matrix a = oracle::ad(xi);
      note(t, oracle::error(tangent_se3(xi), oracle::tangent(a)));
      note(t_inverse, oracle::error(tangent_inverse_se3(xi), oracle::tangent_inverse(a)));
      note(t_derivative, oracle::error(tangent_derivative_se3(xi, v),
                                       oracle::derivative(oracle::tangent, xi, v)));
      note(t_inverse_derivative, oracle::error(tangent_inverse_derivative_se3(xi, v),
                                               oracle::derivative(oracle::tangent_inverse, xi, v)));
    }
  }
  std::printf("  T %.1e  T^-1 %.1e  d(T v) %.1e  d(T^-1 v) %.1e\n", t, t_inverse, t_derivative,
              t_inverse_derivative);
  EXPECT_LT(t, 1e-15);
  EXPECT_LT(t_inverse, 3e-15);
  EXPECT_LT(t_derivative, 3e-15);
  EXPECT_LT(t_inverse_derivative, 5e-15);
}

TEST(RigidMotion, TangentTimesInverseIsIdentity) {
  oracle::Random random(14);
  double worst = 0.0;
  for (double angle : kAngles) {
    for (int i = 0; i < 50; ++i) {
      const Vec6 xi = twist(random.vector(), angle * random.direction());
      const Mat6 product = tangent_se3(xi) * tangent_inverse_se3(xi);
      const double scale = std::max(1.0, tangent_inverse_se3(xi).cwiseAbs().maxCoeff());
      worst = std::max(worst, (product - Mat6::Identity()).cwiseAbs().maxCoeff() / scale);
    }
  }
  std::printf("  T T^-1 - I: %.1e\n", worst);
  EXPECT_LT(worst, 1e-14);
}

// H^-1 H' = (R^T t', omega) from differences of the exponential itself.
TEST(RigidMotion, TangentOperatorIsTheDerivativeOfTheExponential) {
  oracle::Random random(15);
  const double h = 1e-5;
  for (double angle : {0.0, 1e-6, 0.2, 1.5, 2.5, 3.0, 4.5}) {
    const Vec6 xi = twist(random.vector(), angle * random.direction()), rate = random.vector6();
    const RigidMotion back = inverse(exp_se3(xi));
    const Vec6 difference =
        (log_se3(back * exp_se3(xi + h * rate)) - log_se3(back * exp_se3(xi - h * rate))) /
        (2.0 * h);
    EXPECT_LT((difference - tangent_se3(xi) * rate).norm(), 1e-8);
  }
}

TEST(RigidMotion, DerivativesAgreeWithDifferences) {
  oracle::Random random(16);
  const double h = 1e-5;
  for (double angle : {0.0, 1e-6, 0.2, 1.5, 1.999, 2.5, 4.0, 5.5}) {
    const Vec6 xi = twist(random.vector(), angle * random.direction()), v = random.vector6();
    Mat6 t, t_inverse;
    for (int i = 0; i < 6; ++i) {
      const Vec6 d = h * Vec6::Unit(i);
      t.col(i) = (tangent_se3(xi + d) - tangent_se3(xi - d)) * v / (2.0 * h);
      t_inverse.col(i) =
          (tangent_inverse_se3(xi + d) - tangent_inverse_se3(xi - d)) * v / (2.0 * h);
    }
    EXPECT_LT((tangent_derivative_se3(xi, v) - t).norm(), 1e-8);
    EXPECT_LT((tangent_inverse_derivative_se3(xi, v) - t_inverse).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace daedal::math
