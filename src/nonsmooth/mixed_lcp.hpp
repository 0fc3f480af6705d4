#pragma once

#include "daedal/nonsmooth/lcp.hpp"

namespace daedal::nonsmooth {

/// The mixed problem: the first rows are equations of free unknowns (bilateral constraints), the
/// others complementary (contacts):
///
///     0 = A u + B z + a
///     w = C u + D z + b,     0 <= w _|_ z >= 0.
///
/// The equations are eliminated, which leaves an LCP with D - C A^-1 B. A may be singular where its
/// dependent rows are so in B and a too, as in G M^-1 G^T with redundant constraints; free
/// multipliers are then zero. Rows that contradict each other: `no_solution`. Dependent rows of A
/// alone, which bind z by an equation: `not_converged`.
class MixedLcpSolver {
 public:
  explicit MixedLcpSolver(int size = 0, LcpOptions options = {});
  void reserve(int size);
  /// M = [A B; C D], q = (a, b), x = (u, z), w = (0, w). Zero and q where there is no solution.
  LcpResult solve(int equations, MatrixIn M, VectorIn q, VectorOut x, VectorOut w);

 private:
  LcpSolver lcp_;
  FullPivot bilateral_;
  Eigen::MatrixXd M_, Schur_;
  Eigen::VectorXd q_, row_, column_, right_, z_, w_;
};

}  // namespace daedal::nonsmooth
