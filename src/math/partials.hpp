// A function of x and y with its partial derivatives up to second order, and the arithmetic that
// carries them exactly. At a kink or jump (abs, step, min, max) the derivatives are those of one
// side.
#pragma once

#include <cmath>

#include "daedal/math/jet.hpp"

namespace daedal::math {

struct Partials {
  double value = 0.0;
  double x = 0.0, y = 0.0;
  double xx = 0.0, xy = 0.0, yy = 0.0;

  static constexpr Partials of_x(double at) { return {.value = at, .x = 1.0}; }
  static constexpr Partials of_y(double at) { return {.value = at, .y = 1.0}; }
  bool is_constant() const { return x == 0.0 && y == 0.0 && xx == 0.0 && xy == 0.0 && yy == 0.0; }
};

/// f(u). A derivative of u that is zero suppresses an infinite f'.
inline Partials chain(const Partials& u, const Slopes& s) {
  const auto times = [](double slope, double du) { return du == 0.0 ? 0.0 : slope * du; };
  return {s.f,
          times(s.f1, u.x),
          times(s.f1, u.y),
          times(s.f2, u.x * u.x) + times(s.f1, u.xx),
          times(s.f2, u.x * u.y) + times(s.f1, u.xy),
          times(s.f2, u.y * u.y) + times(s.f1, u.yy)};
}

inline Partials operator+(const Partials& a, const Partials& b) {
  return {a.value + b.value, a.x + b.x, a.y + b.y, a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
}
inline Partials operator-(const Partials& a) {
  return {-a.value, -a.x, -a.y, -a.xx, -a.xy, -a.yy};
}
inline Partials operator-(const Partials& a, const Partials& b) {
  return {a.value - b.value, a.x - b.x, a.y - b.y, a.xx - b.xx, a.xy - b.xy, a.yy - b.yy};
}
inline Partials operator*(const Partials& a, const Partials& b) {
  return {a.value * b.value,
          a.x * b.value + a.value * b.x,
          a.y * b.value + a.value * b.y,
          a.xx * b.value + 2.0 * a.x * b.x + a.value * b.xx,
          a.xy * b.value + a.x * b.y + a.y * b.x + a.value * b.xy,
          a.yy * b.value + 2.0 * a.y * b.y + a.value * b.yy};
}
inline Partials operator/(const Partials& a, const Partials& b) {  // from a = c b
  const double c = a.value / b.value, cx = (a.x - c * b.x) / b.value,
               cy = (a.y - c * b.y) / b.value;
  return {c,
          cx,
          cy,
          (a.xx - 2.0 * cx * b.x - c * b.xx) / b.value,
          (a.xy - cx * b.y - cy * b.x - c * b.xy) / b.value,
          (a.yy - 2.0 * cy * b.y - c * b.yy) / b.value};
}

/// x^n; a constant exponent admits any base a real power admits, one that varies needs x > 0.
inline Partials pow(const Partials& x, const Partials& n) {
  return n.is_constant() ? chain(x, slopes::pow(x.value, n.value)) : exp(n * log(x));
}

/// The angle of (x, y), after division by the larger of the two.
inline Partials atan2(const Partials& y, const Partials& x) {
  const bool flat = std::abs(x.value) >= std::abs(y.value);
  Partials angle = flat ? atan(y / x) : -atan(x / y);
  angle.value = std::atan2(y.value, x.value);
  return angle;
}

inline Partials abs(const Partials& x) {
  return x.value >= 0.0 ? x : -x;
}
inline Partials min(const Partials& a, const Partials& b) {
  return b.value >= a.value ? a : b;
}
inline Partials max(const Partials& a, const Partials& b) {
  return a.value >= b.value ? a : b;
}
inline Partials step(const Partials& x) {
  return {.value = step(x.value)};
}

}  // namespace daedal::math
