#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "daedal/math/expression.hpp"
#include "daedal/math/rotation.hpp"
#include "daedal/model/contact.hpp"

namespace daedal::model {

using math::Expression;
using math::Mat3;
using math::Quaternion;
using math::Vec3;

/// A mechanism as data: what it is made of, in SI units, before any choice of coordinates.
///
/// A planar model moves in the x-y plane: the third component of its vectors is zero, rotations
/// are about z, and of an inertia only the zz entry counts.

inline constexpr std::string_view kGround = "ground";

struct Pose {
  Vec3 position = Vec3::Zero();  // of the body's frame, in world axes [m]
  Quaternion rotation = Quaternion::identity();
  double angle = 0.0;  // planar: about z, continuous [rad]; in space as given with an axis, if it was
};

/// What is drawn for a body; shapes have no mechanics.
struct Shape {
  std::string type;                 // rod, box, sphere, cylinder, polygon
  std::vector<Vec3> points;         // rod: two ends; polygon: corners
  Vec3 size = Vec3::Zero();         // box: edges; sphere, rod, cylinder: radius in x, length in z
  Vec3 center = Vec3::Zero();       // in the body's frame
  std::string color;
};

enum class BodyKind { rigid, point };

struct Body {
  std::string name;
  BodyKind kind = BodyKind::rigid;
  double mass = 0.0;              // [kg]
  Mat3 inertia = Mat3::Zero();    // about the centre of mass, in the body's axes [kg m^2]
  Vec3 center = Vec3::Zero();     // centre of mass in the body's frame [m]
  Pose pose;                      // reference pose, in which world-given joints are placed
  std::vector<Shape> shapes;
};

enum class JointType {
  revolute,
  prismatic,
  spherical,
  universal,
  cylindrical,
  fixed,
  distance,
  free,     // holds nothing: says to which body another one's coordinates are relative
  surface,  // a point of the second body stays on a surface of the first
  planar,   // in space: displacements in a plane, and rotation about its normal
  screw,    // in space: rotation about an axis, and a displacement along it in proportion
};

std::string_view name_of(JointType type);
std::optional<JointType> joint_type(std::string_view name);

/// The relative motions that joints leave free and that one number describes: of the second body
/// relative to the first, zero in the reference pose. A ball's rotation is not among them.
enum class Freedom : int {
  angle,         // about the axis; of a universal joint: of its cross about the first axis [rad]
  second_angle,  // of a universal joint: of the second body relative to the cross [rad]
  displacement,  // along the axis; of planar and surface joints: along x of the first frame [m]
  direction,     // of the line between the points of a distance joint, in the plane [rad]
  second_displacement,  // of planar and, in space, surface joints: along y of the first frame [m]
};
inline constexpr int kFreedoms = 5;

std::string_view name_of(Freedom freedom);

std::vector<Freedom> freedoms(JointType type);
bool has_freedom(JointType type, Freedom freedom);
/// Those that exist in the plane, or in space.
std::vector<Freedom> freedoms(JointType type, bool planar);

/// Prescribed relative motion along a joint's free coordinate.
struct Drive {
  enum class Kind { angle, displacement, angular_speed, speed };
  Kind kind = Kind::angle;
  Expression motion;  // of t: [rad], [m], [rad/s], [m/s]

  bool is_rotation() const { return kind == Kind::angle || kind == Kind::angular_speed; }
  Freedom freedom() const { return is_rotation() ? Freedom::angle : Freedom::displacement; }
  bool is_speed() const { return kind == Kind::angular_speed || kind == Kind::speed; }
};

/// A relative motion that is an unknown of its own, without mass. Springs, loads and drives of the
/// joint then act on it.
struct JointCoordinate {
  std::string name;
  Freedom freedom = Freedom::angle;
};

/// Where a joint sits on one of its two bodies, in that body's frame.
struct Attachment {
  std::string body = std::string(kGround);
  Vec3 point = Vec3::Zero();
  Mat3 frame = Mat3::Identity();  // columns x, y, z; z is the joint's axis
};

/// A connection of two bodies. Its frames coincide in the reference pose where they are given in
/// world axes. z is the axis of revolute, prismatic, cylindrical and screw joints, and the normal of
/// planar and surface joints (in the plane: x the axis of prismatic joints, y the normal of surface
/// joints); of a universal joint z of the first and x of the second attachment are the cross.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::array<Attachment, 2> on;
  double length = 0.0;  // distance joint [m]
  double pitch = 0.0;   // screw: displacement per turn, positive if right-handed [m]
  /// Of a surface joint, of x and y of the first frame (in the plane: of x) [m]; none: a plane.
  std::optional<Expression> height;
  std::optional<Drive> drive;
  std::vector<JointCoordinate> coordinates;
  /// Joint coordinates: whether it carries a body or closes a loop, if the model says so.
  std::optional<bool> tree;

