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
#include <concepts>

namespace daedal::math {

struct Jet {
  double value = 0.0, first = 0.0, second = 0.0;

  static constexpr Jet constant(double c) { return {c, 0.0, 0.0}; }
  static constexpr Jet time(double t) { return {t, 1.0, 0.0}; }
};

namespace detail {

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

/// A function of one argument and its first and second derivative there.
struct Slopes {
  double f, f1, f2;
};

/// f(x). A derivative of x that is zero suppresses an infinite f', so that sqrt(0 * t) is a
/// constant.
inline Jet chain(const Jet& x, const Slopes& s) {
  const auto times = [](double slope, double dx) { return dx == 0.0 ? 0.0 : slope * dx; };
  return {s.f, times(s.f1, x.first), times(s.f2, x.first * x.first) + times(s.f1, x.second)};
}

namespace slopes {

inline Slopes sin(double x) {
  const double s = std::sin(x);
  return {s, std::cos(x), -s};
}
inline Slopes cos(double x) {
  const double c = std::cos(x);
  return {c, -std::sin(x), -c};
}
inline Slopes tan(double x) {
  const double f = std::tan(x), f1 = 1.0 + f * f;
  return {f, f1, 2.0 * f * f1};
}
inline Slopes asin(double x) {
  const double f1 = 1.0 / std::sqrt((1.0 - x) * (1.0 + x));
  return {std::asin(x), f1, x * f1 * f1 * f1};
}
inline Slopes acos(double x) {
  const double f1 = -1.0 / std::sqrt((1.0 - x) * (1.0 + x));
  return {std::acos(x), f1, x * f1 * f1 * f1};
}
inline Slopes atan(double x) {
  const double f1 = 1.0 / (1.0 + x * x);
  return {std::atan(x), f1, -2.0 * x * f1 * f1};
}
inline Slopes exp(double x) {
  const double f = std::exp(x);
  return {f, f, f};
}
inline Slopes log(double x) {
  const double f1 = 1.0 / x;
  return {std::log(x), f1, -f1 * f1};
}
inline Slopes sqrt(double x) {
  const double f = std::sqrt(x), f1 = 0.5 / f;
  return {f, f1, -0.5 * f1 / x};
}
inline Slopes tanh(double x) {  // 1/cosh^2 does not cancel where 1 - tanh^2 does
  const double f = std::tanh(x), sech = 1.0 / std::cosh(x), f1 = sech * sech;
  return {f, f1, -2.0 * f * f1};
}
/// x^n with n constant
inline Slopes pow(double x, double n) {
  const double n2 = n * (n - 1.0);
  return {std::pow(x, n), n == 0.0 ? 0.0 : n * std::pow(x, n - 1.0),
          n2 == 0.0 ? 0.0 : n2 * std::pow(x, n - 2.0)};
}

}  // namespace slopes

/// A type that carries derivatives, with chain(x, Slopes) to apply a function to one.
template <class T>
concept Series = requires(const T& x, Slopes s) {
  { chain(x, s) } -> std::same_as<T>;
};

template <Series T>
T sin(const T& x) {
  return chain(x, slopes::sin(x.value));
}
template <Series T>
T cos(const T& x) {
  return chain(x, slopes::cos(x.value));
}
template <Series T>
T tan(const T& x) {
  return chain(x, slopes::tan(x.value));
}
template <Series T>
T asin(const T& x) {
  return chain(x, slopes::asin(x.value));
}
template <Series T>
T acos(const T& x) {
  return chain(x, slopes::acos(x.value));
}
template <Series T>
T atan(const T& x) {
  return chain(x, slopes::atan(x.value));
}
template <Series T>
T exp(const T& x) {
  return chain(x, slopes::exp(x.value));
}
template <Series T>
T log(const T& x) {
  return chain(x, slopes::log(x.value));
}
template <Series T>
T sqrt(const T& x) {
  return chain(x, slopes::sqrt(x.value));
}
template <Series T>
T tanh(const T& x) {
  return chain(x, slopes::tanh(x.value));
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
  const Slopes by_x = slopes::pow(x.value, n.value);
  const Jet base = chain(x, by_x);
  if (n.first == 0.0 && n.second == 0.0) return base;
  // f_n = f log x,  f_nn = f log^2 x,  f_xn = f (1 + n log x) / x
  const double f = by_x.f, l = std::log(x.value);
  const double mixed = (f + f * n.value * l) / x.value;
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
