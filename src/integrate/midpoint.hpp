#pragma once

#include "daedal/integrate/implicit_step.hpp"

namespace daedal::integrate {

/// The implicit midpoint rule on the index-3 equations, on Lie groups.
///
///     x = h (v_n + v_{n+1}) / 2      q_m = retract(q_n, x/2)      q_{n+1} = retract(q_n, x)
///     M(q_m) (v_{n+1} - v_n) / h = f(q_m, x/h, t_m) - G(q_m)^T lambda       0 = g(q_{n+1})
///     A(q_m) x/h = b(t_m)      x_{n+1} - x_n = h c(midpoint)
///
/// lambda belongs to t_n + h/2. Order 2, no dissipation. Conserves energy exactly where
/// coordinates are linear, constraints quadratic and potentials quadratic or linear, since then
/// G(q_m) (q_{n+1} - q_n) = g(q_{n+1}) - g(q_n); elsewhere the energy error stays of order h^2.
/// Start: the velocity is off the hidden constraint by -h^2/12 of the third derivative, off
/// velocity rows by -h^2/8, and is adapted when the step changes.
class Midpoint final : public ImplicitStep {
 public:
  Midpoint(const system::ConstrainedSystem& system, const Options& options);

  void start(State& state, double h) override;
  int memory_size() const override { return 1; }

 private:
  correct::MethodFactors factors(double h) const override;
  void adapt() override;
  void kinematics() override;
  void finish(State& to) override;
  void residual(std::span<double> F) override;
  void linearise() override;
  void assemble(correct::NewtonMatrix& J, double regularisation) override;

  // Memory: the step size to which the offset of v belongs.
  static constexpr OffsetFactors kOffset{-1.0 / 12.0, -1.0 / 8.0};

  std::unique_ptr<system::Evaluator> end_;
  std::vector<double> half_, q_mid_, v_end_, x_mid_, g_mid_;
  std::vector<math::Jet> u_end_;
  std::vector<math::Mat3> T_half_;
};

}  // namespace daedal::integrate
