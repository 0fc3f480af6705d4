// One test per message: what a sound model becomes when one thing is broken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/build_model.hpp"

namespace daedal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using model::JointType;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

model::Model sound(bool planar) {
  model::Model model;
  model.planar = planar;
  model.bodies.push_back(rigid("arm", 1.0, {1.0, 1.0, 1.5}, Vec3::Zero()));
  model.bodies.push_back(rigid("hand", 1.0, {1.0, 1.0, 1.5}, {1.0, 0.0, 0.0}));
  model.bodies.push_back(point_mass("dot", 1.0, {2.0, 0.0, 0.0}));
  add_joint(model, "hinge", JointType::revolute, "ground", "arm", Vec3::Zero());
  add_joint(model, "slide", JointType::prismatic, "arm", "hand", Vec3::Zero());
  add_distance(model, "rope", "hand", Vec3::Zero(), "dot", Vec3::Zero(), 1.0);
  return model;
}

void expect_only(const model::Model& model, const std::string& where, const std::string& message) {
  const std::vector<model::Problem> problems = model::validate(model);
  ASSERT_EQ(problems.size(), 1u) << model::ModelError(problems).what();
  EXPECT_EQ(problems[0].where, where);
  EXPECT_THAT(problems[0].message, HasSubstr(message));
}

model::JointSpring joint_spring(std::string joint) {
  model::JointSpring spring;
  spring.name = "s";
  spring.joint = std::move(joint);
  return spring;
}

TEST(Validate, AcceptsASoundModel) {
  EXPECT_THAT(model::validate(sound(true)), IsEmpty());
  EXPECT_THAT(model::validate(sound(false)), IsEmpty());
}

TEST(Validate, WantsBodies) { expect_only({}, "bodies", "the model has no bodies"); }

TEST(Validate, WantsFiniteGravity) {
  model::Model m = sound(false);
  m.gravity.x() = kNan;
  expect_only(m, "gravity", "gravity is not finite");
}

TEST(Validate, KeepsTheNameOfTheGround) {
  model::Model m = sound(false);
  m.bodies.push_back(rigid("ground", 1.0, {1.0, 1.0, 1.0}, Vec3::Zero()));
  expect_only(m, "bodies.ground", "'ground' is the fixed world");
}

TEST(Validate, WantsPositiveMass) {
  for (const double mass : {0.0, -1.0, kNan, std::numeric_limits<double>::infinity()}) {
    model::Model m = sound(false);
    m.bodies[0].mass = mass;
    expect_only(m, "bodies.arm.mass", "it must be positive and finite");
  }
}

TEST(Validate, WantsFiniteCenter) {
  model::Model m = sound(false);
  m.bodies[0].center.y() = kNan;
  expect_only(m, "bodies.arm.center", "center is not finite");
}

TEST(Validate, WantsFinitePosition) {
  model::Model m = sound(false);
  m.bodies[0].pose.position.y() = kNan;
  expect_only(m, "bodies.arm.position", "position is not finite");
}

TEST(Validate, WantsPointMassesWithoutCenter) {
  model::Model m = sound(false);
  m.bodies[2].center.x() = 0.1;
  expect_only(m, "bodies.dot.center", "a point has its mass at its origin");
}

TEST(Validate, WantsPositivePlanarInertia) {
  model::Model m = sound(true);
  m.bodies[0].inertia(2, 2) = 0.0;
  expect_only(m, "bodies.arm.inertia", "it must be positive");
}

TEST(Validate, WantsFiniteInertia) {
  model::Model m = sound(false);
  m.bodies[0].inertia(0, 1) = kNan;
  expect_only(m, "bodies.arm.inertia", "inertia is not finite");
}

TEST(Validate, WantsPositiveDefiniteInertia) {
  model::Model m = sound(false);
  m.bodies[0].inertia(0, 0) = -1.0;
  expect_only(m, "bodies.arm.inertia", "not positive definite");
}

