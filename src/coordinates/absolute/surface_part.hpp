#pragma once

#include "daedal/coordinates/absolute/parts.hpp"
#include "daedal/math/expression.hpp"

namespace daedal::coordinates::absolute {

/// A point of B stays on a surface of A: s = z - h(x, y), where (x, y, z) = X^T R_A^T d are its
/// coordinates in a frame X of A; in the plane s = y - h(x).
///
/// With n = X (-h_x, -h_y, 1) held fixed, s changes as the displacement along n does; what the
/// turning of n adds is of second order, with the Hessian H of h and the rates of x and y:
///
///     s_q = slide_q(n)      s'' = slide''(n) - (x', y') H (x', y')^T
template <int D>
struct SurfacePart {
  static constexpr int kRows = 1;
  static constexpr int kTangents = D - 1;
  static constexpr int kRot = Geometry<D>::kRotations;
  using Vector = typename Geometry<D>::Vector;
  using Matrix = typename Geometry<D>::Matrix;
  using Value = Scalar1;
  Matrix X;
  Vector a, b;
  math::Expression height;

  Value value(const Frame<D>& A, const Frame<D>& B) const {
    const Vector r = place(A, B);
    const double h =
        height.is_constant() ? height.value() : height.evaluate_at(r[0], D == 3 ? r[1] : 0.0);
    return Value(r[D - 1] - h);
  }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, 1>& J) const {
    normal(partials(place(A, B))).jacobian(A, B, J);
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    const math::Partials h = partials(place(A, B));
    const auto T = tangents(A, B);
    Tangent rate;
    for (int k = 0; k < kTangents; ++k) {
      rate[k] = speed(T[k][0], A) + speed(T[k][1], B);
    }
    return normal(h).quadratic(A, B) - Value(rate.dot(hessian_of(h) * rate));
  }
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    const math::Partials h = partials(place(A, B));
    normal(h).hessian(A, B, mu, sink);
    const auto T = tangents(A, B);
    const auto H = (-mu[0] * hessian_of(h)).eval();
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        Block bend = Block::Zero();
        for (int k = 0; k < kTangents; ++k) {
          for (int l = 0; l < kTangents; ++l) bend += H(k, l) * T[k][i].transpose() * T[l][j];
        }
        sink(i, j, 0, 0, bend.template topLeftCorner<D, D>().eval());
        sink(i, j, 0, D, bend.template topRightCorner<D, kRot>().eval());
        sink(i, j, D, 0, bend.template bottomLeftCorner<kRot, D>().eval());
        sink(i, j, D, D, bend.template bottomRightCorner<kRot, kRot>().eval());
      }
    }
  }

  /// Normal of the surface at the point, in world axes, of length 1 or more.
  Vector normal_at(const Frame<D>& A, const Frame<D>& B) const {
    return A.R * normal(partials(place(A, B))).n;
  }

 private:
  using Block = Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof>;
  using Tangent = Eigen::Matrix<double, kTangents, 1>;

  Vector place(const Frame<D>& A, const Frame<D>& B) const {
    return X.transpose() * (A.R.transpose() * (point_position(B, b) - point_position(A, a)));
  }
  math::Partials partials(const Vector& r) const {
    if (height.is_constant()) return {.value = height.value()};
    return height.evaluate_partials(r[0], D == 3 ? r[1] : 0.0);
  }
  SlidePart<D> normal(const math::Partials& h) const {
    Vector n = X.col(D - 1) - h.x * X.col(0);
    if constexpr (D == 3) n -= h.y * X.col(1);
    return {n, a, b};
  }
  static Eigen::Matrix<double, kTangents, kTangents> hessian_of(const math::Partials& h) {
    Eigen::Matrix<double, kTangents, kTangents> H;
    if constexpr (D == 3) {
      H << h.xx, h.xy, h.xy, h.yy;
    } else {
      H << h.xx;
    }
    return H;
  }
  /// Derivatives of x and y.
  std::array<PartJacobian<D, 1>, kTangents> tangents(const Frame<D>& A, const Frame<D>& B) const {
    std::array<PartJacobian<D, 1>, kTangents> T;
    for (int k = 0; k < kTangents; ++k) SlidePart<D>{X.col(k), a, b}.jacobian(A, B, T[k]);
    return T;
  }
  static double speed(const Eigen::Matrix<double, 1, Geometry<D>::kDof>& row, const Frame<D>& f) {
    return row.template head<D>().dot(f.v) + row.template tail<kRot>().dot(f.omega);
  }
};

}  // namespace daedal::coordinates::absolute
