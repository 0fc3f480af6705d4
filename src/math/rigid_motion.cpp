#include "daedal/math/rigid_motion.hpp"

namespace daedal::math {
namespace {

using detail::TangentCoefficients;

// dT(theta)[u]: -alpha [u] + beta ([u][theta] + [theta][u]) + theta.u (-D alpha [theta] + D beta
// [theta]^2), with [u][theta] + [theta][u] = u theta^T + theta u^T - 2 theta.u I.
template <int Order>
Mat3 tangent_along(const TangentCoefficients<Order>& c, const Vec3& theta, const Vec3& u) {
  const double s = theta.dot(u);
  const Vec3 b = c.beta[0] * u + c.beta[1] * s * theta;
  Mat3 m = b * theta.transpose() + (c.beta[0] * theta) * u.transpose();
  m.diagonal().array() -= s * (2.0 * c.beta[0] + c.beta[1] * theta.squaredNorm());
  return m - skew(c.alpha[0] * u + c.alpha[1] * s * theta);
}

// The derivative, in direction u of theta, of detail::tangent_derivative(c, theta, v).
Mat3 tangent_second_derivative(const TangentCoefficients<2>& c, const Vec3& theta, const Vec3& v,
                               const Vec3& u) {
  const double s = theta.dot(u);
  const Vec3 w = theta.cross(v), ww = theta.cross(w);
  const Vec3 dw = u.cross(v), dww = u.cross(w) + theta.cross(dw);
  const Vec3 along_theta = -c.alpha[2] * s * w - c.alpha[1] * dw - 2.0 * c.beta[1] * s * v +
                           c.beta[2] * s * ww + c.beta[1] * dww;
  const Vec3 along_u = -c.alpha[1] * w - 2.0 * c.beta[0] * v + c.beta[1] * ww;
  const Vec3 along_v = c.beta[1] * s * theta + c.beta[0] * u;
  Mat3 m = along_theta * theta.transpose() + along_u * u.transpose() + along_v * v.transpose();
  m.diagonal().array() += c.beta[1] * s * theta.dot(v) + c.beta[0] * u.dot(v);
  return m + skew(c.alpha[1] * s * v);
}

Mat6 dual_blocks(const Mat3& diagonal, const Mat3& upper) {
  Mat6 m;
  m.topLeftCorner<3, 3>() = diagonal;
  m.topRightCorner<3, 3>() = upper;
  m.bottomLeftCorner<3, 3>().setZero();
  m.bottomRightCorner<3, 3>() = diagonal;
  return m;
}

Mat6 tangent(const TangentCoefficients<1>& c, const Vec6& xi) {
  const Vec3 u = xi.head<3>(), theta = xi.tail<3>();
  return dual_blocks(detail::tangent_matrix(c, theta), tangent_along(c, theta, u));
}

Mat6 derivative(const TangentCoefficients<2>& c, const Vec6& xi, const Vec6& v) {
  const Vec3 u = xi.head<3>(), theta = xi.tail<3>();
  const Vec3 v_u = v.head<3>(), v_theta = v.tail<3>();
  return dual_blocks(
      detail::tangent_derivative(c, theta, v_theta),
      detail::tangent_derivative(c, theta, v_u) + tangent_second_derivative(c, theta, v_theta, u));
}

double squared_angle(const Vec6& xi) {
  return xi.tail<3>().squaredNorm();
}

}  // namespace

RigidMotion compose(const RigidMotion& a, const RigidMotion& b) {
  return {a.rotation * b.rotation, apply(a, b.translation)};
}

RigidMotion inverse(const RigidMotion& a) {
  const Quaternion q = a.rotation.conjugate();
  return {q, -rotate(q, a.translation)};
}

Vec3 apply(const RigidMotion& a, const Vec3& x) {
  return rotate(a.rotation, x) + a.translation;
}

RigidMotion exp_se3(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), theta = xi.tail<3>();
  return {exp_so3(theta), tangent_so3(-theta) * u};
}

Vec6 log_se3(const RigidMotion& a) {
  const Vec3 theta = log_so3(a.rotation);
  Vec6 xi;
  xi.head<3>() = tangent_inverse_so3(-theta) * a.translation;
  xi.tail<3>() = theta;
  return xi;
}

Mat6 tangent_se3(const Vec6& xi) {
  return tangent(detail::tangent_coefficients<1>(squared_angle(xi)), xi);
}

Mat6 tangent_inverse_se3(const Vec6& xi) {
  return tangent(detail::tangent_inverse_coefficients<1>(squared_angle(xi)), xi);
}

Mat6 tangent_derivative_se3(const Vec6& xi, const Vec6& v) {
  return derivative(detail::tangent_coefficients<2>(squared_angle(xi)), xi, v);
}

Mat6 tangent_inverse_derivative_se3(const Vec6& xi, const Vec6& v) {
  return derivative(detail::tangent_inverse_coefficients<2>(squared_angle(xi)), xi, v);
}

}  // namespace daedal::math
