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

/// Where an earlier run stopped.
struct Continuation {
  integrate::State state;       // without memory: the method starts anew from its q, v and x
  std::vector<double> outputs;  // there: angles go on from them
  Certificate past;             // may be empty
  std::vector<std::string> references{};  // of the past: its rows stay in the result
};

/// What a run may be given beside model and settings.
struct RunOptions {
  Recorder* recorder = nullptr;
  /// Called after every step; false interrupts the run.
  std::function<bool(const Progress&)> progress;
  /// Instead of the model's initial values. Its row is not recorded again.
  std::optional<Continuation> continue_from;
};

/// Simulates a model. Numerical trouble is a status in the summary; a model or setting that
/// cannot be is a model::ModelError.
Summary run(const model::Model& model, const Settings& settings, const RunOptions& options = {});

}  // namespace daedal::simulate
