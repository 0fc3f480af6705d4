#include "daedal/io/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>
#include <variant>

#include <fmt/format.h>
#include "io/temporary_folder.hpp"

namespace daedal::io {
namespace {

using math::Mat3;
using math::Vec3;
using testing::ElementsAre;

ModelFile planar(const std::string& rest, std::vector<std::string> overrides = {}) {
  return parse_model("daedal: 1\nplanar: true\n" + rest, "m.yaml", overrides);
}
ModelFile spatial(const std::string& rest) {
  return parse_model("daedal: 1\n" + rest, "m.yaml");
}

constexpr const char* kTwoBodies = R"(
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 3], rotation: {axis: [0, 0, 1], angle: pi/2}}
)";

MATCHER_P2(IsNear, expected, tolerance, "") {
  return (arg - expected).norm() <= tolerance;
}

/// Frame of an attachment in the world, in the reference pose.
Mat3 world_frame(const model::Model& model, const model::Attachment& on) {
  const int body = model.find_body(on.body);
  if (body < 0) return on.frame;
  return math::rotation_matrix(model.bodies[body].pose.rotation) * on.frame;
}

TEST(ModelFile, KeepsItsTextAndOverrides) {
  const std::string text = "daedal: 1\nplanar: true\nbodies: {a: {mass: 1, inertia: 1}}\n";
  const std::vector<std::string> overrides{"bodies.a.mass=3", "simulate.step=1e-4"};
  const ModelFile file = parse_model(text, "m.yaml", overrides);
  EXPECT_EQ(file.text, text);
  EXPECT_EQ(file.overrides, overrides);
  EXPECT_EQ(file.model.bodies[0].mass, 3.0);
  EXPECT_EQ(file.settings.step, 1e-4);
}

