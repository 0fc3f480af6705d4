// Mechanisms of every joint move alike in both coordinates, through full turns and large angles.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using model::JointType;
using model::Quantity;
using simulate::Status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Motion {
  simulate::Summary summary;
  KeptRows rows;
};

Motion simulated(const model::Model& model, const char* coordinates, double until, double step) {
  simulate::Settings settings;
  settings.coordinates = coordinates;
  settings.until = until;
  settings.step = step;
  settings.tolerance = 1e-10;
  Motion motion;
  simulate::RunOptions options;
  options.recorder = &motion.rows;
  motion.summary = simulate::run(model, settings, options);
  return motion;
}

double largest(const std::vector<double>& values) {
  double out = 0.0;
  for (double value : values) out = std::max(out, std::abs(value));
  return out;
}

/// Outputs of a second-order method in both coordinates, at a step and at half of it: what is
/// between them is its error.
void expect_same_motion(const model::Model& model, double until, double step, double error) {
  double difference[2] = {0.0, 0.0};
  for (int k = 0; k < 2; ++k) {
    const Motion absolute = simulated(model, "absolute", until, step / (k + 1)),
                 joint = simulated(model, "joint", until, step / (k + 1));
    ASSERT_EQ(absolute.summary.status, Status::done) << absolute.summary.message;
    ASSERT_EQ(joint.summary.status, Status::done) << joint.summary.message;
    for (const auto& [name, values] : absolute.rows.outputs) {
      const std::vector<double>& other = joint.rows.outputs.at(name);
      ASSERT_EQ(values.size(), other.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        difference[k] =
            std::max(difference[k], std::abs(values[i] - other[i]) / (1.0 + std::abs(values[i])));
      }
    }
    EXPECT_LT(joint.summary.max_position_violation, 1e-8);
    EXPECT_LT(absolute.summary.max_position_violation, 1e-8);
  }
  EXPECT_LT(difference[0], error);
  EXPECT_LT(difference[1], 0.35 * difference[0] + 1e-9);
}

const Vec3 kInertia(0.4, 0.5, 0.7);

/// The velocity follows from the joints.
model::InitialState spinning(std::string body, const Vec3& angular_velocity) {
  model::InitialState state;
  state.body = std::move(body);
  state.angular_velocity = angular_velocity;
  return state;
}

TEST(JointTypes, UniversalTurnsAboutBothAxesByMoreThanATurn) {
  model::Model model;
  model.gravity = {0.0, 0.0, -2.0};
  model.bodies.push_back(rigid("swing", 1.0, kInertia, {0.1, 0.0, -0.2}));
  add_joint(model, "cross", JointType::universal, "ground", "swing", Vec3::Zero(),
            frame_with_z(Vec3::UnitY()));
  model.initial.push_back(spinning("swing", {6.0, 5.0, 0.0}));
  model.outputs = {output("first", Quantity::angle, "cross"),
                   output("second", Quantity::angle, "cross", 1),
                   output("z", Quantity::position, "swing", 2),
                   output("force", Quantity::reaction_force, "cross", 2)};
  const Motion motion = simulated(model, "joint", 3.0, 2e-3);
  EXPECT_GT(largest(motion.rows.outputs.at("first")), 2.0 * std::numbers::pi);
  EXPECT_GT(largest(motion.rows.outputs.at("second")), 2.0 * std::numbers::pi);
  expect_same_motion(model, 3.0, 2e-3, 2e-2);
}

TEST(JointTypes, BallTurnsOverAndOver) {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("bob", 1.0, kInertia, {0.3, 0.0, 0.1}));
  add_joint(model, "ball", JointType::spherical, "ground", "bob", Vec3::Zero());
  model.initial.push_back(spinning("bob", {0.5, 9.0, 4.0}));
  model.outputs = {output("x", Quantity::position, "bob", 0),
                   output("z", Quantity::position, "bob", 2),
                   output("force", Quantity::reaction_force, "ball", 2)};
  expect_same_motion(model, 3.0, 2e-3, 2e-2);
}

