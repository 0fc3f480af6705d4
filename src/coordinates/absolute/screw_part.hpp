#pragma once

#include "daedal/coordinates/absolute/parts.hpp"

namespace daedal::coordinates::absolute {

/// Displacement along an axis in proportion to the angle about it: s = slide - pitch angle.
///
/// The angle is known up to full turns, and so is s up to the displacement of a turn: the nearest
/// thread holds. Which one it is the displacement tells.
struct ScrewPart {
  static constexpr int kRows = 1;
  using Value = Scalar1;
  SlidePart<3> slide;
  AnglePart<3> angle;
  double pitch = 0.0;  // [m/rad]

  Value value(const Frame<3>& A, const Frame<3>& B) const {
    return Value(std::remainder(slide.value(A, B)[0] - pitch * angle.value(A, B)[0],
                                2.0 * std::numbers::pi * pitch));
  }
  void jacobian(const Frame<3>& A, const Frame<3>& B, PartJacobian<3, 1>& J) const {
    PartJacobian<3, 1> turn;
    slide.jacobian(A, B, J);
    angle.jacobian(A, B, turn);
    for (int k = 0; k < 2; ++k) J[k] -= pitch * turn[k];
  }
  Value quadratic(const Frame<3>& A, const Frame<3>& B) const {
    return slide.quadratic(A, B) - pitch * angle.quadratic(A, B);
  }
  template <class Sink>
  void hessian(const Frame<3>& A, const Frame<3>& B, const Value& mu, Sink&& sink) const {
    slide.hessian(A, B, mu, sink);
    angle.hessian(A, B, -pitch * mu, sink);
  }

  /// The angle with its full turns.
  double continuous_angle(const Frame<3>& A, const Frame<3>& B) const {
    const double s = angle.value(A, B)[0];
    const double turn = 2.0 * std::numbers::pi;
    return s + turn * std::round((slide.value(A, B)[0] / pitch - s) / turn);
  }
};

}  // namespace daedal::coordinates::absolute
