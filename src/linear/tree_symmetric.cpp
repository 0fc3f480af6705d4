// LDL^T: kernels with compile-time block sizes, and loops for larger blocks.
#include <algorithm>
#include <array>
#include <cmath>

#include "daedal/linear/column.hpp"
#include "daedal/linear/indefinite_block.hpp"
#include "daedal/linear/pivot_test.hpp"
#include "daedal/linear/tree_kernels.hpp"
#include "daedal/linear/tree_program.hpp"

namespace daedal::linear {

namespace {

using Pivot = TreeProgram::Pivot;
using Off = TreeProgram::Off;
using Term = TreeProgram::Term;

/// What every kernel works on.
struct Work {
  const double* A;
  double* factor;
  double* inverse;
  char* exceptional;
  double* scratch;
  const Term* terms;
  const Off* offs;
};

/// Strictly lower entries of a unit triangle by columns: (r, c), r > c.
constexpr int packed(int n, int r, int c) { return c * n - c * (c + 1) / 2 + r - c - 1; }

// Pivot blocks ----------------------------------------------------------------------------------

/// L D L^T of a definite block without pivoting; false as soon as it is not definite.
/// `c`: lower triangle by columns, overwritten.
template <int N>
bool factorise_definite(double* c, const double* magnitude, double* reciprocal, double* L) {
  const double sign = c[0] < 0.0 ? -1.0 : 1.0;
  bool definite = true;
  for (int k = 0; k < N; ++k) {
    const double d = c[k * N + k];
    definite &= sign * d > kVanishingPivot * magnitude[k];
    const double inv = 1.0 / d;
    reciprocal[k] = inv;
    for (int j = k + 1; j < N; ++j) {
      const double l = c[k * N + j] * inv;
      L[packed(N, j, k)] = l;
      for (int r = j; r < N; ++r) c[j * N + r] -= l * c[k * N + r];
    }
  }
  return definite;
}

bool factorise_definite(int n, double* c, const double* magnitude, double* reciprocal, double* L) {
  const double sign = c[0] < 0.0 ? -1.0 : 1.0;
  for (int k = 0; k < n; ++k) {
    const double d = c[k * n + k];
    if (!(sign * d > kVanishingPivot * magnitude[k])) return false;
    reciprocal[k] = 1.0 / d;
    for (int j = k + 1; j < n; ++j) {
      const double l = c[k * n + j] * reciprocal[k];
      L[packed(n, j, k)] = l;
      for (int r = j; r < n; ++r) c[j * n + r] -= l * c[k * n + r];
    }
  }
  return true;
}

template <int N>
FactorStatus factorise_pivot(const Work& w, const Pivot& p, char& exceptional) {
  Column<N> C[N];
  Column<N> g = Column<N>::zero();
  if (p.source >= 0) {
    const double* a = w.A + p.source;
    for (int c = 0; c < N; ++c) C[c] = Column<N>::load(a + c * N);
    double diagonal[N];
    for (int c = 0; c < N; ++c) diagonal[c] = std::abs(a[c * N + c]);
    g = Column<N>::load(diagonal);
  } else {
    for (int c = 0; c < N; ++c) C[c] = Column<N>::zero();
  }
  for (int t = p.term_begin; t < p.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* W = w.factor + term.left;
    const double* reciprocal = w.factor + term.left_upper;
    for (int j = 0; j < term.size; ++j, W += N) {
      const Column<N> column = Column<N>::load(W);
      Column<N> scaled = column;
      scaled.scale(reciprocal[j]);
      g.add_magnitude(scaled, column);
      for (int c = 0; c < N; ++c) C[c].subtract(scaled, W[c]);
    }
  }
  double D[N * N], magnitude[N];
  for (int c = 0; c < N; ++c) C[c].store(D + c * N);
  g.store(magnitude);
  double* factor = w.factor + p.factor;
  double copy[N * N];
  for (int c = 0; c < N; ++c) C[c].store(copy + c * N);
  exceptional = 0;
  if (factorise_definite<N>(D, magnitude, factor, factor + N)) return {};
  exceptional = 1;
  double scales[N];
  return invert_indefinite(N, copy, magnitude, w.inverse + p.inverse, factor, scales);
}

FactorStatus factorise_pivot_any(const Work& w, const Pivot& p, char& exceptional) {
  const int n = p.size;
  double* D = w.scratch;
  double* copy = D + n * n;
  double* magnitude = copy + n * n;
  if (p.source >= 0) {
    std::copy_n(w.A + p.source, n * n, D);
  } else {
    std::fill_n(D, n * n, 0.0);
  }
  for (int c = 0; c < n; ++c) magnitude[c] = std::abs(D[c * n + c]);
  for (int t = p.term_begin; t < p.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* W = w.factor + term.left;
    const double* reciprocal = w.factor + term.left_upper;
    for (int j = 0; j < term.size; ++j, W += n) {
      for (int c = 0; c < n; ++c) {
        const double s = W[c] * reciprocal[j];
        magnitude[c] += std::abs(s * W[c]);
        for (int r = 0; r < n; ++r) D[c * n + r] -= s * W[r];
      }
    }
  }
  std::copy_n(D, n * n, copy);
  double* factor = w.factor + p.factor;
  exceptional = 0;
  if (factorise_definite(n, D, magnitude, factor, factor + n)) return {};
  exceptional = 1;
  return invert_indefinite(n, copy, magnitude, w.inverse + p.inverse, factor, magnitude + n);
}

// Blocks below a pivot --------------------------------------------------------------------------

template <int R, int N>
void compute_off(const Work& w, const Pivot& p, const Off& off, bool exceptional) {
  Column<R> C[N];
  load_block<R, N>(w.A, off.source, off.by_rows, C);
  for (int t = off.term_begin; t < off.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* left = w.factor + term.left;
    const double* right = w.factor + term.right;
    const double* reciprocal = w.factor + term.left_upper;
    for (int j = 0; j < term.size; ++j, left += R, right += N) {
      Column<R> scaled = Column<R>::load(left);
      scaled.scale(reciprocal[j]);
      for (int c = 0; c < N; ++c) C[c].subtract(scaled, right[c]);
    }
  }
  double* W = w.factor + off.factor;
  if (exceptional) {
    const double* F = w.inverse + p.inverse;
    for (int j = 0; j < N; ++j, F += N) {
      Column<R> column = Column<R>::zero();
      for (int c = 0; c < N; ++c) column.subtract(C[c], -F[c]);
      column.store(W + j * R);
    }
    return;
  }
  const double* L = w.factor + p.factor + N;
  for (int j = 0; j < N; ++j) {
    for (int m = 0; m < j; ++m) C[j].subtract(C[m], L[packed(N, j, m)]);
    C[j].store(W + j * R);
  }
}

void compute_off_any(const Work& w, const Pivot& p, const Off& off, bool exceptional) {
  const int rows = off.size, n = p.size;
  double* C = exceptional ? w.scratch : w.factor + off.factor;
  load_block(w.A, off.source, off.by_rows, rows, n, C);
  for (int t = off.term_begin; t < off.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* left = w.factor + term.left;
    const double* right = w.factor + term.right;
    const double* reciprocal = w.factor + term.left_upper;
    for (int j = 0; j < term.size; ++j, left += rows, right += n) {
      for (int c = 0; c < n; ++c) subtract(rows, C + c * rows, left, right[c] * reciprocal[j]);
    }
  }
  if (exceptional) {
    const double* F = w.inverse + p.inverse;
    double* W = w.factor + off.factor;
    std::fill_n(W, rows * n, 0.0);
    for (int j = 0; j < n; ++j) {
      for (int c = 0; c < n; ++c) subtract(rows, W + j * rows, C + c * rows, -F[j * n + c]);
    }
    return;
  }
  const double* L = w.factor + p.factor + n;
  for (int j = 0; j < n; ++j) {
    for (int m = 0; m < j; ++m) subtract(rows, C + j * rows, C + m * rows, L[packed(n, j, m)]);
  }
}

using OffKernel = void (*)(const Work&, const Pivot&, const Off&, bool);
using PivotKernel = FactorStatus (*)(const Work&, const Pivot&, char&);

constexpr auto kOff = square_table<OffKernel>(
    []<int R, int N>() -> OffKernel { return &compute_off<R, N>; }, &compute_off_any);
constexpr auto kPivot = line_table<PivotKernel>(
    []<int N>() -> PivotKernel { return &factorise_pivot<N>; }, &factorise_pivot_any);

// Solves ----------------------------------------------------------------------------------------

/// z = D^-1 L^-1 b, in place
template <int N>
void solve_pivot_forward(const double* factor, double* b) {
  const double* L = factor + N;
  double y[N];
  for (int k = 0; k < N; ++k) y[k] = b[k];
  for (int k = 0; k < N; ++k) {
    for (int r = k + 1; r < N; ++r) y[r] -= L[packed(N, r, k)] * y[k];
  }
  for (int k = 0; k < N; ++k) b[k] = y[k] * factor[k];
}

/// x = L^-T z, in place
template <int N>
void solve_pivot_backward(const double* factor, double* b) {
  const double* L = factor + N;
  double x[N];
  for (int k = 0; k < N; ++k) x[k] = b[k];
  for (int k = N - 1; k >= 0; --k) {
    for (int c = 0; c < k; ++c) x[c] -= L[packed(N, k, c)] * x[k];
  }
  for (int k = 0; k < N; ++k) b[k] = x[k];
}

void solve_pivot_forward_any(int n, const double* factor, double* b) {
  const double* L = factor + n;
  for (int k = 0; k < n; ++k) {
    for (int r = k + 1; r < n; ++r) b[r] -= L[packed(n, r, k)] * b[k];
  }
  for (int k = 0; k < n; ++k) b[k] *= factor[k];
}

void solve_pivot_backward_any(int n, const double* factor, double* b) {
  const double* L = factor + n;
  for (int k = n - 1; k >= 0; --k) {
    for (int c = 0; c < k; ++c) b[c] -= L[packed(n, k, c)] * b[k];
  }
}

/// z = D^-1 F b for an indefinite block
void solve_indefinite_forward(int n, const double* F, const double* factor, double* b,
                              double* scratch) {
  for (int k = 0; k < n; ++k) {
    double sum = 0.0;
    for (int c = 0; c < n; ++c) sum += F[k * n + c] * b[c];
    scratch[k] = sum * factor[k];
  }
  std::copy_n(scratch, n, b);
}

/// x = F^T z
void solve_indefinite_backward(int n, const double* F, double* b, double* scratch) {
  std::fill_n(scratch, n, 0.0);
  for (int k = 0; k < n; ++k) subtract(n, scratch, F + k * n, -b[k]);
  std::copy_n(scratch, n, b);
}

}  // namespace

FactorStatus factorise_symmetric(const TreeProgram& program, const double* A,
                                 TreeFactors& factors) {
  const Work w{A,
               factors.values.data(),
               factors.inverse.data(),
               factors.exceptional.data(),
               factors.scratch.data(),
               program.terms.data(),
               program.offs.data()};
  const std::size_t count = program.pivots.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Pivot& p = program.pivots[k];
    if (p.size == 0) continue;
    char& exceptional = w.exceptional[k];
    FactorStatus status = kPivot[table_index(p.size)](w, p, exceptional);
    if (!status) {
      status.equation += p.row;
      return status;
    }
    for (int o = p.off_begin; o < p.off_end; ++o) {
      const Off& off = w.offs[o];
      kOff[table_index(off.size, p.size)](w, p, off, exceptional != 0);
    }
  }
  return {};
}

