#include "daedal/integrate/explicit_methods.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

namespace {

/// Share of the tolerance that states are let drift by before they are projected.
constexpr double kDrift = 1e-3;
/// Steps below this share of the largest are none.
constexpr double kShortest = 1e-9;
/// Times, and steps, that differ by less than this share are one.
constexpr double kSame = 1e-9;

void copy(const State& from, State& to) {
  to.t = from.t;
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
  std::copy(from.v.begin(), from.v.end(), to.v.begin());
  std::copy(from.a.begin(), from.a.end(), to.a.begin());
  std::copy(from.lambda.begin(), from.lambda.end(), to.lambda.begin());
  std::copy(from.x.begin(), from.x.end(), to.x.begin());
  std::copy(from.x_rate.begin(), from.x_rate.end(), to.x_rate.begin());
  to.memory.clear();
}

correct::ReferenceQuantities no_reference(const Options& options) {
  return {0.0, 0.0, 0.0, options.reference.length.value_or(0.0)};
}

double length_of(const Options& options) {
  const double given = options.reference.length.value_or(0.0);
  return given > 0.0 ? std::min(given, 1.0) : 1.0;
}

}  // namespace

DriftControl::DriftControl(const system::ConstrainedSystem& system, const Options& options,
                           ExplicitStep& step)
    : options_(options),
      step_(step),
      evaluator_(system.evaluator()),
      projection_(system, step.equations(), *evaluator_),
      length_(length_of(options)) {}

StepStatus DriftControl::settle(State& state) {
  step_.place(state);
  const double tolerance =
      options_.drift_tolerance > 0.0 ? options_.drift_tolerance
                                     : kDrift * options_.tolerance * length_;
  if (options_.projection && beyond(tolerance)) {
    if (!projection_.project(state, length_, speed_floor)) return StepStatus::singular_matrix;
    step_.place(state);
  }
  return step_.settle(state);
}

void DriftControl::put_onto_constraints(State& state) {
  if (options_.projection) projection_.project(state, length_, speed_floor);
}

bool DriftControl::too_far() const {
  return !options_.projection && options_.drift_tolerance > 0.0 && beyond(options_.drift_tolerance);
}

// ---------------------------------------------------------------- steps of given size

FixedExplicit::FixedExplicit(const system::ConstrainedSystem& system, const Options& options,
                             std::unique_ptr<ExplicitStep> step)
    : options_(options),
      step_(std::move(step)),
      drift_(system, options_, *step_),
      reference_(no_reference(options)),
      at_(system.structure()) {
  at_.t = -1.0;
}

void FixedExplicit::start(State& state, double) {
  drift_.settle(state);
  copy(state, at_);
}

StepReport FixedExplicit::step(const State& from, double h, State& to) {
  StepReport report;
  report.newton.iterations = 0;
  if (from.t != at_.t || from.q != at_.q || from.v != at_.v || from.x != at_.x) {
    copy(from, at_);
    step_->place(at_);
    report.status = step_->settle(at_);
  }
  if (report.status == StepStatus::ok) report.status = step_->step(h, to);
  if (report.status == StepStatus::ok) report.status = drift_.settle(to);
  if (report.status == StepStatus::ok) {
    copy(to, at_);
  } else {
    report.where = step_->where();
    at_.t = -1.0;  // the method is somewhere on the way
  }
  return report;
}

// ---------------------------------------------------------------- steps by the local error

AdaptiveExplicit::AdaptiveExplicit(const system::ConstrainedSystem& system, const Options& options,
                                   std::unique_ptr<ExplicitStep> step)
    : structure_(system.structure()),
      options_(options),
      step_(std::move(step)),
      drift_(system, options_, *step_),
      control_({.order = step_->error_order(), .most = 10.0}),
      sizes_(structure_, options),
      reference_(no_reference(options)),
      before_(structure_),
      now_(structure_),
      trial_(structure_),
      theta_(structure_.dof()),
      c1_(structure_.dof()),
      c2_(structure_.dof()),
      c3_(structure_.dof()),
      c4_(structure_.dof()),
      c5_(structure_.dof()),
      T_(structure_.manifold.rotations().size()) {}

void AdaptiveExplicit::start(State& state, double h) {
  last_h_ = 0.0;
  control_.start();
  sizes_.start(state);
  drift_.speed_floor = sizes_.speed_floor();
  smallest_h_ = std::max(options_.min_step,
                         kShortest * (options_.max_step > 0.0 ? options_.max_step : h));
  next_h_ = std::max(h, smallest_h_);
  if (options_.max_step > 0.0) next_h_ = std::min(next_h_, options_.max_step);
  drift_.settle(state);
  copy(state, now_);
  before_ = trial_ = now_;
}

