#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "daedal/math/expression.hpp"

namespace daedal::math {

/// A curve in the plane that runs towards growing parameters, and what is nearest to a point.
///
///   straight   through points in straight lines; the parameter is the length of the arc
///   spline     through points, a natural cubic spline over the lengths of its chords
///   graph      (x, h(x)) of an expression in x; the parameter is x
///
/// Beyond its ends it goes on straight. The side to its left is outside.
class Curve {
 public:
  using Vec2 = Eigen::Vector2d;

  static Curve straight(std::span<const Vec2> points);
  static Curve spline(std::span<const Vec2> points);
  static Curve graph(Expression height);

  struct Point {
    Vec2 at = Vec2::Zero(), first = Vec2::Zero(), second = Vec2::Zero();  // by the parameter
  };
  Point evaluate(double s) const;
  /// Ends of the parameter; a graph has none: both are zero.
  double begin() const { return knots_.empty() ? 0.0 : knots_.front(); }
  double end() const { return knots_.empty() ? 0.0 : knots_.back(); }

  /// The signed distance of a point, positive outside, with its gradient n and its Hessian
  /// bend t t^T, t being n turned by a quarter.
  struct Distance {
    double s = 0.0;  // parameter of the nearest point of the curve
    double value = 0.0;
    Vec2 normal = Vec2::UnitY();
    double bend = 0.0;
  };
  /// The nearest of all points; of a graph, the one that is found by descending from the same x.
  Distance distance(const Vec2& from) const;

 private:
  Point piece(std::size_t k, double s) const;
  double settle(std::size_t k, double s, const Vec2& from) const;
  Distance distance_at(double s, const Vec2& from) const;

  Expression height_;
  bool is_straight_ = false;
  std::vector<double> knots_;
  std::vector<Vec2> points_, bends_;  // bends: second derivatives at the knots
};

}  // namespace daedal::math
