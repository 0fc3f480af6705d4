#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "daedal/linear/column.hpp"

namespace daedal::linear {

/// Block sizes up to this one have kernels of their own, larger ones share loops.
inline constexpr int kLargestKernel = 6;

/// Entry 0 of a table is the loop for any size.
constexpr int table_index(int size) { return size <= kLargestKernel ? size : 0; }
constexpr int table_index(int rows, int columns) {
  return rows <= kLargestKernel && columns <= kLargestKernel
             ? rows * (kLargestKernel + 1) + columns
             : 0;
}

template <class Kernel, class Make>
constexpr auto line_table(Make make, Kernel any) {
  std::array<Kernel, kLargestKernel + 1> table{};
  table[0] = any;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((table[I + 1] = make.template operator()<I + 1>()), ...);
  }(std::make_integer_sequence<int, kLargestKernel>());
  return table;
}

template <class Kernel, class Make>
constexpr auto square_table(Make make, Kernel any) {
  constexpr int n = kLargestKernel;
  std::array<Kernel, (n + 1) * (n + 1)> table{};
  table.fill(any);
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((table[(I / n + 1) * (n + 1) + I % n + 1] =
          make.template operator()<I / n + 1, I % n + 1>()),
     ...);
  }(std::make_integer_sequence<int, n * n>());
  return table;
}

/// Like square_table, with kernels for no rows at all.
template <class Kernel, class Make>
constexpr auto solve_table(Make make, Kernel any) {
  auto table = square_table<Kernel>(make, any);
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((table[I + 1] = make.template operator()<0, I + 1>()), ...);
  }(std::make_integer_sequence<int, kLargestKernel>());
  return table;
}

/// Columns of a block (i, k), R x N. It is stored by rows either as (i, k) or as its mirror (k, i).
template <int R, int N>
inline void load_block(const double* A, int source, bool by_rows, Column<R>* C) {
  if (source < 0) {
    for (int c = 0; c < N; ++c) C[c] = Column<R>::zero();
  } else if (by_rows) {
    for (int c = 0; c < N; ++c) C[c] = Column<R>::gather(A + source + c, N);
  } else {
    for (int c = 0; c < N; ++c) C[c] = Column<R>::load(A + source + c * R);
  }
}

inline void load_block(const double* A, int source, bool by_rows, int rows, int n, double* C) {
  if (source < 0) {
    std::fill_n(C, rows * n, 0.0);
  } else if (by_rows) {
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < rows; ++r) C[c * rows + r] = A[source + r * n + c];
    }
  } else {
    std::copy_n(A + source, rows * n, C);
  }
}

/// y -= s * x
inline void subtract(int n, double* y, const double* x, double s) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Column<4> part = Column<4>::load(y + i);
    part.subtract(Column<4>::load(x + i), s);
    part.store(y + i);
  }
  for (; i < n; ++i) y[i] -= s * x[i];
}

/// y -= B x, B by columns
void subtract_product(int rows, int columns, const double* B, const double* x, double* y);
/// y -= diag(scale) B^T x, or B^T x without a scale
void subtract_transposed_product(int rows, int columns, const double* B, const double* x,
                                 const double* scale, double* y);

}  // namespace daedal::linear
