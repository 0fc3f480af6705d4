// Random Delassus operators, and how far vectors are from the laws of contact, written as in a book
// and not as in the solvers.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "daedal/nonsmooth/friction_law.hpp"

namespace daedal::nonsmooth::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  MatrixXd matrix(int rows, int columns) {
    return MatrixXd::NullaryExpr(rows, columns, [this] { return number(); });
  }
  VectorXd vector(int size) { return matrix(size, 1); }
  /// G M^-1 G^T of `rows` constraints on `coordinates`; singular where there are more rows.
  MatrixXd delassus(int rows, int coordinates) {
    const MatrixXd G = matrix(rows, coordinates);
    const VectorXd inverse_mass =
        VectorXd::NullaryExpr(coordinates, [this] { return number(0.3, 3.0); });
    return G * inverse_mass.asDiagonal() * G.transpose();
  }

 private:
  std::mt19937 engine_;
};

/// Of 0 <= w _|_ z >= 0 and w = M z + q, relative to the largest term.
inline double lcp_violation(const MatrixXd& M, const VectorXd& q, const VectorXd& z,
                            const VectorXd& w) {
  if (q.size() == 0) return 0.0;
  const double size = (q.cwiseAbs() + M.cwiseAbs() * z.cwiseAbs()).maxCoeff();
  double worst = (M * z + q - w).cwiseAbs().maxCoeff() / size;
  worst = std::max(worst, -w.minCoeff() / size);
  if (z.minCoeff() < 0.0) return INFINITY;
  const double work = z.maxCoeff() * size;
  return work > 0.0 ? std::max(worst, z.cwiseProduct(w).cwiseAbs().maxCoeff() / work) : worst;
}

/// Of Signorini's and Coulomb's laws and u = W r + q, with `scale` of velocities.
inline double friction_violation(int dimension, const MatrixXd& W, const VectorXd& q,
                                 std::span<const ContactLaw> laws, const VectorXd& r,
                                 const VectorXd& u, double scale) {
  const double largest = std::max(r.cwiseAbs().maxCoeff(), scale / W.cwiseAbs().maxCoeff());
  double worst = (W * r + q - u).cwiseAbs().maxCoeff() / scale;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const double mu = laws[k].mu;
    const auto rk = r.segment(k * dimension, dimension), uk = u.segment(k * dimension, dimension);
    const auto rT = rk.tail(dimension - 1), uT = uk.tail(dimension - 1);
    worst = std::max(
        {worst, -rk[0] / largest, -uk[0] / scale, std::abs(rk[0] * uk[0]) / (largest * scale)});
    if (laws[k].sliding) {
      for (int i = 0; i < dimension - 1; ++i) {
        worst = std::max(worst, std::abs(rT[i] + mu * rk[0] * laws[k].direction[i]) / largest);
      }
      continue;
    }
    worst = std::max(worst, (rT.norm() - mu * rk[0]) / largest);
    // r_T = -mu r_N u_T / |u_T| where it slides
    worst = std::max(worst, (uT.norm() * rT + mu * rk[0] * uT).norm() / (largest * scale));
  }
  return worst;
}

}  // namespace daedal::nonsmooth::test
