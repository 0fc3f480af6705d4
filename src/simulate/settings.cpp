#include "daedal/simulate/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/formulate/first_order.hpp"
#include "daedal/formulate/index3.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/linear/solver.hpp"
#include "daedal/math/text.hpp"
#include "daedal/simulate/combinations.hpp"

namespace daedal::simulate {

namespace {

/// Steps that arithmetic and rigid bodies can stand: h^2 and h^-2 stay far from the limits of double
/// precision, and nothing moves as a rigid body within a femtosecond.
constexpr double kShortestStep = 1e-15, kLongestStep = 1e15;

/// Unknowns up to which a dense solver is the fastest.
constexpr int kDenseSize = 24;

/// Collects violated bounds of `simulate.key`.
class Checker {
 public:
  std::vector<model::Problem> take() { return std::move(problems_); }

  void require(bool holds, std::string_view key, const std::string& message) {
    if (!holds) problems_.push_back({fmt::format("simulate.{}", key), message});
  }
  void positive(double value, std::string_view key, std::string_view unit) {
    require(std::isfinite(value) && value > 0.0, key,
            fmt::format("simulate: {} is {}, it must be positive and finite [{}]", key, value,
                        unit));
  }
  void within(double value, double low, double high, std::string_view key) {
    require(value >= low && value <= high, key,
            fmt::format("simulate: {} is {}, it must lie in [{:.4g}, {:.4g}]", key, value, low,
                        high));
  }
  void word(const std::string& value, std::vector<std::string> known, std::string_view key) {
    if (std::find(known.begin(), known.end(), value) != known.end()) return;
    require(false, key,
            fmt::format("simulate: unknown {} '{}'{}; known: {}", key, value,
                        math::did_you_mean(value, known), fmt::join(known, ", ")));
  }

