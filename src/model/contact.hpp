#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daedal/math/expression.hpp"
#include "daedal/math/rotation.hpp"

namespace daedal::model {

enum class Freedom : int;

/// Where bodies may touch, but not enter each other: unilateral constraints g(q) >= 0.

enum class TouchType { point, sphere, capsule, box, plane, cylinder, profile };

std::string_view name_of(TouchType type);
std::optional<TouchType> touch_type(std::string_view name);

/// The part of a body that touches others, in the body's frame. Planes and profiles are solid below,
/// all others inside; a box touches with its corners, and others with its faces.
struct Touch {
  TouchType type = TouchType::sphere;
  std::string body = "ground";
  math::Vec3 center = math::Vec3::Zero();  // a plane's: any of its points; a profile's: its origin [m]
  /// z is the normal of a plane, and the axis of capsules and cylinders; in the plane y and x are.
  /// A profile runs along x, its height is along z, in the plane along y. Edges of a box: x, y, z.
  math::Mat3 frame = math::Mat3::Identity();
  double radius = 0.0;                   // sphere, capsule, cylinder [m]
  double length = 0.0;                   // capsule: between the centres of its ends [m]
  math::Vec3 size = math::Vec3::Zero();  // box: edges [m]
  std::optional<math::Expression> height;     // profile: of x [m]
  std::vector<std::array<double, 2>> points;  // or: x, ascending, and height [m]
  bool smooth = false;                        // a spline through the points; else straight between
};

/// What comes of the velocity at which a contact closes: by Newton's law u+ = -e u- holds for each
/// contact alone, by Poisson's the impulse of expansion is e times that of compression.
enum class ImpactLaw { newton, poisson };

std::string_view name_of(ImpactLaw law);
std::optional<ImpactLaw> impact_law(std::string_view name);

/// Bodies of which each of the first may touch each of the second; without a second, each other.
struct Touching {
  std::vector<Touch> first, second;
};

/// A gap given by the freedoms of one joint: their values are x and y of the expression [m, rad].
struct JointGap {
  std::string joint;
  std::vector<Freedom> of;  // one or two
  math::Expression gap;
};

struct Contact {
  std::string name;
  std::variant<Touching, JointGap> geometry;
  double restitution = 0.0;  // in [0, 1]
  double friction = 0.0;     // Coulomb's, of touching bodies
  ImpactLaw law = ImpactLaw::newton;

  const Touching* touching() const { return std::get_if<Touching>(&geometry); }
  const JointGap* gap() const { return std::get_if<JointGap>(&geometry); }
};

/// Whether there is a law for two parts that touch, in either order.
bool can_touch(TouchType a, TouchType b);

}  // namespace daedal::model
