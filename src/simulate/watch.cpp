#include "daedal/simulate/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace daedal::simulate {

namespace {

constexpr std::array<const char*, 7> kSpatialPose{"x", "y", "z", "qw", "qx", "qy", "qz"};
constexpr std::array<const char*, 3> kPlanarPose{"x", "y", "angle"};
constexpr std::array<const char*, 6> kWrench{"fx", "fy", "fz", "mx", "my", "mz"};

/// Words for the parts of a body's q or v.
struct Words {
  std::array<const char*, 3> linear;  // in the plane the third is an angle
  std::vector<const char*> rotation;
};

/// Names of q or v, `body.x`: the words for what each node of coordinates consists of.
std::vector<std::string> body_names(const system::Structure& s, const Words& words) {
  std::vector<std::string> names;
  auto rotation = s.manifold.rotations().begin();
  int tangent = 0;
  for (const auto& node : s.coordinates) {
    const int end = tangent + node.size;
    for (std::size_t axis = 0; tangent < end;) {
      if (rotation != s.manifold.rotations().end() && rotation->tangent == tangent) {
        for (const char* word : words.rotation) {
          names.push_back(fmt::format("{}.{}", node.name, word));
        }
        ++rotation;
        tangent += 3;
      } else {
        names.push_back(fmt::format("{}.{}", node.name, words.linear.at(axis++)));
        ++tangent;
      }
    }
  }
  return names;
}

std::vector<std::string> indexed(const auto& nodes) {
  std::vector<std::string> names;
  for (const auto& node : nodes) {
    for (int i = 0; i < node.size; ++i) names.push_back(fmt::format("{}.{}", node.name, i));
  }
  return names;
}

void copy_without_multipliers(const integrate::State& from, integrate::State& to) {
  to.t = from.t;
  to.q = from.q;
  to.v = from.v;
  to.a = from.a;
  to.x = from.x;
  to.x_rate = from.x_rate;
  to.memory = from.memory;
}

}  // namespace

std::vector<std::string> multiplier_names(const system::Structure& structure) {
  return indexed(structure.constraints);
}

Watch::Watch(const model::Model& model, const coordinates::Mechanism& mechanism,
             formulate::AccelerationLevel& equations, Recorder* recorder,
             const MultiplierRecord* multipliers)
    : model_(model),
      recorder_(recorder),
      multipliers_(multipliers),
      outputs_(model, *mechanism.observer),
      poses_(model.bodies.size() * (model.planar ? kPlanarPose.size() : kSpatialPose.size())),
      reactions_(model.joints.size() * kWrench.size()),
      values_(outputs_.size()) {
  if (multipliers_) {
    recorded_ = integrate::State(multipliers_->structure());
    recorded_lambda_.resize(multipliers_->structure().constraint_rows);
  }
  enter(mechanism, equations);
}

void Watch::enter(const coordinates::Mechanism& mechanism,
                  formulate::AccelerationLevel& equations) {
  system_ = mechanism.system.get();
  observer_ = mechanism.observer.get();
  equations_ = &equations;
  outputs_.observe(*observer_);
  evaluator_ = system_->evaluator();
  const system::Structure& s = system_->structure();
  u_.resize(s.excitations);
  g_.assign(s.constraint_rows, 0.0);
  a_.assign(s.dof(), 0.0);
  lambda_.assign(s.constraint_rows, 0.0);
  probe_a_.assign(s.dof(), 0.0);
  probe_lambda_.assign(s.constraint_rows, 0.0);
  position_row_.clear();
  for (system::Level level : s.row_levels()) {
    position_row_.push_back(level == system::Level::position);
  }
  driven_ = s.directed;
  for (const model::Joint& joint : model_.joints) driven_ |= joint.drive.has_value();
  placed_at_ = -1.0;
  solved_ = false;
}

RowNames Watch::names(int memory_size) const {
  const system::Structure& s = system_->structure();
  RowNames n;
  n.coordinates =
      body_names(s, {{"x", "y", model_.planar ? "angle" : "z"}, {"qw", "qx", "qy", "qz"}});
  n.velocities = body_names(s, {{"vx", "vy", model_.planar ? "omega" : "vz"}, {"wx", "wy", "wz"}});
  n.multipliers = multiplier_names(multipliers_ ? multipliers_->structure() : s);
  n.states = indexed(s.states);
  for (int i = 0; i < memory_size; ++i) n.memory.push_back(fmt::format("m{}", i));
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
  if (multipliers_) n.contacts = multipliers_->contacts();
  n.diagnostics.assign(StepDiagnostics::kNames.begin(), StepDiagnostics::kNames.end());
  return n;
}

