// LU of unsymmetric matrices: kernels with compile-time block sizes, and loops for larger blocks.
//
// The kernels say themselves what goes into vectors (column.hpp). Left to vectorise the short loops
// on triangles too, GCC 12 makes the solves slower by 60 to 70 % and the factorisation by 5 to 10 %.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize")
#endif

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "daedal/linear/column.hpp"
#include "daedal/linear/pivot_test.hpp"
#include "daedal/linear/tree_kernels.hpp"
#include "daedal/linear/tree_program.hpp"
#include "daedal/linear/tree_sweep.hpp"

namespace daedal::linear {

namespace {

using Pivot = TreeProgram::Pivot;
using Off = TreeProgram::Off;
using Term = TreeProgram::Term;

struct Work {
  const double* A;
  double* factor;
  int* exchange;
  double* scratch;
  const Term* terms;
};

/// The diagonal entry is the pivot unless another entry of its column is this much larger.
constexpr double kDiagonalPreference = 0.1;

// Pivot blocks ----------------------------------------------------------------------------------

/// The row of an n x n block that is all round-off from column k on, or else row k.
int vanishing_row(int n, int k, const double* D, const int* place) {
  int best = k;
  double least = -1.0;
  for (int r = k; r < n; ++r) {
    double size = 0.0;
    for (int c = k; c < n; ++c) size = std::max(size, std::abs(D[c * n + r]));
    if (least < 0.0 || size < least) {
      least = size;
      best = r;
    }
  }
  return place[best];
}

/// P D = L U in place, by columns, with 1/u_kk on the diagonal. `place`: row of D in place k.
template <class Size>
FactorStatus factorise_lu(Size n, double* D, const double* magnitude, int* place,
                          char& exceptional) {
  for (int k = 0; k < n; ++k) place[k] = k;
  exceptional = 0;
  for (int k = 0; k < n; ++k) {
    double* column = D + k * n;
    double largest = 0.0;
    for (int r = k + 1; r < n; ++r) largest = std::max(largest, std::abs(column[r]));
    if (std::abs(column[k]) < kDiagonalPreference * largest) [[unlikely]] {
      int pivot = k;
      for (int r = k + 1; r < n; ++r) {
        if (std::abs(column[r]) > std::abs(column[pivot])) pivot = r;
      }
      for (int c = 0; c < n; ++c) std::swap(D[c * n + k], D[c * n + pivot]);
      std::swap(place[k], place[pivot]);
      exceptional = 1;
    }
    const double u = column[k];
    double computed_from = std::abs(u);
    for (int m = 0; m < k; ++m) computed_from += std::abs(D[m * n + k] * column[m]);
    const double mixed = exceptional ? std::sqrt(magnitude[place[k]] * magnitude[k]) : magnitude[k];
    computed_from = std::max(computed_from, mixed);
    if (!(std::abs(u) > kVanishingPivot * computed_from)) [[unlikely]] {
      return {.ok = false,
              .equation = vanishing_row(n, k, D, place),
              .pivot = computed_from > 0.0 ? std::abs(u) / computed_from : 0.0};
    }
    const double inv = 1.0 / u;
    column[k] = inv;
    for (int r = k + 1; r < n; ++r) column[r] *= inv;
    for (int c = k + 1; c < n; ++c) {
      const double s = D[c * n + k];
      if constexpr (std::is_same_v<Size, int>) {
        subtract(n - k - 1, D + c * n + k + 1, column + k + 1, s);
      } else {
        for (int r = k + 1; r < n; ++r) D[c * n + r] -= column[r] * s;
      }
    }
  }
  return {};
}

template <int N>
FactorStatus factorise_pivot(const Work& w, const Pivot& p, char& exceptional) {
  Column<N> C[N];
  Column<N> g = Column<N>::zero();
  load_block<N, N>(w.A, p.source, true, C);
  if (p.source >= 0) {
    double diagonal[N];
    for (int c = 0; c < N; ++c) diagonal[c] = std::abs(w.A[p.source + c * N + c]);
    g = Column<N>::load(diagonal);
  }
  for (int t = p.term_begin; t < p.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* X = w.factor + term.left;
    const double* Z = w.factor + term.right;
    for (int j = 0; j < term.size; ++j, X += N, Z += N) {
      const Column<N> x = Column<N>::load(X);
      g.add_magnitude(x, Column<N>::load(Z));
      for (int c = 0; c < N; ++c) C[c].subtract(x, Z[c]);
    }
  }
  double magnitude[N];
  g.store(magnitude);
  double* factor = w.factor + p.factor;
  for (int c = 0; c < N; ++c) C[c].store(factor + c * N);
  return factorise_lu(std::integral_constant<int, N>(), factor, magnitude, w.exchange + p.row,
                      exceptional);
}

FactorStatus factorise_pivot_any(const Work& w, const Pivot& p, char& exceptional) {
  const int n = p.size;
  double* D = w.factor + p.factor;
  double* magnitude = w.scratch;
  load_block(w.A, p.source, true, n, n, D);
  for (int c = 0; c < n; ++c) magnitude[c] = std::abs(D[c * n + c]);
  for (int t = p.term_begin; t < p.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* X = w.factor + term.left;
    const double* Z = w.factor + term.right;
    for (int j = 0; j < term.size; ++j, X += n, Z += n) {
      for (int c = 0; c < n; ++c) {
        magnitude[c] += std::abs(X[c] * Z[c]);
        subtract(n, D + c * n, X, Z[c]);
      }
    }
  }
  return factorise_lu(n, D, magnitude, w.exchange + p.row, exceptional);
}

// Blocks below and right of a pivot -------------------------------------------------------------

template <int R, int N>
void compute_off(const Work& w, const Pivot& p, const Off& off, bool exceptional) {
  const double* LU = w.factor + p.factor;
  Column<R> C[N];
  load_block<R, N>(w.A, off.source, true, C);
  for (int t = off.term_begin; t < off.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* left = w.factor + term.left;
    const double* right = w.factor + term.right;
    for (int j = 0; j < term.size; ++j, left += R, right += N) {
      const Column<R> x = Column<R>::load(left);
      for (int c = 0; c < N; ++c) C[c].subtract(x, right[c]);
    }
  }
  double* X = w.factor + off.factor;
  for (int j = 0; j < N; ++j) {
    for (int m = 0; m < j; ++m) C[j].subtract(C[m], LU[j * N + m]);
    C[j].scale(LU[j * N + j]);
    C[j].store(X + j * R);
  }

  load_block<R, N>(w.A, off.source_upper, false, C);
  for (int t = off.term_begin; t < off.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* left = w.factor + term.left_upper;
    const double* right = w.factor + term.right_upper;
    for (int j = 0; j < term.size; ++j, left += R, right += N) {
      const Column<R> z = Column<R>::load(left);
      for (int c = 0; c < N; ++c) C[c].subtract(z, right[c]);
    }
  }
  double* Z = w.factor + off.factor_upper;
  if (exceptional) {
    double unordered[R * N];
    for (int j = 0; j < N; ++j) C[j].store(unordered + j * R);
    for (int j = 0; j < N; ++j) C[j] = Column<R>::load(unordered + w.exchange[p.row + j] * R);
  }
  for (int j = 0; j < N; ++j) {
    for (int m = 0; m < j; ++m) C[j].subtract(C[m], LU[m * N + j]);
    C[j].store(Z + j * R);
  }
}

void compute_off_any(const Work& w, const Pivot& p, const Off& off, bool /*exceptional*/) {
  const int rows = off.size, n = p.size;
  const double* LU = w.factor + p.factor;
  double* X = w.factor + off.factor;
  load_block(w.A, off.source, true, rows, n, X);
  for (int t = off.term_begin; t < off.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* left = w.factor + term.left;
    const double* right = w.factor + term.right;
    for (int j = 0; j < term.size; ++j, left += rows, right += n) {
      for (int c = 0; c < n; ++c) subtract(rows, X + c * rows, left, right[c]);
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int m = 0; m < j; ++m) subtract(rows, X + j * rows, X + m * rows, LU[j * n + m]);
    for (int r = 0; r < rows; ++r) X[j * rows + r] *= LU[j * n + j];
  }

  double* unordered = w.scratch;
  load_block(w.A, off.source_upper, false, rows, n, unordered);
  for (int t = off.term_begin; t < off.term_end; ++t) {
    const Term& term = w.terms[t];
    const double* left = w.factor + term.left_upper;
    const double* right = w.factor + term.right_upper;
    for (int j = 0; j < term.size; ++j, left += rows, right += n) {
      for (int c = 0; c < n; ++c) subtract(rows, unordered + c * rows, left, right[c]);
    }
  }
  double* Z = w.factor + off.factor_upper;
  for (int j = 0; j < n; ++j) {
    std::copy_n(unordered + w.exchange[p.row + j] * rows, rows, Z + j * rows);
    for (int m = 0; m < j; ++m) subtract(rows, Z + j * rows, Z + m * rows, LU[m * n + j]);
  }
}

using OffKernel = void (*)(const Work&, const Pivot&, const Off&, bool);
using PivotKernel = FactorStatus (*)(const Work&, const Pivot&, char&);

constexpr auto kOff = square_table<OffKernel>(
    []<int R, int N>() -> OffKernel { return &compute_off<R, N>; }, &compute_off_any);
constexpr auto kPivot = line_table<PivotKernel>(
    []<int N>() -> PivotKernel { return &factorise_pivot<N>; }, &factorise_pivot_any);

// Solves with the pivot blocks ------------------------------------------------------------------

struct UnscaledRule {
  static const double* scale(const double*) { return nullptr; }
  template <class Size>
  static void subtract(Size n, const double*, const double* s, double* y) {
    for (int k = 0; k < n; ++k) y[k] -= s[k];
  }
};

/// y = L^-1 P b, x = U^-1 (y - Z x_i)
struct GeneralRule : UnscaledRule {
  static int below(const Off& off) { return off.factor; }
  static int above(const Off& off) { return off.factor_upper; }

