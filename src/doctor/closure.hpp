#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"

namespace daedal::doctor {

/// How the joints of a mechanism were closed.
struct ClosureReport {
  enum class End { closed, open, singular, not_finite };
  End end = End::open;
  double violation_before = 0.0, violation = 0.0;  // largest position row [m], [rad]
  int attempts = 1;            // starts that were tried
  int equation = -1;           // of a singular matrix
  std::vector<double> moved;   // from the guess, per tangent coordinate
};

/// Joints are closed where no position row exceeds this [m], [rad]: for assembly, and for the verdict
/// on what cannot be assembled.
double closing_tolerance(const coordinates::Mechanism& mechanism);

/// The diagonal of the mass matrix times weights given: how much coordinates resist being moved.
std::vector<double> closing_weights(const system::Structure& structure, system::Evaluator& evaluator,
                                    std::span<const double> given);

/// Moves a guess to the nearest configuration in which the joints are closed.
///
///     min |x|_W   with   g(retract(q, x)) = 0
///
/// Gauss-Newton steps of least norm close the joints, steps along the constraints then go back
/// towards the guess. W is closing_weights() of the guess. If the joints do not close, perturbed
/// starts are tried, the same ones in every run, and of those that close the nearest counts. If none
/// does, the configuration is that of least |g|^2, or where 300 steps towards it end.
class Closure {
 public:
  Closure(const coordinates::Mechanism& mechanism, formulate::AccelerationLevel& equations,
          system::Evaluator& evaluator, std::span<const math::Jet> u);

  /// Starts from the guess of the mechanism; `q` is the configuration found, and the evaluator has
  /// been moved to it, at the guess's velocities.
  ClosureReport close(std::span<double> q);

  /// Position rows at the configuration found; velocity rows are zero.
  std::span<const double> g() const { return g_; }

 private:
  struct Attempt {
    std::vector<double> q;
    double violation = 0.0;
    ClosureReport::End end = ClosureReport::End::open;
    int equation = -1;
  };

  double violation_at(std::span<const double> q);
  Attempt attempt(std::span<const double> start);
  void approach(Attempt& attempt);
  std::vector<double> perturbation(int trial) const;
  double distance(const Attempt& attempt) const;
  /// The part of a step that is small enough for all coordinates.
  double damping(std::span<const double> step, double violation) const;
  Eigen::SparseMatrix<double> hessian();
  void settle(Attempt& attempt);

  const coordinates::Mechanism& mechanism_;
  const system::Structure& structure_;
  formulate::AccelerationLevel& equations_;
  system::Evaluator& evaluator_;
  std::span<const math::Jet> u_;
  std::vector<double> g_, dq_, mu_, at_, w_;
  double size_ = 1.0;       // of the mechanism: what round-off of positions is relative to
  double tolerance_ = 0.0;  // closing_tolerance()
};

}  // namespace daedal::doctor