TEST(Validate, WantsTheTriangleInequalityOfInertia) {
  model::Model m = sound(false);
  m.bodies[0].inertia(2, 2) = 3.0;
  expect_only(m, "bodies.arm.inertia", "no real body has the principal moments");
}

TEST(Validate, WantsBodiesOfDifferentNames) {
  model::Model m = sound(false);
  m.bodies.push_back(m.bodies[1]);
  expect_only(m, "bodies.hand", "another body has the same name");
}

TEST(Validate, WantsJointsOfDifferentNames) {
  model::Model m = sound(false);
  m.joints.push_back(m.joints[2]);
  expect_only(m, "joints.rope", "another joint has the same name");
}

TEST(Validate, SuggestsTheBodyThatWasMeant) {
  model::Model m = sound(false);
  m.joints[0].on[1].body = "amr";
  expect_only(m, "joints.hinge.between", "unknown body 'amr'; did you mean 'arm'?");
  m.joints[0].on[1].body = "something_else";
  expect_only(m, "joints.hinge.between", "name a body of this file or 'ground'");
}

TEST(Validate, WantsFiniteAttachments) {
  model::Model m = sound(false);
  m.joints[0].on[1].point.x() = kNan;
  expect_only(m, "joints.hinge.at", "attachment point is not finite");
}

TEST(Validate, WantsAnAxis) {
  model::Model m = sound(false);
  m.joints[0].on[1].frame.setZero();
  expect_only(m, "joints.hinge.axis", "axis has zero length");
}

TEST(Validate, WantsTwoDifferentBodies) {
  model::Model m = sound(false);
  m.joints[1].on[1].body = "arm";
  expect_only(m, "joints.slide.between", "connects 'arm' to itself");
}

TEST(Validate, WantsJointsNamedUnlikeBodies) {
  model::Model m = sound(false);
  m.joints[1].name = "hand";
  expect_only(m, "joints.hand", "a body has the same name");
}

TEST(Validate, WantsPlanarJointsInThePlane) {
  for (const JointType type :
       {JointType::spherical, JointType::universal, JointType::cylindrical, JointType::planar,
        JointType::screw}) {
    model::Model m = sound(true);
    m.joints[0].type = type;
    m.joints[0].pitch = 1.0;
    expect_only(m, "joints.hinge.type", "has no meaning in the plane");
  }
}

TEST(Validate, WantsPointMassesOnJointsWithoutAxes) {
  model::Model m = sound(false);
  m.joints[2].type = JointType::fixed;
  expect_only(m, "joints.rope.between", "is a point mass and cannot carry a fixed joint");
}

TEST(Validate, WantsJointsAtTheOriginOfPointMasses) {
  model::Model m = sound(false);
  m.joints[2].on[1].point.x() = 0.1;
  expect_only(m, "joints.rope.at", "joints attach at its origin");
}

TEST(Validate, WantsScrewsWithAPitch) {
  model::Model m = sound(false);
  m.joints[0].type = JointType::screw;
  expect_only(m, "joints.hinge.pitch", "pitch is 0");
  m.joints[0].pitch = kNan;
  expect_only(m, "joints.hinge.pitch", "must be finite");
}

TEST(Validate, WantsSmoothHeightsOfPlaces) {
  model::Model m = sound(true);
  m.joints[0].type = JointType::surface;
  m.joints[0].height = math::Expression::parse("x + y");
  expect_only(m, "joints.hinge.height", "height depends on 'y'; it is a function of x");
  m.planar = false;
  EXPECT_THAT(model::validate(m), IsEmpty());
  m.joints[0].height = math::Expression::parse("step(x)");
  expect_only(m, "joints.hinge.height", "height uses step");
}

TEST(Validate, WantsSurfacesOnBodies) {
  model::Model m = sound(false);
  m.joints[2].type = JointType::surface;
  EXPECT_THAT(model::validate(m), IsEmpty());
  std::swap(m.joints[2].on[0], m.joints[2].on[1]);
  expect_only(m, "joints.rope.between", "has no surface; name the body with the surface first");
}