  template <class Size>
  static void forward(Size n, const double* LU, double* y) {
    for (int k = 0; k < n; ++k) {
      for (int r = k + 1; r < n; ++r) y[r] -= LU[k * n + r] * y[k];
    }
  }
  template <class Size>
  static void backward(Size n, const double* LU, double* y) {
    for (int k = n - 1; k >= 0; --k) {
      y[k] *= LU[k * n + k];
      for (int r = 0; r < k; ++r) y[r] -= LU[k * n + r] * y[k];
    }
  }

  static void exceptional_forward(TreeFactors& factors, const Pivot& p, double* b) {
    const int* place = factors.exchange.data() + p.row;
    double* y = factors.scratch.data();
    for (int k = 0; k < p.size; ++k) y[k] = b[place[k]];
    std::copy_n(y, p.size, b);
    forward(p.size, factors.values.data() + p.factor, b);
  }
  static void exceptional_backward(TreeFactors& factors, const Pivot& p, double* b) {
    backward(p.size, factors.values.data() + p.factor, b);
  }
};

/// y = U^-T b, x = P^T L^-T (y - X^T x_i)
struct TransposedRule : UnscaledRule {
  static int below(const Off& off) { return off.factor_upper; }
  static int above(const Off& off) { return off.factor; }

  template <class Size>
  static void forward(Size n, const double* LU, double* y) {
    for (int k = 0; k < n; ++k) {
      for (int m = 0; m < k; ++m) y[k] -= LU[k * n + m] * y[m];
      y[k] *= LU[k * n + k];
    }
  }
  template <class Size>
  static void backward(Size n, const double* LU, double* y) {
    for (int k = n - 1; k >= 0; --k) {
      for (int r = k + 1; r < n; ++r) y[k] -= LU[k * n + r] * y[r];
    }
  }

