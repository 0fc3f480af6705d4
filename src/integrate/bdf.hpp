#pragma once

#include <memory>

#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/formulate/first_order.hpp"
#include "daedal/integrate/integrator.hpp"

namespace daedal::integrate {

/// Backward differentiation formulas of variable order (1 to 5) and step, on a first-order form of
/// the equations: SUNDIALS' IDA, the successor of DASSL [Hindmarsh2005], [Brenan1996].
///
///     F(y, alpha y + beta, U(t)) = 0,      alpha = alpha_0 / h,  beta from the past of y
///
/// What is ours: the residual, consistent start values (y' too), the matrix and its linear solver,
/// the measure of errors, and the projection of what is handed out onto the constraints.
///
/// Errors are measured per kind, with tol = simulate.tolerance:
///
///   q       tol (|q| + min(length, 1)); quaternions tol/2
///   v       tol (|v| + V), V the larger of the node's largest |v| so far and
///           (min(length, 1) |a_0|)^(1/2)
///   x       tol (|x| + X), X the larger of 1 and the node's largest |x| so far
///   lambda  not in the error test; in Newton's by the velocity it causes, |G^T lambda| / (alpha M)
///   eta     not in the error test; in Newton's by the displacement it causes, |G^T eta| / alpha
///
/// An absolute tolerance in the units of q, v and x takes the place of tol times min(length, 1), V
/// and X; of quaternions half of it is added.
///
/// Limits: order 3 and above is not A-stable, so undamped fast vibrations shorten the steps. A start
/// or restart begins with order 1 and small steps; a continued run restarts.
class Bdf final : public AdaptiveIntegrator {
 public:
  Bdf(const system::ConstrainedSystem& system, const Options& options);
  ~Bdf() override;

  void start(State& state, double h) override;
  StepReport advance(double t_stop, State& to) override;
  void interpolate(double t, State& out) override;
  void approximate(double t, State& out) override;
  int memory_size() const override { return 0; }

  const correct::NewtonCounters& counters() const override;
  const correct::ReferenceQuantities& reference() const override;
  double scaling_factor() const override;
  correct::MatrixQuality matrix_quality() override;
  bool regularised() const override;
  void regularise() override;

 private:
  struct Solver;  // IDA's objects and what its callbacks need
  std::unique_ptr<Solver> solver_;
};

}  // namespace daedal::integrate
