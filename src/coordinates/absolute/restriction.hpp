#pragma once

#include "daedal/coordinates/absolute/elements.hpp"
#include "daedal/coordinates/mechanism.hpp"

/// What the rows of the constraint parts restrict, in world axes.
namespace daedal::coordinates::absolute {

template <int D>
Restriction restriction(const PointPart<D>&, const Frame<D>&, const Frame<D>&, int row) {
  return {Restriction::Kind::translation, math::Vec3::Unit(row)};
}

/// Two directions that stay perpendicular forbid the rotation about their common normal.
inline Restriction restriction(const DotPart& part, const Frame<3>& A, const Frame<3>& B, int) {
  return {Restriction::Kind::rotation, (A.R * part.a).cross(B.R * part.b).stableNormalized()};
}

template <int D>
Restriction restriction(const SlidePart<D>& part, const Frame<D>& A, const Frame<D>&, int) {
  return {Restriction::Kind::translation, spatial<D>(A.R * part.n)};
}

template <int D>
Restriction restriction(const DistancePart<D>& part, const Frame<D>& A, const Frame<D>& B, int) {
  const math::Vec3 d = spatial<D>(part.difference(A, B));
  return {Restriction::Kind::distance, d.stableNormalized(), d.norm()};
}

inline Restriction restriction(const AnglePart<2>&, const Frame<2>&, const Frame<2>&, int) {
  return {Restriction::Kind::rotation, math::Vec3::UnitZ()};
}

inline Restriction restriction(const AnglePart<3>& part, const Frame<3>& A, const Frame<3>&, int) {
  return {Restriction::Kind::rotation, A.R * part.cosine.a.cross(part.sine.a)};
}

template <int D>
Restriction restriction(const SurfacePart<D>& part, const Frame<D>& A, const Frame<D>& B, int) {
  return {Restriction::Kind::translation, spatial<D>(part.normal_at(A, B)).normalized()};
}

template <int D>
Restriction restriction(const TouchPart<D>& part, const Frame<D>& A, const Frame<D>& B, int) {
  return {Restriction::Kind::translation, spatial<D>(A.R * part.at(A, B).normal)};
}

template <int D>
Restriction restriction(const SlipPart<D>& part, const Frame<D>& A, const Frame<D>& B, int) {
  return {Restriction::Kind::translation, spatial<D>(part.direction(A, B))};
}

/// That of the first freedom it is measured by.
template <int D>
Restriction restriction(const GapPart<D>& part, const Frame<D>& A, const Frame<D>& B, int row) {
  return std::visit([&](const auto& measure) { return restriction(measure, A, B, row); },
                    part.of.front());
}

inline Restriction restriction(const ScrewPart& part, const Frame<3>& A, const Frame<3>&, int) {
  return {Restriction::Kind::screw, A.R * part.slide.n};
}

}  // namespace daedal::coordinates::absolute