  bool curved() const { return height && !(height->is_constant() && height->value() == 0.0); }
  /// Whether it must carry a body: a free joint has no other use.
  bool in_tree() const { return tree.value_or(type == JointType::free); }
  /// The freedom on which springs and loads act unless they say otherwise.
  std::optional<Freedom> loaded() const;
  /// The coordinate that stands for a freedom, or null.
  const JointCoordinate* coordinate(Freedom freedom) const;
};

struct PointOnBody {
  std::string body = std::string(kGround);
  Vec3 point = Vec3::Zero();  // in the body's frame [m]
};

/// Spring and damper along the line between two points:
/// tension = stiffness (l - length) + damping l' (+ force of t).
struct Spring {
  std::string name;
  std::array<PointOnBody, 2> between;
  double stiffness = 0.0;  // [N/m]
  double damping = 0.0;    // [N s/m]
  double length = 0.0;     // free length [m]
};

/// Spring and damper on the free coordinate of a revolute, prismatic or cylindrical joint:
/// load = -stiffness (s - rest) - damping s'.
struct JointSpring {
  std::string name;
  std::string joint;
  double stiffness = 0.0;  // [N m/rad] or [N/m]
  double damping = 0.0;    // [N m s/rad] or [N s/m]
  double rest = 0.0;       // [rad] or [m]
  std::optional<Freedom> freedom = {};  // default: joint.loaded()
};

enum class Frame { world, body };

struct AppliedForce {
  std::string name;
  PointOnBody at;
  std::array<Expression, 3> value;  // of t [N]
  Frame frame = Frame::world;
};

struct AppliedTorque {
  std::string name;
  std::string body;
  std::array<Expression, 3> value;  // of t [N m]; planar: the third alone
  Frame frame = Frame::world;
};

/// Load between the two bodies of a joint along its free coordinate, e.g. a motor's torque.
struct JointLoad {
  std::string name;
  std::string joint;
  Expression value;  // of t [N m] or [N]; positive turns or moves the second body forward
  std::optional<Freedom> freedom = {};  // default: joint.loaded()
};

/// Springs and dampers between two frames that coincide without load, in the axes of the first: on
/// the displacement of the second's origin, and on the rotation vector. On the second body:
/// force = preload - stiffness d - damping d'. Planar: x and y of the former, z of the latter.
struct Bushing {
  std::string name;
  std::array<Attachment, 2> on;
  Vec3 stiffness = Vec3::Zero();             // [N/m]
  Vec3 damping = Vec3::Zero();               // [N s/m]
  Vec3 preload = Vec3::Zero();               // [N]
  Vec3 rotational_stiffness = Vec3::Zero();  // [N m/rad]
  Vec3 rotational_damping = Vec3::Zero();    // [N m s/rad]
};

/// Where a wheel is on its body. It rolls forward turning positively about its axis, which points
/// to the left.
struct Wheel {
  std::string body;
  Vec3 center = Vec3::Zero();  // in the body's frame [m]
  Vec3 axis = Vec3::UnitY();
};

/// A tyre on the horizontal ground z = height: a radial spring and damper, and slip forces that
/// saturate along a Magic Formula. In space alone.
struct Tyre {
  std::string name;
  Wheel wheel;
  double radius = 0.0;                  // without load [m]
  double height = 0.0;                  // of the ground [m]
  double stiffness = 0.0;               // [N/m]
  double damping = 0.0;                 // [N s/m]
  double longitudinal_stiffness = 0.0;  // force per slip [N]
  double lateral_stiffness = 0.0;       // force per slip angle [N/rad]
  double friction = 1.0;
  double shape = 1.3;       // of the Magic Formula, its C
  double slow_speed = 0.1;  // below which slip velocities count, no longer slips [m/s]
};

