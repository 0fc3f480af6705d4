// Bushings, tyres and creep against closed forms, along all axes and headings.
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/coordinates/mechanism.hpp"
#include "support/build_model.hpp"

namespace daedal::testing {
namespace {

constexpr double kMass = 2.0;
const Vec3 kInertia(1.1, 1.4, 1.9);

/// Forces on the first body, torques about its centre of mass, in world axes, and what becomes of
/// their power.
struct Loads {
  explicit Loads(const model::Model& model) : mechanism(coordinates::make_absolute(model)) {
    const system::Structure& s = mechanism.system->structure();
    const auto evaluator = mechanism.system->evaluator();
    evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}});
    f.resize(s.dof());
    evaluator->force(f);
    energy = evaluator->energy();
    mechanism.observer->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}},
                                std::vector<double>(s.dof()),
                                std::vector<double>(s.constraint_rows));
  }
  Vec3 force(int body = 0) const { return {f[6 * body], f[6 * body + 1], f[6 * body + 2]}; }
  Vec3 torque(int body = 0) const {
    const Vec3 own{f[6 * body + 3], f[6 * body + 4], f[6 * body + 5]};
    return math::rotate(mechanism.observer->pose(body).rotation, own);
  }
  coordinates::Mechanism mechanism;
  std::vector<double> f;
  system::Energy energy;
};

void expect_near(const Vec3& actual, const Vec3& expected, double tolerance = 1e-9) {
  EXPECT_LT((actual - expected).norm(), tolerance)
      << actual.transpose() << " instead of " << expected.transpose();
}

model::Model free_body(const Vec3& position, const Quaternion& rotation, const Vec3& velocity,
                       const Vec3& angular_velocity) {
  model::Model model;
  model.bodies.push_back(rigid("body", kMass, kInertia, position, rotation));
  model.initial.push_back(moving("body", velocity, angular_velocity));
  return model;
}

class AlongAxis : public ::testing::TestWithParam<int> {
 protected:
  Vec3 axis() const { return Vec3::Unit(GetParam()); }
};

model::Bushing bushing_to_ground(const Vec3& at) {
  model::Bushing bushing;
  bushing.name = "bushing";
  bushing.on[0] = {"ground", at, Mat3::Identity()};
  bushing.on[1] = {"body", Vec3::Zero(), Mat3::Identity()};
  bushing.stiffness = {100.0, 200.0, 300.0};
  bushing.damping = {10.0, 20.0, 30.0};
  bushing.preload = {1.0, 2.0, 3.0};
  bushing.rotational_stiffness = {40.0, 50.0, 60.0};
  bushing.rotational_damping = {4.0, 5.0, 6.0};
  return bushing;
}

TEST_P(AlongAxis, BushingPullsBackAlongEachAxis) {
  const int k = GetParam();
  constexpr double d = 0.3, rate = -0.7;
  const Vec3 at(0.4, -0.2, 0.9);
  model::Model model =
      free_body(at + d * axis(), Quaternion::identity(), rate * axis(), Vec3::Zero());
  const model::Bushing bushing = bushing_to_ground(at);
  model.forces.push_back(bushing);
  const Loads loads(model);
  const double pull = bushing.stiffness[k] * d + bushing.damping[k] * rate;
  expect_near(loads.force(), bushing.preload - pull * axis(), 1e-12);
  EXPECT_NEAR(loads.energy.potential, 0.5 * bushing.stiffness[k] * d * d - bushing.preload[k] * d,
              1e-12);
  EXPECT_NEAR(loads.energy.dissipation_power, -bushing.damping[k] * rate * rate, 1e-12);
}

