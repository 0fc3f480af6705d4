// Excitations that jump: runs restart there, exactly, and keep their order.
#include <gmock/gmock.h>

#include <cmath>

#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using simulate::Status;

constexpr double kBreak = 0.4137;

model::Model with_drive(const char* motion, model::Drive::Kind kind) {
  model::Model model = double_pendulum();
  model.joints[0].drive = drive(kind, motion);
  return model;
}

model::Model with_load(const char* value) {
  model::Model model = double_pendulum();
  model.forces.push_back(model::JointLoad{"motor", "shoulder", math::Expression::parse(value)});
  return model;
}

struct Case {
  std::string name;
  model::Model model;
};

std::vector<Case> cases() {
  using Kind = model::Drive::Kind;
  return {{"load_that_jumps", with_load("3*step(t - 0.4137)")},
          {"drive_whose_acceleration_jumps",
           with_drive("0.5*t + 2*max(t - 0.4137, 0)^2", Kind::angle)},
          {"drive_whose_speed_jumps", with_drive("0.5*t + max(t - 0.4137, 0)", Kind::angle)},
          {"speed_drive_that_jumps", with_drive("0.5 + step(t - 0.4137)", Kind::angular_speed)}};
}

class BreakPoint : public ::testing::TestWithParam<std::tuple<std::size_t, std::string>> {
 protected:
  const Case& test_case() const {
    static const std::vector<Case> all = cases();
    return all[std::get<0>(GetParam())];
  }
  simulate::Summary run(double h, KeptRows* rows = nullptr) const {
    simulate::Settings s = settings(1.0, h);
    s.method = std::get<1>(GetParam());
    simulate::RunOptions options;
    options.recorder = rows;
    return simulate::run(test_case().model, s, options);
  }
};

TEST_P(BreakPoint, IsARowOfItsOwn) {
  KeptRows rows;
  EXPECT_EQ(run(0.01, &rows).status, Status::done);
  EXPECT_THAT(rows.time, Contains(kBreak));
  for (std::size_t i = 1; i < rows.time.size(); ++i) {
    EXPECT_LT(rows.time[i - 1], rows.time[i]);
    EXPECT_LE(rows.time[i] - rows.time[i - 1], 0.01 * (1 + 1e-9));
  }
}

TEST_P(BreakPoint, KeepsSecondOrder) {
  const simulate::Summary exact = run(1.0 / 3200);
  double before = 0.0, energy_before = 0.0;
  for (const double h : {0.01, 0.005, 0.0025}) {
    const simulate::Summary summary = run(h);
    ASSERT_EQ(summary.status, Status::done) << summary.message;
    double error = 0.0;
    for (std::size_t k = 0; k < summary.final.size(); ++k) {
      error = std::max(error, std::abs(summary.final[k].second - exact.final[k].second) /
                                  (1.0 + std::abs(exact.final[k].second)));
    }
    const double energy = *summary.relative_energy_error;
    if (before > 0.0) {
      const double slope = std::log2(before / error), energy_slope = std::log2(energy_before / energy);
      std::printf("h = %.4f  error %.2e  slope %.2f  energy %.2e  slope %.2f\n", h, error, slope,
                  energy, energy_slope);
      EXPECT_GT(slope, 1.75);
      EXPECT_GT(energy_slope, 1.75);
    }
    before = error;
    energy_before = energy;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Excitations, BreakPoint,
    ::testing::Combine(::testing::Range<std::size_t>(0, 4),
                       ::testing::Values("generalized-alpha", "newmark", "midpoint")),
    [](const auto& parameter) {
      std::string name =
          cases()[std::get<0>(parameter.param)].name + "_" + std::get<1>(parameter.param);
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

// A drive through a jump of speed exerts an impulse: the free link keeps its momentum about the
// elbow, and nobody else does work.
TEST(BreakPoint, SpeedJumpsAtOnceWhereADriveSaysSo) {
  model::Model model = with_drive("step(t - 0.4137)", model::Drive::Kind::angular_speed);
  model.gravity.setZero();
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(model, settings(0.5, 0.01), options);
  ASSERT_EQ(summary.status, Status::done);
  const auto at = std::find(rows.time.begin(), rows.time.end(), kBreak) - rows.time.begin();
  // Lower link: I w + m c (v_elbow + c w) = 0 with v_elbow = 0.5, c = 0.25.
  const double w = -0.8 * 0.25 * 0.5 / (0.02 + 0.8 * 0.25 * 0.25);
  EXPECT_NEAR(rows.outputs["elbow_speed"][at], w - 1.0, 1e-3);
  EXPECT_EQ(rows.outputs["elbow_speed"][at - 1], 0.0);
  EXPECT_LT(*summary.relative_energy_error, 1e-3);
}

TEST(BreakPoint, PositionThatJumpsIsAFailureWithWhatWasComputed) {
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(
      with_drive("step(t - 0.4137)", model::Drive::Kind::angle), settings(1.0, 0.01), options);
  EXPECT_EQ(summary.status, Status::conflicting_constraints);
  EXPECT_THAT(summary.message, ::testing::AllOf(HasSubstr("jumps"), HasSubstr("0.4137"),
                                                HasSubstr("shoulder")));
  EXPECT_NEAR(rows.time.back(), kBreak, 1e-9);
  EXPECT_TRUE(rows.ended);
}

TEST(BreakPoint, ContinuedRunRestartsThereAsTheWholeRunDid) {
  const model::Model model = with_load("3*step(t - 0.4137)");
  simulate::Settings s = settings(1.0, 0.01);
  s.jacobian_reuse = false;
  const simulate::Summary whole = simulate::run(model, s);
  for (const double stop : {0.2, kBreak, 0.7}) {
    KeptRows rows;
    simulate::RunOptions options;
    options.recorder = &rows;
    options.progress = [&](const simulate::Progress& p) { return p.t < stop - 1e-9; };
    EXPECT_EQ(simulate::run(model, s, options).status, Status::interrupted);
    EXPECT_NEAR(rows.time.back(), stop, 0.0101);
    simulate::RunOptions rest;
    rest.continue_from = {rows.last, rows.last_outputs, {}};
    const simulate::Summary summary = simulate::run(model, s, rest);
    for (std::size_t k = 0; k < whole.final.size(); ++k) {
      EXPECT_NEAR(summary.final[k].second, whole.final[k].second, 1e-11) << stop;
    }
  }
}

}  // namespace
}  // namespace daedal::testing