TEST(ModelFile, StudiesAreToldFromModelFiles) {
  try {
    parse_model("study: 1\ntitle: A\nmodel: pendulum\n", "s.yaml", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("s.yaml:1:8: this is a study, not a model file"));
  }
}
TEST(ModelFile, ParametersReferToEachOtherInAnyOrder) {
  const ModelFile file = planar(
      "parameters: {area: pi*r^2, r: d/2, d: 4}\nbodies: {a: {mass: area, inertia: 1e-3*area}}\n");
  EXPECT_DOUBLE_EQ(file.parameters.at("area"), 4.0 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(file.model.bodies[0].mass, 4.0 * std::numbers::pi);
}

TEST(ModelFile, SpatialInertiaIsReadInTheOrderOfTheDocumentation) {
  const ModelFile file = spatial("bodies: {a: {mass: 1, inertia: [4, 5, 6, 0.1, 0.2, 0.3]}}\n");
  Mat3 expected;
  expected << 4, 0.1, 0.2, 0.1, 5, 0.3, 0.2, 0.3, 6;
  EXPECT_EQ(file.model.bodies[0].inertia, expected);
}

TEST(ModelFile, RotationsInTheirThreeForms) {
  const ModelFile file = spatial(R"(
bodies:
  a: {mass: 1, inertia: [1, 1, 1], rotation: {axis: [0, 0, 2], angle: pi/2}}
  b: {mass: 1, inertia: [1, 1, 1], rotation: {quaternion: [0.70710678, 0, 0, 0.70710678]}}
  c: {mass: 1, inertia: [1, 1, 1], rotation: {x: [0, 5, 0], z: [0, 0, 1]}}
  d: {mass: 1, inertia: [1, 1, 1], rotation: {y: [-1, 0, 0], z: [0, 0, 1]}}
)");
  Mat3 quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (const model::Body& body : file.model.bodies) {
    EXPECT_THAT(math::rotation_matrix(body.pose.rotation), IsNear(quarter, 1e-15)) << body.name;
  }
}

TEST(ModelFile, DensityGivesMassCentreAndInertiaOfAShape) {
  const ModelFile file = spatial(R"(
bodies:
  box: {density: 10, shape: {type: box, size: [1, 2, 3], center: [1, 0, 0]}}
  ball: {density: 10, shape: {type: sphere, radius: 2}}
  rod: {density: 10, shape: {type: cylinder, from: [0, 0, 0], to: [0, 3, 4], radius: 0.1}}
)");
  const auto& [box, ball, rod] = std::tie(file.model.bodies[0], file.model.bodies[1],
                                          file.model.bodies[2]);
  EXPECT_DOUBLE_EQ(box.mass, 60.0);
  EXPECT_EQ(box.center, Vec3(1, 0, 0));
  EXPECT_THAT(box.inertia, IsNear(Mat3(Vec3(65, 50, 25).asDiagonal()), 1e-12));
  EXPECT_DOUBLE_EQ(ball.mass, 10.0 * 4.0 / 3.0 * std::numbers::pi * 8.0);
  EXPECT_DOUBLE_EQ(ball.inertia(1, 1), 0.4 * ball.mass * 4.0);
  const Vec3 n(0, 0.6, 0.8);
  EXPECT_DOUBLE_EQ(rod.mass, 10.0 * std::numbers::pi * 0.01 * 5.0);
  EXPECT_NEAR(n.dot(rod.inertia * n), 0.5 * rod.mass * 0.01, 1e-12);
  EXPECT_NEAR(rod.inertia(0, 0), rod.mass * (0.03 + 25.0) / 12.0, 1e-12);
  EXPECT_THAT(rod.center, IsNear(Vec3(0, 1.5, 2), 1e-15));
}

TEST(ModelFile, WorldGivenJointHasCoincidingFramesInTheReferencePose) {
  const model::Model model = spatial(std::string(kTwoBodies) + R"(
joints:
  hinge: {type: revolute, between: [a, b], at: [1, 1, 1], axis: [0, 3, 4]}
)").model;
  const auto& [on_a, on_b] = model.joints[0].on;
  EXPECT_EQ(on_a.point, Vec3(1, 1, 1));
  EXPECT_THAT(on_b.point, IsNear(Vec3(-1, 0, -2), 1e-15));
  EXPECT_THAT(world_frame(model, on_a).col(2), IsNear(Vec3(0, 0.6, 0.8), 1e-15));
  EXPECT_THAT(world_frame(model, on_b), IsNear(world_frame(model, on_a), 1e-15));
  EXPECT_NEAR(on_b.frame.determinant(), 1.0, 1e-15);
}

TEST(ModelFile, FramesOfTheCoordinateAxesAreTheCoordinateAxesInTurn) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = Vec3::Unit(k);
    const model::Model model =
        spatial(std::string(kTwoBodies) +
                fmt::format("joints: {{j: {{type: revolute, between: [ground, a], at: [0, 0, 0], "
                            "axis: [{}, {}, {}]}}}}\n",
                            axis[0], axis[1], axis[2]))
            .model;
    Mat3 expected;
    expected << Vec3::Unit((k + 1) % 3), Vec3::Unit((k + 2) % 3), axis;
    EXPECT_EQ(model.joints[0].on[0].frame, expected);
  }
}

