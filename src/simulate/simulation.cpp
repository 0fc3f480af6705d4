#include "daedal/simulate/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/check.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/outputs.hpp"
#include "daedal/simulate/references.hpp"
#include "daedal/simulate/watch.hpp"

namespace daedal::simulate {

namespace {

using integrate::State;
using integrate::StepReport;
using integrate::StepStatus;

/// A reduced step is at least this fraction of the step asked for.
constexpr double kSmallestStep = 1e-6;
/// Newton's tolerance: what all steps together may leave is this share of the run's tolerance (the
/// motion can amplify it). Where round-off stops the iteration earlier, the larger share in one
/// step will do.
constexpr double kNewtonShare = 1e-3;
constexpr double kAcceptableShare = 0.1;
constexpr double kSmallestNewtonTolerance = 1e-13;
constexpr double kSmallestTolerance = kSmallestNewtonTolerance / kAcceptableShare;
/// A step that ends at a break point sees the excitations this share of the run's time before it:
/// the limit from the left, which the rounding of times does not cross.
constexpr double kLeftOfBreak = 256.0 * std::numeric_limits<double>::epsilon();
/// Rounding of the grid's times, as a share of the run's time; smaller than kLeftOfBreak.
constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
/// Times that differ by less than this share of a step are one.
constexpr double kSameTime = 1e-9;
/// The length of a mechanism whose points are all in one place [m].
constexpr double kAssumedLength = 1.0;
/// An energy error that deserves a warning.
constexpr double kLargeEnergyError = 1e-2;

Status status_of(StepStatus status) {
  switch (status) {
    case StepStatus::newton_diverged: return Status::newton_diverged;
    case StepStatus::singular_matrix: return Status::singular_matrix;
    case StepStatus::not_finite: return Status::not_finite;
    case StepStatus::ok: break;
  }
  return Status::done;
}

void check(const model::Model& model, const Settings& settings, const std::string& method) {
  std::vector<model::Problem> problems = validate(model);
  for (model::Problem& p : validate(settings)) problems.push_back(std::move(p));
  if (problems.empty() &&
      !is_possible({settings.coordinates, settings.formulation, method})) {
    std::vector<std::string> possible;
    for (const Combination& c : combinations()) {
      possible.push_back(fmt::format("{} + {} + {}", c.coordinates, c.formulation, c.method));
    }
    problems.push_back({"simulate.method",
                        fmt::format("simulate: {} coordinates, {} and {} do not go together; "
                                    "possible are: {}",
                                    settings.coordinates, settings.formulation, method,
                                    fmt::join(possible, ", "))});
  }
  if (!problems.empty()) throw model::ModelError(std::move(problems));
}

/// Largest extent along an axis of what a model places in its reference pose: origins and centres of
/// bodies, points of joints.
double width(const model::Model& model) {
  math::Vec3 low = math::Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  const auto add = [&](const model::Pose& pose, const math::Vec3& point) {
    math::Mat3 R = math::rotation_matrix(pose.rotation);
    if (model.planar) R = math::rotation_matrix(math::exp_so3({0.0, 0.0, pose.angle}));
    const math::Vec3 x = pose.position + R * point;
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  };
  const auto bodies = model::index_by_name(model.bodies);
  for (const model::Body& body : model.bodies) {
    add(body.pose, math::Vec3::Zero());
    add(body.pose, body.center);
  }
  for (const model::Joint& joint : model.joints) {
    for (const model::Attachment& on : joint.on) {
      const auto it = bodies.find(on.body);
      add(it == bodies.end() ? model::Pose{} : model.bodies[it->second].pose, on.point);
    }
  }
  return model.bodies.empty() ? 0.0 : (high - low).maxCoeff();
}

/// Whether neither the settings nor the model say how large the mechanism is.
bool without_length(const model::Model& model, const Settings& settings) {
  return !settings.reference_length && !(width(model) > 0.0);
}

integrate::Options integrator_options(const model::Model& model, const Settings& settings,
                                      int unknowns) {
  integrate::Options o;
  o.linear_solver = settings.linear_solver != "auto" ? settings.linear_solver
                                                     : std::string(default_solver(settings, unknowns));
  o.unknowns = *formulate::unknowns_from(settings.unknowns);
  o.scaling = *correct::scaling_from(settings.scaling);
  o.scaling_factor = settings.scaling_factor.value_or(0.0);
  o.augmentation = settings.augmentation;
  o.reference = {settings.reference_mass, settings.reference_damping, settings.reference_stiffness,
                 without_length(model, settings) ? kAssumedLength
                                                 : settings.reference_length.value_or(width(model))};
  o.newton.acceptable = kAcceptableShare * settings.tolerance;
  o.newton.tolerance =
      std::max(kSmallestNewtonTolerance,
               kNewtonShare * settings.tolerance * step_size(settings) / settings.until);
  o.newton.max_iterations = settings.max_iterations;
  o.newton.source = *correct::jacobian_source_from(settings.jacobian);
  o.newton.reuse = settings.jacobian_reuse;
  o.rho_inf = settings.rho_inf;
  o.alpha = settings.alpha;
  o.beta = settings.beta;
  o.gamma = settings.gamma;
  return o;
}

/// Distance of nearly dependent constraints, relative to their size, that makes a position singular:
/// where a matrix was, and where a step may have passed it.
constexpr double kSingularDistance = 1e-4;
constexpr double kPassingDistance = 2e-2;
/// Multipliers that are a surge, the weight of a step in what is usual, and how often one looks.
constexpr double kSurge = 20.0;
constexpr double kMemory = 0.02;
constexpr int kLooks = 10;

/// The model in the coordinates asked for. Joint coordinates start from what absolute ones were
/// assembled to; `assembly` says what that took, and the run finds out again if it failed.
coordinates::Mechanism make_mechanism(const model::Model& model, const Settings& settings,
                                      std::optional<AssemblyReport>& assembly) {
  coordinates::Mechanism absolute = coordinates::make_absolute(model);
  if (settings.coordinates == "absolute") return absolute;
  const system::Structure& s = absolute.system->structure();
  formulate::AccelerationLevel equations(*absolute.system,
                                         default_solver(settings, s.dof() + s.constraint_rows));
  State state(s);
  AssemblyReport report = assemble(absolute, equations, state);
  if (report.status != Status::done || !report.contradictions.empty()) return absolute;
  assembly = std::move(report);
  return coordinates::make_joint(model, absolute, {state.q, state.v});
}

/// One run: assembly, then steps on a grid between break points.
class Run {
 public:
  Run(const model::Model& model, const Settings& settings, const RunOptions& options,
      const MethodChoice& choice)
      : settings_(settings),
        options_(options),
        mechanism_(make_mechanism(model, settings, preliminary_)),
        system_(*mechanism_.system),
        integrator_options_(integrator_options(
            model, settings, system_.structure().dof() + system_.structure().constraint_rows)),
        equations_(system_, integrator_options_.linear_solver),
        integrator_(
            integrate::find_method(choice.method)->make(system_, integrator_options_)),
        watch_(model, mechanism_, equations_, options.recorder),
        state_(system_.structure()),
        next_(system_.structure()) {
    Summary& s = summary_;
    s.model = model.title;
    s.coordinates = settings.coordinates;
    s.formulation = settings.formulation;
    s.method = choice.method;
    s.method_reason = choice.reason;
    s.step_unknowns = settings.unknowns;
    s.scaling = settings.scaling;
    s.jacobian = settings.jacobian;
    s.linear_solver = integrator_options_.linear_solver;
    s.step = step_size(settings);
    s.length_assumed = without_length(model, settings);
    s.tolerance = settings.tolerance;
    s.bodies = static_cast<int>(model.bodies.size());
    s.joints = static_cast<int>(model.joints.size());
    s.unknowns = system_.structure().dof();
    s.constraints = system_.structure().constraint_rows;
    s.cut_joints = mechanism_.cut;
    Settings used = settings;
    used.method = s.method;
    used.linear_solver = s.linear_solver;
    s.references = references(used, s.unknowns + s.constraints + system_.structure().state_size);
  }

