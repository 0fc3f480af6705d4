// An oracle for tangent operators: power series of matrices, summed in extended precision.
//
//   T(xi) = sum_k (-ad_xi)^k / (k+1)!,       f(|A E|) = |f(A) df(A)[E]|
//                                             (|0 A|)   |  0      f(A) |
//
// The second identity differentiates any series of matrices; no closed form is involved anywhere.
#pragma once

#include <Eigen/Dense>

#include <cmath>
#include <random>

#include "daedal/math/rigid_motion.hpp"

namespace daedal::math::oracle {

using Real = long double;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

inline Matrix ad(const Vec3& theta) {
  return skew(theta).cast<Real>();
}

// (v, omega) -> [xi, (v, omega)], translational part first.
inline Matrix ad(const Vec6& xi) {
  Matrix m = Matrix::Zero(6, 6);
  m.topLeftCorner(3, 3) = m.bottomRightCorner(3, 3) = ad(Vec3(xi.tail<3>()));
  m.topRightCorner(3, 3) = ad(Vec3(xi.head<3>()));
  return m;
}

inline Matrix tangent(const Matrix& a) {
  Matrix term = Matrix::Identity(a.rows(), a.cols()), sum = term;
  for (int k = 1; k < 60; ++k) {
    term = (term * -a).eval() / static_cast<Real>(k + 1);
    sum += term;
  }
  return sum;
}

inline Matrix tangent_inverse(const Matrix& a) {
  return tangent(a).inverse();
}

// d(F(xi) v)/dxi for F = tangent or tangent_inverse.
template <class Function, class Vector>
Matrix derivative(Function&& f, const Vector& xi, const Vector& v) {
  const auto n = xi.size();
  Matrix result(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    Matrix a = Matrix::Zero(2 * n, 2 * n);
    a.topLeftCorner(n, n) = a.bottomRightCorner(n, n) = ad(xi);
    a.topRightCorner(n, n) = ad(Vector(Vector::Unit(i)));
    result.col(i) = f(a).topRightCorner(n, n) * v.template cast<Real>();
  }
  return result;
}

// The largest difference, relative to the largest entry of the reference (or to one).
template <class Computed>
double error(const Computed& computed, const Matrix& reference) {
  const Matrix difference = computed.template cast<Real>() - reference;
  const Real scale = std::max<Real>(1.0L, reference.cwiseAbs().maxCoeff());
  return static_cast<double>(difference.cwiseAbs().maxCoeff() / scale);
}

// Seeded samples.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine_);
  }
  Vec3 direction() {
    Vec3 v;
    do v = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    while (v.norm() < 0.1 || v.norm() > 1.0);
    return v.normalized();
  }
  Vec3 vector() { return uniform(0.1, 2.0) * direction(); }
  Vec6 vector6() {
    Vec6 v;
    v.head<3>() = vector();
    v.tail<3>() = vector();
    return v;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace daedal::math::oracle
