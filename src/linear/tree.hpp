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
