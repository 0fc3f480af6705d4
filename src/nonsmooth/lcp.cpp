#include "daedal/nonsmooth/lcp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "daedal/nonsmooth/equilibrate.hpp"
#include "daedal/nonsmooth/siconos.hpp"

namespace daedal::nonsmooth {

namespace {
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLeastRow = 1e-6;  // rows whose terms are smaller are judged by this
constexpr double kNoise = 1e-15;    // unknowns this small beside the largest are zero
constexpr double kGood = 1e-13;     // a residual that another attempt need not try to improve
}  // namespace

LcpSolver::LcpSolver(int size, LcpOptions options) : options_(options) {
  reserve(size);
}

void LcpSolver::reserve(int size) {
  if (size <= q_.size()) return;
  lemke_.reserve(size);
  active_solver_.reserve(size);
  for (Eigen::MatrixXd* matrix : {&M_, &active_matrix_}) matrix->resize(size, size);
  for (Eigen::VectorXd* vector :
       {&q_, &z_, &best_, &w_, &row_, &column_, &active_vector_, &active_right_}) {
    vector->resize(size);
  }
  active_.reserve(size);
}

/// Also fills w_.
double LcpSolver::residual(int n) {
  double worst = 0.0;
  const double least = kLeastRow * std::max(1.0, z_.head(n).maxCoeff());
  for (int i = 0; i < n; ++i) {
    double w = q_[i], magnitude = std::abs(q_[i]) + least;
    for (int j = 0; j < n; ++j) {
      w += M_(i, j) * z_[j];
      magnitude += std::abs(M_(i, j)) * z_[j];
    }
    w_[i] = w;
    const double miss = std::abs(std::min(w, z_[i]));
    worst = std::max(worst, miss / magnitude);
  }
  return worst;
}

/// Solves M_aa z_a = -q_a for the rows a with z > 0, with one refinement, if that makes it better.
void LcpSolver::polish(int n) {
  active_.clear();
  for (int i = 0; i < n; ++i) {
    if (z_[i] > 0.0) active_.push_back(i);
  }
  const int count = static_cast<int>(active_.size());
  auto A = active_matrix_.topLeftCorner(count, count);
  auto x = active_vector_.head(count);
  auto right = active_right_.head(count);
  for (int j = 0; j < count; ++j) {
    x[j] = 0.0;
    for (int i = 0; i < count; ++i) A(i, j) = M_(active_[i], active_[j]);
  }
  constexpr double kRoundOff = 1e-14;
  if (active_solver_.factorise(A, kRoundOff) < count) return;
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < count; ++i) right[i] = -q_[active_[i]];
    right.noalias() -= A.lazyProduct(x);
    active_solver_.solve(right);
    x += right;
  }
  best_.head(n) = z_.head(n);
  const double before = residual(n);
  for (int i = 0; i < count; ++i) z_[active_[i]] = std::max(x[i], 0.0);
  if (!(residual(n) <= before)) z_.head(n) = best_.head(n);
}

LcpResult LcpSolver::attempt(int n, bool own) {
  const auto M = M_.topLeftCorner(n, n);
  const int max_pivots = options_.pivots_per_row * (n + 1);
  LcpResult result;
  if (own) {
    result.status = lemke_.solve(M, q_.head(n), z_.head(n), max_pivots);
    result.pivots = lemke_.pivots();
  } else {
    result.status = siconos::lemke(M, q_.head(n), z_.head(n), max_pivots, result.pivots);
  }
  result.residual = kInfinite;
  if (result.status != Status::solved) return result;
  if (!z_.head(n).allFinite()) return {Status::not_converged, kInfinite, result.pivots};
  const double noise = kNoise * z_.head(n).maxCoeff();
  for (int i = 0; i < n; ++i) {
    if (z_[i] <= noise) z_[i] = 0.0;
  }
  polish(n);
  result.residual = residual(n);
  if (!(result.residual <= options_.tolerance)) result.status = Status::not_converged;
  return result;
}

LcpResult LcpSolver::solve(MatrixIn M, VectorIn q, VectorOut z, VectorOut w) {
  const int n = static_cast<int>(q.size());
  assert(M.rows() == n && M.cols() == n && z.size() == n && w.size() == n);
  reserve(n);
  z.setZero();
  w = q;
  if (!M.allFinite() || !q.allFinite()) return {Status::not_converged, kInfinite, 0};
  if (n == 0 || q.minCoeff() >= 0.0) return {};

  auto scaled = M_.topLeftCorner(n, n);
  auto row = row_.head(n), column = column_.head(n);
  scaled = M;
  equilibrate(scaled, row, column);
  q_.head(n) = row.cwiseProduct(q);
  const double size = q_.head(n).cwiseAbs().maxCoeff();
  q_.head(n) /= size;

  const bool siconos_first = options_.pivoting == Pivoting::siconos ||
                             (options_.pivoting == Pivoting::automatic && siconos::available());
  LcpResult result = attempt(n, !siconos_first);
  if (options_.pivoting == Pivoting::automatic && siconos_first && !(result.residual <= kGood)) {
    const LcpResult before = result;
    result = attempt(n, true);
    if (result.status != Status::solved && before.status == Status::solved) {
      result = attempt(n, false);
    }
    result.pivots += before.pivots;
  }
  if (result.status == Status::no_solution || !std::isfinite(result.residual)) return result;
  z = size * column.cwiseProduct(z_.head(n));
  for (int i = 0; i < n; ++i) w[i] = z[i] > 0.0 ? 0.0 : size * w_[i] / row[i];
  return result;
}

}  // namespace daedal::nonsmooth
