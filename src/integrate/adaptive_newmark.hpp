#pragma once

#include "daedal/integrate/error_weights.hpp"
#include "daedal/integrate/projection.hpp"
#include "daedal/integrate/stabilised_newmark.hpp"
#include "daedal/integrate/step_control.hpp"

namespace daedal::integrate {

/// StabilisedNewmark with steps chosen by its local error, tol = simulate.tolerance:
///
///   q   |beta + (alpha_m - alpha_f)/2 - 1/6| h^2 (a_{n+1} - a_n), in the tangent space of the
///       constraints
///   x   h^3 x'''/12, the error of the trapezoidal rule with x''' from three rates
///
/// beside their ErrorWeights. The worst of them decides; lambda takes no part. StepControl makes steps of them, at most
/// `max_step`. Between its steps a solution is the cubic with their ends' values and rates, in the
/// chart at the beginning, put onto the constraints.
///
/// Limits: of second order, so that a tenth of the tolerance costs 2.2 times the steps. A continued
/// run begins anew.
class AdaptiveNewmark final : public AdaptiveIntegrator {
 public:
  AdaptiveNewmark(const system::ConstrainedSystem& system, const Options& options,
                  const NewmarkFamily::Parameters& parameters);

  void start(State& state, double h) override;
  StepReport advance(double t_stop, State& to) override;
  void interpolate(double t, State& out) override;
  void approximate(double t, State& out) override;
  int memory_size() const override { return 0; }

  const correct::NewtonCounters& counters() const override { return method_.counters(); }
  const correct::ReferenceQuantities& reference() const override { return method_.reference(); }
  double scaling_factor() const override { return method_.scaling_factor(); }
  correct::MatrixQuality matrix_quality() override { return method_.matrix_quality(); }
  bool regularised() const override { return method_.regularised(); }
  void regularise() override;

 private:
  /// Error of positions in error_, with `at` for their size; sets worst_.
  double position_error(const State& at);
  double state_error(double h);
  void copy(const State& from, State& to);

  const system::Structure& structure_;
  Options options_;
  StabilisedNewmark method_;
  StepControl control_{{.order = 3, .kept = 1.2}};
  formulate::AccelerationLevel equations_;  // of the projection
  std::unique_ptr<system::Evaluator> evaluator_;
  Projection projection_;

  State before_, now_, trial_;
  double next_h_ = 0.0;
  double smallest_h_ = 0.0;
  ErrorWeights sizes_;
  double last_h_ = 0.0;       // of the step from before_ to now_; 0: there is none
  int worst_ = 0;             // coordinate
  std::vector<double> error_, weights_, state_weights_;
  std::vector<double> x_, x_rate_, end_rate_;
  std::vector<math::Mat3> T_;
};

}  // namespace daedal::integrate
