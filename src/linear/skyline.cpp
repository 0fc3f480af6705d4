#include "daedal/linear/skyline.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "daedal/linear/pivot_test.hpp"

namespace daedal::linear {

namespace {

/// The sum of count products.
double dot(const double* a, const double* b, int count) {
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  return count > 0 ? Vector(a, count).dot(Vector(b, count)) : 0.0;
}

}  // namespace

void SkylineSolver::analyse(std::shared_ptr<const BlockPattern> pattern,
                            std::span<const NodeKind> kinds) {
  const BlockPattern& p = *pattern;
  const std::vector<int> order = profile_order(p, kinds);
  const int n = p.rows();
  std::vector<int> at(order.size());
  position_.assign(n, 0);
  equation_.assign(n, 0);
  int offset = 0;
  for (const int node : order) {
    at[node] = offset;
    for (int r = 0; r < p.row_size(node); ++r, ++offset) {
      position_[p.row_offset(node) + r] = offset;
      equation_[offset] = p.row_offset(node) + r;
    }
  }
  first_.resize(n);
  for (int i = 0; i < p.row_nodes(); ++i) {
    int first = at[i];
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
      first = std::min(first, at[p.column_node(k)]);
    }
    std::fill_n(first_.begin() + at[i], p.row_size(i), first);
  }
  begin_.assign(n + 1, 0);
  for (int i = 0; i < n; ++i) begin_[i + 1] = begin_[i] + (i - first_[i]);
  lower_.assign(begin_[n], 0.0);
  upper_.assign(begin_[n], 0.0);
  diagonal_.assign(n, 0.0);
  work_.assign(n, 0.0);
  places_.clear();
  for (int k = 0; k < p.blocks(); ++k) {
    const int i = p.row_node(k), j = p.column_node(k);
    places_.push_back({p.value_offset(k), p.row_size(i), p.column_size(j), at[i], at[j]});
  }
}

void SkylineSolver::load(const BlockMatrix& A) {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  const BlockPattern& p = A.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    // A symmetric matrix is given by its lower blocks; here their transposes may be the lower ones.
    if (symmetric_ && p.column_node(k) > p.row_node(k)) continue;
    const Place& place = places_[k];
    const double* from = A.values().data() + place.source;
    for (int r = 0; r < place.rows; ++r) {
      const int i = place.row + r;
      for (int c = 0; c < place.columns; ++c) {
        const int j = place.column + c;
        const double value = from[r * place.columns + c];
        if (i == j) {
          diagonal_[i] = value;
        } else if (j < i) {
          row_of(lower_, i)[j] = value;
        } else {
          row_of(symmetric_ ? lower_ : upper_, j)[i] = value;
        }
      }
    }
  }
}

FactorStatus SkylineSolver::factorise(const BlockMatrix& A, Symmetry symmetry) {
  symmetric_ = symmetry == Symmetry::symmetric;
  load(A);
  const int n = static_cast<int>(diagonal_.size());
  for (int i = 0; i < n; ++i) {
    const Row<double> l = row_of(lower_, i);
    const Row<double> u = symmetric_ ? l : row_of(upper_, i);
    // l_ij d_j and d_j u_ji first: products with rows that are finished already.
    for (int j = first_[i]; j < i; ++j) {
      const int first = std::max(first_[i], first_[j]);
      l[j] -= dot(l.from(first), row_of(symmetric_ ? lower_ : upper_, j).from(first), j - first);
      if (!symmetric_) u[j] -= dot(u.from(first), row_of(lower_, j).from(first), j - first);
    }
    double magnitude = std::abs(diagonal_[i]);
    for (int j = first_[i]; j < i; ++j) {
      const double product = l[j] / diagonal_[j] * u[j];
      diagonal_[i] -= product;
      magnitude += std::abs(product);
    }
    for (int j = first_[i]; j < i; ++j) {
      l[j] /= diagonal_[j];
      if (!symmetric_) u[j] /= diagonal_[j];
    }
    if (!(std::abs(diagonal_[i]) > kVanishingPivot * magnitude)) {
      return {.ok = false,
              .equation = equation_[i],
              .pivot = magnitude > 0.0 ? std::abs(diagonal_[i]) / magnitude : 0.0};
    }
  }
  return {};
}

void SkylineSolver::substitute(const std::vector<double>& down, const std::vector<double>& up,
                               std::span<double> b) {
  const int n = static_cast<int>(diagonal_.size());
  double* x = work_.data();
  for (int i = 0; i < n; ++i) x[i] = b[equation_[i]];
  for (int i = 0; i < n; ++i) x[i] -= dot(row_of(down, i).values, x + first_[i], i - first_[i]);
  for (int i = 0; i < n; ++i) x[i] /= diagonal_[i];
  for (int i = n - 1; i >= 0; --i) {
    const Row<const double> column = row_of(up, i);
    for (int j = first_[i]; j < i; ++j) x[j] -= column[j] * x[i];
  }
  for (int i = 0; i < n; ++i) b[equation_[i]] = x[i];
}

void SkylineSolver::solve(std::span<double> b) {
  substitute(lower_, symmetric_ ? lower_ : upper_, b);
}

void SkylineSolver::solve_transposed(std::span<double> b) {
  substitute(symmetric_ ? lower_ : upper_, lower_, b);
}

}  // namespace daedal::linear
