#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/correct/newton.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/formulate/index3.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::integrate {

/// Everything a run carries from one step to the next.
struct State {
  double t = 0.0;
  std::vector<double> q, v, a, lambda, x, x_rate;
  std::vector<double> memory;  // the method's own: a continued run needs it

  explicit State(const system::Structure& structure);
  State() = default;
};

enum class StepStatus { ok, newton_diverged, singular_matrix, not_finite };

struct StepReport {
  StepStatus status = StepStatus::ok;
  correct::NewtonReport newton;
  std::string where;  // equation that failed
};

/// What every one-step method can be told.
struct Options {
  std::string linear_solver = "tree";
  correct::Scaling scaling = correct::Scaling::time_step;
  double scaling_factor = 0.0;  // s of `physical`; 0: from the reference quantities
  correct::ReferenceOverrides reference;
  // rho; default: 1 where the solver does not pivot and a pivot may be zero (see ImplicitStep)
  std::optional<double> augmentation;
  formulate::Unknowns unknowns = formulate::Unknowns::u;  // Newmark family
  correct::NewtonOptions newton;
  // Parameters of single methods.
  double rho_inf = 0.9;    // generalized-alpha
  double alpha = -0.1;     // hht
  double beta = 0.25;      // newmark
  double gamma = 0.5;      // newmark
};

/// A one-step method of fixed step on the index-3 equations.
///
/// start() makes a consistent state (q, v, a, lambda with the acceleration level satisfied) ready
/// for steps of size h; step() goes from one state to the next and leaves the first untouched.
class Integrator {
 public:
  virtual ~Integrator() = default;

  virtual void start(State& state, double h) = 0;
  virtual StepReport step(const State& from, double h, State& to) = 0;
  /// Length of State::memory once start() has been called.
  virtual int memory_size() const = 0;

  virtual const correct::NewtonCounters& counters() const = 0;
  /// Of the system at the start of its first step, and the factor s of the present step.
  virtual const correct::ReferenceQuantities& reference() const = 0;
  virtual double scaling_factor() const = 0;
  /// Of the Newton matrix at the last step's solution.
  virtual correct::MatrixQuality matrix_quality() = 0;
  virtual bool regularised() const = 0;
  virtual void regularise() = 0;
};

}  // namespace daedal::integrate
