#pragma once

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// Solves A x = b through the factors of diag(left) A diag(right), which a better scaled matrix
/// makes accurate: A^-1 = diag(right) (diag(left) A diag(right))^-1 diag(left).
class RescaledSolver final : public Solver {
 public:
  RescaledSolver(std::string_view solver, std::vector<double> left, std::vector<double> right);

  std::string_view name() const override { return inner_->name(); }
  void analyse(std::shared_ptr<const BlockPattern> pattern,
               std::span<const NodeKind> kinds) override;
  FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) override;
  void solve(std::span<double> b) override;
  void solve_transposed(std::span<double> b) override;
  std::size_t factor_entries() const override { return inner_->factor_entries(); }

 private:
  std::unique_ptr<Solver> inner_;
  std::vector<double> left_, right_;
  BlockMatrix scaled_;
};

}  // namespace daedal::linear
