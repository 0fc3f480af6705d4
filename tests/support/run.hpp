#pragma once

#include "daedal/integrate/methods.hpp"
#include "support/problems.hpp"

namespace daedal::testing {

/// A method that can have fixed steps, on one of its formulations.
struct FixedStep {
  std::string name;
  const integrate::Method* method;
  bool stabilised;

  std::unique_ptr<integrate::FixedStepIntegrator> make(const system::ConstrainedSystem& system,
                                                       integrate::Options options) const {
    options.stabilised = stabilised;
    return method->make(system, options);
  }
};

inline std::vector<FixedStep> fixed_steps() {
  std::vector<FixedStep> out;
  for (const integrate::Method& method : integrate::fixed_step_methods()) {
    for (const std::string_view formulation : method.formulations) {
      const bool stabilised = formulation == "ggl";
      out.push_back({std::string(method.name) + (stabilised ? "-ggl" : ""), &method, stabilised});
    }
  }
  return out;
}

inline FixedStep fixed_step(std::string_view name) {
  const auto all = fixed_steps();
  const auto found = std::ranges::find(all, name, &FixedStep::name);
  if (found == all.end()) throw std::runtime_error("no such method");
  return *found;
}

/// Runs a method with fixed steps and returns the last state; `watch` sees every accepted state.
template <class Watch>
integrate::State run(const system::ConstrainedSystem& system, const integrate::State& start,
                     integrate::FixedStepIntegrator& integrator, double h, int steps, Watch&& watch) {
  integrate::State from = start, to(system.structure());
  integrator.start(from, h);
  for (int n = 1; n <= steps; ++n) {
    const integrate::StepReport report = integrator.step(from, h, to);
    if (report.status != integrate::StepStatus::ok) {
      ADD_FAILURE() << "step " << n << " failed at " << report.where << " after "
                    << report.newton.iterations << " iterations, correction "
                    << report.newton.correction;
      return from;
    }
    watch(to, report);
    std::swap(from, to);
  }
  return from;
}

inline integrate::State run(const Problem& problem, std::string_view method,
                            const integrate::Options& options, double h, int steps) {
  const auto integrator = integrate::find_method(method)->make(*problem.system, options);
  return run(*problem.system, problem.start, *integrator, h, steps, [](const auto&, const auto&) {});
}

/// The same by a name in fixed_steps().
inline integrate::State run_by_name(const Problem& problem, std::string_view name,
                                    const integrate::Options& options, double h, int steps) {
  const auto integrator = fixed_step(name).make(*problem.system, options);
  return run(*problem.system, problem.start, *integrator, h, steps, [](const auto&, const auto&) {});
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

/// T + V of a state.
inline double energy_of(const system::ConstrainedSystem& system, system::Evaluator& evaluator,
                        const integrate::State& state) {
  std::vector<math::Jet> u(system.structure().excitations);
  system.excitations(state.t, u);
  evaluator.move_to({state.q, state.v, state.x, u});
  return evaluator.energy().total();
}

}  // namespace daedal::testing
