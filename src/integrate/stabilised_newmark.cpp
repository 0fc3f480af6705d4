#include "daedal/integrate/stabilised_newmark.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

StabilisedNewmark::StabilisedNewmark(const system::ConstrainedSystem& system,
                                     const Options& options, const Parameters& parameters)
    : NewmarkFamily(system, options, parameters),
      offset_(structure_.dof()),
      newmark_x_(structure_.dof()),
      rate_(structure_.constraint_rows),
      change_(structure_.dof()),
      eta_(structure_.constraint_rows),
      saved_offset_(structure_.dof()),
      saved_rate_(structure_.constraint_rows),
      saved_g_(structure_.constraint_rows) {}

void StabilisedNewmark::start(State& state, double h) { start_memory(state, h); }

void StabilisedNewmark::predict() {
  std::fill(offset_.begin(), offset_.end(), 0.0);
  has_projector_ = false;
  wants_projector_ = true;
  NewmarkFamily::predict();
}

void StabilisedNewmark::kinematics() {
  for (std::size_t i = 0; i < offset_.size(); ++i) newmark_x_[i] = increment_[i] + offset_[i];
  rates(newmark_x_);
}

void StabilisedNewmark::residual(std::span<double> F) {
  NewmarkFamily::residual(F);
  if (structure_.constraint_rows == 0) return;
  if (wants_projector_) has_projector_ = static_cast<bool>(accelerations_.factorise(*evaluator_));
  wants_projector_ = false;
  evaluator_->constraint_rates(rate_);
}

double StabilisedNewmark::correct(std::span<const double> dy) {
  double largest = 0.0;
  if (has_projector_) {
    const correct::MethodFactors f = factors(h_);
    std::fill(change_.begin(), change_.end(), 0.0);
    for (std::size_t i = 0; i < eta_.size(); ++i) eta_[i] = g_[i] - rate_[i] / f.displacement[1];
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level == system::Level::velocity) {
        std::fill_n(eta_.begin() + node.offset, node.size, 0.0);
      }
    }
    accelerations_.solve_once(change_, eta_);
    for (std::size_t i = 0; i < change_.size(); ++i) {
      offset_[i] += change_[i];
      largest = std::max(largest, std::abs(change_[i]));
    }
    for (std::size_t i = 0; i < eta_.size(); ++i) lambda_[i] += f.displacement[2] * eta_[i];
  }
  move(dy);
  return largest;
}

void StabilisedNewmark::save() {
  NewmarkFamily::save();
  saved_offset_ = offset_;
  saved_rate_ = rate_;
  saved_g_ = g_;
}

void StabilisedNewmark::restore() {
  offset_ = saved_offset_;
  rate_ = saved_rate_;
  g_ = saved_g_;
  NewmarkFamily::restore();
}

double StabilisedNewmark::error_factor() const {
  const Parameters& p = parameters();
  return std::abs(p.beta + 0.5 * (p.alpha_m - p.alpha_f) - 1.0 / 6.0);
}

void StabilisedNewmark::project(std::span<double> e) {
  // min |c|_M with G (e + c) = 0.
  std::fill(eta_.begin(), eta_.end(), 0.0);
  evaluator_->G().multiply_add(e, eta_, -1.0);
  std::fill(change_.begin(), change_.end(), 0.0);
  accelerations_.solve_once(change_, eta_);
  for (std::size_t i = 0; i < change_.size(); ++i) e[i] += change_[i];
}

void StabilisedNewmark::local_error(std::span<double> e) {
  const double factor = error_factor() * h_ * h_;
  const std::span<const double> before = memory_a(), after = trial_a();
  for (std::size_t i = 0; i < e.size(); ++i) e[i] = factor * (after[i] - before[i]);
  if (has_projector_) project(e);
}

void StabilisedNewmark::start_error(double h, std::span<double> e) {
  const double factor = error_factor() * h * h * h;
  for (std::size_t i = 0; i < e.size(); ++i) e[i] = factor * third_[i];
  project(e);  // with the matrix of the accelerations from which third_ comes
}

}  // namespace daedal::integrate
