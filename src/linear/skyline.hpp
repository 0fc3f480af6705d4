#pragma once

#include "daedal/linear/profile_order.hpp"
#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// A = L D U without pivoting in profile storage, L D L^T where the matrix is symmetric: the solver
/// of finite element codes, and the setting of [Bauchau2009].
///
/// Row i of L and column i of U run from the first nonzero of equation i to the diagonal and are
/// stored densely; all fill falls inside. Equations are ordered by profile_order(): a multiplier
/// comes after all coordinates it constrains, so that its pivot -G H^-1 G^T is not zero. What it
/// cannot do is exchange equations: a small pivot is used as it is and its error is amplified by
/// its inverse. An augmented Lagrangian term keeps pivots away from zero.
///
/// Work: the sum of squared row lengths; storage: the sum of row lengths.
class SkylineSolver final : public Solver {
 public:
  std::string_view name() const override { return "skyline"; }
  void analyse(std::shared_ptr<const BlockPattern> pattern,
               std::span<const NodeKind> kinds) override;
  FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) override;
  void solve(std::span<double> b) override;
  void solve_transposed(std::span<double> b) override;
  std::size_t factor_entries() const override {
    return diagonal_.size() + lower_.size() + (symmetric_ ? 0 : upper_.size());
  }

 private:
  struct Place {  // where a block of A goes
    int source, rows, columns;
    int row, column;  // first positions
  };
  void load(const BlockMatrix& A);
  /// Entries [first, i) of row i of L or of column i of U, by their place in the matrix.
  template <class Number>
  struct Row {
    Number* values;
    int first;
    Number& operator[](int j) const { return values[j - first]; }
    Number* from(int j) const { return values + (j - first); }
  };
  Row<const double> row_of(const std::vector<double>& values, int i) const {
    return {values.data() + begin_[i], first_[i]};
  }
  Row<double> row_of(std::vector<double>& values, int i) const {
    return {values.data() + begin_[i], first_[i]};
  }
  void substitute(const std::vector<double>& down, const std::vector<double>& up,
                  std::span<double> b);

  std::vector<int> position_;          // of an equation in the order of elimination
  std::vector<int> equation_;          // and back
  std::vector<int> first_;             // first column of a row's profile
  std::vector<std::ptrdiff_t> begin_;  // of a row in lower_ and upper_
  std::vector<Place> places_;
  std::vector<double> lower_, upper_, diagonal_, work_;
  bool symmetric_ = false;
};

}  // namespace daedal::linear
