#pragma once

#include "daedal/linear/tree_kernels.hpp"
#include "daedal/linear/tree_program.hpp"

namespace daedal::linear {

/// Forward and backward substitution, the same for all factorisations but for a rule:
///
///   forward(n, factor, y)   solves with the lower part of a pivot block, in place
///   subtract(n, factor, s, y)   y -= s, scaled as scale(factor) says
///   backward(n, factor, y)   solves with the upper part
///   below(off), above(off)   which stored block takes part in which sweep
///   exceptional_forward/backward(factors, pivot, b)   the same for pivoted blocks
///
/// The first block of a pivot is multiplied in the same kernel that solves with the pivot, so the
/// values pass through registers; on a tree with joints of two bodies there is no other block.
template <class Rule>
struct TreeSweep {
  using Kernel = void (*)(int rows, int n, const double* factor, const double* B, double* bk,
                          double* bi);

  template <int R, int N>
  static void forward(int, int, const double* factor, const double* B, double* bk, double* bi) {
    double y[N];
    for (int k = 0; k < N; ++k) y[k] = bk[k];
    Rule::forward(std::integral_constant<int, N>(), factor, y);
    for (int k = 0; k < N; ++k) bk[k] = y[k];
    if constexpr (R > 0) {
      Column<R> sum = Column<R>::load(bi);
      for (int c = 0; c < N; ++c) sum.subtract(Column<R>::load(B + c * R), y[c]);
      sum.store(bi);
    }
  }

  static void forward_any(int rows, int n, const double* factor, const double* B, double* bk,
                          double* bi) {
    Rule::forward(n, factor, bk);
    if (rows > 0) subtract_product(rows, n, B, bk, bi);
  }

  template <int R, int N>
  static void backward(int, int, const double* factor, const double* B, double* bk, double* bi) {
    double y[N], s[N];
    for (int k = 0; k < N; ++k) y[k] = bk[k];
    if constexpr (R > 0) {
      double x[R];
      for (int r = 0; r < R; ++r) x[r] = bi[r];
      for (int c = 0; c < N; ++c) {
        s[c] = B[c * R] * x[0];
        for (int r = 1; r < R; ++r) s[c] += B[c * R + r] * x[r];
      }
    } else {
      for (int c = 0; c < N; ++c) s[c] = 0.0;
    }
    Rule::subtract(std::integral_constant<int, N>(), factor, s, y);
    Rule::backward(std::integral_constant<int, N>(), factor, y);
    for (int k = 0; k < N; ++k) bk[k] = y[k];
  }

  static void backward_any(int rows, int n, const double* factor, const double* B, double* bk,
                           double* bi) {
    if (rows > 0) subtract_transposed_product(rows, n, B, bi, Rule::scale(factor), bk);
    Rule::backward(n, factor, bk);
  }

  static constexpr auto kForward = solve_table<Kernel>(
      []<int R, int N>() -> Kernel { return &forward<R, N>; }, &forward_any);
  static constexpr auto kBackward = solve_table<Kernel>(
      []<int R, int N>() -> Kernel { return &backward<R, N>; }, &backward_any);

  static void solve(const TreeProgram& program, TreeFactors& factors, double* b) {
    const double* values = factors.values.data();
    const TreeProgram::Off* offs = program.offs.data();
    const int count = static_cast<int>(program.pivots.size());
    for (int k = 0; k < count; ++k) {
      const TreeProgram::Pivot& p = program.pivots[k];
      if (p.size == 0) continue;
      double* bk = b + p.row;
      int o = p.off_begin;
      if (factors.exceptional[k]) {
        Rule::exceptional_forward(factors, p, bk);
      } else {
        const bool alone = o == p.off_end;
        const int rows = alone ? 0 : offs[o].size;
        kForward[table_index(rows, p.size)](rows, p.size, values + p.factor,
                                            alone ? nullptr : values + Rule::below(offs[o]), bk,
                                            alone ? nullptr : b + offs[o].row);
        o += alone ? 0 : 1;
      }
      for (; o < p.off_end; ++o) {
        subtract_product(offs[o].size, p.size, values + Rule::below(offs[o]), bk, b + offs[o].row);
      }
    }
    for (int k = count - 1; k >= 0; --k) {
      const TreeProgram::Pivot& p = program.pivots[k];
      if (p.size == 0) continue;
      double* bk = b + p.row;
      const double* factor = values + p.factor;
      const int first = p.off_begin + (factors.exceptional[k] ? 0 : 1);
      for (int o = first; o < p.off_end; ++o) {
        subtract_transposed_product(offs[o].size, p.size, values + Rule::above(offs[o]),
                                    b + offs[o].row, Rule::scale(factor), bk);
      }
      if (factors.exceptional[k]) {
        Rule::exceptional_backward(factors, p, bk);
        continue;
      }
      const bool alone = p.off_begin == p.off_end;
      const TreeProgram::Off* off = offs + p.off_begin;
      const int rows = alone ? 0 : off->size;
      kBackward[table_index(rows, p.size)](rows, p.size, factor,
                                           alone ? nullptr : values + Rule::above(*off), bk,
                                           alone ? nullptr : b + off->row);
    }
  }
};

}  // namespace daedal::linear
