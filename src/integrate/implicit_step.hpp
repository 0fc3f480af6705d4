#pragma once

#include <algorithm>

#include "daedal/formulate/index3.hpp"
#include "daedal/integrate/integrator.hpp"

namespace daedal::integrate {

/// What the implicit one-step methods share: the trial of a step, its Newton iteration, scaling,
/// augmentation, and the start values that keep the multipliers second order.
///
/// The unknowns of a step are the increment x of the configuration, q_1 = retract(q_0, x), the
/// multipliers and the states. A method adds what v and a are for a given x, and where the
/// equations are evaluated.
class ImplicitStep : public FixedStepIntegrator, protected correct::StepEquations {
 public:
  /// `constraints_elsewhere`: the rows of the position constraints are linearised at another point
  /// than the dynamics, into rows_G_.
  ImplicitStep(const system::ConstrainedSystem& system, const Options& options,
               bool constraints_elsewhere);

  StepReport step(const State& from, double h, State& to) final;
  const correct::NewtonCounters& counters() const final { return newton_.counters(); }
  correct::MatrixQuality matrix_quality() final;
  const correct::ReferenceQuantities& reference() const final { return reference_; }
  double scaling_factor() const final { return s_; }
  bool regularised() const final { return newton_.regularised(); }
  void regularise() final {
    newton_.regularise();
    accelerations_.regularise();
  }

 protected:
  /// Factors of the present step: dq''/dx and so on.
  virtual correct::MethodFactors factors(double h) const = 0;
  /// Adapts what the state carries to the size of the step; v0_ holds the state's velocity.
  virtual void adapt() = 0;
  /// Fills trial velocities, accelerations and state rates from the increment.
  virtual void kinematics() = 0;
  /// Completes the accepted state.
  virtual void finish(State& to) = 0;

  // StepEquations
  void predict() override;
  void forget_multipliers() final { std::fill(lambda_.begin(), lambda_.end(), 0.0); }
  void move(std::span<const double> dy) final;
  void save() override;
  void restore() override;
  double increment_size() const final { return increment_size_; }
  double configuration_size() const final { return configuration_size_; }
  double mechanism_size() const final {
    return reference_.length > 0.0 ? reference_.length : configuration_size_;
  }
  double multiplier_to_displacement() const final;

  /// lambda + penalty * g for position rows, in effective_.
  void augment(std::span<const double> g);
  double penalty() const;

  /// Third derivative of q at a state, by differences of accelerations. Overwrites the trial.
  void jerk(const State& state, double h, std::span<double> out);
  /// The velocity that an index-3 scheme carries is off the hidden constraints by h^2 times an
  /// offset; a run that starts without it has multipliers of first order [Arnold2015]:
  ///
  ///     offset = M^-1 G^T (G M^-1 G^T)^-1 c,    c = G (position q''' + (omega x omega')/12)
  ///
  /// in position rows, the second term in rotations alone, and in velocity rows
  /// c = velocity (A q''' + W q'').
  struct OffsetFactors {
    double position = 0.0, velocity = 0.0;
  };
  /// v += size * offset at a state; size is h^2, or its change when the step changes.
  void add_velocity_offset(const State& state, double size, const OffsetFactors& factors,
                           std::span<const double> third, std::span<double> v);

  /// The derivative blocks at the evaluator's point.
  void linearise_blocks(std::span<const double> a, std::span<const double> mu);
  /// Assembles with the factors of the present step.
  void assemble_with(const correct::NewtonMatrix::Tangents& tangents, correct::NewtonMatrix& J,
                     double regularisation);

  const system::ConstrainedSystem& system_;
  const system::Structure& structure_;
  Options options_;
  double rho_;  // of the augmented Lagrangian
  formulate::Index3 formulation_;
  formulate::AccelerationLevel accelerations_;
  std::unique_ptr<system::Evaluator> evaluator_;
  /// Where M, D and K are full but can be solved with: then blocks_ has their diagonal blocks alone.
  std::unique_ptr<system::ImplicitDynamics> implicit_;
  std::unique_ptr<formulate::ImplicitCore> core_;
  system::Linearisation blocks_;
  linear::BlockMatrix rows_G_;
  correct::NewtonMatrix matrix_;
  correct::Newton newton_;

  // The step under way.
  const State* from_ = nullptr;
  double h_ = 0.0;
  double s_ = 1.0;  // scaling factor of the present matrix
  std::vector<double> v0_;  // velocity from which the step starts
  std::vector<double> increment_, q_, v_, a_, lambda_, x_, x_rate_;
  std::vector<double> effective_, g_;
  std::vector<math::Jet> u_;
  std::vector<math::Mat3> T_inverse_;
  std::vector<double> third_;

 private:
  std::vector<double> saved_increment_, saved_lambda_, saved_x_, scratch_;
  std::vector<double> offset_, offset_rows_, velocity_rows_;
  double increment_size_ = 0.0, configuration_size_ = 0.0;
  double last_h_ = 0.0;
  bool has_reference_ = false;
  correct::ReferenceQuantities reference_;

 protected:
  void update_scaling();
};

}  // namespace daedal::integrate
