#pragma once

#include <Eigen/Core>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// P A = L U with partial pivoting on the dense matrix: the reference for the others and the right
/// choice below about a hundred unknowns.
///
/// Rows are not scaled: pivots are chosen as the papers on conditioning assume. The symmetric case
/// gains nothing here; it mirrors the lower blocks. Work 2 n^3 / 3, storage n^2.
///
/// A singular matrix is traced to an equation by its left null vector, which costs two triangular
/// solves with the factors at hand.
class DenseSolver final : public Solver {
 public:
  std::string_view name() const override { return "dense"; }
  void analyse(std::shared_ptr<const BlockPattern> pattern,
               std::span<const NodeKind> kinds) override;
  FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) override;
  void solve(std::span<double> b) override;
  void solve_transposed(std::span<double> b) override;
  std::size_t factor_entries() const override { return static_cast<std::size_t>(lu_.size()); }

 private:
  void load(const BlockMatrix& A, Symmetry symmetry);
  void factorise_panel(int begin, int end);
  FactorStatus check_pivots();

  std::shared_ptr<const BlockPattern> pattern_;
  Eigen::MatrixXd lu_;
  Eigen::VectorXi exchange_;  // row exchanged with row k at step k
  Eigen::VectorXd row_norm_;  // largest entry of each row of A
  Eigen::VectorXd work_;
  int replaced_ = -1;  // first step whose pivot was exactly zero (or not a number)
};

}  // namespace daedal::linear