TEST_P(AlongAxis, BushingTurnsBackAboutEachAxis) {
  const int k = GetParam();
  constexpr double angle = 1.3, rate = -0.7;
  const Vec3 at(0.4, -0.2, 0.9);
  model::Model model = free_body(at, math::exp_so3(angle * axis()), Vec3::Zero(), rate * axis());
  model::Bushing bushing = bushing_to_ground(at);
  bushing.preload.setZero();
  model.forces.push_back(bushing);
  const Loads loads(model);
  const double back =
      bushing.rotational_stiffness[k] * angle + bushing.rotational_damping[k] * rate;
  expect_near(loads.torque(), -back * axis(), 1e-12);
  EXPECT_NEAR(loads.energy.potential, 0.5 * bushing.rotational_stiffness[k] * angle * angle, 1e-12);
  EXPECT_NEAR(loads.energy.dissipation_power, -bushing.rotational_damping[k] * rate * rate, 1e-12);
}

TEST_P(AlongAxis, BushingWorksInTheAxesOfItsFirstBodyAndBalances) {
  const int k = GetParam();
  constexpr double d = 0.3;
  const Quaternion turned = math::exp_so3({0.5, -0.4, 0.8});
  const Vec3 from(0.2, 0.1, -0.3), direction = math::rotate(turned, axis());
  model::Model model;
  model.bodies.push_back(rigid("frame", kMass, kInertia, from, turned));
  model.bodies.push_back(rigid("body", kMass, kInertia, from + d * direction));
  model::Bushing bushing = bushing_to_ground(Vec3::Zero());
  bushing.preload.setZero();
  bushing.on[0].body = "frame";
  bushing.on[1].frame = math::rotation_matrix(turned);  // parallel to the first
  model.forces.push_back(bushing);
  const Loads loads(model);
  const Vec3 expected = -bushing.stiffness[k] * d * direction;
  expect_near(loads.force(1), expected, 1e-12);
  expect_near(loads.force(0), -expected, 1e-12);
  // The force acts at the second body's point.
  expect_near(loads.torque(0), (d * direction).cross(-expected), 1e-12);
  expect_near(loads.torque(1), Vec3::Zero(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Xyz, AlongAxis, ::testing::Range(0, 3));

TEST(Bushing, InThePlaneHasTwoDisplacementsAndAnAngle) {
  model::Model model;
  model.planar = true;
  model.bodies.push_back(planar_rigid("body", 2.0, 1.5, {0.1, 0.2, 0.0}, 0.4));
  model::Bushing bushing = bushing_to_ground(Vec3::Zero());
  bushing.preload.setZero();
  model.forces.push_back(bushing);
  const Loads loads(model);
  EXPECT_NEAR(loads.f[0], -100.0 * 0.1, 1e-12);
  EXPECT_NEAR(loads.f[1], -200.0 * 0.2, 1e-12);
  EXPECT_NEAR(loads.f[2], -60.0 * 0.4, 1e-12);
}

/// A wheel whose forward direction has a heading in the horizontal plane.
class Heading : public ::testing::TestWithParam<double> {
 protected:
  Vec3 forward() const { return {std::cos(GetParam()), std::sin(GetParam()), 0.0}; }
  Vec3 left() const { return {-std::sin(GetParam()), std::cos(GetParam()), 0.0}; }
  Quaternion turned() const { return math::exp_so3(GetParam() * Vec3::UnitZ()); }
};

model::Tyre tyre() {
  model::Tyre t;
  t.name = "tyre";
  t.wheel.body = "body";
  t.radius = 0.3;
  t.height = -0.1;
  t.stiffness = 2e5;
  t.damping = 500.0;
  t.longitudinal_stiffness = 8e4;
  t.lateral_stiffness = 6e4;
  t.friction = 0.9;
  t.slow_speed = 1e-3;
  return t;
}

constexpr double kDeflection = 0.02;

double magic(double sigma) {
  return std::sin(1.3 * std::atan(sigma / 1.3));
}

TEST_P(Heading, TyreCarriesAndSlipsAsWritten) {
  constexpr double speed = 20.0, slip = 0.01, angle = 0.02, fall = 0.05;
  const double rho = tyre().radius - kDeflection;
  const double spin = speed * (1.0 + slip) / rho;
  model::Model model =
      free_body({1.0, 2.0, rho - 0.1}, turned(),
                speed * forward() + speed * angle * left() - fall * Vec3::UnitZ(), spin * left());
  model.forces.push_back(tyre());
  const Loads loads(model);
  const double N = 2e5 * kDeflection + 500.0 * fall;
  const double a = 8e4 * slip, b = -6e4 * angle, size = std::hypot(a, b);
  const double scale = 0.9 * N * magic(size / (0.9 * N)) / size;
  const Vec3 force = N * Vec3::UnitZ() + scale * (a * forward() + b * left());
  expect_near(loads.force(), force, 1e-4);
  expect_near(loads.torque(), (-rho * Vec3::UnitZ()).cross(force), 1e-4);
  EXPECT_NEAR(loads.energy.potential, 0.5 * 2e5 * kDeflection * kDeflection, 0.2);
  EXPECT_NEAR(loads.energy.dissipation_power,
              -500.0 * fall * fall - scale * (a * slip - b * angle) * speed, 1e-4);
}

TEST_P(Heading, TyreNeverSlipsWithMoreThanItsFriction) {
  for (const double slip : {0.1, 1.0, 10.0}) {
    const double rho = tyre().radius - kDeflection;
    model::Model model =
        free_body({0.0, 0.0, rho - 0.1}, turned(), 10.0 * slip * left(), -30.0 * slip * left());
    model.forces.push_back(tyre());
    const Vec3 force = Loads(model).force();
    EXPECT_LE(std::hypot(force.x(), force.y()), 0.9 * force.z() * (1.0 + 1e-12));
    EXPECT_GT(std::hypot(force.x(), force.y()), 0.85 * 0.9 * force.z());
  }
}

TEST_P(Heading, TyreInTheAirFeelsNothing) {
  model::Model model = free_body({0.0, 0.0, 0.21}, turned(), {1.0, 2.0, -5.0}, {3.0, 2.0, 1.0});
  model.forces.push_back(tyre());
  const Loads loads(model);
  EXPECT_EQ(loads.force(), Vec3(Vec3::Zero()));
  EXPECT_LT(loads.torque().norm(), kInertia.norm() * 20.0);  // gyroscopic alone
  EXPECT_EQ(loads.energy.potential, 0.0);
  EXPECT_EQ(loads.energy.dissipation_power, 0.0);
}

TEST_P(Heading, CamberedTyreIsConservativeWhereNothingSlipsOrDamps) {
  model::Tyre t = tyre();
  t.damping = t.longitudinal_stiffness = t.lateral_stiffness = 0.0;
  model::Model model = free_body({0.0, 0.0, 0.15}, math::exp_so3(0.4 * forward()), {0.3, -0.2, 0.1},
                                 {0.5, 0.4, 0.3});
  model.forces.push_back(t);
  const Loads loads(model);
  EXPECT_GT(loads.energy.potential, 0.0);
  EXPECT_NEAR(loads.energy.dissipation_power, 0.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Angles, Heading, ::testing::Values(0.0, 0.7, 1.5707963267948966, -2.5));

model::Creep creep(double side) {
  model::Creep c;
  c.name = "creep";
  c.wheel.body = "body";
  c.wheel.center = {0.0, side, 0.0};
  c.radius =
      math::Expression::parse(side > 0.0 ? "0.5 + 0.05*(y - 0.75)" : "0.5 - 0.05*(y + 0.75)");
  c.load = 6e4;
  c.friction = 0.3;
  c.f11 = 8e6;
  c.f22 = 7e6;
  c.f23 = 1.5e4;
  c.f33 = 50.0;
  c.slow_speed = 1e-6;
  return c;
}

class Side : public ::testing::TestWithParam<double> {};

TEST_P(Side, WheelThatRollsOnAStraightTrackDoesNotCreep) {
  for (const bool nominal : {false, true}) {
    const double V = 30.0, spin = V / 0.5;
    model::Model model = free_body({5.0, 0.0, 0.5}, Quaternion::identity(), V * Vec3::UnitX(),
                                   nominal ? Vec3(Vec3::Zero()) : Vec3(spin * Vec3::UnitY()));
    model::Creep c = creep(GetParam());
    if (nominal) c.spin = spin;
    model.forces.push_back(c);
    expect_near(Loads(model).force(), Vec3::Zero(), 1e-6);
  }
}

TEST_P(Side, CreepFollowsKalkersLinearLawAndItsLimit) {
  const double V = 30.0, r0 = 0.5, side = GetParam();
  for (const double size : {1e-5, 1e-3, 1e-1}) {
    const double xi = 0.8 * size, eta = -0.5 * size, phi = 0.3 * size;
    // Of the contact: velocities from that of the centre of mass, a yaw rate and a spin.
    const double spin = V * (1.0 - xi) / r0, yaw = phi * V;
    const Vec3 contact_arm(0.0, side, -r0), omega(0.0, spin, yaw);
    const Vec3 wheel_velocity(V, eta * V, 0.0);
    const Vec3 velocity = wheel_velocity - omega.cross(Vec3(0.0, side, 0.0));
    model::Model model = free_body({5.0, 0.0, r0}, Quaternion::identity(), velocity, omega);
    const model::Creep c = creep(side);
    model.forces.push_back(c);
    const Loads loads(model);
    const double a = -c.f11 * xi, b = -c.f22 * eta - c.f23 * phi;
    const double limit = c.friction * c.load, sigma = std::hypot(a, b) / limit;
    const double k = std::tanh(sigma) / sigma;
    const Vec3 force(a * k, b * k, 0.0);
    const double moment = (c.f23 * eta - c.f33 * phi) * k;
    expect_near(loads.force(), force, 1e-5);
    const Vec3 gyroscopic = kInertia.cwiseProduct(omega).cross(omega);
    expect_near(loads.torque(), contact_arm.cross(force) + moment * Vec3::UnitZ() + gyroscopic,
                1e-4);
    EXPECT_NEAR(loads.energy.dissipation_power,
                (force.x() * xi + force.y() * eta + moment * phi) * V, 1e-4);
    EXPECT_EQ(loads.energy.applied_power, 0.0);
  }
}

TEST_P(Side, DisplacedConicalWheelsetIsSteeredBack) {
  const double V = 30.0, side = GetParam(), y = 0.004;
  model::Model model =
      free_body({0.0, y, 0.5}, Quaternion::identity(), V * Vec3::UnitX(), Vec3::Zero());
  model::Creep c = creep(side);
  c.spin = V / 0.5;
  model.forces.push_back(c);
  const Loads loads(model);
  // The wheel on the side to which the set has moved is larger: it pushes ahead.
  const double xi = -(side > 0.0 ? 1.0 : -1.0) * 0.05 * y / 0.5;
  const double limit = c.friction * c.load;
  EXPECT_NEAR(loads.force().x(), -limit * std::tanh(c.f11 * xi / limit), 1e-3);
  EXPECT_LT(loads.torque().z(), 0.0);
  // The spin is held by somebody, who pays for what is lost.
  EXPECT_LT(loads.energy.dissipation_power, 0.0);
  EXPECT_NEAR(loads.energy.applied_power + loads.energy.dissipation_power, loads.force().x() * V,
              1e-6);
}

TEST_P(Side, CreepIsCountedAlongTheTrack) {
  // A wheelset that follows a straight track with a slope rolls freely.
  const double V = 30.0, slope = 0.02, side = GetParam();
  const Quaternion along = math::exp_so3(std::atan(slope) * Vec3::UnitZ());
  const Vec3 forward = math::rotate(along, Vec3::UnitX());
  model::Creep c = creep(side);
  c.track = math::Expression::parse("0.02*x + 0.1");
  c.radius = math::Expression::constant(0.5);
  c.spin = V / 0.5;
  model::Model model = free_body({10.0, 0.3, 0.5}, along, V * forward, Vec3::Zero());
  model.forces.push_back(c);
  expect_near(Loads(model).force(), Vec3::Zero(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Wheels, Side, ::testing::Values(0.75, -0.75));

}  // namespace
}  // namespace daedal::testing