TEST(Validate, WantsATreeOfJointsThatMustCarry) {
  model::Model m = sound(false);
  m.joints[2].tree = true;
  expect_only(m, "joints.rope.tree", "a distance joint cannot carry a body");
  m.joints[2].tree = false;
  add_joint(m, "place", JointType::free, "ground", "hand", Vec3::Zero());
  EXPECT_THAT(model::validate(m), IsEmpty());
  m.joints[0].tree = m.joints[1].tree = true;
  expect_only(m, "joints.place.tree", "closes a loop with 'slide', 'hinge'");
  m.joints[3].tree = false;
  EXPECT_THAT(model::validate(m), IsEmpty());
}

TEST(Validate, WantsPositiveDistances) {
  model::Model m = sound(false);
  m.joints[2].length = 0.0;
  expect_only(m, "joints.rope.length", "it must be positive");
}

TEST(Validate, WantsDrivesAlongFreeCoordinates) {
  model::Model m = sound(false);
  m.joints[0].drive = drive(model::Drive::Kind::displacement, "t");
  expect_only(m, "joints.hinge.drive", "has no displacement to drive");
  m = sound(false);
  m.joints[1].drive = drive(model::Drive::Kind::angular_speed, "t");
  expect_only(m, "joints.slide.drive", "has no angle to drive");
}

TEST(Validate, WantsSpringsBetweenTwoBodies) {
  model::Model m = sound(false);
  m.forces.push_back(model::Spring{
      "s", {{{"arm", Vec3::Zero()}, {"arm", Vec3::UnitX()}}}, 1.0, 0.0, 0.0});
  expect_only(m, "forces.s.between", "both ends are on 'arm'");
}

TEST(Validate, WantsForcesOnKnownBodies) {
  model::Model m = sound(false);
  m.forces.push_back(model::Spring{
      "s", {{{"ground", Vec3::Zero()}, {"hnad", Vec3::Zero()}}}, 1.0, 0.0, 0.0});
  expect_only(m, "forces.s.between", "did you mean 'hand'?");
}

TEST(Validate, WantsForcesAtTheOriginOfPointMasses) {
  model::Model m = sound(false);
  m.forces.push_back(model::Spring{
      "s", {{{"ground", Vec3::Zero()}, {"dot", Vec3::UnitX()}}}, 1.0, 0.0, 0.0});
  expect_only(m, "forces.s.between", "forces attach at its origin");
}

TEST(Validate, WantsNoNegativeConstantsOfSprings) {
  for (int k = 0; k < 3; ++k) {
    model::Model m = sound(false);
    model::Spring spring{"s", {{{"ground", Vec3::Zero()}, {"arm", Vec3::Zero()}}}, 1.0, 1.0, 1.0};
    (k == 0 ? spring.stiffness : k == 1 ? spring.damping : spring.length) = -1.0;
    m.forces.push_back(spring);
    expect_only(m, k == 0   ? "forces.s.stiffness"
                   : k == 1 ? "forces.s.damping"
                            : "forces.s.length",
                "it must not be negative");
  }
  model::Model m = sound(false);
  model::JointSpring spring = joint_spring("hinge");
  spring.damping = -1.0;
  m.forces.push_back(spring);
  expect_only(m, "forces.s.damping", "it must not be negative");
}

TEST(Validate, SuggestsTheJointThatWasMeant) {
  model::Model m = sound(false);
  m.forces.push_back(joint_spring("hnige"));
  expect_only(m, "forces.s.joint", "unknown joint 'hnige'; did you mean 'hinge'?");
}

