// The loop: rows, angles, energy, reduced steps, interruption.
#include "daedal/simulate/simulation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using simulate::Status;

/// A wheel in space on an axis that is no coordinate axis.
model::Model wheel(double omega) {
  const Vec3 axis = Vec3(1.0, 2.0, -1.0).normalized();
  model::Model model;
  model.bodies.push_back(rigid("wheel", 1.0, {1.0, 1.0, 1.0}, Vec3::Zero()));
  add_joint(model, "hub", model::JointType::revolute, "ground", "wheel", Vec3::Zero(),
            frame_with_z(axis));
  model.initial.push_back(moving("wheel", Vec3::Zero(), omega * axis));
  model.outputs.push_back(output("angle", model::Quantity::angle, "hub"));
  return model;
}

model::Model swinging() {
  model::Model model = double_pendulum();
  model::InitialState push;
  push.body = "upper";
  push.angular_velocity = Vec3(0.0, 0.0, 3.0);
  model.initial.push_back(push);
  return model;
}

TEST(Outputs, SpatialAngleIsContinuousOverManyTurns) {
  for (const double omega : {40.0, -40.0}) {
    KeptRows rows;
    simulate::RunOptions options;
    options.recorder = &rows;
    simulate::Settings s = settings(5.0, 0.01);
    s.output_step = 0.5;  // three turns between rows
    const simulate::Summary summary = simulate::run(wheel(omega), s, options);
    EXPECT_NEAR(summary.final[0].second, 5.0 * omega, 1e-6);
    ASSERT_THAT(rows.time, SizeIs(11));
    for (std::size_t i = 0; i < rows.time.size(); ++i) {
      EXPECT_NEAR(rows.outputs["angle"][i], omega * rows.time[i], 1e-6);
    }
  }
}

TEST(ReferenceLength, IsAMetreWhereAllPointsAreInOnePlace) {
  const simulate::Summary summary = simulate::run(wheel(1.0), settings(0.01, 0.01));
  EXPECT_EQ(summary.reference.length, 1.0);
  EXPECT_TRUE(summary.length_assumed);
  const simulate::Summary spread = simulate::run(double_pendulum(), settings(0.01, 0.01));
  EXPECT_GT(spread.reference.length, 0.0);
  EXPECT_FALSE(spread.length_assumed);
}

TEST(Steps, StartAtRestInTheOriginWithAnyDamping) {
  // Positions, velocities and increments are all zero there: nothing to measure corrections by.
  model::Model model;
  model.gravity = {0.0, 0.0, -10.0};
  model.bodies.push_back(point_mass("drop", 1.0, Vec3::Zero()));
  model::Output z = output("z", model::Quantity::position, "drop");
  z.component = 2;
  model.outputs.push_back(z);
  for (const double rho : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.0}) {
    simulate::Settings s = settings(1.0, 1e-3);
    s.rho_inf = rho;
    const simulate::Summary summary = simulate::run(model, s, {});
    EXPECT_EQ(summary.status, Status::done) << rho;
    EXPECT_NEAR(summary.final[0].second, -5.0, 1e-9) << rho;
  }
}

TEST(Steps, StopWhereEnergyComesFromNowhere) {
  // Undamped Newmark on a constrained motion grows without bound; rows of nonsense are not kept.
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  simulate::Settings s = settings(1000.0, 2e-2);
  s.method = "newmark";
  const simulate::Summary summary = simulate::run(swinging(), s, options);
  EXPECT_EQ(summary.status, Status::unstable) << summary.message;
  double largest = 0.0;
  for (const simulate::StepDiagnostics& d : rows.diagnostics) {
    largest = std::max(largest, d.kinetic_energy);
  }
  EXPECT_LT(largest, 1e4 * rows.diagnostics.front().kinetic_energy);
}

TEST(Rows, AreEveryStepByDefault) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(wheel(1.0), settings(1.0, 0.1), options);
  EXPECT_THAT(rows.time, SizeIs(11));
  EXPECT_EQ(summary.rows, 11);
  EXPECT_EQ(summary.steps, 10);
  EXPECT_EQ(rows.time.front(), 0.0);
  EXPECT_EQ(rows.time.back(), 1.0);
}