TEST(ModelFile, BodyGivenAxesHaveAngleZeroInTheReferencePoseIfParallelThere) {
  // x of b is y of the world.
  const model::Model model = spatial(std::string(kTwoBodies) + R"(
joints:
  parallel: {type: revolute, between: [a, b], at: [0, 0, 0], axis: {a: [0, 1, 0], b: [1, 0, 0]}}
  apart: {type: revolute, between: [a, b], at: [0, 0, 0], axis: {a: [0, 0, 1], b: [0, 0.6, 0.8]}}
)").model;
  const auto frames = [&](int j) {
    return std::pair(world_frame(model, model.joints[j].on[0]),
                     world_frame(model, model.joints[j].on[1]));
  };
  EXPECT_THAT(frames(0).second, IsNear(frames(0).first, 1e-15));
  EXPECT_THAT(model.joints[1].on[1].frame.col(2), IsNear(Vec3(0, 0.6, 0.8), 1e-15));
  // The smallest rotation that aligns the axes does not turn about them.
  const Mat3 turn = frames(1).second * frames(1).first.transpose();
  const Vec3 vector(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  EXPECT_NEAR(vector.dot(frames(1).first.col(2)), 0.0, 1e-15);
}

TEST(ModelFile, AxesThatPointAgainstEachOtherAreRefused) {
  EXPECT_THROW(spatial(std::string(kTwoBodies) + R"(
joints:
  opposite: {type: revolute, between: [a, b], at: [0, 0, 0], axis: {a: [0, 1, 0], b: [-1, 0, 0]}}
)"),
               InputError);
}

TEST(ModelFile, PlanarSlideRunsAlongItsFramesX) {
  const model::Model model = planar(R"(
bodies: {a: {mass: 1, inertia: 1, angle: pi/2}}
joints: {slide: {type: prismatic, between: [ground, a], at: [0, 0], axis: [0, 2]}}
)").model;
  EXPECT_EQ(model.joints[0].on[0].frame.col(0), Vec3(0, 1, 0));
  EXPECT_EQ(model.joints[0].on[0].frame.col(1), Vec3(-1, 0, 0));
  EXPECT_EQ(model.joints[0].on[0].frame.col(2), Vec3(0, 0, 1));
  EXPECT_THAT(model.joints[0].on[1].frame.col(0), IsNear(Vec3(1, 0, 0), 1e-15));
}

TEST(ModelFile, CrossOfAUniversalJointIsZOfTheFirstAndXOfTheSecond) {
  const model::Model model = spatial(std::string(kTwoBodies) + R"(
joints: {cross: {type: universal, between: [a, b], at: [0, 0, 0], axes: [[2, 0, 0], [0, 0, 1]]}}
)").model;
  EXPECT_THAT(world_frame(model, model.joints[0].on[0]).col(2), IsNear(Vec3(1, 0, 0), 1e-15));
  EXPECT_THAT(world_frame(model, model.joints[0].on[1]).col(0), IsNear(Vec3(0, 0, 1), 1e-15));
}

TEST(ModelFile, LengthsDefaultToTheReferencePose) {
  const model::Model model = planar(R"(
bodies: {a: {mass: 1, inertia: 1, position: [3, 4]}}
joints: {bar: {type: distance, between: [ground, a], at: {ground: [0, 0], a: [0, 0]}}}
forces: {spring: {type: spring, between: [[ground, [3, 0]], [a, [0, 0]]], stiffness: 1}}
)").model;
  EXPECT_DOUBLE_EQ(model.joints[0].length, 5.0);
  EXPECT_DOUBLE_EQ(std::get<model::Spring>(model.forces[0]).length, 4.0);
}

TEST(ModelFile, DistanceJointsHoldOriginsWhereNoPointIsGiven) {
  const model::Model model = planar(R"(
bodies: {a: {mass: 1, inertia: 1, position: [3, 4]}}
joints:
  bar: {type: distance, between: [ground, a]}
  rope: {type: distance, between: [ground, a], at: {ground: [3, 0]}}
  rod: {type: distance, between: [ground, a], length: 7}
)").model;
  EXPECT_DOUBLE_EQ(model.joints[0].length, 5.0);
  EXPECT_EQ(model.joints[0].on[1].point, Vec3(Vec3::Zero()));
  EXPECT_EQ(model.joints[1].on[0].point, Vec3(3, 0, 0));
  EXPECT_EQ(model.joints[1].on[1].point, Vec3(Vec3::Zero()));
  EXPECT_DOUBLE_EQ(model.joints[1].length, 4.0);
  EXPECT_DOUBLE_EQ(model.joints[2].length, 7.0);
}

TEST(ModelFile, DrivesAndLoadsAreFunctionsOfTime) {
  const model::Model model = planar(R"(
parameters: {omega: 2}
bodies: {a: {mass: 1, inertia: 1}}
joints: {main: {type: revolute, between: [ground, a], at: [0, 0], drive: {angle: omega*t^2}}}
forces:
  push: {type: force, body: a, at: [1, 0], value: [t, -omega], frame: body}
  turn: {type: torque, body: a, value: sin(t)}
)").model;
  EXPECT_EQ(model.joints[0].drive->motion.evaluate_jet(3.0).value, 18.0);
  const auto& push = std::get<model::AppliedForce>(model.forces[0]);
  EXPECT_EQ(push.at.point, Vec3(1, 0, 0));
  EXPECT_EQ(push.frame, model::Frame::body);
  EXPECT_EQ(push.value[0].evaluate(0.5), 0.5);
  EXPECT_EQ(push.value[1].evaluate(0.5), -2.0);
  EXPECT_EQ(push.value[2].evaluate(0.5), 0.0);
  EXPECT_EQ(std::get<model::AppliedTorque>(model.forces[1]).value[2].evaluate(0.5), std::sin(0.5));
}

TEST(ModelFile, VectorOutputsExpandToTheirComponents) {
  const model::Model model = planar(R"(
bodies: {a: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, a], at: [0, 0]}}
outputs:
  tip: {position: a, point: [1, 0]}
  spin: {angular_velocity: a}
  pin: {reaction: pin}
  moment: {reaction: pin, component: mz}
  rate: {speed: pin}
  E: {energy: kinetic}
  ay: {acceleration: a, component: y}
)").model;
  std::vector<std::string> names, units;
  for (const model::Output& output : model.outputs) {
    names.push_back(output.name);
    units.push_back(output.unit);
  }
  EXPECT_THAT(names, ElementsAre("tip.x", "tip.y", "spin", "pin.x", "pin.y", "moment", "rate", "E",
                                 "ay"));
  EXPECT_THAT(units, ElementsAre("m", "m", "rad/s", "N", "N", "N m", "rad/s", "J", "m/s^2"));
  EXPECT_EQ(model.outputs[1].point, Vec3(1, 0, 0));
  EXPECT_EQ(model.outputs[2].component, 2);
  EXPECT_EQ(model.outputs[5].quantity, model::Quantity::reaction_torque);
  EXPECT_EQ(model.outputs[5].component, 2);
  EXPECT_EQ(model.outputs[8].component, 1);
}

