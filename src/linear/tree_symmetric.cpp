// LDL^T: kernels with compile-time block sizes, and loops for larger blocks.
//
// The kernels say themselves what goes into vectors (column.hpp). Left to vectorise the short loops
// on triangles too, GCC 12 makes the solves slower by 60 to 70 % and the factorisation by 5 to 10 %.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize")
#endif

#include <algorithm>
#include <array>
#include <cmath>

#include "daedal/linear/column.hpp"
#include "daedal/linear/indefinite_block.hpp"
#include "daedal/linear/pivot_test.hpp"
#include "daedal/linear/tree_kernels.hpp"
#include "daedal/linear/tree_program.hpp"
#include "daedal/linear/tree_sweep.hpp"

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
      subtract(n - j, c + j * n + j, c + k * n + j, l);
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
        subtract(n, D + c * n, W, s);
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

/// z = D^-1 (L^-1 b - ...), x = L^-T (z - D^-1 W^T x_i)
struct SymmetricRule {
  static int below(const Off& off) { return off.factor; }
  static int above(const Off& off) { return off.factor; }
  static const double* scale(const double* factor) { return factor; }

  template <class Size>
  static void forward(Size n, const double* factor, double* y) {
    const double* L = factor + n;
    for (int k = 0; k < n; ++k) {
      for (int r = k + 1; r < n; ++r) y[r] -= L[packed(n, r, k)] * y[k];
    }
    for (int k = 0; k < n; ++k) y[k] *= factor[k];
  }
  template <class Size>
  static void subtract(Size n, const double* factor, const double* s, double* y) {
    for (int k = 0; k < n; ++k) y[k] -= factor[k] * s[k];
  }
  template <class Size>
  static void backward(Size n, const double* factor, double* y) {
    const double* L = factor + n;
    for (int k = n - 1; k >= 0; --k) {
      for (int c = 0; c < k; ++c) y[c] -= L[packed(n, k, c)] * y[k];
    }
  }

  /// With the explicit factor of an indefinite block: z = D^-1 F b, x = F^T z.
  static void exceptional_forward(TreeFactors& factors, const Pivot& p, double* b) {
    const double* F = factors.inverse.data() + p.inverse;
    double* z = factors.scratch.data();
    for (int k = 0; k < p.size; ++k) {
      double sum = 0.0;
      for (int c = 0; c < p.size; ++c) sum += F[k * p.size + c] * b[c];
      z[k] = sum * factors.values[p.factor + k];
    }
    std::copy_n(z, p.size, b);
  }
  static void exceptional_backward(TreeFactors& factors, const Pivot& p, double* b) {
    const double* F = factors.inverse.data() + p.inverse;
    double* x = factors.scratch.data();
    std::fill_n(x, p.size, 0.0);
    for (int k = 0; k < p.size; ++k) linear::subtract(p.size, x, F + k * p.size, -b[k]);
    std::copy_n(x, p.size, b);
  }
};

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
  TreeSweep<SymmetricRule>::solve(program, factors, b);
}

}  // namespace daedal::linear