void Watch::continue_from(std::span<const double> outputs, double time, const Certificate& past) {
  if (!outputs.empty()) outputs_.continue_from(outputs, time);
  certificate_ = past;
  step_.work = past.work();
}

void Watch::begin(const integrate::State& state, int memory_size) {
  if (recorder_) recorder_->begin(names(memory_size));
  measure(state);
  power_ = power(state);
  certificate_.add(step_);
  solved_ = false;  // the method's start may change the velocities yet
  placed_at_ = -1.0;
}

void Watch::move_to(const integrate::State& state) {
  system_->excitations(state.t, u_);
  evaluator_->move_to({state.q, state.v, state.x, u_});
  placed_at_ = state.t;
  solved_ = false;
}

void Watch::solve(const integrate::State& state) {
  if (solved_) return;
  solvable_ = static_cast<bool>(equations_->accelerations(*evaluator_, a_, lambda_));
  if (!solvable_) {
    // Singular here and now: what the scheme itself has is the best there is.
    std::copy(state.a.begin(), state.a.end(), a_.begin());
    std::copy(state.lambda.begin(), state.lambda.end(), lambda_.begin());
  }
  solved_ = true;
}

void Watch::probe() {
  compliance_ = 0.0;
  if (probe_lambda_.empty() || equations_->regularised() || !solvable_) return;
  std::fill(probe_a_.begin(), probe_a_.end(), 0.0);
  // Numbers between 1 and 3 that are round in no way: no singular position is blind to them.
  for (std::size_t i = 0; i < probe_lambda_.size(); ++i) {
    probe_lambda_[i] = 2.0 + std::cos(1.7 * static_cast<double>(i));
  }
  equations_->solve_once(probe_a_, probe_lambda_);
  for (double value : probe_lambda_) compliance_ = std::max(compliance_, std::abs(value));
}

double Watch::power(const integrate::State& state) {
  const double forces = energy_.applied_power + energy_.dissipation_power;
  if (!driven_) return forces;
  solve(state);
  return forces + evaluator_->drive_power(a_, lambda_);
}

void Watch::measure(const integrate::State& state) {
  move_to(state);
  evaluator_->constraints(g_);
  step_.position_violation = step_.velocity_violation = 0.0;
  for (std::size_t i = 0; i < g_.size(); ++i) {
    if (position_row_[i] && !(std::abs(g_[i]) <= step_.position_violation)) {
      step_.position_violation = std::abs(g_[i]);
      most_open_ = static_cast<int>(i);
    }
  }
  evaluator_->constraint_rates(g_);
  rate_violation_ = 0.0;
  for (std::size_t i = 0; i < g_.size(); ++i) {
    step_.velocity_violation = std::max(step_.velocity_violation, std::abs(g_[i]));
    if (!position_row_[i]) rate_violation_ = std::max(rate_violation_, std::abs(g_[i]));
  }
  energy_ = evaluator_->energy();
  step_.kinetic_energy = energy_.kinetic;
  step_.potential_energy = energy_.potential;
  if (outputs_.needs_following()) {
    observer_->move_to({state.q, state.v, state.x, u_}, state.a, state.lambda);
    outputs_.follow(state.t);
  }
}

std::vector<std::string> Watch::violated_rates() const {
  constexpr double kLargePart = 0.1;
  std::vector<double> rates(g_.size());
  evaluator_->constraint_rates(rates);
  double largest = 0.0;
  for (double rate : rates) largest = std::max(largest, std::abs(rate));
  std::vector<std::string> names;
  for (const system::ConstraintNode& node : system_->structure().constraints) {
    const auto begin = rates.begin() + node.offset;
    if (std::any_of(begin, begin + node.size,
                    [&](double rate) { return std::abs(rate) > kLargePart * largest; })) {
      names.push_back(node.name);
    }
  }
  return names;
}

double Watch::inconsistency_of_rates(const integrate::State& state) {
  system_->excitations(state.t, u_);
  std::fill(probe_a_.begin(), probe_a_.end(), 0.0);
  evaluator_->move_to({state.q, probe_a_, state.x, u_});
  evaluator_->constraint_rates(probe_lambda_);
  const bool solvable = equations_->factorise(*evaluator_).ok;
  if (solvable) equations_->solve(probe_a_, probe_lambda_);
  move_to(state);
  return solvable ? equations_->inconsistency() : 0.0;
}

