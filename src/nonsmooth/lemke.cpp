#include "daedal/nonsmooth/lemke.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::nonsmooth {

namespace {
constexpr double kPivot = 1e-11;  // smaller entries of a column are round-off
constexpr double kTie = 1e-12;    // ratios this close are equal
constexpr double kEnd = 1e-14;    // a covering variable this small has left
}  // namespace

void Lemke::reserve(int size) {
  tableau_.reserve(static_cast<std::size_t>(size) * (2 * size + 1));
  basis_.reserve(size);
  tied_.reserve(size);
}

void Lemke::load(MatrixIn M, VectorIn q) {
  const int n = size_ = static_cast<int>(q.size());
  width_ = 2 * n + 1;
  tableau_.assign(static_cast<std::size_t>(n) * width_, 0.0);
  basis_.resize(n);
  for (int i = 0; i < n; ++i) {
    double* to = row(i);
    to[0] = q[i];
    to[1 + i] = 1.0;
    for (int j = 0; j < n; ++j) to[1 + n + j] = -M(i, j);
    basis_[i] = i;
  }
}

void Lemke::pivot(int at, int column) {
  double* p = row(at);
  const double inverse = 1.0 / p[column];
  for (int j = 0; j < width_; ++j) p[j] *= inverse;
  p[column] = 1.0;
  for (int i = 0; i < size_; ++i) {
    double* r = row(i);
    const double factor = r[column];
    if (i == at || factor == 0.0) continue;
    for (int j = 0; j < width_; ++j) r[j] -= factor * p[j];
    r[column] = 0.0;
  }
}

/// The row of the smallest ratio, or -1. The covering variable leaves when it can: that is the end.
int Lemke::leaving(int column) {
  double largest = 0.0;
  for (int i = 0; i < size_; ++i) largest = std::max(largest, std::abs(row(i)[column]));
  const double least = kPivot * std::max(largest, 1.0);
  double best = 0.0;
  tied_.clear();
  for (int i = 0; i < size_; ++i) {
    if (row(i)[column] <= least) continue;
    const double ratio = row(i)[0] / row(i)[column];
    if (tied_.empty() || ratio < best) best = ratio;
    tied_.push_back(i);
  }
  const auto keep = [&](double smallest, int place) {
    const double limit = smallest + kTie * (1.0 + std::abs(smallest));
    std::erase_if(tied_, [&](int i) { return row(i)[place] / row(i)[column] > limit; });
  };
  if (tied_.empty()) return -1;
  keep(best, 0);
  for (const int i : tied_) {
    if (basis_[i] == 2 * size_) return i;
  }
  for (int place = 1; place <= size_ && tied_.size() > 1; ++place) {
    double smallest = row(tied_.front())[place] / row(tied_.front())[column];
    for (const int i : tied_) smallest = std::min(smallest, row(i)[place] / row(i)[column]);
    keep(smallest, place);
  }
  return tied_.front();
}

Status Lemke::solve(MatrixIn M, VectorIn q, VectorOut z, int max_pivots) {
  load(M, q);
  const int n = size_;
  z.setZero();
  pivots_ = 0;
  if (n == 0 || q.minCoeff() >= 0.0) return Status::solved;

  int first = 0;  // of equal ones the last, as the lexicographic order wants
  for (int i = 1; i < n; ++i) {
    if (q[i] <= q[first]) first = i;
  }
  double* p = row(first);
  for (int j = 0; j < width_; ++j) p[j] = -p[j];
  for (int i = 0; i < n; ++i) {
    if (i == first) continue;
    for (int j = 0; j < width_; ++j) row(i)[j] += p[j];
  }
  basis_[first] = 2 * n;  // where it stays until it leaves
  int entering = n + first;
  for (pivots_ = 1; pivots_ < max_pivots; ++pivots_) {
    const int at = leaving(1 + entering);
    if (at < 0) return Status::no_solution;
    pivot(at, 1 + entering);
    const int left = basis_[at];
    basis_[at] = entering;
    if (left == 2 * n || row(first)[0] <= kEnd) {
      for (int i = 0; i < n; ++i) {
        if (basis_[i] >= n && basis_[i] < 2 * n) z[basis_[i] - n] = std::max(row(i)[0], 0.0);
      }
      return Status::solved;
    }
    entering = left < n ? left + n : left - n;
  }
  return Status::not_converged;
}

}  // namespace daedal::nonsmooth
