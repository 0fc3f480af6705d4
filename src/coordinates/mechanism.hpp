#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daedal/coordinates/contacts.hpp"
#include "daedal/model/model.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::coordinates {

/// How much harder than a free one a coordinate is to move that is preferred, or fixed.
inline constexpr double kPreferredWeight = 1e8, kFixedWeight = 1e16;

/// Where a run starts from: a guess that assembly makes consistent. A weight says how much a
/// coordinate or velocity resists being moved: large where the user gave a value.
struct InitialGuess {
  std::vector<double> q;
  std::vector<double> v;
  std::vector<double> x;
  std::vector<double> position_weight;  // per tangent coordinate
  std::vector<double> velocity_weight;
};

/// Force and torque in world axes.
struct Wrench {
  math::Vec3 force = math::Vec3::Zero();
  math::Vec3 torque = math::Vec3::Zero();
};

/// The relative motion of two bodies that a constraint row forbids or, if driven, prescribes.
struct Restriction {
  enum class Kind { translation, rotation, distance, screw };
  Kind kind = Kind::translation;
  math::Vec3 axis = math::Vec3::Zero();  // world axes; of a distance, along it; of a screw, its own
  double distance = 0.0;                 // of the points whose distance is kept [m]
  bool driven = false;
  int joint = -1;                        // in the model
};

/// Translates the unknowns of a system back into the model's bodies and joints.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void move_to(const system::Point& point, std::span<const double> a,
                       std::span<const double> lambda) = 0;

  /// Pose of a body's frame.
  virtual model::Pose pose(int body) const = 0;
  virtual math::Vec3 position(int body, const math::Vec3& point) const = 0;
  virtual math::Vec3 velocity(int body, const math::Vec3& point) const = 0;
  virtual math::Vec3 acceleration(int body, const math::Vec3& point) const = 0;
  virtual math::Vec3 angular_velocity(int body) const = 0;
  /// A free coordinate of a joint since the reference pose (a spatial angle in (-pi, pi]), and its
  /// rate.
  virtual double joint_coordinate(int joint, model::Freedom freedom) const = 0;
  virtual double joint_rate(int joint, model::Freedom freedom) const = 0;
  /// Angular velocity of a joint's second body relative to its first, in world axes.
  virtual math::Vec3 relative_angular_velocity(int joint) const = 0;
  /// What a joint exerts on its second body, torque about the joint's point there.
  virtual Wrench reaction(int joint) const = 0;
  /// What each constraint row restricts.
  virtual std::vector<Restriction> restrictions() const = 0;
};

/// A model in some coordinates.
struct Mechanism {
  std::unique_ptr<system::ConstrainedSystem> system;
  std::unique_ptr<Observer> observer;
  InitialGuess initial;
  /// Per tangent coordinate, the length by which a unit of it moves a body's joints [m]: 1 for a
  /// position, the body's largest lever for a rotation.
  std::vector<double> reach;
  std::vector<bool> turns;  // per tangent coordinate: it is an angle [rad], not a length [m]
  /// Joint coordinates: joints that close loops, by constraints.
  std::vector<std::string> cut;
  /// By contact point; empty if none was given a state.
  std::vector<ContactRows> contacts;
};

/// Every body by its own position and rotation: 6 coordinates in space, 3 in the plane.
/// Contacts have the rows that their states say; without states they have none.
/// Throws model::ModelError if the model is not sound.
Mechanism make_absolute(const model::Model& model, std::span<const ContactState> contacts = {});

/// Absolute coordinates and velocities of all bodies.
struct BodyCoordinates {
  std::span<const double> q, v;
};

/// Every body by the motion of the joint that carries it: the coordinates of a spanning tree, with
/// constraints where it is cut. Where a run starts from is read off the bodies of the same model in
/// absolute coordinates, whose joints must be closed.
Mechanism make_joint(const model::Model& model, Mechanism& absolute, const BodyCoordinates& bodies,
                     std::span<const ContactState> contacts = {});

}  // namespace daedal::coordinates
