#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daedal/correct/scaling.hpp"
#include "daedal/simulate/assembly.hpp"
#include "daedal/simulate/contact_event.hpp"
#include "daedal/simulate/status.hpp"

namespace daedal::simulate {

/// How a run went: counts, and the certificate of what it is worth.
struct Summary {
  Status status = Status::done;
  std::string message;
  std::string model;
  std::string coordinates, formulation, method, method_reason;
  std::string formalism, step_unknowns, scaling, jacobian, jacobian_update, linear_solver;
  double step = 0.0;  // of an adaptive method the largest first one
  bool adaptive = false;

  double time = 0.0;  // reached
  // Counts are those of this run, without what a continued one did before.
  long rows = 0;      // recorded
  long steps = 0;
  long rejected_steps = 0;
  long reduced_steps = 0;
  long residual_evaluations = 0;
  long jacobian_evaluations = 0;
  long jacobian_residual_evaluations = 0;
  long jacobian_updates = 0;
  long factorizations = 0;
  long linear_solves = 0;
  long newton_iterations = 0;
  std::optional<long> work;  // explicit methods: function evaluations and linear solves
  long steps_at_minimum = 0;  // with an error or drift beyond their tolerances
  double wall_seconds = 0.0;  // of all
  double cpu_seconds = 0.0;   // processor time of the steps, without assembly
  int bodies = 0, joints = 0, unknowns = 0, constraints = 0;
  std::vector<std::string> cut_joints;  // joint coordinates: those that close loops

  // The certificate; of a continued run it covers what was done before, too.
  double max_position_violation = 0.0;
  double max_velocity_violation = 0.0;
  // The same at the ends of steps alone, without rows in between: what the method leaves.
  double position_drift = 0.0, velocity_drift = 0.0;
  std::optional<double> relative_energy_error;  // energy minus work, where there is motion
  std::optional<double> condition_number;  // of the last step's matrix
  std::optional<double> solver_error;      // of the linear solver with that matrix
  correct::ReferenceQuantities reference;  // at the start
  bool length_assumed = false;             // all points of the model are in one place
  double scaling_factor = 0.0;             // s of the last step, or 0 if there was none
  double last_displacement_correction = 0.0;
  double last_multiplier_correction = 0.0;
  double last_scaled_multiplier_correction = 0.0;
  long steps_at_round_off = 0;
  double reached_tolerance = 0.0;  // largest of those steps
  double tolerance = 0.0;          // that was asked of them
  bool redundant = false;
  std::string constraint_verdict;  // whether they depend on each other, and what that means
  std::vector<std::string> warnings;  // sentences: what to doubt, and what to try
  AssemblyReport assembly;
  std::optional<ContactSummary> contacts;  // of a model that has some

  std::vector<std::pair<std::string, double>> final;  // outputs at the end
  std::vector<std::string> references;                // keys in docs/references.bib
};

}  // namespace daedal::simulate
