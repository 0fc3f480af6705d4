#pragma once

#include <functional>
#include <optional>

#include "daedal/model/model.hpp"
#include "daedal/simulate/recorder.hpp"
#include "daedal/simulate/settings.hpp"
#include "daedal/simulate/summary.hpp"

namespace daedal::simulate {

struct Progress {
  double t, until;
  long steps;
};

/// What a run may be given beside model and settings.
struct RunOptions {
  Recorder* recorder = nullptr;
  /// Called after every step; false interrupts the run.
  std::function<bool(const Progress&)> progress;
  /// A state to continue from instead of the model's initial values, and the outputs there.
  std::optional<integrate::State> continue_from;
  std::vector<double> continue_outputs;
};

/// Simulates a model. Numerical trouble is a status in the summary; a model or setting that
/// cannot be is a model::ModelError.
Summary run(const model::Model& model, const Settings& settings, const RunOptions& options = {});

}  // namespace daedal::simulate
