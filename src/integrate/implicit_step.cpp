#include "daedal/integrate/implicit_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedal::integrate {

using correct::NewtonStatus;
using correct::Scaling;

namespace {

/// A solver that does not pivot between nodes needs pivots: massless coordinates have none of their
/// own, and a skyline pivots nowhere [Bauchau2009], section 7.
double default_augmentation(const system::Structure& structure, std::string_view solver) {
  if (solver == "skyline") return 1.0;
  return solver == "tree" && structure.has_massless() ? 1.0 : 0.0;
}

/// Whether the system may solve with its derivatives itself: blocks are needed for differences, for
/// penalties, and for velocities as unknowns of their own.
bool may_stay_unformed(const Options& options, double rho) {
  return options.linear_solver == "tree" && rho == 0.0 &&
         options.newton.source == correct::JacobianSource::analytic &&
         options.unknowns != formulate::Unknowns::uv;
}

std::unique_ptr<linear::Solver> make_solver(const Options& options, formulate::ImplicitCore* core,
                                            const system::Structure& structure) {
  if (!core) return linear::make_solver(options.linear_solver);
  return std::make_unique<linear::BorderedSolver>(*core,
                                                  static_cast<int>(structure.coordinates.size()));
}

}  // namespace

State::State(const system::Structure& s)
    : q(s.storage()),
      v(s.dof()),
      a(s.dof()),
      lambda(s.constraint_rows),
      x(s.state_size),
      x_rate(s.state_size) {}

ImplicitStep::ImplicitStep(const system::ConstrainedSystem& system, const Options& options,
                           bool constraints_elsewhere)
    : system_(system),
      structure_(system.structure()),
      options_(options),
      rho_(options.augmentation.value_or(default_augmentation(structure_, options.linear_solver))),
      formulation_(structure_, options.unknowns),
      accelerations_(system, options.linear_solver),
      evaluator_(system.evaluator()),
      implicit_(may_stay_unformed(options, rho_) ? system.implicit_dynamics() : nullptr),
      core_(implicit_ ? std::make_unique<formulate::ImplicitCore>(*implicit_, structure_.manifold)
                      : nullptr),
      blocks_(structure_, implicit_ ? system::Linearisation::Blocks::own
                                    : system::Linearisation::Blocks::all),
      rows_G_(structure_.constraint),
      matrix_(formulation_.layout(),
              formulation_.terms(blocks_, constraints_elsewhere ? rows_G_ : blocks_.G, blocks_.W),
              structure_, rho_ != 0.0),
      newton_(formulation_.layout(), make_solver(options, core_.get(), structure_),
              options.newton),
      v0_(structure_.dof()),
      increment_(structure_.dof()),
      q_(structure_.storage()),
      v_(structure_.dof()),
      a_(structure_.dof()),
      lambda_(structure_.constraint_rows),
      x_(structure_.state_size),
      x_rate_(structure_.state_size),
      effective_(structure_.constraint_rows),
      g_(structure_.constraint_rows),
      u_(structure_.excitations),
      T_inverse_(structure_.manifold.rotations().size()),
      third_(structure_.dof()),
      saved_increment_(structure_.dof()),
      saved_lambda_(structure_.constraint_rows),
      saved_x_(structure_.state_size),
      scratch_(structure_.dof()),
      offset_(structure_.dof()),
      offset_rows_(structure_.constraint_rows),
      velocity_rows_(structure_.constraint_rows) {
  newton_.use(matrix_);
}

StepReport ImplicitStep::step(const State& from, double h, State& to) {
  from_ = &from;
  h_ = h;
  if (h != last_h_) {
    update_scaling();
    newton_.refactorise();
  }
  last_h_ = h;
  configuration_size_ = 0.0;
  for (double value : from.q) configuration_size_ = std::max(configuration_size_, std::abs(value));

  std::copy(from.v.begin(), from.v.end(), v0_.begin());
  adapt();

  StepReport report;
  report.newton = newton_.solve(*this);
  switch (report.newton.status) {
    case NewtonStatus::converged:
      break;
    case NewtonStatus::diverged:
      report.status = StepStatus::newton_diverged;
      break;
    case NewtonStatus::singular:
      report.status = StepStatus::singular_matrix;
      break;
    case NewtonStatus::not_finite:
      report.status = StepStatus::not_finite;
      break;
  }
  if (report.status != StepStatus::ok) {
    report.where = formulation_.equation_name(report.newton.equation);
    newton_.invalidate();
    return report;
  }
  to.t = from.t + h;
  std::copy(q_.begin(), q_.end(), to.q.begin());
  std::copy(lambda_.begin(), lambda_.end(), to.lambda.begin());
  std::copy(x_.begin(), x_.end(), to.x.begin());
  finish(to);
  return report;
}