  Summary execute() {
    if (options_.continue_from ? resume(*options_.continue_from) : start()) integrate();
    finish();
    return std::move(summary_);
  }

 private:
  bool start() {
    summary_.assembly = assemble(mechanism_, equations_, state_);
    if (!summary_.assembly.contradictions.empty()) {
      throw model::ModelError(summary_.assembly.contradictions);
    }
    if (!accept(summary_.assembly)) return false;
    if (preliminary_) summary_.assembly = std::move(*preliminary_);
    adopt_dependence();
    watch_.begin(state_, integrator_->memory_size());
    begun_ = true;
    // The first row is the assembled state; what the method makes of it to start comes after.
    state_.memory.assign(integrator_->memory_size(), 0.0);
    if (!record()) return false;
    integrator_->start(state_, first_step());
    return true;
  }

  double first_step() const {
    const double end = pieces().front();
    return end / static_cast<double>(steps_in(end));
  }

  bool resume(const Continuation& from) {
    check_sizes(from.state);
    state_ = from.state;
    watch_.continue_from(from.outputs, from.state.t, from.past);
    const bool at_start = state_.t == 0.0;
    const bool anew = state_.memory.empty();
    if (anew) {
      if (!accept(reconcile(mechanism_, equations_, state_))) return false;
    } else {
      // Dependent constraints show when accelerations are looked for; the state stays as it is.
      State copy = state_;
      reconcile(mechanism_, equations_, copy);
    }
    adopt_dependence();
    if (anew || at_start) integrator_->start(state_, at_start ? first_step() : summary_.step);
    watch_.begin(state_, integrator_->memory_size());
    begun_ = true;
    recorded_ = state_.t;
    if (settings_.output_step) next_output_ = output_after(state_.t);
    return true;
  }

