#pragma once

#include <vector>

#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

/// Lemke's complementary pivoting on the dense problem w = M z + q, 0 <= w _|_ z >= 0
/// [CottlePangStone1992, 4.4], with covering vector (1, ..., 1).
///
/// Ties of the ratio test are decided by the lexicographic order of the rows of the basis' inverse,
/// which rules out cycling on degenerate problems. The entries of M should be about one. A pivot
/// costs 2 n^2; about n pivots are usual. Nothing allocates up to the reserved size.
class Lemke {
 public:
  void reserve(int size);
  /// z of the last basis; meaningless unless solved. On a ray: `no_solution`.
  Status solve(MatrixIn M, VectorIn q, VectorOut z, int max_pivots);
  int pivots() const { return pivots_; }

 private:
  double* row(int i) { return tableau_.data() + static_cast<std::size_t>(i) * width_; }
  void load(MatrixIn M, VectorIn q);
  int leaving(int column);
  void pivot(int at, int column);

  // Row by row [B^-1 q | B^-1 | -B^-1 M]; variable j is column j + 1: w, then z, then the covering
  // variable, which has no column once it is in the basis.
  std::vector<double> tableau_;
  std::vector<int> basis_;  // variable of each row
  std::vector<int> tied_;
  int size_ = 0;
  int width_ = 0;
  int pivots_ = 0;
};

}  // namespace daedal::nonsmooth
