// The scalar functions behind T(theta), T^-1(theta) and their derivatives, free of cancellation.
//
//   T    = I - alpha(s) [theta] + beta(s) [theta]^2,   alpha = phi_2,  beta = phi_3,   s =
//   |theta|^2 T^-1 = I - alpha(s) [theta] + beta(s) [theta]^2,   alpha = -1/2,   beta = b
//
//   phi_n(s) = sum_k (-s)^k / (2k+n)!                  phi_1 = sin p / p,   p = |theta|
//   b(s)     = (1 - p/2 cot(p/2)) / s = sum_k b_k s^k
//
// With D = 2 d/ds the gradient of a coefficient is D alpha theta^T. Closed forms of D phi, D^2 phi
// and of b, Db, D^2b (b solves the Riccati equation s Db = 1/4 - 3 b + s b^2) lose digits as s ->
// 0, about eps/s each time D is applied. Below s = kSeriesLimit the Taylor series are summed
// instead; there they converge like 4^k/(2k)! and (s / 4 pi^2)^k, hence the numbers of terms.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <cstddef>

namespace daedal::math::detail {

inline constexpr double kSeriesLimit = 4.0;  // of s = |theta|^2
inline constexpr std::size_t kPhiTerms = 12;
inline constexpr std::size_t kInverseTerms = 20;

/// alpha[i] = D^i alpha, beta[i] = D^i beta, up to i = Order.
template <int Order>
struct TangentCoefficients {
  std::array<double, Order + 1> alpha, beta;
};

/// The Taylor coefficients of D^order f from those of f: D s^k = 2 k s^(k-1).
template <std::size_t Terms, std::size_t N>
constexpr std::array<double, Terms> differentiated(const std::array<long double, N>& f,
                                                   std::size_t order) {
  static_assert(N >= Terms + 2);
  std::array<double, Terms> result{};
  for (std::size_t k = 0; k < Terms; ++k) {
    long double c = f[k + order];
    for (std::size_t i = 1; i <= order; ++i) c *= 2.0L * static_cast<long double>(k + i);
    result[k] = static_cast<double>(c);
  }
  return result;
}

template <int n>
constexpr std::array<long double, kPhiTerms + 2> phi_series() {
  std::array<long double, kPhiTerms + 2> c{};
  c[0] = 1.0L;
  for (int i = 2; i <= n; ++i) c[0] /= i;
  for (std::size_t k = 1; k < c.size(); ++k) {
    const auto m = static_cast<long double>(2 * k + n);
    c[k] = -c[k - 1] / (m * (m - 1.0L));
  }
  return c;
}

/// From the Riccati equation: (2k+3) b_k = sum_i b_i b_(k-1-i), all positive.
constexpr std::array<long double, kInverseTerms + 2> inverse_series() {
  std::array<long double, kInverseTerms + 2> b{};
  b[0] = 1.0L / 12.0L;
  for (std::size_t k = 1; k < b.size(); ++k) {
    for (std::size_t i = 0; i < k; ++i) b[k] += b[i] * b[k - 1 - i];
    b[k] /= static_cast<long double>(2 * k + 3);
  }
  return b;
}

template <std::size_t N>
double polynomial(const std::array<double, N>& c, double s) {
  double sum = c[N - 1];
  for (std::size_t k = N - 1; k-- > 0;) sum = sum * s + c[k];
  return sum;
}

/// D^Order phi_n(s) for s < kSeriesLimit.
template <int n, int Order>
double phi_taylor(double s) {
  static constexpr auto c = differentiated<kPhiTerms>(phi_series<n>(), Order);
  return polynomial(c, s);
}

template <int Order>
double inverse_taylor(double s) {
  static constexpr auto c = differentiated<kInverseTerms>(inverse_series(), Order);
  return polynomial(c, s);
}

template <int Order>
TangentCoefficients<Order> tangent_coefficients(double s) {
  TangentCoefficients<Order> c;
  if (s < kSeriesLimit) {
    c.alpha[0] = phi_taylor<2, 0>(s);
    c.beta[0] = phi_taylor<3, 0>(s);
    if constexpr (Order > 0) c.alpha[1] = phi_taylor<2, 1>(s), c.beta[1] = phi_taylor<3, 1>(s);
    if constexpr (Order > 1) c.alpha[2] = phi_taylor<2, 2>(s), c.beta[2] = phi_taylor<3, 2>(s);
    return c;
  }
  // s D phi_n = phi_(n-1) - n phi_n, and D of it.
  const double p = std::sqrt(s);
  const double phi_1 = std::sin(p) / p;
  c.alpha[0] = (1.0 - std::cos(p)) / s;
  c.beta[0] = (1.0 - phi_1) / s;
  if constexpr (Order > 0) {
    c.alpha[1] = (phi_1 - 2.0 * c.alpha[0]) / s;
    c.beta[1] = (c.alpha[0] - 3.0 * c.beta[0]) / s;
  }
  if constexpr (Order > 1) {
    const double phi_1_D = (std::cos(p) - phi_1) / s;
    c.alpha[2] = (phi_1_D - 4.0 * c.alpha[1]) / s;
    c.beta[2] = (c.alpha[1] - 5.0 * c.beta[1]) / s;
  }
  return c;
}

template <int Order>
TangentCoefficients<Order> tangent_inverse_coefficients(double s) {
  TangentCoefficients<Order> c;
  c.alpha = {-0.5};
  if (s < kSeriesLimit) {
    c.beta[0] = inverse_taylor<0>(s);
    if constexpr (Order > 0) c.beta[1] = inverse_taylor<1>(s);
    if constexpr (Order > 1) c.beta[2] = inverse_taylor<2>(s);
    return c;
  }
  const double half = 0.5 * std::sqrt(s);
  const double b = c.beta[0] = (1.0 - half * std::cos(half) / std::sin(half)) / s;
  if constexpr (Order > 0) c.beta[1] = (0.25 - 3.0 * b + s * b * b) / s;
  if constexpr (Order > 1) c.beta[2] = (2.0 * b * b + (2.0 * s * b - 5.0) * c.beta[1]) / s;
  return c;
}

/// I - alpha [theta] + beta [theta]^2, with [theta]^2 = theta theta^T - s I.
template <int Order>
Eigen::Matrix3d tangent_matrix(const TangentCoefficients<Order>& c, const Eigen::Vector3d& theta) {
  const double d = 1.0 - c.beta[0] * theta.squaredNorm();
  const Eigen::Vector3d a = c.alpha[0] * theta;
  const Eigen::Vector3d b = c.beta[0] * theta;
  const double xy = b.x() * theta.y(), xz = b.x() * theta.z(), yz = b.y() * theta.z();
  Eigen::Matrix3d m;
  // clang-format off
  m << d + b.x() * theta.x(), xy + a.z(), xz - a.y(),
       xy - a.z(), d + b.y() * theta.y(), yz + a.x(),
       xz + a.y(), yz - a.x(), d + b.z() * theta.z();
  // clang-format on
  return m;
}

/// The derivative of v - alpha theta x v + beta theta x (theta x v) with respect to theta:
///   alpha [v] - D alpha (theta x v) theta^T
///   + beta (theta.v I + theta v^T - 2 v theta^T) + D beta (theta x (theta x v)) theta^T
template <int Order>
Eigen::Matrix3d tangent_derivative(const TangentCoefficients<Order>& c,
                                   const Eigen::Vector3d& theta, const Eigen::Vector3d& v) {
  static_assert(Order >= 1);
  const Eigen::Vector3d w = theta.cross(v);
  const Eigen::Vector3d column = -c.alpha[1] * w - 2.0 * c.beta[0] * v + c.beta[1] * theta.cross(w);
  Eigen::Matrix3d m = column * theta.transpose() + (c.beta[0] * theta) * v.transpose();
  m.diagonal().array() += c.beta[0] * theta.dot(v);
  const Eigen::Vector3d a = c.alpha[0] * v;
  m(0, 1) -= a.z();
  m(0, 2) += a.y();
  m(1, 0) += a.z();
  m(1, 2) -= a.x();
  m(2, 0) -= a.y();
  m(2, 1) += a.x();
  return m;
}

}  // namespace daedal::math::detail
