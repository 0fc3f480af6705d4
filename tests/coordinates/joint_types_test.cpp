// Surfaces, planes, screws and free joints: accelerations and reactions that can be written down,
// about all three axes and in both coordinates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/dense_accelerations.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using model::JointType;

constexpr double kMass = 2.0, kGravity = 9.81;
const Vec3 kInertia(1.1, 1.4, 1.9);

void expect_near(const Vec3& actual, const Vec3& expected, double tolerance = 1e-10) {
  EXPECT_LT((actual - expected).norm(), tolerance)
      << actual.transpose() << " instead of " << expected.transpose();
}

/// A mechanism at its initial state, with accelerations and reactions.
struct Solved {
  /// Coordinates of joints follow the bodies when a mechanism is assembled; here their speed is
  /// given.
  Solved(const model::Model& model, View view, double coordinate_speed = 0.0)
      : mechanism(make_mechanism(model, view)), u(mechanism.system->structure().excitations) {
    const system::Structure& s = mechanism.system->structure();
    const auto evaluator = mechanism.system->evaluator();
    coordinates::InitialGuess& start = mechanism.initial;
    for (int i = 0; i < static_cast<int>(s.coordinates.size()); ++i) {
      if (s.massless(i)) start.v[s.coordinates[i].offset] = coordinate_speed;
    }
    const system::Point point{start.q, start.v, start.x, u};
    mechanism.system->excitations(0.0, u);
    evaluator->move_to(point);
    std::vector<double> g(s.constraint_rows), rate(s.constraint_rows);
    evaluator->constraints(g);
    evaluator->constraint_rates(rate);
    for (int i = 0; i < s.constraint_rows; ++i) {
      EXPECT_LT(std::abs(g[i]), 1e-12) << s.row_name(i);
      EXPECT_LT(std::abs(rate[i]), 1e-12) << s.row_name(i);
    }
    const Accelerations solution = dense_accelerations(*evaluator, s);
    mechanism.observer->move_to(point, solution.a, solution.lambda);
  }
  const coordinates::Observer& observer() const { return *mechanism.observer; }

  coordinates::Mechanism mechanism;
  std::vector<math::Jet> u;
};

class JointAbout : public ::testing::TestWithParam<std::tuple<View, int>> {
 protected:
  View view() const { return std::get<0>(GetParam()); }
  int k() const { return std::get<1>(GetParam()); }
  Vec3 axis() const { return Vec3::Unit(k()); }
  Vec3 next() const { return Vec3::Unit((k() + 1) % 3); }
  Vec3 other() const { return Vec3::Unit((k() + 2) % 3); }
  /// x and y follow the axis z in turn.
  Mat3 frame() const {
    Mat3 X;
    X << next(), other(), axis();
    return X;
  }
};

