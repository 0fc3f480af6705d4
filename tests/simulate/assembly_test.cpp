#include "daedal/simulate/assembly.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using simulate::AssemblyReport;
using simulate::Status;

/// A model assembled, and where its bodies are.
struct Assembled {
  explicit Assembled(const model::Model& m)
      : mechanism(coordinates::make_absolute(m)),
        equations(*mechanism.system, "dense"),
        state(mechanism.system->structure()),
        report(simulate::assemble(mechanism, equations, state)),
        u(mechanism.system->structure().excitations) {
    mechanism.system->excitations(state.t, u);
    mechanism.observer->move_to({state.q, state.v, state.x, u}, state.a, state.lambda);
  }
  model::Pose pose(int body) const { return mechanism.observer->pose(body); }

  coordinates::Mechanism mechanism;
  formulate::AccelerationLevel equations;
  integrate::State state;
  AssemblyReport report;
  std::vector<math::Jet> u;
};

model::InitialState place(std::string body, const Vec3& position, double angle) {
  model::InitialState state;
  state.body = std::move(body);
  state.position = position;
  state.angle = angle;
  return state;
}

model::InitialState turn(std::string body, double omega) {
  model::InitialState state;
  state.body = std::move(body);
  state.angular_velocity = Vec3(0.0, 0.0, omega);
  return state;
}

TEST(Assembly, ConsistentStartIsNotMoved) {
  const Assembled a(double_pendulum());
  EXPECT_EQ(a.report.status, Status::done);
  EXPECT_THAT(a.report.moved, IsEmpty());
  EXPECT_LT(a.report.largest_move, 1e-12);
  EXPECT_TRUE(a.report.dependence.independent());
}

TEST(Assembly, RoughGuessIsMovedAndReportedLargestFirst) {
  model::Model model = double_pendulum();
  model.bodies[1].pose.position += Vec3(0.3, 0.05, 0.0);  // after the joints were placed
  const Assembled a(model);
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  EXPECT_NEAR(a.report.position_violation_before, 0.3, 1e-12);
  EXPECT_LT(a.report.position_violation, 1e-14);
  ASSERT_THAT(a.report.moved, Not(IsEmpty()));
  EXPECT_THAT(a.report.moved[0], AllOf(HasSubstr("'"), HasSubstr("was moved by")));
  const auto number = [](const std::string& text) {
    return std::stod(text.substr(text.find("by ") + 3));
  };
  for (std::size_t i = 1; i < a.report.moved.size(); ++i) {
    EXPECT_GE(number(a.report.moved[i - 1]), number(a.report.moved[i]));
  }
  EXPECT_NEAR(a.report.largest_move, number(a.report.moved[0]), 1e-3);
}

TEST(Assembly, GivenPositionsMoveLeast) {
  // The upper link is given at an angle: the lower one follows it.
  model::Model model = double_pendulum();
  const double angle = 0.7;
  model.initial.push_back(
      place("upper", {0.25 * std::sin(angle), -0.25 * std::cos(angle), 0.0}, angle));
  const Assembled a(model);
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  EXPECT_NEAR(a.pose(0).angle, angle, 1e-4);
  EXPECT_GT((a.pose(1).position - Vec3(0.0, -0.75, 0.0)).norm(), 0.1);
}

TEST(Assembly, VelocitiesFollowFromThoseGiven) {
  model::Model model = double_pendulum();
  model.initial.push_back(turn("upper", 2.0));
  model.initial.push_back(turn("lower", -1.0));
  const Assembled a(model);
  ASSERT_EQ(a.report.status, Status::done);
  EXPECT_THAT(a.report.contradictions, IsEmpty());
  EXPECT_NEAR(a.mechanism.observer->angular_velocity(0).z(), 2.0, 1e-6);
  EXPECT_NEAR(a.mechanism.observer->angular_velocity(1).z(), -1.0, 1e-6);
  EXPECT_NEAR(a.mechanism.observer->velocity(0, Vec3::Zero()).x(), 2.0 * 0.25, 1e-6);
  EXPECT_NEAR(a.mechanism.observer->velocity(1, Vec3::Zero()).x(), 2.0 * 0.5 - 0.25, 1e-6);
  EXPECT_LT(a.report.velocity_violation, 1e-12);
}

TEST(Assembly, GivenVelocitiesThatJointsForbidAreNamed) {
  model::Model model = double_pendulum();
  model::InitialState wrong;
  wrong.body = "upper";
  wrong.velocity = Vec3(0.0, 1.0, 0.0);
  model.initial.push_back(wrong);
  const Assembled a(model);
  ASSERT_THAT(a.report.contradictions, SizeIs(1));
  EXPECT_EQ(a.report.contradictions[0].where, "initial.upper.velocity");
  EXPECT_THAT(a.report.contradictions[0].message,
              AllOf(HasSubstr("'upper'"), HasSubstr("contradicts"), HasSubstr("given 1")));
  EXPECT_THROW(simulate::run(model, settings(1.0, 0.01)), model::ModelError);
}

TEST(Assembly, DrivesSetTheVelocity) {
  model::Model model = double_pendulum();
  model.joints[0].drive = drive(model::Drive::Kind::angle, "0.2 + 3*t");
  const Assembled a(model);
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  EXPECT_NEAR(a.pose(0).angle, 0.2, 1e-12);
  EXPECT_NEAR(a.mechanism.observer->angular_velocity(0).z(), 3.0, 1e-9);
}

