#pragma once

#include <memory>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// Sparse LU of SuiteSparse's KLU [Davis and Palamadai Natarajan 2010]: any sparsity, full pivoting
/// freedom, no assumption on the mechanism.
///
/// The block matrix is scattered to compressed columns through a map made in analyse(). The first
/// factorisation chooses pivots; later ones reuse them (klu_refactor, two to three times faster)
/// unless a pivot vanishes or the entries grow a hundred times more than when the pivots were
/// chosen; then they are chosen anew. Each solve is refined once with the residual.
///
/// KLU itself notices only pivots that are exactly zero. Ours are checked as in pivot_test.hpp.
/// klu_factor allocates; klu_refactor and the solves do not.
class KluSolver final : public Solver {
 public:
  KluSolver();
  ~KluSolver() override;

  std::string_view name() const override { return "klu"; }
  void analyse(std::shared_ptr<const BlockPattern> pattern,
               std::span<const NodeKind> kinds) override;
  FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) override;
  void solve(std::span<double> b) override;
  void solve_transposed(std::span<double> b) override;
  std::size_t factor_entries() const override;
  /// How often pivots were chosen anew since analyse().
  int full_factorisations() const { return full_factorisations_; }

 private:
  struct Factors;  // KLU's objects, out of sight of whoever includes this header

  void scatter(const BlockMatrix& A, Symmetry symmetry);
  bool factorise_fully();
  FactorStatus check_pivots();
  FactorStatus diagnose(int step, double pivot);

  std::unique_ptr<Factors> factors_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<int> column_begin_, row_, source_, mirrored_source_;
  std::vector<double> value_, row_norm_, column_norm_, residual_;
  double growth_at_full_ = 0.0;
  int full_factorisations_ = 0;
};

}  // namespace daedal::linear
