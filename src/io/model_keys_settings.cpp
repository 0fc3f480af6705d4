// Keys of the section `simulate`; words and defaults are those of the modules that know them.
#include <string>
#include <utility>

#include <fmt/format.h>

#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/correct/newton.hpp"
#include "daedal/correct/scaling.hpp"
#include "daedal/formulate/first_order.hpp"
#include "daedal/formulate/index3.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/io/model_keys.hpp"
#include "daedal/linear/solver.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/settings.hpp"

namespace daedal::io::keys {
namespace {

template <class Names>
std::vector<std::string> words(std::vector<std::string> first, const Names& names) {
  for (const std::string_view name : names) first.emplace_back(name);
  return first;
}


}  // namespace

Object settings() {
  const simulate::Settings defaults;
  std::vector<std::string> methods{"auto"};
  for (const integrate::Method& method : integrate::methods()) methods.emplace_back(method.name);
  const auto number = [](std::string key, double value, std::string unit, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::number,
                 .unit = std::move(unit),
                 .default_text = fmt::format("{}", value),
                 .help = std::move(help)};
  };
  const auto automatic = [](std::string key, std::string unit, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::number,
                 .unit = std::move(unit),
                 .default_text = "auto",
                 .choices = {"auto"},
                 .help = std::move(help)};
  };
  const auto word = [](std::string key, const std::string& value,
                       std::vector<std::string> choices, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::choice,
                 .default_text = value,
                 .choices = std::move(choices),
                 .help = std::move(help)};
  };
  const auto flag = [](std::string key, bool value, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::boolean,
                 .default_text = value ? "true" : "false",
                 .help = std::move(help)};
  };
  return {
      .name = "simulate",
      .help = "How long, how fine and by which method.",
      .fields = {
          number("until", defaults.until, "s", "End time; the start is 0"),
          automatic("step", "s",
                    "Step size; adaptive steps: the largest first one, also after a break point; auto: "
                    "`until`/1000"),
          automatic("max_step", "s", "Adaptive steps: the largest; auto: `until`/50"),
          automatic("min_step", "s",
                    "Explicit methods with adaptive steps: taken whatever the error, which the summary "
                    "counts; auto: where only a smaller one would do, the run fails"),
          number("tolerance", defaults.tolerance, "",
                 "Relative tolerance; each step's equations are solved to 1 % of it; adaptive steps: of "
                 "the local error"),
          automatic("absolute_tolerance", "",
                    "Adaptive steps: local error of values near zero: of positions [m, rad], velocities and "
                    "states, in SI units; auto: `tolerance` times the size of each kind"),
          flag("projection", defaults.projection,
               "Explicit methods: put states that drift off their constraints onto them"),
          automatic("drift_tolerance", "m, rad, m/s, rad/s",
                    "Explicit methods: violation of constraints, of positions and of velocities, that is "
                    "let pass; with `projection` states beyond it are projected, without it adaptive "
                    "steps are halved; auto: 1e-3 `tolerance` times the mechanism's length, at most 1 m, "
                    "or without `projection` any"),
          flag("local_extrapolation", defaults.local_extrapolation,
               "`rkf45`: goes on with its result of order 5; false: with that of order 4"),
          automatic("output_step", "s", "Interval of recorded rows; auto: every step"),
          word("coordinates", defaults.coordinates, words({"auto"}, simulate::coordinate_names()),
               "Unknowns of a body"),
          word("formulation", defaults.formulation, words({"auto"}, simulate::formulation_names()),
               "Form of the equations that is integrated"),
          word("method", defaults.method, methods, "Integration method"),
          word("steps", defaults.steps, words({"auto"}, simulate::step_names()),
               "Whether steps have the size `step` or one chosen by the local error; auto: `fixed` "
               "where `step` is given and the method allows it"),
          word("formalism", defaults.formalism, words({}, formulate::formalism_names()),
               "`bdf` in joint coordinates: residual of M v' = f - ..., or of v' = M^-1 (f - ...)"),
          number("rho_inf", defaults.rho_inf, "",
                 "`generalized-alpha`: spectral radius at infinite frequency, 0 to 1"),
          number("alpha", defaults.alpha, "", "`hht`: -1/3 to 0"),
          number("beta", defaults.beta, "", "`newmark`: its beta"),
          number("gamma", defaults.gamma, "", "`newmark`: its gamma"),
          number("baumgarte_alpha", defaults.baumgarte_alpha, "1/s",
                 "`index-1`: factor alpha of velocity constraints in G v' - gamma + 2 alpha (G v + ...) "
                 "+ beta^2 g"),
          number("baumgarte_beta", defaults.baumgarte_beta, "1/s",
                 "`index-1`: root beta of the factor of position constraints"),
          word("unknowns", defaults.unknowns, words({}, formulate::unknowns_names()),
               "Newmark family: unknowns of a step: displacements, these and velocities, or "
               "accelerations"),
          word("scaling", defaults.scaling, words({}, correct::scaling_names()),
               "Scaling of equations and unknowns"),
          automatic("scaling_factor", "", "Factor s of `physical` scaling; auto: from the model"),
          automatic("augmentation", "",
                    "Factor rho of the augmented Lagrangian; auto: 1 with `skyline`, or with `tree` "
                    "and massless coordinates, else 0"),
          automatic("reference_mass", "kg", "Characteristic mass m_r; auto: mean of M's diagonal"),
          automatic("reference_damping", "kg/s",
                    "Characteristic damping d_r; auto: mean of D's diagonal"),
          automatic("reference_stiffness", "N/m",
                    "Characteristic stiffness k_r; auto: mean of K's diagonal"),
          automatic("reference_length", "m",
                    "Characteristic length; auto: width of the mechanism in its reference pose, 1 m if it has none"),
          word("jacobian", defaults.jacobian, words({}, correct::jacobian_source_names()),
               "Source of the Newton matrix"),
          word("jacobian_update", defaults.jacobian_update,
               words({}, correct::jacobian_update_names()),
               "`bdf`: what is done when only the step has changed"),
          word("jacobian_pattern", defaults.jacobian_pattern,
               words({}, correct::jacobian_pattern_names()),
               "`bdf`, jacobian `grouped`: where the pattern comes from; estimated: from the entries "
               "that differ from zero, looked at again when convergence is slow"),
          flag("jacobian_reuse", defaults.jacobian_reuse,
               "Keep the Newton matrix while it serves"),
          word("linear_solver", defaults.linear_solver, words({"auto"}, linear::solver_names()),
               "Solver of the linear equations"),
          {.key = "max_iterations",
           .type = Type::integer,
           .default_text = fmt::format("{}", defaults.max_iterations),
           .help = "Limit of Newton's iteration in a step"},
          {.key = "max_order",
           .type = Type::integer,
           .default_text = fmt::format("{}", defaults.max_order),
           .help = "`bdf`: its highest order, 1 to 5; from 3 on undamped fast vibrations hold the "
                   "step down"},
          flag("condition_number", defaults.condition_number,
               "Compute the Newton matrix's condition number at the last step")}};
}

}  // namespace daedal::io::keys
