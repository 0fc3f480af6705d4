#pragma once

#include <string>
#include <vector>

#include "daedal/doctor/dependence.hpp"
#include "daedal/doctor/inspection.hpp"
#include "daedal/simulate/assembly.hpp"

namespace daedal::simulate {

/// What the doctor says about a model; nothing is simulated.
struct CheckReport {
  std::string title;
  int bodies = 0, joints = 0, contacts = 0;
  AssemblyReport assembly;
  doctor::Dependence dependence;  // at the start, or where assembly gave up
  doctor::Inspection inspection;

  /// The mechanism can be assembled; redundant constraints are no fault.
  bool sound() const { return assembly.status == Status::done; }
  /// Where values are not finite there is nothing to examine.
  bool examined() const { return dependence.coordinates > 0; }
  /// Sound or not, in one line.
  std::string verdict() const;
  /// Of the inspection, of constraints that are nearly dependent, and of velocities that were given
  /// and cannot be: a run refuses those.
  std::vector<std::string> warnings() const;
};

/// Assembles a model and examines it. Throws model::ModelError for bad input.
CheckReport check(const model::Model& model);

/// The constraints at a state.
doctor::Dependence examine(const coordinates::Mechanism& mechanism, const integrate::State& state);

/// `A and B are nearly dependent, to 7.0e-05` for each such group.
std::vector<std::string> nearly_dependent(const doctor::Dependence& dependence);
/// The same with what it means and what to do.
std::vector<std::string> near_warnings(const doctor::Dependence& dependence);

/// What it means for a run that it starts in a singular position; empty if it does not.
std::string singular_start(const doctor::Dependence& dependence, double t);

/// One sentence on constraints that became dependent during a run, at a state close to where they did.
std::string singular_position(const coordinates::Mechanism& mechanism, const integrate::State& state,
                              double tolerance);

}  // namespace daedal::simulate
