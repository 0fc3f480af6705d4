#pragma once

#include <memory>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/outputs.hpp"
#include "daedal/simulate/recorder.hpp"

namespace daedal::simulate {

/// Looks on while a run goes: violations and energy at every step, rows for the recorder.
///
/// Energy is balanced against work: E(t) - E(0) - integral of the powers of applied forces,
/// dampers and drives, the integral by the trapezoidal rule over the steps.
class Watch {
 public:
  Watch(const model::Model& model, const coordinates::Mechanism& mechanism,
        formulate::AccelerationLevel& equations, Recorder* recorder);

  void begin(const integrate::State& state, integrate::Integrator& integrator);
  bool begun() const { return begun_; }
  void continue_from(std::span<const double> outputs);
  void step_taken(const integrate::State& state, double h, int iterations);
  void record(const integrate::State& state);
  /// Accelerations and multipliers of the acceleration level at a state.
  bool accelerations(const integrate::State& state, std::span<double> a,
                     std::span<double> lambda);
  /// Puts what was seen into the summary.
  void complete(Summary& summary);

 private:
  RowNames names(const integrate::State& state) const;
  void move_to(const integrate::State& state);
  double power(std::span<const double> lambda);

  const model::Model& model_;
  const system::ConstrainedSystem& system_;
  coordinates::Observer& observer_;
  formulate::AccelerationLevel& equations_;
  Recorder* recorder_;
  Outputs outputs_;
  std::unique_ptr<system::Evaluator> evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> g_, a_, lambda_, poses_, reactions_, values_, diagnostics_;
  std::vector<bool> position_row_;
  system::Energy energy_;
  bool begun_ = false;
  double start_energy_ = 0.0, start_potential_ = 0.0, work_ = 0.0, last_power_ = 0.0;
  double energy_scale_ = 0.0, worst_balance_ = 0.0;
  double position_violation_ = 0.0, velocity_violation_ = 0.0;
  double max_position_violation_ = 0.0, max_velocity_violation_ = 0.0;
  double step_size_ = 0.0;
  int iterations_ = 0;
};

}  // namespace daedal::simulate
