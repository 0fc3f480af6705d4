#include "daedal/formulate/acceleration_level.hpp"

#include <gtest/gtest.h>

#include "support/csv_table.hpp"
#include "support/random_mechanism.hpp"
#include "support/dense_accelerations.hpp"
#include "support/squeezer.hpp"

namespace daedal::testing {
namespace {

class AccelerationLevel : public ::testing::TestWithParam<std::string> {};

TEST_P(AccelerationLevel, GivesTheSqueezersInitialAccelerationsAndMultipliers) {
  const Squeezer squeezer;
  const auto evaluator = squeezer.evaluator();
  const std::vector<double> q = Squeezer::initial_q(), v(7, 0.0);
  evaluator->move_to({q, v, {}, {}});
  std::vector<double> g(6), a(7), lambda(6);
  evaluator->constraints(g);
  for (double value : g) EXPECT_LT(std::abs(value), 1e-16);
  formulate::AccelerationLevel level(squeezer, GetParam());
  ASSERT_TRUE(level.accelerations(*evaluator, a, lambda));
  EXPECT_NEAR(a[0], 14222.4439199541138705911625887, 1e-8);
  EXPECT_NEAR(a[1], -10666.8329399655854029433719415, 1e-8);
  EXPECT_NEAR(lambda[0], 98.5668703962410896057654982170, 1e-10);
  EXPECT_NEAR(lambda[1], -6.12268834425566265503114393122, 1e-10);
  for (int i = 2; i < 7; ++i) EXPECT_NEAR(a[i], 0.0, 1e-8);
  for (int i = 2; i < 6; ++i) EXPECT_NEAR(lambda[i], 0.0, 1e-10);
  EXPECT_FALSE(level.regularised());
}

TEST_P(AccelerationLevel, FollowsTheSqueezersReferenceTrajectory) {
  const CsvTable reference("andrews_quad_reference.csv");
  const Squeezer squeezer;
  const auto evaluator = squeezer.evaluator();
  formulate::AccelerationLevel level(squeezer, GetParam());
  for (const std::vector<double>& row : reference.rows) {
    const std::vector<double> q(&row[1], &row[8]), v(&row[8], &row[15]);
    std::vector<double> a(7), lambda(6);
    evaluator->move_to({q, v, {}, {}});
    ASSERT_TRUE(level.accelerations(*evaluator, a, lambda));
    double size_a = 0.0, size_lambda = 0.0;
    for (int i = 0; i < 7; ++i) size_a = std::max(size_a, std::abs(row[15 + i]));
    for (int i = 0; i < 6; ++i) size_lambda = std::max(size_lambda, std::abs(row[22 + i]));
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(a[i], row[15 + i], 1e-10 * size_a);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(lambda[i], row[22 + i], 1e-10 * size_lambda);
  }
}

TEST_P(AccelerationLevel, AgreesWithADenseSolveOnRandomMechanisms) {
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed < 7; ++seed) {
      // Friction of contacts makes the matrix unsymmetric.
      const Sample s(planar, seed, seed % 2 ? View::absolute : View::joint,
                     seed < 4 ? Contacts::none : Contacts::few);
      const Accelerations expected = dense_accelerations(*s.evaluator, s.structure);
      std::vector<double> a(s.structure.dof()), lambda(s.structure.constraint_rows);
      formulate::AccelerationLevel level(s.system, GetParam());
      ASSERT_TRUE(level.accelerations(*s.evaluator, a, lambda));
      EXPECT_FALSE(level.regularised());
      double size = 1.0;
      for (double value : expected.a) size = std::max(size, std::abs(value));
      for (double value : expected.lambda) size = std::max(size, std::abs(value));
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], expected.a[i], 1e-10 * size);
      for (std::size_t i = 0; i < lambda.size(); ++i) {
        EXPECT_NEAR(lambda[i], expected.lambda[i], 1e-10 * size);
      }
      EXPECT_LT(level.inconsistency(), 1e-12);
    }
  }
}

TEST_P(AccelerationLevel, StandsDependentConstraints) {
  // A body welded twice: the motion is unique, the two welds share the load equally.
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("body", 2.0, {1.0, 1.0, 1.5}, {0.3, 0.2, 0.1}));
  for (const char* name : {"weld", "second_weld"}) {
    add_joint(model, name, model::JointType::fixed, "ground", "body", Vec3::Zero());
  }
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  const system::Structure& s = mechanism.system->structure();
  const auto evaluator = mechanism.system->evaluator();
  evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}});
  formulate::AccelerationLevel level(*mechanism.system, GetParam());
  std::vector<double> a(s.dof()), lambda(s.constraint_rows);
  ASSERT_TRUE(level.accelerations(*evaluator, a, lambda));
  EXPECT_TRUE(level.regularised());
  for (double value : a) EXPECT_NEAR(value, 0.0, 1e-8);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(lambda[i], lambda[6 + i], 1e-6);
  EXPECT_NEAR(lambda[2], -0.5 * 2.0 * 9.81, 1e-5);
  EXPECT_LT(level.inconsistency(), 1e-8);
}