TEST_P(JointAbout, PointOnASurfaceIsPushedAlongItsNormal) {
  // z = h(x, y):  m r'' = -m g z + mu n, n = (-h_x, -h_y, 1), and z'' = h_x x'' + h_y y'' + r'^T H
  // r' give mu (1 + h_x^2 + h_y^2) = m (g + r'^T H r').
  const double x = 0.3, y = -0.4, vx = 1.2, vy = 0.7;
  const double h = 0.5 * std::sin(x) * y + 0.2 * x * y * y;
  const double hx = 0.5 * std::cos(x) * y + 0.2 * y * y, hy = 0.5 * std::sin(x) + 0.4 * x * y;
  const double hxx = -0.5 * std::sin(x) * y, hxy = 0.5 * std::cos(x) + 0.4 * y, hyy = 0.4 * x;
  const double bend = hxx * vx * vx + 2.0 * hxy * vx * vy + hyy * vy * vy;
  const double mu = kMass * (kGravity + bend) / (1.0 + hx * hx + hy * hy);
  const Vec3 force = frame() * Vec3(-mu * hx, -mu * hy, mu);
  const Vec3 at(0.7, -0.3, 0.2);
  for (const bool as_point : {false, true}) {
    model::Model model;
    model.gravity = -kGravity * axis();
    const Vec3 place = at + frame() * Vec3(x, y, h);
    model.bodies.push_back(as_point ? point_mass("bead", kMass, place)
                                    : rigid("bead", kMass, kInertia, place));
    model::Joint& joint =
        add_joint(model, "slope", JointType::surface, "ground", "bead", place, frame());
    joint.on[0].point = at;
    joint.height = math::Expression::parse("0.5*sin(x)*y + 0.2*x*y^2");
    model::InitialState start;
    start.body = "bead";
    start.velocity = frame() * Vec3(vx, vy, hx * vx + hy * vy);
    model.initial.push_back(start);
    const Solved solved(model, view());
    expect_near(solved.observer().acceleration(0, Vec3::Zero()), force / kMass + model.gravity);
    expect_near(solved.observer().reaction(0).force, force);
    expect_near(solved.observer().reaction(0).torque, Vec3::Zero());
    EXPECT_NEAR(solved.observer().joint_coordinate(0, model::Freedom::displacement), x, 1e-13);
    EXPECT_NEAR(solved.observer().joint_coordinate(0, model::Freedom::second_displacement), y,
                1e-13);
    EXPECT_NEAR(solved.observer().joint_rate(0, model::Freedom::second_displacement), vy, 1e-13);
  }
}

TEST_P(JointAbout, RodOnASmoothFloorStartsToFall) {
  // A rod of length L at the angle theta from the vertical, at rest, J about its middle:
  // N = m g / (1 + m (L/2)^2 sin^2(theta) / J).
  constexpr double L = 1.6, theta = 0.7;
  const Vec3 along = std::cos(theta) * axis() + std::sin(theta) * next();
  const double J = kInertia[(k() + 2) % 3];
  const double arm = 0.5 * L * std::sin(theta),
               normal = kMass * kGravity / (1.0 + kMass * arm * arm / J);
  const Vec3 foot(0.2, 0.5, -0.4);
  for (const bool ground_first : {true, false}) {
    model::Model model;
    model.gravity = -kGravity * axis();
    model.bodies.push_back(rigid("rod", kMass, kInertia, foot + 0.5 * L * along));
    // From the rod's side the floor's point is held in a plane of the rod, which at rest is the
    // same.
    add_joint(model, "floor", JointType::surface, ground_first ? "ground" : "rod",
              ground_first ? "rod" : "ground", foot, frame());
    const Solved solved(model, view());
    expect_near(solved.observer().acceleration(0, Vec3::Zero()),
                (normal / kMass - kGravity) * axis());
    expect_near(solved.observer().reaction(0).force, (ground_first ? normal : -normal) * axis());
    if (ground_first) expect_near(solved.observer().reaction(0).torque, Vec3::Zero());
    EXPECT_EQ(solved.mechanism.system->structure().constraint_rows,
              view() == View::absolute ? 1 : 0);
  }
}

TEST_P(JointAbout, PlateInAPlaneMovesFreelyAndIsHeldAgainstItsWeight) {
  const Vec3 P(0.3, -0.6, 0.8), arm = 0.4 * next() - 0.2 * other() + 0.5 * axis();
  const Vec3 gravity = kGravity * (0.6 * next() - 0.8 * axis());
  const double omega = 1.3;
  for (const bool ground_first : {true, false}) {
    model::Model model;
    model.gravity = gravity;
    model.bodies.push_back(rigid("plate", kMass, kInertia, P + arm));
    add_joint(model, "table", JointType::planar, ground_first ? "ground" : "plate",
              ground_first ? "plate" : "ground", P, frame());
    model.initial.push_back(moving("plate", 0.7 * next() - 0.3 * other(), omega * axis()));
    const Solved solved(model, view());
    expect_near(solved.observer().acceleration(0, Vec3::Zero()), 0.6 * kGravity * next());
    EXPECT_NEAR(solved.observer().joint_rate(0, model::Freedom::angle),
                ground_first ? omega : -omega, 1e-13);
    const coordinates::Wrench w = solved.observer().reaction(0);
    const double sign = ground_first ? 1.0 : -1.0;
    expect_near(w.force, sign * 0.8 * kMass * kGravity * axis());
    // About the point on the second body; the plate's motion has a spin about a principal axis.
    expect_near(w.torque, sign * arm.cross(0.8 * kMass * kGravity * axis()));
  }
}