StepReport AdaptiveExplicit::advance(double t_stop, State& to) {
  StepReport report;
  while (true) {
    // What is left before the stop is taken in one step or in two equal ones.
    const double left = t_stop - now_.t;
    const bool last = next_h_ >= (1.0 - kSame) * left;
    const double h = last ? left : std::min(next_h_, 0.5 * left);
    const bool shortest = h <= (1.0 + kSame) * smallest_h_;
    const bool forced = shortest && options_.min_step > 0.0;
    /// Whether that is the end.
    const auto refuse = [&](StepStatus why, double factor) {
      ++report.rejected;
      next_h_ = std::max(factor * h, smallest_h_);
      if (!shortest) return false;
      report.status = why;
      report.where = step_->where();
      return true;
    };

    StepStatus status = step_->step(h, trial_);
    trial_.t = last ? t_stop : now_.t + h;
    double error = 0.0;
    if (status == StepStatus::ok) {
      error = step_->error(sizes_);
      if (!std::isfinite(error)) status = StepStatus::not_finite;
    }
    if (status != StepStatus::ok) {
      if (refuse(status, control_.failed())) return report;
      continue;
    }
    if (error > 1.0 && !forced) {
      if (refuse(StepStatus::step_too_small, control_.rejected(error))) return report;
      continue;
    }
    status = drift_.settle(trial_);
    const bool far = status == StepStatus::ok && drift_.too_far();
    if (status != StepStatus::ok || (far && !forced)) {
      const bool over = far ? refuse(StepStatus::step_too_small, control_.halved())
                            : refuse(status, control_.failed());
      if (over) return report;
      step_->place(now_);
      step_->settle(now_);
      continue;
    }
    report.at_minimum = forced && (error > 1.0 || far);

    const double wanted = h * control_.accepted(error);
    next_h_ = h < next_h_ ? std::max(next_h_, wanted) : wanted;
    if (options_.max_step > 0.0) next_h_ = std::min(next_h_, options_.max_step);
    next_h_ = std::max(next_h_, smallest_h_);
    std::swap(before_, now_);
    std::swap(now_, trial_);
    last_h_ = h;
    has_polynomial_ = false;
    copy(now_, to);
    return report;
  }
}

/// theta(s) = c1 s + ... + c5 s^5 with theta, theta' and theta'' of both ends.
void AdaptiveExplicit::make_polynomial() {
  has_polynomial_ = true;
  const double h = last_h_;
  const system::Manifold& manifold = structure_.manifold;
  manifold.local(before_.q, now_.q, theta_);
  // c4 and c5 hold theta' and theta'' of the end for a while.
  c4_ = now_.v;
  c5_ = now_.a;
  if (!manifold.is_linear()) {
    manifold.inverse_tangents(theta_, T_);
    manifold.apply(T_, c4_);
    manifold.apply(T_, c5_);
    for (const system::Manifold::Rotation& r : manifold.rotations()) {
      const math::Vec3 theta(theta_[r.tangent], theta_[r.tangent + 1], theta_[r.tangent + 2]);
      const math::Vec3 v(now_.v[r.tangent], now_.v[r.tangent + 1], now_.v[r.tangent + 2]);
      const math::Vec3 rate(c4_[r.tangent], c4_[r.tangent + 1], c4_[r.tangent + 2]);
      const math::Vec3 more = math::tangent_inverse_derivative_so3(theta, v) * rate;
      for (int k = 0; k < 3; ++k) c5_[r.tangent + k] += more[k];
    }
  }
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    c1_[i] = h * before_.v[i];
    c2_[i] = 0.5 * h * h * before_.a[i];
    const double whole = theta_[i] - c1_[i] - c2_[i];
    const double rate = h * c4_[i] - c1_[i] - 2.0 * c2_[i];
    const double bend = h * h * c5_[i] - 2.0 * c2_[i];
    c3_[i] = 10.0 * whole - 4.0 * rate + 0.5 * bend;
    c4_[i] = -15.0 * whole + 7.0 * rate - bend;
    c5_[i] = 6.0 * whole - 3.0 * rate + 0.5 * bend;
  }
}

void AdaptiveExplicit::approximate(double t, State& out) {
  if (!(last_h_ > 0.0)) return copy(now_, out);
  if (!has_polynomial_) make_polynomial();
  const double h = last_h_, s = (t - before_.t) / h;
  const system::Manifold& manifold = structure_.manifold;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    theta_[i] = s * (c1_[i] + s * (c2_[i] + s * (c3_[i] + s * (c4_[i] + s * c5_[i]))));
    out.v[i] =
        (c1_[i] + s * (2.0 * c2_[i] + s * (3.0 * c3_[i] + s * (4.0 * c4_[i] + s * 5.0 * c5_[i])))) /
        h;
    out.a[i] = before_.a[i] + s * (now_.a[i] - before_.a[i]);
  }
  manifold.retract(before_.q, theta_, out.q);
  if (!manifold.is_linear()) {
    manifold.tangents(theta_, T_);
    manifold.apply(T_, out.v);
  }
  for (std::size_t i = 0; i < out.lambda.size(); ++i) {
    out.lambda[i] = before_.lambda[i] + s * (now_.lambda[i] - before_.lambda[i]);
  }
  // The cubic Hermite polynomials of 1, of the rate at the beginning and of that at the end.
  const double p = s * s * (3.0 - 2.0 * s), p0 = s * (1.0 - s) * (1.0 - s), p1 = s * s * (s - 1.0);
  const double r = 6.0 * s * (1.0 - s) / h, r0 = (1.0 - s) * (1.0 - 3.0 * s),
               r1 = s * (3.0 * s - 2.0);
  for (std::size_t i = 0; i < out.x.size(); ++i) {
    const double whole = now_.x[i] - before_.x[i];
    out.x[i] = before_.x[i] + p * whole + h * (p0 * before_.x_rate[i] + p1 * now_.x_rate[i]);
    out.x_rate[i] = r * whole + r0 * before_.x_rate[i] + r1 * now_.x_rate[i];
  }
  out.t = t;
  out.memory.clear();
}

void AdaptiveExplicit::interpolate(double t, State& out) {
  approximate(t, out);
  if (last_h_ > 0.0) drift_.put_onto_constraints(out);
}

}  // namespace daedal::integrate