/// A rotor on a screw, whose swing hangs on it by a hinge across.
model::Model screw_and_swing() {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("rotor", 3.0, kInertia, Vec3::Zero()));
  model.bodies.push_back(rigid("swing", 1.0, kInertia, {0.4, 0.0, 0.0}));
  add_joint(model, "thread", JointType::screw, "ground", "rotor", Vec3::Zero()).pitch = 0.3;
  add_joint(model, "hinge", JointType::revolute, "rotor", "swing", {0.3, 0.0, 0.0},
            frame_with_z(Vec3::UnitY()));
  model.forces.push_back(model::JointSpring{"clock", "thread", 0.5, 0.02, 3.0});
  model.initial.push_back(spinning("rotor", {0.0, 0.0, 8.0}));
  model.outputs = {output("angle", Quantity::angle, "thread"),
                   output("advance", Quantity::displacement, "thread"),
                   output("speed", Quantity::speed, "thread"),
                   output("swing", Quantity::angle, "hinge"),
                   output("torque", Quantity::reaction_torque, "thread", 2)};
  return model;
}

TEST(JointTypes, ScrewCountsItsTurnsInBothCoordinates) {
  const model::Model model = screw_and_swing();
  for (const char* coordinates : {"absolute", "joint"}) {
    const Motion motion = simulated(model, coordinates, 4.0, 2e-3);
    const std::vector<double>&angle = motion.rows.outputs.at("angle"),
          &advance = motion.rows.outputs.at("advance");
    EXPECT_GT(largest(angle), 4.0 * std::numbers::pi);
    for (std::size_t i = 0; i < angle.size(); ++i) {
      EXPECT_NEAR(advance[i], 0.3 * angle[i] / (2.0 * std::numbers::pi), 1e-8);
    }
  }
  expect_same_motion(model, 4.0, 2e-3, 2e-2);
}

TEST(JointTypes, EnergyStaysWhereNothingIsLost) {
  model::Model model = screw_and_swing();
  std::get<model::JointSpring>(model.forces[0]).damping = 0.0;
  for (const char* coordinates : {"absolute", "joint"}) {
    const Motion coarse = simulated(model, coordinates, 2.0, 2e-3),
                 fine = simulated(model, coordinates, 2.0, 1e-3);
    EXPECT_LT(*fine.summary.relative_energy_error, 1e-3);
    EXPECT_LT(*fine.summary.relative_energy_error,
              0.3 * *coarse.summary.relative_energy_error + 1e-9);
  }
}

TEST(JointTypes, BodyOnATrackIsCarriedByAGuide) {
  // The guide is driven along x; the wheel, whose rims run on a wavy track, has coordinates
  // relative to it.
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("guide", 1.0, kInertia, Vec3::Zero()));
  model.bodies.push_back(rigid("wheel", 5.0, kInertia, {0.0, 0.0, 0.5}));
  add_joint(model, "lead", JointType::prismatic, "ground", "guide", Vec3::Zero(),
            frame_with_z(Vec3::UnitX()))
      .drive = drive(model::Drive::Kind::displacement, "2*t + 0.3*sin(3*t)");
  add_joint(model, "place", JointType::free, "guide", "wheel", {0.0, 0.0, 0.5});
  for (const double side : {-0.7, 0.7}) {
    model::Joint& track = add_joint(model, side < 0.0 ? "right" : "left", JointType::surface,
                                    "ground", "wheel", {0.0, side, 0.0});
    track.on[1].point = {0.0, side, -0.5};
    track.height = math::Expression::parse("0.1*sin(2*x) + 0.05*y*x + 0.2*y^2");
  }
  model.forces.push_back(model::Spring{
      "pull", {{{"guide", Vec3::Zero()}, {"wheel", {0.1, 0.0, 0.2}}}}, 300.0, 20.0, 0.6});
  model.initial.push_back(moving("wheel", {2.9, 0.0, 0.58}, Vec3::Zero()));
  model.outputs = {output("x", Quantity::position, "wheel", 0),
                   output("z", Quantity::position, "wheel", 2),
                   output("along", Quantity::displacement, "left"),
                   output("across", Quantity::displacement, "left", 1),
                   output("load", Quantity::reaction_force, "right", 2)};
  const Motion motion = simulated(model, "joint", 1.0, 1e-3);
  EXPECT_THAT(motion.summary.cut_joints, ElementsAre("right", "left"));
  expect_same_motion(model, 1.0, 1e-3, 2e-2);
}

