#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/outputs.hpp"
#include "daedal/simulate/recorder.hpp"

namespace daedal::simulate {

/// `JOINT.0`, `JOINT.1`: of every row of multipliers.
std::vector<std::string> multiplier_names(const system::Structure& structure);

/// Where the same rows are not there all the time: what is recorded of multipliers has those of all.
class MultiplierRecord {
 public:
  virtual ~MultiplierRecord() = default;
  virtual const system::Structure& structure() const = 0;
  /// The contacts whose rows come and go.
  virtual const std::vector<std::string>& contacts() const = 0;
  /// From the multipliers of the present equations at a state.
  virtual void spread(const integrate::State& state, std::span<const double> lambda,
                      std::span<double> all) const = 0;
};

/// Looks on while a run goes: violations and energy at every step, rows for the recorder.
///
/// Energy is balanced against work, the integral of the powers of applied forces, dampers and
/// drives by the trapezoidal rule over the steps, or Simpson's where a method knows the middle. The
/// power of drives comes from the acceleration level: the multipliers of a scheme may belong to the
/// middle of its step.
class Watch {
 public:
  Watch(const model::Model& model, const coordinates::Mechanism& mechanism,
        formulate::AccelerationLevel& equations, Recorder* recorder,
        const MultiplierRecord* multipliers = nullptr);

  /// Other equations in the same coordinates hold from now on.
  void enter(const coordinates::Mechanism& mechanism, formulate::AccelerationLevel& equations);

  /// Takes over from an earlier run; to be called before begin().
  void continue_from(std::span<const double> outputs, double time, const Certificate& past);
  /// Opens the recorder and looks at the start.
  void begin(const integrate::State& state, int memory_size);
  /// Looks at the end of a step before it is taken.
  void look(const integrate::State& state) { measure(state); }
  /// Of what was looked at last: of rows on position level, and of those on velocity level.
  double position_violation() const { return step_.position_violation; }
  double rate_violation() const { return rate_violation_; }
  /// Constraints whose rates are violated by a large part of the most violated one.
  std::vector<std::string> violated_rates() const;
  double velocity_violation() const { return step_.velocity_violation; }
  /// The row on position level that is most open there.
  std::string most_open() const { return system_->structure().row_name(most_open_); }
  /// By how much no velocities satisfy what constraints and drives ask for at the position of a
  /// state; see AccelerationLevel::inconsistency().
  double inconsistency_of_rates(const integrate::State& state);
  /// Whether anything in the model may do work, and the power at a state.
  bool has_power() const { return driven_ || !model_.forces.empty(); }
  double power_at(const integrate::State& state);
  /// A step of size h ends at the state that was looked at last. Work is done by the power at its
  /// two ends and, for Simpson's rule, in its `middle`.
  void step_ends(const integrate::State& end, double h,
                 std::optional<double> middle = std::nullopt);
  /// A state within that step, after a share of it: a row for the recorder, and for the
  /// certificate.
  void pass(const integrate::State& between, double share);
  /// The counters after the step, recorded with it.
  void count(const correct::NewtonCounters& counters);
  /// The step is taken.
  void step_taken(int iterations);
  /// Largest multiplier that a load of constant size asks for at the last state whose accelerations
  /// were solved for: it grows without bound towards a singular position, whatever the real loads.
  /// Zero where constraints depend on each other.
  double compliance() const { return compliance_; }
  /// The state has been made consistent anew at a break point. A drive whose speed jumps does the
  /// work by which the energy changes there.
  void restarted(const integrate::State& state);
  /// Outputs at a state, from the acceleration level.
  void evaluate(const integrate::State& state);
  /// Evaluates, and hands a row to the recorder.
  void record(const integrate::State& state);
  bool energy_rises() const { return certificate_.energy_rises(); }
  /// The step was taken back: this is the state again.
  void taken_back(const integrate::State& state) { measure(state); }
  bool energy_burst() const { return certificate_.burst(); }
  /// Puts what was seen into the summary.
  void complete(Summary& summary) const;

 private:
  RowNames names(int memory_size) const;
  void move_to(const integrate::State& state);
  void measure(const integrate::State& state);
  void fill_poses();
  void fill_reactions();
  /// Accelerations and multipliers at the point moved to, which is that of the state.
  void solve(const integrate::State& state);
  double power(const integrate::State& state);
  void probe();
  /// Work since the start after a share of the present step.
  double work_after(double share) const;

  const model::Model& model_;
  const system::ConstrainedSystem* system_ = nullptr;
  coordinates::Observer* observer_ = nullptr;
  formulate::AccelerationLevel* equations_ = nullptr;
  Recorder* recorder_;
  const MultiplierRecord* multipliers_;
  integrate::State recorded_;            // with all multipliers, where they are recorded so
  std::vector<double> recorded_lambda_;  // of the acceleration level
  Outputs outputs_;
  std::unique_ptr<system::Evaluator> evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> g_, a_, lambda_, poses_, reactions_, values_;
  std::vector<double> probe_a_, probe_lambda_;
  std::vector<bool> position_row_;
  system::Energy energy_;
  bool driven_ = false;
  double placed_at_ = -1.0;  // time of the point moved to, or -1 [s]
  bool solved_ = false;      // a_ and lambda_ belong to it,
  bool solvable_ = false;    // by its equations
  double power_ = 0.0;       // at the end of the step taken last
  struct {
    double h = 0.0, before = 0.0, middle = 0.0, end = 0.0, work_before = 0.0;
  } powers_;  // of the present step
  double rate_violation_ = 0.0;
  int most_open_ = 0;
  double compliance_ = 0.0;
  StepDiagnostics step_;
  Certificate certificate_;
  double position_drift_ = 0.0, velocity_drift_ = 0.0;  // of steps' ends alone
  long rows_ = 0;
};

}  // namespace daedal::simulate
