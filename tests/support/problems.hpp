#pragma once

#include <functional>

#include "daedal/coordinates/mechanism.hpp"
#include "support/build_model.hpp"
#include "support/consistent_start.hpp"
#include "support/maxwell_pendulum.hpp"
#include "support/squeezer.hpp"

namespace daedal::testing {

/// An initial value problem for the shared suites.
struct Problem {
  std::string name;
  std::shared_ptr<const system::ConstrainedSystem> system;
  integrate::State start;
  double end = 1.0;
  int steps = 100;  // of the coarsest run of a convergence study
};

inline Problem problem_of(std::string name, const model::Model& model, double end, int steps) {
  coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  Problem out;
  out.name = std::move(name);
  out.start = consistent_start(*mechanism.system, 0.0, mechanism.initial.q, mechanism.initial.v,
                               mechanism.initial.x);
  out.system = std::move(mechanism.system);
  out.end = end;
  out.steps = steps;
  return out;
}

/// The same in joint coordinates.
inline Problem joint_problem_of(std::string name, const model::Model& model, double end, int steps) {
  coordinates::Mechanism absolute = coordinates::make_absolute(model);
  coordinates::Mechanism mechanism =
      coordinates::make_joint(model, absolute, {absolute.initial.q, absolute.initial.v});
  Problem out;
  out.name = std::move(name);
  out.start = consistent_start(*mechanism.system, 0.0, mechanism.initial.q, mechanism.initial.v,
                               mechanism.initial.x);
  out.system = std::move(mechanism.system);
  out.end = end;
  out.steps = steps;
  return out;
}

/// Point mass on a massless rod of length 1 m in the plane, started at an angle from below.
inline model::Model point_pendulum_model(double angle, double omega) {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(point_mass("bob", 1.0, {std::sin(angle), -std::cos(angle), 0.0}));
  add_distance(model, "rod", "ground", Vec3::Zero(), "bob", Vec3::Zero(), 1.0);
  model::InitialState start;
  start.body = "bob";
  start.velocity = omega * Vec3(std::cos(angle), std::sin(angle), 0.0);
  model.initial.push_back(start);
  return model;
}

/// Rigid body on a hinge in the plane, its centre of mass at distance 0.8 m.
inline model::Model rigid_pendulum_model(double angle, double omega) {
  const Vec3 radial(std::sin(angle), -std::cos(angle), 0.0);
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(planar_rigid("bob", 1.5, 0.4, 0.8 * radial, angle));
  add_joint(model, "hinge", model::JointType::revolute, "ground", "bob", Vec3::Zero());
  model.initial.push_back(moving("bob", 0.8 * omega * Vec3(-radial.y(), radial.x(), 0.0),
                                 omega * Vec3::UnitZ()));
  return model;
}

inline const Vec3 kTopInertia(0.234375, 0.234375, 0.1875);
inline constexpr double kTopMass = 1.5, kTopLength = 0.6;
inline const Vec3 kTopSpin(0.8, -1.1, 18.0);  // in the body's axes [rad/s]
inline const Quaternion kTopRotation = math::exp_so3({0.6, 0.3, 0.0});

/// A top on a fixed point, its axis z tilted, precessing and nutating.
inline model::Model heavy_top_model() {
  const Mat3 R = math::rotation_matrix(kTopRotation);
  const Vec3 arm = kTopLength * R.col(2), omega = R * kTopSpin;
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("top", kTopMass, kTopInertia, arm, kTopRotation));
  add_joint(model, "tip", model::JointType::spherical, "ground", "top", Vec3::Zero());
  model.initial.push_back(moving("top", omega.cross(arm), omega));
  return model;
}

/// Two links in the plane; a motor prescribes the speed of the first.
inline model::Model speed_driven_model() {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(planar_rigid("crank", 1.0, 0.1, {0.5, 0.0, 0.0}));
  model.bodies.push_back(planar_rigid("arm", 0.8, 0.07, {1.0, -0.4, 0.0}));
  add_joint(model, "motor", model::JointType::revolute, "ground", "crank", Vec3::Zero()).drive =
      drive(model::Drive::Kind::angular_speed, "2 + sin(5*t)");
  add_joint(model, "elbow", model::JointType::revolute, "crank", "arm", {1.0, 0.0, 0.0});
  model.initial.push_back(moving("crank", {0.0, 1.0, 0.0}, {0.0, 0.0, 2.0}));
  // The arm turns with -1 rad/s about the elbow, which moves with (0, 2).
  model.initial.push_back(moving("arm", {-0.4, 2.0, 0.0}, {0.0, 0.0, -1.0}));
  return model;
}