TEST(ModelFile, EverySettingIsReadByItsName) {
  const simulate::Settings s = planar(R"(
bodies: {a: {mass: 1, inertia: 1}}
simulate:
  {until: 2, step: 0.1, tolerance: 1e-4, output_step: auto, coordinates: absolute,
   formulation: index-3, method: hht, rho_inf: 0.5, alpha: -0.2, beta: 0.3, gamma: 0.6,
   scaling: physical, scaling_factor: 7, augmentation: 3, jacobian: grouped,
   jacobian_reuse: false, linear_solver: klu, max_iterations: 20, condition_number: true}
)").settings;
  EXPECT_EQ(s.until, 2.0);
  EXPECT_EQ(s.step, 0.1);
  EXPECT_EQ(s.tolerance, 1e-4);
  EXPECT_FALSE(s.output_step);
  EXPECT_EQ(s.coordinates, "absolute");
  EXPECT_EQ(s.formulation, "index-3");
  EXPECT_EQ(s.method, "hht");
  EXPECT_EQ(s.rho_inf, 0.5);
  EXPECT_EQ(s.alpha, -0.2);
  EXPECT_EQ(s.beta, 0.3);
  EXPECT_EQ(s.gamma, 0.6);
  EXPECT_EQ(s.scaling, "physical");
  EXPECT_EQ(s.scaling_factor, 7.0);
  EXPECT_EQ(s.augmentation, 3.0);
  EXPECT_EQ(s.jacobian, "grouped");
  EXPECT_FALSE(s.jacobian_reuse);
  EXPECT_EQ(s.linear_solver, "klu");
  EXPECT_EQ(s.max_iterations, 20);
  EXPECT_TRUE(s.condition_number);
}

TEST(ModelFile, EverySettingOfTheSchemaIsUnderstood) {
  const auto& fields = model_schema().fields;
  const auto simulate = std::ranges::find(fields, "simulate", &schema::Field::key);
  for (const schema::Field& field : simulate->objects[0].fields) {
    const std::string text = fmt::format(
        "bodies: {{a: {{mass: 1, inertia: 1}}}}\nsimulate: {{{}: {}}}\n", field.key,
        field.default_text);
    EXPECT_NO_THROW(planar(text)) << text;
  }
}

}  // namespace
}  // namespace daedal::io
