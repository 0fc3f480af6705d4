// Forces: springs, applied loads and motors.
#include <string>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/model_reader.hpp"

namespace daedal::io::reading {

using math::Vec3;

namespace {

std::string name_at(Reading& reading, const Item& item, std::string_view key) {
  return reading.scope.name(*item.find(key), item, key);
}

void read_ends(Reading& reading, const Item& item, model::Spring& spring) {
  Scope& scope = reading.scope;
  const Node& between = *item.find("between");
  if (!scope.is_list(between, 2, item, "between", "pairs [body, point]")) return;
  for (int k = 0; k < 2; ++k) {
    const Node& end = between.elements()[k];
    if (!scope.is_list(end, 2, item, "between", "values, as in [body, [0, 0, 0]]")) return;
    spring.between[k].body = scope.name(end.elements()[0], item, "between");
    spring.between[k].point = scope.vector(end.elements()[1], item, "between");
  }
}

model::Spring read_spring(Reading& reading, const Item& item) {
  model::Spring spring;
  spring.name = item.name;
  read_ends(reading, item, spring);
  spring.stiffness = reading.number_or(item, "stiffness", 0.0);
  spring.damping = reading.number_or(item, "damping", 0.0);
  const auto& [a, b] = spring.between;
  const model::Pose *pose_a = reading.pose(a.body), *pose_b = reading.pose(b.body);
  double distance = 0.0;
  if (pose_a && pose_b) {
    distance = (in_world(*pose_b, b.point, reading.planar()) -
                in_world(*pose_a, a.point, reading.planar()))
                   .norm();
  }
  spring.length = reading.number_or(item, "length", distance);
  return spring;
}

std::optional<model::Freedom> read_freedom(const Item& item) {
  const Node* node = item.find("freedom");
  for (int k = 0; node && k < model::kFreedoms; ++k) {
    const auto freedom = static_cast<model::Freedom>(k);
    if (model::name_of(freedom) == node->text()) return freedom;
  }
  return std::nullopt;
}

model::JointSpring read_joint_spring(Reading& reading, const Item& item) {
  return {item.name, name_at(reading, item, "joint"), reading.number_or(item, "stiffness", 0.0),
          reading.number_or(item, "damping", 0.0), reading.number_or(item, "rest", 0.0),
          read_freedom(item)};
}

model::Frame read_frame(const Item& item) {
  const Node* frame = item.find("frame");
  return frame && frame->text() == "body" ? model::Frame::body : model::Frame::world;
}

model::AppliedForce read_applied_force(Reading& reading, const Item& item) {
  model::AppliedForce force;
  force.name = item.name;
  force.at = {name_at(reading, item, "body"), reading.vector_or_zero(item, "at")};
  force.frame = read_frame(item);
  const Node& value = *item.find("value");
  const std::size_t size = reading.planar() ? 2 : 3;
  if (reading.scope.is_list(value, size, item, "value", "expressions")) {
    for (std::size_t k = 0; k < size; ++k) {
      force.value[k] = reading.scope.function(value.elements()[k], item, "value");
    }
  }
  return force;
}

model::AppliedTorque read_torque(Reading& reading, const Item& item) {
  Scope& scope = reading.scope;
  model::AppliedTorque torque;
  torque.name = item.name;
  torque.body = name_at(reading, item, "body");
  torque.frame = read_frame(item);
  const Node& value = *item.find("value");
  if (reading.planar() != value.is_scalar()) {
    scope.report(value, item, "value",
                 reading.planar() ? "is a list; in a planar model it is one expression"
                                  : "is one expression; give its 3 components");
  } else if (reading.planar()) {
    torque.value[2] = scope.function(value, item, "value");
  } else {
    for (std::size_t k = 0; k < 3; ++k) {
      torque.value[k] = scope.function(value.elements()[k], item, "value");
    }
  }
  return torque;
}

model::JointLoad read_joint_load(Reading& reading, const Item& item) {
  return {item.name, name_at(reading, item, "joint"),
          reading.scope.function(*item.find("value"), item, "value"), read_freedom(item)};
}

}  // namespace

void read_force(Reading& reading, const Item& item) {
  const std::string& type = item.find("type")->text();
  auto& forces = reading.model.forces;
  if (type == "spring") {
    forces.emplace_back(read_spring(reading, item));
  } else if (type == "joint-spring") {
    forces.emplace_back(read_joint_spring(reading, item));
  } else if (type == "force") {
    forces.emplace_back(read_applied_force(reading, item));
  } else if (type == "torque") {
    forces.emplace_back(read_torque(reading, item));
  } else {
    forces.emplace_back(read_joint_load(reading, item));
  }
}

}  // namespace daedal::io::reading
