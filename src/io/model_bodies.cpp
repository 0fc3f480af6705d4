// Bodies, their shapes, poses and initial states.
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "daedal/io/model_reader.hpp"

namespace daedal::io::reading {

using math::Mat3;
using math::Quaternion;
using math::Vec3;

namespace {

constexpr double kPerpendicular = 1e-6;  // largest cosine of directions that should be
constexpr double kUnit = 1e-3;           // largest error of a unit quaternion's length

std::optional<Quaternion> from_axis(Scope& scope, const Item& rotation) {
  const Node* axis = rotation.find("axis");
  const Node* angle = rotation.find("angle");
  if (axis == nullptr || angle == nullptr) {
    scope.report(*rotation.node, rotation, "",
                 axis == nullptr ? "has 'angle' without 'axis'; give both"
                                 : "has 'axis' without 'angle'; give both");
    return std::nullopt;
  }
  const Vec3 n = scope.vector(*axis, rotation, "axis");
  const double phi = scope.number(*angle, rotation, "angle");
  if (!n.allFinite() || !std::isfinite(phi)) return std::nullopt;
  if (n.norm() == 0.0) {
    scope.report(*axis, rotation, "axis", "has zero length; give a nonzero vector");
    return std::nullopt;
  }
  return math::exp_so3(phi * n.normalized());
}

std::optional<Quaternion> from_quaternion(Scope& scope, const Item& rotation) {
  const Node& node = *rotation.find("quaternion");
  const std::vector<double> c = scope.list(node, rotation, "quaternion");
  const Quaternion q{c[0], c[1], c[2], c[3]};
  if (!std::isfinite(q.norm())) return std::nullopt;
  if (std::abs(q.norm() - 1.0) > kUnit) {
    scope.report(node, rotation, "quaternion",
                 fmt::format("has length {:g}; a rotation has length 1, order w, x, y, z",
                             q.norm()));
    return std::nullopt;
  }
  return q.normalised();
}

std::optional<Quaternion> from_directions(Scope& scope, const Item& rotation) {
  constexpr std::array<std::string_view, 3> kKeys{"x", "y", "z"};
  Mat3 R = Mat3::Zero();
  int missing = -1, given = 0;
  for (int k = 0; k < 3; ++k) {
    const Node* node = rotation.find(kKeys[k]);
    if (node == nullptr) {
      missing = k;
      continue;
    }
    ++given;
    const Vec3 direction = scope.vector(*node, rotation, kKeys[k]);
    if (!direction.allFinite()) return std::nullopt;
    if (direction.norm() == 0.0) {
      scope.report(*node, rotation, kKeys[k], "has zero length; give a nonzero vector");
      return std::nullopt;
    }
    R.col(k) = direction.normalized();
  }
  if (given != 2) {
    scope.report(*rotation.node, rotation, "",
                 fmt::format("gives {} of the directions x, y, z; give two of them", given));
    return std::nullopt;
  }
  const int first = (missing + 1) % 3, second = (missing + 2) % 3;
  const double cosine = R.col(first).dot(R.col(second));
  if (std::abs(cosine) > kPerpendicular) {
    scope.report(*rotation.node, rotation, "",
                 fmt::format("has directions {} and {} at {:.6g} degrees; they must be "
                             "perpendicular",
                             kKeys[first], kKeys[second],
                             std::acos(cosine) * 180.0 / std::numbers::pi));
    return std::nullopt;
  }
  R.col(second) = (R.col(second) - cosine * R.col(first)).normalized();
  R.col(missing) = R.col(first).cross(R.col(second));
  return math::quaternion_from_matrix(R);
}

std::optional<Quaternion> read_rotation(Scope& scope, const Node& node, const Item& item) {
  const Item rotation{{}, item.label("rotation"), &node};
  const bool by_axis = node.find("axis") || node.find("angle");
  const bool by_quaternion = node.find("quaternion");
  const bool by_directions = node.find("x") || node.find("y") || node.find("z");
  if (by_axis + by_quaternion + by_directions != 1) {
    scope.report(node, rotation, "",
                 by_axis || by_quaternion
                     ? "is given in two ways; keep one of: axis and angle, quaternion, directions"
                     : "is empty; give axis and angle, a quaternion, or two directions");
    return std::nullopt;
  }
  if (by_axis) return from_axis(scope, rotation);
  return by_quaternion ? from_quaternion(scope, rotation) : from_directions(scope, rotation);
}

model::Shape read_shape(Reading& reading, const Node& node, const Item& item) {
  Scope& scope = reading.scope;
  const Item shape{{}, item.label("shape"), &node};
  model::Shape result;
  result.type = node.find("type")->text();
  if (const Node* color = node.find("color")) result.color = color->text();
  const auto positive = [&](const Node& at, std::string_view key, double value) {
    if (value <= 0.0) scope.report(at, shape, key, fmt::format("is {}; it must be positive", value));
  };
  if (const Node* radius = node.find("radius")) {
    result.size.x() = scope.number(*radius, shape, "radius");
    positive(*radius, "radius", result.size.x());
  }
  if (const Node* size = node.find("size")) {
    result.size = scope.vector(*size, shape, "size");
    for (int k = 0; k < (reading.planar() ? 2 : 3); ++k) positive(*size, "size", result.size[k]);
  }
  result.center = reading.vector_or_zero(shape, "center");
  for (const std::string_view key : {"from", "to"}) {
    if (const Node* end = node.find(key)) result.points.push_back(scope.vector(*end, shape, key));
  }
  if (result.points.size() == 2) {
    result.size.z() = (result.points[1] - result.points[0]).norm();
    result.center = 0.5 * (result.points[0] + result.points[1]);
    if (result.size.z() == 0.0) {
      scope.report(*node.find("to"), shape, "to", "equals 'from'; give two different points");
    }
    if (node.find("radius") == nullptr) result.size.x() = result.size.z() / 40.0;
  }
  if (const Node* points = node.find("points")) {
    for (const Node& point : points->elements()) {
      result.points.push_back(scope.vector(point, shape, "points"));
    }
    if (result.points.size() < 3) {
      scope.report(*points, shape, "points",
                   fmt::format("has {} corners; give at least 3", result.points.size()));
    }
  }
  return result;
}

void read_shapes(Reading& reading, const Item& item, model::Body& body) {
  const Node* one = item.find("shape");
  const Node* many = item.find("shapes");
  if (one && many) {
    reading.scope.report(*many, item, "shapes", "is given beside 'shape'; keep one of them");
  }
  if (one) body.shapes.push_back(read_shape(reading, *one, item));
  for (const Node& node : many ? many->elements() : std::span<const Node>()) {
    body.shapes.push_back(read_shape(reading, node, item));
  }
}

/// Mass, centre and inertia of a homogeneous shape.
void fill_from_density(const model::Shape& shape, double density, model::Body& body) {
  const Vec3& s = shape.size;
  body.center = shape.center;
  if (shape.type == "sphere") {
    body.mass = density * 4.0 / 3.0 * std::numbers::pi * s.x() * s.x() * s.x();
    body.inertia = 0.4 * body.mass * s.x() * s.x() * Mat3::Identity();
  } else if (shape.type == "box") {
    body.mass = density * s.prod();
    const Vec3 squares = s.cwiseAbs2();
    body.inertia = body.mass / 12.0 * (Vec3::Constant(squares.sum()) - squares).asDiagonal();
  } else {
    const Vec3 n = (shape.points[1] - shape.points[0]).normalized();
    const double r2 = s.x() * s.x(), l2 = s.z() * s.z();
    body.mass = density * std::numbers::pi * r2 * s.z();
    const double axial = 0.5 * body.mass * r2, across = body.mass * (3.0 * r2 + l2) / 12.0;
    body.inertia = across * Mat3::Identity() + (axial - across) * n * n.transpose();
  }
}

bool has_volume(const Node* shape) {
  if (shape == nullptr) return false;
  const std::string& type = shape->find("type")->text();
  return type != "polygon" && (type != "rod" || shape->find("radius"));
}

void read_density(Reading& reading, const Item& item, model::Body& body) {
  Scope& scope = reading.scope;
  const Node& node = *item.find("density");
  const double density = scope.number(node, item, "density");
  for (const std::string_view key : {"mass", "inertia", "center"}) {
    if (const Node* given = item.find(key)) {
      scope.report(*given, item, key, "is given beside 'density', from which it follows; keep one");
    }
  }
  if (reading.planar()) {
    scope.report(node, item, "density", "has no meaning in the plane; give 'mass' and 'inertia'");
  } else if (body.kind == model::BodyKind::point) {
    scope.report(node, item, "density", "is given, but a point mass has no volume; give 'mass'");
  } else if (!has_volume(item.find("shape"))) {
    scope.report(node, item, "density",
                 "needs a 'shape' with a volume: a box, sphere, cylinder, or rod with a radius");
  } else if (density <= 0.0) {
    scope.report(node, item, "density", fmt::format("is {}; it must be positive", density));
  } else {
    fill_from_density(body.shapes[0], density, body);
  }
}

void read_inertia(Reading& reading, const Item& item, model::Body& body) {
  Scope& scope = reading.scope;
  const Node* node = item.find("inertia");
  if (body.kind == model::BodyKind::point) {
    for (const std::string_view key : {"inertia", "angle", "rotation"}) {
      if (const Node* given = item.find(key)) {
        scope.report(*given, item, key, "is given, but the body is a point mass; remove it");
      }
    }
  } else if (node == nullptr) {
    reading.missing(item, "inertia", "add it, or make the body a point mass (type: point)");
  } else if (reading.planar()) {
    if (!node->is_scalar()) {
      scope.report(*node, item, "inertia",
                   fmt::format("has {} numbers; in a planar model it is one number", node->size()));
      return;
    }
    body.inertia(2, 2) = scope.number(*node, item, "inertia");
  } else if (!node->is_sequence()) {
    scope.report(*node, item, "inertia",
                 "is one number; give Ixx, Iyy, Izz, or all of Ixx, Iyy, Izz, Ixy, Ixz, Iyz");
  } else {
    std::vector<double> I = scope.list(*node, item, "inertia");
    I.resize(6, 0.0);
    body.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  }
}

}  // namespace

const model::Pose* Reading::pose(const std::string& body) const {
  static const model::Pose ground;
  if (body == model::kGround) return &ground;
  const auto found = bodies.find(body);
  return found == bodies.end() ? nullptr : &model.bodies[found->second].pose;
}

double Reading::number_or(const Item& item, std::string_view key, double otherwise) {
  const Node* node = item.find(key);
  return node ? scope.number(*node, item, key) : otherwise;
}

Vec3 Reading::vector_or_zero(const Item& item, std::string_view key) {
  const Node* node = item.find(key);
  return node ? scope.vector(*node, item, key) : Vec3(Vec3::Zero());
}

void Reading::missing(const Item& item, std::string_view key, std::string_view remedy) {
  scope.problems().add(item.node->position(),
                       fmt::format("{} has no '{}'; {}", item.who(), key, remedy));
}

Mat3 rotation_of(const model::Pose& pose, bool planar) {
  if (!planar) return math::rotation_matrix(pose.rotation);
  return Eigen::AngleAxisd(pose.angle, Vec3::UnitZ()).toRotationMatrix();
}

Vec3 in_world(const model::Pose& pose, const Vec3& point, bool planar) {
  return pose.position + rotation_of(pose, planar) * point;
}

GivenPose read_pose(Reading& reading, const Item& item) {
  Scope& scope = reading.scope;
  GivenPose pose;
  if (const Node* position = item.find("position")) {
    pose.position = scope.vector(*position, item, "position");
  }
  const Node* angle = item.find("angle");
  const Node* rotation = item.find("rotation");
  if (angle && !reading.planar()) {
    scope.report(*angle, item, "angle", "is for planar models; give 'rotation'");
  } else if (angle) {
    pose.angle = scope.number(*angle, item, "angle");
  }
  if (rotation && reading.planar()) {
    scope.report(*rotation, item, "rotation", "is for spatial models; give 'angle'");
  } else if (rotation) {
    pose.rotation = read_rotation(scope, *rotation, item);
    const Node* turn = rotation->find("angle");
    if (turn && pose.rotation) pose.angle = scope.number(*turn, item, "rotation.angle");
  }
  return pose;
}

void read_body(Reading& reading, const Item& item) {
  model::Body body;
  body.name = item.name;
  if (const Node* type = item.find("type"); type && type->text() == "point") {
    body.kind = model::BodyKind::point;
  }
  const GivenPose pose = read_pose(reading, item);
  body.pose.position = pose.position.value_or(Vec3::Zero());
  body.pose.rotation = pose.rotation.value_or(Quaternion::identity());
  body.pose.angle = pose.angle.value_or(0.0);
  read_shapes(reading, item, body);
  if (item.find("density")) {
    read_density(reading, item, body);
  } else {
    if (!item.find("mass")) reading.missing(item, "mass", "add it");
    body.mass = reading.number_or(item, "mass", 0.0);
    body.center = reading.vector_or_zero(item, "center");
    read_inertia(reading, item, body);
  }
  reading.bodies.emplace(body.name, static_cast<int>(reading.model.bodies.size()));
  reading.model.bodies.push_back(std::move(body));
}

void read_initial(Reading& reading, const Item& item) {
  Scope& scope = reading.scope;
  model::InitialState state;
  state.body = item.name;
  GivenPose pose = read_pose(reading, item);
  state.position = pose.position;
  state.rotation = pose.rotation;
  state.angle = pose.angle;
  if (const Node* velocity = item.find("velocity")) {
    state.velocity = scope.vector(*velocity, item, "velocity");
  }
  if (const Node* omega = item.find("angular_velocity")) {
    if (reading.planar() == omega->is_scalar()) {
      state.angular_velocity =
          reading.planar() ? Vec3(0.0, 0.0, scope.number(*omega, item, "angular_velocity"))
                           : scope.vector(*omega, item, "angular_velocity");
    } else {
      scope.report(*omega, item, "angular_velocity",
                   reading.planar() ? "is a list; in a planar model it is one number"
                                    : "is one number; give its 3 components");
    }
  }
  if (const Node* priority = item.find("priority")) {
    const std::string word = priority->text();
    state.priority = word == "fixed"       ? model::Priority::fixed
                     : word == "preferred" ? model::Priority::preferred
                                           : model::Priority::free;
  }
  reading.model.initial.push_back(std::move(state));
}

}  // namespace daedal::io::reading
