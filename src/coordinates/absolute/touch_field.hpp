#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

#include "daedal/coordinates/absolute/frame.hpp"
#include "daedal/math/curve.hpp"

namespace daedal::coordinates::absolute {

/// The distance of a point from a body's surface, phi(y), in the body's frame: positive outside,
/// with its gradient n, a unit vector, and its Hessian.
template <int D>
struct Distance {
  using Vector = typename Geometry<D>::Vector;
  using Matrix = typename Geometry<D>::Matrix;
  double value = 0.0;
  Vector normal = Vector::Unit(D - 1);
  Matrix hessian = Matrix::Zero();
};

/// A half-space: phi = n.y - offset.
template <int D>
struct PlaneField {
  typename Geometry<D>::Vector normal;
  double offset = 0.0;

  Distance<D> at(const typename Geometry<D>::Vector& y) const {
    return {normal.dot(y) - offset, normal};
  }
};

/// Sphere, capsule or endless cylinder: the distance from a line less a radius. The line starts at
/// a point and has a length, which may be zero or infinite to both sides.
template <int D>
struct RoundField {
  using Vector = typename Geometry<D>::Vector;
  Vector start, direction = Vector::UnitX();
  double length = 0.0;
  bool endless = false;
  double radius = 0.0;

  Distance<D> at(const Vector& y) const {
    const double along = direction.dot(y - start);
    const bool beside = endless || (along > 0.0 && along < length);
    const Vector arm = y - start - (beside ? along : std::clamp(along, 0.0, length)) * direction;
    const double r = arm.norm();
    Distance<D> d;
    d.value = r - radius;
    if (!(r > 0.0)) return d;  // in the middle any direction leads out
    d.normal = arm / r;
    d.hessian = Geometry<D>::Matrix::Identity() - d.normal * d.normal.transpose();
    if (beside) d.hessian -= direction * direction.transpose();
    d.hessian /= r;
    return d;
  }
};

/// A box with the axes X, rounded outside its edges by the distance itself.
template <int D>
struct BoxField {
  using Vector = typename Geometry<D>::Vector;
  using Matrix = typename Geometry<D>::Matrix;
  Vector center, half;
  Matrix axes;

  Distance<D> at(const Vector& y) const {
    const Vector z = axes.transpose() * (y - center);
    const Vector beyond = z.cwiseAbs() - half;
    int face = 0;
    Distance<D> d;
    if (beyond.maxCoeff(&face) <= 0.0) {
      d.value = beyond[face];
      d.normal = (z[face] < 0.0 ? -1.0 : 1.0) * axes.col(face);
      return d;
    }
    Vector arm = Vector::Zero();
    Matrix free = Matrix::Zero();
    for (int k = 0; k < D; ++k) {
      if (beyond[k] <= 0.0) continue;
      arm[k] = z[k] < 0.0 ? -beyond[k] : beyond[k];
      free(k, k) = 1.0;
    }
    d.value = arm.norm();
    const Vector n = arm / d.value;
    d.normal = axes * n;
    d.hessian = axes * ((free - n * n.transpose()) / d.value) * axes.transpose();
    return d;
  }
};

/// Below a curve along x and z of a frame, or in the plane along x and y.
template <int D>
struct ProfileField {
  using Vector = typename Geometry<D>::Vector;
  Vector origin, along, up;
  std::shared_ptr<const math::Curve> curve;

  Distance<D> at(const Vector& y) const {
    const Vector r = y - origin;
    const math::Curve::Distance d = curve->distance({along.dot(r), up.dot(r)});
    const Vector tangent = d.normal.y() * along - d.normal.x() * up;
    return {d.value, d.normal.x() * along + d.normal.y() * up,
            d.bend * tangent * tangent.transpose()};
  }
};

template <int D>
using TouchField = std::variant<PlaneField<D>, RoundField<D>, BoxField<D>, ProfileField<D>>;

template <int D>
Distance<D> distance(const TouchField<D>& field, const typename Geometry<D>::Vector& y) {
  return std::visit([&](const auto& f) { return f.at(y); }, field);
}

}  // namespace daedal::coordinates::absolute
