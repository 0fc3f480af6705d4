#include "daedal/io/summary_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fmt/ranges.h>

namespace daedal::io {

namespace {

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// "1 body", "2 bodies".
std::string counted(long count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

Json assembly_json(const simulate::AssemblyReport& a) {
  Json json;
  json["position_violation_before"] = a.position_violation_before;
  json["position_violation"] = a.position_violation;
  json["velocity_violation_before"] = a.velocity_violation_before;
  json["velocity_violation"] = a.velocity_violation;
  json["largest_move"] = a.largest_move;
  json["largest_velocity_change"] = a.largest_velocity_change;
  json["moved"] = a.moved;
  return json;
}

}  // namespace

Json summary_json(const simulate::Summary& s, const std::filesystem::path& result) {
  Json json;
  json["status"] = simulate::name_of(s.status);
  json["message"] = s.message;
  json["advice"] = s.status == simulate::Status::done ? "" : simulate::advice(s.status);
  json["warnings"] = s.warnings;
  json["model"] = s.model;
  json["coordinates"] = s.coordinates;
  json["formulation"] = s.formulation;
  json["method"] = s.method;
  json["method_reason"] = s.method_reason;
  json["formalism"] = s.formalism;
  json["step_unknowns"] = s.step_unknowns;
  json["scaling"] = s.scaling;
  json["jacobian"] = s.jacobian;
  json["jacobian_update"] = s.jacobian_update;
  json["linear_solver"] = s.linear_solver;
  json["step"] = s.step;
  json["bodies"] = s.bodies;
  json["joints"] = s.joints;
  json["unknowns"] = s.unknowns;
  json["constraints"] = s.constraints;
  if (s.coordinates == "joint") json["cut_joints"] = s.cut_joints;
  if (s.contacts) {
    const simulate::ContactSummary& c = *s.contacts;
    json["contacts"] = {{"points", c.points.size()},
                        {"events", c.events},
                        {"impacts", c.impacts},
                        {"impact_loss", c.impact_loss},
                        {"settled", c.settled}};
  }
  json["time"] = s.time;
  json["rows"] = s.rows;
  json["steps"] = s.steps;
  json["rejected_steps"] = s.rejected_steps;
  json["reduced_steps"] = s.reduced_steps;
  json["residual_evaluations"] = s.residual_evaluations;
  json["jacobian_evaluations"] = s.jacobian_evaluations;
  json["jacobian_residual_evaluations"] = s.jacobian_residual_evaluations;
  json["jacobian_updates"] = s.jacobian_updates;
  json["factorizations"] = s.factorizations;
  json["linear_solves"] = s.linear_solves;
  json["newton_iterations"] = s.newton_iterations;
  json["work"] = s.work ? Json(*s.work) : Json(nullptr);
  json["steps_at_minimum"] = s.steps_at_minimum;
  json["wall_seconds"] = s.wall_seconds;
  json["cpu_seconds"] = s.cpu_seconds;
  json["max_position_violation"] = s.max_position_violation;
  json["max_velocity_violation"] = s.max_velocity_violation;
  json["position_drift"] = s.position_drift;
  json["velocity_drift"] = s.velocity_drift;
  json["relative_energy_error"] = optional_number(s.relative_energy_error);
  json["condition_number"] = optional_number(s.condition_number);
  json["solver_error"] = optional_number(s.solver_error);
  json["reference"] = {{"mass", s.reference.mass},
                       {"damping", s.reference.damping},
                       {"stiffness", s.reference.stiffness},
                       {"length", s.reference.length}};
  json["scaling_factor"] = s.scaling_factor;
  json["last_displacement_correction"] = s.last_displacement_correction;
  json["last_multiplier_correction"] = s.last_multiplier_correction;
  json["last_scaled_multiplier_correction"] = s.last_scaled_multiplier_correction;
  json["steps_at_round_off"] = s.steps_at_round_off;
  if (s.steps_at_round_off > 0) json["reached_tolerance"] = s.reached_tolerance;
  json["redundant_constraints"] = s.redundant;
  json["dependent"] = s.assembly.dependence.not_unique;
  json["assembly"] = assembly_json(s.assembly);
  Json final = Json::object();
  for (const auto& [name, value] : s.final) final[name] = value;
  json["final"] = std::move(final);
  json["references"] = s.references;
  json["result"] = result.empty() ? Json(nullptr) : Json(result.string());
  return json;
}

namespace {

/// "12 impacts, which cost 0.3 J; 40 events; 'floor' came to rest".
std::string contacts_text(const simulate::ContactSummary& c) {
  std::string text = fmt::format("{}, which cost {:.4g} J; {} in all",
                                 counted(c.impacts, "impact", "impacts"), c.impact_loss,
                                 counted(c.events, "event", "events"));
  if (c.settled.empty()) return text;
  constexpr std::size_t kShown = 3;
  text += "; impacts accumulate at ";
  for (std::size_t i = 0; i < std::min(kShown, c.settled.size()); ++i) {
    text += fmt::format("{}{}", i > 0 ? ", " : "", c.settled[i]);
  }
  if (c.settled.size() > kShown) text += fmt::format(" and {} more", c.settled.size() - kShown);
  return text + (c.settled.size() > 1 ? ", which stay closed then" : ", which stays closed then");
}

std::string certificate_text(const simulate::Summary& s) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<22} {}\n", name, value);
  };
  text += "Certificate\n";
  line("position violation", fmt::format("{:.2e}", s.max_position_violation));
  line("velocity violation", fmt::format("{:.2e}", s.max_velocity_violation));
  line("energy balance", s.relative_energy_error
                             ? fmt::format("{:.2e} relative", *s.relative_energy_error)
                             : std::string("nothing moves"));
  if (s.condition_number) {
    line("condition number", fmt::format("{:.3e}; {} solves to {:.1e}", *s.condition_number,
                                         s.linear_solver, s.solver_error.value_or(0.0)));
  }
  line("rejected steps", fmt::format("{}{}", s.rejected_steps,
                                     s.reduced_steps > 0
                                         ? fmt::format(" ({})", counted(s.reduced_steps, "reduced step",
                                                                  "reduced steps"))
                                         : ""));
  if (s.steps_at_minimum > 0) {
    line("smallest step", fmt::format("{} beyond the tolerances",
                                      counted(s.steps_at_minimum, "step", "steps")));
  }
  if (s.steps_at_round_off > 0) {
    line("round-off", fmt::format("{} could not be solved to tolerance {:.1e}; round-off "
                                  "allows {:.1e}",
                                  counted(s.steps_at_round_off, "step", "steps"), s.tolerance,
                                  s.reached_tolerance));
  }
  line("constraints", s.constraint_verdict);
  if (s.contacts) line("contacts", contacts_text(*s.contacts));
  return text;
}

}  // namespace

