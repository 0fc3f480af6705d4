#pragma once

#include "daedal/integrate/explicit_step.hpp"

namespace daedal::integrate {

/// HEM5: half-explicit Runge-Kutta of order 5 with 8 stages on the index-2 equations, in the chart at
/// the beginning of the step [Brasey1993], [Haddouni2013].
///
///     Q_{i+1} from the positions' rates of stages 1 .. i;  then, for v'_i and Lambda_i,
///
///     [ M(Q_i)    G(Q_i)^T ] [ v'_i     ]   [ f(Q_i, V_i)                                        ]
///     [ G(Q_i+1)  0        ] [ Lambda_i ] = [ -(G(Q_i+1) W + g_u u'(t_i+1)) / (h a_{i+1,i})       ]
///
///     W = v_n + h sum_{j<i} a_{i+1,j} v'_j        V_{i+1} = W + h a_{i+1,i} v'_i
///
/// so that velocities satisfy their constraints at every stage and at the end. Velocity-level rows
/// are of this kind anyway. Accelerations and multipliers at the end of a step come from the
/// acceleration level. Order 5 in q, v, x and lambda; positions drift by the error of a step.
/// Limits: explicit, so that stiffness bounds the step; M must be regular where G leaves it free.
///
/// Error: err = err1^2 / (err1 + 0.01 err2) = O(h^5), with err1 the distance of the result from the
/// eighth stage and err2 that from y_n + h (5/2 y'_7 - 3/2 y'_8), in q, v and x.
class Hem5 final : public ExplicitStep {
 public:
  static constexpr int kStages = 8;

  Hem5(const system::ConstrainedSystem& system, const Options& options);

  StepStatus step(double h, State& to) override;
  double error(ErrorWeights& sizes) override;
  int error_order() const override { return 5; }

 private:
  std::unique_ptr<system::Evaluator> here_, next_;
  system::ForwardDynamics* forward_here_ = nullptr;
  system::ForwardDynamics* forward_next_ = nullptr;
  std::vector<math::Jet> u_here_, u_next_;
  std::vector<double> w_, row_;
  double h_ = 0.0;  // of the step tried last
};

}  // namespace daedal::integrate
