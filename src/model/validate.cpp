#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "daedal/math/text.hpp"
#include "daedal/model/tree.hpp"
#include "daedal/model/validate_contacts.hpp"

namespace daedal::model {

namespace {

/// Collects problems; one check_ function per kind of object.
class Validator {
 public:
  explicit Validator(const Model& model) : model_(model) {
    for (const Body& body : model.bodies) body_names_.push_back(body.name);
    for (const Joint& joint : model.joints) joint_names_.push_back(joint.name);
    body_set_.insert(body_names_.begin(), body_names_.end());
    joint_index_ = index_by_name(model.joints);
    body_index_ = index_by_name(model.bodies);
    for (const InitialState& state : model.initial) {
      if (state.rotation) start_rotations_.emplace(state.body, *state.rotation);
    }
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      if (model.bodies[i].kind == BodyKind::point) points_.insert(model.bodies[i].name);
    }
  }

  std::vector<Problem> run() {
    if (model_.bodies.empty()) {
      report("bodies", "the model has no bodies; describe at least one");
    }
    check_finite("gravity", "gravity", model_.gravity);
    for (const Body& body : model_.bodies) check_body(body);
    check_different("bodies", "body", body_names_);
    for (const Joint& joint : model_.joints) check_joint(joint);
    check_different("joints", "joint", joint_names_);
    for (Problem& problem : tree_problems(model_)) {
      report(std::move(problem.where), std::move(problem.message));
    }
    for (const Force& force : model_.forces) {
      std::visit([this](const auto& f) { check_force(f); }, force);
    }
    for (Problem& problem : contact_problems(model_)) {
      report(std::move(problem.where), std::move(problem.message));
    }
    for (const InitialState& state : model_.initial) check_initial(state);
    check_initial_once();
    for (const Output& output : model_.outputs) check_output(output);
    return std::move(problems_);
  }

 private:
  // Of a mistake that is repeated a million times, the first ones tell all there is to know.
  static constexpr std::size_t kMaxProblems = 1000;
  static constexpr std::size_t kMaxNearMisses = 100;

  void report(std::string where, std::string message) {
    if (problems_.size() == kMaxProblems) return;
    problems_.push_back({std::move(where), std::move(message)});
  }

  /// A search through all names, so not for every one of thousands of unknown names.
  std::optional<std::string> near_miss(const std::string& name,
                                       const std::vector<std::string>& names) const {
    if (problems_.size() >= kMaxNearMisses) return std::nullopt;
    return math::nearest(name, names);
  }

  bool check_finite(const std::string& where, const std::string& what, const Vec3& value) {
    if (value.allFinite()) return true;
    report(where, fmt::format("{} is not finite; give finite numbers", what));
    return false;
  }