TEST_P(JointAbout, ScrewTurnsUnderItsLoad) {
  // (J + m p^2) phi'' = -m g p for a pitch of p per radian, with the thread's torque J phi''.
  for (const double pitch : {0.9, -2.5}) {
    for (const bool ground_first : {true, false}) {
      const double p = pitch / (2.0 * std::numbers::pi), J = kInertia[k()];
      const double alpha = -kMass * kGravity * p / (J + kMass * p * p), omega = 2.0;
      model::Model model;
      model.gravity = -kGravity * axis();
      const Vec3 at(0.5, 0.1, -0.2);
      model.bodies.push_back(rigid("nut", kMass, kInertia, at));
      add_joint(model, "thread", JointType::screw, ground_first ? "ground" : "nut",
                ground_first ? "nut" : "ground", at, frame())
          .pitch = pitch;
      // Three and a bit turns from the reference pose.
      const double angle = 20.0;
      model::InitialState start = moving("nut", omega * p * axis(), omega * axis());
      start.position = at + angle * p * axis();
      start.rotation = math::exp_so3(angle * axis());
      model.initial.push_back(start);
      const Solved solved(model, view());
      expect_near(solved.observer().acceleration(0, Vec3::Zero()), alpha * p * axis());
      const coordinates::Wrench w = solved.observer().reaction(0);
      const double sign = ground_first ? 1.0 : -1.0;
      expect_near(w.force, sign * kMass * (alpha * p + kGravity) * axis());
      expect_near(w.torque, sign * J * alpha * axis());
      EXPECT_NEAR(solved.observer().joint_coordinate(0, model::Freedom::angle), sign * angle,
                  1e-10);
      EXPECT_NEAR(solved.observer().joint_coordinate(0, model::Freedom::displacement),
                  sign * angle * p, 1e-12);
      EXPECT_NEAR(solved.observer().joint_rate(0, model::Freedom::displacement), sign * omega * p,
                  1e-13);
    }
  }
}

TEST_P(JointAbout, DrivenScrewNeedsTorqueAndForceOfItsMotion) {
  constexpr double pitch = 0.6;
  const double p = pitch / (2.0 * std::numbers::pi);
  for (const bool with_coordinate : {false, true}) {
    model::Model model;
    model.bodies.push_back(rigid("nut", kMass, kInertia, Vec3::Zero()));
    model::Joint& joint =
        add_joint(model, "thread", JointType::screw, "ground", "nut", Vec3::Zero(), frame());
    joint.pitch = pitch;
    joint.drive = drive(model::Drive::Kind::angle, "30 + 2*t + 3*t*t");
    if (with_coordinate) joint.coordinates.push_back({"turn", model::Freedom::angle});
    model::InitialState start = moving("nut", 2.0 * p * axis(), 2.0 * axis());
    start.position = 30.0 * p * axis();
    start.rotation = math::exp_so3(30.0 * axis());
    model.initial.push_back(start);
    const Solved solved(model, view(), 2.0);
    expect_near(solved.observer().acceleration(0, Vec3::Zero()), 6.0 * p * axis());
    EXPECT_NEAR(solved.observer().joint_coordinate(0, model::Freedom::angle), 30.0, 1e-10);
    const coordinates::Wrench w = solved.observer().reaction(0);
    expect_near(w.force, kMass * 6.0 * p * axis());
    expect_near(w.torque, kInertia[k()] * 6.0 * axis());
  }
}

