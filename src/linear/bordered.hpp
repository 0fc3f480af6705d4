#pragma once

#include <Eigen/Core>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// The leading part of a matrix, known by what can be done with it.
class Core {
 public:
  virtual ~Core() = default;
  /// As it is now. `equation` of a failure counts from the first row of the core.
  virtual FactorStatus factorise() = 0;
  /// Overwrites a right-hand side with the solution.
  virtual void solve(std::span<double> b) = 0;
  /// y += A x. May allocate.
  virtual void multiply_add(std::span<const double> x, std::span<double> y) = 0;
};

/// Solves with a matrix whose leading part S, the first nodes, is not given by its blocks:
///
///     [ S  B ] [ x ]   [ b ]         y = (E - C S^-1 B)^-1 (c - C S^-1 b)
///     [ C  E ] [ y ] = [ c ]         x = S^-1 (b - B y)
///
/// The Schur complement is dense, its rows and columns scaled to ones: for borders of few rows, as
/// loops of mechanisms are. Of the blocks of S in the pattern none is read.
class BorderedSolver final : public Solver {
 public:
  BorderedSolver(Core& core, int core_nodes);

  std::string_view name() const override { return "tree"; }
  void analyse(std::shared_ptr<const BlockPattern> pattern,
               std::span<const NodeKind> kinds) override;
  FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) override;
  void solve(std::span<double> b) override;
  /// Through the complete matrix: allocates.
  void solve_transposed(std::span<double> b) override;
  std::size_t factor_entries() const override { return responses_.size() + schur_.values().size(); }

  /// The matrix of which A has the border alone, in one block. Allocates.
  BlockMatrix complete(const BlockMatrix& A) const;

 private:
  struct Piece {  // a block of B, C or E: scalar row and column in it, and the place of its values
    int row, column, from, rows, columns;
  };

  Core& core_;
  int core_nodes_;
  int n_ = 0, m_ = 0;  // scalars of the core and of the border
  std::vector<Piece> B_, C_, E_;
  const BlockMatrix* A_ = nullptr;  // factorised last
  Eigen::MatrixXd responses_;       // S^-1 B
  BlockMatrix schur_;
  std::vector<double> left_, right_, y_;
  std::unique_ptr<Solver> dense_;
};

}  // namespace daedal::linear
