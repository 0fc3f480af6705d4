#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "daedal/coordinates/absolute/links.hpp"

/// The small constraint parts that joints are composed of.
///
/// Each is a function of the frames A and B of two bodies, with
///   value      s(q)                                    kRows numbers
///   jacobian   ds/dq for A and B                       kRows x kDof each
///   quadratic  (s_q v)_q v, the part of s'' without v'
///   hessian    d(s_q^T mu)/dq, handed to a sink in sub-blocks (i, j, row, column, block)
/// Symbols: a, n fixed in A; b fixed in B; d = p_B + R_B b - p_A - R_A a.
namespace daedal::coordinates::absolute {

template <int D, int Rows>
using PartJacobian = std::array<Eigen::Matrix<double, Rows, Geometry<D>::kDof>, 2>;

/// Two points coincide: s = d.
template <int D>
struct PointPart {
  static constexpr int kRows = D;
  using Vector = typename Geometry<D>::Vector;
  using Value = Vector;
  Vector a, b;

  Value value(const Frame<D>& A, const Frame<D>& B) const {
    return point_position(B, b) - point_position(A, a);
  }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, D>& J) const {
    J[0].template leftCols<D>() = -Geometry<D>::Matrix::Identity();
    J[0].template rightCols<Geometry<D>::kRotations>() = -lever(A, a);
    J[1].template leftCols<D>().setIdentity();
    J[1].template rightCols<Geometry<D>::kRotations>() = lever(B, b);
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    return centripetal(B, b) - centripetal(A, a);
  }
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    sink(0, 0, D, D, -geometric(A, a, mu));
    sink(1, 1, D, D, geometric(B, b, mu));
  }
};

using Scalar1 = Eigen::Matrix<double, 1, 1>;

/// Cosine of two directions: s = (R_A a).(R_B b).
struct DotPart {
  static constexpr int kRows = 1;
  using Value = Scalar1;
  Eigen::Vector3d a, b;

  Value value(const Frame<3>& A, const Frame<3>& B) const {
    return Value((A.R * a).dot(B.R * b));
  }
  void jacobian(const Frame<3>& A, const Frame<3>& B, PartJacobian<3, 1>& J) const {
    const Eigen::Vector3d wa = A.R * a, wb = B.R * b;
    J[0] << 0.0, 0.0, 0.0, a.cross(A.R.transpose() * wb).transpose();
    J[1] << 0.0, 0.0, 0.0, b.cross(B.R.transpose() * wa).transpose();
  }
  Value quadratic(const Frame<3>& A, const Frame<3>& B) const {
    const Eigen::Vector3d wa = A.R * a, wb = B.R * b;
    const Eigen::Vector3d ra = A.R * spun(A, a), rb = B.R * spun(B, b);
    return Value(centripetal(A, a).dot(wb) + 2.0 * ra.dot(rb) + wa.dot(centripetal(B, b)));
  }
  template <class Sink>
  void hessian(const Frame<3>& A, const Frame<3>& B, const Value& mu, Sink&& sink) const {
    const double m = mu[0];
    sink(0, 0, 3, 3, m * geometric(A, a, B.R * b));
    sink(1, 1, 3, 3, m * geometric(B, b, A.R * a));
    const Eigen::Matrix3d cross = m * lever(A, a).transpose() * lever(B, b);
    sink(0, 1, 3, 3, cross);
    sink(1, 0, 3, 3, cross.transpose());
  }
};

/// Displacement along a direction of A: s = (R_A n).d.
template <int D>
struct SlidePart {
  static constexpr int kRows = 1;
  static constexpr int kRot = Geometry<D>::kRotations;
  using Vector = typename Geometry<D>::Vector;
  using Value = Scalar1;
  Vector n, a, b;

  Value value(const Frame<D>& A, const Frame<D>& B) const {
    return Value((A.R * n).dot(point_position(B, b) - point_position(A, a)));
  }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, 1>& J) const {
    const Vector w = A.R * n, d = point_position(B, b) - point_position(A, a);
    J[0].template leftCols<D>() = -w.transpose();
    J[0].template rightCols<kRot>() = d.transpose() * lever(A, n) - w.transpose() * lever(A, a);
    J[1].template leftCols<D>() = w.transpose();
    J[1].template rightCols<kRot>() = w.transpose() * lever(B, b);
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    const Vector w = A.R * n, d = point_position(B, b) - point_position(A, a);
    const Vector d_rate = point_velocity(B, b) - point_velocity(A, a);
    const Vector n_rate = A.R * spun(A, n);
    return Value(centripetal(A, n).dot(d) + 2.0 * n_rate.dot(d_rate) +
                 w.dot(centripetal(B, b) - centripetal(A, a)));
  }
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    using Lever = typename Geometry<D>::Lever;
    const double m = mu[0];
    const Vector w = m * (A.R * n), d = m * (point_position(B, b) - point_position(A, a));
    const Lever N = m * lever(A, n), Pa = lever(A, a), Pb = lever(B, b);
    sink(0, 0, 0, D, -N);
    sink(0, 0, D, 0, -N.transpose());
    sink(0, 0, D, D,
         (geometric(A, n, d) - geometric(A, a, w) - N.transpose() * Pa - Pa.transpose() * N)
             .eval());
    sink(1, 1, D, D, geometric(B, b, w));
    sink(0, 1, D, 0, N.transpose());
    sink(1, 0, 0, D, N);
    const typename Geometry<D>::SpinMatrix cross = N.transpose() * Pb;
    sink(0, 1, D, D, cross);
    sink(1, 0, D, D, cross.transpose());
  }
};

