#include "daedal/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace daedal::model {

namespace {

constexpr std::array<std::pair<JointType, std::string_view>, 7> kJointNames{{
    {JointType::revolute, "revolute"},
    {JointType::prismatic, "prismatic"},
    {JointType::spherical, "spherical"},
    {JointType::universal, "universal"},
    {JointType::cylindrical, "cylindrical"},
    {JointType::fixed, "fixed"},
    {JointType::distance, "distance"},
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

std::string_view name_of(Motion motion) {
  constexpr std::array<std::string_view, 3> kNames{"angle", "displacement", "direction"};
  return kNames[static_cast<std::size_t>(motion)];
}

std::vector<Motion> Joint::motions(bool planar) const {
  switch (type) {
    case JointType::revolute: return {Motion::angle};
    case JointType::prismatic: return {Motion::displacement};
    case JointType::cylindrical:
      if (planar) return {Motion::displacement};
      return {Motion::displacement, Motion::angle};
    case JointType::distance:
      if (planar) return {Motion::direction};
      return {};
    default: return {};
  }
}

const JointCoordinate* Joint::coordinate(Motion motion) const {
  const auto it = std::find_if(coordinates.begin(), coordinates.end(),
                               [&](const JointCoordinate& c) { return c.motion == motion; });
  return it == coordinates.end() ? nullptr : &*it;
}

int Model::find_body(std::string_view name) const { return index_of(bodies, name); }

int Model::find_joint(std::string_view name) const { return index_of(joints, name); }

ModelError::ModelError(std::vector<Problem> problems)
    : std::invalid_argument(joined(problems)), problems_(std::move(problems)) {}

}  // namespace daedal::model