  void check_sizes(const State& from) const {
    const auto fits = [](const std::vector<double>& a, const std::vector<double>& b) {
      return a.size() == b.size();
    };
    const bool same = fits(from.q, state_.q) && fits(from.v, state_.v) && fits(from.a, state_.a) &&
                      fits(from.lambda, state_.lambda) && fits(from.x, state_.x) &&
                      fits(from.x_rate, state_.x_rate);
    const int memory = static_cast<int>(from.memory.size());
    if (same && (memory == 0 || memory == integrator_->memory_size())) return;
    throw model::ModelError(std::vector<model::Problem>{
        {"simulate",
         "simulate: the state to continue from has other unknowns than this model or method; start "
         "a new run instead"}});
  }

  bool accept(const AssemblyReport& report) {
    return report.status == Status::done || fail(report.status, report.message);
  }

  /// Dependent constraints found on the acceleration level are dependent in the steps, too.
  void adopt_dependence() {
    doctor::Dependence& dependence = summary_.assembly.dependence;
    if (equations_.regularised()) {
      integrator_->regularise();
      singular_ = true;
    }
    if (dependence.rows == 0) dependence = examine(mechanism_, state_);
    summary_.redundant = !dependence.independent();
    summary_.constraint_verdict = dependence.verdict();
    singular_start_ = singular_start(dependence, state_.t);
    if (singular_start_.empty()) return;
    singular_ = true;
    summary_.warnings.push_back(singular_start_);
  }

  /// Constraints that were independent until now.
  void notice_singularity() {
    if (singular_) return;
    const bool certain = equations_.regularised() || integrator_->regularised();
    if (!certain && !multipliers_surge()) return;
    const std::string warning =
        singular_position(mechanism_, state_, certain ? kSingularDistance : kPassingDistance);
    if (warning.empty() && !certain) return;
    singular_ = true;
    summary_.redundant |= certain;
    summary_.constraint_verdict =
        fmt::format("dependent near t = {:.6g} s, a singular position: the motion may branch there",
                    state_.t);
    if (!warning.empty()) summary_.warnings.push_back(warning);
  }

  /// Reactions grow without bound towards a singular position: a surge beyond what was usual is a
  /// reason to look, some times in a run.
  bool multipliers_surge() {
    double largest = 0.0;
    for (double value : state_.lambda) largest = std::max(largest, std::abs(value));
    const bool surge = usual_multiplier_ > 0.0 && largest > kSurge * usual_multiplier_;
    if (surge) return ++looks_ <= kLooks;
    usual_multiplier_ += kMemory * (largest - usual_multiplier_);
    if (summary_.steps <= 1) usual_multiplier_ = largest;
    return false;
  }

  /// Ends of the smooth pieces of the run.
  std::vector<double> pieces() const {
    const double shortest = 4.0 * kLeftOfBreak * settings_.until;
    std::vector<double> ends;
    for (double t : system_.break_points(0.0, settings_.until)) {
      if (t < shortest || t > settings_.until - shortest) continue;
      if (!ends.empty() && t - ends.back() < shortest) ends.pop_back();
      ends.push_back(t);
    }
    ends.push_back(settings_.until);
    return ends;
  }

