#pragma once

#include "daedal/math/rotation.hpp"

namespace daedal::coordinates::absolute {

/// Geometry of bodies in D = 2 or 3 dimensions.
///
/// A body has D translational velocities in world axes and kRotations rotational ones, in the
/// body's axes. Everything that joints and forces need is the motion of vectors fixed in a body:
///
///   w = R a      dw = lever dtheta      w' = lever omega      w'' = lever omega' + centripetal
template <int D>
struct Geometry {
  static constexpr int kRotations = D == 3 ? 3 : 1;
  static constexpr int kDof = D + kRotations;
  using Vector = Eigen::Matrix<double, D, 1>;
  using Matrix = Eigen::Matrix<double, D, D>;
  using Spin = Eigen::Matrix<double, kRotations, 1>;
  using Lever = Eigen::Matrix<double, D, kRotations>;
  using SpinMatrix = Eigen::Matrix<double, kRotations, kRotations>;
};

/// A body's centre of mass and axes, with their velocities.
template <int D>
struct Frame {
  typename Geometry<D>::Vector p = Geometry<D>::Vector::Zero();
  typename Geometry<D>::Matrix R = Geometry<D>::Matrix::Identity();
  typename Geometry<D>::Vector v = Geometry<D>::Vector::Zero();
  typename Geometry<D>::Spin omega = Geometry<D>::Spin::Zero();
  double angle = 0.0;  // planar, continuous
};

/// Quarter turn in the plane.
inline Eigen::Vector2d turned(const Eigen::Vector2d& a) { return {-a.y(), a.x()}; }

/// d(R a)/dtheta.
inline Eigen::Matrix3d lever(const Frame<3>& f, const Eigen::Vector3d& a) {
  // -R skew(a), column by column.
  Eigen::Matrix3d P;
  P.col(0) = f.R.col(2) * a.y() - f.R.col(1) * a.z();
  P.col(1) = f.R.col(0) * a.z() - f.R.col(2) * a.x();
  P.col(2) = f.R.col(1) * a.x() - f.R.col(0) * a.y();
  return P;
}
inline Eigen::Vector2d lever(const Frame<2>& f, const Eigen::Vector2d& a) {
  return f.R * turned(a);
}

/// d(lever^T w)/dtheta for a fixed world vector w.
inline Eigen::Matrix3d geometric(const Frame<3>& f, const Eigen::Vector3d& a,
                                 const Eigen::Vector3d& w) {
  // skew(a) skew(b) = b a^T - (a.b) I
  const Eigen::Vector3d b = f.R.transpose() * w;
  Eigen::Matrix3d H = b * a.transpose();
  H.diagonal().array() -= a.dot(b);
  return H;
}
inline Eigen::Matrix<double, 1, 1> geometric(const Frame<2>& f, const Eigen::Vector2d& a,
                                             const Eigen::Vector2d& w) {
  return Eigen::Matrix<double, 1, 1>(-w.dot(f.R * a));
}

/// omega x a in the body's axes.
inline Eigen::Vector3d spun(const Frame<3>& f, const Eigen::Vector3d& a) {
  return f.omega.cross(a);
}
inline Eigen::Vector2d spun(const Frame<2>& f, const Eigen::Vector2d& a) {
  return f.omega[0] * turned(a);
}

/// The part of (R a)'' that is quadratic in the spin.
template <int D, class Vector>
Vector centripetal(const Frame<D>& f, const Vector& a) {
  return f.R * spun(f, spun(f, a));
}

/// World position and velocity of a point of the body.
template <int D, class Vector>
Vector point_position(const Frame<D>& f, const Vector& a) {
  return f.p + f.R * a;
}
template <int D, class Vector>
Vector point_velocity(const Frame<D>& f, const Vector& a) {
  return f.v + f.R * spun(f, a);
}

}  // namespace daedal::coordinates::absolute
