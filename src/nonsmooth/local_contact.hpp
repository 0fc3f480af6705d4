#pragma once

#include <Eigen/Core>

#include "daedal/nonsmooth/friction_law.hpp"

namespace daedal::nonsmooth {

/// One contact alone: r and u = W r + p under its law (friction_law.hpp), with symmetric positive
/// definite W of D rows, solved to round-off.
///
/// r = 0 if p_N >= 0; else sticking, r = -W^-1 p, if that lies in the cone; else sliding, u_N = 0
/// and u_T = -s r_T. Eliminating r_N leaves S = W_TT - W_TN W_NT / W_NN and b = p_T - W_TN p_N /
/// W_NN,
///
///     r_T(s) = -(S + s I)^-1 b,    |r_T(s)| = mu r_N(s) = -mu (p_N + W_NT r_T(s)) / W_NN,
///
/// a scalar equation, which has a root in 0 < s < infinity: at 0 the left side is larger (outside
/// the cone), at infinity it vanishes. In the plane the equation is linear. In space it is solved
/// in the eigenvectors of S by Newton's method inside a bracket.
template <int D>
class LocalContact {
 public:
  using Vector = Eigen::Matrix<double, D, 1>;
  using Matrix = Eigen::Matrix<double, D, D>;

  void set(const Matrix& W, const ContactLaw& law);
  /// False where nothing satisfies the law: normal motion that no impulse stops, or sliding whose
  /// friction jams.
  bool solve(const Vector& p, Vector& r) const;

  /// How far r and u are from the law, as a velocity: for Coulomb's w |r - P(r - u'/w)| with P the
  /// projection on the cone, u' with De Saxce's term, and w the mean of the diagonal of W.
  double error(const Vector& r, const Vector& u) const;

 private:
  static constexpr int T = D - 1;
  using Tangent = Eigen::Matrix<double, T, 1>;

  void slide(const Tangent& b, double p_normal, Vector& r) const;

  double mu_ = 0.0;
  bool sliding_ = false;
  Tangent direction_;
  double normal_ = 0.0;          // W_NN
  double sliding_normal_ = 0.0;  // W_NN - mu W_NT direction
  double mean_ = 0.0;
  Tangent coupling_;                     // W_NT, W_TN in the eigenvectors of S
  Tangent stiffness_;                    // eigenvalues of S
  Eigen::Matrix<double, T, T> vectors_;  // columns: eigenvectors
};

extern template class LocalContact<1>;
extern template class LocalContact<2>;
extern template class LocalContact<3>;

}  // namespace daedal::nonsmooth
