// Small mechanisms whose accelerations and reactions can be written down, about all three axes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "daedal/coordinates/mechanism.hpp"
#include "support/build_model.hpp"
#include "support/dense_accelerations.hpp"

namespace daedal::testing {
namespace {

using model::JointType;

/// A mechanism at its initial state, with accelerations and reactions.
struct Solved {
  explicit Solved(const model::Model& model, double t = 0.0)
      : mechanism(coordinates::make_absolute(model)), u(mechanism.system->structure().excitations) {
    const system::Structure& s = mechanism.system->structure();
    mechanism.system->excitations(t, u);
    const auto evaluator = mechanism.system->evaluator();
    const coordinates::InitialGuess& start = mechanism.initial;
    evaluator->move_to({start.q, start.v, start.x, u});
    std::vector<double> g(s.constraint_rows), rate(s.constraint_rows);
    evaluator->constraints(g);
    evaluator->constraint_rates(rate);
    for (int i = 0; i < s.constraint_rows; ++i) {
      EXPECT_LT(std::abs(g[i]), 1e-12) << s.row_name(i);
      EXPECT_LT(std::abs(rate[i]), 1e-12) << s.row_name(i);
    }
    solution = dense_accelerations(*evaluator, s);
    mechanism.observer->move_to({start.q, start.v, start.x, u}, solution.a, solution.lambda);
  }
  coordinates::Mechanism mechanism;
  std::vector<math::Jet> u;
  Accelerations solution;
};

void expect_near(const Vec3& actual, const Vec3& expected, double tolerance = 1e-10) {
  EXPECT_LT((actual - expected).norm(), tolerance)
      << actual.transpose() << " instead of " << expected.transpose();
}

constexpr double kMass = 2.0;
const Vec3 kInertia(1.1, 1.4, 1.9);

class AboutAxis : public ::testing::TestWithParam<int> {
 protected:
  int k() const { return GetParam(); }
  Vec3 axis() const { return Vec3::Unit(k()); }
  Vec3 next() const { return Vec3::Unit((k() + 1) % 3); }
  Vec3 other() const { return Vec3::Unit((k() + 2) % 3); }
};

TEST_P(AboutAxis, FreeBodyObeysEulersEquations) {
  model::Model model;
  model.bodies.push_back(rigid("body", kMass, kInertia, {1.0, 2.0, 3.0}));
  const Vec3 w(0.3, -0.7, 1.2);
  model.initial.push_back(moving("body", Vec3(1.0, 0.0, 0.0), w));
  const Solved solved(model);
  const int i = k(), j = (k() + 1) % 3, l = (k() + 2) % 3;
  const double expected = (kInertia[j] - kInertia[l]) / kInertia[i] * w[j] * w[l];
  EXPECT_NEAR(solved.solution.a[3 + i], expected, 1e-14);
  EXPECT_EQ(solved.solution.a[i], 0.0);
}

TEST_P(AboutAxis, PendulumSwingsAndIsHeld) {
  // Hinge at P about the axis, centre of mass at distance L, angle theta from the direction of
  // gravity, towards `other`.
  constexpr double L = 0.8, theta = 0.6, omega = 1.7, gravity = 9.81;
  const Vec3 P(0.4, -0.2, 0.9);
  const Vec3 down = next(), side = other();  // turning from next to other is positive about axis
  const Vec3 radial = std::cos(theta) * down + std::sin(theta) * side;
  const Vec3 tangential = -std::sin(theta) * down + std::cos(theta) * side;
  for (const bool ground_first : {true, false}) {
    model::Model model;
    model.gravity = gravity * down;
    model.bodies.push_back(
        rigid("bob", kMass, kInertia, P + L * radial, math::exp_so3(theta * axis())));
    add_joint(model, "hinge", JointType::revolute, ground_first ? "ground" : "bob",
              ground_first ? "bob" : "ground", P, frame_with_z(axis()));
    model.initial.push_back(moving("bob", omega * L * tangential, omega * axis()));
    const Solved solved(model);
    const double J = kInertia[k()] + kMass * L * L;
    const double alpha = -kMass * gravity * L * std::sin(theta) / J;
    EXPECT_NEAR(solved.solution.a[3 + k()], alpha, 1e-12);
    const Vec3 acceleration = L * (alpha * tangential - omega * omega * radial);
    const coordinates::Observer& observer = *solved.mechanism.observer;
    expect_near(observer.acceleration(0, Vec3::Zero()), acceleration);
    // The hinge lets the axis go free; the other torques vanish for a principal axis.
    const Vec3 on_bob = kMass * (acceleration - gravity * down);
    const coordinates::Wrench w = observer.reaction(0);
    expect_near(w.force, ground_first ? on_bob : Vec3(-on_bob));
    expect_near(w.torque, Vec3::Zero());
    EXPECT_NEAR(observer.joint_rate(0, model::Freedom::angle), ground_first ? omega : -omega, 1e-13);
  }
}

TEST_P(AboutAxis, FixedBodyIsHeldByForceAndTorque) {
  const Vec3 P(0.4, -0.2, 0.9), centre(1.0, 0.7, -0.6), point_of_body(0.1, 0.2, 0.3);
  const Vec3 weight = kMass * 9.81 * axis();
  const Quaternion rotation = math::exp_so3({0.3, 0.5, -0.2});
  for (const bool ground_first : {true, false}) {
    model::Model model;
    model.gravity = 9.81 * axis();
    model::Body body = rigid("body", kMass, kInertia, centre - math::rotate(rotation, point_of_body),
                             rotation);
    body.center = point_of_body;
    model.bodies.push_back(body);
    add_joint(model, "weld", JointType::fixed, ground_first ? "ground" : "body",
              ground_first ? "body" : "ground", P, math::rotation_matrix(math::exp_so3({1, 2, 0})));
    const Solved solved(model);
    const coordinates::Wrench w = solved.mechanism.observer->reaction(0);
    const double sign = ground_first ? 1.0 : -1.0;
    expect_near(w.force, -sign * weight);
    expect_near(w.torque, -sign * (centre - P).cross(weight));
  }
}

TEST_P(AboutAxis, EveryJointCarriesTheWeightAgainstWhichItHolds) {
  // Static bodies on a joint whose free direction is balanced by having no load along it.
  const Vec3 P(0.3, 0.1, -0.5), centre = P + 0.7 * axis();
  const Vec3 weight = kMass * 9.81 * axis();  // line of action through P: no torque
  for (const JointType type :
       {JointType::revolute, JointType::spherical, JointType::universal, JointType::fixed}) {
    model::Model model;
    model.gravity = 9.81 * axis();
    model.bodies.push_back(rigid("body", kMass, kInertia, centre));
    add_joint(model, "joint", type, "ground", "body", P, frame_with_z({1.0, 2.0, -1.0}));
    const Solved solved(model);
    const coordinates::Wrench w = solved.mechanism.observer->reaction(0);
    expect_near(w.force, -weight);
    expect_near(w.torque, Vec3::Zero());
  }
  for (const JointType type : {JointType::prismatic, JointType::cylindrical}) {
    model::Model model;
    model.gravity = 9.81 * axis();
    model.bodies.push_back(rigid("body", kMass, kInertia, centre));
    add_joint(model, "guide", type, "ground", "body", P, frame_with_z(next()));  // across gravity
    const Solved solved(model);
    const coordinates::Wrench w = solved.mechanism.observer->reaction(0);
    expect_near(w.force, -weight);
    expect_near(w.torque, Vec3::Zero());
  }
}

TEST_P(AboutAxis, RopeUnderTensionPullsTowardsItsAnchor) {
  model::Model model;
  model.gravity = 9.81 * axis();
  model.bodies.push_back(point_mass("bob", kMass, 1.5 * axis()));
  add_distance(model, "rope", "ground", Vec3::Zero(), "bob", Vec3::Zero(), 1.5);
  const Solved solved(model);
  expect_near(solved.mechanism.observer->reaction(0).force, -kMass * 9.81 * axis());
  EXPECT_NEAR(solved.solution.lambda[0], kMass * 9.81, 1e-12);
}

TEST_P(AboutAxis, DrivenHingeNeedsTheTorqueOfItsMotion) {
  // angle(t) about the axis through the centre of mass: torque J angle'' on the second body.
  model::Model model;
  model.bodies.push_back(rigid("rotor", kMass, kInertia, Vec3::Zero()));
  add_joint(model, "motor", JointType::revolute, "ground", "rotor", Vec3::Zero(),
            frame_with_z(axis()))
      .drive = drive(model::Drive::Kind::angle, "0.5*t + 3*t*t");
  model.initial.push_back(moving("rotor", Vec3::Zero(), 0.5 * axis()));
  const Solved solved(model);
  EXPECT_NEAR(solved.solution.a[3 + k()], 6.0, 1e-12);
  expect_near(solved.mechanism.observer->reaction(0).torque, 6.0 * kInertia[k()] * axis());

  // The same through a prescribed speed, at t = 2: speed' = 6.
  model.joints[0].drive = drive(model::Drive::Kind::angular_speed, "0.5 + 6*t");
  model.initial[0].angular_velocity = 12.5 * axis();
  const Solved by_speed(model, 2.0);
  EXPECT_NEAR(by_speed.solution.a[3 + k()], 6.0, 1e-12);
  expect_near(by_speed.mechanism.observer->reaction(0).torque, 6.0 * kInertia[k()] * axis());
}

TEST_P(AboutAxis, DrivenSliderNeedsTheForceOfItsMotion) {
  for (const bool by_speed : {false, true}) {
    model::Model model;
    model.gravity = {0.0, 0.0, -9.81};
    model.bodies.push_back(rigid("slider", kMass, kInertia, Vec3::Zero()));
    add_joint(model, "motor", JointType::prismatic, "ground", "slider", Vec3::Zero(),
              frame_with_z(axis()))
        .drive = by_speed ? drive(model::Drive::Kind::speed, "0.5 + 6*t")
                          : drive(model::Drive::Kind::displacement, "0.5*t + 3*t*t");
    model.initial.push_back(moving("slider", 0.5 * axis(), Vec3::Zero()));
    const Solved solved(model);
    EXPECT_NEAR(solved.solution.a[k()], 6.0, 1e-12);
    expect_near(solved.mechanism.observer->reaction(0).force,
                kMass * (6.0 * axis() - model.gravity));
    EXPECT_NEAR(solved.mechanism.observer->joint_rate(0, model::Freedom::displacement), 0.5, 1e-14);
  }
}

TEST_P(AboutAxis, JointLoadsAndSpringsActForwardOnTheSecondBody) {
  for (const JointType type : {JointType::revolute, JointType::prismatic}) {
    const bool turns = type == JointType::revolute;
    const model::Freedom coordinate = model::freedoms(type).front();
    model::Model model;
    model.bodies.push_back(rigid("body", kMass, kInertia, Vec3::Zero()));
    add_joint(model, "joint", type, "ground", "body", Vec3::Zero(), frame_with_z(axis()));
    model.forces.push_back(model::JointLoad{"motor", "joint", math::Expression::constant(5.0)});
    model.forces.push_back(model::JointSpring{"spring", "joint", 10.0, 2.0, 0.3});
    model::InitialState start;
    start.body = "body";
    if (turns) {
      start.rotation = math::exp_so3(0.7 * axis());
      start.angular_velocity = 0.4 * axis();
    } else {
      start.position = 0.7 * axis();
      start.velocity = 0.4 * axis();
    }
    model.initial.push_back(start);
    const Solved solved(model);
    const double load = 5.0 - 10.0 * (0.7 - 0.3) - 2.0 * 0.4;
    const double inertia = turns ? kInertia[k()] : kMass;
    EXPECT_NEAR(solved.solution.a[(turns ? 3 : 0) + k()], load / inertia, 1e-12);
    EXPECT_NEAR(solved.mechanism.observer->joint_coordinate(0, coordinate), 0.7, 1e-13);
  }
}

TEST_P(AboutAxis, AppliedLoadsActInTheirFrame) {
  const Quaternion rotation = math::exp_so3({0.4, -0.9, 0.3});
  const Mat3 R = math::rotation_matrix(rotation);
  const Vec3 force = 3.0 * axis(), torque = 2.0 * axis(), at(0.2, 0.5, -0.1);
  const auto constant = [](const Vec3& v) {
    using E = math::Expression;
    return std::array{E::constant(v[0]), E::constant(v[1]), E::constant(v[2])};
  };
  for (const model::Frame frame : {model::Frame::world, model::Frame::body}) {
    const bool world = frame == model::Frame::world;
    model::Model model;
    model.bodies.push_back(rigid("body", kMass, kInertia, {1.0, 1.0, 1.0}, rotation));
    model.forces.push_back(model::AppliedForce{"push", {"body", at}, constant(force), frame});
    model.forces.push_back(model::AppliedTorque{"twist", "body", constant(torque), frame});
    const Solved solved(model);
    const Vec3 f_body = world ? Vec3(R.transpose() * force) : force;
    const Vec3 t_body = (world ? Vec3(R.transpose() * torque) : torque) + at.cross(f_body);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(solved.solution.a[i], (R * f_body)[i] / kMass, 1e-14);
      EXPECT_NEAR(solved.solution.a[3 + i], t_body[i] / kInertia[i], 1e-14);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Axes, AboutAxis, ::testing::Values(0, 1, 2),
                         [](const auto& p) { return std::string(1, "XYZ"[p.param]); });

TEST(PlanarClosedForms, PendulumSwingsAndIsHeld) {
  constexpr double L = 0.8, theta = 0.6, omega = 1.7, gravity = 9.81, J = 0.5;
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -gravity, 0.0};
  const Vec3 radial(std::sin(theta), -std::cos(theta), 0.0);
  const Vec3 tangential(std::cos(theta), std::sin(theta), 0.0);
  model.bodies.push_back(planar_rigid("bob", kMass, J, L * radial, theta));
  add_joint(model, "hinge", JointType::revolute, "ground", "bob", Vec3::Zero());
  model.initial.push_back(moving("bob", omega * L * tangential, Vec3(0.0, 0.0, omega)));
  const Solved solved(model);
  const double alpha = -kMass * gravity * L * std::sin(theta) / (J + kMass * L * L);
  EXPECT_NEAR(solved.solution.a[2], alpha, 1e-12);
  const Vec3 acceleration = L * (alpha * tangential - omega * omega * radial);
  expect_near(solved.mechanism.observer->reaction(0).force, kMass * (acceleration - model.gravity));
  expect_near(solved.mechanism.observer->reaction(0).torque, Vec3::Zero());
}

TEST(PlanarClosedForms, WeldAndGuideHoldForceAndTorque) {
  for (const JointType type : {JointType::fixed, JointType::prismatic}) {
    model::Model model;
    model.planar = true;
    model.gravity = {0.0, -9.81, 0.0};
    model.bodies.push_back(planar_rigid("arm", kMass, 0.5, {0.7, 0.0, 0.0}, 4.0));
    add_joint(model, "joint", type, "ground", "arm", Vec3::Zero());
    const Solved solved(model);
    expect_near(solved.mechanism.observer->reaction(0).force, {0.0, kMass * 9.81, 0.0});
    expect_near(solved.mechanism.observer->reaction(0).torque, {0.0, 0.0, 0.7 * kMass * 9.81});
  }
}

TEST(PlanarClosedForms, JointAngleIsZeroInTheReferencePoseWhateverTheTurnsOfTheBodies) {
  for (const double angle : {0.0, 3.0, 4.0, -5.0, 7.0, 20.0}) {
    model::Model model;
    model.planar = true;
    model.bodies.push_back(planar_rigid("rotor", kMass, 0.5, Vec3::Zero(), angle));
    add_joint(model, "motor", JointType::revolute, "ground", "rotor", Vec3::Zero()).drive =
        drive(model::Drive::Kind::angle, "2*t*t");
    const Solved solved(model);
    EXPECT_NEAR(solved.mechanism.observer->joint_coordinate(0, model::Freedom::angle), 0.0, 1e-13);
    expect_near(solved.mechanism.observer->reaction(0).torque, {0.0, 0.0, 0.5 * 4.0});
  }
}

TEST(JointSpring, CountsFullTurnsInSpace) {
  // Wound up by 3.5 turns: the state says which branch of the angle holds.
  const double angle = 7.0 * std::numbers::pi;
  model::Model model;
  model.bodies.push_back(rigid("rotor", kMass, kInertia, Vec3::Zero()));
  add_joint(model, "hinge", JointType::revolute, "ground", "rotor", Vec3::Zero(),
            frame_with_z(Vec3::UnitY()));
  model.forces.push_back(model::JointSpring{"spring", "hinge", 10.0, 0.0, 0.0});
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  const system::Structure& s = mechanism.system->structure();
  ASSERT_EQ(s.state_size, 1);
  const auto evaluator = mechanism.system->evaluator();
  for (const double at : {-angle, -3.1, 0.2, 3.2, angle, angle + 0.3}) {
    std::vector<double> q = mechanism.initial.q, turn(s.dof(), 0.0), f(s.dof());
    turn[4] = std::remainder(at, 2.0 * std::numbers::pi);
    s.manifold.retract(q, turn, q);
    const std::vector<double> x{at + 1.0};  // counting may be off by much less than half a turn
    evaluator->move_to({q, mechanism.initial.v, x, {}});
    evaluator->force(f);
    EXPECT_NEAR(f[4], -10.0 * at, 1e-10);
    EXPECT_NEAR(evaluator->energy().potential, 5.0 * at * at, 1e-9);
  }
}

TEST(JointSpring, StartsOnTheBranchOfItsInitialAngle) {
  const double angle = 3.0;
  model::Model model;
  model.bodies.push_back(rigid("rotor", kMass, kInertia, Vec3::Zero()));
  add_joint(model, "hinge", JointType::revolute, "ground", "rotor", Vec3::Zero(),
            frame_with_z(Vec3::UnitY()));
  model.forces.push_back(model::JointSpring{"spring", "hinge", 10.0, 0.0, 0.0});
  model::InitialState start;
  start.body = "rotor";
  start.rotation = math::exp_so3({0.0, angle, 0.0});
  model.initial.push_back(start);
  EXPECT_NEAR(coordinates::make_absolute(model).initial.x[0], angle, 1e-13);
}

TEST(InitialGuess, ConvertsTheUsersFrameToTheCentreOfMass) {
  model::Model model;
  const Quaternion rotation = math::exp_so3({0.3, 0.5, -0.2});
  model::Body body = rigid("body", kMass, kInertia, {1.0, 2.0, 3.0}, rotation);
  body.center = {0.4, 0.0, -0.3};
  model.bodies.push_back(body);
  const Vec3 v(0.1, 0.2, 0.3), w(-1.0, 0.5, 0.7);
  model.initial.push_back(moving("body", v, w));
  const Solved solved(model);
  const coordinates::Observer& observer = *solved.mechanism.observer;
  expect_near(observer.pose(0).position, {1.0, 2.0, 3.0});
  expect_near(observer.velocity(0, Vec3::Zero()), v);
  expect_near(observer.angular_velocity(0), w);
  expect_near(observer.position(0, body.center),
              Vec3(1.0, 2.0, 3.0) + math::rotate(rotation, body.center));
}

}  // namespace
}  // namespace daedal::testing