TEST_P(JointAbout, TorqueOnAScrewGoesOnAsForce) {
  // A motor of torque T and a spring on the angle: the thread takes J alpha - T about the axis.
  constexpr double pitch = 0.5, torque = 4.0, stiffness = 3.0, angle = 7.0, rest = 1.0;
  const double p = pitch / (2.0 * std::numbers::pi), J = kInertia[k()];
  const double load = torque - stiffness * (angle - rest), alpha = load / (J + kMass * p * p);
  model::Model model;
  model.bodies.push_back(rigid("nut", kMass, kInertia, Vec3::Zero()));
  add_joint(model, "thread", JointType::screw, "ground", "nut", Vec3::Zero(), frame()).pitch =
      pitch;
  model.forces.push_back(model::JointLoad{"motor", "thread", math::Expression::constant(torque)});
  model.forces.push_back(model::JointSpring{"clock", "thread", stiffness, 0.0, rest});
  model::InitialState start;
  start.body = "nut";
  start.position = angle * p * axis();
  start.rotation = math::exp_so3(angle * axis());
  model.initial.push_back(start);
  const Solved solved(model, view());
  expect_near(solved.observer().acceleration(0, Vec3::Zero()), alpha * p * axis());
  const coordinates::Wrench w = solved.observer().reaction(0);
  expect_near(w.force, kMass * alpha * p * axis());
  expect_near(w.torque, (J * alpha - load) * axis());
}

TEST_P(JointAbout, FreeBodyFallsAlikeRelativeToABodyThatMoves) {
  // The carrier turns and is driven; what hangs on it freely does not feel that.
  for (const bool carrier_first : {true, false}) {
    model::Model model;
    model.gravity = -kGravity * next();
    model.bodies.push_back(rigid("carrier", kMass, kInertia, Vec3::Zero()));
    model.bodies.push_back(
        rigid("guest", 1.5, kInertia, {0.6, -0.2, 0.9}, math::exp_so3({0.2, 0.5, 1.0})));
    add_joint(model, "pivot", JointType::revolute, "ground", "carrier", Vec3::Zero(), frame())
        .drive = drive(model::Drive::Kind::angle, "2*t + t*t");
    add_joint(model, "place", JointType::free, carrier_first ? "carrier" : "guest",
              carrier_first ? "guest" : "carrier", {0.1, 0.2, 0.3});
    const Vec3 v(0.4, 1.0, -0.7), w(0.5, -0.8, 1.1);
    model.initial.push_back(moving("carrier", Vec3::Zero(), 2.0 * axis()));
    model.initial.push_back(moving("guest", v, w));
    const Solved solved(model, view());
    expect_near(solved.observer().acceleration(1, Vec3::Zero()), model.gravity);
    expect_near(solved.observer().velocity(1, Vec3::Zero()), v);
    expect_near(solved.observer().angular_velocity(1), w);
    expect_near(solved.observer().pose(1).position, {0.6, -0.2, 0.9});
    expect_near(solved.observer().reaction(1).force, Vec3::Zero());
    expect_near(solved.observer().relative_angular_velocity(1),
                (carrier_first ? 1.0 : -1.0) * (w - 2.0 * axis()));
  }
}

INSTANTIATE_TEST_SUITE_P(Axes, JointAbout,
                         ::testing::Combine(::testing::Values(View::absolute, View::joint),
                                            ::testing::Values(0, 1, 2)),
                         [](const auto& p) {
                           return fmt::format("{}{}", name_of(std::get<0>(p.param)),
                                              "XYZ"[std::get<1>(p.param)]);
                         });

class PlanarJoints : public ::testing::TestWithParam<View> {};