void solve_symmetric(const TreeProgram& program, TreeFactors& factors, double* b) {
  const double* values = factors.values.data();
  const int count = static_cast<int>(program.pivots.size());
  for (int k = 0; k < count; ++k) {
    const Pivot& p = program.pivots[k];
    double* bk = b + p.row;
    if (factors.exceptional[k]) {
      solve_indefinite_forward(p.size, factors.inverse.data() + p.inverse, values + p.factor, bk,
                               factors.scratch.data());
    } else {
      switch (p.size) {
        case 1: solve_pivot_forward<1>(values + p.factor, bk); break;
        case 2: solve_pivot_forward<2>(values + p.factor, bk); break;
        case 3: solve_pivot_forward<3>(values + p.factor, bk); break;
        case 4: solve_pivot_forward<4>(values + p.factor, bk); break;
        case 5: solve_pivot_forward<5>(values + p.factor, bk); break;
        case 6: solve_pivot_forward<6>(values + p.factor, bk); break;
        default: solve_pivot_forward_any(p.size, values + p.factor, bk);
      }
    }
    for (int o = p.off_begin; o < p.off_end; ++o) {
      const Off& off = program.offs[o];
      subtract_product(off.size, p.size, values + off.factor, bk, b + off.row);
    }
  }
  for (int k = count - 1; k >= 0; --k) {
    const Pivot& p = program.pivots[k];
    double* bk = b + p.row;
    for (int o = p.off_begin; o < p.off_end; ++o) {
      const Off& off = program.offs[o];
      subtract_scaled_transposed_product(off.size, p.size, values + off.factor, b + off.row,
                                         values + p.factor, bk);
    }
    if (factors.exceptional[k]) {
      solve_indefinite_backward(p.size, factors.inverse.data() + p.inverse, bk,
                                factors.scratch.data());
      continue;
    }
    switch (p.size) {
      case 1: solve_pivot_backward<1>(values + p.factor, bk); break;
      case 2: solve_pivot_backward<2>(values + p.factor, bk); break;
      case 3: solve_pivot_backward<3>(values + p.factor, bk); break;
      case 4: solve_pivot_backward<4>(values + p.factor, bk); break;
      case 5: solve_pivot_backward<5>(values + p.factor, bk); break;
      case 6: solve_pivot_backward<6>(values + p.factor, bk); break;
      default: solve_pivot_backward_any(p.size, values + p.factor, bk);
    }
  }
}

}  // namespace daedal::linear
