// Constraints that contradict each other, or depend on each other, on the way of a run.
#include <gmock/gmock.h>

#include <cmath>

#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using simulate::Status;
using Kind = model::Drive::Kind;

/// A door on two hinges, each with a motor.
model::Model door(Kind lower, const char* lower_law, Kind upper, const char* upper_law) {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("door", 40.0, {13.0, 16.0, 3.0}, {0.45, 0.0, 1.0}));
  add_joint(model, "lower", model::JointType::revolute, "ground", "door", {0.0, 0.0, 0.2}).drive =
      drive(lower, lower_law);
  add_joint(model, "upper", model::JointType::revolute, "ground", "door", {0.0, 0.0, 1.8}).drive =
      drive(upper, upper_law);
  model.outputs.push_back(output("angle", model::Quantity::angle, "lower"));
  return model;
}

/// A crank of length 1 m on the ground, a coupler, and a rocker of 1 m at (1.5, 0); the crank is driven
/// from an angle of 1.2 rad by 2 rad/s.
model::Model four_bar(double coupler) {
  const Vec3 crank(std::cos(1.2), std::sin(1.2), 0.0), ground(1.5, 0.0, 0.0);
  const Vec3 diagonal = ground - crank;
  const double reach = diagonal.norm(), along = (reach * reach + coupler * coupler - 1.0) / (2.0 * reach);
  const Vec3 towards = diagonal / reach, across(-towards.y(), towards.x(), 0.0);
  const Vec3 tip = crank + along * towards + std::sqrt(coupler * coupler - along * along) * across;
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(planar_rigid("a", 1.0, 0.1, 0.5 * crank));
  model.bodies.push_back(planar_rigid("b", 1.0, 0.1, 0.5 * (crank + tip)));
  model.bodies.push_back(planar_rigid("c", 1.0, 0.1, 0.5 * (ground + tip)));
  add_joint(model, "A", model::JointType::revolute, "ground", "a", Vec3::Zero()).drive =
      drive(Kind::angle, "2*t");
  add_joint(model, "B", model::JointType::revolute, "a", "b", crank);
  add_joint(model, "C", model::JointType::revolute, "b", "c", tip);
  add_joint(model, "D", model::JointType::revolute, "ground", "c", ground);
  return model;
}

TEST(Contradiction, OfDrivesEndsTheRunWhereItBegins) {
  struct Case {
    model::Model model;
    const char* drive;
  };
  const Case cases[] = {
      {door(Kind::angle, "t", Kind::angular_speed, "1+t^2"), "upper.drive"},
      {door(Kind::angle, "t", Kind::angle, "t+t^3"), "upper"},
      {door(Kind::angular_speed, "1", Kind::angular_speed, "1+t^2"), "upper.drive"},
      {door(Kind::angle, "t", Kind::angle, "t+max(t-0.5,0)^4"), "upper"}};
  for (const char* method : {"generalized-alpha", "midpoint"}) {
    for (const Case& c : cases) {
      KeptRows rows;
      simulate::RunOptions options;
      options.recorder = &rows;
      simulate::Settings s = settings(5.0, 5e-3);
      s.method = method;
      s.tolerance = 1e-6;
      const simulate::Summary summary = simulate::run(c.model, s, options);
      EXPECT_EQ(summary.status, Status::conflicting_constraints) << c.drive << " " << method;
      EXPECT_THAT(summary.message, AllOf(HasSubstr(c.drive), HasSubstr("lower")));
      EXPECT_LT(summary.time, 0.6);
      EXPECT_LT(summary.max_position_violation, 1e-5);
      EXPECT_TRUE(rows.ended);
      EXPECT_NEAR(rows.outputs["angle"].back(), rows.time.back(), 1e-5);
      // A smaller step cannot help.
      EXPECT_THAT(summary.warnings, Not(Contains(HasSubstr("half the step"))));
    }
  }
}

/// A rod on three parallel cranks; the outer ones have a motor each.
model::Model three_cranks(const char* first, const char* last) {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(planar_rigid("rod", 1.0, 0.1, {1.0, 1.0, 0.0}));
  for (int k = 0; k < 3; ++k) {
    const std::string crank = "crank" + std::to_string(k);
    const Vec3 foot(k, 0.0, 0.0), tip(k, 1.0, 0.0);
    model.bodies.push_back(planar_rigid(crank, 1.0, 0.1, 0.5 * (foot + tip)));
    model::Joint& lower = add_joint(model, "low" + std::to_string(k), model::JointType::revolute,
                                    "ground", crank, foot);
    if (k != 1) lower.drive = drive(Kind::angle, k == 0 ? first : last);
    add_joint(model, "high" + std::to_string(k), model::JointType::revolute, crank, "rod", tip);
  }
  return model;
}