TEST(Validate, WantsLoadsOnJointsWithOneCoordinate) {
  model::Model m = sound(false);
  m.forces.push_back(joint_spring("rope"));
  expect_only(m, "forces.s.joint", "no single number describes its motion");
  m.forces[0] = model::JointLoad{"s", "rope", math::Expression::constant(1.0)};
  expect_only(m, "forces.s.joint", "no single number describes its motion");
}

TEST(Validate, WantsAppliedLoadsOnBodies) {
  model::Model m = sound(false);
  model::AppliedForce force;
  force.name = "push";
  m.forces.push_back(force);
  expect_only(m, "forces.push.body", "acts on the ground");
  model::AppliedTorque torque;
  torque.name = "twist";
  torque.body = "ground";
  m.forces[0] = torque;
  expect_only(m, "forces.twist.body", "acts on the ground");
  torque.body = "dot";
  m.forces[0] = torque;
  expect_only(m, "forces.twist.body", "cannot take a torque");
}

TEST(Validate, WantsInitialStatesOfKnownBodies) {
  model::Model m = sound(false);
  m.initial.push_back(moving("ground", Vec3::Zero(), Vec3::Zero()));
  expect_only(m, "initial.ground", "the ground has no initial state");
  m.initial[0].body = "amr";
  expect_only(m, "initial.amr", "did you mean 'arm'?");
}

TEST(Validate, WantsNoRotationOfPointMasses) {
  model::Model m = sound(false);
  m.initial.push_back(moving("dot", Vec3::Zero(), Vec3::UnitX()));
  expect_only(m, "initial.dot", "a point mass has no rotation");
}

TEST(Validate, WantsOneInitialStatePerBody) {
  model::Model m = sound(false);
  m.initial.push_back(moving("arm", Vec3::Zero(), Vec3::Zero()));
  m.initial.push_back(moving("arm", Vec3::UnitX(), Vec3::Zero()));
  expect_only(m, "initial.arm", "is given twice");
}

model::Output output(model::Quantity quantity, std::string object) {
  model::Output out;
  out.name = "o";
  out.quantity = quantity;
  out.object = std::move(object);
  return out;
}

TEST(Validate, WantsOutputsOfKnownObjects) {
  model::Model m = sound(false);
  m.outputs.push_back(output(model::Quantity::position, "amr"));
  expect_only(m, "outputs.o", "unknown body");
  m.outputs[0] = output(model::Quantity::reaction_force, "hnge");
  expect_only(m, "outputs.o", "unknown joint");
}

TEST(Validate, WantsOutputsThatExist) {
  model::Model m = sound(false);
  m.outputs.push_back(output(model::Quantity::angle, "slide"));
  expect_only(m, "outputs.o", "has no such coordinate");
  m.outputs[0] = output(model::Quantity::displacement, "hinge");
  expect_only(m, "outputs.o", "has no such coordinate; it has angle and angular_speed");
  m.outputs[0] = output(model::Quantity::angular_speed, "slide");
  expect_only(m, "outputs.o", "has no such coordinate; it has displacement and speed");
  m.outputs[0] = output(model::Quantity::speed, "rope");
  expect_only(m, "outputs.o", "has no such coordinate; watch its bodies or its reaction");
}

TEST(Validate, ReportsEverythingAtOnce) {
  model::Model m = sound(false);
  m.bodies[0].mass = 0.0;
  m.joints[2].length = -1.0;
  const std::vector<model::Problem> problems = model::validate(m);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(model::ModelError(problems).what(), HasSubstr("bodies.arm.mass: "));
  EXPECT_THAT(model::ModelError(problems).what(), HasSubstr("\njoints.rope.length: "));
}

TEST(JointNames, RoundTrip) {
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::spherical, JointType::universal,
        JointType::cylindrical, JointType::fixed, JointType::distance, JointType::free,
        JointType::surface, JointType::planar, JointType::screw}) {
    EXPECT_EQ(model::joint_type(model::name_of(type)), type);
  }
  EXPECT_EQ(model::joint_type("weld"), std::nullopt);
}

}  // namespace
}  // namespace daedal::testing
