#include "daedal/simulate/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/outputs.hpp"
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
/// Unknowns up to which a dense solver is the fastest.
constexpr int kDenseSize = 24;

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

double step_size(const Settings& settings) {
  return settings.step.value_or(settings.until / 1000.0);
}

integrate::Options integrator_options(const Settings& settings, int unknowns) {
  integrate::Options o;
  o.linear_solver = settings.linear_solver != "auto" ? settings.linear_solver
                    : unknowns <= kDenseSize         ? "dense"
                                                     : "tree";
  o.scaling = *correct::scaling_from(settings.scaling);
  o.scaling_factor = settings.scaling_factor.value_or(0.0);
  o.augmentation = settings.augmentation;
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

/// One run: assembly, then steps on a grid between break points.
class Run {
 public:
  Run(const model::Model& model, const Settings& settings, const RunOptions& options,
      const MethodChoice& choice)
      : settings_(settings),
        options_(options),
        mechanism_(coordinates::make_absolute(model)),
        system_(*mechanism_.system),
        integrator_options_(integrator_options(
            settings, system_.structure().dof() + system_.structure().constraint_rows)),
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
    s.scaling = settings.scaling;
    s.jacobian = settings.jacobian;
    s.linear_solver = integrator_options_.linear_solver;
    s.step = step_size(settings);
    s.tolerance = settings.tolerance;
    s.bodies = static_cast<int>(model.bodies.size());
    s.joints = static_cast<int>(model.joints.size());
    s.unknowns = system_.structure().dof();
    s.constraints = system_.structure().constraint_rows;
    for (std::string_view key : integrate::find_method(choice.method)->references) {
      s.references.emplace_back(key);
    }
  }

  Summary execute() {
    const auto begin = std::chrono::steady_clock::now();
    if (start()) integrate();
    finish(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return std::move(summary_);
  }

 private:
  bool start() {
    if (options_.continue_from) {
      state_ = *options_.continue_from;
      watch_.continue_from(options_.continue_outputs);
      if (state_.memory.empty()) integrator_->start(state_, summary_.step);
    } else {
      summary_.assembly = assemble(mechanism_, equations_, state_);
      if (!summary_.assembly.contradictions.empty()) {
        throw model::ModelError(summary_.assembly.contradictions);
      }
      if (summary_.assembly.status != Status::done) {
        return fail(summary_.assembly.status, summary_.assembly.message);
      }
    }
    summary_.redundant = equations_.regularised();
    if (equations_.regularised()) integrator_->regularise();
    if (!guarded([&] { watch_.begin(state_, *integrator_); })) return false;
    if (!options_.continue_from) {
      integrator_->start(state_, first_step());
      return record(state_);
    }
    return true;
  }

  /// Ends of the smooth pieces of the run.
  std::vector<double> pieces() const {
    std::vector<double> ends = system_.break_points(0.0, settings_.until);
    ends.push_back(settings_.until);
    return ends;
  }

  static long steps_in(double length, double step) {
    return std::max(1L, static_cast<long>(std::ceil(length / step * (1.0 - 1e-12))));
  }

  double first_step() const {
    const double end = pieces().front();
    return end / static_cast<double>(steps_in(end, summary_.step));
  }

  void integrate() {
    double begin = 0.0;
    for (double end : pieces()) {
      const long count = steps_in(end - begin, summary_.step);
      const double h = (end - begin) / static_cast<double>(count);
      if (state_.t >= end - 0.5 * h) {  // a continued run is past this piece
        begin = end;
        continue;
      }
      if (begin > 0.0 && std::abs(state_.t - begin) < 1e-9 * h && !restart(h)) return;
      const long first = std::lround((state_.t - begin) / h);
      for (long k = first; k < count; ++k) {
        if (!advance(k + 1 == count ? end : begin + static_cast<double>(k + 1) * h, h)) return;
        if (!due(k + 1 == count && end == settings_.until)) continue;
        if (!record(state_)) return;
      }
      begin = end;
    }
  }

  /// A new smooth piece: consistent accelerations, fresh start values.
  bool restart(double h) {
    if (!watch_.accelerations(state_, state_.a, state_.lambda)) {
      return fail(Status::singular_matrix, "accelerations cannot be found at a break point");
    }
    integrator_->start(state_, h);
    return true;
  }

  /// From the present state to the grid point `target`, in one step of size h if it converges.
  bool advance(double target, double h) {
    double size = target - state_.t;
    if (std::abs(size - h) < 1e-6 * h) size = h;  // the grid's own rounding
    bool reduced = false;
    while (true) {
      const bool last = !reduced || state_.t + size >= target - 1e-9 * h;
      const StepReport report = integrator_->step(state_, size, next_);
      if (report.status == StepStatus::ok) {
        accept(report, last ? target : state_.t + size);
        if (options_.progress &&
            !options_.progress({state_.t, settings_.until, summary_.steps})) {
          return fail(Status::interrupted, "interrupted");
        }
        if (last) return true;
        size = std::min(size, target - state_.t);
        ++summary_.reduced_steps;
        continue;
      }
      ++summary_.rejected_steps;
      size *= 0.5;
      reduced = true;
      if (size < kSmallestStep * h) {
        return fail(status_of(report.status),
                    fmt::format("at t = {:.6g} s; the largest residual is at '{}'", state_.t,
                                report.where));
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
  }

  bool due(bool last) {
    if (last || !settings_.output_step) return true;
    if (state_.t < next_output_ - 1e-9 * summary_.step) return false;
    while (next_output_ <= state_.t + 1e-9 * summary_.step) next_output_ += *settings_.output_step;
    return true;
  }

  bool record(const State& state) {
    return guarded([&] { watch_.record(state); });
  }

  template <class Action>
  bool guarded(Action&& action) {
    try {
      action();
      return true;
    } catch (const std::exception& error) {
      return fail(Status::output_failed, error.what());
    }
  }

  bool fail(Status status, std::string message) {
    summary_.status = status;
    summary_.message = std::move(message);
    return false;
  }

  void finish(double seconds) {
    Summary& s = summary_;
    const correct::NewtonCounters& c = integrator_->counters();
    s.time = state_.t;
    s.residual_evaluations = c.residual_evaluations;
    s.jacobian_evaluations = c.jacobian_evaluations;
    s.jacobian_residual_evaluations = c.jacobian_residual_evaluations;
    s.factorizations = c.factorizations;
    s.newton_iterations = c.iterations;
    s.wall_seconds = seconds;
    s.redundant |= integrator_->regularised();
    if (settings_.condition_number && s.steps > 0) {
      s.condition_number = integrator_->condition_number();
    }
    if (s.status == Status::done) s.message = std::string(advice(Status::done));
    watch_.complete(s);
    if (options_.recorder && watch_.begun()) {
      const Status status = s.status;
      if (guarded([&] { options_.recorder->end(s); })) s.status = status;
    }
  }

  const Settings& settings_;
  const RunOptions& options_;
  coordinates::Mechanism mechanism_;
  const system::ConstrainedSystem& system_;
  integrate::Options integrator_options_;
  formulate::AccelerationLevel equations_;
  std::unique_ptr<integrate::Integrator> integrator_;
  Watch watch_;
  State state_, next_;
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