void ImplicitStep::predict() {
  // Constant acceleration over the step, the last multipliers.
  for (std::size_t i = 0; i < increment_.size(); ++i) {
    increment_[i] = h_ * (v0_[i] + 0.5 * h_ * from_->a[i]);
  }
  std::copy(from_->lambda.begin(), from_->lambda.end(), lambda_.begin());
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = from_->x[i] + h_ * from_->x_rate[i];
  structure_.manifold.retract(from_->q, increment_, q_);
  kinematics();
  increment_size_ = 0.0;
  for (std::size_t i = 0; i < increment_.size(); ++i) {
    increment_size_ = std::max({increment_size_, std::abs(h_ * from_->v[i]),
                                h_ * h_ * std::abs(from_->a[i])});
  }
}

void ImplicitStep::move(std::span<const double> dy) {
  const std::span<const double> dq = formulation_.coordinates(dy);
  const std::span<const double> dlambda = formulation_.constraints(dy);
  const std::span<const double> dx = formulation_.states(dy);
  if (structure_.manifold.is_linear()) {
    for (std::size_t i = 0; i < increment_.size(); ++i) increment_[i] += dq[i];
  } else {
    // dq lives at the present configuration; in the chart it is T^-1(x) dq.
    std::copy(dq.begin(), dq.end(), scratch_.begin());
    structure_.manifold.inverse_tangents(increment_, T_inverse_);
    structure_.manifold.apply(T_inverse_, scratch_);
    for (std::size_t i = 0; i < increment_.size(); ++i) increment_[i] += scratch_[i];
  }
  for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] += dlambda[i];
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx[i];
  structure_.manifold.retract(from_->q, increment_, q_);
  kinematics();
}

void ImplicitStep::save() {
  saved_increment_ = increment_;
  saved_lambda_ = lambda_;
  saved_x_ = x_;
}

void ImplicitStep::restore() {
  increment_ = saved_increment_;
  lambda_ = saved_lambda_;
  x_ = saved_x_;
  structure_.manifold.retract(from_->q, increment_, q_);
  kinematics();
}

double ImplicitStep::multiplier_to_displacement() const {
  return 1.0 / (factors(h_).displacement[2] * reference_.mass);
}

void ImplicitStep::update_scaling() {
  if (!has_reference_) {
    system_.excitations(from_->t, u_);
    evaluator_->move_to({from_->q, from_->v, from_->x, u_});
    linearise_blocks(from_->a, from_->lambda);
    reference_ = correct::reference_quantities(blocks_);
    const correct::ReferenceOverrides& given = options_.reference;
    reference_.mass = given.mass.value_or(reference_.mass);
    reference_.damping = given.damping.value_or(reference_.damping);
    reference_.stiffness = given.stiffness.value_or(reference_.stiffness);
    reference_.length = given.length.value_or(0.0);
    has_reference_ = true;
  }
  s_ = options_.scaling_factor > 0.0 ? options_.scaling_factor : reference_.factor(h_);
  correct::scale_factors(formulation_.layout(), options_.scaling, h_, factors(h_), s_,
                         matrix_.scale());
}

void ImplicitStep::linearise_blocks(std::span<const double> a, std::span<const double> mu) {
  if (implicit_) {
    implicit_->linearise(*evaluator_, a, mu, blocks_);
  } else {
    evaluator_->linearise(a, mu, blocks_);
  }
}

