#pragma once

#include "daedal/nonsmooth/full_pivot.hpp"
#include "daedal/nonsmooth/lemke.hpp"
#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

/// Whose Lemke: `automatic` is Siconos' where this build has it, and ours after it where the
/// residual says that it failed.
enum class Pivoting { automatic, own, siconos };

struct LcpOptions {
  Pivoting pivoting = Pivoting::automatic;
  double tolerance = 1e-9;  // of the residual
  int pivots_per_row = 50;  // then it is given up
};

struct LcpResult {
  Status status = Status::solved;
  double residual = 0.0;  // infinite where there is no solution
  int pivots = 0;
};

/// The linear complementarity problem
///
///     w = M z + q,     0 <= w _|_ z >= 0
///
/// for small dense M (tens of rows, hundreds at most), by Lemke's method.
///
/// What a ray, `no_solution`, proves: that there is none, if M is copositive-plus or a P0-matrix
/// with a solution to w >= 0, z >= 0; so for symmetric positive semi-definite M (contacts without
/// friction, redundant or not). For other M (sliding friction) that Lemke found none.
///
/// Rows and columns are scaled first, so masses of 1e-6 and 1e6 may meet. The active rows of what
/// Lemke returns are solved again from M and q; then z >= 0 and w_i = 0 where z_i > 0 hold exactly,
/// and the residual, in scaled rows, is what remains:
///
///     max_i |min(w_i, z_i)| / (|q_i| + sum_j |M_ij| z_j + 1e-6 max(|q|, |z|)).
///
/// Nothing allocates up to the reserved size, except inside Siconos.
class LcpSolver {
 public:
  explicit LcpSolver(int size = 0, LcpOptions options = {});
  void reserve(int size);
  /// z and w are zero and q where there is no solution.
  LcpResult solve(MatrixIn M, VectorIn q, VectorOut z, VectorOut w);
  const LcpOptions& options() const { return options_; }

 private:
  LcpResult attempt(int size, bool own);
  double residual(int size);
  void polish(int size);

  LcpOptions options_;
  Lemke lemke_;
  FullPivot active_solver_;
  Eigen::MatrixXd M_, active_matrix_;  // scaled
  Eigen::VectorXd q_, z_, best_, w_, row_, column_, active_vector_, active_right_;
  std::vector<int> active_;
};

}  // namespace daedal::nonsmooth
