#pragma once

#include <array>
#include <optional>
#include <span>

namespace daedal::simulate {

/// How one step went; recorded with every row.
struct StepDiagnostics {
  double step_size = 0.0;           // [s]
  double newton_iterations = 0.0;
  double position_violation = 0.0;  // [m, rad]
  double velocity_violation = 0.0;  // [m/s, rad/s]
  double kinetic_energy = 0.0;      // [J]
  double potential_energy = 0.0;    // [J]
  double work = 0.0;                // of applied forces, dampers and drives since the start [J]
  double jacobian_evaluations = 0.0, jacobian_updates = 0.0;  // of the run so far

  static constexpr std::array<const char*, 9> kNames{
      "step_size",      "newton_iterations", "position_violation",   "velocity_violation",
      "kinetic_energy", "potential_energy",  "work",                 "jacobian_evaluations",
      "jacobian_updates"};
  std::array<double, 9> values() const {
    return {step_size,      newton_iterations, position_violation,   velocity_violation,
            kinetic_energy, potential_energy,  work,                 jacobian_evaluations,
            jacobian_updates};
  }
  /// Results of earlier versions end with the work.
  static StepDiagnostics from(std::span<const double> values) {
    StepDiagnostics d{values[0], values[1], values[2], values[3], values[4], values[5], values[6]};
    if (values.size() < kNames.size()) return d;
    d.jacobian_evaluations = values[7];
    d.jacobian_updates = values[8];
    return d;
  }
};

/// What a run is worth, from the diagnostics of its steps: the largest violations, and the largest
/// of |E(t) - E(0) - W(t)|, relative to the largest kinetic energy, change of potential energy or
/// work so far.
///
/// A continued run adds the recorded rows of its past first: its certificate then covers both.
class Certificate {
 public:
  void add(const StepDiagnostics& step);

  bool empty() const { return empty_; }
  double max_position_violation() const { return position_; }
  double max_velocity_violation() const { return velocity_; }
  /// Nothing if nothing has moved.
  std::optional<double> relative_energy_error() const;
  /// The worst imbalance has its sign: energy that appears from nowhere is positive.
  bool energy_rises() const { return imbalance_ > 0.0; }
  /// Whether energy came or went in the step added last that is many times all that moved before: no
  /// mechanism does that, an unstable method does.
  bool burst() const { return burst_; }
  /// Of the step added last.
  double work() const { return work_; }

 private:
  bool empty_ = true;
  double position_ = 0.0, velocity_ = 0.0;
  double start_energy_ = 0.0, start_potential_ = 0.0;
  double scale_ = 0.0, imbalance_ = 0.0, work_ = 0.0;
  double last_imbalance_ = 0.0;
  long steps_ = 0;
  bool burst_ = false;
};

}  // namespace daedal::simulate
