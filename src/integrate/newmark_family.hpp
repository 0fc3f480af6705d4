#pragma once

#include "daedal/integrate/implicit_step.hpp"

namespace daedal::integrate {

/// Newmark, HHT and generalized-alpha on the index-3 equations, on Lie groups.
///
///     x = h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1})          q_{n+1} = retract(q_n, x)
///     v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
///     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
///     M v'_{n+1} = f - G^T lambda_{n+1}       0 = g(q_{n+1})      all at t_{n+1}
///
///   a      acceleration-like variable, the method's memory; v' is the true acceleration
///   beta'  = (1 - alpha_m) / (beta h^2 (1 - alpha_f)),  gamma' = gamma / (beta h)
///
/// First-order states use the same rule one derivative lower. Order 2 in q, v and lambda if
/// gamma = 1/2 - alpha_m + alpha_f; Newmark with gamma /= 1/2 is of order 1. Stability and
/// dissipation: newmark none at gamma = 1/2; hht alpha in [-1/3, 0]; generalized-alpha has
/// spectral radius rho_inf at infinity. Limits: without damping (newmark, rho_inf = 1) the
/// constraints leave a double eigenvalue -1, and an oscillation of the multipliers grows with time
/// whatever the step: on a swinging pendulum by a factor of 200 in 2 s. References: [Newmark1959], [Hilber1977], [Chung1993],
/// [Arnold2007], [Bruels2012].
///
/// Start values [Arnold2015]: a_0 = v'_0 + (alpha_m - alpha_f) h v''_0, and a velocity off the
/// hidden constraint by (1/6 - beta - (alpha_m - alpha_f)/2) h^2, without which lambda is of order 1.
/// Both belong to a step size: on a change of h the difference is added, so that lambda keeps its
/// order over changing steps.
class NewmarkFamily : public ImplicitStep {
 public:
  struct Parameters {
    double alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5;

    static Parameters newmark(double beta, double gamma) { return {0.0, 0.0, beta, gamma}; }
    static Parameters hht(double alpha);
    static Parameters generalized_alpha(double rho_inf);
  };

  NewmarkFamily(const system::ConstrainedSystem& system, const Options& options,
                const Parameters& parameters);

  void start(State& state, double h) override;
  int memory_size() const override { return static_cast<int>(memory_.size()); }
  const Parameters& parameters() const { return p_; }

 protected:
  correct::MethodFactors factors(double h) const override;
  /// Fills start values of a_n and its like of the states; third_ is the third derivative of q.
  void start_memory(State& state, double h);
  /// The memory of the start of the step, for its size. Returns whether that has changed.
  bool adapt_memory();
  /// Trial velocities, accelerations and state rates from what a_{n+1} makes of x.
  void rates(std::span<const double> x);
  std::span<const double> memory_a() const;
  std::span<const double> memory_x() const;
  std::span<const double> trial_a() const { return a_like_; }
  void adapt() override;
  void kinematics() override { rates(increment_); }
  void finish(State& to) override;
  void residual(std::span<double> F) override;
  void linearise() override;
  void assemble(correct::NewtonMatrix& J, double regularisation) override;


 private:
  OffsetFactors offset_factors() const {
    return {1.0 / 6.0 - p_.beta - 0.5 * (p_.alpha_m - p_.alpha_f), 0.0};
  }

  Parameters p_;
  std::vector<double> a_like_, x_like_;  // of the trial
  // Of the start of the step, adapted to its size: a_n, the same of the states, the size.
  std::vector<double> memory_;
};

}  // namespace daedal::integrate
