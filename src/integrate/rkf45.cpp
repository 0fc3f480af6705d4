#include "daedal/integrate/rkf45.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedal::integrate {

namespace {

constexpr int kStages = Rkf45::kStages;

constexpr std::array<double, kStages> kTimes{0.0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1.0, 1.0 / 2};

/// Row i: weights of the stages before stage i + 1.
constexpr std::array<std::array<double, kStages>, kStages - 1> kWeights{{
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8.0, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2.0, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
}};
constexpr std::array<double, kStages> kFifth{16.0 / 135,      0.0,       6656.0 / 12825,
                                             28561.0 / 56430, -9.0 / 50, 2.0 / 55};
constexpr std::array<double, kStages> kFourth{25.0 / 216,    0.0,      1408.0 / 2565,
                                              2197.0 / 4104, -1.0 / 5, 0.0};

}  // namespace

Rkf45::Rkf45(const system::ConstrainedSystem& system, const Options& options)
    : ExplicitStep(system, options, kStages + 1),
      here_(system.evaluator()),
      u_(structure_.excitations),
      row_(structure_.constraint_rows),
      g_(structure_.constraint_rows) {
  if (forward_) forward_here_ = here_->forward_dynamics();
}

/// Accelerations of a stage, where the evaluator is.
StepStatus Rkf45::accelerate(Stage& stage) {
  ++counters_.residual_evaluations;
  ++counters_.function_evaluations;
  if (forward_here_) {
    forward_here_->accelerations({}, stage.a);
    return StepStatus::ok;
  }
  here_->force(stage.a);
  here_->gamma(row_);
  counters_.function_evaluations += 2;  // and of the rows
  const double alpha = options_.baumgarte_alpha, beta = options_.baumgarte_beta;
  if (alpha > 0.0) {
    here_->constraint_rates(g_);
    for (std::size_t i = 0; i < row_.size(); ++i) row_[i] -= 2.0 * alpha * g_[i];
  }
  if (beta > 0.0) {
    here_->constraints(g_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level == system::Level::velocity) continue;
      for (int i = node.offset; i < node.offset + node.size; ++i) row_[i] -= beta * beta * g_[i];
    }
  }
  const linear::FactorStatus status = equations_.factorise(*here_);
  counters_.factorizations = equations_.factorizations();
  if (!status) return failed(status);
  equations_.solve_once(stage.a, row_);
  ++counters_.linear_solves;
  return StepStatus::ok;
}

StepStatus Rkf45::step(double h, State& to) {
  h_ = h;
  begin_stages();
  const bool pushed = options_.baumgarte_alpha > 0.0 || options_.baumgarte_beta > 0.0;
  for (int i = 0; i < kStages; ++i) {
    Stage& stage = stages_[i];
    if (i == 0 && !pushed) {
      stage.a = from_.a;
      continue;
    }
    if (i > 0) {
      const std::span<const double> weights(kWeights[i - 1].data(), i);
      place_positions(stage, weights, h);
      place_velocities(stage.v, weights, h);
    }
    excitations(from_.t + kTimes[i] * h, u_);
    here_->move_to({stage.q, stage.v, stage.x, u_});
    rates(stage, *here_);
    if (const StepStatus status = accelerate(stage); status != StepStatus::ok) return status;
  }
  if (!forward_) ++counters_.function_evaluations;  // of the rows at the end
  Stage& end = stages_.back();
  const auto& weights = options_.local_extrapolation ? kFifth : kFourth;
  place_positions(end, weights, h);
  place_velocities(end.v, weights, h);
  std::copy(end.q.begin(), end.q.end(), to.q.begin());
  std::copy(end.v.begin(), end.v.end(), to.v.begin());
  std::copy(end.x.begin(), end.x.end(), to.x.begin());
  to.t = from_.t + h;
  return StepStatus::ok;
}

double Rkf45::error(ErrorWeights& sizes) {
  weigh(sizes);
  const auto difference = [&](auto&& rate) {
    double sum = 0.0;
    for (int j = 0; j < kStages; ++j) sum += (kFifth[j] - kFourth[j]) * rate(stages_[j]);
    return h_ * sum;
  };
  const double error =
      norm([&](int i) { return difference([i](const Stage& s) { return s.theta_rate[i]; }); },
           [&](int i) { return difference([i](const Stage& s) { return s.a[i]; }); },
           [&](int i) { return difference([i](const Stage& s) { return s.c[i]; }); });
  name_worst();
  return error;
}

}  // namespace daedal::integrate
