// A number with its derivatives by N variables, and the arithmetic that carries them exactly.
//
//   f(x):  value f,   slope f' x.slope
//
// For force laws that are easier to write down than to differentiate; nothing allocates. With
// Eigen::Matrix<Dual<N>, 3, 1> vectors work, too.
#pragma once

#include <Eigen/Core>

#include <cmath>

namespace daedal::math {

template <int N>
struct Dual {
  using Slope = Eigen::Array<double, N, 1>;
  double value = 0.0;
  Slope slope = Slope::Zero();

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: a constant is a number, too
  Dual(double v, const Slope& s) : value(v), slope(s) {}

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double c = a.value / b.value;
    return {c, (a.slope - c * b.slope) / b.value};
  }
  friend Dual sqrt(const Dual& x) {
    const double f = std::sqrt(x.value);
    return {f, x.slope * (0.5 / f)};
  }
};

/// f(x) from f and f' at the value of x, for numbers and duals alike.
inline double chain(double /*x*/, double f, double /*slope*/) {
  return f;
}
template <int N>
Dual<N> chain(const Dual<N>& x, double f, double slope) {
  return {f, slope * x.slope};
}

inline double value_of(double x) {
  return x;
}
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace daedal::math

template <int N>
struct Eigen::NumTraits<daedal::math::Dual<N>> : Eigen::NumTraits<double> {
  using Real = daedal::math::Dual<N>;
  using NonInteger = Real;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 2 * N + 1
  };
};