TEST(JointTypes, TreeFollowsTheModel) {
  // Two ways to the ground: the chosen one carries.
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("a", 1.0, kInertia, {0.5, 0.0, 0.0}));
  model.bodies.push_back(rigid("b", 1.0, kInertia, {1.0, 0.0, 0.4}));
  add_joint(model, "foot", JointType::spherical, "ground", "a", Vec3::Zero());
  add_joint(model, "knee", JointType::spherical, "a", "b", {1.0, 0.0, 0.0});
  add_joint(model, "rail", JointType::planar, "ground", "b", {1.0, 0.0, 0.5},
            frame_with_z(Vec3::UnitY()));
  model.outputs = {output("x", Quantity::position, "b", 0),
                   output("z", Quantity::position, "b", 2)};
  const auto cut = [&](const char* joint, bool tree) {
    model::Model changed = model;
    changed.joints[changed.find_joint(joint)].tree = tree;
    expect_same_motion(changed, 0.3, 1e-3, 1e-3);
    return simulated(changed, "joint", 0.1, 1e-3).summary.cut_joints;
  };
  EXPECT_THAT(cut("knee", true), ElementsAre("rail"));
  EXPECT_THAT(cut("foot", false), ElementsAre("foot"));
  EXPECT_THAT(cut("rail", false), ElementsAre("rail"));
  EXPECT_THAT(cut("knee", false), ElementsAre("knee"));
}

/// Two shafts that meet at the origin, joined by a cross: the first along x, the second turned from
/// it in the x-y plane, its far end held on its line.
model::Model shafts(double bend, const Mat3& cross) {
  const Vec3 along(std::cos(bend), std::sin(bend), 0.0), across(-along.y(), along.x(), 0.0);
  model::Model model;
  model.bodies.push_back(rigid("input", 1.0, kInertia, {-0.5, 0.0, 0.0}));
  model.bodies.push_back(rigid("output", 1.0, kInertia, 0.5 * along));
  add_joint(model, "bearing", JointType::revolute, "ground", "input", {-1.0, 0.0, 0.0},
            frame_with_z(Vec3::UnitX()));
  add_joint(model, "cross", JointType::universal, "input", "output", Vec3::Zero(), cross);
  add_joint(model, "side", JointType::surface, "ground", "output", along, frame_with_z(across));
  add_joint(model, "base", JointType::surface, "ground", "output", along,
            frame_with_z(Vec3::UnitZ()));
  model.outputs = {output("in", Quantity::angle, "bearing")};
  for (int k = 0; k < 3; ++k) {
    model.outputs.push_back(
        output(std::string("pin.") + "xyz"[k], Quantity::position, "output", k));
    model.outputs.back().point = Vec3::UnitZ();
  }
  return model;
}

TEST(JointTypes, CrossBetweenShaftsFollowsHookesLaw) {
  // With the fork of the input across the plane of the shafts at first: tan(out) = tan(in)
  // cos(bend).
  constexpr double bend = 1.3;
  const Vec3 along(std::cos(bend), std::sin(bend), 0.0), across(-along.y(), along.x(), 0.0);
  Mat3 cross;
  cross << across, Vec3::UnitZ().cross(across), Vec3::UnitZ();
  model::Model model = shafts(bend, cross);
  model.joints[0].drive = drive(model::Drive::Kind::angle, "5*t");
  for (const char* coordinates : {"absolute", "joint"}) {
    Motion motion = simulated(model, coordinates, 2.0, 1e-3);
    ASSERT_EQ(motion.summary.status, Status::done) << motion.summary.message;
    auto& outputs = motion.rows.outputs;
    for (std::size_t i = 0; i < outputs["in"].size(); ++i) {
      const Vec3 pin(outputs["pin.x"][i], outputs["pin.y"][i], outputs["pin.z"][i]);
      const double in = outputs["in"][i], sine = -pin.dot(across), cosine = pin.z();
      EXPECT_NEAR(in, 5.0 * motion.rows.time[i], 1e-9);
      EXPECT_NEAR(sine * std::cos(in), cosine * std::sin(in) * std::cos(bend), 1e-7);
    }
  }
}

TEST(JointTypes, CrossBetweenShaftsAtARightAngleIsReportedWhereOneLocksTheOther) {
  // The fork of the input lies along the output: either shaft may turn alone, and then locks the
  // other.
  Mat3 cross;
  cross << -Vec3::UnitX(), Vec3::UnitZ(), Vec3::UnitY();
  for (const char* coordinates : {"absolute", "joint"}) {
    const Motion motion = simulated(shafts(0.5 * std::numbers::pi, cross), coordinates, 0.1, 1e-3);
    EXPECT_THAT(motion.summary.constraint_verdict, HasSubstr("at this position")) << coordinates;
    EXPECT_THAT(motion.summary.constraint_verdict, HasSubstr("cross")) << coordinates;
  }
}

}  // namespace
}  // namespace daedal::testing