TEST(Assembly, AccelerationsSatisfyTheEquations) {
  model::Model model = double_pendulum();
  model.initial.push_back(turn("upper", 2.0));
  const Assembled a(model);
  const system::Structure& s = a.mechanism.system->structure();
  auto evaluator = a.mechanism.system->evaluator();
  evaluator->move_to({a.state.q, a.state.v, a.state.x, a.u});
  std::vector<double> r(s.dof());
  evaluator->residual(a.state.a, a.state.lambda, r);
  for (double value : r) EXPECT_NEAR(value, 0.0, 1e-10);
}

TEST(Assembly, LoopThatCannotCloseNamesItsJoints) {
  model::Model model = double_pendulum();
  add_distance(model, "rope", "ground", {0.0, 2.0, 0.0}, "lower", Vec3::Zero(), 0.5);
  const Assembled a(model);
  EXPECT_TRUE(a.report.status == Status::cannot_assemble ||
              a.report.status == Status::conflicting_constraints);
  EXPECT_THAT(a.report.message, HasSubstr("'rope'"));
}

TEST(Assembly, DependentConstraintsAreNamedAndNoOthers) {
  model::Model model;
  model.bodies.push_back(rigid("door", 1.0, {1.0, 1.0, 1.0}, Vec3::Zero()));
  model.bodies.push_back(rigid("bob", 1.0, {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}));
  add_joint(model, "lower", model::JointType::revolute, "ground", "door", Vec3::Zero());
  add_joint(model, "upper", model::JointType::revolute, "ground", "door", {0.0, 0.0, 1.0});
  add_joint(model, "knob", model::JointType::spherical, "door", "bob", {0.5, 0.0, 0.0});
  const Assembled a(model);
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  EXPECT_FALSE(a.report.dependence.independent());
  EXPECT_THAT(a.report.dependence.not_unique, UnorderedElementsAre("lower", "upper"));
}

/// A double pendulum whose links are given 0.3 apart, with priorities.
model::Model apart(model::Priority upper, model::Priority lower) {
  model::Model model = double_pendulum();
  model.initial.push_back(place("upper", {0.0, -0.25, 0.0}, 0.0));
  model.initial.push_back(place("lower", {0.3, -0.75, 0.0}, 0.0));
  model.initial[0].priority = upper;
  model.initial[1].priority = lower;
  return model;
}

TEST(Priority, FixedStaysAndFreeFollows) {
  const Assembled a(apart(model::Priority::fixed, model::Priority::free));
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  EXPECT_NEAR(a.pose(0).angle, 0.0, 1e-12);
  EXPECT_NEAR(a.pose(0).position.x(), 0.0, 1e-12);
  EXPECT_GT(std::abs(a.pose(1).angle), 0.1);
}

TEST(Priority, PreferredYieldsToFixed) {
  const Assembled a(apart(model::Priority::preferred, model::Priority::fixed));
  EXPECT_EQ(a.report.status, Status::cannot_assemble);  // it hangs 0.3 beside the pin
  const Assembled b(apart(model::Priority::preferred, model::Priority::free));
  ASSERT_EQ(b.report.status, Status::done) << b.report.message;
  EXPECT_NEAR(b.pose(0).angle, 0.0, 1e-5);
}

TEST(Priority, BothFreeShareTheMove) {
  const Assembled a(apart(model::Priority::free, model::Priority::free));
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  EXPECT_GT(std::abs(a.pose(0).angle), 1e-2);
  EXPECT_GT(std::abs(a.pose(1).angle), 1e-2);
}

TEST(Assembly, FindsTheNearestOfAllClosedPositions) {
  // One link on a pin, guessed away from it at an angle: the nearest position keeps the angle's
  // gradient zero. Compared with a scan of the one degree of freedom.
  model::Model model;
  model.planar = true;
  model.bodies.push_back(rigid("bar", 2.0, {1.0, 1.0, 0.3}, Vec3::Zero()));
  add_joint(model, "pin", model::JointType::revolute, "ground", "bar", {-0.5, 0.0, 0.0});
  model.initial.push_back(place("bar", {0.3, 0.4, 0.0}, 0.2));
  model.initial[0].priority = model::Priority::free;
  const Assembled a(model);
  ASSERT_EQ(a.report.status, Status::done) << a.report.message;
  const auto distance = [](double angle) {
    const double x = -0.5 + 0.5 * std::cos(angle), y = 0.5 * std::sin(angle);
    return 2.0 * ((x - 0.3) * (x - 0.3) + (y - 0.4) * (y - 0.4)) + 0.3 * (angle - 0.2) * (angle - 0.2);
  };
  double best = 0.0;
  for (double angle = -3.0; angle < 3.0; angle += 1e-4) {
    if (distance(angle) < distance(best)) best = angle;
  }
  EXPECT_NEAR(a.pose(0).angle, best, 2e-4);
}

TEST(Reconcile, LeavesAConsistentStateAlone) {
  model::Model model = double_pendulum();
  model.initial.push_back(turn("upper", 2.0));
  Assembled a(model);
  integrate::State again = a.state;
  EXPECT_EQ(simulate::reconcile(a.mechanism, a.equations, again).status, Status::done);
  for (std::size_t i = 0; i < again.v.size(); ++i) {
    EXPECT_NEAR(again.v[i], a.state.v[i], 1e-14);
    EXPECT_NEAR(again.a[i], a.state.a[i], 1e-11);
  }
}

}  // namespace
}  // namespace daedal::testing
