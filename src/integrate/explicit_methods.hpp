#pragma once

#include <memory>

#include "daedal/integrate/explicit_step.hpp"
#include "daedal/integrate/projection.hpp"
#include "daedal/integrate/step_control.hpp"

namespace daedal::integrate {

/// What happens to a step of an explicit method that is off the constraints. Its equations hold one
/// level of them: the others drift.
///
///   projection      a state that is off by more than the drift tolerance is put onto both levels
///   no projection   adaptive steps are halved until the drift is tolerated, where a tolerance is
///                   given; else it is let go
///
/// The drift tolerance is Options::drift_tolerance, or with projection by default a thousandth of the
/// tolerance times min(length, 1); it bounds positions and velocities alike.
class DriftControl {
 public:
  DriftControl(const system::ConstrainedSystem& system, const Options& options, ExplicitStep& step);

  /// Goes to a state and completes it with accelerations; projects it first, if it must.
  StepStatus settle(State& state);
  /// Whether steps are to be shorter where the state placed last is off the constraints.
  bool too_far() const;
  /// An interpolated state onto the constraints, if states are projected at all.
  void put_onto_constraints(State& state);
  double speed_floor = 0.0;  // below which speeds do not count

 private:
  bool beyond(double tolerance) const {
    return step_.position_violation() > tolerance || step_.velocity_violation() > tolerance;
  }

  const Options& options_;
  ExplicitStep& step_;
  std::unique_ptr<system::Evaluator> evaluator_;  // the step's own stays where the next one starts
  Projection projection_;
  double length_;
};

/// An explicit method in steps of given size.
class FixedExplicit final : public FixedStepIntegrator {
 public:
  FixedExplicit(const system::ConstrainedSystem& system, const Options& options,
                std::unique_ptr<ExplicitStep> step);

  void start(State& state, double h) override;
  StepReport step(const State& from, double h, State& to) override;
  int memory_size() const override { return 0; }

  const correct::NewtonCounters& counters() const override { return step_->counters(); }
  const correct::ReferenceQuantities& reference() const override { return reference_; }
  double scaling_factor() const override { return 0.0; }
  correct::MatrixQuality matrix_quality() override { return step_->matrix_quality(); }
  bool regularised() const override { return step_->equations().regularised(); }
  void regularise() override { step_->equations().regularise(); }

 private:
  Options options_;
  std::unique_ptr<ExplicitStep> step_;
  DriftControl drift_;
  correct::ReferenceQuantities reference_;  // scales nothing here
  State at_;                                // where the method is
};

/// An explicit method in steps by its local error: StepControl, factors between 0.2 and 10. Between
/// its steps a solution is the polynomial of degree five with their ends' values, rates and
/// accelerations, in the chart at the beginning.
class AdaptiveExplicit final : public AdaptiveIntegrator {
 public:
  AdaptiveExplicit(const system::ConstrainedSystem& system, const Options& options,
                   std::unique_ptr<ExplicitStep> step);

  void start(State& state, double h) override;
  StepReport advance(double t_stop, State& to) override;
  void interpolate(double t, State& out) override;
  void approximate(double t, State& out) override;
  int memory_size() const override { return 0; }

  const correct::NewtonCounters& counters() const override { return step_->counters(); }
  const correct::ReferenceQuantities& reference() const override { return reference_; }
  double scaling_factor() const override { return 0.0; }
  correct::MatrixQuality matrix_quality() override { return step_->matrix_quality(); }
  bool regularised() const override { return step_->equations().regularised(); }
  void regularise() override { step_->equations().regularise(); }

 private:
  void make_polynomial();

  const system::Structure& structure_;
  Options options_;
  std::unique_ptr<ExplicitStep> step_;
  DriftControl drift_;
  StepControl control_;
  ErrorWeights sizes_;
  correct::ReferenceQuantities reference_;  // scales nothing here

  State before_, now_, trial_;
  double next_h_ = 0.0, smallest_h_ = 0.0;
  double last_h_ = 0.0;  // of the step from before_ to now_; 0: there is none
  // Of the last step, in its chart, for times from 0 to 1: theta and x by powers from 1 on.
  bool has_polynomial_ = false;
  std::vector<double> theta_, c1_, c2_, c3_, c4_, c5_;
  std::vector<math::Mat3> T_;
};

}  // namespace daedal::integrate
