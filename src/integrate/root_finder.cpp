#include "daedal/integrate/root_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedal::integrate {

namespace {

/// Iterations of regula falsi that may leave more than half of the bracket before it is bisected.
constexpr int kPatience = 3;

bool differ(double a, double b) { return (a < 0.0 && b >= 0.0) || (a > 0.0 && b <= 0.0); }

}  // namespace

RootFinder::RootFinder(const system::Structure& structure, int count, Functions functions)
    : functions_(std::move(functions)),
      state_(structure),
      before_(count),
      after_(count),
      values_(count) {}

void RootFinder::begin(const State& state) {
  t_ = state.t;
  functions_(state, before_);
}

double RootFinder::value(AdaptiveIntegrator& integrator, int function, double t) {
  state_.t = t;
  integrator.interpolate(t, state_);
  functions_(state_, values_);
  return values_[function];
}

double RootFinder::bracket(AdaptiveIntegrator& integrator, int function, double t1,
                           double tolerance) {
  double a = t_, b = t1, fa = before_[function], fb = after_[function];
  const double least = std::max(tolerance, 4.0 * std::numeric_limits<double>::epsilon() *
                                               std::max(std::abs(a), std::abs(b)));
  int kept = 0, slow = 0;  // which end stayed, and how often the bracket has hardly shrunk
  while (b - a > least) {
    const double width = b - a;
    double t = slow < kPatience ? b - fb * (b - a) / (fb - fa) : 0.5 * (a + b);
    // Beside an end the next value would tell nothing new.
    t = std::clamp(t, a + 0.5 * std::min(least, width), b - 0.5 * std::min(least, width));
    const double f = value(integrator, function, t);
    if (differ(fa, f)) {
      b = t, fb = f;
      if (kept == -1) fa *= 0.5;
      kept = -1;
    } else {
      a = t, fa = f;
      if (kept == 1) fb *= 0.5;
      kept = 1;
    }
    slow = b - a > 0.5 * width ? slow + 1 : 0;
  }
  return b;
}

std::optional<Crossing> RootFinder::look(AdaptiveIntegrator& integrator, const State& end,
                                         double tolerance) {
  functions_(end, after_);
  std::optional<Crossing> first;
  for (int i = 0; i < static_cast<int>(before_.size()); ++i) {
    if (!differ(before_[i], after_[i])) continue;
    const double t = bracket(integrator, i, end.t, tolerance);
    if (!first || t < first->t) first = Crossing{i, t, before_[i] < 0.0};
  }
  if (first) {
    // What has crossed has its new sign from here on, whatever round-off says; what crossed with it
    // keeps the old one until it is reported.
    t_ = first->t;
    value(integrator, first->function, t_);
    for (int i = 0; i < static_cast<int>(before_.size()); ++i) {
      if (i == first->function) {
        const double size = std::max(std::abs(values_[i]), std::numeric_limits<double>::min());
        before_[i] = first->rising ? size : -size;
      } else if (!differ(before_[i], values_[i])) {
        before_[i] = values_[i];
      }
    }
  } else {
    t_ = end.t;
    // A zero takes the sign that comes next.
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (after_[i] != 0.0) before_[i] = after_[i];
    }
  }
  return first;
}

}  // namespace daedal::integrate