void ImplicitStep::assemble_with(const correct::NewtonMatrix::Tangents& tangents,
                                 correct::NewtonMatrix& J, double regularisation) {
  const correct::MethodFactors f = factors(h_);
  J.assemble(f, tangents, penalty(), regularisation);
  if (!core_) return;
  core_->P = {f.displacement[0], tangents.positions};
  core_->V = {f.displacement[1], tangents.rates};
  core_->A = {f.displacement[2], tangents.rates};
  core_->left = J.scale().row.front();
  core_->right = J.scale().unknown.front();
}

correct::MatrixQuality ImplicitStep::matrix_quality() {
  correct::ScaleFactors well_scaled;
  correct::scale_factors(formulation_.layout(), Scaling::physical, h_, factors(h_), s_,
                         well_scaled);
  return newton_.examine(*this, well_scaled);
}

double ImplicitStep::penalty() const { return rho_ * s_ / (h_ * h_); }

void ImplicitStep::augment(std::span<const double> g) {
  std::copy(lambda_.begin(), lambda_.end(), effective_.begin());
  if (rho_ == 0.0) return;
  const double p = penalty();
  for (const system::ConstraintNode& node : structure_.constraints) {
    if (node.level != system::Level::position) continue;
    for (int i = node.offset; i < node.offset + node.size; ++i) effective_[i] += p * g[i];
  }
}

void ImplicitStep::jerk(const State& state, double h, std::span<double> out) {
  // Second-order one-sided difference of the accelerations along the Taylor expansion of q. The
  // scheme's own accelerations are not used: they carry oscillations that would feed on themselves.
  constexpr std::array<double, 3> kWeights{-1.5, 2.0, -0.5};
  const double e = 0.05 * h;
  std::fill(out.begin(), out.end(), 0.0);
  for (int k = 0; k < 3; ++k) {
    const double t = k * e;
    for (std::size_t i = 0; i < v_.size(); ++i) {
      increment_[i] = t * (state.v[i] + 0.5 * t * state.a[i]);
      v_[i] = state.v[i] + t * state.a[i];
    }
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = state.x[i] + t * state.x_rate[i];
    structure_.manifold.retract(state.q, increment_, q_);
    system_.excitations(state.t + t, u_);
    evaluator_->move_to({q_, v_, x_, u_});
    if (!accelerations_.accelerations(*evaluator_, a_, lambda_)) {
      std::fill(out.begin(), out.end(), 0.0);
      return;
    }
    for (std::size_t i = 0; i < a_.size(); ++i) out[i] += kWeights[k] * a_[i] / e;
  }
}

void ImplicitStep::add_velocity_offset(const State& state, double size,
                                       const OffsetFactors& factors,
                                       std::span<const double> third, std::span<double> v) {
  if (structure_.constraint_rows == 0) return;
  system_.excitations(state.t, u_);
  evaluator_->move_to({state.q, state.v, state.x, u_});
  if (!accelerations_.factorise(*evaluator_)) return;
  for (std::size_t i = 0; i < offset_.size(); ++i) offset_[i] = factors.position * third[i];
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    const Eigen::Map<const math::Vec3> omega(state.v.data() + r.tangent);
    const Eigen::Map<const math::Vec3> rate(state.a.data() + r.tangent);
    Eigen::Map<math::Vec3>(offset_.data() + r.tangent) += omega.cross(rate) / 12.0;
  }
  std::fill(offset_rows_.begin(), offset_rows_.end(), 0.0);
  evaluator_->G().multiply_add(offset_, offset_rows_);
  std::fill(velocity_rows_.begin(), velocity_rows_.end(), 0.0);
  if (factors.velocity != 0.0) {
    linearise_blocks(state.a, state.lambda);
    blocks_.G.multiply_add(third, velocity_rows_, factors.velocity);
    blocks_.W.multiply_add(state.a, velocity_rows_, factors.velocity);
  }
  for (const system::ConstraintNode& node : structure_.constraints) {
    if (node.level != system::Level::velocity) continue;
    std::copy_n(velocity_rows_.begin() + node.offset, node.size,
                offset_rows_.begin() + node.offset);
  }
  std::fill(offset_.begin(), offset_.end(), 0.0);
  accelerations_.solve(offset_, offset_rows_);
  for (std::size_t i = 0; i < offset_.size(); ++i) v[i] += size * offset_[i];
}

}  // namespace daedal::integrate
