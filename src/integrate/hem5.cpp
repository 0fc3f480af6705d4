#include "daedal/integrate/hem5.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedal::integrate {

namespace {

constexpr int kStages = Hem5::kStages;

/// c_i; the last is that of the result.
constexpr std::array<double, kStages + 1> kTimes{
    0.0, 0.1, 0.15, 0.3614787346573635, 0.08535584335486351, 0.5, 0.8, 1.0, 1.0};

/// Row i: weights of the stages before stage i + 1; the last row has those of the result.
constexpr std::array<std::array<double, kStages>, kStages> kWeights{{
    {0.1},
    {0.03749999999999999, 0.1125},
    {0.3222169236216038, -1.188883322987607, 1.228145134023366},
    {-0.03501123898129943, 0.3725420601086163, -0.2721053535582034, 0.01993037578575077},
    {-0.5576547055042005, 1.367307289645883, -1.732236360460725, 0.4587772007467548,
     0.963806575572288},
    {0.08654517193566155, -0.08810082847945416, 0.1981275547329404, -0.4645422679331083,
     0.1615170091109488, 0.9064533606330119},
    {0.0, 0.0, 0.0, 3.624477248753816, -0.4617724189181256, -3.198024628164272, 1.03531979832874},
    {0.0, 0.0, 0.0, 0.2467760667636791, 0.2106594087489728, 0.1769218149125021, 0.3064446444147922,
     0.05919806516005373},
}};

}  // namespace

Hem5::Hem5(const system::ConstrainedSystem& system, const Options& options)
    : ExplicitStep(system, options, kStages + 1),
      here_(system.evaluator()),
      next_(system.evaluator()),
      u_here_(structure_.excitations),
      u_next_(structure_.excitations),
      w_(structure_.dof()),
      row_(structure_.constraint_rows) {
  if (!forward_) return;
  forward_here_ = here_->forward_dynamics();
  forward_next_ = next_->forward_dynamics();
}

StepStatus Hem5::step(double h, State& to) {
  h_ = h;
  begin_stages();
  system::Evaluator* at = start_.get();
  system::ForwardDynamics* forward = forward_;
  for (int i = 0; i < kStages; ++i) {
    Stage &stage = stages_[i], &next = stages_[i + 1];
    const std::span<const double> weights(kWeights[i].data(), i + 1);
    const double own = h * weights.back();
    place_positions(next, weights, h);
    place_velocities(w_, weights.first(i), h);

    if (forward) {
      if (i > 0) {
        forward->accelerations({}, stage.a);
        ++counters_.residual_evaluations;
        ++counters_.function_evaluations;
      } else {
        stage.a = from_.a;
      }
    } else {
      excitations(from_.t + kTimes[i + 1] * h, u_next_);
      next_->move_to({next.q, w_, next.x, u_next_});
      next_->constraint_rates(row_);
      ++counters_.function_evaluations;
      for (double& value : row_) value /= -own;
      if (i > 0) {
        at->force(stage.a);
        ++counters_.residual_evaluations;
        ++counters_.function_evaluations;
      } else {
        stage.a = force_;
      }
      const linear::FactorStatus status = equations_.factorise(*at, next_->G());
      counters_.factorizations = equations_.factorizations();
      if (!status) return failed(status);
      equations_.solve_once(stage.a, row_);
      ++counters_.linear_solves;
    }
    for (std::size_t k = 0; k < w_.size(); ++k) next.v[k] = w_[k] + own * stage.a[k];

    if (i + 1 == kStages) break;
    std::swap(here_, next_);
    std::swap(u_here_, u_next_);
    std::swap(forward_here_, forward_next_);
    at = here_.get();
    forward = forward_here_;
    if (forward) excitations(from_.t + kTimes[i + 1] * h, u_here_);
    at->move_to({next.q, next.v, next.x, u_here_});
    rates(next, *at);
  }
  const Stage& end = stages_.back();
  std::copy(end.q.begin(), end.q.end(), to.q.begin());
  std::copy(end.v.begin(), end.v.end(), to.v.begin());
  std::copy(end.x.begin(), end.x.end(), to.x.begin());
  to.t = from_.t + h;
  return StepStatus::ok;
}

double Hem5::error(ErrorWeights& sizes) {
  weigh(sizes);
  const Stage &end = stages_[8], &eighth = stages_[7], &seventh = stages_[6];
  const double coarse = norm(
      [&](int i) {
        return end.theta[i] - h_ * (2.5 * seventh.theta_rate[i] - 1.5 * eighth.theta_rate[i]);
      },
      [&](int i) { return end.v[i] - from_.v[i] - h_ * (2.5 * seventh.a[i] - 1.5 * eighth.a[i]); },
      [&](int i) { return end.x[i] - from_.x[i] - h_ * (2.5 * seventh.c[i] - 1.5 * eighth.c[i]); });
  const double fine = norm([&](int i) { return end.theta[i] - eighth.theta[i]; },
                           [&](int i) { return end.v[i] - eighth.v[i]; },
                           [&](int i) { return end.x[i] - eighth.x[i]; });
  name_worst();
  return fine > 0.0 ? fine * fine / (fine + 0.01 * coarse) : fine;
}

}  // namespace daedal::integrate
