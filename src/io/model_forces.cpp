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

Vec3 read_rotational(Reading& reading, const Item& item, std::string_view key) {
  const Node* node = item.find(key);
  if (node == nullptr) return Vec3::Zero();
  if (reading.planar() && node->is_scalar()) {
    return {0.0, 0.0, reading.scope.number(*node, item, key)};
  }
  if (reading.planar() || node->is_scalar()) {
    reading.scope.report(*node, item, key,
                         reading.planar() ? "is a list; in a planar model it is one number"
                                          : "is one number; give its 3 components");
    return Vec3::Zero();
  }
  return reading.scope.vector(*node, item, key);
}

void read_bushing(Reading& reading, const Item& item) {
  model::Bushing bushing;
  bushing.name = item.name;
  if (!read_attachments(reading, item, bushing.on)) return;
  bushing.stiffness = reading.vector_or_zero(item, "stiffness");
  bushing.damping = reading.vector_or_zero(item, "damping");
  bushing.preload = reading.vector_or_zero(item, "preload");
  bushing.rotational_stiffness = read_rotational(reading, item, "rotational_stiffness");
  bushing.rotational_damping = read_rotational(reading, item, "rotational_damping");
  reading.model.forces.emplace_back(std::move(bushing));
}

model::Wheel read_wheel(Reading& reading, const Item& item) {
  model::Wheel wheel;
  wheel.body = name_at(reading, item, "body");
  wheel.center = reading.vector_or_zero(item, "at");
  if (const Node* axis = item.find("axis")) {
    wheel.axis = reading.scope.vector(*axis, item, "axis");
  }
  return wheel;
}

model::Tyre read_tyre(Reading& reading, const Item& item) {
  model::Tyre tyre;
  tyre.name = item.name;
  tyre.wheel = read_wheel(reading, item);
  tyre.radius = reading.number_or(item, "radius", 0.0);
  tyre.height = reading.number_or(item, "height", tyre.height);
  tyre.stiffness = reading.number_or(item, "stiffness", tyre.stiffness);
  tyre.damping = reading.number_or(item, "damping", tyre.damping);
  tyre.longitudinal_stiffness = reading.number_or(item, "longitudinal_stiffness", 0.0);
  tyre.lateral_stiffness = reading.number_or(item, "lateral_stiffness", 0.0);
  tyre.friction = reading.number_or(item, "friction", tyre.friction);
  tyre.shape = reading.number_or(item, "magic_shape", tyre.shape);
  tyre.slow_speed = reading.number_or(item, "slow_speed", tyre.slow_speed);
  return tyre;
}

model::Creep read_creep(Reading& reading, const Item& item) {
  model::Creep creep;
  creep.name = item.name;
  creep.wheel = read_wheel(reading, item);
  creep.radius = reading.scope.height(*item.find("radius"), item, "radius", "y");
  if (const Node* track = item.find("track")) {
    creep.track = reading.scope.height(*track, item, "track", "x");
  }
  creep.load = reading.number_or(item, "load", 0.0);
  creep.friction = reading.number_or(item, "friction", creep.friction);
  creep.f11 = reading.number_or(item, "f11", 0.0);
  creep.f22 = reading.number_or(item, "f22", 0.0);
  creep.f23 = reading.number_or(item, "f23", 0.0);
  creep.f33 = reading.number_or(item, "f33", 0.0);
  creep.spin = reading.number_or(item, "spin", 0.0);
  creep.slow_speed = reading.number_or(item, "slow_speed", creep.slow_speed);
  return creep;
}

/// Wheels roll in space alone.
bool in_space(Reading& reading, const Item& item) {
  if (!reading.planar()) return true;
  reading.scope.report(*item.node, item, "",
                       "acts on the wheel of a spatial model, but this one is planar; remove "
                       "'planar', or use springs and forces");
  return false;
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
  } else if (type == "bushing") {
    read_bushing(reading, item);
  } else if (type == "tyre") {
    if (in_space(reading, item)) forces.emplace_back(read_tyre(reading, item));
  } else if (type == "creep") {
    if (in_space(reading, item)) forces.emplace_back(read_creep(reading, item));
  } else {
    forces.emplace_back(read_joint_load(reading, item));
  }
}

}  // namespace daedal::io::reading
