#include "daedal/linear/indefinite_block.hpp"

#include <algorithm>
#include <cmath>

#include "daedal/linear/pivot_test.hpp"

namespace daedal::linear {

namespace {

constexpr double kDone = -1.0;  // mark of an eliminated row in the work array

/// Largest diagonal and off-diagonal entries among the rows left.
struct Choice {
  int diagonal = -1, p = -1, q = -1;
  double largest_diagonal = -1.0, largest_off = 0.0;
};

Choice choose(int n, const double* D, const double* work) {
  Choice choice;
  for (int i = 0; i < n; ++i) {
    if (work[i] == kDone) continue;
    if (choice.diagonal < 0 || std::abs(D[i * n + i]) > choice.largest_diagonal) {
      choice.diagonal = i;
      choice.largest_diagonal = std::abs(D[i * n + i]);
    }
    for (int j = 0; j < i; ++j) {
      if (work[j] != kDone && std::abs(D[i * n + j]) > choice.largest_off) {
        choice.largest_off = std::abs(D[i * n + j]);
        choice.p = j;
        choice.q = i;
      }
    }
  }
  return choice;
}

/// row -= l * other, for D and the factor alike
void combine(int n, double* row, double l, const double* other) {
  for (int j = 0; j < n; ++j) row[j] -= l * other[j];
}

}  // namespace

FactorStatus invert_indefinite(int n, double* D, const double* magnitude, double* F,
                               double* reciprocal, double* work) {
  // Row i of F starts as the i-th unit vector and follows every operation on row i of D; `work`
  // holds the scale until the row is eliminated. Rows of F keep the place of their equation.
  for (int i = 0; i < n; ++i) {
    double size = std::max(magnitude[i], std::abs(D[i * n + i]));
    if (!(size > 0.0)) {
      for (int j = 0; j < n; ++j) size = std::max(size, std::abs(D[i * n + j]));
    }
    work[i] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      D[i * n + j] *= work[i] * work[j];
      F[i * n + j] = i == j ? work[i] : 0.0;
    }
  }

  for (int left = n; left > 0;) {
    const Choice choice = choose(n, D, work);
    const double alpha = (1.0 + std::sqrt(17.0)) / 8.0;
    if (choice.p < 0 || choice.largest_diagonal >= alpha * choice.largest_off) {
      const int p = choice.diagonal;
      const double d = D[p * n + p];
      if (!(std::abs(d) > kVanishingPivot)) {
        return {.ok = false, .equation = p, .pivot = std::abs(d)};
      }
      work[p] = kDone;
      reciprocal[p] = 1.0 / d;
      --left;
      for (int i = 0; i < n; ++i) {
        if (work[i] == kDone) continue;
        const double l = D[i * n + p] / d;
        combine(n, D + i * n, l, D + p * n);
        combine(n, F + i * n, l, F + p * n);
      }
      continue;
    }
    const int p = choice.p, q = choice.q;
    const double a = D[p * n + p], b = D[p * n + q], c = D[q * n + q];
    if (!(choice.largest_off > kVanishingPivot)) {
      return {.ok = false, .equation = q, .pivot = choice.largest_off};
    }
    work[p] = work[q] = kDone;
    left -= 2;
    const double determinant = a * c - b * b;  // below -(1 - alpha^2) b^2
    for (int i = 0; i < n; ++i) {
      if (work[i] == kDone) continue;
      const double lp = (D[i * n + p] * c - D[i * n + q] * b) / determinant;
      const double lq = (D[i * n + q] * a - D[i * n + p] * b) / determinant;
      combine(n, D + i * n, lp, D + p * n);
      combine(n, D + i * n, lq, D + q * n);
      combine(n, F + i * n, lp, F + p * n);
      combine(n, F + i * n, lq, F + q * n);
    }
    // [a b; b c] = V diag(d1, d2) V^T by one Jacobi rotation
    const double theta = 0.5 * std::atan2(2.0 * b, a - c);
    const double cosine = std::cos(theta), sine = std::sin(theta);
    reciprocal[p] = 1.0 / (a * cosine * cosine + 2.0 * b * cosine * sine + c * sine * sine);
    reciprocal[q] = 1.0 / (a * sine * sine - 2.0 * b * cosine * sine + c * cosine * cosine);
    for (int j = 0; j < n; ++j) {
      const double fp = F[p * n + j], fq = F[q * n + j];
      F[p * n + j] = cosine * fp + sine * fq;
      F[q * n + j] = cosine * fq - sine * fp;
    }
  }
  return {};
}

}  // namespace daedal::linear