/// In space: a sliding speed and an angular speed are prescribed, and a body hangs on a ball joint.
inline model::Model spatial_speed_driven_model() {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("slider", 1.2, {0.1, 0.12, 0.15}, Vec3::Zero()));
  model.bodies.push_back(rigid("rotor", 0.9, {0.08, 0.1, 0.07}, {0.3, 0.1, 0.0}));
  model.bodies.push_back(rigid("pendulum", 0.7, {0.03, 0.04, 0.02}, {0.3, 0.4, -0.3}));
  add_joint(model, "rail", model::JointType::prismatic, "ground", "slider", Vec3::Zero(),
            frame_with_z({1.0, 0.3, 0.2}))
      .drive = drive(model::Drive::Kind::speed, "sin(4*t)");
  add_joint(model, "motor", model::JointType::revolute, "slider", "rotor", {0.2, 0.0, 0.0},
            frame_with_z({0.2, 1.0, 0.5}))
      .drive = drive(model::Drive::Kind::angular_speed, "3*t");
  add_joint(model, "ball", model::JointType::spherical, "rotor", "pendulum", {0.3, 0.4, 0.0});
  const Vec3 omega(1.0, -0.5, 2.0);
  model.initial.push_back(moving("pendulum", omega.cross(Vec3(0.0, 0.0, -0.3)), omega));
  return model;
}

/// In space: a motor prescribes an angle; a second body on a universal joint, a third on a slider
/// with a spring.
inline model::Model angle_driven_model() {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("rotor", 1.2, {0.1, 0.12, 0.15}, {0.2, 0.0, 0.0}));
  model.bodies.push_back(rigid("swing", 0.9, {0.08, 0.1, 0.07}, {0.5, 0.1, -0.3}));
  model.bodies.push_back(rigid("ring", 0.4, {0.02, 0.03, 0.02}, {0.5, 0.1, -0.5}));
  add_joint(model, "motor", model::JointType::revolute, "ground", "rotor", Vec3::Zero(),
            frame_with_z({0.2, 0.4, 1.0}))
      .drive = drive(model::Drive::Kind::angle, "0.5*(1 - cos(4*t))");
  add_joint(model, "cross", model::JointType::universal, "rotor", "swing", {0.5, 0.1, 0.0},
            frame_with_z({1.0, 0.2, 0.0}));
  add_joint(model, "guide", model::JointType::cylindrical, "swing", "ring", {0.5, 0.1, -0.5},
            frame_with_z({0.1, 0.0, 1.0}));
  model.forces.push_back(model::Spring{
      "spring", {{{"swing", Vec3::Zero()}, {"ring", Vec3(0.05, 0.0, 0.0)}}}, 60.0, 0.5, 0.25});
  return model;
}

/// In space: hinges with torsional springs, whose turns are counted by states.
inline model::Model joint_spring_model() {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("upper", 1.0, {0.05, 0.06, 0.02}, {0.0, 0.0, -0.25}));
  model.bodies.push_back(rigid("lower", 0.8, {0.04, 0.05, 0.02}, {0.0, 0.0, -0.75}));
  add_joint(model, "shoulder", model::JointType::revolute, "ground", "upper", Vec3::Zero(),
            frame_with_z({0.3, 1.0, 0.0}));
  add_joint(model, "elbow", model::JointType::revolute, "upper", "lower", {0.0, 0.0, -0.5},
            frame_with_z({1.0, 0.2, 0.3}));
  model.forces.push_back(model::JointSpring{"shoulder_spring", "shoulder", 5.0, 0.3, 1.0});
  model.forces.push_back(model::JointSpring{"elbow_spring", "elbow", 3.0, 0.1, -0.7});
  return model;
}

inline Problem squeezer_problem(double end, int steps) {
  Problem out;
  out.name = "Squeezer";
  out.system = std::make_shared<Squeezer>();
  out.start =
      consistent_start(*out.system, 0.0, Squeezer::initial_q(), std::vector<double>(7, 0.0));
  out.end = end;
  out.steps = steps;
  return out;
}

