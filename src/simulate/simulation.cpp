#include "daedal/simulate/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/check.hpp"
#include "daedal/simulate/choice.hpp"
#include "daedal/simulate/constraint_watch.hpp"
#include "daedal/simulate/contact_events.hpp"
#include "daedal/simulate/epoch.hpp"
#include "daedal/simulate/outputs.hpp"
#include "daedal/simulate/preparation.hpp"
#include "daedal/simulate/references.hpp"
#include "daedal/simulate/watch.hpp"

namespace daedal::simulate {

namespace {

using integrate::State;
using integrate::StepReport;
using integrate::StepStatus;

/// A reduced step is at least this fraction of the step asked for.
constexpr double kSmallestStep = 1e-6;
/// First step of an adaptive method after a failure, as a fraction of the first step asked for.
constexpr double kCautious = 1e-2;
/// A step that ends at a break point sees the excitations this share of the run's time before it:
/// the limit from the left, which the rounding of times does not cross.
constexpr double kLeftOfBreak = 256.0 * std::numeric_limits<double>::epsilon();
/// Rounding of the grid's times, as a share of the run's time; smaller than kLeftOfBreak.
constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
/// Times that differ by less than this share of a step are one.
constexpr double kSameTime = 1e-9;
/// An energy error that deserves a warning.
constexpr double kLargeEnergyError = 1e-2;

Status status_of(StepStatus status) {
  switch (status) {
    case StepStatus::newton_diverged:
      return Status::newton_diverged;
    case StepStatus::singular_matrix:
      return Status::singular_matrix;
    case StepStatus::not_finite:
      return Status::not_finite;
    case StepStatus::step_too_small:
      return Status::step_too_small;
    case StepStatus::ok:
      break;
  }
  return Status::done;
}

void check(const model::Model& model, const Settings& settings) {
  std::vector<model::Problem> problems = validate(model);
  for (model::Problem& p : validate(settings)) problems.push_back(std::move(p));
  if (!problems.empty()) throw model::ModelError(std::move(problems));
}

/// Of this thread: other programs and other runs of a study do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// One run: assembly, then steps on a grid between break points.
class Run {
 public:
  Run(const model::Model& model, const Settings& settings, const RunOptions& options,
      const MethodChoice& choice)
      : settings_(settings),
        options_(options),
        first_(model, settings, choice, make_mechanism(model, settings, preliminary_)),
        contacts_(model.contacts.empty() ? nullptr
                                         : std::make_unique<ContactEvents>(model, settings, choice,
                                                                           first_, options.recorder)),
        epoch_(&first_),
        watch_(model, first_.mechanism, first_.equations, options.recorder, contacts_.get()),
        constraints_(first_.mechanism, first_.equations, watch_, settings.tolerance,
                     first_.options.reference.length.value_or(0.0)),
        state_(first_.structure()),
        next_(first_.structure()),
        between_(first_.structure()) {
    Summary& s = summary_;
    s.model = model.title;
    s.coordinates = settings.coordinates;
    s.formulation = settings.formulation;
    s.method = choice.method;
    s.method_reason = choice.reason;
    s.formalism = settings.formalism;
    s.step_unknowns = settings.unknowns;
    s.scaling = settings.scaling;
    s.jacobian = settings.jacobian;
    s.jacobian_update = settings.jacobian_update;
    s.adaptive = epoch_->integrator.adaptive != nullptr;
    s.linear_solver = epoch_->options.linear_solver;
    s.step = step_size(settings);
    s.length_assumed = without_length(model, settings);
    s.tolerance = settings.tolerance;
    s.bodies = static_cast<int>(model.bodies.size());
    s.joints = static_cast<int>(model.joints.size());
    s.unknowns = epoch_->structure().dof();
    s.constraints = epoch_->structure().constraint_rows;
    s.cut_joints = epoch_->mechanism.cut;
    Settings used = settings;
    used.method = s.method;
    used.linear_solver = s.linear_solver;
    s.references = references(used, s.unknowns + s.constraints + epoch_->structure().state_size);
    if (!options.continue_from) return;
    for (const std::string& key : options.continue_from->references) {
      if (std::ranges::find(s.references, key) == s.references.end()) s.references.push_back(key);
    }
  }

