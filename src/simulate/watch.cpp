#include "daedal/simulate/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedal::simulate {

namespace {

constexpr std::array<const char*, 7> kSpatialPose{"x", "y", "z", "qw", "qx", "qy", "qz"};
constexpr std::array<const char*, 3> kPlanarPose{"x", "y", "angle"};
constexpr std::array<const char*, 6> kWrench{"fx", "fy", "fz", "mx", "my", "mz"};
constexpr std::array<const char*, 7> kDiagnostics{
    "step_size",     "newton_iterations", "position_violation", "velocity_violation",
    "kinetic_energy", "potential_energy", "work"};

std::vector<std::string> indexed(const auto& nodes) {
  std::vector<std::string> names;
  for (const auto& node : nodes) {
    for (int i = 0; i < node.size; ++i) names.push_back(fmt::format("{}.{}", node.name, i));
  }
  return names;
}

}  // namespace

Watch::Watch(const model::Model& model, const coordinates::Mechanism& mechanism,
             formulate::AccelerationLevel& equations, Recorder* recorder)
    : model_(model),
      system_(*mechanism.system),
      observer_(*mechanism.observer),
      equations_(equations),
      recorder_(recorder),
      outputs_(model, observer_),
      evaluator_(system_.evaluator()),
      u_(system_.structure().excitations),
      g_(system_.structure().constraint_rows),
      a_(system_.structure().dof()),
      lambda_(system_.structure().constraint_rows),
      poses_(model.bodies.size() * (model.planar ? kPlanarPose.size() : kSpatialPose.size())),
      reactions_(model.joints.size() * kWrench.size()),
      values_(outputs_.size()),
      diagnostics_(kDiagnostics.size()) {
  for (system::Level level : system_.structure().row_levels()) {
    position_row_.push_back(level == system::Level::position);
  }
}

RowNames Watch::names(const integrate::State& state) const {
  const system::Structure& s = system_.structure();
  RowNames n;
  for (const system::Node& node : s.coordinates) {
    for (int i = 0; i < node.size; ++i) n.velocities.push_back(fmt::format("{}.{}", node.name, i));
  }
  for (int i = 0; i < s.storage(); ++i) n.coordinates.push_back(fmt::format("q{}", i));
  n.multipliers = indexed(s.constraints);
  n.states = indexed(s.states);
  for (std::size_t i = 0; i < state.memory.size(); ++i) n.memory.push_back(fmt::format("m{}", i));
  for (const model::Body& body : model_.bodies) {
    if (model_.planar) {
      for (const char* c : kPlanarPose) n.poses.push_back(fmt::format("{}.{}", body.name, c));
    } else {
      for (const char* c : kSpatialPose) n.poses.push_back(fmt::format("{}.{}", body.name, c));
    }
  }
  for (const model::Joint& joint : model_.joints) {
    for (const char* c : kWrench) n.reactions.push_back(fmt::format("{}.{}", joint.name, c));
  }
  for (const model::Output& output : model_.outputs) {
    n.outputs.push_back(output.name);
    n.output_units.push_back(output.unit);
  }
  n.diagnostics.assign(kDiagnostics.begin(), kDiagnostics.end());
  return n;
}

void Watch::begin(const integrate::State& state, integrate::Integrator& integrator) {
  // The method's memory has its final length once it has been started.
  integrate::State started = state;
  if (started.memory.empty()) integrator.start(started, 1e-6);
  if (recorder_) recorder_->begin(names(started));
  begun_ = true;
  move_to(state);
  energy_ = evaluator_->energy();
  start_energy_ = energy_.total();
  start_potential_ = energy_.potential;
  energy_scale_ = std::abs(energy_.kinetic);
  last_power_ = power(state.lambda);
  evaluator_->constraints(g_);
  step_taken(state, 0.0, 0);
}

void Watch::continue_from(std::span<const double> outputs) {
  if (!outputs.empty()) outputs_.continue_from(outputs);
}

