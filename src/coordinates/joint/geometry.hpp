#pragma once

#include "daedal/coordinates/absolute/frame.hpp"

/// Products of spins and vectors in D = 2 or 3 dimensions: a spin has one component in the plane.
namespace daedal::coordinates::joint {

using absolute::Geometry;
using absolute::turned;

/// n x a
inline Eigen::Vector3d cross(const Eigen::Vector3d& n, const Eigen::Vector3d& a) {
  return n.cross(a);
}
inline Eigen::Vector2d cross(const Eigen::Matrix<double, 1, 1>& n, const Eigen::Vector2d& a) {
  return n[0] * turned(a);
}

/// The moment r x f of a force, a spin.
inline Eigen::Vector3d moment(const Eigen::Vector3d& r, const Eigen::Vector3d& f) {
  return r.cross(f);
}
inline Eigen::Matrix<double, 1, 1> moment(const Eigen::Vector2d& r, const Eigen::Vector2d& f) {
  return Eigen::Matrix<double, 1, 1>(r.x() * f.y() - r.y() * f.x());
}

/// n x w of two spins, zero in the plane.
inline Eigen::Vector3d spin_cross(const Eigen::Vector3d& n, const Eigen::Vector3d& w) {
  return n.cross(w);
}
inline Eigen::Matrix<double, 1, 1> spin_cross(const Eigen::Matrix<double, 1, 1>&,
                                              const Eigen::Matrix<double, 1, 1>&) {
  return Eigen::Matrix<double, 1, 1>::Zero();
}

/// The same products as matrices acting on n.
inline Eigen::Matrix3d cross_with(const Eigen::Vector3d& a) {
  return -math::skew(a);
}
inline Eigen::Vector2d cross_with(const Eigen::Vector2d& a) {
  return turned(a);
}
inline Eigen::Matrix3d spin_cross_with(const Eigen::Vector3d& w) {
  return -math::skew(w);
}
inline Eigen::Matrix<double, 1, 1> spin_cross_with(const Eigen::Matrix<double, 1, 1>&) {
  return Eigen::Matrix<double, 1, 1>::Zero();
}
/// r x f as a matrix acting on r.
inline Eigen::Matrix3d moment_of(const Eigen::Vector3d& f) {
  return -math::skew(f);
}
inline Eigen::RowVector2d moment_of(const Eigen::Vector2d& f) {
  return {f.y(), -f.x()};
}

/// A motion: the velocity of a point and a spin, in world axes; as a load: a force and a moment.
template <int D>
struct Twist {
  using Vector = typename Geometry<D>::Vector;
  using Spin = typename Geometry<D>::Spin;
  Vector lin = Vector::Zero();
  Spin ang = Spin::Zero();

  /// Velocity at an offset r from the point it is stated for.
  Vector at(const Vector& r) const { return lin + cross(ang, r); }
  Eigen::Matrix<double, Geometry<D>::kDof, 1> stacked() const {
    Eigen::Matrix<double, Geometry<D>::kDof, 1> s;
    s << lin, ang;
    return s;
  }
};

/// X^T A X with X = [1, L; 0, 1], L = (n -> n x d): a matrix that takes motions to loads, both
/// stated for one point, moved to a point from which the first is at an offset d.
template <int D>
Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof> shifted(
    const Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof>& A,
    const typename Geometry<D>::Vector& d) {
  constexpr int R = Geometry<D>::kRotations;
  const Eigen::Matrix<double, D, R> L = cross_with(d);
  Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof> B = A;
  B.template rightCols<R>().noalias() += A.template leftCols<D>() * L;
  const Eigen::Matrix<double, D, Geometry<D>::kDof> top = B.template topRows<D>();
  B.template bottomRows<R>().noalias() += L.transpose() * top;
  return B;
}

/// The product of two motions stated for the same point.
template <int D>
Twist<D> product(const Twist<D>& a, const Twist<D>& b) {
  return {cross(a.ang, b.lin) - cross(b.ang, a.lin), spin_cross(a.ang, b.ang)};
}

}  // namespace daedal::coordinates::joint