  long steps_in(double length) const {
    return std::max(1L, static_cast<long>(std::ceil(length / summary_.step * (1.0 - 1e-12))));
  }

  void integrate() {
    double begin = 0.0;
    for (double end : pieces()) {
      if (!integrate(begin, end)) return;
      begin = end;
    }
  }

  /// One smooth piece, in steps of equal size.
  bool integrate(double begin, double end) {
    const bool last_piece = end == settings_.until;
    const long count = steps_in(end - begin);
    const double h = (end - begin) / static_cast<double>(count);
    if (state_.t >= end - kSameTime * h) return true;  // a continued run is past it
    if (begin > 0.0 && std::abs(state_.t - begin) < kSameTime * h) {
      if (!restart(begin, h) || !record_if_due()) return false;
    }
    const double last = last_piece ? end : end - kLeftOfBreak * settings_.until;
    for (long k = static_cast<long>((state_.t - begin) / h + 1e-6); k < count; ++k) {
      const bool at_end = k + 1 == count;
      if (!advance(at_end ? last : begin + static_cast<double>(k + 1) * h, h)) return false;
      // The row of a break point is recorded after the restart there.
      if (at_end ? last_piece && !record() : !record_if_due()) return false;
    }
    return true;
  }

  /// A new smooth piece: consistent velocities and accelerations, fresh start values.
  bool restart(double t, double h) {
    state_.t = t;
    if (!accept(reconcile(mechanism_, equations_, state_))) return false;
    integrator_->start(state_, h);
    watch_.restarted(state_);
    return true;
  }

  /// From the present state to the grid point `target`, in one step of size h if it converges.
  bool advance(double target, double h) {
    double size = target - state_.t;
    if (std::abs(size - h) < kRounding * settings_.until) size = h;
    bool reduced = false, progressed = false;
    while (true) {
      const bool last = !reduced || state_.t + size >= target - kSameTime * h;
      const StepReport report = integrator_->step(state_, size, next_);
      if (report.status == StepStatus::ok) {
        accept(report, last ? target : state_.t + size);
        if (reduced) ++summary_.reduced_steps;
        if (watch_.energy_burst()) {
          std::swap(state_, next_);  // the last good state is what is kept
          --summary_.steps;
          watch_.taken_back(state_);
          return fail(Status::unstable,
                      fmt::format("after t = {:.6g} s the energy changed in one step by more than ten "
                                  "times all that moved before",
                                  state_.t));
        }
        if (options_.progress &&
            !options_.progress({state_.t, settings_.until, summary_.steps})) {
          return fail(Status::interrupted, fmt::format("interrupted at t = {:.6g} s", state_.t));
        }
        if (last) return true;
        progressed = true;
        size = std::min(2.0 * size, target - state_.t);
        continue;
      }
      ++summary_.rejected_steps;
      size *= 0.5;
      reduced = true;
      if (size < kSmallestStep * h) {
        const Status reason = status_of(report.status);
        std::string message =
            report.status == StepStatus::singular_matrix
                ? fmt::format("at t = {:.6g} s; the pivot of '{}' is zero", state_.t, report.where)
                : fmt::format("at t = {:.6g} s; the largest residual is at '{}'", state_.t,
                              report.where);
        if (!singular_start_.empty()) message += ". " + singular_start_;
        if (!progressed) return fail(reason, std::move(message));
        return fail(Status::step_too_small,
                    fmt::format("{}; the last one tried ended with {}", message, name_of(reason)));
      }
    }
  }

  void accept(const StepReport& report, double t) {
    next_.t = t;
    const double h = next_.t - state_.t;
    std::swap(state_, next_);
    ++summary_.steps;
    summary_.last_displacement_correction = report.newton.last_displacement;
    summary_.last_multiplier_correction = report.newton.last_multiplier;
    summary_.last_scaled_multiplier_correction = report.newton.last_scaled_multiplier;
    if (report.newton.at_round_off) {
      ++summary_.steps_at_round_off;
      summary_.reached_tolerance =
          std::max(summary_.reached_tolerance, report.newton.correction / kAcceptableShare);
    }
    watch_.step_taken(state_, h, report.newton.iterations);
    notice_singularity();
  }

  /// The first output time after t.
  double output_after(double t) const {
    const double interval = *settings_.output_step;
    return interval * (std::floor(t / interval + 1e-9) + 1.0);
  }

