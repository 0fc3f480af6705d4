#pragma once

#include <memory>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// Sparse LU of SuiteSparse's KLU [Davis and Palamadai Natarajan 2010]: any sparsity, full pivoting
/// freedom, no assumption on the mechanism.
///
/// The block matrix is scattered to compressed columns through a map made in analyse(). The first
/// factorisation chooses pivots; later ones reuse them (klu_refactor, two to three times faster)
/// unless one of them has shrunk a thousandfold against its column since they were chosen; then they
/// are chosen anew. (klu_rgrowth measures growth directly but takes longer than klu_refactor itself: 2.3
/// against 2.1 microseconds per body of a chain.) Each solve is refined once with the residual.
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
  void measure_pivots();
  bool pivots_still_good() const;
  FactorStatus check_pivots();
  FactorStatus diagnose(int column, double pivot);

  std::unique_ptr<Factors> factors_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<int> column_begin_, row_, source_, mirrored_source_;
  std::vector<double> value_, row_norm_, row_scale_, residual_;
  std::vector<double> pivot_, chosen_pivot_;  // against the largest entry of the scaled column
  int full_factorisations_ = 0;
};

}  // namespace daedal::linear
