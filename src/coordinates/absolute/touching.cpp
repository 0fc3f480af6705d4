#include "daedal/coordinates/absolute/touching.hpp"

#include "daedal/coordinates/absolute/elements.hpp"
#include "daedal/math/dual.hpp"

namespace daedal::coordinates {

namespace absolute {

namespace {

using model::Touch;
using model::TouchType;

template <int D>
using VectorOf = typename Geometry<D>::Vector;

/// A point of a body's frame, from its centre of mass.
template <int D>
VectorOf<D> local(const model::Model& model, const std::string& body, const math::Vec3& point) {
  const int i = model.find_body(body);
  return reduced<D>(i < 0 ? point : math::Vec3(point - model.bodies[i].center));
}

template <int D>
VectorOf<D> axis(const Touch& touch, int k) {
  return reduced<D>(math::Vec3(touch.frame.col(k)));
}

/// A direction that is z in space has another place in the plane.
template <int D>
constexpr int in_plane(int spatial, int planar) {
  return D == 3 ? spatial : planar;
}

template <int D>
TouchField<D> field_of(const model::Model& model, const Touch& touch) {
  const VectorOf<D> center = local<D>(model, touch.body, touch.center);
  const VectorOf<D> along = axis<D>(touch, in_plane<D>(2, 0));
  switch (touch.type) {
    case TouchType::plane: {
      const VectorOf<D> normal = axis<D>(touch, in_plane<D>(2, 1));
      return PlaneField<D>{normal, normal.dot(center)};
    }
    case TouchType::capsule:
      return RoundField<D>{.start = center - 0.5 * touch.length * along,
                           .direction = along,
                           .length = touch.length,
                           .radius = touch.radius};
    case TouchType::cylinder:
      return RoundField<D>{
          .start = center, .direction = along, .endless = true, .radius = touch.radius};
    case TouchType::box: {
      BoxField<D> box;
      box.center = center;
      box.half = 0.5 * reduced<D>(touch.size);
      box.axes = touch.frame.topLeftCorner<D, D>();
      return box;
    }
    case TouchType::profile: {
      std::vector<math::Curve::Vec2> points;
      for (const auto& [x, z] : touch.points) points.push_back({x, z});
      const math::Curve curve = touch.height   ? math::Curve::graph(*touch.height)
                                : touch.smooth ? math::Curve::spline(points)
                                               : math::Curve::straight(points);
      return ProfileField<D>{center, axis<D>(touch, 0), axis<D>(touch, in_plane<D>(2, 1)),
                             std::make_shared<const math::Curve>(curve)};
    }
    case TouchType::sphere:
    case TouchType::point: break;
  }
  return RoundField<D>{.start = center, .radius = touch.radius};
}

/// Balls of which a part consists that touches surfaces: a box has corners, a capsule two ends.
template <int D>
std::vector<std::pair<VectorOf<D>, double>> balls_of(const model::Model& model,
                                                     const Touch& touch) {
  const VectorOf<D> center = local<D>(model, touch.body, touch.center);
  std::vector<std::pair<VectorOf<D>, double>> balls;
  if (touch.type == TouchType::box) {
    for (int corner = 0; corner < (1 << D); ++corner) {
      VectorOf<D> at = center;
      for (int k = 0; k < D; ++k) {
        at += (corner >> k & 1 ? 0.5 : -0.5) * touch.size[k] * axis<D>(touch, k);
      }
      balls.push_back({at, 0.0});
    }
  } else if (touch.type == TouchType::capsule) {
    const VectorOf<D> half = 0.5 * touch.length * axis<D>(touch, in_plane<D>(2, 0));
    balls.push_back({center - half, touch.radius});
    balls.push_back({center + half, touch.radius});
  } else {
    balls.push_back({center, touch.type == TouchType::sphere ? touch.radius : 0.0});
  }
  return balls;
}

/// Which of two parts is the surface: the one with the higher rank.
int rank(TouchType type) {
  switch (type) {
    case TouchType::plane:
    case TouchType::cylinder:
    case TouchType::profile: return 3;
    case TouchType::box:
    case TouchType::capsule: return 2;
    case TouchType::sphere: return 1;
    case TouchType::point: break;
  }
  return 0;
}

/// A frame with the slopes of its increments, the k-th kDof ones.
template <int D, class Number>
void vary(const Frame<D>& f, int k, TouchPlace<D, Number>& place) {
  constexpr int kDof = Geometry<D>::kDof;
  for (int r = 0; r < D; ++r) {
    place.p[k][r] = Number(f.p[r]);
    place.p[k][r].slope[k * kDof + r] = 1.0;
    for (int c = 0; c < D; ++c) place.R[k](r, c) = Number(f.R(r, c));
  }
  for (int c = 0; c < D; ++c) {
    const auto columns = lever(f, VectorOf<D>(VectorOf<D>::Unit(c)));  // d(R e_c)
    for (int r = 0; r < D; ++r) {
      for (int i = 0; i < Geometry<D>::kRotations; ++i) {
        place.R[k](r, c).slope[k * kDof + D + i] = columns(r, i);
      }
    }
  }
}

}  // namespace

template <int D>
auto SlipPart<D>::slopes(const Frame<D>& A, const Frame<D>& B) const -> Slopes {
  using Number = math::Dual<2 * kDof>;
  TouchPlace<D, Number> place;
  vary<D>(A, 0, place);
  vary<D>(B, 1, place);
  place.complete(touch, touch.at(A, B), touch.place(A, B).template cast<Number>());
  Slopes out;
  for (int i = 0; i < 2; ++i) {
    const auto load = place.load(i, place.tangents[tangent]);
    for (int r = 0; r < kDof; ++r) out[i].row(r) = -load[r].slope.matrix().transpose();
  }
  return out;
}

template auto SlipPart<2>::slopes(const Frame<2>&, const Frame<2>&) const -> Slopes;
template auto SlipPart<3>::slopes(const Frame<3>&, const Frame<3>&) const -> Slopes;

template <int D>
std::vector<TouchPoint<D>> touch_points(const model::Model& model, const Touch& a,
                                        const Touch& b) {
  std::vector<TouchPoint<D>> points;
  const auto add = [&](const Touch& surface, const Touch& ends) {
    for (const auto& [center, radius] : balls_of<D>(model, ends)) {
      points.push_back(
          {surface.body, ends.body, {field_of<D>(model, surface), center, radius}});
    }
  };
  if (rank(a.type) >= rank(b.type)) {
    add(a, b);
  } else {
    add(b, a);
  }
  if (a.type == TouchType::box && b.type == TouchType::box) add(b, a);
  return points;
}

template std::vector<TouchPoint<2>> touch_points<2>(const model::Model&, const Touch&,
                                                    const Touch&);
template std::vector<TouchPoint<3>> touch_points<3>(const model::Model&, const Touch&,
                                                    const Touch&);

}  // namespace absolute

std::vector<ContactPoint> contact_points(const model::Model& model) {
  std::vector<ContactPoint> points;
  const auto add = [&](const ContactPoint& point, const auto*) { points.push_back(point); };
  if (model.planar) {
    absolute::for_each_contact_point<2>(model, add);
  } else {
    absolute::for_each_contact_point<3>(model, add);
  }
  return points;
}

}  // namespace daedal::coordinates