/// Squared distance, in units of length: s = (d.d / L - L) / 2, zero at distance L. Quadratic in
/// the points, so that the midpoint rule conserves energy with it.
template <int D>
struct DistancePart {
  static constexpr int kRows = 1;
  static constexpr int kRot = Geometry<D>::kRotations;
  using Vector = typename Geometry<D>::Vector;
  using Value = Scalar1;
  Vector a, b;
  double length;

  Vector difference(const Frame<D>& A, const Frame<D>& B) const {
    return point_position(B, b) - point_position(A, a);
  }
  Value value(const Frame<D>& A, const Frame<D>& B) const {
    return Value(0.5 * (difference(A, B).squaredNorm() / length - length));
  }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, 1>& J) const {
    const Vector e = difference(A, B) / length;
    J[0].template leftCols<D>() = -e.transpose();
    J[0].template rightCols<kRot>() = -e.transpose() * lever(A, a);
    J[1].template leftCols<D>() = e.transpose();
    J[1].template rightCols<kRot>() = e.transpose() * lever(B, b);
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    const Vector rate = point_velocity(B, b) - point_velocity(A, a);
    const Vector d = difference(A, B);
    return Value((rate.squaredNorm() + d.dot(centripetal(B, b) - centripetal(A, a))) / length);
  }
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    const double m = mu[0] / length;
    const Vector w = m * difference(A, B);
    const std::array<typename Geometry<D>::Lever, 2> P{-lever(A, a), lever(B, b)};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const double sign = i == j ? m : -m;
        const double si = i == 0 ? -m : m, sj = j == 0 ? -m : m;
        sink(i, j, 0, 0, sign * Geometry<D>::Matrix::Identity());
        sink(i, j, 0, D, si * P[j]);
        sink(i, j, D, 0, sj * P[i].transpose());
        sink(i, j, D, D, (m * P[i].transpose() * P[j]).eval());
      }
    }
    sink(0, 0, D, D, -geometric(A, a, w));
    sink(1, 1, D, D, geometric(B, b, w));
  }
};

/// Angle of B relative to A. In the plane it is the difference of two angles; in space the angle
/// in (-pi, pi] about the third column of two joint frames X (in A) and Y (in B):
/// s = atan2((R_A x_2).(R_B y_1), (R_A x_1).(R_B y_1)).
template <int D>
struct AnglePart;

template <>
struct AnglePart<2> {
  static constexpr int kRows = 1;
  using Value = Scalar1;
  double offset = 0.0;

  Value value(const Frame<2>& A, const Frame<2>& B) const {
    return Value(B.angle - A.angle - offset);
  }
  void jacobian(const Frame<2>&, const Frame<2>&, PartJacobian<2, 1>& J) const {
    J[0] << 0.0, 0.0, -1.0;
    J[1] << 0.0, 0.0, 1.0;
  }
  Value quadratic(const Frame<2>&, const Frame<2>&) const { return Value::Zero(); }
  template <class Sink>
  void hessian(const Frame<2>&, const Frame<2>&, const Value&, Sink&&) const {}
};

template <>
struct AnglePart<3> {
  static constexpr int kRows = 1;
  using Value = Scalar1;
  DotPart cosine, sine;

  AnglePart() = default;
  AnglePart(const Eigen::Matrix3d& X, const Eigen::Matrix3d& Y)
      : cosine{X.col(0), Y.col(0)}, sine{X.col(1), Y.col(0)} {}

  /// The second angle of a universal joint, whose cross consists of z of X and x of Y: that of Y
  /// relative to the cross, s = atan2((R_A x_3).(R_B y_2), (R_A x_3).(R_B y_3)).
  static AnglePart about_second_axis(const Eigen::Matrix3d& X, const Eigen::Matrix3d& Y) {
    AnglePart part;
    part.cosine = {X.col(2), Y.col(2)};
    part.sine = {X.col(2), Y.col(1)};
    return part;
  }