// Drives that part slowly stop the iteration before a step leaves joints open.
TEST(Contradiction, ThatStopsTheIterationIsNamedByTheFailure) {
  for (const char* method : {"generalized-alpha", "newmark", "midpoint"}) {
    simulate::Settings s = settings(2.0, 1e-3);
    s.method = method;
    s.tolerance = 1e-6;
    const simulate::Summary summary = simulate::run(three_cranks("2*t", "2*t+0.1*t^3"), s);
    EXPECT_EQ(summary.status, Status::conflicting_constraints) << method << ": " << summary.message;
    EXPECT_THAT(summary.message, AllOf(HasSubstr("contradicted by"), HasSubstr("low0")));
    EXPECT_LT(summary.time, 0.1);
    EXPECT_EQ(simulate::run(three_cranks("2*t", "t+t"), s).status, Status::done) << method;
  }
}

TEST(Contradiction, IsNotSeenInDrivesThatAgree) {
  for (const char* method : {"generalized-alpha", "midpoint"}) {
    simulate::Settings s = settings(2.0, 5e-3);
    s.method = method;
    s.tolerance = 1e-6;
    for (const model::Model& model :
         {door(Kind::angle, "t+sin(t)^2", Kind::angle, "t+0.5-0.5*cos(2*t)"),
          door(Kind::angle, "sin(t)", Kind::angular_speed, "cos(t)"),
          door(Kind::angular_speed, "1+t", Kind::angular_speed, "1+t")}) {
      const simulate::Summary summary = simulate::run(model, s);
      EXPECT_EQ(summary.status, Status::done) << method << ": " << summary.message;
      EXPECT_EQ(summary.rejected_steps, 0);
    }
  }
}

TEST(SingularPosition, ThatADrivePassesIsReportedWithTimeAndJoints) {
  // A parallelogram is flat where the crank's angle is pi, and 2 pi.
  for (const double h : {1e-3, 3e-3, 1e-2}) {
    simulate::Settings s = settings(3.0, h);
    s.tolerance = 1e-6;
    const simulate::Summary summary = simulate::run(four_bar(1.5), s);
    EXPECT_EQ(summary.status, Status::done) << summary.message;
    ASSERT_EQ(summary.warnings.size(), 1u) << h;
    EXPECT_THAT(summary.warnings[0], AllOf(HasSubstr("Near t = 0.97"), HasSubstr("A, B, C and D"),
                                           HasSubstr("follow near t = 2.54")));
    EXPECT_THAT(summary.constraint_verdict, HasSubstr("singular position"));
  }
}

TEST(SingularPosition, InWhichTheMechanismLocksIsNamedByTheFailure) {
  simulate::Settings s = settings(3.0, 1e-3);
  s.tolerance = 1e-6;
  const simulate::Summary summary = simulate::run(four_bar(1.7), s);
  EXPECT_NE(summary.status, Status::done);
  EXPECT_NEAR(summary.time, 2.3402, 1e-3);
  EXPECT_THAT(summary.message, AllOf(HasSubstr("singular position"), HasSubstr("A, B, C and D")));
  EXPECT_THAT(summary.warnings, Not(Contains(HasSubstr("half the step"))));
}

TEST(SingularPosition, CrossedBySearchForTheStartDoesNotCount) {
  // Assembly starts from the flat position; from where it ends the run passes 0.97 s as any other.
  model::Model model = four_bar(1.5);
  for (model::Body& body : model.bodies) body.pose = {};
  model.bodies[0].pose.position = {0.5, 0.0, 0.0};
  model.bodies[1].pose.position = {1.75, 0.0, 0.0};
  model.bodies[2].pose.position = {2.0, 0.0, 0.0};
  model.joints.clear();
  add_joint(model, "A", model::JointType::revolute, "ground", "a", Vec3::Zero()).drive =
      drive(Kind::angle, "1.2+2*t");
  add_joint(model, "B", model::JointType::revolute, "a", "b", {1.0, 0.0, 0.0});
  add_joint(model, "C", model::JointType::revolute, "b", "c", {2.5, 0.0, 0.0});
  add_joint(model, "D", model::JointType::revolute, "ground", "c", {1.5, 0.0, 0.0});
  simulate::Settings s = settings(1.5, 1e-3);
  s.tolerance = 1e-6;
  const simulate::Summary summary = simulate::run(model, s);
  EXPECT_EQ(summary.status, Status::done) << summary.message;
  EXPECT_EQ(summary.rejected_steps, 0);
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("singular position of A, B, C and D")));
}

