#include "daedal/integrate/projection.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

namespace {

/// Constraints are met to this many units of round-off of the mechanism's size.
constexpr double kMet = 4.0 * std::numeric_limits<double>::epsilon();
constexpr int kProjections = 4;
constexpr int kVelocities = 4;

}  // namespace

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) {
    if (!(std::abs(value) <= m)) m = std::abs(value);
  }
  return m;
}

Projection::Projection(const system::ConstrainedSystem& system,
                       formulate::AccelerationLevel& equations, system::Evaluator& evaluator)
    : system_(system),
      structure_(system.structure()),
      equations_(equations),
      evaluator_(evaluator),
      u_(structure_.excitations),
      violation_(structure_.constraint_rows),
      g_(structure_.constraint_rows),
      change_(structure_.dof()),
      mu_(structure_.constraint_rows) {}

bool Projection::project(State& state, double length, double speed) {
  if (structure_.constraint_rows == 0) return true;
  system_.excitations(state.t, u_);
  bool factorised = false;
  const double size = kMet * std::max(length, largest(state.q));
  const auto solve = [&] {
    std::fill(change_.begin(), change_.end(), 0.0);
    for (std::size_t i = 0; i < g_.size(); ++i) mu_[i] = -g_[i];
    equations_.solve_once(change_, mu_);
  };
  for (int k = 0; k < kProjections; ++k) {
    evaluator_.move_to({state.q, state.v, state.x, u_});
    evaluator_.constraints(g_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level == system::Level::velocity)
        std::fill_n(g_.begin() + node.offset, node.size, 0.0);
    }
    if (k == 0) violation_ = g_;
    if (largest(g_) <= size) break;
    if (!factorised && !equations_.factorise(evaluator_)) return false;
    factorised = true;
    solve();
    structure_.manifold.retract(state.q, change_, state.q);
    if (k + 1 == kProjections) evaluator_.move_to({state.q, state.v, state.x, u_});
  }
  // The matrix of the positions serves for the velocities: it is off by as much as these were.
  for (int k = 0; k < kVelocities; ++k) {
    evaluator_.constraint_rates(g_);
    if (largest(g_) <= kMet * std::max(speed, largest(state.v))) break;
    const bool anew = !factorised || k == kVelocities / 2;
    if (anew && !equations_.factorise(evaluator_)) return false;
    factorised = true;
    solve();
    for (std::size_t i = 0; i < change_.size(); ++i) state.v[i] += change_[i];
    evaluator_.move_to({state.q, state.v, state.x, u_});
  }
  return true;
}

}  // namespace daedal::integrate
