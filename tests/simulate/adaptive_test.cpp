// The loop with a method that chooses its steps: rows, break points, interruption, continuation.
#include <gmock/gmock.h>

#include <cmath>

#include "daedal/simulate/choice.hpp"
#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using simulate::Status;

simulate::Settings adaptive(double until, double tolerance, const std::string& formulation = "ggl") {
  simulate::Settings s;
  s.until = until;
  s.tolerance = tolerance;
  s.method = "bdf";
  s.formulation = formulation;
  s.coordinates = "absolute";
  return s;
}

model::Model swinging() {
  model::Model model = double_pendulum();
  model::InitialState push;
  push.body = "upper";
  push.angular_velocity = Vec3(0.0, 0.0, 3.0);
  model.initial.push_back(push);
  return model;
}

simulate::Summary run(const model::Model& model, const simulate::Settings& s, KeptRows& rows) {
  simulate::RunOptions options;
  options.recorder = &rows;
  return simulate::run(model, s, options);
}

TEST(Adaptive, RowsAreEveryStep) {
  KeptRows rows;
  const simulate::Summary summary = run(swinging(), adaptive(1.0, 1e-6), rows);
  EXPECT_EQ(summary.status, Status::done) << summary.message;
  EXPECT_EQ(summary.steps + 1, static_cast<long>(rows.time.size()));
  EXPECT_DOUBLE_EQ(rows.time.back(), 1.0);
  for (std::size_t i = 1; i < rows.time.size(); ++i) {
    EXPECT_NEAR(rows.diagnostics[i].step_size, rows.time[i] - rows.time[i - 1], 1e-15);
  }
  EXPECT_LT(summary.max_position_violation, 1e-14);
  EXPECT_LT(summary.max_velocity_violation, 1e-13);
}

TEST(Adaptive, RowsFollowOutputStepWhateverTheSteps) {
  for (const double interval : {0.2, 0.001}) {
    KeptRows rows, all;
    simulate::Settings s = adaptive(1.0, 1e-8);
    s.output_step = interval;
    const simulate::Summary summary = run(swinging(), s, rows);
    ASSERT_THAT(rows.time, SizeIs(std::lround(1.0 / interval) + 1));
    for (std::size_t i = 0; i < rows.time.size(); ++i) {
      EXPECT_NEAR(rows.time[i], interval * static_cast<double>(i), 1e-12);
      EXPECT_LT(rows.diagnostics[i].position_violation, 1e-14);
      EXPECT_LT(rows.diagnostics[i].velocity_violation, 1e-13);
    }
    EXPECT_LT(*summary.relative_energy_error, 1e-5);
    // Interpolated rows are those of a run with other steps.
    s.tolerance = 1e-10;
    run(swinging(), s, all);
    for (std::size_t i = 0; i < rows.time.size(); ++i) {
      EXPECT_NEAR(rows.outputs["elbow"][i], all.outputs["elbow"][i], 2e-5);
    }
  }
}

TEST(Adaptive, MaxStepBoundsThem) {
  KeptRows rows;
  simulate::Settings s = adaptive(1.0, 1e-3);
  s.max_step = 0.004;
  run(swinging(), s, rows);
  for (const auto& d : rows.diagnostics) EXPECT_LE(d.step_size, 0.004 * (1.0 + 1e-9));
}

TEST(Adaptive, BreakPointsAreRowsAndTheMethodRestartsThere) {
  struct Case {
    const char* motion;
    model::Drive::Kind kind;
  };
  using Kind = model::Drive::Kind;
  for (const auto& [motion, kind] :
       {Case{"0.5*t + 2*max(t - 0.4137, 0)^2", Kind::angle}, Case{"0.5*t + max(t - 0.4137, 0)", Kind::angle},
        Case{"0.5 + step(t - 0.4137)", Kind::angular_speed}}) {
    model::Model model = double_pendulum();
    model.joints[0].drive = drive(kind, motion);
    KeptRows rows, fine;
    const simulate::Summary summary = run(model, adaptive(1.0, 1e-8), rows);
    EXPECT_EQ(summary.status, Status::done) << motion << ": " << summary.message;
    EXPECT_THAT(rows.time, Contains(0.4137));
    EXPECT_LT(*summary.relative_energy_error, 1e-5) << motion;
    // A method of its own kind agrees.
    const simulate::Summary other = run(model, settings(1.0, 2e-4), fine);
    EXPECT_NEAR(summary.final[1].second, other.final[1].second, 1e-4) << motion;
    EXPECT_NEAR(summary.final[3].second, other.final[3].second, 1e-3) << motion;
  }
}

