// Rotations: unit quaternions, the exponential of SO(3) and its tangent operator.
//
//   R = exp([theta]),   d/dt exp([theta]) = exp([theta]) [T(theta) theta']
//
//   T(theta)    = I - (1 - cos p)/p^2 [theta] + (p - sin p)/p^3 [theta]^2,     p = |theta|
//   T^-1(theta) = I + 1/2 [theta] + (1 - p/2 cot(p/2))/p^2 [theta]^2
//
// [a] b = a x b. Angular velocities are left-trivialised, that is, resolved in the rotated (body)
// frame: R' = R [omega]. T is therefore the "right Jacobian" of some texts.
// Properties: T(theta) theta = theta; T(-theta) = T(theta)^T; exp([theta]) = T(-theta) T^-1(theta).
// Limits: T is singular at |theta| = 2 pi k, k >= 1; keep |theta| below 2 pi.
#pragma once

#include <Eigen/Core>

#include <cmath>

#include "daedal/math/tangent_coefficients.hpp"

namespace daedal::math {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// A unit quaternion w + x i + y j + z k, scalar first; it rotates a vector r into q r q*.
/// q and -q are the same rotation.
struct Quaternion {
  double w = 1.0, x = 0.0, y = 0.0, z = 0.0;

  static Quaternion identity() { return {}; }
  Vec3 vector() const { return {x, y, z}; }
  double norm() const { return std::sqrt(w * w + x * x + y * y + z * z); }
  Quaternion conjugate() const { return {w, -x, -y, -z}; }
  Quaternion normalised() const {
    const double f = 1.0 / norm();
    return {f * w, f * x, f * y, f * z};
  }
};

/// The composition: rotation_matrix(a * b) = rotation_matrix(a) rotation_matrix(b).
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// [a], with [a] b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// R r for the rotation R of q, without forming R.
inline Vec3 rotate(const Quaternion& q, const Vec3& r) {
  const Vec3 u = q.vector();
  const Vec3 s = 2.0 * u.cross(r);
  return r + q.w * s + u.cross(s);
}

inline Mat3 rotation_matrix(const Quaternion& q) {
  const double x2 = 2.0 * q.x, y2 = 2.0 * q.y, z2 = 2.0 * q.z;
  const double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const double xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
  const double yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
  Mat3 m;
  // clang-format off
  m << 1.0 - (yy + zz), xy - wz, xz + wy,
       xy + wz, 1.0 - (xx + zz), yz - wx,
       xz - wy, yz + wx, 1.0 - (xx + yy);
  // clang-format on
  return m;
}

/// The quaternion, with w >= 0, of a rotation matrix; divides by its largest component only
/// (Shepperd), so that it is accurate at every angle.
Quaternion quaternion_from_matrix(const Mat3& m);

/// The rotation by |theta| about theta / |theta|.
inline Quaternion exp_so3(const Vec3& theta) {
  const double angle = theta.norm();
  // Below the guard 1/2 is correctly rounded and 0/0 is avoided.
  const double f = angle > 1e-9 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), f * theta.x(), f * theta.y(), f * theta.z()};
}

/// The rotation vector, |log_so3(q)| <= pi, of q or -q alike. The length of q does not matter.
/// At the angle pi exactly, where theta and -theta are the same rotation, either may be returned.
Vec3 log_so3(const Quaternion& q);

inline Mat3 tangent_so3(const Vec3& theta) {  // T(theta)
  return detail::tangent_matrix(detail::tangent_coefficients<0>(theta.squaredNorm()), theta);
}

inline Mat3 tangent_inverse_so3(const Vec3& theta) {  // T^-1(theta)
  return detail::tangent_matrix(detail::tangent_inverse_coefficients<0>(theta.squaredNorm()),
                                theta);
}

inline Mat3 tangent_derivative_so3(const Vec3& theta, const Vec3& v) {  // d(T(theta) v)/dtheta
  return detail::tangent_derivative(detail::tangent_coefficients<1>(theta.squaredNorm()), theta, v);
}

inline Mat3 tangent_inverse_derivative_so3(const Vec3& theta,
                                           const Vec3& v) {  // d(T^-1(theta) v)/dtheta
  return detail::tangent_derivative(detail::tangent_inverse_coefficients<1>(theta.squaredNorm()),
                                    theta, v);
}

}  // namespace daedal::math