/// Creep forces of a railway wheel with a given normal load on a track along x. In space alone.
struct Creep {
  std::string name;
  Wheel wheel;
  Expression radius;     // of y, the contact's distance from the track's centre line [m]
  Expression track;      // of x: y of the centre line [m]
  double load = 0.0;     // normal force [N]
  double friction = 0.3;
  double f11 = 0.0;      // longitudinal creep coefficient [N]
  double f22 = 0.0;      // lateral [N]
  double f23 = 0.0;      // lateral by spin [N m]
  double f33 = 0.0;      // spin [N m^2]
  double spin = 0.0;     // nominal, about the axis, beside that of the body [rad/s]
  double slow_speed = 0.1;  // below which creep velocities count, no longer creepages [m/s]
};

using Force = std::variant<Spring, JointSpring, AppliedForce, AppliedTorque, JointLoad, Bushing,
                           Tyre, Creep>;

/// How a body's place at the start is to be taken: as it is, moved least, or as a guess.
enum class Priority { fixed, preferred, free };

/// Initial state of a body; what is not given follows from the constraints.
struct InitialState {
  std::string body;
  std::optional<Vec3> position;         // of the body's frame, in world axes [m]
  std::optional<Quaternion> rotation;
  std::optional<double> angle;          // planar [rad]; in space as given with an axis, if it was
  std::optional<Vec3> velocity;         // of the body's frame, in world axes [m/s]
  std::optional<Vec3> angular_velocity;  // in world axes [rad/s]; planar: the third component
  /// Of the whole place. Default: what is given is preferred, what is not is free.
  std::optional<Priority> priority;
};

enum class Quantity {
  position,
  velocity,
  acceleration,
  angle,               // joint or planar body, continuous
  angular_speed,       // rate of a joint's angle
  displacement,        // of a joint
  speed,               // rate of the displacement; of a revolute joint, of the angle
  angular_velocity,    // body, or second body of a joint relative to the first; world axes
  reaction_force,      // on the second body of a joint, world axes
  reaction_torque,     // on the second body, about the joint's point, world axes
  kinetic_energy,
  potential_energy,
  energy,
};

/// A scalar watched during a run.
struct Output {
  std::string name;
  Quantity quantity = Quantity::position;
  std::string object;         // body or joint
  Vec3 point = Vec3::Zero();  // in the body's frame
  int component = 0;  // 0, 1, 2; of a joint with two angles or two displacements: 0, 1
  std::string unit;
};

/// The freedom of a joint that an angle, displacement or rate looks at, if the joint has it.
std::optional<Freedom> freedom_of(const Output& output, JointType type);

struct Model {
  std::string title;
  std::string description;
  bool planar = false;
  Vec3 gravity = Vec3::Zero();  // [m/s^2]
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<Contact> contacts;
  std::vector<InitialState> initial;
  std::vector<Output> outputs;

  /// Index of a body or joint, or -1; the ground is -1. One look: for many use index_by_name.
  int find_body(std::string_view name) const;
  int find_joint(std::string_view name) const;
};

/// Whether each joint can carry a body, its freedoms being coordinates: not a distance nor a curved
/// surface, nor a joint of a point mass, which has no axes, that is driven or loaded.
std::vector<bool> carriable(const Model& model);

/// Where each named item of a list is.
template <class Items>
std::unordered_map<std::string, int> index_by_name(const Items& items) {
  std::unordered_map<std::string, int> index;
  int position = 0;
  for (const auto& item : items) index.emplace(item.name, position++);
  return index;
}

/// Something wrong with a model: `where` is a path such as `joints.crank.axis`.
struct Problem {
  std::string where;
  std::string message;
};

/// Every violated bound and dangling reference, all at once, up to a thousand. Empty: the model is
/// sound.
std::vector<Problem> validate(const Model& model);

/// A model that cannot be simulated.
class ModelError : public std::invalid_argument {
 public:
  explicit ModelError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace daedal::model
