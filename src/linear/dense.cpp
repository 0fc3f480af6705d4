#include "daedal/linear/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "daedal/linear/pivot_test.hpp"

namespace daedal::linear {

namespace {
constexpr int kPanel = 32;  // columns factorised before the rest of the matrix is updated
}

void DenseSolver::analyse(std::shared_ptr<const BlockPattern> pattern,
                          std::span<const NodeKind> /*kinds*/) {
  pattern_ = std::move(pattern);
  const int n = pattern_->rows();
  lu_.setZero(n, n);
  exchange_.setZero(n);
  row_norm_.setZero(n);
  work_.setZero(n);
}

void DenseSolver::load(const BlockMatrix& A, Symmetry symmetry) {
  lu_.setZero();
  const BlockPattern& pattern = *pattern_;
  for (int k = 0; k < pattern.blocks(); ++k) {
    const int i = pattern.row_node(k), j = pattern.column_node(k);
    const auto B = A.block(k);
    const int row = pattern.row_offset(i), column = pattern.column_offset(j);
    if (symmetry == Symmetry::symmetric) {
      if (j > i) continue;
      if (j < i) lu_.block(column, row, B.cols(), B.rows()) = B.transpose();
    }
    lu_.block(row, column, B.rows(), B.cols()) = B;
  }
  for (int i = 0; i < lu_.rows(); ++i) row_norm_[i] = lu_.row(i).cwiseAbs().maxCoeff();
}

void DenseSolver::factorise_panel(int begin, int end) {
  const int n = static_cast<int>(lu_.rows());
  for (int k = begin; k < end; ++k) {
    int pivot = 0;
    const double largest = lu_.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    exchange_[k] = pivot;
    if (pivot != k) lu_.row(k).swap(lu_.row(pivot));
    if (!(largest > 0.0)) {
      // Singular. The pivot is replaced so that the left null vector can be computed.
      if (replaced_ < 0) replaced_ = k;
      const double norm = row_norm_.maxCoeff();
      lu_(k, k) = std::numeric_limits<double>::epsilon() * (norm > 0.0 ? norm : 1.0);
      lu_.col(k).tail(n - k - 1).setZero();
      continue;
    }
    lu_.col(k).tail(n - k - 1) /= lu_(k, k);
    for (int c = k + 1; c < end; ++c) {
      lu_.col(c).tail(n - k - 1) -= lu_(k, c) * lu_.col(k).tail(n - k - 1);
    }
  }
}

FactorStatus DenseSolver::factorise(const BlockMatrix& A, Symmetry symmetry) {
  load(A, symmetry);
  replaced_ = -1;
  const int n = static_cast<int>(lu_.rows());
  for (int begin = 0; begin < n; begin += kPanel) {
    const int end = std::min(begin + kPanel, n);
    factorise_panel(begin, end);
    for (int c = end; c < n; ++c) {  // rows of U to the right of the panel
      for (int k = begin; k < end; ++k) {
        lu_.col(c).segment(k + 1, end - k - 1) -=
            lu_(k, c) * lu_.col(k).segment(k + 1, end - k - 1);
      }
    }
    // A lazy product: Eigen's blocked one would allocate its packing buffers.
    lu_.bottomRightCorner(n - end, n - end) -=
        lu_.block(end, begin, n - end, end - begin)
            .lazyProduct(lu_.block(begin, end, end - begin, n - end));
  }
  return check_pivots();
}

FactorStatus DenseSolver::check_pivots() {
  const int n = static_cast<int>(lu_.rows());
  for (int k = 0; k < n; ++k) {
    const double pivot = std::abs(lu_(k, k));
    double magnitude = pivot;
    for (int j = 0; j < k; ++j) magnitude += std::abs(lu_(k, j) * lu_(j, k));
    if (k != replaced_ && pivot > kVanishingPivot * magnitude) continue;

    FactorStatus status{.ok = false, .equation = k, .pivot = 0.0};
    if (k != replaced_) status.pivot = pivot / magnitude;
    // Left null vector by inverse iteration: A^T y is tiny.
    work_.setOnes();
    for (int iteration = 0; iteration < 2; ++iteration) {
      solve_transposed({work_.data(), static_cast<std::size_t>(n)});
      const double size = work_.cwiseAbs().maxCoeff();
      if (!std::isfinite(size) || size == 0.0) return status;
      work_ /= size;
    }
    status.equation = dependent_equation({work_.data(), static_cast<std::size_t>(n)},
                                         {row_norm_.data(), static_cast<std::size_t>(n)});
    return status;
  }
  return {};
}

void DenseSolver::solve(std::span<double> b) {
  Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Eigen::Index>(b.size()));
  for (int k = 0; k < x.size(); ++k) std::swap(x[k], x[exchange_[k]]);
  lu_.triangularView<Eigen::UnitLower>().solveInPlace(x);
  lu_.triangularView<Eigen::Upper>().solveInPlace(x);
}

void DenseSolver::solve_transposed(std::span<double> b) {
  Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Eigen::Index>(b.size()));
  lu_.triangularView<Eigen::Upper>().transpose().solveInPlace(x);
  lu_.triangularView<Eigen::UnitLower>().transpose().solveInPlace(x);
  for (int k = static_cast<int>(x.size()) - 1; k >= 0; --k) std::swap(x[k], x[exchange_[k]]);
}

}  // namespace daedal::linear
