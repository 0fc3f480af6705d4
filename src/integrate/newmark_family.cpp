#include "daedal/integrate/newmark_family.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

auto NewmarkFamily::Parameters::hht(double alpha) -> Parameters {
  return {0.0, -alpha, 0.25 * (1.0 - alpha) * (1.0 - alpha), 0.5 - alpha};
}

auto NewmarkFamily::Parameters::generalized_alpha(double rho) -> Parameters {
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
  const double shift = 1.0 - alpha_m + alpha_f;
  return {alpha_m, alpha_f, 0.25 * shift * shift, shift - 0.5};
}

NewmarkFamily::NewmarkFamily(const system::ConstrainedSystem& system, const Options& options,
                             const Parameters& parameters)
    : ImplicitStep(system, options, false),
      p_(parameters),
      a_like_(structure_.dof()),
      x_like_(structure_.state_size),
      memory_(structure_.dof() + structure_.state_size + 1) {}

std::span<const double> NewmarkFamily::memory_a() const {
  return std::span(memory_).subspan(0, structure_.dof());
}
std::span<const double> NewmarkFamily::memory_x() const {
  return std::span(memory_).subspan(structure_.dof(), structure_.state_size);
}

void NewmarkFamily::start(State& state, double h) {
  start_memory(state, h);
  add_velocity_offset(state, h * h, offset_factors(), third_, state.v);
}

void NewmarkFamily::start_memory(State& state, double h) {
  const int n = structure_.dof();
  const double shift = p_.alpha_m - p_.alpha_f;
  state.memory.assign(memory_.size(), 0.0);
  jerk(state, h, third_);
  for (int i = 0; i < n; ++i) state.memory[i] = state.a[i] + shift * h * third_[i];
  for (int i = 0; i < structure_.state_size; ++i) state.memory[n + i] = state.x_rate[i];
  state.memory.back() = h;
}

correct::MethodFactors NewmarkFamily::factors(double h) const {
  correct::MethodFactors f;
  const double ratio = (1.0 - p_.alpha_m) / (1.0 - p_.alpha_f);
  f.displacement[1] = p_.gamma / (p_.beta * h);
  f.displacement[2] = ratio / (p_.beta * h * h);
  f.state[1] = ratio / (p_.gamma * h);
  return f;
}

void NewmarkFamily::adapt() {
  if (!adapt_memory()) return;
  const double old = from_->memory.back();
  jerk(*from_, h_, third_);
  add_velocity_offset(*from_, h_ * h_ - old * old, offset_factors(), third_, v0_);
}

bool NewmarkFamily::adapt_memory() {
  // a_n belongs to t_n + (alpha_m - alpha_f) h: a step of another size needs another a_n.
  std::copy(from_->memory.begin(), from_->memory.end(), memory_.begin());
  const double ratio = h_ / from_->memory.back();
  if (ratio == 1.0) return false;
  const int n = structure_.dof();
  for (int i = 0; i < n; ++i) memory_[i] = from_->a[i] + ratio * (memory_[i] - from_->a[i]);
  for (int i = 0; i < structure_.state_size; ++i) {
    memory_[n + i] = from_->x_rate[i] + ratio * (memory_[n + i] - from_->x_rate[i]);
  }
  return true;
}

void NewmarkFamily::rates(std::span<const double> x) {
  const std::span<const double> a0 = memory_a(), w0 = memory_x();
  const double h = h_, beta_h2 = p_.beta * h * h;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a1 =
        (x[i] - h * v0_[i] - h * h * (0.5 - p_.beta) * a0[i]) / beta_h2;
    a_like_[i] = a1;
    v_[i] = v0_[i] + h * ((1.0 - p_.gamma) * a0[i] + p_.gamma * a1);
    a_[i] = ((1.0 - p_.alpha_m) * a1 + p_.alpha_m * a0[i] - p_.alpha_f * from_->a[i]) /
            (1.0 - p_.alpha_f);
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double w1 = ((x_[i] - from_->x[i]) / h - (1.0 - p_.gamma) * w0[i]) / p_.gamma;
    x_like_[i] = w1;
    x_rate_[i] = ((1.0 - p_.alpha_m) * w1 + p_.alpha_m * w0[i] - p_.alpha_f * from_->x_rate[i]) /
                 (1.0 - p_.alpha_f);
  }
}

void NewmarkFamily::residual(std::span<double> F) {
  system_.excitations(from_->t + h_, u_);
  evaluator_->move_to({q_, v_, x_, u_});
  evaluator_->constraints(g_);
  augment(g_);
  evaluator_->residual(a_, effective_, formulation_.coordinates(F));
  std::copy(g_.begin(), g_.end(), formulation_.constraints(F).begin());
  const std::span<double> rates = formulation_.states(F);
  if (!rates.empty()) {
    evaluator_->state_rates(rates);
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = x_rate_[i] - rates[i];
  }
}

void NewmarkFamily::linearise() {
  linearise_blocks(a_, effective_);
}

void NewmarkFamily::assemble(correct::NewtonMatrix& J, double regularisation) {
  correct::NewtonMatrix::Tangents tangents;
  if (!structure_.manifold.is_linear()) {
    structure_.manifold.inverse_tangents(increment_, T_inverse_);
    tangents.rates = T_inverse_;
  }
  assemble_with(tangents, J, regularisation);
}

void NewmarkFamily::finish(State& to) {
  std::copy(v_.begin(), v_.end(), to.v.begin());
  std::copy(a_.begin(), a_.end(), to.a.begin());
  std::copy(x_rate_.begin(), x_rate_.end(), to.x_rate.begin());
  to.memory.resize(memory_.size());
  std::copy(a_like_.begin(), a_like_.end(), to.memory.begin());
  std::copy(x_like_.begin(), x_like_.end(), to.memory.begin() + structure_.dof());
  to.memory.back() = h_;
}

}  // namespace daedal::integrate