  Value value(const Frame<3>& A, const Frame<3>& B) const {
    return Value(std::atan2(sine.value(A, B)[0], cosine.value(A, B)[0]));
  }
  void jacobian(const Frame<3>& A, const Frame<3>& B, PartJacobian<3, 1>& J) const {
    const double c = cosine.value(A, B)[0], s = sine.value(A, B)[0], r2 = c * c + s * s;
    PartJacobian<3, 1> Jc, Js;
    cosine.jacobian(A, B, Jc);
    sine.jacobian(A, B, Js);
    for (int i = 0; i < 2; ++i) J[i] = (c * Js[i] - s * Jc[i]) / r2;
  }
  Value quadratic(const Frame<3>& A, const Frame<3>& B) const {
    const double c = cosine.value(A, B)[0], s = sine.value(A, B)[0], r2 = c * c + s * s;
    const auto [c_rate, s_rate] = rates(A, B);
    const double rate = (c * s_rate - s * c_rate) / r2;
    return Value((c * sine.quadratic(A, B)[0] - s * cosine.quadratic(A, B)[0] -
                  2.0 * rate * (c * c_rate + s * s_rate)) /
                 r2);
  }
  template <class Sink>
  void hessian(const Frame<3>& A, const Frame<3>& B, const Value& mu, Sink&& sink) const {
    const double c = cosine.value(A, B)[0], s = sine.value(A, B)[0], r2 = c * c + s * s;
    const double m = mu[0] / r2;
    sine.hessian(A, B, Value(m * c), sink);
    cosine.hessian(A, B, Value(-m * s), sink);
    PartJacobian<3, 1> Jc, Js;
    cosine.jacobian(A, B, Jc);
    sine.jacobian(A, B, Js);
    for (int i = 0; i < 2; ++i) {
      const auto ci = Jc[i].tail<3>(), si = Js[i].tail<3>();
      const Eigen::RowVector3d angle_i = (c * si - s * ci) / r2;
      for (int j = 0; j < 2; ++j) {
        const auto cj = Jc[j].tail<3>(), sj = Js[j].tail<3>();
        const Eigen::Matrix3d H = m * (si.transpose() * cj - ci.transpose() * sj -
                                       2.0 * angle_i.transpose() * (c * cj + s * sj));
        sink(i, j, 3, 3, H);
      }
    }
  }

 private:
  std::array<double, 2> rates(const Frame<3>& A, const Frame<3>& B) const {
    PartJacobian<3, 1> Jc, Js;
    cosine.jacobian(A, B, Jc);
    sine.jacobian(A, B, Js);
    return {Jc[0].tail<3>().dot(A.omega.transpose()) + Jc[1].tail<3>().dot(B.omega.transpose()),
            Js[0].tail<3>().dot(A.omega.transpose()) + Js[1].tail<3>().dot(B.omega.transpose())};
  }
};

/// A component of the rotation vector of B relative to A, as seen by joint frames X (in A) and Y
/// (in B):
///
///     s = theta_k,   exp([theta]) = (R_A X)^T R_B Y,   dtheta = T^-1(theta) Y^T dtheta_B
///                                                              - T^-1(-theta) X^T dtheta_A
///
/// Differentiable for angles below pi; a rotation vector does not count turns.
struct RotationPart {
  static constexpr int kRows = 1;
  using Value = Scalar1;
  Eigen::Matrix3d X = Eigen::Matrix3d::Identity(), Y = Eigen::Matrix3d::Identity();
  int k = 0;

  Eigen::Vector3d vector(const Frame<3>& A, const Frame<3>& B) const {
    return math::log_so3(math::quaternion_from_matrix(X.transpose() * A.R.transpose() * B.R * Y));
  }
  Value value(const Frame<3>& A, const Frame<3>& B) const { return Value(vector(A, B)[k]); }
  void jacobian(const Frame<3>& A, const Frame<3>& B, PartJacobian<3, 1>& J) const {
    const Eigen::Vector3d theta = vector(A, B);
    J[0] << 0.0, 0.0, 0.0, -math::tangent_inverse_so3(-theta).row(k) * X.transpose();
    J[1] << 0.0, 0.0, 0.0, math::tangent_inverse_so3(theta).row(k) * Y.transpose();
  }
  template <class Sink>
  void hessian(const Frame<3>& A, const Frame<3>& B, const Value& mu, Sink&& sink) const {
    // s_q^T mu is -X T^-1(theta) m for A and Y T^-1(-theta) m for B, with m = mu e_k.
    const Eigen::Vector3d theta = vector(A, B), m = mu[0] * Eigen::Vector3d::Unit(k);
    const std::array<Eigen::Matrix3d, 2> rate{
        -math::tangent_inverse_so3(-theta) * X.transpose(),
        math::tangent_inverse_so3(theta) * Y.transpose()};
    const Eigen::Matrix3d a = -X * math::tangent_inverse_derivative_so3(theta, m);
    const Eigen::Matrix3d b = -Y * math::tangent_inverse_derivative_so3(-theta, m);
    for (int j = 0; j < 2; ++j) {
      sink(0, j, 3, 3, (a * rate[j]).eval());
      sink(1, j, 3, 3, (b * rate[j]).eval());
    }
  }
};

/// An angle reduced to (-pi, pi].
inline double wrapped(double angle) {
  return std::remainder(angle, 2.0 * std::numbers::pi);
}

}  // namespace daedal::coordinates::absolute