void Watch::move_to(const integrate::State& state) {
  system_.excitations(state.t, u_);
  evaluator_->move_to({state.q, state.v, state.x, u_});
}

double Watch::power(std::span<const double> lambda) {
  return energy_.applied_power + energy_.dissipation_power + evaluator_->constraint_power(lambda);
}

void Watch::step_taken(const integrate::State& state, double h, int iterations) {
  step_size_ = h;
  iterations_ = iterations;
  move_to(state);
  evaluator_->constraints(g_);
  position_violation_ = velocity_violation_ = 0.0;
  for (std::size_t i = 0; i < g_.size(); ++i) {
    if (position_row_[i]) position_violation_ = std::max(position_violation_, std::abs(g_[i]));
  }
  evaluator_->constraint_rates(g_);
  for (double rate : g_) velocity_violation_ = std::max(velocity_violation_, std::abs(rate));
  max_position_violation_ = std::max(max_position_violation_, position_violation_);
  max_velocity_violation_ = std::max(max_velocity_violation_, velocity_violation_);

  energy_ = evaluator_->energy();
  const double p = power(state.lambda);
  work_ += 0.5 * h * (last_power_ + p);
  last_power_ = p;
  energy_scale_ = std::max({energy_scale_, energy_.kinetic,
                            std::abs(energy_.potential - start_potential_), std::abs(work_)});
  worst_balance_ = std::max(worst_balance_, std::abs(energy_.total() - start_energy_ - work_));
  if (outputs_.needs_following()) {
    observer_.move_to({state.q, state.v, state.x, u_}, state.a, state.lambda);
    outputs_.follow();
  }
}

bool Watch::accelerations(const integrate::State& state, std::span<double> a,
                          std::span<double> lambda) {
  move_to(state);
  return equations_.accelerations(*evaluator_, a, lambda).ok;
}

void Watch::record(const integrate::State& state) {
  if (!accelerations(state, a_, lambda_)) {
    // Singular here and now: what the scheme itself has is the best there is.
    std::copy(state.a.begin(), state.a.end(), a_.begin());
    std::copy(state.lambda.begin(), state.lambda.end(), lambda_.begin());
  }
  observer_.move_to({state.q, state.v, state.x, u_}, a_, lambda_);
  outputs_.evaluate(energy_, values_);
  if (!recorder_) return;
  std::size_t k = 0;
  for (int i = 0; i < static_cast<int>(model_.bodies.size()); ++i) {
    const model::Pose pose = observer_.pose(i);
    if (model_.planar) {
      poses_[k++] = pose.position.x(), poses_[k++] = pose.position.y(), poses_[k++] = pose.angle;
      continue;
    }
    for (int c = 0; c < 3; ++c) poses_[k++] = pose.position[c];
    const math::Quaternion& r = pose.rotation;
    for (double c : {r.w, r.x, r.y, r.z}) poses_[k++] = c;
  }
  k = 0;
  for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
    const coordinates::Wrench w = observer_.reaction(j);
    for (int c = 0; c < 3; ++c) reactions_[k + c] = w.force[c], reactions_[k + 3 + c] = w.torque[c];
    k += 6;
  }
  diagnostics_ = {step_size_,      static_cast<double>(iterations_), position_violation_,
                  velocity_violation_, energy_.kinetic, energy_.potential, work_};
  recorder_->record({state, a_, lambda_, poses_, reactions_, values_, diagnostics_});
}

void Watch::complete(Summary& s) {
  s.max_position_violation = max_position_violation_;
  s.max_velocity_violation = max_velocity_violation_;
  if (begun_ && energy_scale_ > 0.0) s.relative_energy_error = worst_balance_ / energy_scale_;
  for (std::size_t k = 0; begun_ && k < values_.size(); ++k) {
    s.final.push_back({model_.outputs[k].name, values_[k]});
  }
}

}  // namespace daedal::simulate
