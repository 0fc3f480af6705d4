#include <algorithm>
#include <cmath>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

namespace {

double one_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double entry : x) sum += std::abs(entry);
  return sum;
}

/// ||A^-1||_inf, column by column.
double exact_inverse_norm(Solver& solver, int n) {
  std::vector<double> column(n), row_sum(n, 0.0);
  for (int j = 0; j < n; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    column[j] = 1.0;
    solver.solve(column);
    for (int i = 0; i < n; ++i) row_sum[i] += std::abs(column[i]);
  }
  double norm = 0.0;
  for (const double sum : row_sum) {
    if (!(sum <= norm)) norm = sum;  // a NaN is kept
  }
  return norm;
}

/// ||A^-1||_inf = ||B||_1 with B = A^-T, by Higham's estimator [Higham 1988, algorithm 4.1]:
/// climb the convex function ||B x||_1 over the unit 1-norm ball from vertex to vertex.
double estimated_inverse_norm(Solver& solver, int n) {
  std::vector<double> x(n, 1.0 / n), sign(n, 0.0), z(n);
  const auto times_B = [&](std::vector<double>& v) { solver.solve_transposed(v); };
  const auto times_B_transposed = [&](std::vector<double>& v) { solver.solve(v); };

  times_B(x);
  double estimate = one_norm(x);
  int vertex = -1;
  for (int iteration = 0; iteration < 5; ++iteration) {
    bool same_signs = iteration > 0;
    for (int i = 0; i < n; ++i) {
      const double s = x[i] < 0.0 ? -1.0 : 1.0;
      same_signs = same_signs && s == sign[i];
      sign[i] = s;
    }
    if (same_signs) break;
    z = sign;
    times_B_transposed(z);
    int steepest = 0;
    for (int i = 1; i < n; ++i) {
      if (std::abs(z[i]) > std::abs(z[steepest])) steepest = i;
    }
    if (steepest == vertex) break;
    vertex = steepest;
    std::fill(x.begin(), x.end(), 0.0);
    x[vertex] = 1.0;
    times_B(x);
    const double next = one_norm(x);
    if (!(next > estimate)) break;
    estimate = next;
  }
  // A vector that catches the matrices made to fool the climb.
  for (int i = 0; i < n; ++i) x[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + double(i) / (n - 1));
  times_B(x);
  return std::max(estimate, 2.0 * one_norm(x) / (3.0 * n));
}

}  // namespace

double condition_number(const BlockMatrix& A, Solver& solver) {
  const int n = A.pattern().rows();
  if (n == 0) return 1.0;
  const double inverse = n <= kExactConditionSize ? exact_inverse_norm(solver, n)
                                                  : estimated_inverse_norm(solver, n);
  return A.infinity_norm() * inverse;
}

double solver_error(const BlockMatrix& A, Solver& solver) {
  std::vector<double> x(A.pattern().rows()), b(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2.0 + std::cos(static_cast<double>(i) + 1.0);
  A.multiply_add(x, b);
  solver.solve(b);
  double error = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(b[i] - x[i]));
  return error;
}

}  // namespace daedal::linear