  Summary execute() {
    if (options_.continue_from ? resume(*options_.continue_from) : start()) {
      const double before = processor_seconds();
      integrate();
      summary_.cpu_seconds = processor_seconds() - before;
    }
    finish();
    return std::move(summary_);
  }

 private:
  bool start() {
    summary_.assembly = assemble(epoch_->mechanism, epoch_->equations, state_);
    if (!summary_.assembly.contradictions.empty()) {
      throw model::ModelError(summary_.assembly.contradictions);
    }
    if (!accept(summary_.assembly)) return false;
    if (preliminary_) summary_.assembly = std::move(*preliminary_);
    adopt_dependence();
    if (!meet(&ContactEvents::begin)) return false;
    watch_.begin(state_, memory_size());
    begun_ = true;
    // The first row is the assembled state; what the method makes of it to start comes after.
    state_.memory.assign(memory_size(), 0.0);
    if (!record()) return false;
    epoch_->integrator->start(state_, first_step());
    return true;
  }

  /// What a continued run needs of the method; from event to event it starts anew.
  int memory_size() const { return contacts_ ? 0 : epoch_->integrator->memory_size(); }

  /// Lets contacts do what they do at the present state, and goes over to the equations that hold from
  /// here on.
  bool meet(void (ContactEvents::*act)(State&)) {
    if (!contacts_) return true;
    (contacts_.get()->*act)(state_);
    if (contacts_->status() != Status::done) {
      return fail(contacts_->status(), contacts_->message());
    }
    if (Epoch* now = &contacts_->epoch(); now != epoch_) {
      epoch_ = now;
      for (State* state : {&state_, &next_, &between_}) {
        state->lambda.assign(epoch_->structure().constraint_rows, 0.0);
      }
      for (State& state : middle_) state.lambda = state_.lambda;
      watch_.enter(epoch_->mechanism, epoch_->equations);
    }
    if (!accept(reconcile(epoch_->mechanism, epoch_->equations, state_))) return false;
    if (epoch_->equations.regularised()) epoch_->integrator->regularise();
    return true;
  }

  double first_step() const {
    if (epoch_->integrator.adaptive) return summary_.step;
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
      state_.lambda.resize(epoch_->structure().constraint_rows);
      if (!accept(reconcile(epoch_->mechanism, epoch_->equations, state_))) return false;
    } else {
      // Dependent constraints show when accelerations are looked for; the state stays as it is.
      State copy = state_;
      reconcile(epoch_->mechanism, epoch_->equations, copy);
    }
    adopt_dependence();
    if (!meet(&ContactEvents::begin)) return false;
    if (anew || at_start) epoch_->integrator->start(state_, at_start ? first_step() : summary_.step);
    watch_.begin(state_, memory_size());
    begun_ = true;
    recorded_ = state_.t;
    if (settings_.output_step) next_output_ = output_after(state_.t);
    return true;
  }

  void check_sizes(const State& from) const {
    const auto fits = [](const std::vector<double>& a, const std::vector<double>& b) {
      return a.size() == b.size();
    };
    const std::size_t multipliers =
        contacts_ ? contacts_->structure().constraint_rows : state_.lambda.size();
    const bool same = fits(from.q, state_.q) && fits(from.v, state_.v) && fits(from.a, state_.a) &&
                      from.lambda.size() == multipliers && fits(from.x, state_.x) &&
                      fits(from.x_rate, state_.x_rate);
    const int memory = static_cast<int>(from.memory.size());
    if (same && (memory == 0 || memory == epoch_->integrator->memory_size())) return;
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
    if (dependence.rows == 0) dependence = examine(epoch_->mechanism, state_);
    // The way to a closed position may lead through singular ones; where it ends is what counts.
    if (dependence.independent()) epoch_->equations.forget_dependence();
    if (epoch_->equations.regularised()) epoch_->integrator->regularise();
    constraints_.begin(dependence, singular_start(dependence, state_.t));
  }

