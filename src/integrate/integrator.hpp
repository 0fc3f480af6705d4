#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/correct/first_order_matrix.hpp"
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

enum class StepStatus { ok, newton_diverged, singular_matrix, not_finite, step_too_small };

struct StepReport {
  StepStatus status = StepStatus::ok;
  correct::NewtonReport newton;
  int rejected = 0;   // adaptive methods: trials on the way to this step
  bool at_minimum = false;  // of Options::min_step, with an error or a drift that is not tolerated
  std::string where;  // equation that failed
};

/// What every method can be told.
struct Options {
  std::string linear_solver = "tree";
  correct::Scaling scaling = correct::Scaling::time_step;
  double scaling_factor = 0.0;  // s of `physical`; 0: from the reference quantities
  correct::ReferenceOverrides reference;
  // rho; default: 1 where the solver does not pivot and a pivot may be zero (see ImplicitStep)
  std::optional<double> augmentation;
  formulate::Unknowns unknowns = formulate::Unknowns::u;  // Newmark family
  bool stabilised = false;  // Newmark family: both levels of the constraints, not positions alone
  correct::NewtonOptions newton;
  // Parameters of single methods.
  double rho_inf = 0.9;    // generalized-alpha
  double alpha = -0.1;     // hht
  double beta = 0.25;      // newmark
  double gamma = 0.5;      // newmark
  // Adaptive methods.
  double tolerance = 1e-6;  // relative, of the local error
  double absolute_tolerance = 0.0;  // of q, v and x, in their units; 0: from their sizes
  double max_step = 0.0;    // [s]; 0: none
  double min_step = 0.0;    // explicit methods [s]: taken whatever the error; 0: none
  bool projection = true;   // explicit methods: onto constraints that drift
  // Explicit methods: violation [m, rad] and [m/s, rad/s] that is let pass; 0: by the tolerance.
  double drift_tolerance = 0.0;
  bool local_extrapolation = true;  // rkf45: to the result of the higher order
  int max_order = 5;        // bdf
  formulate::Form form = formulate::Form::ggl;
  double baumgarte_alpha = 0.0, baumgarte_beta = 0.0;  // index-1 [1/s]
  correct::JacobianUpdate jacobian_update = correct::JacobianUpdate::none;
  correct::JacobianPattern jacobian_pattern = correct::JacobianPattern::topology;
  formulate::Formalism formalism = formulate::Formalism::residual;
};

/// What all methods have in common. start() makes a consistent state (q, v, a, lambda with the
/// acceleration level satisfied) ready for steps, of size h or, if the method is adaptive, of at
/// most h for the first.
class Integrator {
 public:
  virtual ~Integrator() = default;

  virtual void start(State& state, double h) = 0;
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

/// A one-step method of fixed step: step() goes from one state to the next and leaves the first
/// untouched.
class FixedStepIntegrator : public Integrator {
 public:
  virtual StepReport step(const State& from, double h, State& to) = 0;
};

/// A method that chooses its steps, and has a past: it goes on from where it is.
class AdaptiveIntegrator : public Integrator {
 public:
  /// One step of its own size, never beyond t_stop, where it may end exactly. After a failure it
  /// must be started anew.
  virtual StepReport advance(double t_stop, State& to) = 0;
  /// The solution at a time within the last step.
  virtual void interpolate(double t, State& out) = 0;
  /// The same for less: left where the interpolation puts it, off the constraints by its error.
  virtual void approximate(double t, State& out) = 0;
};

}  // namespace daedal::integrate
