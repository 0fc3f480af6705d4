#include "daedal/math/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::math {

namespace {

using Vec2 = Curve::Vec2;

/// Iterations of a search for the nearest point, and the steps that end it.
constexpr int kIterations = 60;
constexpr double kSettled = 1e-15;
/// Places in each piece from which the nearest one is looked for.
constexpr int kPlaces = 4;

Vec2 turned(const Vec2& a) { return {-a.y(), a.x()}; }

std::vector<double> chord_lengths(std::span<const Vec2> points) {
  std::vector<double> knots{0.0};
  for (std::size_t i = 1; i < points.size(); ++i) {
    knots.push_back(knots.back() + (points[i] - points[i - 1]).norm());
  }
  return knots;
}

}  // namespace

Curve Curve::straight(std::span<const Vec2> points) {
  Curve curve;
  curve.is_straight_ = true;
  curve.knots_ = chord_lengths(points);
  curve.points_.assign(points.begin(), points.end());
  curve.bends_.assign(points.size(), Vec2::Zero());
  return curve;
}

Curve Curve::spline(std::span<const Vec2> points) {
  Curve curve = straight(points);
  curve.is_straight_ = false;
  const std::size_t n = points.size();
  if (n < 3) return curve;
  // h_k m_k + 2 (h_k + h_k+1) m_k+1 + h_k+1 m_k+2 = 6 (slope_k+1 - slope_k), by elimination
  const auto h = [&](std::size_t k) { return curve.knots_[k + 1] - curve.knots_[k]; };
  const auto slope = [&](std::size_t k) -> Vec2 { return (points[k + 1] - points[k]) / h(k); };
  std::vector<double> upper(n, 0.0);
  std::vector<Vec2>& m = curve.bends_;
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double pivot = 2.0 * (h(k - 1) + h(k)) - h(k - 1) * upper[k - 1];
    upper[k] = h(k) / pivot;
    m[k] = (6.0 * (slope(k) - slope(k - 1)) - h(k - 1) * m[k - 1]) / pivot;
  }
  for (std::size_t k = n - 2; k > 0; --k) m[k] -= upper[k] * m[k + 1];
  return curve;
}

Curve Curve::graph(Expression height) {
  Curve curve;
  curve.height_ = std::move(height);
  return curve;
}

Curve::Point Curve::piece(std::size_t k, double s) const {
  const double h = knots_[k + 1] - knots_[k];
  const double b = (s - knots_[k]) / h, a = 1.0 - b;
  const Vec2 &m0 = bends_[k], &m1 = bends_[k + 1];
  Point p;
  p.at = a * points_[k] + b * points_[k + 1] +
         h * h / 6.0 * ((a * a * a - a) * m0 + (b * b * b - b) * m1);
  p.first = (points_[k + 1] - points_[k]) / h +
            h / 6.0 * ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1);
  p.second = a * m0 + b * m1;
  return p;
}

Curve::Point Curve::evaluate(double s) const {
  if (knots_.empty()) {
    if (height_.is_constant()) return {{s, height_.value()}, Vec2::UnitX(), Vec2::Zero()};
    const Partials h = height_.evaluate_partials(s, 0.0);
    return {{s, h.value}, {1.0, h.x}, {0.0, h.xx}};
  }
  if (s < begin() || s > end()) {
    const double nearest = std::clamp(s, begin(), end());
    Point p = evaluate(nearest);
    p.at += (s - nearest) * p.first;
    p.second.setZero();
    return p;
  }
  const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, s);
  return piece(static_cast<std::size_t>(above - knots_.begin()) - 1, s);
}

/// Newton's iteration on (c - from).c' = 0, within a piece; a graph's has no ends.
double Curve::settle(std::size_t k, double s, const Vec2& from) const {
  const bool bounded = !knots_.empty();
  for (int i = 0; i < kIterations; ++i) {
    const Point p = bounded ? piece(k, s) : evaluate(s);
    const Vec2 d = p.at - from;
    const double length2 = p.first.squaredNorm(), bend = length2 + d.dot(p.second);
    // Where the distance is no valley, as on the arc alone.
    double step = -d.dot(p.first) / std::max(bend, 0.5 * length2);
    if (bounded) step = std::clamp(s + step, knots_[k], knots_[k + 1]) - s;
    s += step;
    if (std::abs(step) <= kSettled * (1.0 + std::abs(s))) break;
  }
  return s;
}

Curve::Distance Curve::distance_at(double s, const Vec2& from) const {
  const Point p = evaluate(s);
  const Vec2 t = p.first.normalized(), n = turned(t);
  const double bend = p.first.x() * p.second.y() - p.first.y() * p.second.x();
  const double curvature = bend / std::pow(p.first.norm(), 3);
  Distance d;
  d.s = s;
  d.value = n.dot(from - p.at);
  d.normal = n;
  d.bend = -curvature / (1.0 - curvature * d.value);
  return d;
}

Curve::Distance Curve::distance(const Vec2& from) const {
  if (knots_.empty()) return distance_at(settle(0, from.x(), from), from);
  double best = std::numeric_limits<double>::infinity(), nearest = begin();
  const auto offer = [&](double s) {
    const double distance2 = (evaluate(s).at - from).squaredNorm();
    if (distance2 < best) best = distance2, nearest = s;
  };
  for (std::size_t k = 0; k + 1 < knots_.size(); ++k) {
    if (is_straight_) {
      offer(settle(k, knots_[k], from));
      continue;
    }
    double start = knots_[k], least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= kPlaces; ++i) {
      const double s = knots_[k] + (knots_[k + 1] - knots_[k]) * i / kPlaces;
      const double distance2 = (piece(k, s).at - from).squaredNorm();
      if (distance2 < least) least = distance2, start = s;
    }
    offer(settle(k, start, from));
  }
  // The straight lines beyond the ends.
  const double before = (from - points_.front()).dot(evaluate(begin()).first.normalized());
  const double beyond = (from - points_.back()).dot(evaluate(end()).first.normalized());
  if (before < 0.0) offer(begin() + before / evaluate(begin()).first.norm());
  if (beyond > 0.0) offer(end() + beyond / evaluate(end()).first.norm());

  // At a corner that stands out the point is nearest to the corner itself.
  const auto corner = std::find(knots_.begin(), knots_.end(), nearest);
  if (is_straight_ && corner > knots_.begin() && corner + 1 < knots_.end()) {
    const std::size_t k = static_cast<std::size_t>(corner - knots_.begin());
    const Vec2 arm = from - points_[k];
    const Vec2 in = points_[k] - points_[k - 1], out = points_[k + 1] - points_[k];
    const bool outside = turned(in).normalized().dot(arm) + turned(out).normalized().dot(arm) >= 0.0;
    Distance d;
    d.s = nearest;
    d.value = (outside ? 1.0 : -1.0) * arm.norm();
    if (arm.norm() > 0.0) {
      d.normal = arm / d.value;
      d.bend = 1.0 / d.value;
    } else {
      d.normal = (turned(in).normalized() + turned(out).normalized()).normalized();
    }
    return d;
  }
  return distance_at(nearest, from);
}

}  // namespace daedal::math
