#pragma once

#include <vector>

#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

/// P A Q = L U with complete pivoting, for small dense matrices that may be singular. Nothing
/// allocates up to the reserved size.
class FullPivot {
 public:
  void reserve(int size);
  /// The number of pivots above `threshold` times the largest entry of A.
  int factorise(MatrixIn A, double threshold = 1e-12);
  int rank() const { return rank_; }
  /// b becomes a solution of A x = b whose free unknowns are zero. Returns the largest entry of b
  /// that the dependent rows leave over: zero if there is a solution.
  double solve(VectorOut b);

 private:
  Eigen::MatrixXd lu_;
  Eigen::VectorXd work_;
  std::vector<int> row_, column_;  // of A, in the order of elimination
  int size_ = 0;
  int rank_ = 0;
};

}  // namespace daedal::nonsmooth