 private:
  std::vector<model::Problem> problems_;
};

/// The step and the end time must fit each other and the arithmetic.
void check_times(const Settings& s, Checker& check) {
  const auto sound = [](double value) { return std::isfinite(value) && value > 0.0; };
  if (!sound(s.until) || (s.step && !sound(*s.step))) return;  // reported already
  const double step = step_size(s);
  const std::string_view key = s.step ? "step" : "until";
  const std::string what = s.step ? fmt::format("step is {:.6g} s", step)
                                  : fmt::format("until is {:.6g} s and makes steps of until/1000 = "
                                                "{:.3g} s",
                                                s.until, step);
  if (step < kShortestStep || step > kLongestStep) {
    check.require(false, key,
                  fmt::format("simulate: {}; a step must lie between {:g} s and {:g} s: give {} in "
                              "seconds",
                              what, kShortestStep, kLongestStep, key));
  } else if (step > s.until * (1.0 + 1e-9)) {
    check.require(false, key,
                  fmt::format("simulate: {}, longer than the whole run, until = {:.6g} s; choose a "
                              "smaller step or a later end",
                              what, s.until));
  } else if (s.until / step > 1e9) {
    check.require(false, key,
                  fmt::format("simulate: until / step is {:.3g} steps, more than 1e9; choose a "
                              "larger step",
                              s.until / step));
  }
}

std::vector<std::string> strings(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> or_auto(std::span<const std::string_view> names) {
  std::vector<std::string> out{"auto"};
  out.insert(out.end(), names.begin(), names.end());
  return out;
}

}  // namespace

std::string_view default_solver(const Settings& settings, int unknowns) {
  if (unknowns <= kDenseSize) return "dense";
  return settings.unknowns == "uv" ? "klu" : "tree";
}

std::string_view default_first_order_solver(const system::Structure& s) {
  if (2 * (s.dof() + s.constraint_rows) + s.state_size <= kDenseSize) return "dense";
  return s.has_massless() ? "klu" : "tree";
}

std::string_view default_explicit_solver(const system::Structure& s) {
  return s.dof() + s.constraint_rows <= kDenseSize ? "dense" : "tree";
}

double step_size(const Settings& s) { return s.step.value_or(s.until / 1000.0); }

double max_step_size(const Settings& s) { return s.max_step.value_or(s.until / 50.0); }

std::vector<model::Problem> validate(const Settings& s) {
  Checker check;
  check.positive(s.until, "until", "s");
  if (s.step) check.positive(*s.step, "step", "s");
  if (s.max_step) check.positive(*s.max_step, "max_step", "s");
  if (s.output_step) check.positive(*s.output_step, "output_step", "s");
  check.positive(s.tolerance, "tolerance", "-");
  check.require(s.tolerance <= 0.1, "tolerance",
                fmt::format("simulate: tolerance is {}, it must be at most 0.1", s.tolerance));
  if (s.min_step) {
    check.positive(*s.min_step, "min_step", "s");
    check.require(*s.min_step <= max_step_size(s), "min_step",
                  fmt::format("simulate: min_step is {:.6g} s, longer than the largest step, {:.6g} s; "
                              "choose a smaller one, or a larger max_step",
                              *s.min_step, max_step_size(s)));
  }
  if (s.drift_tolerance) check.positive(*s.drift_tolerance, "drift_tolerance", "m, rad");
  check.within(s.max_order, 1, 5, "max_order");
  if (s.absolute_tolerance) check.positive(*s.absolute_tolerance, "absolute_tolerance", "m, rad");
  check_times(s, check);

  std::vector<std::string> methods{"auto"};
  for (const integrate::Method& method : integrate::methods()) methods.emplace_back(method.name);
  check.word(s.method, methods, "method");
  check.word(s.coordinates, or_auto(coordinate_names()), "coordinates");
  check.word(s.formulation, or_auto(formulation_names()), "formulation");
  check.word(s.steps, or_auto(step_names()), "steps");
  check.word(s.scaling, strings(correct::scaling_names()), "scaling");
  check.word(s.jacobian, strings(correct::jacobian_source_names()), "jacobian");
  check.word(s.jacobian_pattern, strings(correct::jacobian_pattern_names()), "jacobian_pattern");
  check.word(s.formalism, strings(formulate::formalism_names()), "formalism");
  if (s.formalism == "explicit") {
    check.require(s.coordinates == "joint" || s.coordinates == "auto", "formalism",
                  fmt::format("simulate: formalism is explicit, which needs coordinates: joint, not {}",
                              s.coordinates));
    check.require(s.formulation == "auto" || formulate::form_from(s.formulation), "formalism",
                  fmt::format("simulate: formalism is explicit, which belongs to the formulations {}; "
                              "{} has residual alone",
                              fmt::join(formulate::form_names(), ", "), s.formulation));
    check.require(s.jacobian != "analytic", "jacobian",
                  "simulate: jacobian is analytic; derivatives of the explicit formalism come from "
                  "differences or grouped, analytic ones need formalism: residual");
  }
  check.word(s.jacobian_update, strings(correct::jacobian_update_names()), "jacobian_update");
  check.word(s.linear_solver, or_auto(linear::solver_names()), "linear_solver");

  check.word(s.unknowns, strings(formulate::unknowns_names()), "unknowns");
  check.require(s.unknowns == "u" || (s.method != "midpoint" && s.method != "bdf"), "unknowns",
                fmt::format("simulate: unknowns belong to the Newmark family; {} has u alone",
                            s.method));
  check.require(s.method != "bdf" || s.augmentation.value_or(0.0) == 0.0, "augmentation",
                "simulate: augmentation belongs to index-3; bdf has none");
  check.within(s.baumgarte_alpha, 0.0, 1e12, "baumgarte_alpha");
  check.within(s.baumgarte_beta, 0.0, 1e12, "baumgarte_beta");
  check.require(s.unknowns == "u" || s.jacobian == "analytic", "jacobian",
                fmt::format("simulate: jacobian is {}; unknowns {} need analytic", s.jacobian,
                            s.unknowns));
  check.require(s.unknowns != "uv" || s.linear_solver == "auto" || s.linear_solver == "dense" ||
                    s.linear_solver == "klu",
                "linear_solver",
                fmt::format("simulate: linear_solver is {}; unknowns uv leave zero pivots and need "
                            "dense or klu",
                            s.linear_solver));

  check.within(s.rho_inf, 0.0, 1.0, "rho_inf");
  check.within(s.alpha, -1.0 / 3.0 - 1e-15, 0.0, "alpha");
  check.within(s.beta, 1e-3, 1.0, "beta");
  check.within(s.gamma, 0.5, 2.0, "gamma");
  check.require(s.method != "newmark" || s.beta >= 0.5 * s.gamma, "beta",
                fmt::format("simulate: beta is {} and gamma {}; below beta = gamma/2 = {} newmark is "
                            "unstable for large steps",
                            s.beta, s.gamma, 0.5 * s.gamma));
  if (s.augmentation) check.within(*s.augmentation, 0.0, 1e12, "augmentation");
  if (s.scaling_factor) check.positive(*s.scaling_factor, "scaling_factor", "kg");
  if (s.reference_mass) check.positive(*s.reference_mass, "reference_mass", "kg");
  if (s.reference_length) check.positive(*s.reference_length, "reference_length", "m");
  if (s.reference_damping) check.within(*s.reference_damping, 0.0, 1e300, "reference_damping");
  if (s.reference_stiffness) {
    check.within(*s.reference_stiffness, 0.0, 1e300, "reference_stiffness");
  }
  check.within(s.max_iterations, 2, 1000, "max_iterations");
  return check.take();
}

}  // namespace daedal::simulate
