#include "daedal/integrate/adaptive_newmark.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

namespace {

/// Share of the tolerated error that the first step aims at.
constexpr double kFirstError = 0.5;
/// Newton's part of a step's error, relative to its increment, and the most of it: constraints of both
/// levels are satisfied as well as that.
constexpr double kNewtonShare = 1e-4, kLargestNewtonTolerance = 1e-10;
/// Steps below this share of the largest are none.
constexpr double kShortest = 1e-9;
/// Times that differ by less than this share of what is left are one.
constexpr double kSameTime = 1e-9;

Options with_tolerance(Options options) {
  options.newton.tolerance = std::max(
      options.newton.tolerance, std::min(kNewtonShare * options.tolerance, kLargestNewtonTolerance));
  options.stabilised = true;
  return options;
}

}  // namespace

AdaptiveNewmark::AdaptiveNewmark(const system::ConstrainedSystem& system, const Options& options,
                                 const NewmarkFamily::Parameters& parameters)
    : structure_(system.structure()),
      options_(with_tolerance(options)),
      method_(system, options_, parameters),
      equations_(system, options.linear_solver),
      evaluator_(system.evaluator()),
      projection_(system, equations_, *evaluator_),
      before_(structure_),
      now_(structure_),
      trial_(structure_),
      sizes_(structure_, options),
      error_(structure_.dof()),
      weights_(structure_.dof()),
      state_weights_(structure_.state_size),
      x_(structure_.dof()),
      x_rate_(structure_.dof()),
      end_rate_(structure_.dof()),
      T_(structure_.manifold.rotations().size()) {}

void AdaptiveNewmark::regularise() {
  method_.regularise();
  equations_.regularise();
}

void AdaptiveNewmark::start(State& state, double h) {
  now_ = state;
  last_h_ = 0.0;
  control_.start();
  sizes_.start(state);
  smallest_h_ = kShortest * (options_.max_step > 0.0 ? options_.max_step : h);
  method_.start(now_, h);
  method_.start_error(h, error_);
  const double error = position_error(now_);
  next_h_ = error > kFirstError ? h * std::cbrt(kFirstError / error) : h;
  if (options_.max_step > 0.0) next_h_ = std::min(next_h_, options_.max_step);
  now_.memory.back() = h;  // the first step adapts it
  before_ = trial_ = now_;
}

StepReport AdaptiveNewmark::advance(double t_stop, State& to) {
  int rejected = 0;
  while (true) {
    // What is left before the stop is taken in one step or in two equal ones.
    const double left = t_stop - now_.t;
    const bool last = next_h_ >= (1.0 - kSameTime) * left;
    const double h = last ? left : std::min(next_h_, 0.5 * left);
    StepReport report = method_.step(now_, h, trial_);
    report.rejected = rejected;
    if (report.status != StepStatus::ok) {
      ++rejected;
      next_h_ = h * control_.failed();
      if (next_h_ < smallest_h_) return report;
      continue;
    }
    trial_.t = last ? t_stop : now_.t + h;
    method_.local_error(error_);
    const double error = std::max(position_error(now_), state_error(h));
    if (!(error <= 1.0)) {
      ++rejected;
      next_h_ = h * control_.rejected(error);
      if (next_h_ >= smallest_h_) continue;
      report.status = StepStatus::step_too_small;
      report.rejected = rejected;
      report.where = structure_.coordinate_name(worst_);
      return report;
    }
    const double wanted = h * control_.accepted(error);
    next_h_ = h < next_h_ ? std::max(next_h_, wanted) : wanted;
    if (options_.max_step > 0.0) next_h_ = std::min(next_h_, options_.max_step);
    std::swap(before_, now_);
    std::swap(now_, trial_);
    last_h_ = h;
    copy(now_, to);
    return report;
  }
}

double AdaptiveNewmark::position_error(const State& at) {
  double worst = 0.0;
  sizes_.of_positions(options_.tolerance, options_.absolute_tolerance, at.q, weights_);
  for (int i = 0; i < structure_.dof(); ++i) {
    const double error = std::abs(error_[i]) * weights_[i];
    if (!(error <= worst)) worst = error, worst_ = i;
  }
  return worst;
}

double AdaptiveNewmark::state_error(double h) {
  double worst = 0.0;
  sizes_.of_states(options_.tolerance, options_.absolute_tolerance, now_.x, state_weights_);
  for (std::size_t i = 0; i < now_.x.size(); ++i) {
    double change = trial_.x_rate[i] - now_.x_rate[i];  // h x'', too much, where nothing is known
    if (last_h_ > 0.0) {
      change -= (now_.x_rate[i] - before_.x_rate[i]) * h / last_h_;
      change *= 2.0 * h / (h + last_h_);
    }
    worst = std::max(worst, std::abs(h * change / 12.0) * state_weights_[i]);
  }
  return worst;
}

void AdaptiveNewmark::copy(const State& from, State& to) {
  to.t = from.t;
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
  std::copy(from.v.begin(), from.v.end(), to.v.begin());
  std::copy(from.a.begin(), from.a.end(), to.a.begin());
  std::copy(from.lambda.begin(), from.lambda.end(), to.lambda.begin());
  std::copy(from.x.begin(), from.x.end(), to.x.begin());
  std::copy(from.x_rate.begin(), from.x_rate.end(), to.x_rate.begin());
  to.memory.clear();
}

void AdaptiveNewmark::interpolate(double t, State& out) {
  approximate(t, out);
  if (last_h_ > 0.0) projection_.project(out, sizes_.length(), sizes_.speed_floor());
}

void AdaptiveNewmark::approximate(double t, State& out) {
  if (!(last_h_ > 0.0)) return copy(now_, out);
  const double h = last_h_, s = (t - before_.t) / h;
  // The cubic Hermite polynomials of 1, of the rate at the beginning and of that at the end.
  const double p = s * s * (3.0 - 2.0 * s), p0 = s * (1.0 - s) * (1.0 - s), p1 = s * s * (s - 1.0);
  const double r = 6.0 * s * (1.0 - s) / h, r0 = (1.0 - s) * (1.0 - 3.0 * s), r1 = s * (3.0 * s - 2.0);
  const system::Manifold& manifold = structure_.manifold;
  manifold.local(before_.q, now_.q, x_);
  std::copy(now_.v.begin(), now_.v.end(), end_rate_.begin());
  if (!manifold.is_linear()) {
    manifold.inverse_tangents(x_, T_);
    manifold.apply(T_, end_rate_);
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double whole = x_[i], begin = before_.v[i], end = end_rate_[i];
    x_[i] = p * whole + h * (p0 * begin + p1 * end);
    out.v[i] = r * whole + r0 * begin + r1 * end;
    out.a[i] = before_.a[i] + s * (now_.a[i] - before_.a[i]);
  }
  manifold.retract(before_.q, x_, out.q);
  if (!manifold.is_linear()) {
    manifold.tangents(x_, T_);
    manifold.apply(T_, out.v);
  }
  for (std::size_t i = 0; i < out.lambda.size(); ++i) {
    out.lambda[i] = before_.lambda[i] + s * (now_.lambda[i] - before_.lambda[i]);
  }
  for (std::size_t i = 0; i < out.x.size(); ++i) {
    const double whole = now_.x[i] - before_.x[i];
    out.x[i] = before_.x[i] + p * whole + h * (p0 * before_.x_rate[i] + p1 * now_.x_rate[i]);
    out.x_rate[i] = r * whole + r0 * before_.x_rate[i] + r1 * now_.x_rate[i];
  }
  out.t = t;
  out.memory.clear();
}

}  // namespace daedal::integrate