  static void exceptional_forward(TreeFactors& factors, const Pivot& p, double* b) {
    forward(p.size, factors.values.data() + p.factor, b);
  }
  static void exceptional_backward(TreeFactors& factors, const Pivot& p, double* b) {
    backward(p.size, factors.values.data() + p.factor, b);
    const int* place = factors.exchange.data() + p.row;
    double* x = factors.scratch.data();
    for (int k = 0; k < p.size; ++k) x[place[k]] = b[k];
    std::copy_n(x, p.size, b);
  }
};

}  // namespace

FactorStatus factorise_general(const TreeProgram& program, const double* A, TreeFactors& factors) {
  const Work w{A, factors.values.data(), factors.exchange.data(), factors.scratch.data(),
               program.terms.data()};
  const std::size_t count = program.pivots.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Pivot& p = program.pivots[k];
    if (p.size == 0) continue;
    char& exceptional = factors.exceptional[k];
    FactorStatus status = kPivot[table_index(p.size)](w, p, exceptional);
    if (!status) {
      status.equation += p.row;
      return status;
    }
    for (int o = p.off_begin; o < p.off_end; ++o) {
      const Off& off = program.offs[o];
      kOff[table_index(off.size, p.size)](w, p, off, exceptional != 0);
    }
  }
  return {};
}

void solve_general(const TreeProgram& program, TreeFactors& factors, double* b) {
  TreeSweep<GeneralRule>::solve(program, factors, b);
}

void solve_general_transposed(const TreeProgram& program, TreeFactors& factors, double* b) {
  TreeSweep<TransposedRule>::solve(program, factors, b);
}

}  // namespace daedal::linear