TEST(Rows, FollowOutputStepAndAlwaysHaveTheEnd) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  simulate::Settings s = settings(1.0, 0.01);
  s.output_step = 0.3;
  simulate::run(wheel(1.0), s, options);
  ASSERT_THAT(rows.time, SizeIs(5));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(rows.time[i], 0.3 * i, 1e-12);
  EXPECT_EQ(rows.time[4], 1.0);
}

TEST(Rows, OutputStepBelowTheStepIsEveryStep) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  simulate::Settings s = settings(1.0, 0.1);
  s.output_step = 0.03;
  simulate::run(wheel(1.0), s, options);
  EXPECT_THAT(rows.time, SizeIs(11));
}

TEST(Rows, StepIsRoundedDownToDivideTheTime) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  EXPECT_EQ(simulate::run(wheel(1.0), settings(1.0, 0.3), options).steps, 4);
  EXPECT_THAT(rows.time, ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0));
}

TEST(Rows, DefaultStepIsAThousandth) {
  simulate::Settings s;
  s.until = 0.5;
  s.steps = "fixed";
  EXPECT_EQ(simulate::step_size(s), 0.0005);
  EXPECT_EQ(simulate::run(wheel(1.0), s).steps, 1000);
}

TEST(Energy, BalanceCountsDampersMotorsAndDrives) {
  model::Model model = swinging();
  model.forces.push_back(model::JointSpring{"damper", "elbow", 2.0, 0.3, 0.1});
  model.forces.push_back(
      model::JointLoad{"motor", "elbow", math::Expression::parse("2*sin(5*t)")});
  model.joints[0].drive = drive(model::Drive::Kind::angle, "3*sin(t)");
  model.initial[0].angular_velocity = Vec3(0.0, 0.0, 3.0);
  double before = 0.0;
  for (const double h : {0.01, 0.005, 0.0025}) {
    const simulate::Summary summary = simulate::run(model, settings(2.0, h));
    ASSERT_TRUE(summary.relative_energy_error.has_value());
    if (before > 0.0) {
      EXPECT_NEAR(std::log2(before / *summary.relative_energy_error), 2.0, 0.2);
    }
    before = *summary.relative_energy_error;
  }
  EXPECT_LT(before, 1e-4);
}

TEST(Energy, NothingThatMovesHasNoBalance) {
  model::Model model;
  model.bodies.push_back(rigid("block", 1.0, {1.0, 1.0, 1.0}, Vec3::Zero()));
  add_joint(model, "weld", model::JointType::fixed, "ground", "block", Vec3::Zero());
  EXPECT_FALSE(simulate::run(model, settings(0.1, 0.01)).relative_energy_error.has_value());
}

TEST(Energy, LargeErrorIsWarnedOf) {
  simulate::Settings s = settings(2.0, 0.1);
  s.rho_inf = 0.0;
  const simulate::Summary summary = simulate::run(swinging(), s);
  ASSERT_THAT(summary.warnings, SizeIs(1));
  EXPECT_THAT(summary.warnings[0], HasSubstr("simulate.step=0.05"));
  EXPECT_THAT(simulate::run(swinging(), settings(2.0, 0.001)).warnings, IsEmpty());
}

TEST(Energy, MidpointIsNotAdvisedToMidpoint) {
  // A motor whose work the trapezoidal rule overrates: energy seems to get lost.
  model::Model model = wheel(1.0);
  model.forces.push_back(model::JointLoad{"motor", "hub", math::Expression::parse("t^2")});
  simulate::Settings s = settings(2.0, 0.5);
  s.method = "midpoint";
  const simulate::Summary summary = simulate::run(model, s);
  ASSERT_THAT(summary.warnings, SizeIs(1));
  EXPECT_THAT(summary.warnings[0], HasSubstr("simulate.step=0.25"));
  EXPECT_THAT(summary.warnings[0], ::testing::Not(HasSubstr("midpoint")));
}

