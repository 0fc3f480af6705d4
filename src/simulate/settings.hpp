#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/model/model.hpp"

namespace daedal::simulate {

/// The section `simulate` of a model file: how long, how fine and by which method.
struct Settings {
  double until = 1.0;                   // end time [s]
  std::optional<double> step;           // step size [s]; default: until / 1000
  double tolerance = 1e-6;              // relative accuracy to which the steps' equations are solved
  std::optional<double> output_step;    // interval of recorded rows [s]; default: every step

  std::string coordinates = "absolute";
  std::string formulation = "index-3";
  std::string method = "auto";
  double rho_inf = 0.9;                 // generalized-alpha: spectral radius at infinity, [0, 1]
  double alpha = -0.1;                  // hht: [-1/3, 0]
  double beta = 0.25;                   // newmark
  double gamma = 0.5;                   // newmark

  std::string unknowns = "u";           // of the Newmark family: u, uv, a

  std::string scaling = "time-step";
  std::optional<double> scaling_factor;  // s of `physical`; default: from the model
  // Characteristic quantities; default: from the model.
  std::optional<double> reference_mass, reference_damping, reference_stiffness, reference_length;
  std::optional<double> augmentation;   // rho of the augmented Lagrangian; default: see docs
  std::string jacobian = "analytic";
  bool jacobian_reuse = true;
  std::string linear_solver = "auto";
  int max_iterations = 12;              // of Newton's iteration in a step
  bool condition_number = false;        // compute it at the last step
};

/// The step asked for, or its default.
double step_size(const Settings& settings);

/// The linear solver that `auto` stands for, by the number of coordinates and multipliers.
std::string_view default_solver(const Settings& settings, int unknowns);

/// Every violated bound and unknown word at once; `where` is `simulate.key`.
std::vector<model::Problem> validate(const Settings& settings);

/// The method that `auto` stands for, and why.
struct MethodChoice {
  std::string method;
  std::string reason;
};
MethodChoice choose_method(const model::Model& model, const Settings& settings);

}  // namespace daedal::simulate
