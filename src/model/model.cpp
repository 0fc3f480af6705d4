#include "daedal/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace daedal::model {

namespace {

constexpr std::array<std::pair<JointType, std::string_view>, 11> kJointNames{{
    {JointType::revolute, "revolute"},
    {JointType::prismatic, "prismatic"},
    {JointType::spherical, "spherical"},
    {JointType::universal, "universal"},
    {JointType::cylindrical, "cylindrical"},
    {JointType::fixed, "fixed"},
    {JointType::distance, "distance"},
    {JointType::free, "free"},
    {JointType::surface, "surface"},
    {JointType::planar, "planar"},
    {JointType::screw, "screw"},
}};

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& p : problems) {
    if (!text.empty()) text += '\n';
    text += p.where + ": " + p.message;
  }
  return text;
}

template <class Items>
int index_of(const Items& items, std::string_view name) {
  const auto it = std::find_if(items.begin(), items.end(),
                               [&](const auto& item) { return item.name == name; });
  return it == items.end() ? -1 : static_cast<int>(it - items.begin());
}

}  // namespace

std::string_view name_of(JointType type) {
  for (const auto& [t, name] : kJointNames) {
    if (t == type) return name;
  }
  return "?";
}

std::optional<JointType> joint_type(std::string_view name) {
  for (const auto& [t, n] : kJointNames) {
    if (n == name) return t;
  }
  return std::nullopt;
}

std::string_view name_of(Freedom freedom) {
  constexpr std::array<std::string_view, kFreedoms> kNames{
      "angle", "second_angle", "displacement", "direction", "second_displacement"};
  return kNames[static_cast<std::size_t>(freedom)];
}

std::vector<Freedom> freedoms(JointType type) {
  switch (type) {
    case JointType::revolute: return {Freedom::angle};
    case JointType::prismatic: return {Freedom::displacement};
    case JointType::cylindrical: return {Freedom::angle, Freedom::displacement};
    case JointType::universal: return {Freedom::angle, Freedom::second_angle};
    case JointType::distance: return {Freedom::direction};
    case JointType::planar:
      return {Freedom::displacement, Freedom::second_displacement, Freedom::angle};
    case JointType::surface: return {Freedom::displacement, Freedom::second_displacement};
    case JointType::screw: return {Freedom::angle};
    case JointType::spherical:
    case JointType::fixed:
    case JointType::free: break;
  }
  return {};
}

bool has_freedom(JointType type, Freedom freedom) {
  const std::vector<Freedom> all = freedoms(type);
  return std::find(all.begin(), all.end(), freedom) != all.end();
}

std::vector<Freedom> freedoms(JointType type, bool planar) {
  std::vector<Freedom> all = freedoms(type);
  std::erase(all, planar ? Freedom::second_displacement : Freedom::direction);
  return all;
}

std::optional<Freedom> Joint::loaded() const {
  const std::vector<Freedom> all = freedoms(type);
  if (all.empty()) return std::nullopt;
  return type == JointType::cylindrical ? Freedom::displacement : all.front();
}

const JointCoordinate* Joint::coordinate(Freedom freedom) const {
  const auto it = std::find_if(coordinates.begin(), coordinates.end(),
                               [&](const JointCoordinate& c) { return c.freedom == freedom; });
  return it == coordinates.end() ? nullptr : &*it;
}

std::optional<Freedom> freedom_of(const Output& output, JointType type) {
  const auto angle = type == JointType::distance ? Freedom::direction
                     : output.component == 1     ? Freedom::second_angle
                                                 : Freedom::angle;
  const auto displacement =
      output.component == 1 ? Freedom::second_displacement : Freedom::displacement;
  const auto if_there = [&](Freedom freedom) {
    return has_freedom(type, freedom) ? std::optional(freedom) : std::nullopt;
  };
  switch (output.quantity) {
    case Quantity::angle:
    case Quantity::angular_speed: return if_there(angle);
    case Quantity::displacement:
      // That of a screw follows from its angle.
      return type == JointType::screw ? displacement : if_there(displacement);
    case Quantity::speed:
      if (type == JointType::screw) return displacement;
      return if_there(type == JointType::revolute ? Freedom::angle : displacement);
    default: return std::nullopt;
  }
}

int Model::find_body(std::string_view name) const { return index_of(bodies, name); }

int Model::find_joint(std::string_view name) const { return index_of(joints, name); }

ModelError::ModelError(std::vector<Problem> problems)
    : std::invalid_argument(joined(problems)), problems_(std::move(problems)) {}

}  // namespace daedal::model
