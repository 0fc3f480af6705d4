// The sections of a model file, one function per kind of object.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>

#include "daedal/io/model_repeat.hpp"
#include "daedal/model/model.hpp"
#include "daedal/simulate/settings.hpp"

namespace daedal::io::reading {

/// What the readers of objects share.
struct Reading {
  Scope& scope;
  Places& places;
  model::Model& model;
  Repeated& repeated;
  std::unordered_map<std::string, int> bodies{};  // index by name
  std::unordered_map<std::string, int> joints{};

  bool planar() const { return scope.planar(); }
  /// Reference pose of a body or the ground; null if the name is unknown.
  const model::Pose* pose(const std::string& body) const;
  /// A value that may be missing.
  double number_or(const Item& item, std::string_view key, double otherwise);
  math::Vec3 vector_or_zero(const Item& item, std::string_view key);
  void missing(const Item& item, std::string_view key, std::string_view remedy);
};

/// The rotation of a reference pose, in space and in the plane alike.
math::Mat3 rotation_of(const model::Pose& pose, bool planar);
/// A point of a body in the world, in the reference pose.
math::Vec3 in_world(const model::Pose& pose, const math::Vec3& point, bool planar);

/// position, angle, rotation: of a body's reference pose or of an initial state.
struct GivenPose {
  std::optional<math::Vec3> position;
  std::optional<math::Quaternion> rotation;
  std::optional<double> angle;
};
GivenPose read_pose(Reading& reading, const Item& item);

void read_body(Reading& reading, const Item& item);
void read_joint(Reading& reading, const Item& item);
/// `between` and `at`; the frames have the axes of the first body in the reference pose.
bool read_attachments(Reading& reading, const Item& item, std::array<model::Attachment, 2>& on);
void read_force(Reading& reading, const Item& item);
void read_contact(Reading& reading, const Item& item);
/// The key `limits` of a joint that has been read: contacts named after it.
void read_limits(Reading& reading, const Item& joint);
void read_initial(Reading& reading, const Item& item);
void read_output(Reading& reading, const Item& item, const Node::Entry& entry);
simulate::Settings read_settings(const Node& section, Scope& scope);

/// An orthonormal, right-handed frame with the given z, of any length. x is the part, normal to z,
/// of the coordinate axis that follows the largest component of z: the frame of z is the identity.
math::Mat3 frame_about(const math::Vec3& z);

}  // namespace daedal::io::reading
