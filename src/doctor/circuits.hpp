#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "daedal/linear/block_matrix.hpp"

namespace daedal::doctor {

/// A minimal set of rows that depend on each other: leave out one, and the others are independent.
///
///     sum over its rows of z_i G_i = 0,      the largest |z_i| |G_i| is 1
struct Circuit {
  int row = -1;                 // the one that follows from the others
  std::vector<int> rows;        // all of them, ascending
  std::vector<double> weights;  // z
  std::vector<double> shares;   // |z_i| |G_i|, how much of a row takes part
};

/// Rank, dependent rows and kernel of a block-sparse matrix G, by elimination of its column nodes
/// (bodies) in an order of least degree. All rows that touch a node form a front:
///
///            b      neighbours
///     P   [ F_P        N_P     ]      F_R = C F_P, N_R <- N_R - C N_P
///     R   [ F_R        N_R     ]
///
/// The pivot rows P span the front's rows in the columns of b. They are chosen by orthogonalisation,
/// the earliest row that has at least half the largest distance from the span of those before it, so
/// that the entries of C stay of size one. What a remaining row keeps in the columns of b is less
/// than `tolerance` and is dropped; a row of which less than `tolerance` is left follows from pivot
/// rows. So the rank found is that of a matrix G + E with |E| of the size of `tolerance`.
///
/// A row that follows from pivot rows does so in one way only. That makes circuits minimal, and local
/// where the mechanism is: fronts of trees and of chains of loops have constant size, and the whole
/// takes time linear in the number of bodies.
class RankAnalysis {
 public:
  /// Columns are divided by `reach` (the length a unit of a coordinate moves things by), then rows by
  /// their norm, so that `tolerance` has no unit.
  RankAnalysis(const linear::BlockMatrix& G, std::span<const double> reach, double tolerance);

  int rank() const { return rank_; }
  /// As many as there are dependent rows; together they span the kernel of G^T.
  const std::vector<Circuit>& circuits() const { return circuits_; }

  /// A velocity with G v = 0, random in every direction that is free; the same for the same seed.
  std::vector<double> random_motion(std::uint32_t seed) const;

 private:
  using Matrix = Eigen::MatrixXd;

  /// Rows that touch the same column nodes.
  struct Block {
    std::vector<int> nodes, rows;
    Matrix values;
    bool alive = true;
  };
  /// What is kept of an eliminated node: F_P = T Q^T, T lower triangular, Q orthonormal.
  struct Front {
    int node = 0;
    std::vector<int> pivots, neighbours;
    Matrix T, Q, N;
  };
  /// Row -= coefficients times the pivot rows of a front.
  struct Update {
    int front;
    Eigen::VectorXd coefficients;
  };

  void scale(const linear::BlockMatrix& G, std::span<const double> reach);
  void eliminate_all();
  void eliminate(int node);
  Block gather(int node);
  void select_pivots(const Matrix& F, Front& front, std::vector<int>& chosen) const;
  std::size_t degree(int node) const;
  Circuit circuit_of(int row) const;

  std::vector<int> offset_;                   // of the column nodes, with the end
  std::vector<double> column_scale_, row_scale_;
  double tolerance_;
  std::vector<Block> blocks_;
  std::vector<std::vector<int>> blocks_of_;   // by column node
  std::vector<Front> fronts_;
  std::vector<std::vector<Update>> updates_;  // by row
  std::vector<int> front_of_;                 // where a row is pivot; -1: it is dependent
  std::vector<int> dependent_;
  std::vector<Circuit> circuits_;
  int rank_ = 0;
};

}  // namespace daedal::doctor