/// Drift is no step that did not converge, as far as settings let it pass.
TEST(Adaptive, DriftThatSettingsLetPassEndsNoRun) {
  simulate::Settings s = adaptive(20.0, 1e-6, "index-1");
  s.method = "rkf45";
  s.local_extrapolation = false;
  s.output_step = 0.1;
  s.projection = false;
  KeptRows rows;
  const simulate::Summary free = run(swinging(), s, rows);
  EXPECT_EQ(free.status, Status::done) << free.message;
  EXPECT_GT(free.position_drift, 1e-5);
  EXPECT_LE(free.position_drift, free.max_position_violation);

  s.projection = true;
  s.drift_tolerance = 1e-5;
  KeptRows projected;
  const simulate::Summary held = run(swinging(), s, projected);
  EXPECT_EQ(held.status, Status::done) << held.message;
  EXPECT_LE(held.position_drift, 1e-5);
  EXPECT_EQ(free.reduced_steps, 0);
  EXPECT_EQ(held.reduced_steps, 0);
}

TEST(Adaptive, EveryFormulationAgrees) {
  std::vector<double> ends;
  for (const char* formulation : {"ggl", "index-2", "index-1"}) {
    KeptRows rows;
    const simulate::Summary summary = run(swinging(), adaptive(1.0, 1e-8, formulation), rows);
    EXPECT_EQ(summary.status, Status::done) << formulation << ": " << summary.message;
    EXPECT_EQ(summary.formulation, formulation);
    EXPECT_LT(summary.max_position_violation, 1e-14);
    ends.push_back(summary.final[1].second);
  }
  EXPECT_NEAR(ends[1], ends[0], 1e-5);
  EXPECT_NEAR(ends[2], ends[0], 1e-5);
}

TEST(Adaptive, InterruptedRunGoesOn) {
  const simulate::Settings s = adaptive(1.0, 1e-8);
  KeptRows whole, first, second;
  const simulate::Summary complete = run(swinging(), s, whole);
  simulate::RunOptions options;
  options.recorder = &first;
  options.progress = [](const simulate::Progress& p) { return p.t < 0.5; };
  const simulate::Summary half = simulate::run(swinging(), s, options);
  EXPECT_EQ(half.status, Status::interrupted);
  EXPECT_GE(half.time, 0.5);
  EXPECT_LT(half.time, 0.6);
  simulate::RunOptions rest;
  rest.recorder = &second;
  rest.continue_from = simulate::Continuation{first.last, first.last_outputs, {}};
  const simulate::Summary end = simulate::run(swinging(), s, rest);
  EXPECT_EQ(end.status, Status::done) << end.message;
  EXPECT_GT(second.time.front(), first.time.back());
  EXPECT_NEAR(end.final[1].second, complete.final[1].second, 1e-5);
}

TEST(Adaptive, AutoTakesBdfForItsFormulations) {
  simulate::Settings s = adaptive(1.0, 1e-6);
  s.method = "auto";
  EXPECT_EQ(simulate::choose_method(swinging(), s).method, "bdf");
}

TEST(Adaptive, NoFixedStepMethodTakesItsFormulations) {
  simulate::Settings s = adaptive(1.0, 1e-6);
  s.method = "midpoint";
  try {
    simulate::run(swinging(), s);
    FAIL();
  } catch (const model::ModelError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("absolute + ggl + bdf"));
  }
}

TEST(Adaptive, CountsWhatJacobiansCost) {
  simulate::Settings s = adaptive(1.0, 1e-6);
  KeptRows rows;
  const simulate::Summary analytic = run(swinging(), s, rows);
  EXPECT_EQ(analytic.jacobian_residual_evaluations, 0);
  EXPECT_GT(analytic.jacobian_evaluations, 0);
  EXPECT_EQ(analytic.jacobian_updates, 0);
  s.jacobian = "differences";
  KeptRows more;
  const simulate::Summary differences = run(swinging(), s, more);
  // q, v and lambda: 6 + 6 + 4 columns.
  EXPECT_EQ(differences.jacobian_residual_evaluations, 16 * differences.jacobian_evaluations);
  s.jacobian_update = "partitioned";
  KeptRows most;
  const simulate::Summary partitioned = run(swinging(), s, most);
  EXPECT_GT(partitioned.jacobian_updates, 0);
  EXPECT_LT(partitioned.jacobian_evaluations, differences.jacobian_evaluations);
  EXPECT_THAT(partitioned.references, Contains("Arnold2006"));
}

}  // namespace
}  // namespace daedal::testing
