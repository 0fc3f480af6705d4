#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/model/model.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::simulate {

/// The section `simulate` of a model file: how long, how fine and by which method.
struct Settings {
  double until = 1.0;                   // end time [s]
  // Step size [s]; default: until / 1000. Of adaptive steps the largest first one.
  std::optional<double> step;
  std::optional<double> max_step;       // of adaptive steps [s]; default: until / 50
  // Relative accuracy to which the steps' equations are solved; of adaptive steps the local error.
  double tolerance = 1e-6;
  std::optional<double> min_step;       // explicit methods: taken whatever the error [s]
  bool projection = true;               // explicit methods: of states that drift off constraints
  std::optional<double> drift_tolerance;  // of explicit methods [m, rad; m/s, rad/s]
  bool local_extrapolation = true;      // rkf45: goes on with the result of order 5, not of order 4
  int max_order = 5;                    // bdf
  // Of adaptive methods, of positions, velocities and states in SI units; default: by their sizes.
  std::optional<double> absolute_tolerance;
  std::optional<double> output_step;    // interval of recorded rows [s]; default: every step

  // What is `auto` is chosen by choose_method().
  std::string coordinates = "auto";
  std::string formulation = "auto";
  std::string method = "auto";
  std::string steps = "auto";
  std::string formalism = "residual";   // first-order formulations in joint coordinates
  double rho_inf = 0.9;                 // generalized-alpha: spectral radius at infinity, [0, 1]
  double alpha = -0.1;                  // hht: [-1/3, 0]
  double beta = 0.25;                   // newmark
  double gamma = 0.5;                   // newmark
  double baumgarte_alpha = 0.0;         // index-1 [1/s]
  double baumgarte_beta = 0.0;          // index-1 [1/s]

  std::string unknowns = "u";           // of the Newmark family: u, uv, a

  std::string scaling = "time-step";
  std::optional<double> scaling_factor;  // s of `physical`; default: from the model
  // Characteristic quantities; default: from the model.
  std::optional<double> reference_mass, reference_damping, reference_stiffness, reference_length;
  std::optional<double> augmentation;   // rho of the augmented Lagrangian; default: see docs
  std::string jacobian = "analytic";
  std::string jacobian_update = "none";  // adaptive methods
  std::string jacobian_pattern = "topology";  // of `grouped`, adaptive methods
  bool jacobian_reuse = true;
  std::string linear_solver = "auto";
  int max_iterations = 12;              // of Newton's iteration in a step
  bool condition_number = false;        // compute it at the last step
};

/// The step asked for, or its default.
double step_size(const Settings& settings);

/// The largest step of an adaptive method, or its default.
double max_step_size(const Settings& settings);

/// The linear solver that `auto` stands for, by the number of coordinates and multipliers.
std::string_view default_solver(const Settings& settings, int unknowns);

/// The same for first-order formulations.
std::string_view default_first_order_solver(const system::Structure& structure);

/// The same for explicit methods.
std::string_view default_explicit_solver(const system::Structure& structure);

/// Every violated bound and unknown word at once; `where` is `simulate.key`.
std::vector<model::Problem> validate(const Settings& settings);

}  // namespace daedal::simulate