  /// Ends of the smooth pieces of the run.
  std::vector<double> pieces() const {
    const double shortest = 4.0 * kLeftOfBreak * settings_.until;
    std::vector<double> ends;
    for (double t : epoch_->system().break_points(0.0, settings_.until)) {
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
      if (!(epoch_->integrator.adaptive ? integrate_adaptively(begin, end) : integrate(begin, end)))
        return;
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

  /// One smooth piece, in steps that the method chooses.
  bool integrate_adaptively(double begin, double end) {
    const bool last_piece = end == settings_.until;
    const double last = last_piece ? end : end - kLeftOfBreak * settings_.until;
    if (state_.t >= last) return true;  // a continued run is past it
    if (begin > 0.0 && state_.t <= begin &&
        state_.t >= begin - 2.0 * kLeftOfBreak * settings_.until) {
      if (!restart(begin, summary_.step) || !record_if_due()) return false;
    }
    bool again = false;  // the method has been restarted after a failure, and not got on since
    while (state_.t < last) {
      StepReport report = epoch_->integrator.adaptive->advance(last, next_);
      summary_.rejected_steps += report.rejected;
      const bool event = contacts_ && report.status == StepStatus::ok &&
                         contacts_->find(*epoch_->integrator.adaptive, next_);
      if (!inspect_adaptive(report)) return false;
      if (report.status == StepStatus::ok) {
        watch_.count(counters());
        if (!pass_outputs() || !accept_adaptive(report)) return false;
        if (event && !pass_event()) return false;
        // The row of a break point is recorded after the restart there.
        const bool at_end = state_.t >= last;
        if (at_end ? last_piece && !record() : !record_if_due()) return false;
        again = false;
        continue;
      }
      ++summary_.rejected_steps;
      if (again) return give_up(status_of(report.status), failure(report));
      if (!restart(state_.t, kCautious * summary_.step)) return false;
      ++summary_.reduced_steps;
      again = true;
    }
    return true;
  }

  /// From the end of the last step, where contacts meet or part, on with what becomes of it. Without
  /// output times there is a row before and a row after.
  bool pass_event() {
    if (!settings_.output_step && !record()) return false;
    if (!meet(&ContactEvents::resolve)) return false;
    epoch_->integrator->start(state_, summary_.step);
    watch_.restarted(state_);
    if (!settings_.output_step) recorded_ = -1.0;
    return true;
  }

  /// Rows at output times within the step that ends at next_.
  bool pass_outputs() {
    if (!settings_.output_step) return true;
    const double h = next_.t - state_.t;
    const double end = next_.t - kSameTime * std::min(*settings_.output_step, h);
    while (next_output_ < end) {
      between_.t = next_output_;
      epoch_->integrator.adaptive->interpolate(next_output_, between_);
      if (!record(between_, [&] { watch_.pass(between_, (between_.t - state_.t) / h); }))
        return false;
    }
    return true;
  }

  /// Shows the watch the step to next_, with the power half-way.
  bool inspect_adaptive(StepReport& report) {
    if (report.status != StepStatus::ok) return true;
    std::optional<double> power;
    if (watch_.has_power()) {
      middle_.resize(1, State(epoch_->structure()));
      epoch_->integrator.adaptive->approximate(0.5 * (state_.t + next_.t), middle_.front());
      power = watch_.power_at(middle_.front());
    }
    if (!inspect(report)) return false;
    if (report.status == StepStatus::ok) watch_.step_ends(next_, next_.t - state_.t, power);
    return true;
  }

  bool accept_adaptive(const StepReport& report) {
    std::swap(state_, next_);
    ++summary_.steps;
    if (report.at_minimum) ++summary_.steps_at_minimum;
    if (report.newton.at_round_off) {
      ++summary_.steps_at_round_off;
      summary_.reached_tolerance = std::max(summary_.reached_tolerance, report.newton.correction);
    }
    watch_.step_taken(report.newton.iterations);
    notice_singularity();
    return go_on();
  }

  /// A new smooth piece: consistent velocities and accelerations, fresh start values.
  bool restart(double t, double h) {
    state_.t = t;
    if (!accept(reconcile(epoch_->mechanism, epoch_->equations, state_))) return false;
    if (!meet(&ContactEvents::resolve)) return false;  // forces may jump
    epoch_->integrator->start(state_, h);
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
      StepReport report = epoch_->integrator.fixed->step(state_, size, next_);
      next_.t = last ? target : state_.t + size;
      if (!inspect(report)) return false;
      if (report.status == StepStatus::ok) {
        accept(report);
        if (reduced) ++summary_.reduced_steps;
        if (!go_on()) return false;
        if (last) return true;
        progressed = true;
        size = std::min(2.0 * size, target - state_.t);
        continue;
      }
      ++summary_.rejected_steps;
      size *= 0.5;
      reduced = true;
      if (size < kSmallestStep * h) {
        const Status status = status_of(report.status);
        return progressed ? give_up(Status::step_too_small,
                                    fmt::format("{}; the last one tried ended with {}",
                                                failure(report), name_of(status)))
                          : give_up(status, failure(report));
      }
    }
  }

  /// Looks at the end of a step that the method calls solved. False: the run ends here.
  bool inspect(StepReport& report) {
    if (report.status != StepStatus::ok) return true;
    watch_.look(next_);
    const std::string why = contacts_ ? std::string() : constraints_.contradiction(next_);
    if (!why.empty()) {
      watch_.taken_back(state_);
      return contradict(why);
    }
    if (!lets_drift() && constraints_.leaves_open()) {
      report.status = StepStatus::newton_diverged;
      report.where = watch_.most_open();
      watch_.taken_back(state_);
    }
    return true;
  }

  /// Whether what was looked at last is a drift that the settings let pass.
  bool lets_drift() const {
    return integrate::find_method(summary_.method)->is_explicit &&
           (!settings_.projection ||
            watch_.position_violation() <= settings_.drift_tolerance.value_or(0.0));
  }

  bool contradict(const std::string& why) {
    return fail(
        Status::conflicting_constraints,
        fmt::format("after t = {:.6g} s no motion satisfies all constraints: {}", state_.t, why));
  }

  /// The run ends, for no step leads on from the present state.
  bool give_up(Status status, std::string message) {
    const std::string why =
        contacts_ ? std::string() : constraints_.contradiction_at_end(state_);
    return why.empty() ? fail(status, std::move(message)) : contradict(why);
  }

  std::string failure(const StepReport& report) const {
    const std::string where =
        report.status == StepStatus::singular_matrix
            ? fmt::format("the pivot of '{}' is zero", report.where)
            : fmt::format("the largest {} is at '{}'", epoch_->integrator.adaptive ? "error" : "residual",
                          report.where);
    return fmt::format("at t = {:.6g} s; {}{}", state_.t, where,
                       singular_here());
  }

  /// Whether the step just accepted, from next_ to state_, is one to go on from.
  bool go_on() {
    if (watch_.energy_burst()) {
      std::swap(state_, next_);  // the last good state is what is kept
      --summary_.steps;
      watch_.taken_back(state_);
      return fail(Status::unstable,
                  fmt::format("after t = {:.6g} s the energy changed in one step by more than ten "
                              "times all that moved before{}",
                              state_.t, singular_here()));
    }
    if (options_.progress && !options_.progress({state_.t, settings_.until, summary_.steps})) {
      return fail(Status::interrupted, fmt::format("interrupted at t = {:.6g} s", state_.t));
    }
    return true;
  }

  void accept(const StepReport& report) {
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
    watch_.count(counters());
    watch_.step_ends(state_, h);
    watch_.step_taken(report.newton.iterations);
    notice_singularity();
  }

  /// Closed contacts may well be dependent, and come and go.
  void notice_singularity() {
    if (contacts_) return;
    constraints_.notice_singularity(state_, epoch_->integrator->regularised(), summary_.steps);
  }
  std::string singular_here() const {
    return contacts_ ? std::string() : constraints_.singular_here(state_);
  }

  correct::NewtonCounters counters() const {
    return contacts_ ? contacts_->counters() : epoch_->integrator->counters();
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
    return record(state_, [&] { watch_.record(state_); });
  }
  template <class Write>
  bool record(const State& state, Write&& write) {
    if (recorded_ == state.t) return true;
    try {
      write();
    } catch (const std::exception& error) {
      return fail(Status::output_failed, error.what());
    }
    recorded_ = state.t;
    if (settings_.output_step) next_output_ = output_after(state.t);
    return true;
  }

  bool fail(Status status, std::string message) {
    summary_.status = status;
    summary_.message = std::move(message);
    return false;
  }

  void finish() {
    Summary& s = summary_;
    const correct::NewtonCounters c = counters();
    s.time = state_.t;
    s.residual_evaluations = c.residual_evaluations;
    s.jacobian_evaluations = c.jacobian_evaluations;
    s.jacobian_residual_evaluations = c.jacobian_residual_evaluations;
    s.jacobian_updates = c.jacobian_updates;
    s.factorizations = c.factorizations;
    s.linear_solves = c.linear_solves;
    s.newton_iterations = c.iterations;
    if (integrate::find_method(s.method)->is_explicit) {
      s.work = c.function_evaluations + c.linear_solves;
    }
    if (s.steps > 0) {
      s.reference = epoch_->integrator->reference();
      s.scaling_factor = epoch_->integrator->scaling_factor();
    }
    if (settings_.condition_number && s.steps > 0) {
      const correct::MatrixQuality quality = epoch_->integrator->matrix_quality();
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
    constraints_.complete(s);
    if (contacts_) contacts_->complete(s);
    // Where constraints contradict each other or the mechanism locks, a smaller step does not help.
    const bool helpless = s.status == Status::conflicting_constraints ||
                          (s.status != Status::done && constraints_.passed_singularity());
    if (!helpless && s.relative_energy_error.value_or(0.0) > kLargeEnergyError) {
      s.warnings.push_back(fmt::format(
          "The energy balance is off by {:.1f} %: the motion is not resolved. Compare with a run "
          "of {}{}.",
          100.0 * *s.relative_energy_error,
          s.adaptive ? fmt::format("a tenth of the tolerance (simulate.tolerance={:.3g})",
                                   0.1 * s.tolerance)
                     : fmt::format("half the step (simulate.step={:.3g})", 0.5 * s.step),
          watch_.energy_rises()
              ? ", or take more damping (generalized-alpha with a smaller rho_inf)"
          : s.method == "midpoint" ? ""
                                   : ", or take a method that damps less (midpoint)"));
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
  Epoch first_;
  std::unique_ptr<ContactEvents> contacts_;  // of a model that has some
  Epoch* epoch_;                             // the present one
  Watch watch_;
  ConstraintWatch constraints_;
  State state_, next_;
  State between_;              // at an output time within a step
  std::vector<State> middle_;  // of a step, where power is asked for
  bool begun_ = false;         // watching, and recording if there is a recorder
  double recorded_ = -1.0;     // time of the last row [s]
  double next_output_ = 0.0;
  Summary summary_;
};

}  // namespace

Summary run(const model::Model& model, const Settings& settings, const RunOptions& options) {
  check(model, settings);
  const MethodChoice choice = choose_method(model, settings);
  const Settings chosen = with_choice(settings, choice);
  return Run(model, chosen, options, choice).execute();
}

}  // namespace daedal::simulate