double Watch::power_at(const integrate::State& state) {
  move_to(state);
  const system::Energy kept = energy_;
  energy_ = evaluator_->energy();
  const double power_there = power(state);
  energy_ = kept;
  return power_there;
}

void Watch::count(const correct::NewtonCounters& counters) {
  step_.jacobian_evaluations = static_cast<double>(counters.jacobian_evaluations);
  step_.jacobian_updates = static_cast<double>(counters.jacobian_updates);
}

void Watch::step_ends(const integrate::State& end, double h, std::optional<double> middle) {
  const double at_end = power(end);
  if (driven_) probe();
  powers_ = {h, power_, middle.value_or(0.5 * (power_ + at_end)), at_end, step_.work};
  step_.step_size = h;
  step_.work = work_after(1.0);
}

double Watch::work_after(double share) const {
  // The parabola through the three powers, integrated; a straight line where there are but two.
  const auto& [h, before, middle, end, work_before] = powers_;
  const double slope = 4.0 * middle - 3.0 * before - end;
  const double bend = 2.0 * (before - 2.0 * middle + end);
  return work_before + h * share * (before + share * (slope / 2.0 + share * bend / 3.0));
}

void Watch::pass(const integrate::State& between, double share) {
  const StepDiagnostics of_step = step_;
  const system::Energy energy = energy_;
  measure(between);
  step_.work = work_after(share);
  certificate_.add(step_);
  record(between);
  step_ = of_step;
  energy_ = energy;
}

void Watch::step_taken(int iterations) {
  power_ = powers_.end;
  step_.newton_iterations = iterations;
  position_drift_ = std::max(position_drift_, step_.position_violation);
  velocity_drift_ = std::max(velocity_drift_, step_.velocity_violation);
  certificate_.add(step_);
}

void Watch::restarted(const integrate::State& state) {
  const double before = energy_.total();
  measure(state);
  power_ = power(state);
  step_.work += energy_.total() - before;
}

void Watch::evaluate(const integrate::State& state) {
  if (placed_at_ != state.t) move_to(state);
  if (!solved_) {
    solve(state);
    probe();
  }
  observer_->move_to({state.q, state.v, state.x, u_}, a_, lambda_);
  outputs_.evaluate(energy_, values_);
}

void Watch::record(const integrate::State& state) {
  evaluate(state);
  if (!recorder_) return;
  fill_poses();
  fill_reactions();
  const auto diagnostics = step_.values();
  if (multipliers_) {
    multipliers_->spread(state, lambda_, recorded_lambda_);
    copy_without_multipliers(state, recorded_);
    multipliers_->spread(state, state.lambda, recorded_.lambda);
    recorder_->record(
        {recorded_, a_, recorded_lambda_, poses_, reactions_, values_, diagnostics});
  } else {
    recorder_->record({state, a_, lambda_, poses_, reactions_, values_, diagnostics});
  }
  ++rows_;
}

void Watch::fill_poses() {
  auto out = poses_.begin();
  for (int i = 0; i < static_cast<int>(model_.bodies.size()); ++i) {
    const model::Pose pose = observer_->pose(i);
    const math::Vec3& p = pose.position;
    const math::Quaternion& r = pose.rotation;
    if (model_.planar) {
      out = std::ranges::copy(std::array{p.x(), p.y(), pose.angle}, out).out;
    } else {
      out = std::ranges::copy(std::array{p.x(), p.y(), p.z(), r.w, r.x, r.y, r.z}, out).out;
    }
  }
}

void Watch::fill_reactions() {
  auto out = reactions_.begin();
  for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
    const coordinates::Wrench w = observer_->reaction(j);
    for (const math::Vec3& part : {w.force, w.torque}) out = std::copy_n(part.data(), 3, out);
  }
}

void Watch::complete(Summary& s) const {
  s.rows = rows_;
  s.max_position_violation = certificate_.max_position_violation();
  s.max_velocity_violation = certificate_.max_velocity_violation();
  s.position_drift = position_drift_;
  s.velocity_drift = velocity_drift_;
  s.relative_energy_error = certificate_.relative_energy_error();
  for (std::size_t k = 0; k < values_.size(); ++k) {
    s.final.push_back({model_.outputs[k].name, values_[k]});
  }
}

}  // namespace daedal::simulate