  bool record_if_due() {
    if (!settings_.output_step) return record();
    if (state_.t < next_output_ - kSameTime * summary_.step) return true;
    return record();
  }

  /// Records the present state, once.
  bool record() {
    if (recorded_ == state_.t) return true;
    try {
      watch_.record(state_);
    } catch (const std::exception& error) {
      return fail(Status::output_failed, error.what());
    }
    recorded_ = state_.t;
    if (settings_.output_step) next_output_ = output_after(state_.t);
    return true;
  }

  bool fail(Status status, std::string message) {
    summary_.status = status;
    summary_.message = std::move(message);
    return false;
  }

  void finish() {
    Summary& s = summary_;
    const correct::NewtonCounters& c = integrator_->counters();
    s.time = state_.t;
    s.residual_evaluations = c.residual_evaluations;
    s.jacobian_evaluations = c.jacobian_evaluations;
    s.jacobian_residual_evaluations = c.jacobian_residual_evaluations;
    s.factorizations = c.factorizations;
    s.newton_iterations = c.iterations;
    if (s.steps > 0) {
      s.reference = integrator_->reference();
      s.scaling_factor = integrator_->scaling_factor();
    }
    if (settings_.condition_number && s.steps > 0) {
      const correct::MatrixQuality quality = integrator_->matrix_quality();
      s.condition_number = quality.condition_number;
      s.solver_error = quality.solver_error;
    }
    if (s.status == Status::done) s.message = std::string(advice(Status::done));
    if (begun_) conclude();
    s.wall_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (!begun_ || !options_.recorder) return;
    try {
      options_.recorder->end(s);
    } catch (const std::exception& error) {
      // A run that failed before keeps its reason.
      if (s.status == Status::done) fail(Status::output_failed, error.what());
    }
    // Rows that were recorded may not have reached the disk.
    if (s.status != Status::done) s.rows = options_.recorder->kept();
  }

  /// The last state on disk, whatever has happened, and the certificate.
  void conclude() {
    Summary& s = summary_;
    if (s.status != Status::output_failed && s.status != Status::done) {
      const Status status = s.status;
      const std::string message = s.message;
      if (record()) s.status = status, s.message = message;
    }
    watch_.evaluate(state_);
    watch_.complete(s);
    if (!s.relative_energy_error) s.steps_at_round_off = 0;  // rest has no accuracy to miss
    if (s.relative_energy_error.value_or(0.0) > kLargeEnergyError) {
      s.warnings.push_back(fmt::format(
          "The energy balance is off by {:.1f} %: the motion is not resolved. Compare with a run of "
          "half the step (simulate.step={:.3g}), or {}.",
          100.0 * *s.relative_energy_error, 0.5 * s.step,
          watch_.energy_rises() ? "take more damping (generalized-alpha with a smaller rho_inf)"
                                : "take a method that damps less (midpoint)"));
    }
    if (settings_.tolerance < kSmallestTolerance) {
      s.warnings.push_back(fmt::format(
          "A tolerance of {:.1e} is below what double precision can tell; steps were solved to "
          "{:.1e}.",
          settings_.tolerance, std::max(s.reached_tolerance, kSmallestTolerance)));
    }
  }

  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin_ = Clock::now();
  const Settings& settings_;
  const RunOptions& options_;
  std::optional<AssemblyReport> preliminary_;  // in absolute coordinates, of a run in others
  coordinates::Mechanism mechanism_;
  const system::ConstrainedSystem& system_;
  integrate::Options integrator_options_;
  formulate::AccelerationLevel equations_;
  std::unique_ptr<integrate::Integrator> integrator_;
  Watch watch_;
  State state_, next_;
  bool begun_ = false;       // watching, and recording if there is a recorder
  double usual_multiplier_ = 0.0;  // largest entry, mean over the last steps
  int looks_ = 0;                  // at what may be a singular position
  bool singular_ = false;    // a singular matrix has been met and explained
  std::string singular_start_;  // a sentence, if the run starts where constraints are dependent
  double recorded_ = -1.0;   // time of the last row [s]
  double next_output_ = 0.0;
  Summary summary_;
};

}  // namespace

Summary run(const model::Model& model, const Settings& settings, const RunOptions& options) {
  const MethodChoice choice = choose_method(model, settings);
  check(model, settings, choice.method);
  return Run(model, settings, options, choice).execute();
}

}  // namespace daedal::simulate
