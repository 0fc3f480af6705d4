#pragma once

#include "daedal/integrate/explicit_step.hpp"

namespace daedal::integrate {

/// Runge-Kutta-Fehlberg of orders 4 and 5 with 6 stages on the index-1 equations, in the chart at the
/// beginning of the step [Fehlberg1969].
///
///     [ M  G^T ] [ v'     ]   [ f                                             ]
///     [ G   0  ] [ lambda ] = [ gamma - 2 alpha (G v + g_u u') - beta^2 g     ]     at every stage
///
/// alpha, beta: Baumgarte's factors, normally zero. The result is that of order 5, or without
/// Options::local_extrapolation that of order 4, the error their distance. Constraints of positions
/// and velocities hold as long as nothing pushes the solution off them: both drift, with t^2 and t.
/// Limits: as those of any explicit method.
class Rkf45 final : public ExplicitStep {
 public:
  static constexpr int kStages = 6;

  Rkf45(const system::ConstrainedSystem& system, const Options& options);

  StepStatus step(double h, State& to) override;
  double error(ErrorWeights& sizes) override;
  int error_order() const override { return 5; }

 private:
  StepStatus accelerate(Stage& stage);

  std::unique_ptr<system::Evaluator> here_;
  system::ForwardDynamics* forward_here_ = nullptr;
  std::vector<math::Jet> u_;
  std::vector<double> row_, g_;
  double h_ = 0.0;  // of the step tried last
};

}  // namespace daedal::integrate