TEST_P(AccelerationLevel, StandsDependentContactsThatSlide) {
  // Four corners of a block slide down a slope: a = g (sin alpha - mu cos alpha).
  constexpr double alpha = 0.4, mu = 0.3, mass = 2.0, gravity = 9.81;
  const Vec3 down(std::cos(alpha), 0.0, -std::sin(alpha)), n(std::sin(alpha), 0.0, std::cos(alpha));
  Mat3 frame;
  frame << down, Vec3::UnitY(), n;
  model::Model model;
  model.gravity = {0.0, 0.0, -gravity};
  model.bodies.push_back(rigid("block", mass, {0.03, 0.04, 0.05}, 0.1 * n,
                               math::quaternion_from_matrix(frame)));
  model.initial.push_back(moving("block", 0.7 * down, Vec3::Zero()));
  model::Touch floor, box;
  floor.type = model::TouchType::plane;
  floor.frame = frame;
  box.type = model::TouchType::box;
  box.body = "block";
  box.size = {0.4, 0.3, 0.2};
  model::Contact contact;
  contact.name = "slope";
  contact.geometry = model::Touching{{floor}, {box}};
  contact.friction = mu;
  model.contacts.push_back(contact);
  std::vector<coordinates::ContactState> states(8);
  std::fill_n(states.begin(), 4, coordinates::ContactState{coordinates::ContactMode::sliding});
  for (const View view : {View::absolute, View::joint}) {
    const coordinates::Mechanism mechanism = make_mechanism(model, view, states);
    const system::Structure& s = mechanism.system->structure();
    const auto evaluator = mechanism.system->evaluator();
    evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}});
    formulate::AccelerationLevel level(*mechanism.system, GetParam());
    std::vector<double> a(s.dof()), lambda(s.constraint_rows);
    ASSERT_TRUE(level.accelerations(*evaluator, a, lambda));
    EXPECT_TRUE(level.regularised());
    mechanism.observer->move_to(
        {mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}}, a, lambda);
    const Vec3 expected = gravity * (std::sin(alpha) - mu * std::cos(alpha)) * down;
    EXPECT_LT((mechanism.observer->acceleration(0, Vec3::Zero()) - expected).norm(), 1e-8);
    EXPECT_NEAR(lambda[0] + lambda[1] + lambda[2] + lambda[3], mass * gravity * std::cos(alpha),
                1e-6);
    EXPECT_LT(level.inconsistency(), 1e-8);
  }
}

TEST_P(AccelerationLevel, ReportsConstraintsThatContradictEachOther) {
  // Two motors ask one rotor for different accelerations.
  model::Model model;
  model.planar = true;
  model.bodies.push_back(planar_rigid("rotor", 2.0, 1.0, Vec3::Zero()));
  add_joint(model, "hinge", model::JointType::revolute, "ground", "rotor", Vec3::Zero()).drive =
      drive(model::Drive::Kind::angle, "t*t");
  add_joint(model, "other", model::JointType::revolute, "ground", "rotor", Vec3::Zero()).drive =
      drive(model::Drive::Kind::angle, "-t*t");
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  const system::Structure& s = mechanism.system->structure();
  const auto evaluator = mechanism.system->evaluator();
  std::vector<math::Jet> u(s.excitations);
  mechanism.system->excitations(0.0, u);
  evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, u});
  formulate::AccelerationLevel level(*mechanism.system, GetParam());
  std::vector<double> a(s.dof()), lambda(s.constraint_rows);
  ASSERT_TRUE(level.accelerations(*evaluator, a, lambda));
  EXPECT_TRUE(level.regularised());
  EXPECT_GT(level.inconsistency(), 0.1);
}

TEST_P(AccelerationLevel, TellsWeakConstraintsFromContradictoryOnes) {
  // A light or heavy rod between two others, with the regularisation of dependent constraints: what is
  // weak closes.
  for (const auto& [mass, inertia] : {std::pair{1.0, 1e-7}, {1e6, 0.1}, {1e-6, 0.1}, {1e-6, 1e-10}}) {
    for (const bool contradictory : {false, true}) {
      model::Model model;
      model.planar = true;
      model.gravity = {0.0, -9.81, 0.0};
      model.bodies.push_back(planar_rigid("crank", 1.0, 0.1, {0.0, 0.5, 0.0}));
      model.bodies.push_back(planar_rigid("rod", mass, inertia, {0.75, 1.2, 0.0}));
      model.bodies.push_back(planar_rigid("rocker", 1.0, 0.1, {1.5, 0.7, 0.0}));
      add_joint(model, "A", model::JointType::revolute, "ground", "crank", Vec3::Zero()).drive =
          drive(model::Drive::Kind::angle, "t^2");
      add_joint(model, "B", model::JointType::revolute, "crank", "rod", {0.0, 1.0, 0.0});
      add_joint(model, "C", model::JointType::revolute, "rod", "rocker", {1.5, 1.4, 0.0});
      auto& last = add_joint(model, "D", model::JointType::revolute, "ground", "rocker", {1.5, 0.0, 0.0});
      if (contradictory) last.drive = drive(model::Drive::Kind::angle, "-t^2");
      const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
      const system::Structure& s = mechanism.system->structure();
      const auto evaluator = mechanism.system->evaluator();
      std::vector<math::Jet> u(s.excitations);
      mechanism.system->excitations(0.0, u);
      evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, u});
      formulate::AccelerationLevel level(*mechanism.system, GetParam());
      level.regularise();
      std::vector<double> a(s.dof()), lambda(s.constraint_rows);
      ASSERT_TRUE(level.accelerations(*evaluator, a, lambda));
      if (contradictory) {
        EXPECT_GT(level.inconsistency(), 1e-3) << mass << " " << inertia;
      } else {
        EXPECT_LT(level.inconsistency(), 1e-9) << mass << " " << inertia;
        EXPECT_NEAR(a[2], 2.0, 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, AccelerationLevel, ::testing::Values("dense", "tree", "klu"),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace daedal::testing
