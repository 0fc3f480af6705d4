#include "daedal/integrate/explicit_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "daedal/integrate/projection.hpp"

namespace daedal::integrate {

namespace {

bool finite(std::span<const double> values) { return std::isfinite(largest(values)); }

}  // namespace

ExplicitStep::ExplicitStep(const system::ConstrainedSystem& system, const Options& options,
                           int stages)
    : system_(system),
      structure_(system.structure()),
      options_(options),
      equations_(system, options.linear_solver),
      start_(system.evaluator()),
      from_(structure_),
      u_start_(structure_.excitations),
      force_(structure_.dof()),
      stages_(stages),
      g_(structure_.constraint_rows),
      rate_(structure_.constraint_rows),
      wq_(structure_.dof()),
      wv_(structure_.dof()),
      wx_(structure_.state_size),
      T_(structure_.manifold.rotations().size()) {
  if (structure_.constraint_rows == 0) forward_ = start_->forward_dynamics();
  for (Stage& stage : stages_) {
    stage.theta.resize(structure_.dof());
    stage.q.resize(structure_.storage());
    stage.v.resize(structure_.dof());
    stage.x.resize(structure_.state_size);
    stage.theta_rate.resize(structure_.dof());
    stage.a.resize(structure_.dof());
    stage.c.resize(structure_.state_size);
  }
}

void ExplicitStep::place(const State& state) {
  from_.t = state.t;
  std::copy(state.q.begin(), state.q.end(), from_.q.begin());
  std::copy(state.v.begin(), state.v.end(), from_.v.begin());
  std::copy(state.x.begin(), state.x.end(), from_.x.begin());
  system_.excitations(state.t, u_start_);
  start_->move_to({from_.q, from_.v, from_.x, u_start_});
  start_->constraints(g_);
  start_->constraint_rates(rate_);
  for (const system::ConstraintNode& node : structure_.constraints) {
    if (node.level == system::Level::velocity) std::fill_n(g_.begin() + node.offset, node.size, 0.0);
  }
  position_violation_ = largest(g_);
  velocity_violation_ = largest(rate_);
}

StepStatus ExplicitStep::settle(State& state) {
  ++counters_.residual_evaluations;
  ++counters_.function_evaluations;
  start_->state_rates(from_.x_rate);
  if (forward_) {
    forward_->accelerations({}, from_.a);
  } else {
    start_->force(force_);
    start_->gamma(from_.lambda);
    std::copy(force_.begin(), force_.end(), from_.a.begin());
    if (const linear::FactorStatus status = equations_.factorise(*start_); !status) {
      return failed(status);
    }
    equations_.solve(from_.a, from_.lambda);
    ++counters_.function_evaluations;
    ++counters_.linear_solves;
    counters_.factorizations = equations_.factorizations();
  }
  state.a = from_.a;
  state.lambda = from_.lambda;
  state.x_rate = from_.x_rate;
  state.memory.clear();
  if (finite(from_.a) && finite(from_.lambda) && finite(from_.x_rate)) return StepStatus::ok;
  const auto wrong = [](double value) { return !std::isfinite(value); };
  worst_ = static_cast<int>(std::find_if(from_.a.begin(), from_.a.end(), wrong) - from_.a.begin());
  name_worst();
  return StepStatus::not_finite;
}

void ExplicitStep::begin_stages() {
  Stage& first = stages_.front();
  std::fill(first.theta.begin(), first.theta.end(), 0.0);
  first.q = from_.q;
  first.v = from_.v;
  first.x = from_.x;
  first.theta_rate = from_.v;
  first.c = from_.x_rate;
}

void ExplicitStep::place_positions(Stage& stage, std::span<const double> weights, double h) {
  std::fill(stage.theta.begin(), stage.theta.end(), 0.0);
  std::copy(from_.x.begin(), from_.x.end(), stage.x.begin());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double w = h * weights[j];
    if (w == 0.0) continue;
    const Stage& before = stages_[j];
    for (std::size_t i = 0; i < stage.theta.size(); ++i) stage.theta[i] += w * before.theta_rate[i];
    for (std::size_t i = 0; i < stage.x.size(); ++i) stage.x[i] += w * before.c[i];
  }
  structure_.manifold.retract(from_.q, stage.theta, stage.q);
}

void ExplicitStep::place_velocities(std::span<double> v, std::span<const double> weights,
                                    double h) const {
  std::copy(from_.v.begin(), from_.v.end(), v.begin());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double w = h * weights[j];
    if (w == 0.0) continue;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += w * stages_[j].a[i];
  }
}

void ExplicitStep::rates(Stage& stage, system::Evaluator& evaluator) {
  std::copy(stage.v.begin(), stage.v.end(), stage.theta_rate.begin());
  if (!structure_.manifold.is_linear()) {
    structure_.manifold.inverse_tangents(stage.theta, T_);
    structure_.manifold.apply(T_, stage.theta_rate);
  }
  evaluator.state_rates(stage.c);
}

void ExplicitStep::weigh(ErrorWeights& sizes) {
  sizes.of_positions(options_.tolerance, options_.absolute_tolerance, from_.q, wq_);
  sizes.of_velocities(options_.tolerance, options_.absolute_tolerance, from_.v, wv_);
  sizes.of_states(options_.tolerance, options_.absolute_tolerance, from_.x, wx_);
}

void ExplicitStep::name_worst() {
  const int n = structure_.dof();
  if (worst_ < n) {
    where_ = structure_.coordinate_name(worst_);
    return;
  }
  where_ = "a first-order state";
  for (const system::Node& node : structure_.states) {
    if (worst_ - n >= node.offset && worst_ - n < node.offset + node.size) where_ = node.name;
  }
}

StepStatus ExplicitStep::failed(const linear::FactorStatus& status) {
  where_ = equations_.equation_name(std::max(status.equation, 0));
  return StepStatus::singular_matrix;
}

correct::MatrixQuality ExplicitStep::matrix_quality() {
  if (!equations_.factorise(*start_)) {
    return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  return {equations_.condition_number(), equations_.solver_error()};
}

}  // namespace daedal::integrate
