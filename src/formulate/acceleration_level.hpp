#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "daedal/linear/solver.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::formulate {

/// The equations on acceleration level, and the projections that share their matrix.
///
///     [ W  G^T ] [ a      ]   [ f     ]
///     [ G   0  ] [ lambda ] = [ gamma ]      W = M, or a weight for projections
///
/// Reported reactions come from here: unlike the multipliers of an index-3 scheme they carry no
/// round-off of size eps / h^2.
///
/// Massless coordinates leave zero pivots. The rows c that hold them are therefore also added as a
/// penalty, W + kappa G_c^T G_c with kappa gamma_c on the right: the same solution, and solvers that
/// do not pivot find it [Bauchau2009].
///
/// Dependent constraints are stood by solving with -mu in the second diagonal block and refining
/// twice towards mu = 0: accelerations are then exact and the multipliers those of minimum norm.
class AccelerationLevel {
 public:
  AccelerationLevel(const system::ConstrainedSystem& system, std::string_view linear_solver);

  /// Factorises at the evaluator's point with W = M. Falls back to the regularised matrix, and
  /// remembers it, if the plain one is singular.
  linear::FactorStatus factorise(system::Evaluator& evaluator);
  /// The same with a diagonal weight for W.
  linear::FactorStatus factorise(system::Evaluator& evaluator, std::span<const double> weight);

  /// Solves with the factorised matrix; both arguments are right-hand sides, then solutions.
  void solve(std::span<double> top, std::span<double> bottom);

  /// Accelerations and multipliers at the evaluator's point.
  linear::FactorStatus accelerations(system::Evaluator& evaluator, std::span<double> a,
                                     std::span<double> lambda);

  bool regularised() const { return regularised_; }
  void regularise() { regularised_ = true; }
  /// Largest residual of the second row after the last solve, relative to its right-hand side and
  /// to the accelerations with and without constraints: far above round-off when the constraints
  /// contradict each other.
  double inconsistency() const { return inconsistency_; }
  /// Name of a scalar equation of the matrix.
  std::string equation_name(int equation) const;
  int factorizations() const { return factorizations_; }

 private:
  linear::FactorStatus factorise_assembled();
  void assemble(const linear::BlockMatrix& G);
  void place_penalties();
  void add_penalties();
  /// Overwrites a right-hand side of the plain matrix with its solution.
  void solve_factorised(std::span<double> b);

  const system::Structure& structure_;
  std::unique_ptr<linear::Solver> solver_;
  linear::BlockMatrix M_, G_, J_;
  std::vector<int> mass_to_, constraint_to_, transpose_to_, bottom_diagonal_;
  struct Penalty {  // J(i, j) += kappa G_ci^T G_cj
    int to, from_i, from_j, rows, columns, inner;
  };
  struct Held {  // a block of G in a row that holds a massless coordinate
    int from, row, column, rows, columns;
  };
  std::vector<Penalty> penalties_;
  std::vector<Held> held_;
  double kappa_ = 0.0;
  std::vector<double> mu_, diagonal_, rhs_, x_, residual_;
  bool regularised_ = false;
  double inconsistency_ = 0.0;
  int factorizations_ = 0;
};

}  // namespace daedal::formulate
