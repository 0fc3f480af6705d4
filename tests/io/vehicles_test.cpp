// The two vehicles of the gallery: the structure that [Arnold2006] states for its train carriage,
// and motions that can be known beforehand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>

#include <fmt/format.h>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/io/model_file.hpp"
#include "simulate/kept_rows.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::io {
namespace {

ModelFile read(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_model(std::filesystem::path(DAEDAL_SOURCE_DIR) / "models" / (name + ".yaml"),
                    overrides);
}

daedal::testing::KeptRows rows_of(const std::string& name,
                                  const std::vector<std::string>& overrides) {
  const ModelFile file = read(name, overrides);
  daedal::testing::KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  const simulate::Summary summary = simulate::run(file.model, file.settings, options);
  EXPECT_EQ(summary.status, simulate::Status::done) << summary.message;
  return rows;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST(TrainCarriage, HasTheDimensionsAndTheSparsityOfThePaper) {
  const ModelFile file = read("train-carriage");
  coordinates::Mechanism absolute = coordinates::make_absolute(file.model);
  const coordinates::Mechanism mechanism =
      coordinates::make_joint(file.model, absolute, {absolute.initial.q, absolute.initial.v});
  const system::Structure& structure = mechanism.system->structure();
  EXPECT_EQ(structure.dof(), 41);
  EXPECT_EQ(structure.constraint_rows, 8);
  formulate::FirstOrder form(*mechanism.system, {formulate::Form::ggl, 0.0, 0.0, 1.0});
  correct::FirstOrderMatrix matrix(form, correct::JacobianSource::grouped,
                                   correct::JacobianUpdate::none, correct::Scaling::time_step);
  EXPECT_EQ(form.layout().size, 98);

  // Entries that differ from zero, in the curve and off the solution so that nothing cancels.
  daedal::testing::Random random(3);
  std::vector<double> y(form.size(), 0.0), y_rate = random.values(form.size()), F(form.size());
  const std::span<double> all(y);
  structure.manifold.retract(mechanism.initial.q, random.values(structure.dof(), 1e-3),
                             form.q(all));
  for (double& value : form.v(all)) value = 0.1 * random.uniform();
  for (double& value : form.lambda(all)) value = 5e4 * random.uniform(0.5, 1.0);
  std::vector<math::Jet> u(structure.excitations);
  mechanism.system->excitations(6.5, u);
  form.residual(u, y, y_rate, F);
  matrix.evaluate(u, y, y_rate, F);
  matrix.assemble(100.0, y, 0.0);
  const auto entries =
      std::ranges::count_if(matrix.matrix().values(), [](double value) { return value != 0.0; });
  fmt::print("train-carriage: {} entries, {} residuals per Jacobian; the paper: 1620 and 46\n",
             entries, matrix.residuals_per_evaluation());
  EXPECT_LE(entries, 1620);
  EXPECT_EQ(matrix.residuals_per_evaluation(), 46);
}

TEST(TrainCarriage, StandsWithAnEighthOfItsWeightOnEachWheel) {
  const double weight = 9.81 * (32000.0 + 2 * 2615.0 + 4 * 1813.0);
  const auto rows = rows_of("train-carriage", {"parameters.shift=0", "simulate.until=0.5"});
  for (const char* name : {"load_left", "load_right"}) {
    for (const double load : rows.outputs.at(name)) EXPECT_NEAR(load, weight / 8, 1e-3 * weight);
  }
  EXPECT_LT(largest(rows.outputs.at("car")), 1e-9);
}

TEST(TrainCarriage, SettlesOnAStraightTrackAfterADisplacement) {
  const auto rows = rows_of("train-carriage", {"parameters.shift=0", "simulate.until=6",
                                               "initial.wheelset[i][j].position="
                                               "[(3 - 2*i)*pivots + (3 - 2*j)*axles, 0.003, r0]"});
  const auto& y = rows.outputs.at("first_wheelset");
  EXPECT_GT(largest(y), 2e-3);
  double late = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (rows.time[k] > 5.0) late = std::max(late, std::abs(y[k]));
  }
  EXPECT_LT(late, 5e-4);
}

TEST(TrainCarriage, FollowsTheLineChangeWithinItsFlanges) {
  const auto rows = rows_of("train-carriage", {"simulate.output_step=0.01"});
  double most = 0.0;
  for (std::size_t k = 0; k < rows.time.size(); ++k) {
    const double x = 9.5 + 1.28 + 20.0 * rows.time[k];
    const double track = 2.0 * (1.0 + std::tanh((x - 165.0) / 40.0));
    most = std::max(most, std::abs(rows.outputs.at("first_wheelset")[k] - track));
  }
  fmt::print("train-carriage: the first wheelset moves {:.2f} mm in its track\n", 1e3 * most);
  EXPECT_GT(most, 2e-3);
  EXPECT_LT(most, 10e-3);
  EXPECT_NEAR(rows.outputs.at("car").back(), 4.0, 5e-3);
}

TEST(TrainCarriage, MovesAlikeInAbsoluteAndJointCoordinates) {
  const std::vector<std::string> common{"simulate.until=8", "simulate.tolerance=1e-6",
                                        "simulate.output_step=0.5"};
  std::vector<std::string> absolute = common;
  absolute.push_back("simulate.coordinates=absolute");
  const auto a = rows_of("train-carriage", absolute), b = rows_of("train-carriage", common);
  ASSERT_EQ(a.time.size(), b.time.size());
  for (const char* name : {"car", "first_wheelset", "last_wheelset"}) {
    for (std::size_t k = 0; k < a.time.size(); ++k) {
      EXPECT_NEAR(a.outputs.at(name)[k], b.outputs.at(name)[k], 1e-4) << name << a.time[k];
    }
  }
}

TEST(PassengerCar, RollsStraightAndLevelWithoutSteering) {
  const auto rows = rows_of("passenger-car", {"parameters.amplitude=0", "simulate.until=2"});
  EXPECT_LT(largest(rows.outputs.at("y")), 1e-6);
  for (const double z : rows.outputs.at("height")) EXPECT_NEAR(z, 0.6137, 1e-5);
  const double z_f = rows.outputs.at("wheel_speed").front();
  for (const double w : rows.outputs.at("wheel_speed")) EXPECT_NEAR(w, z_f, 1e-3);
}

// Yaw of the linear single-track model to a sinusoidal steering angle:
// m (v' + V r) = F_f + F_r, J r' = a F_f - b F_r, F = C (steer - slip).
TEST(PassengerCar, YawsAsTheLinearSingleTrackModelForSmallSteering) {
  // Slowly: the rolling body, which the model leaves out, follows without lag.
  const double omega = 0.6;
  const auto rows = rows_of("passenger-car", {"parameters.amplitude=2e-4", "parameters.omega=0.6",
                                              "simulate.until=12", "simulate.tolerance=1e-6"});
  double yaw = 0.0, angle = 0.0;
  for (std::size_t k = 0; k < rows.time.size(); ++k) {
    if (rows.time[k] < 4.0) continue;
    yaw = std::max(yaw, std::abs(rows.outputs.at("yaw_rate")[k]));
    // The mean of both wheels: the tie rods turn them against each other as the body rolls.
    angle = std::max(angle, std::abs(rows.outputs.at("rack")[k]) / 0.12);
  }
  const double m = 965.7 + 4 * 31.9, g = 9.81, V = 25.0, unsprung = 2 * 31.9;
  const double C = 2 * 21.92 * g * m / 4;
  // Centre of mass and yaw inertia of the whole car.
  const double x = unsprung * (1.1562 - 1.4227) / m, a = 1.1562 - x, b = 1.4227 + x;
  const double J = 1791.6;
  using Complex = std::complex<double>;
  const Complex s(0.0, omega);
  const Complex vv = m * s + 2 * C / V, vr = m * V + C * (a - b) / V, rv = C * (a - b) / V,
                rr = J * s + C * (a * a + b * b) / V;
  const Complex r = (vv * (a * C) - rv * C) / (vv * rr - vr * rv);
  fmt::print("passenger-car: yaw per steering {:.3f} 1/s, single-track model {:.3f} 1/s\n",
             yaw / angle, std::abs(r));
  EXPECT_NEAR(yaw / angle, std::abs(r), 0.02 * std::abs(r));
}

}  // namespace
}  // namespace daedal::io
