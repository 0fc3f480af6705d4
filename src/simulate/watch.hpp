#pragma once

#include <memory>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/outputs.hpp"
#include "daedal/simulate/recorder.hpp"

namespace daedal::simulate {

/// `JOINT.0`, `JOINT.1`: of every row of multipliers.
std::vector<std::string> multiplier_names(const system::Structure& structure);

/// Looks on while a run goes: violations and energy at every step, rows for the recorder.
///
/// Energy is balanced against work, the integral of the powers of applied forces, dampers and
/// drives by the trapezoidal rule over the steps. The power of drives comes from the acceleration
/// level: the multipliers of a scheme may belong to the middle of its step.
class Watch {
 public:
  Watch(const model::Model& model, const coordinates::Mechanism& mechanism,
        formulate::AccelerationLevel& equations, Recorder* recorder);

  /// Takes over from an earlier run; to be called before begin().
  void continue_from(std::span<const double> outputs, double time, const Certificate& past);
  /// Opens the recorder and looks at the start.
  void begin(const integrate::State& state, int memory_size);
  void step_taken(const integrate::State& state, double h, int iterations);
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

  const model::Model& model_;
  const system::ConstrainedSystem& system_;
  coordinates::Observer& observer_;
  formulate::AccelerationLevel& equations_;
  Recorder* recorder_;
  Outputs outputs_;
  std::unique_ptr<system::Evaluator> evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> g_, a_, lambda_, poses_, reactions_, values_;
  std::vector<bool> position_row_;
  system::Energy energy_;
  bool driven_ = false;
  bool solved_ = false;  // a_ and lambda_ belong to the point moved to
  double power_ = 0.0;
  StepDiagnostics step_;
  Certificate certificate_;
  long rows_ = 0;
};

}  // namespace daedal::simulate