  void check_different(const std::string& section, const std::string& kind,
                       const std::vector<std::string>& names) {
    std::unordered_set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) {
        report(section + "." + name,
               fmt::format("{} '{}': another {} has the same name; rename one of them", kind, name,
                           kind));
      }
    }
  }

  void check_initial_once() {
    std::unordered_set<std::string> seen;
    for (const InitialState& state : model_.initial) {
      if (!seen.insert(state.body).second) {
        report("initial." + state.body,
               fmt::format("initial '{}' is given twice; keep one of them", state.body));
      }
    }
  }

  void check_body(const Body& body) {
    const std::string path = "bodies." + body.name;
    if (body.name == kGround) report(path, "'ground' is the fixed world; choose another name");
    if (!(body.mass > 0.0) || !std::isfinite(body.mass)) {
      report(path + ".mass", fmt::format("body '{}': mass is {}, it must be positive and finite; "
                                         "give its mass in kg",
                                         body.name, body.mass));
    }
    check_finite(path + ".center", fmt::format("body '{}': center", body.name), body.center);
    check_finite(path + ".position", fmt::format("body '{}': position", body.name),
                 body.pose.position);
    if (body.kind == BodyKind::point) {
      if (!body.center.isZero()) {
        report(path + ".center", fmt::format("point mass '{}': a point has its mass at its origin; "
                                             "remove center",
                                             body.name));
      }
      return;
    }
    if (model_.planar) {
      if (!(body.inertia(2, 2) > 0.0) || !std::isfinite(body.inertia(2, 2))) {
        report(path + ".inertia", fmt::format("body '{}': inertia is {}, it must be positive; give "
                                              "the moment of inertia about the centre of mass in "
                                              "kg m^2, or make it a point (type: point)",
                                              body.name, body.inertia(2, 2)));
      }
      return;
    }
    check_inertia(path, body);
  }

  void check_inertia(const std::string& path, const Body& body) {
    if (!body.inertia.allFinite()) {
      report(path + ".inertia", fmt::format("body '{}': inertia is not finite", body.name));
      return;
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(body.inertia);
    const Vec3 principal = eigen.eigenvalues();
    if (!(principal[0] > 0.0)) {
      report(path + ".inertia",
             fmt::format("body '{}': inertia is not positive definite (principal moments {:.6g}, "
                         "{:.6g}, {:.6g}); all three must be positive",
                         body.name, principal[0], principal[1], principal[2]));
    } else if (principal[0] + principal[1] < principal[2] * (1.0 - 1e-9)) {
      report(path + ".inertia",
             fmt::format("body '{}': no real body has the principal moments {:.6g}, {:.6g}, {:.6g}: "
                         "the largest must not exceed the sum of the other two; check the order "
                         "Ixx, Iyy, Izz, Ixy, Ixz, Iyz and the units kg m^2",
                         body.name, principal[0], principal[1], principal[2]));
    }
  }

  bool known_body(const std::string& where, const std::string& owner, const std::string& name) {
    if (name == kGround || body_set_.contains(name)) return true;
    std::string message = fmt::format("{}: unknown body '{}'", owner, name);
    if (const auto near = near_miss(name, body_names_)) {
      message += fmt::format("; did you mean '{}'?", *near);
    } else {
      message += "; name a body of this file or 'ground'";
    }
    report(where, message);
    return false;
  }

  const Joint* known_joint(const std::string& where, const std::string& owner,
                           const std::string& name) {
    const auto found = joint_index_.find(name);
    if (found != joint_index_.end()) return &model_.joints[found->second];
    std::string message = fmt::format("{}: unknown joint '{}'", owner, name);
    if (const std::string hint = coordinate_hint(name); !hint.empty()) {
      message += hint;
    } else if (const auto near = near_miss(name, joint_names_)) {
      message += fmt::format("; did you mean '{}'?", *near);
    }
    report(where, message);
    return nullptr;
  }

  void check_joint(const Joint& joint) {
    const std::string path = "joints." + joint.name;
    const std::string owner = fmt::format("joint '{}'", joint.name);
    bool known = true;
    for (const Attachment& on : joint.on) {
      known &= known_body(path + ".between", owner, on.body);
      check_finite(path + ".at", owner + ": attachment point", on.point);
      if (!on.frame.allFinite() || std::abs(on.frame.determinant() - 1.0) > 1e-9) {
        report(path + ".axis", owner + ": axis has zero length; give a nonzero vector");
      }
    }
    if (!known) return;
    if (joint.on[0].body == joint.on[1].body) {
      report(path + ".between", fmt::format("{}: connects '{}' to itself; name two different bodies",
                                            owner, joint.on[0].body));
    }
    if (joint.name == kGround) {
      report(path, owner + ": 'ground' is the fixed world; choose another name");
    }
    if (body_set_.contains(joint.name)) {
      report(path, fmt::format("{}: a body has the same name; rename one of them", owner));
    }
    check_axes(path, owner, joint);
    check_joint_type(path, owner, joint);
    check_drive(path, owner, joint);
    check_coordinates(path + ".coordinates", owner, joint);
  }

  /// Rotation of a body at the start.
  Mat3 start_rotation(const std::string& name) const {
    if (name == kGround) return Mat3::Identity();
    const auto given = start_rotations_.find(name);
    if (given != start_rotations_.end()) return math::rotation_matrix(given->second);
    return math::rotation_matrix(model_.bodies[body_index_.at(name)].pose.rotation);
  }

  /// The equations of an aligned joint hold for opposite axes, too: assembly would go to the nearer
  /// of both, so the start must tell which is meant.
  void check_axes(const std::string& path, const std::string& owner, const Joint& joint) {
    const bool aligned = joint.type == JointType::revolute || joint.type == JointType::prismatic ||
                         joint.type == JointType::cylindrical ||
                         joint.type == JointType::planar || joint.type == JointType::screw;
    if (model_.planar || !aligned || points_.contains(joint.on[0].body) ||
        points_.contains(joint.on[1].body)) {
      return;
    }
    const Vec3 first = start_rotation(joint.on[0].body) * joint.on[0].frame.col(2);
    const Vec3 second = start_rotation(joint.on[1].body) * joint.on[1].frame.col(2);
    const double cosine = first.dot(second);
    if (cosine >= 0.0) return;
    report(path + ".axis",
           fmt::format("{}: its axes on '{}' and '{}' are {:.0f} degrees apart at the start; reverse "
                       "one of them, or turn a body so that they point the same way",
                       owner, joint.on[0].body, joint.on[1].body,
                       std::acos(std::max(-1.0, cosine)) * 180.0 / std::numbers::pi));
  }

  void check_joint_type(const std::string& path, const std::string& owner, const Joint& joint) {
    const JointType type = joint.type;
    if (model_.planar && (type == JointType::spherical || type == JointType::universal ||
                          type == JointType::cylindrical || type == JointType::planar ||
                          type == JointType::screw)) {
      report(path + ".type",
             fmt::format("{}: a {} joint has no meaning in the plane; use revolute, prismatic, "
                         "fixed or distance",
                         owner, name_of(type)));
    }
    const bool points_only = type == JointType::distance || type == JointType::spherical ||
                             type == JointType::free || type == JointType::surface ||
                             (model_.planar && type == JointType::revolute);
    for (const Attachment& on : joint.on) {
      if (!points_.contains(on.body)) continue;
      if (type == JointType::surface && &on == &joint.on[0]) {
        report(path + ".between",
               fmt::format("{}: '{}' is a point mass and has no surface; name the body with the "
                           "surface first",
                           owner, on.body));
      } else if (!points_only) {
        report(path + ".between",
               fmt::format("{}: '{}' is a point mass and cannot carry a {} joint; use {} or make it "
                           "a rigid body",
                           owner, on.body, name_of(type),
                           model_.planar ? "revolute or distance" : "spherical or distance"));
      } else if (!on.point.isZero()) {
        report(path + ".at", fmt::format("{}: '{}' is a point mass; joints attach at its origin",
                                         owner, on.body));
      }
    }
    if (type == JointType::distance && !(joint.length > 0.0)) {
      report(path + ".length",
             fmt::format("{}: length is {}, it must be positive; give the length of the bar, or "
                         "points that are apart in the reference pose (for a zero distance use a {} "
                         "joint)",
                         owner, joint.length, model_.planar ? "revolute" : "spherical"));
    }
    if (type == JointType::screw && (joint.pitch == 0.0 || !std::isfinite(joint.pitch))) {
      report(path + ".pitch",
             fmt::format("{}: pitch is {}, it must be finite and not zero; give the displacement "
                         "per turn in m (without one use a revolute joint)",
                         owner, joint.pitch));
    }
    if (joint.height) check_height(path + ".height", owner, *joint.height);
  }

  void check_height(const std::string& path, const std::string& owner, const Expression& height) {
    for (const std::string& name : height.variables()) {
      if (name == "x" || (name == "y" && !model_.planar)) continue;
      report(path, fmt::format("{}: height depends on '{}'; it is a function of {}", owner, name,
                               model_.planar ? "x" : "x and y"));
    }
    if (const auto kink = height.kink()) {
      report(path, fmt::format("{}: height uses {}, which has no second derivative everywhere; use "
                               "smooth functions, as sqrt(x^2 + 1e-6) for abs(x)",
                               owner, kink->function));
    }
  }

  void check_drive(const std::string& path, const std::string& owner, const Joint& joint) {
    if (!joint.drive) return;
    const bool rotates =
        joint.type != JointType::universal && has_freedom(joint.type, Freedom::angle);
    const bool slides = has_freedom(joint.type, Freedom::displacement);
    const bool fits = joint.drive->is_rotation() ? rotates : slides;
    if (!fits) {
      report(path + ".drive",
             fmt::format("{}: a {} joint has no {} to drive; drive an angle of a revolute or a "
                         "displacement of a prismatic joint",
                         owner, name_of(joint.type),
                         joint.drive->is_rotation() ? "angle" : "displacement"));
    }
  }

  /// What to say of a name that is no joint but a joint's coordinate, or nothing.
  std::string coordinate_hint(const std::string& name) const {
    if (problems_.size() >= kMaxNearMisses) return {};
    for (const Joint& joint : model_.joints) {
      for (const JointCoordinate& c : joint.coordinates) {
        if (c.name == name) return fmt::format("; it is a coordinate: name its joint '{}'", joint.name);
      }
    }
    return {};
  }

  void check_coordinates(const std::string& path, const std::string& owner, const Joint& joint) {
    for (const JointCoordinate& c : joint.coordinates) {
      if (!has(joint, c.freedom)) {
        report(path, fmt::format("{}: a {} joint has no {}{}; {}", owner, name_of(joint.type),
                                 name_of(c.freedom),
                                 !has_freedom(joint.type, c.freedom) ? ""
                                 : model_.planar                     ? " in the plane"
                                                                     : " in space",
                                 free_motions(joint)));
      }
      if (c.name == kGround) {
        report(path, fmt::format("{}: 'ground' is the fixed world; give its {} another name", owner,
                                 name_of(c.freedom)));
      } else if (body_set_.contains(c.name) || joint_index_.contains(c.name) ||
                 !coordinate_names_.insert(c.name).second) {
        report(path, fmt::format("{}: the name '{}' is taken; give its {} another", owner, c.name,
                                 name_of(c.freedom)));
      }
    }
  }

  /// What a joint's coordinates may be, in words.
  std::string free_motions(const Joint& joint) const {
    std::string words;
    for (const Freedom freedom : freedoms(joint.type, model_.planar)) {
      words += (words.empty() ? "it has " : " and ") + std::string(name_of(freedom));
    }
    return words.empty() ? "no single number describes its motion" : words;
  }

  /// Whether the joint has the freedom, in the plane or in space.
  bool has(const Joint& joint, Freedom freedom) const {
    const std::vector<Freedom> all = freedoms(joint.type, model_.planar);
    return std::find(all.begin(), all.end(), freedom) != all.end();
  }

  void check_points(const std::string& path, const std::string& owner, const PointOnBody& point) {
    if (!known_body(path, owner, point.body)) return;
    check_finite(path, owner + ": attachment point", point.point);
    if (points_.contains(point.body) && !point.point.isZero()) {
      report(path, fmt::format("{}: '{}' is a point mass; forces attach at its origin", owner,
                               point.body));
    }
  }

  void check_not_negative(const std::string& where, const std::string& owner,
                          std::string_view what, double value) {
    if (value >= 0.0 && std::isfinite(value)) return;
    report(where + "." + std::string(what),
           fmt::format("{}: {} is {}, it must not be negative", owner, what, value));
  }

  void check_force(const Spring& spring) {
    const std::string path = "forces." + spring.name;
    const std::string owner = fmt::format("spring '{}'", spring.name);
    for (const PointOnBody& end : spring.between) check_points(path + ".between", owner, end);
    if (spring.between[0].body == spring.between[1].body) {
      report(path + ".between",
             fmt::format("{}: both ends are on '{}'; it would do nothing", owner,
                         spring.between[0].body));
    }
    check_not_negative(path, owner, "stiffness", spring.stiffness);
    check_not_negative(path, owner, "damping", spring.damping);
    check_not_negative(path, owner, "length", spring.length);
  }

  void check_force(const JointSpring& spring) {
    const std::string path = "forces." + spring.name;
    const std::string owner = fmt::format("spring '{}'", spring.name);
    check_free_coordinate(path, owner, spring.joint, spring.freedom);
    check_not_negative(path, owner, "stiffness", spring.stiffness);
    check_not_negative(path, owner, "damping", spring.damping);
  }

  void check_force(const JointLoad& load) {
    check_free_coordinate("forces." + load.name, fmt::format("load '{}'", load.name), load.joint,
                          load.freedom);
  }

  void check_free_coordinate(const std::string& path, const std::string& owner,
                             const std::string& name, std::optional<Freedom> wanted) {
    const Joint* joint = known_joint(path + ".joint", owner, name);
    if (!joint) return;
    std::vector<Freedom> all = freedoms(joint->type);
    if (model_.planar) std::erase(all, Freedom::second_displacement);
    if (!wanted && all.size() == 1) wanted = all.front();
    if (!wanted && !all.empty()) {
      report(path + ".joint", fmt::format("{}: joint '{}' is {}; say on which freedom it acts, {}",
                                          owner, name, name_of(joint->type),
                                          free_motions(*joint)));
    } else if (!wanted || std::find(all.begin(), all.end(), *wanted) == all.end()) {
      report(path + (wanted ? ".freedom" : ".joint"),
             fmt::format("{}: joint '{}' is {}; {}", owner, name, name_of(joint->type),
                         free_motions(*joint)));
    } else if (*wanted == Freedom::direction && !joint->coordinate(*wanted)) {
      report(path + ".joint",
             fmt::format("{}: joint '{}' is distance; {}", owner, name,
                         model_.planar ? "name the direction of its line first, as in coordinates: "
                                         "{direction: phi}"
                                       : free_motions(*joint)));
    }
  }

  void check_force(const AppliedForce& force) {
    const std::string owner = fmt::format("force '{}'", force.name);
    check_points("forces." + force.name + ".at", owner, force.at);
    check_acts_on_body("forces." + force.name, owner, force.at.body);
  }

  void check_force(const AppliedTorque& torque) {
    const std::string path = "forces." + torque.name;
    const std::string owner = fmt::format("torque '{}'", torque.name);
    if (!known_body(path + ".body", owner, torque.body)) return;
    check_acts_on_body(path, owner, torque.body);
    if (points_.contains(torque.body)) {
      report(path + ".body", fmt::format("{}: '{}' is a point mass, which cannot take a torque",
                                         owner, torque.body));
    }
  }

  void check_not_negative(const std::string& where, const std::string& owner,
                          std::string_view what, const Vec3& value) {
    for (int k = 0; k < 3; ++k) check_not_negative(where, owner, what, value[k]);
  }

  void check_positive(const std::string& where, const std::string& owner, std::string_view what,
                      double value) {
    if (value > 0.0 && std::isfinite(value)) return;
    report(where + "." + std::string(what),
           fmt::format("{}: {} is {}, it must be positive", owner, what, value));
  }

  void check_force(const Bushing& bushing) {
    const std::string path = "forces." + bushing.name;
    const std::string owner = fmt::format("bushing '{}'", bushing.name);
    const bool turns =
        !bushing.rotational_stiffness.isZero() || !bushing.rotational_damping.isZero();
    for (const Attachment& on : bushing.on) {
      check_points(path + ".at", owner, {on.body, on.point});
      if (turns && points_.contains(on.body)) {
        report(path + ".rotational_stiffness",
               fmt::format("{}: '{}' is a point mass, which does not rotate; remove the rotational "
                           "stiffness and damping or make it a rigid body",
                           owner, on.body));
      }
    }
    if (bushing.on[0].body == bushing.on[1].body) {
      report(path + ".between",
             fmt::format("{}: both ends are on '{}'; it would do nothing", owner,
                         bushing.on[0].body));
    }
    check_not_negative(path, owner, "stiffness", bushing.stiffness);
    check_not_negative(path, owner, "damping", bushing.damping);
    check_not_negative(path, owner, "rotational_stiffness", bushing.rotational_stiffness);
    check_not_negative(path, owner, "rotational_damping", bushing.rotational_damping);
    check_finite(path + ".preload", owner + ": preload", bushing.preload);
  }

  void check_wheel(const std::string& path, const std::string& owner, const Wheel& wheel) {
    if (model_.planar) {
      report(path, owner + ": wheels roll in space; make the model spatial");
    }
    if (!known_body(path + ".body", owner, wheel.body)) return;
    check_acts_on_body(path, owner, wheel.body);
    if (points_.contains(wheel.body)) {
      report(path + ".body",
             fmt::format("{}: '{}' is a point mass, which cannot roll; make it a rigid body", owner,
                         wheel.body));
    }
    check_finite(path + ".at", owner + ": centre", wheel.center);
    if (!wheel.axis.allFinite() || wheel.axis.isZero(0.0)) {
      report(path + ".axis", owner + ": axis has zero length; give a nonzero vector");
    }
  }

  void check_force(const Tyre& tyre) {
    const std::string path = "forces." + tyre.name;
    const std::string owner = fmt::format("tyre '{}'", tyre.name);
    check_wheel(path, owner, tyre.wheel);
    check_positive(path, owner, "radius", tyre.radius);
    check_positive(path, owner, "stiffness", tyre.stiffness);
    check_not_negative(path, owner, "damping", tyre.damping);
    check_not_negative(path, owner, "longitudinal_stiffness", tyre.longitudinal_stiffness);
    check_not_negative(path, owner, "lateral_stiffness", tyre.lateral_stiffness);
    check_not_negative(path, owner, "friction", tyre.friction);
    check_positive(path, owner, "slow_speed", tyre.slow_speed);
    if (!(tyre.shape >= 1.0 && tyre.shape < 2.0)) {
      report(path + ".magic_shape",
             fmt::format("{}: magic_shape is {}, it must be at least 1 and less than 2", owner,
                         tyre.shape));
    }
  }

  void check_force(const Creep& creep) {
    const std::string path = "forces." + creep.name;
    const std::string owner = fmt::format("creep '{}'", creep.name);
    check_wheel(path, owner, creep.wheel);
    check_positive(path, owner, "load", creep.load);
    check_positive(path, owner, "friction", creep.friction);
    check_not_negative(path, owner, "f11", creep.f11);
    check_not_negative(path, owner, "f22", creep.f22);
    check_not_negative(path, owner, "f23", creep.f23);
    check_not_negative(path, owner, "f33", creep.f33);
    check_positive(path, owner, "slow_speed", creep.slow_speed);
  }

  void check_acts_on_body(const std::string& path, const std::string& owner,
                          const std::string& body) {
    if (body == kGround) report(path + ".body", owner + ": acts on the ground; name a body");
  }

  void check_initial(const InitialState& state) {
    const std::string path = "initial." + state.body;
    if (state.body == kGround || !known_body(path, "initial", state.body)) {
      if (state.body == kGround) report(path, "the ground has no initial state");
      return;
    }
    if (points_.contains(state.body) &&
        (state.rotation || state.angle || state.angular_velocity)) {
      report(path, fmt::format("initial '{}': a point mass has no rotation", state.body));
    }
  }

  void check_output(const Output& output) {
    const std::string path = "outputs." + output.name;
    const std::string owner = fmt::format("output '{}'", output.name);
    switch (output.quantity) {
      case Quantity::position:
      case Quantity::velocity:
      case Quantity::acceleration:
        known_body(path, owner, output.object);
        break;
      case Quantity::angular_velocity:
        if (!joint_index_.contains(output.object)) known_body(path, owner, output.object);
        break;
      case Quantity::reaction_force:
      case Quantity::reaction_torque:
        known_joint(path, owner, output.object);
        break;
      case Quantity::angle:
        if (model_.planar && body_set_.contains(output.object)) break;
        [[fallthrough]];
      case Quantity::angular_speed:
      case Quantity::speed:
      case Quantity::displacement:
        check_joint_output(path, owner, output);
        break;
      case Quantity::kinetic_energy:
      case Quantity::potential_energy:
      case Quantity::energy:
        break;
    }
  }

  void check_joint_output(const std::string& path, const std::string& owner,
                          const Output& output) {
    const Joint* joint = known_joint(path, owner, output.object);
    if (!joint) return;
    if (const auto freedom = freedom_of(output, joint->type)) {
      const bool named = *freedom != Freedom::direction || joint->coordinate(*freedom);
      if (named && !(model_.planar && *freedom == Freedom::second_displacement)) return;
    }
    const bool turns = has_freedom(joint->type, Freedom::angle);
    const bool slides = has_freedom(joint->type, Freedom::displacement);
    report(path, fmt::format("{}: joint '{}' is {} and has no such coordinate; {}", owner,
                             output.object, name_of(joint->type),
                             turns && slides ? "it has angle, angular_speed, displacement and speed"
                             : turns         ? "it has angle and angular_speed"
                             : slides        ? "it has displacement and speed"
                                             : "watch its bodies or its reaction instead"));
  }

  const Model& model_;
  std::vector<std::string> body_names_, joint_names_;
  std::unordered_set<std::string> body_set_, points_, coordinate_names_;
  std::unordered_map<std::string, int> joint_index_, body_index_;
  std::unordered_map<std::string, Quaternion> start_rotations_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> validate(const Model& model) { return Validator(model).run(); }

}  // namespace daedal::model
