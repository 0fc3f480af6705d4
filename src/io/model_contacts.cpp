// Contacts: parts of bodies that touch, gaps of joints, limits of joints.
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "daedal/io/model_reader.hpp"

namespace daedal::io::reading {

using math::Mat3;
using math::Vec3;
using model::TouchType;

namespace {

/// z is the direction; in the plane y, or x, is.
Mat3 frame_along(const Vec3& direction, bool planar, TouchType type) {
  if (!planar) return frame_about(direction);
  const Vec3 d = direction.normalized();
  Mat3 frame = Mat3::Identity();
  frame.col(0) = type == TouchType::plane ? Vec3(d.y(), -d.x(), 0.0) : d;
  frame.col(1) = Vec3(-frame(1, 0), frame(0, 0), 0.0);
  return frame;
}

void read_profile(Reading& reading, const Item& item, model::Touch& part) {
  Scope& scope = reading.scope;
  if (const Node* height = item.find("height")) {
    part.height =
        scope.function_of("x", "the coordinate along the profile", *height, item, "height");
  }
  if (const Node* points = item.find("points")) {
    for (const Node& point : points->elements()) {
      if (!scope.is_list(point, 2, item, "points", "numbers, x and height")) break;
      part.points.push_back({scope.number(point.elements()[0], item, "points"),
                             scope.number(point.elements()[1], item, "points")});
    }
  }
  if (const Node* smooth = item.find("smooth")) part.smooth = smooth->text() == "true";
}

model::Touch read_part(Reading& reading, const Item& item) {
  Scope& scope = reading.scope;
  model::Touch part;
  part.type = *model::touch_type(item.find("type")->text());
  if (const Node* body = item.find("body")) part.body = scope.name(*body, item, "body");
  if (reading.planar() && part.type == TouchType::cylinder) {
    scope.report(*item.find("type"), item, "",
                 "is a part of spatial models, but this one is planar; a disk is a sphere");
    return part;
  }
  part.radius = reading.number_or(item, "radius", 0.0);
  for (const std::string_view key : {"at", "center"}) {
    if (const Node* center = item.find(key)) part.center = scope.vector(*center, item, key);
  }
  if (const Node* size = item.find("size")) part.size = scope.vector(*size, item, "size");
  for (const std::string_view key : {"normal", "axis"}) {
    if (const Node* direction = item.find(key)) {
      part.frame = frame_along(scope.vector(*direction, item, key), reading.planar(), part.type);
    }
  }
  if (item.find("rotation") || item.find("angle")) {
    const GivenPose pose = read_pose(reading, item);
    if (pose.rotation) part.frame = math::rotation_matrix(*pose.rotation);
    if (reading.planar() && pose.angle) {
      part.frame = Eigen::AngleAxisd(*pose.angle, Vec3::UnitZ()).toRotationMatrix();
    }
  }
  if (part.type == TouchType::capsule) {
    const Vec3 from = scope.vector(*item.find("from"), item, "from");
    const Vec3 to = scope.vector(*item.find("to"), item, "to");
    part.center = 0.5 * (from + to);
    part.length = (to - from).norm();
    part.frame = frame_along(to - from, reading.planar(), part.type);
  }
  if (part.type == TouchType::profile) read_profile(reading, item, part);
  return part;
}

/// One part or several, with `repeat` expanded; `path` leads back to them.
void read_parts(Reading& reading, const Node& node, const Item& contact, std::string_view path,
                std::vector<model::Touch>& parts) {
  Scope& scope = reading.scope;
  for (const Node& one : node.is_map() ? std::span(&node, 1) : node.elements()) {
    const Item item{{}, contact.label(one.find("type")->text()), &one};
    std::vector<Index> indices;
    if (one.find("repeat")) {
      indices = read_indices(scope, item, [&](const std::string& index) {
        return std::string(scope.indices().contains(index)
                               ? "is an index of the contact; rename one of them"
                               : "");
      });
      if (indices.empty()) continue;
    }
    // Each counts, for the contact may be repeated.
    if (!reading.repeated.add(count_of(indices), scope, item)) return;
    for_each(scope, indices, [&] {
      reading.places.mark(fmt::format("contacts.{}.{}.{}", contact.name, path, parts.size()), one);
      parts.push_back(read_part(reading, item));
    });
  }
}

model::Touching read_between(Reading& reading, const Item& item) {
  model::Touching touching;
  const Node& sides = *item.find("between");
  if (!reading.scope.is_list(sides, 2, item, "between", "parts, or lists of parts")) {
    return touching;
  }
  read_parts(reading, sides.elements()[0], item, "first", touching.first);
  read_parts(reading, sides.elements()[1], item, "second", touching.second);
  for (std::size_t k = 0; k < 2 && reading.scope.problems().empty(); ++k) {
    if (!(k == 0 ? touching.first : touching.second).empty()) continue;
    reading.scope.report(sides.elements()[k], item, "between",
                         fmt::format("has no part on its {} side; give one, as in {{type: point, "
                                     "body: ...}}",
                                     k == 0 ? "first" : "second"));
  }
  return touching;
}

model::Touching read_among(Reading& reading, const Item& item) {
  model::Touching touching;
  read_parts(reading, *item.find("among"), item, "first", touching.first);
  return touching;
}

std::optional<model::Freedom> freedom_named(const std::string& name) {
  for (int k = 0; k < model::kFreedoms; ++k) {
    const auto freedom = static_cast<model::Freedom>(k);
    if (model::name_of(freedom) == name) return freedom;
  }
  return std::nullopt;
}

model::JointGap read_gap(Reading& reading, const Item& contact) {
  Scope& scope = reading.scope;
  const Item item{{}, contact.label("gap"), contact.find("gap")};
  model::JointGap gap;
  gap.joint = scope.name(*item.find("joint"), item, "joint");
  if (const Node* of = item.find("of")) {
    for (const Node& name : of->is_scalar() ? std::span(of, 1) : of->elements()) {
      if (const auto freedom = freedom_named(name.text())) {
        gap.of.push_back(*freedom);
      } else {
        scope.report(name, item, "of",
                     fmt::format("has '{}', which is no freedom; give one or two of angle, "
                                 "second_angle, displacement, direction, second_displacement",
                                 name.text()));
      }
    }
  } else if (const auto found = reading.joints.find(gap.joint); found != reading.joints.end()) {
    gap.of = model::freedoms(reading.model.joints[found->second].type, reading.planar());
    if (gap.of.size() != 1) gap.of.clear();
  }
  gap.gap = scope.function_of(gap.of.size() == 2 ? "xy" : "x", "a freedom of the joint",
                              *item.find("is"), item, "is");
  return gap;
}

void read_impact(Reading& reading, const Item& item, model::Contact& contact) {
  contact.restitution = reading.number_or(item, "restitution", 0.0);
  if (const Node* law = item.find("law")) contact.law = *model::impact_law(law->text());
}

}  // namespace

void read_contact(Reading& reading, const Item& item) {
  std::vector<std::string_view> given;
  for (const std::string_view key : {"between", "among", "gap"}) {
    if (item.find(key)) given.push_back(key);
  }
  if (given.empty()) {
    reading.scope.report(*item.node, item, "",
                         "does not say what touches; give 'between', 'among' or 'gap'");
    return;
  }
  if (given.size() > 1) {
    reading.scope.report(*item.find(given[1]), item, given[1],
                         fmt::format("is given beside '{}'; keep one of them", given[0]));
    return;
  }
  model::Contact contact;
  contact.name = item.name;
  if (given[0] == "gap") {
    contact.geometry = read_gap(reading, item);
  } else {
    contact.geometry =
        given[0] == "among" ? read_among(reading, item) : read_between(reading, item);
  }
  contact.friction = reading.number_or(item, "friction", 0.0);
  read_impact(reading, item, contact);
  reading.model.contacts.push_back(std::move(contact));
}

void read_limits(Reading& reading, const Item& joint) {
  Scope& scope = reading.scope;
  const Item item{{}, joint.label("limits"), joint.find("limits")};
  std::vector<model::Freedom> bounded;
  for (int k = 0; k < model::kFreedoms; ++k) {
    const auto freedom = static_cast<model::Freedom>(k);
    if (item.find(model::name_of(freedom))) bounded.push_back(freedom);
  }
  if (bounded.empty()) {
    scope.report(*item.node, item, "", "has no bounds; give some, as in {angle: [-1, 1]}");
  }
  model::Contact stop;
  read_impact(reading, item, stop);
  for (const model::Freedom freedom : bounded) {
    const std::string_view key = model::name_of(freedom);
    const Node& node = *item.find(key);
    const std::vector<double> bounds = scope.list(node, item, key);
    if (!(bounds[0] < bounds[1])) {
      if (!std::isnan(bounds[0] + bounds[1])) {
        scope.report(node, item, key,
                     fmt::format("has the lower bound {} and the upper bound {}; the lower comes "
                                 "first and must be less",
                                 bounds[0], bounds[1]));
      }
      continue;
    }
    const std::string stem =
        bounded.size() == 1 ? joint.name : fmt::format("{}.{}", joint.name, key);
    for (const bool upper : {false, true}) {
      model::Contact contact = stop;
      contact.name = fmt::format("{}.{}", stem, upper ? "upper" : "lower");
      contact.geometry =
          model::JointGap{joint.name,
                          {freedom},
                          math::Expression::parse(upper ? fmt::format("{} - x", bounds[1])
                                                        : fmt::format("x - ({})", bounds[0]))};
      reading.places.mark("contacts." + contact.name, *item.node);
      reading.places.mark(fmt::format("contacts.{}.gap", contact.name), node);
      reading.model.contacts.push_back(std::move(contact));
    }
  }
}

}  // namespace daedal::io::reading
