#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daedal/integrate/error_weights.hpp"

namespace daedal::integrate {

/// What explicit Runge-Kutta methods share: the chart at the beginning of a step, the stages in it,
/// and what the equations say at a state.
///
///     theta' = T^-1(theta) v      theta_i = h sum_j a_ij theta'_j      Q_i = retract(q_n, theta_i)
///     V_i = v_n + h sum_j a_ij v'_j                                    X_i = x_n + h sum_j a_ij c_j
///
/// A method says how the accelerations v' of its stages come about.
class ExplicitStep {
 public:
  ExplicitStep(const system::ConstrainedSystem& system, const Options& options, int stages);
  virtual ~ExplicitStep() = default;

  /// Goes to a state, from which the next step starts; sees how far it is off the constraints.
  void place(const State& state);
  double position_violation() const { return position_violation_; }
  double velocity_violation() const { return velocity_violation_; }
  /// Accelerations, multipliers and state rates at the state placed last.
  StepStatus settle(State& state);

  /// q, v, x of the state h later, from the one placed last; and the local error of the step, in the
  /// root mean square, beside its size.
  virtual StepStatus step(double h, State& to) = 0;
  virtual double error(ErrorWeights& sizes) = 0;
  /// The error is of order h^p.
  virtual int error_order() const = 0;

  /// What accelerations are solved with; free between the steps.
  formulate::AccelerationLevel& equations() { return equations_; }

  const correct::NewtonCounters& counters() const { return counters_; }
  /// Name of what failed, or had the largest error.
  const std::string& where() const { return where_; }
  /// Of the acceleration level at the state placed last.
  correct::MatrixQuality matrix_quality();

 protected:
  /// A stage, or the result: where it is, and the rates there.
  struct Stage {
    std::vector<double> theta, q, v, x;     // where
    std::vector<double> theta_rate, a, c;   // rates
  };

  /// theta, q and x of a stage, t_n + c h, from the rates of those before it.
  void place_positions(Stage& stage, std::span<const double> weights, double h);
  /// V = v_n + h sum of w_j v'_j over the first stages.
  void place_velocities(std::span<double> v, std::span<const double> weights, double h) const;
  /// Rates of positions and states of a stage at an evaluator that is there.
  void rates(Stage& stage, system::Evaluator& evaluator);
  /// The rates of the first stage's positions and states: those at the start.
  void begin_stages();
  void excitations(double t, std::vector<math::Jet>& u) const { system_.excitations(t, u); }

  /// Root mean square of what `entry` makes of a coordinate's position, its velocity and a state,
  /// beside their sizes; the largest is named.
  template <class Position, class Velocity, class StateOf>
  double norm(Position&& position, Velocity&& velocity, StateOf&& state) {
    double sum = 0.0, largest = -1.0;
    const auto add = [&](double value, int i) {
      sum += value * value;
      if (!(std::abs(value) <= largest)) largest = std::abs(value), worst_ = i;
    };
    const int n = structure_.dof();
    for (int i = 0; i < n; ++i) add(position(i) * wq_[i], i), add(velocity(i) * wv_[i], i);
    for (int i = 0; i < structure_.state_size; ++i) add(state(i) * wx_[i], n + i);
    const int count = 2 * n + structure_.state_size;
    return count > 0 ? std::sqrt(sum / count) : 0.0;
  }
  /// Sizes for norm(), of the state the step started from.
  void weigh(ErrorWeights& sizes);
  void name_worst();
  StepStatus failed(const linear::FactorStatus& status);

  const system::ConstrainedSystem& system_;
  const system::Structure& structure_;
  Options options_;
  formulate::AccelerationLevel equations_;
  std::unique_ptr<system::Evaluator> start_;
  system::ForwardDynamics* forward_ = nullptr;  // of start_, where nothing else is needed
  correct::NewtonCounters counters_;

  State from_;
  std::vector<math::Jet> u_start_;
  std::vector<double> force_;  // there
  std::vector<Stage> stages_;

 private:
  std::vector<double> g_, rate_, wq_, wv_, wx_;
  std::vector<math::Mat3> T_;
  double position_violation_ = 0.0, velocity_violation_ = 0.0;
  std::string where_;
  int worst_ = 0;
};

}  // namespace daedal::integrate
