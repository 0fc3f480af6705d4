#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "daedal/linear/block_matrix.hpp"
#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// The flat program of a block factorisation: which blocks exist, where they are read from and
/// written to, and which products of earlier blocks they lose. All addresses are offsets in scalars.
struct TreeProgram {
  /// One product W_ij D_j^-1 W_kj^T (symmetric) or X_ij Z_jk and its mirror Z_ij^T X_kj^T (general).
  struct Term {
    int left, right;              // W_ij, W_kj  or  X_ij, Z_kj
    int left_upper, right_upper;  // 1/D_j, unused  or  Z_ij, X_kj
    int size;                     // of node j
  };
  /// Block (i, k) below pivot k; in the general case also (k, i), stored transposed.
  struct Off {
    int size, row;             // of node i: number of rows, first equation
    int factor, factor_upper;  // W_ik  or  X_ik and Z_ki^T
    int source, source_upper;  // values of A, or -1
    bool by_rows;              // the source is (i, k), stored by rows, else (k, i)
    int term_begin, term_end;
  };
  struct Pivot {
    int size, row;  // of node k
    int factor;     // 1/D and L by columns, or LU by columns with 1/u_kk on the diagonal
    int inverse;    // explicit inverse factor, used if the block is indefinite
    int source;     // value of A_kk, or -1
    int off_begin, off_end;
    int term_begin, term_end;
  };

  std::vector<Pivot> pivots;
  std::vector<Off> offs;
  std::vector<Term> terms;
  std::size_t factor_size = 0;

  TreeProgram() = default;
  TreeProgram(const BlockPattern& pattern, std::span<const int> order, Symmetry symmetry);
};

/// The numbers a program works on.
struct TreeFactors {
  std::vector<double> values;
  std::vector<double> inverse;    // inverse factors of indefinite blocks; mostly never touched
  std::vector<char> exceptional;  // per pivot: indefinite (symmetric) or rows exchanged (general)
  std::vector<int> exchange;      // per equation: row of its node that takes this place
  std::vector<double> scratch;    // for blocks too large for registers
};

FactorStatus factorise_symmetric(const TreeProgram& program, const double* A, TreeFactors& factors);
FactorStatus factorise_general(const TreeProgram& program, const double* A, TreeFactors& factors);
void solve_symmetric(const TreeProgram& program, TreeFactors& factors, double* b);
void solve_general(const TreeProgram& program, TreeFactors& factors, double* b);
void solve_general_transposed(const TreeProgram& program, TreeFactors& factors, double* b);

}  // namespace daedal::linear
