#include "daedal/integrate/midpoint.hpp"

#include <algorithm>

namespace daedal::integrate {

Midpoint::Midpoint(const system::ConstrainedSystem& system, const Options& options)
    : ImplicitStep(system, options, true),
      end_(system.evaluator()),
      half_(structure_.dof()),
      q_mid_(structure_.storage()),
      v_end_(structure_.dof()),
      x_mid_(structure_.state_size),
      g_mid_(structure_.constraint_rows),
      u_end_(structure_.excitations),
      T_half_(structure_.manifold.rotations().size()) {}

void Midpoint::start(State& state, double h) {
  jerk(state, h, third_);
  add_velocity_offset(state, h * h, kOffset, third_, state.v);
  state.memory.assign(1, h);
}

void Midpoint::adapt() {
  const double old = from_->memory.front();
  if (h_ * h_ == old * old) return;
  jerk(*from_, h_, third_);
  add_velocity_offset(*from_, h_ * h_ - old * old, kOffset, third_, v0_);
}

correct::MethodFactors Midpoint::factors(double h) const {
  correct::MethodFactors f;
  f.displacement[0] = 0.5;
  f.displacement[1] = 1.0 / h;
  f.displacement[2] = 2.0 / (h * h);
  f.state[0] = 0.5;
  f.state[1] = 1.0 / h;
  return f;
}

void Midpoint::kinematics() {
  for (std::size_t i = 0; i < increment_.size(); ++i) {
    half_[i] = 0.5 * increment_[i];
    v_[i] = increment_[i] / h_;
    v_end_[i] = 2.0 * v_[i] - v0_[i];
    a_[i] = 2.0 * (v_[i] - v0_[i]) / h_;
  }
  structure_.manifold.retract(from_->q, half_, q_mid_);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_mid_[i] = 0.5 * (from_->x[i] + x_[i]);
    x_rate_[i] = (x_[i] - from_->x[i]) / h_;
  }
}

void Midpoint::residual(std::span<double> F) {
  system_.excitations(from_->t + h_, u_end_);
  end_->move_to({q_, v_end_, x_, u_end_});
  end_->constraints(g_);
  augment(g_);
  system_.excitations(from_->t + 0.5 * h_, u_);
  evaluator_->move_to({q_mid_, v_, x_mid_, u_});
  evaluator_->residual(a_, effective_, formulation_.coordinates(F));
  std::copy(g_.begin(), g_.end(), formulation_.constraints(F).begin());
  bool has_velocity_rows = false;
  for (const system::ConstraintNode& node : structure_.constraints) {
    has_velocity_rows |= node.level == system::Level::velocity;
  }
  if (has_velocity_rows) {
    evaluator_->constraints(g_mid_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level != system::Level::velocity) continue;
      std::copy_n(g_mid_.begin() + node.offset, node.size,
                  formulation_.constraints(F).begin() + node.offset);
    }
  }
  const std::span<double> rates = formulation_.states(F);
  if (!rates.empty()) {
    evaluator_->state_rates(rates);
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = x_rate_[i] - rates[i];
  }
}

void Midpoint::linearise() {
  linearise_blocks(a_, effective_);
  // Position rows belong to the end of the step, velocity rows to its middle.
  std::copy(end_->G().values().begin(), end_->G().values().end(), rows_G_.values().begin());
  const linear::BlockPattern& p = rows_G_.pattern();
  for (int i = 0; i < p.row_nodes(); ++i) {
    if (structure_.constraints[i].level != system::Level::velocity) continue;
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) rows_G_.block(k) = blocks_.G.block(k);
  }
}

void Midpoint::assemble(correct::NewtonMatrix& J, double regularisation) {
  // An increment at q_{n+1} is T^-1(x) of it in the chart, and half of T(x/2) of that at q_m.
  correct::NewtonMatrix::Tangents tangents;
  if (!structure_.manifold.is_linear()) {
    structure_.manifold.inverse_tangents(increment_, T_inverse_);
    structure_.manifold.tangents(half_, T_half_);
    tangents.rates = T_inverse_;
    tangents.positions = T_half_;
  }
  assemble_with(tangents, J, regularisation);
}

void Midpoint::finish(State& to) {
  std::copy(v_end_.begin(), v_end_.end(), to.v.begin());
  std::copy(a_.begin(), a_.end(), to.a.begin());
  std::copy(x_rate_.begin(), x_rate_.end(), to.x_rate.begin());
  to.memory.assign(1, h_);
}

}  // namespace daedal::integrate
