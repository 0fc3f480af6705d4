#include "daedal/nonsmooth/full_pivot.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace daedal::nonsmooth {

void FullPivot::reserve(int size) {
  if (size <= lu_.rows()) return;
  lu_.resize(size, size);
  work_.resize(size);
  row_.resize(size);
  column_.resize(size);
}

int FullPivot::factorise(MatrixIn A, double threshold) {
  const int n = size_ = static_cast<int>(A.rows());
  reserve(n);
  auto lu = lu_.topLeftCorner(n, n);
  lu = A;
  std::iota(row_.begin(), row_.begin() + n, 0);
  std::iota(column_.begin(), column_.begin() + n, 0);
  double least = 0.0;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_;
    int r = 0, c = 0;
    const double largest = lu.bottomRightCorner(n - k, n - k).cwiseAbs().maxCoeff(&r, &c);
    if (k == 0) least = threshold * largest;
    if (!(largest > least)) break;
    lu.row(k).swap(lu.row(k + r));
    lu.col(k).swap(lu.col(k + c));
    std::swap(row_[k], row_[k + r]);
    std::swap(column_[k], column_[k + c]);
    lu.col(k).tail(n - k - 1) /= lu(k, k);
    for (int j = k + 1; j < n; ++j) {
      lu.col(j).tail(n - k - 1) -= lu(k, j) * lu.col(k).tail(n - k - 1);
    }
  }
  return rank_;
}

double FullPivot::solve(VectorOut b) {
  const int n = size_;
  auto lu = lu_.topLeftCorner(n, n);
  auto y = work_.head(n);
  for (int i = 0; i < n; ++i) y[i] = b[row_[i]];
  for (int k = 0; k < rank_; ++k) y.tail(n - k - 1) -= y[k] * lu.col(k).tail(n - k - 1);
  const double left = rank_ < n ? y.tail(n - rank_).cwiseAbs().maxCoeff() : 0.0;
  b.setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    y[k] /= lu(k, k);
    y.head(k) -= y[k] * lu.col(k).head(k);
    b[column_[k]] = y[k];
  }
  return left;
}

}  // namespace daedal::nonsmooth
