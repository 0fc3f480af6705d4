// Rigid motions: SE(3), its exponential and its tangent operator.
//
//   H = (R, t): x -> R x + t,     d/dt exp(xi) = exp(xi) [T(xi) xi'],    xi = (u, theta)
//
// xi, and velocities (v, omega) alike, carry the translational part first. Velocities are
// left-trivialised: v = R^T t' and omega, with R' = R [omega], are resolved in the moved frame.
//
//   exp(u, theta) = (exp([theta]), T(-theta) u)
//
//   T(u, theta) = | T(theta)   dT(theta)[u] |      T^-1 alike, with T^-1(theta) and its derivative.
//                 |    0         T(theta)   |
//
// SE(3) is SO(3) over the dual numbers theta + e u, e^2 = 0: the upper right block is the
// derivative of the lower right one in direction u. Every function here follows from that.
// Properties: T(xi) xi = xi. Limits: as for SO(3), |theta| < 2 pi.
#pragma once

#include <Eigen/Core>

#include "daedal/math/rotation.hpp"

namespace daedal::math {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

struct RigidMotion {
  Quaternion rotation;
  Vec3 translation = Vec3::Zero();

  static RigidMotion identity() { return {}; }
};

/// (a b)(x) = a(b(x)).
RigidMotion compose(const RigidMotion& a, const RigidMotion& b);
inline RigidMotion operator*(const RigidMotion& a, const RigidMotion& b) {
  return compose(a, b);
}

RigidMotion inverse(const RigidMotion& a);

/// R x + t.
Vec3 apply(const RigidMotion& a, const Vec3& x);

RigidMotion exp_se3(const Vec6& xi);
Vec6 log_se3(const RigidMotion& a);  // rotational part of length <= pi

Mat6 tangent_se3(const Vec6& xi);          // T(xi)
Mat6 tangent_inverse_se3(const Vec6& xi);  // T^-1(xi)

Mat6 tangent_derivative_se3(const Vec6& xi, const Vec6& v);          // d(T(xi) v)/dxi
Mat6 tangent_inverse_derivative_se3(const Vec6& xi, const Vec6& v);  // d(T^-1(xi) v)/dxi

}  // namespace daedal::math
