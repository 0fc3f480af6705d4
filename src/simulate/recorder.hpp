#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/certificate.hpp"
#include "daedal/simulate/contact_event.hpp"
#include "daedal/simulate/settings.hpp"
#include "daedal/simulate/summary.hpp"

namespace daedal::simulate {

/// What a run will record: names of everything in a row.
struct RowNames {
  std::vector<std::string> coordinates, velocities, multipliers, states, memory;
  std::vector<std::string> poses;      // body.x ... per body: position and rotation of its frame
  std::vector<std::string> reactions;  // joint.fx ... joint.mz
  std::vector<std::string> outputs, output_units;
  std::vector<std::string> diagnostics;
  std::vector<std::string> contacts;  // ContactEvent::contact
};

/// One recorded instant.
struct Row {
  const integrate::State& state;              // the scheme's own q, v, a, lambda, x
  std::span<const double> accelerations;      // from the acceleration level
  std::span<const double> multipliers;        // from the acceleration level
  std::span<const double> poses;
  std::span<const double> reactions;
  std::span<const double> outputs;
  std::span<const double> diagnostics;        // StepDiagnostics::values()
};

/// Takes the rows of a run; io implements it. All may throw: begin() before anything is computed,
/// so that the run does not take place; after that the run ends with `output_failed`.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const RowNames& names) = 0;
  virtual void record(const Row& row) = 0;
  /// Between the rows of its time.
  virtual void event(const ContactEvent&) {}
  virtual void end(const Summary& summary) = 0;
  /// Rows of this run that can be read again; asked after a failure.
  virtual long kept() const = 0;
};

}  // namespace daedal::simulate