TEST(LightAndHeavyBodies, DoNotMakeIndependentConstraintsContradict) {
  for (const auto& [mass, inertia] : {std::pair{1.0, 0.1}, {1.0, 1e-7}, {1e6, 0.1}, {1e-6, 0.1}}) {
    for (const bool flat : {false, true}) {  // from a flat guess assembly crosses singular positions
      model::Model model;
      model.gravity = {0.0, 0.0, -9.81};
      model.bodies.push_back(rigid("crank", 1.0, {0.01, 0.1, 0.1}, {0.25, 0.0, 0.0}));
      model.bodies.push_back(rigid("rod", mass, {inertia, inertia, inertia}, {0.85, 0.15, 0.3}));
      model.bodies.push_back(rigid("rocker", 1.0, {0.01, 0.1, 0.1}, {1.2, 0.3, 0.5}));
      add_joint(model, "R1", model::JointType::revolute, "ground", "crank", Vec3::Zero());
      add_joint(model, "S1", model::JointType::spherical, "crank", "rod", {0.5, 0.0, 0.0});
      add_joint(model, "S2", model::JointType::spherical, "rod", "rocker", {1.2, 0.3, 0.8});
      add_joint(model, "R2", model::JointType::revolute, "ground", "rocker", {1.2, 0.3, 0.2},
                frame_with_z(Vec3(0.3, 1.0, 0.0).normalized()));
      if (flat) model.joints[2].on[0].point.z() -= 0.3;
      const simulate::Summary summary = simulate::run(model, settings(0.2, 1e-3));
      EXPECT_EQ(summary.status, Status::done)
          << mass << " " << inertia << " " << flat << " " << summary.message;
      EXPECT_FALSE(summary.redundant);
    }
  }
}

// A slider-crank in line whose hinges repeat each other, its rod between bodies of 1e6 kg.
TEST(LightAndHeavyBodies, AreNamedWhereTheyShareALoadAndNotTakenForAContradiction) {
  const Mat3 about_y = frame_with_z(Vec3::UnitY()), along_x = frame_with_z(Vec3::UnitX());
  const auto outcome = [&](double heavy, double light) {
    model::Model model;
    model.gravity = {0.0, 0.0, -9.81};
    const double big = 1e-3 * heavy, small = 1e-3 * light;
    model.bodies.push_back(rigid("crank", heavy, {big, big, big}, {0.1, 0.0, 0.0}));
    model.bodies.push_back(rigid("rod", light, {small, small, small}, {0.5, 0.0, 0.0}));
    model.bodies.push_back(rigid("slider", 1.0, {1e-3, 1e-3, 1e-3}, {0.8, 0.0, 0.0}));
    add_joint(model, "A", model::JointType::revolute, "ground", "crank", Vec3::Zero(), about_y);
    add_joint(model, "B", model::JointType::revolute, "crank", "rod", {0.2, 0.0, 0.0}, about_y);
    add_joint(model, "C", model::JointType::revolute, "rod", "slider", {0.8, 0.0, 0.0});
    add_joint(model, "D", model::JointType::prismatic, "ground", "slider", {0.8, 0.0, 0.0}, along_x);
    return simulate::run(model, settings(0.01, 1e-3));
  };
  EXPECT_EQ(outcome(1.0, 1.0).status, Status::done);
  const simulate::Summary summary = outcome(1e6, 1e-6);
  EXPECT_EQ(summary.status, Status::singular_matrix);
  EXPECT_THAT(summary.message, AllOf(HasSubstr("constraints of A, B, C and D repeat each other"),
                                     HasSubstr("masses differ too much")));
}

// A lid whose hinges are out of line; reactions become larger than double precision tells.
TEST(NearlyDependentConstraints, AreNamedByTheFailureAndByTheWarning) {
  const auto outcome = [](double offset) {
    model::Model model;
    model.gravity = {0.0, 0.0, -9.81};
    model.bodies.push_back(rigid("lid", 2.0, {0.1, 0.1, 0.2}, {0.5, 0.0, 0.0}));
    const Mat3 about_y = frame_with_z(Vec3::UnitY());
    add_joint(model, "left", model::JointType::revolute, "ground", "lid", {0.0, -0.3, 0.0},
              about_y);
    add_joint(model, "right", model::JointType::revolute, "ground", "lid", {offset, 0.3, 0.0},
              about_y);
    return simulate::run(model, settings(0.01, 1e-3));
  };
  const simulate::Summary start = outcome(3e-5), step = outcome(1e-6);
  EXPECT_EQ(start.status, Status::singular_matrix);
  EXPECT_THAT(start.message, AllOf(HasSubstr("left and right are nearly dependent, to 2.1e-05"),
                                   Not(HasSubstr("masses"))));
  EXPECT_EQ(step.status, Status::newton_diverged);
  EXPECT_THAT(step.message, HasSubstr("left and right are nearly dependent, to 7.0e-07"));
  const simulate::Summary bent = outcome(5e-4), clear = outcome(1e-2);
  EXPECT_EQ(bent.status, Status::done);
  EXPECT_THAT(bent.warnings, Contains(HasSubstr("left and right are nearly dependent")));
  EXPECT_EQ(clear.status, Status::done);
  EXPECT_THAT(clear.warnings, IsEmpty());
}

}  // namespace
}  // namespace daedal::testing
