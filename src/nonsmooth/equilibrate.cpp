#include "daedal/nonsmooth/equilibrate.hpp"

#include <cmath>

namespace daedal::nonsmooth {

namespace {

constexpr int kSweeps = 20;

/// About 1/sqrt(x).
double inverse_root(double x) {
  return x > 0.0 ? std::exp2(-std::round(0.5 * std::log2(x))) : 1.0;
}

}  // namespace

void equilibrate(Eigen::Ref<Eigen::MatrixXd> M, VectorOut row, VectorOut column) {
  const Eigen::Index n = M.rows();
  row.setOnes();
  column.setOnes();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      // Row and column i together: a symmetric matrix gets the same factor twice.
      const double r = inverse_root(M.row(i).cwiseAbs().maxCoeff());
      const double c = inverse_root(M.col(i).cwiseAbs().maxCoeff());
      changed |= r != 1.0 || c != 1.0;
      M.row(i) *= r;
      M.col(i) *= c;
      row[i] *= r;
      column[i] *= c;
    }
    if (!changed) return;
  }
}

}  // namespace daedal::nonsmooth