namespace {

/// "closed by A, B and C", the first few of them.
std::string closing(const std::vector<std::string>& joints) {
  constexpr std::size_t kShown = 6;
  std::string text = "closed by ";
  for (std::size_t i = 0; i < std::min(joints.size(), kShown); ++i) {
    if (i > 0) text += i + 1 == joints.size() ? " and " : ", ";
    text += joints[i];
  }
  if (joints.size() > kShown) text += fmt::format(" and {} more", joints.size() - kShown);
  return text;
}

}  // namespace

std::string summary_text(const simulate::Summary& s, const std::filesystem::path& result) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<22} {}\n", name, value);
  };
  text += fmt::format("{}\n", s.model.empty() ? "Run" : s.model);
  line("status", std::string(simulate::name_of(s.status)));
  if (s.status != simulate::Status::done) {
    if (!s.message.empty()) line("what", s.message);
    line("try", std::string(simulate::advice(s.status)));
  }
  line("size", fmt::format("{}, {}, {}, {}", counted(s.bodies, "body", "bodies"),
                           counted(s.joints, "joint", "joints"),
                           counted(s.unknowns, "unknown", "unknowns"),
                           counted(s.constraints, "constraint", "constraints")));
  if (!s.cut_joints.empty()) line("loops", closing(s.cut_joints));
  line("method", fmt::format("{}, {}, {} coordinates ({})", s.method, s.formulation, s.coordinates,
                             s.method_reason));
  line("time", s.adaptive
                   ? fmt::format("{:.6g} s in {}", s.time, counted(s.steps, "step", "steps"))
                   : fmt::format("{:.6g} s in {} of {:.3g} s", s.time,
                                 counted(s.steps, "step", "steps"), s.step));
  const std::string factorisations = counted(s.factorizations, "factorisation", "factorisations");
  line("work", s.newton_iterations > 0
                   ? fmt::format("{}, {}, {}, {:.3g} s",
                                 counted(s.newton_iterations, "Newton iteration", "Newton iterations"),
                                 counted(s.jacobian_evaluations, "Jacobian", "Jacobians"),
                                 factorisations, s.wall_seconds)
                   : fmt::format("{}, {}, {:.3g} s",
                                 counted(s.residual_evaluations, "evaluation", "evaluations"),
                                 factorisations, s.wall_seconds));
  if (s.scaling_factor > 0.0) {
    line("reference", fmt::format("mass {:.3g} kg, damping {:.3g} kg/s, stiffness {:.3g} N/m, length "
                                  "{:.3g} m{}; s = {:.3g}",
                                  s.reference.mass, s.reference.damping, s.reference.stiffness,
                                  s.reference.length,
                                  s.length_assumed ? " (assumed: all points are in one place)" : "",
                                  s.scaling_factor));
  }
  if (!s.assembly.moved.empty()) {
    line("assembly", fmt::format("{}{}", s.assembly.moved.front(),
                                 s.assembly.moved.size() > 1
                                     ? fmt::format(", and {} more", s.assembly.moved.size() - 1)
                                     : ""));
  }
  if (s.steps > 0 || s.status == simulate::Status::done) text += certificate_text(s);
  if (!s.final.empty()) text += "Outputs at the end\n";
  constexpr std::size_t kShown = 24;
  for (std::size_t k = 0; k < std::min(s.final.size(), kShown); ++k) {
    line(s.final[k].first, fmt::format("{:.10g}", s.final[k].second));
  }
  if (s.final.size() > kShown) line("...", fmt::format("{} more", s.final.size() - kShown));
  if (!result.empty()) text += fmt::format("Result: {}\n", result.string());
  for (const std::string& warning : s.warnings) text += fmt::format("Warning: {}\n", warning);
  return text;
}

}  // namespace daedal::io
