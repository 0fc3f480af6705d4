#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/doctor/parts.hpp"
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

/// Joints are closed where no position row exceeds this [m], [rad], by part: for assembly, and for the
/// verdict on what cannot be assembled.
std::vector<double> closing_tolerances(const coordinates::Mechanism& mechanism, const Parts& parts);

/// The diagonal of the mass matrix times weights given: how much coordinates resist being moved.
std::vector<double> closing_weights(const system::ConstrainedSystem& system,
                                    system::Evaluator& evaluator, std::span<const double> given);

/// Moves a guess to the nearest configuration in which the joints are closed.
///
///     min |x|_W   with   g(retract(q, x)) = 0
///
/// Gauss-Newton steps of least norm close the joints, steps along the constraints then go back
/// towards the guess. W is closing_weights() of the guess. If the joints do not close, perturbed
/// starts are tried, the same ones in every run, and of those that close the nearest counts. If none
/// does, the configuration is that of least |g|^2, or where 300 steps towards it end. Parts that no
/// constraint connects are then treated one by one.
///
/// Fixed coordinates are no unknowns, 1/w = 0:
///
///     x = -W^-1 G^T (G W^-1 G^T)^+ g
///
/// Where the joints do not close so, fixed coordinates move as little as possible.
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
  Attempt search(std::span<const double> start, int& attempts);
  Attempt attempt(std::span<const double> start);
  void approach(Attempt& attempt);
  std::vector<double> perturbation(int trial, const std::vector<bool>& stuck) const;
  double distance(const Attempt& attempt) const;
  /// The part of a step that is small enough for all coordinates.
  double damping(std::span<const double> step, double violation) const;
  Eigen::SparseMatrix<double> hessian();
  void settle(Attempt& attempt);
  void turn_back_directions(std::vector<double>& q);
  void take_back_turns(std::vector<double>& q);

  /// Coordinates of open rows that no small motion changes: a distance of points that coincide.
  std::vector<bool> stuck_coordinates();
  bool is_fixed(int i) const;
  /// q with the coordinates of a part as in the guess, or the fixed ones alone.
  std::vector<double> reset(std::vector<double> q, int part) const;
  std::vector<double> with_fixed_put_back(std::vector<double> q) const;
  linear::FactorStatus factorise();
  void solve(std::span<double> top, std::span<double> bottom);

  const coordinates::Mechanism& mechanism_;
  const system::Structure& structure_;
  formulate::AccelerationLevel& equations_;
  system::Evaluator& evaluator_;
  std::span<const math::Jet> u_;
  std::vector<double> g_, dq_, mu_, at_, w_;
  Parts parts_;
  std::vector<double> sizes_;  // of the parts: what round-off of positions is relative to
  int part_ = -1;              // the one that is closed; -1: all
  bool hold_ = false;          // fixed coordinates are no unknowns
  Eigen::SparseMatrix<double> held_G_;  // scaled to a unit diagonal of G W^-1 G^T
  Eigen::VectorXd inverse_weight_, row_scale_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> held_;
};

}  // namespace daedal::doctor
