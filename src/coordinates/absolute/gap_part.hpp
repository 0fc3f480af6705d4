#pragma once

#include <variant>

#include "daedal/coordinates/absolute/parts.hpp"
#include "daedal/math/expression.hpp"

namespace daedal::coordinates::absolute {

/// A gap that is a function of one or two freedoms of a joint, stated as a depth as contacts are:
///
///     s = -h(x, y)      s_q = -(h_x x_q + h_y y_q)      s'' = -(h_x x'' + h_y y'' + (x', y').H (x', y'))
template <int D>
struct GapPart {
  static constexpr int kRows = 1;
  static constexpr int kDof = Geometry<D>::kDof;
  using Value = Scalar1;
  using Measure = std::variant<AnglePart<D>, SlidePart<D>>;
  std::vector<Measure> of;
  math::Expression gap;

  Value value(const Frame<D>& A, const Frame<D>& B) const { return Value(-partials(A, B).value); }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, 1>& J) const {
    const math::Partials h = partials(A, B);
    J = {Row::Zero(), Row::Zero()};
    for (std::size_t i = 0; i < of.size(); ++i) {
      const auto S = row(i, A, B);
      for (int k = 0; k < 2; ++k) J[k] -= slope(h, i) * S[k];
    }
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    const math::Partials h = partials(A, B);
    std::array<double, 2> rate{};
    double sum = 0.0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      const auto S = row(i, A, B);
      rate[i] = speed(S[0], A) + speed(S[1], B);
      sum += slope(h, i) *
             std::visit([&](const auto& part) { return part.quadratic(A, B)[0]; }, of[i]);
    }
    sum += h.xx * rate[0] * rate[0] + 2.0 * h.xy * rate[0] * rate[1] + h.yy * rate[1] * rate[1];
    return Value(-sum);
  }
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    const math::Partials h = partials(A, B);
    std::array<PartJacobian<D, 1>, 2> S{};
    for (std::size_t i = 0; i < of.size(); ++i) {
      S[i] = row(i, A, B);
      std::visit(
          [&](const auto& part) { part.hessian(A, B, Value(-mu[0] * slope(h, i)), sink); }, of[i]);
    }
    const std::array<std::array<double, 2>, 2> H{{{h.xx, h.xy}, {h.xy, h.yy}}};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        Eigen::Matrix<double, kDof, kDof> bend = Eigen::Matrix<double, kDof, kDof>::Zero();
        for (std::size_t k = 0; k < of.size(); ++k) {
          for (std::size_t l = 0; l < of.size(); ++l) {
            bend -= mu[0] * H[k][l] * S[k][i].transpose() * S[l][j];
          }
        }
        constexpr int kRot = Geometry<D>::kRotations;
        sink(i, j, 0, 0, bend.template topLeftCorner<D, D>().eval());
        sink(i, j, 0, D, bend.template topRightCorner<D, kRot>().eval());
        sink(i, j, D, 0, bend.template bottomLeftCorner<kRot, D>().eval());
        sink(i, j, D, D, bend.template bottomRightCorner<kRot, kRot>().eval());
      }
    }
  }

 private:
  using Row = Eigen::Matrix<double, 1, kDof>;

  math::Partials partials(const Frame<D>& A, const Frame<D>& B) const {
    std::array<double, 2> s{};
    for (std::size_t i = 0; i < of.size(); ++i) {
      s[i] = std::visit([&](const auto& part) { return part.value(A, B)[0]; }, of[i]);
    }
    if (gap.is_constant()) return {.value = gap.value()};
    return gap.evaluate_partials(s[0], s[1]);
  }
  static double slope(const math::Partials& h, std::size_t i) { return i == 0 ? h.x : h.y; }
  PartJacobian<D, 1> row(std::size_t i, const Frame<D>& A, const Frame<D>& B) const {
    PartJacobian<D, 1> S;
    std::visit([&](const auto& part) { part.jacobian(A, B, S); }, of[i]);
    return S;
  }
  static double speed(const Row& S, const Frame<D>& f) {
    return S.template head<D>().dot(f.v) + S.template tail<Geometry<D>::kRotations>().dot(f.omega);
  }
};

}  // namespace daedal::coordinates::absolute