// Three iterations do not solve steps of 0.1 s to 1e-9: they are taken in parts.
TEST(ReducedSteps, CarryOnWhereNewtonFails) {
  simulate::Settings s = settings(1.0, 0.1);
  s.max_iterations = 3;
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(swinging(), s, options);
  ASSERT_EQ(summary.status, Status::done) << summary.message;
  EXPECT_GT(summary.rejected_steps, 0);
  EXPECT_GT(summary.reduced_steps, 0);
  EXPECT_EQ(summary.time, 1.0);
  // Rows stay on the grid.
  ASSERT_THAT(rows.time, SizeIs(11));
  for (int i = 0; i <= 10; ++i) EXPECT_NEAR(rows.time[i], 0.1 * i, 1e-12);
  const simulate::Summary fine = simulate::run(swinging(), settings(1.0, 0.001));
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(summary.final[k].second, fine.final[k].second, 0.2) << summary.final[k].first;
  }
}

TEST(Interruption, KeepsTheLastStateAndSaysSo) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  options.progress = [](const simulate::Progress& p) { return p.steps < 7; };
  simulate::Settings s = settings(1.0, 0.01);
  s.output_step = 0.5;
  const simulate::Summary summary = simulate::run(swinging(), s, options);
  EXPECT_EQ(summary.status, Status::interrupted);
  EXPECT_EQ(summary.steps, 7);
  ASSERT_THAT(rows.time, SizeIs(2));
  EXPECT_NEAR(rows.time.back(), 0.07, 1e-12);
  EXPECT_TRUE(rows.ended);
  EXPECT_THAT(summary.final, SizeIs(4));
}

TEST(Continuation, IsTheWholeRunAndAddsNoRowTwice) {
  for (const char* method : {"generalized-alpha", "hht", "newmark", "midpoint"}) {
    simulate::Settings s = settings(1.0, 0.01);
    s.method = method;
    s.jacobian_reuse = false;
    KeptRows whole, part, rest;
    simulate::RunOptions options;
    options.recorder = &whole;
    simulate::run(swinging(), s, options);
    options.recorder = &part;
    options.progress = [](const simulate::Progress& p) { return p.steps < 37; };
    simulate::run(swinging(), s, options);
    simulate::RunOptions again;
    again.recorder = &rest;
    again.continue_from = {part.last, part.last_outputs, {}};
    EXPECT_EQ(simulate::run(swinging(), s, again).rows, 63);
    std::vector<double> time = part.time;
    time.insert(time.end(), rest.time.begin(), rest.time.end());
    EXPECT_EQ(time, whole.time);
    EXPECT_EQ(rest.last.q, whole.last.q) << method;
    EXPECT_EQ(rest.last.lambda, whole.last.lambda) << method;
  }
}

TEST(Continuation, OfAnotherModelIsRefused) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  simulate::run(wheel(1.0), settings(0.1, 0.01), options);
  simulate::RunOptions again;
  again.continue_from = {rows.last, rows.last_outputs, {}};
  EXPECT_THROW(simulate::run(swinging(), settings(1.0, 0.01), again), model::ModelError);
}

TEST(Recorder, ThatFailsEndsTheRun) {
  KeptRows rows;
  rows.fail_at = 5;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(swinging(), settings(1.0, 0.01), options);
  EXPECT_EQ(summary.status, Status::output_failed);
  EXPECT_EQ(summary.message, "no space left");
  EXPECT_EQ(summary.steps, 5);
  EXPECT_EQ(summary.rows, 5);
}

TEST(Recorder, ThatCannotBeginIsTheCallersProblem) {
  struct Closed final : simulate::Recorder {
    void begin(const simulate::RowNames&) override { throw std::runtime_error("read-only"); }
    void record(const simulate::Row&) override {}
    void end(const simulate::Summary&) override {}
    long kept() const override { return 0; }
  } closed;
  simulate::RunOptions options;
  options.recorder = &closed;
  EXPECT_THROW(simulate::run(swinging(), settings(1.0, 0.01), options), std::runtime_error);
}

TEST(Certificate, OfPartsIsThatOfTheWhole) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(swinging(), settings(1.0, 0.01), options);
  simulate::Certificate certificate;
  for (const simulate::StepDiagnostics& step : rows.diagnostics) certificate.add(step);
  EXPECT_EQ(certificate.relative_energy_error(), summary.relative_energy_error);
  EXPECT_EQ(certificate.max_velocity_violation(), summary.max_velocity_violation);
  EXPECT_EQ(certificate.max_position_violation(), summary.max_position_violation);
}

}  // namespace
}  // namespace daedal::testing
