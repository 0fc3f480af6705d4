#pragma once

#include "daedal/linear/elimination_order.hpp"
#include "daedal/linear/solver.hpp"
#include "daedal/linear/tree_program.hpp"

namespace daedal::linear {

/// Block LDU in the mechanism's elimination order (elimination_order.hpp), LDL^T where the matrix is
/// symmetric. No pivoting between blocks, so analyse() fixes every operation and every address.
///
///   symmetric   A_kk - ... = L D L^T          W_ik = (A_ik - ...) L^-T
///   general     A_kk - ... = P^T L U          X_ik = (A_ik - ...) U^-1, Z_ki = L^-1 P (A_ki - ...)
///
/// where "..." are the products of earlier blocks, W_ij D_j^-1 W_kj^T or X_ij Z_jk. A block is
/// computed once all its products are known (left-looking): it is read from A, stays in registers
/// and is written once, in elimination order, so memory is swept from end to end.
///
/// Inside a pivot block: the LDL^T of a definite block (coordinates positive, multipliers negative)
/// needs no pivoting; a block that turns out indefinite is factorised with complete diagonal
/// pivoting [Bunch and Parlett 1971] into an explicit inverse factor. The LU pivots by rows, with
/// a preference for the diagonal.
///
/// Vanishing pivots are found as in pivot_test.hpp; the magnitude (|L| |U|)_kk is accumulated beside
/// each diagonal.
///
/// Loop closers take their place in the order; they are not gathered into one dense Schur complement
/// at the end. Both were tried on chains of 5, 20 and 30 random planar four-bar loops, 30 seeds each,
/// symmetric and general. Gathered, with pivoting across closers, is the more accurate by about ten:
/// backward error 3e-17 to 1e-15 in the mean and at worst 4e-14, against 3e-16 to 8e-15 and at
/// worst 1.4e-13. But factorise and solve of the symmetric ones took 4.7 against 1.8 us for 5 loops,
/// 134 against 8 for 20 and 256 against 12 for 30, and the factors are no longer of order N. Where
/// the last digit matters, refine once with the residual.
///
/// Time in microseconds per body of a hinged chain (6 coordinates, 5 rows), N = 1000, one core of a
/// 2.3 GHz Xeon with AVX2 (bench/linear). The machine was shared: runs differ by about 10 %, which
/// is all there is between the first two factorisation entries, whose code is the same. The first
/// row is a single run, the others are medians of three.
///
///                                             symmetric           general
///                                        factorise  solve    factorise  solve
///   kernels as GCC vectorises them           0.25    0.17        0.33    0.18
///   solve of pivot and block in one kernel   0.22    0.19        0.34    0.20
///   without GCC's vectoriser (now)           0.21    0.11        0.31    0.12
///
/// Taking the products of the L D L^T out of the division's way changed nothing beyond the noise.
///
/// Limits: H must be regular on the coordinates eliminated first, and a tree joint must constrain
/// its child by itself; where it is not so (massless coordinates without stiffness) the status says
/// so although the matrix may be regular: use klu.
class TreeSolver final : public Solver {
 public:
  std::string_view name() const override { return "tree"; }
  void analyse(std::shared_ptr<const BlockPattern> pattern,
               std::span<const NodeKind> kinds) override;
  FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) override;
  void solve(std::span<double> b) override;
  void solve_transposed(std::span<double> b) override;
  /// Scalars of the last factorisation: L, U and the triangular factors of the pivot blocks.
  std::size_t factor_entries() const override;
  const EliminationOrder& order() const { return order_; }

 private:
  EliminationOrder order_;
  TreeProgram symmetric_, general_;
  TreeFactors factors_;
  Symmetry symmetry_ = Symmetry::general;
};

}  // namespace daedal::linear