TEST_P(PlanarJoints, PointOnALineIsPushedAlongItsNormal) {
  // mu (1 + h'^2) = m (g + h'' x'^2), as in space.
  const double x = 0.3, vx = 1.5, h = 0.4 * std::sin(2.0 * x), slope = 0.8 * std::cos(2.0 * x);
  const double bend = -1.6 * std::sin(2.0 * x);
  const double mu = kMass * (kGravity + bend * vx * vx) / (1.0 + slope * slope);
  for (const bool as_point : {false, true}) {
    model::Model model;
    model.planar = true;
    model.gravity = {0.0, -kGravity, 0.0};
    const Vec3 place(1.0 + x, 2.0 + h, 0.0);
    model.bodies.push_back(as_point ? point_mass("bead", kMass, place)
                                    : planar_rigid("bead", kMass, 0.5, place));
    model::Joint& joint = add_joint(model, "wire", JointType::surface, "ground", "bead", place);
    joint.on[0].point = {1.0, 2.0, 0.0};
    joint.height = math::Expression::parse("0.4*sin(2*x)");
    model::InitialState start;
    start.body = "bead";
    start.velocity = Vec3(vx, slope * vx, 0.0);
    model.initial.push_back(start);
    const Solved solved(model, GetParam());
    const Vec3 force(-mu * slope, mu, 0.0);
    expect_near(solved.observer().reaction(0).force, force);
    expect_near(solved.observer().acceleration(0, Vec3::Zero()), force / kMass + model.gravity);
    EXPECT_NEAR(solved.observer().joint_coordinate(0, model::Freedom::displacement), x, 1e-13);
  }
}

TEST_P(PlanarJoints, RodOnASmoothFloorStartsToFall) {
  constexpr double L = 1.6, theta = 0.7, J = 0.4;
  const double arm = 0.5 * L * std::sin(theta);
  const double normal = kMass * kGravity / (1.0 + kMass * arm * arm / J);
  for (const bool ground_first : {true, false}) {
    model::Model model;
    model.planar = true;
    model.gravity = {0.0, -kGravity, 0.0};
    model.bodies.push_back(
        planar_rigid("rod", kMass, J, {arm, 0.5 * L * std::cos(theta), 0.0}, 3.0));
    add_joint(model, "floor", JointType::surface, ground_first ? "ground" : "rod",
              ground_first ? "rod" : "ground", Vec3::Zero());
    const Solved solved(model, GetParam());
    expect_near(solved.observer().acceleration(0, Vec3::Zero()),
                {0.0, normal / kMass - kGravity, 0.0});
    expect_near(solved.observer().reaction(0).force, {0.0, ground_first ? normal : -normal, 0.0});
  }
}

TEST_P(PlanarJoints, FreeBodyFallsAlikeRelativeToABodyThatMoves) {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -kGravity, 0.0};
  model.bodies.push_back(planar_rigid("carrier", kMass, 0.4, Vec3::Zero(), 0.3));
  model.bodies.push_back(planar_rigid("guest", kMass, 0.4, {0.6, -0.2, 0.0}, 2.0));
  model.bodies.push_back(point_mass("crumb", 0.2, {0.4, 0.7, 0.0}));
  add_joint(model, "pivot", JointType::revolute, "ground", "carrier", Vec3::Zero()).drive =
      drive(model::Drive::Kind::angle, "2*t + t*t");
  add_joint(model, "place", JointType::free, "carrier", "guest", {0.1, 0.2, 0.0});
  add_joint(model, "spot", JointType::free, "crumb", "guest", {0.4, 0.7, 0.0});
  model.initial.push_back(moving("carrier", Vec3::Zero(), {0.0, 0.0, 2.0}));
  model.initial.push_back(moving("guest", {0.4, 1.0, 0.0}, {0.0, 0.0, -0.8}));
  const Solved solved(model, GetParam());
  for (const int body : {1, 2}) {
    expect_near(solved.observer().acceleration(body, Vec3::Zero()), model.gravity);
  }
  expect_near(solved.observer().velocity(1, Vec3::Zero()), {0.4, 1.0, 0.0});
  expect_near(solved.observer().velocity(2, Vec3::Zero()), Vec3::Zero());
  expect_near(solved.observer().pose(2).position, {0.4, 0.7, 0.0});
  EXPECT_NEAR(solved.observer().pose(1).angle, 2.0, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Plane, PlanarJoints, ::testing::Values(View::absolute, View::joint),
                         [](const auto& p) { return name_of(p.param); });

}  // namespace
}  // namespace daedal::testing
