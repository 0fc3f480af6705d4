#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "daedal/formulate/implicit_core.hpp"
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
/// With the solver `tree` M may stay unformed (ImplicitDynamics); weights are diagonal anyway.
///
/// Dependent constraints are stood by solving with -mu in the second diagonal block and refining
/// twice towards mu = 0: accelerations are then exact and the multipliers those of minimum norm. Rows
/// that are still open are refined further as long as that closes them.
///
/// Half-explicit methods ask for rows of another point than that of the forces: [ M H^T; G 0 ].
class AccelerationLevel {
 public:
  AccelerationLevel(const system::ConstrainedSystem& system, std::string_view linear_solver);

  /// Factorises at the evaluator's point with W = M. Falls back to the regularised matrix, and
  /// remembers it, if the plain one is singular.
  linear::FactorStatus factorise(system::Evaluator& evaluator);
  /// The same with a diagonal weight for W.
  linear::FactorStatus factorise(system::Evaluator& evaluator, std::span<const double> weight);
  /// The same as the first with the constraint rows of another point.
  linear::FactorStatus factorise(system::Evaluator& evaluator, const linear::BlockMatrix& rows);

  /// Solves with the factorised matrix; both arguments are right-hand sides, then solutions.
  void solve(std::span<double> top, std::span<double> bottom);
  /// The same without refinement where the matrix is regular: for corrections within an iteration.
  void solve_once(std::span<double> top, std::span<double> bottom);

  /// Accelerations and multipliers at the evaluator's point.
  linear::FactorStatus accelerations(system::Evaluator& evaluator, std::span<double> a,
                                     std::span<double> lambda);

  bool regularised() const { return regularised_; }
  void regularise() { regularised_ = true; }
  /// Constraints that were dependent are no more, as after a search that crossed singular positions.
  void forget_dependence() { regularised_ = false; }
  /// Largest residual of a constraint row after the last solve, relative to the terms that are summed
  /// there, with the accelerations that are and those without constraints: far above round-off when
  /// the constraints contradict each other.
  double inconsistency() const { return inconsistency_; }
  /// Name of a scalar equation of the matrix.
  std::string equation_name(int equation) const;
  int factorizations() const { return factorizations_; }
  /// Of the matrix factorised last; allocates.
  double condition_number() const;
  double solver_error() const;

 private:
  linear::FactorStatus factorise_assembled(linear::Solver& solver);
  void mass(system::Evaluator& evaluator);
  /// The matrix factorised last with all its blocks.
  linear::BlockMatrix complete() const;
  /// `G` rows, `H` directions in which the multipliers act.
  void assemble(const linear::BlockMatrix& G, const linear::BlockMatrix& H);
  void place_penalties();
  void add_penalties();
  /// The inconsistency of what is in x_, residual_ and rhs_.
  double open_rows(std::size_t n, std::size_t m);
  /// Overwrites a right-hand side of the plain matrix with its solution.
  void solve_factorised(std::span<double> b);

  const system::Structure& structure_;
  /// Where M is full but can be solved with: then M_ has its diagonal blocks alone.
  std::unique_ptr<system::ImplicitDynamics> implicit_;
  std::unique_ptr<ImplicitCore> core_;
  std::unique_ptr<linear::Solver> solver_;
  std::unique_ptr<linear::BorderedSolver> bordered_;
  linear::Solver* factorised_ = nullptr;  // one of them
  linear::BlockMatrix M_, G_, H_, J_;
  bool symmetric_ = true;  // H_ is G_
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
  std::vector<double> mu_, diagonal_, rhs_, x_, residual_, kept_, motion_, terms_;
  bool regularised_ = false;
  double inconsistency_ = 0.0;
  int factorizations_ = 0;
};

}  // namespace daedal::formulate
