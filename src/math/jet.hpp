// A value with its first and second time derivative, and the arithmetic that carries them exactly.
//
//   f(x):  value f,   first f' x',   second f'' x'^2 + f' x''
//
// At a kink or jump (abs, step, min, max) a jet is one-sided: it holds just after t, as decided by
// the derivatives of the argument where its value is zero. So step(1 - t) at t = 1 is 0 as a jet,
// though step(0) is 1: an integrator that restarts there starts with the new value.
#pragma once

#include <algorithm>
#include <cmath>

namespace daedal::math {

struct Jet {
  double value = 0.0, first = 0.0, second = 0.0;

  static constexpr Jet constant(double c) { return {c, 0.0, 0.0}; }
  static constexpr Jet time(double t) { return {t, 1.0, 0.0}; }
};

namespace detail {

/// f(x) from f, f' and f'' at x. A derivative of x that is zero suppresses an infinite f', so that
/// sqrt(0 * t) is a constant.
inline Jet chain(const Jet& x, double f, double f1, double f2) {
  const auto times = [](double slope, double dx) { return dx == 0.0 ? 0.0 : slope * dx; };
  return {f, times(f1, x.first), times(f2, x.first * x.first) + times(f1, x.second)};
}

/// Whether x(t) >= 0 just after t.
inline bool nonnegative_after(const Jet& x) {
  if (x.value != 0.0) return x.value > 0.0;
  if (x.first != 0.0) return x.first > 0.0;
  return x.second >= 0.0;
}

}  // namespace detail

inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
inline Jet operator-(const Jet& a) {
  return {-a.value, -a.first, -a.second};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}
inline Jet operator/(const Jet& a, const Jet& b) {  // from a = c b, differentiated twice
  const double c = a.value / b.value;
  const double c1 = (a.first - c * b.first) / b.value;
  return {c, c1, (a.second - 2.0 * c1 * b.first - c * b.second) / b.value};
}

inline Jet sin(const Jet& x) {
  const double s = std::sin(x.value);
  return detail::chain(x, s, std::cos(x.value), -s);
}
inline Jet cos(const Jet& x) {
  const double c = std::cos(x.value);
  return detail::chain(x, c, -std::sin(x.value), -c);
}
inline Jet tan(const Jet& x) {
  const double f = std::tan(x.value), f1 = 1.0 + f * f;
  return detail::chain(x, f, f1, 2.0 * f * f1);
}
inline Jet asin(const Jet& x) {
  const double f1 = 1.0 / std::sqrt((1.0 - x.value) * (1.0 + x.value));
  return detail::chain(x, std::asin(x.value), f1, x.value * f1 * f1 * f1);
}
inline Jet acos(const Jet& x) {
  const double f1 = -1.0 / std::sqrt((1.0 - x.value) * (1.0 + x.value));
  return detail::chain(x, std::acos(x.value), f1, x.value * f1 * f1 * f1);
}
inline Jet atan(const Jet& x) {
  const double f1 = 1.0 / (1.0 + x.value * x.value);
  return detail::chain(x, std::atan(x.value), f1, -2.0 * x.value * f1 * f1);
}
inline Jet exp(const Jet& x) {
  const double f = std::exp(x.value);
  return detail::chain(x, f, f, f);
}
inline Jet log(const Jet& x) {
  const double f1 = 1.0 / x.value;
  return detail::chain(x, std::log(x.value), f1, -f1 * f1);
}
inline Jet sqrt(const Jet& x) {
  const double f = std::sqrt(x.value), f1 = 0.5 / f;
  return detail::chain(x, f, f1, -0.5 * f1 / x.value);
}
inline Jet tanh(const Jet& x) {  // 1/cosh^2 does not cancel where 1 - tanh^2 does
  const double f = std::tanh(x.value), sech = 1.0 / std::cosh(x.value), f1 = sech * sech;
  return detail::chain(x, f, f1, -2.0 * f * f1);
}

/// The angle of (x, y): (x y' - y x') / r^2 is its derivative.
inline Jet atan2(const Jet& y, const Jet& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  const double first = (x.value * y.first - y.value * x.first) / r2;
  const double radial = (x.value * x.first + y.value * y.first) / r2;  // r' / r
  return {std::atan2(y.value, x.value), first,
          (x.value * y.second - y.value * x.second) / r2 - 2.0 * radial * first};
}

/// x^n; a constant exponent admits any base a real power admits, one that varies needs x > 0.
inline Jet pow(const Jet& x, const Jet& n) {
  const double f = std::pow(x.value, n.value);
  const double k = n.value, k2 = k * (k - 1.0);
  const double f1 = k == 0.0 ? 0.0 : k * std::pow(x.value, k - 1.0);
  const double f2 = k2 == 0.0 ? 0.0 : k2 * std::pow(x.value, k - 2.0);
  const Jet base = detail::chain(x, f, f1, f2);
  if (n.first == 0.0 && n.second == 0.0) return base;
  // f_n = f log x,  f_nn = f log^2 x,  f_xn = f (1 + n log x) / x
  const double l = std::log(x.value);
  const double mixed = (f + f * k * l) / x.value;
  return {f, base.first + f * l * n.first,
          base.second + 2.0 * mixed * x.first * n.first + f * l * l * n.first * n.first +
              f * l * n.second};
}

inline Jet abs(const Jet& x) {
  return detail::nonnegative_after(x) ? x : -x;
}
inline Jet min(const Jet& a, const Jet& b) {
  return detail::nonnegative_after(b - a) ? a : b;
}
inline Jet max(const Jet& a, const Jet& b) {
  return detail::nonnegative_after(a - b) ? a : b;
}

inline Jet step(const Jet& x) {
  return Jet::constant(detail::nonnegative_after(x) ? 1.0 : 0.0);
}
inline double step(double x) {
  return x >= 0.0 ? 1.0 : 0.0;
}

}  // namespace daedal::math
