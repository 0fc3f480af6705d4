#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daedal/model/model.hpp"

/// Short ways to write models in tests.
namespace daedal::testing {

using math::Mat3;
using math::Quaternion;
using math::Vec3;

/// A right-handed frame whose third column is the axis.
inline Mat3 frame_with_z(const Vec3& axis) {
  const Vec3 z = axis.normalized();
  const Vec3 other = std::abs(z.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  Mat3 frame;
  frame.col(2) = z;
  frame.col(0) = (other - z.dot(other) * z).normalized();
  frame.col(1) = z.cross(frame.col(0));
  return frame;
}

/// In the plane the direction of a prismatic joint is the first column.
inline Mat3 frame_with_x_in_plane(double angle) {
  Mat3 frame = Mat3::Identity();
  frame.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle),
      std::cos(angle);
  return frame;
}

inline model::Body rigid(std::string name, double mass, const Vec3& inertia, const Vec3& position,
                         const Quaternion& rotation = Quaternion::identity()) {
  model::Body body;
  body.name = std::move(name);
  body.mass = mass;
  body.inertia = inertia.asDiagonal();
  body.pose.position = position;
  body.pose.rotation = rotation;
  return body;
}

inline model::Body planar_rigid(std::string name, double mass, double inertia,
                                const Vec3& position, double angle = 0.0) {
  model::Body body = rigid(std::move(name), mass, {inertia, inertia, inertia}, position);
  body.pose.angle = angle;
  return body;
}

inline model::Body point_mass(std::string name, double mass, const Vec3& position) {
  model::Body body;
  body.name = std::move(name);
  body.kind = model::BodyKind::point;
  body.mass = mass;
  body.pose.position = position;
  return body;
}

inline Mat3 rotation_of(const model::Model& model, const model::Body& body) {
  return model.planar ? frame_with_x_in_plane(body.pose.angle)
                      : math::rotation_matrix(body.pose.rotation);
}

/// A joint given in world axes at the reference poses.
inline model::Joint& add_joint(model::Model& model, std::string name, model::JointType type,
                               const std::string& first, const std::string& second,
                               const Vec3& at, const Mat3& frame = Mat3::Identity()) {
  model::Joint joint;
  joint.name = std::move(name);
  joint.type = type;
  const std::string names[2] = {first, second};
  for (int k = 0; k < 2; ++k) {
    joint.on[k].body = names[k];
    joint.on[k].point = at;
    joint.on[k].frame = frame;
    const int index = model.find_body(names[k]);
    if (index < 0) continue;
    const model::Body& body = model.bodies[index];
    if (body.kind == model::BodyKind::point) {
      joint.on[k].point.setZero();
      continue;
    }
    const Mat3 R = rotation_of(model, body);
    joint.on[k].point = R.transpose() * (at - body.pose.position);
    joint.on[k].frame = R.transpose() * frame;
  }
  return model.joints.emplace_back(std::move(joint));
}

/// A distance joint between points given in the bodies' frames.
inline model::Joint& add_distance(model::Model& model, std::string name, const std::string& first,
                                  const Vec3& point_first, const std::string& second,
                                  const Vec3& point_second, double length) {
  model::Joint joint;
  joint.name = std::move(name);
  joint.type = model::JointType::distance;
  joint.on[0].body = first;
  joint.on[0].point = point_first;
  joint.on[1].body = second;
  joint.on[1].point = point_second;
  joint.length = length;
  return model.joints.emplace_back(std::move(joint));
}

/// Initial velocities of a body, in world axes.
inline model::InitialState moving(std::string body, const Vec3& velocity,
                                  const Vec3& angular_velocity) {
  model::InitialState state;
  state.body = std::move(body);
  state.velocity = velocity;
  state.angular_velocity = angular_velocity;
  return state;
}

inline model::Drive drive(model::Drive::Kind kind, std::string_view motion) {
  return {kind, math::Expression::parse(motion)};
}

}  // namespace daedal::testing
