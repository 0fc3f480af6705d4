#include "daedal/nonsmooth/mixed_lcp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "daedal/nonsmooth/equilibrate.hpp"

namespace daedal::nonsmooth {

namespace {
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kDependent = 1e-11;  // pivots and remainders of scaled rows
constexpr double kCancelled = 1e-12;  // differences relative to their terms
}  // namespace

MixedLcpSolver::MixedLcpSolver(int size, LcpOptions options) : lcp_(size, options) {
  reserve(size);
}

void MixedLcpSolver::reserve(int size) {
  if (size <= q_.size()) return;
  lcp_.reserve(size);
  bilateral_.reserve(size);
  for (Eigen::MatrixXd* matrix : {&M_, &Schur_}) matrix->resize(size, size);
  for (Eigen::VectorXd* vector : {&q_, &row_, &column_, &right_, &z_, &w_}) {
    vector->resize(size);
  }
}

LcpResult MixedLcpSolver::solve(int equations, MatrixIn M, VectorIn q, VectorOut x, VectorOut w) {
  const int n = static_cast<int>(q.size()), m = equations, contacts = n - m;
  assert(m >= 0 && m <= n && M.rows() == n && M.cols() == n && x.size() == n && w.size() == n);
  reserve(n);
  x.setZero();
  w = q;
  if (!M.allFinite() || !q.allFinite()) return {Status::not_converged, kInfinite, 0};

  auto scaled = M_.topLeftCorner(n, n);
  auto row = row_.head(n), column = column_.head(n), qs = q_.head(n);
  scaled = M;
  equilibrate(scaled, row, column);
  qs = row.cwiseProduct(q);
  const double size = qs.size() ? qs.cwiseAbs().maxCoeff() : 0.0;
  if (size > 0.0) qs /= size;

  const auto A = scaled.topLeftCorner(m, m);
  const auto C = scaled.bottomLeftCorner(contacts, m);
  bilateral_.factorise(A, kDependent);
  auto right = right_.head(m);
  // What cancels to round-off is zero: scaled up it would become a constraint.
  const auto difference = [&](double minuend, int i) {
    const double subtrahend = C.row(i).dot(right);
    const double terms = std::abs(minuend) + C.row(i).cwiseAbs().dot(right.transpose().cwiseAbs());
    const double result = minuend - subtrahend;
    return std::abs(result) > kCancelled * terms ? result : 0.0;
  };
  auto Schur = Schur_.topLeftCorner(contacts, contacts);
  auto b = q_.segment(m, contacts);
  for (int j = 0; j < contacts; ++j) {
    right = scaled.col(m + j).head(m);
    if (bilateral_.solve(right) > kDependent) return {Status::not_converged, kInfinite, 0};
    for (int i = 0; i < contacts; ++i) Schur(i, j) = difference(scaled(m + i, m + j), i);
  }
  right = qs.head(m);
  if (bilateral_.solve(right) > kDependent) return {Status::no_solution, kInfinite, 0};
  for (int i = 0; i < contacts; ++i) b[i] = difference(b[i], i);

  auto z = z_.head(contacts), slack = w_.head(contacts);
  LcpResult result = lcp_.solve(Schur, b, z, slack);
  if (result.status == Status::no_solution || !std::isfinite(result.residual)) return result;
  right = -qs.head(m);
  right.noalias() -= scaled.topRightCorner(m, contacts).lazyProduct(z);
  bilateral_.solve(right);
  for (int i = 0; i < m; ++i) {
    const double terms = std::abs(qs[i]) + A.row(i).cwiseAbs().dot(right.transpose().cwiseAbs()) +
                         scaled.row(i).tail(contacts).cwiseAbs().dot(z.transpose());
    const double left =
        qs[i] + A.row(i).dot(right) + scaled.row(i).tail(contacts).dot(z.transpose());
    if (left != 0.0) result.residual = std::max(result.residual, std::abs(left) / terms);
  }
  if (!(result.residual <= lcp_.options().tolerance)) result.status = Status::not_converged;

  const double unit = size > 0.0 ? size : 1.0;
  x.head(m) = unit * column.head(m).cwiseProduct(right);
  x.tail(contacts) = unit * column.tail(contacts).cwiseProduct(z);
  w.head(m).setZero();
  w.tail(contacts) = unit * slack.cwiseQuotient(row.tail(contacts));
  return result;
}

}  // namespace daedal::nonsmooth
