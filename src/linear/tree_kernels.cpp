#include "daedal/linear/tree_kernels.hpp"

#include <utility>

namespace daedal::linear {

namespace {

template <int R, int N>
void product(const double* B, const double* x, double* y) {
  Column<R> sum = Column<R>::load(y);
  for (int c = 0; c < N; ++c) sum.subtract(Column<R>::load(B + c * R), x[c]);
  sum.store(y);
}

template <int R, int N>
void transposed_product(const double* B, const double* x, const double* scale, double* y) {
  double v[R];
  for (int r = 0; r < R; ++r) v[r] = x[r];
  for (int c = 0; c < N; ++c) {
    double sum = B[c * R] * v[0];
    for (int r = 1; r < R; ++r) sum += B[c * R + r] * v[r];
    y[c] -= scale ? scale[c] * sum : sum;
  }
}

using Product = void (*)(const double*, const double*, double*);
using TransposedProduct = void (*)(const double*, const double*, const double*, double*);

constexpr auto kProduct =
    square_table<Product>([]<int R, int N>() -> Product { return &product<R, N>; }, nullptr);
constexpr auto kTransposedProduct = square_table<TransposedProduct>(
    []<int R, int N>() -> TransposedProduct { return &transposed_product<R, N>; }, nullptr);

}  // namespace

void subtract_product(int rows, int columns, const double* B, const double* x, double* y) {
  if (const Product kernel = kProduct[table_index(rows, columns)]) {
    kernel(B, x, y);
    return;
  }
  for (int c = 0; c < columns; ++c) subtract(rows, y, B + c * rows, x[c]);
}

void subtract_transposed_product(int rows, int columns, const double* B, const double* x,
                                 const double* scale, double* y) {
  if (const TransposedProduct kernel = kTransposedProduct[table_index(rows, columns)]) {
    kernel(B, x, scale, y);
    return;
  }
  for (int c = 0; c < columns; ++c) {
    double sum = 0.0;
    for (int r = 0; r < rows; ++r) sum += B[c * rows + r] * x[r];
    y[c] -= scale ? scale[c] * sum : sum;
  }
}

}  // namespace daedal::linear