inline Problem maxwell_problem() {
  Problem out;
  out.name = "MaxwellPendulum";
  out.system = std::make_shared<MaxwellPendulum>();
  const double angle = 0.9, omega = 1.5;
  out.start = consistent_start(*out.system, 0.0, {std::sin(angle), -std::cos(angle)},
                               {omega * std::cos(angle), omega * std::sin(angle)}, {0.05, 0.2});
  out.steps = 100;
  return out;
}

/// A chain of links on hinges whose axes alternate, hanging from the ground, started sideways.
inline model::Model spatial_chain_model(int links) {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  for (int i = 0; i < links; ++i) {
    const double x = 0.1 * i;
    model.bodies.push_back(rigid("link" + std::to_string(i), 0.2, {1e-4, 2e-4, 2e-4},
                                 {x + 0.05, 0.0, 0.0}));
    add_joint(model, "hinge" + std::to_string(i), model::JointType::revolute,
              i == 0 ? "ground" : "link" + std::to_string(i - 1), "link" + std::to_string(i),
              {x, 0.0, 0.0}, frame_with_z(i % 2 ? Vec3(0.0, 0.3, 1.0) : Vec3(0.0, 1.0, 0.2)));
  }
  return model;
}

/// Links along a half circle in the plane, both ends on the ground, with springs between two of them
/// and on a hinge.
inline model::Model arch_model(int links) {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  const auto point = [&](int i) {
    const double angle = 3.141592653589793 * i / links;
    return Vec3(-std::cos(angle), std::sin(angle), 0.0);
  };
  const auto name = [](int i) { return i < 0 ? "ground" : "link" + std::to_string(i); };
  for (int i = 0; i < links; ++i) {
    model.bodies.push_back(planar_rigid(name(i), 0.3, 2e-3, 0.5 * (point(i) + point(i + 1))));
    add_joint(model, "hinge" + std::to_string(i), model::JointType::revolute, name(i - 1), name(i),
              point(i));
  }
  add_joint(model, "foot", model::JointType::revolute, name(links - 1), "ground", point(links));
  model.forces.push_back(model::Spring{
      "spring", {{{name(2), Vec3::Zero()}, {name(links - 3), Vec3(0.0, 0.02, 0.0)}}}, 40.0, 0.8,
      0.4});
  model.forces.push_back(model::JointSpring{"hinge_spring", "hinge3", 2.0, 0.1, 0.2});
  return model;
}

/// Bodies on ball joints in space.
inline model::Model ball_chain_model(int links) {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  for (int i = 0; i < links; ++i) {
    const double x = 0.2 * i;
    const std::string name = "link" + std::to_string(i);
    model.bodies.push_back(rigid(name, 0.2, {1e-3, 1.2e-3, 1.5e-3}, {x + 0.1, 0.02, 0.01}));
    add_joint(model, "ball" + std::to_string(i), model::JointType::spherical,
              i == 0 ? "ground" : "link" + std::to_string(i - 1), name, {x, 0.0, 0.0});
  }
  return model;
}

using ProblemMaker = std::function<Problem()>;

/// The problems of the convergence studies.
inline const std::vector<std::pair<std::string, ProblemMaker>>& convergence_problems() {
  static const std::vector<std::pair<std::string, ProblemMaker>> problems{
      {"PointPendulum", [] { return problem_of("", point_pendulum_model(1.2, 0.7), 1.0, 100); }},
      {"RigidPendulum", [] { return problem_of("", rigid_pendulum_model(1.2, 0.7), 1.0, 100); }},
      {"HeavyTop", [] { return problem_of("", heavy_top_model(), 0.5, 100); }},
      {"Squeezer", [] { return squeezer_problem(0.008, 100); }},
      {"SpeedDriven", [] { return problem_of("", speed_driven_model(), 0.8, 80); }},
      {"SpatialSpeedDriven",
       [] { return problem_of("", spatial_speed_driven_model(), 0.6, 100); }},
      {"AngleDriven", [] { return problem_of("", angle_driven_model(), 0.6, 100); }},
      {"JointSpring", [] { return problem_of("", joint_spring_model(), 0.6, 100); }},
      {"MaxwellPendulum", [] { return maxwell_problem(); }},
  };
  return problems;
}

}  // namespace daedal::testing
