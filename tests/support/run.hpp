#pragma once

#include "daedal/integrate/methods.hpp"
#include "support/problems.hpp"

namespace daedal::testing {

/// Runs a method with fixed steps and returns the last state; `watch` sees every accepted state.
template <class Watch>
integrate::State run(const system::ConstrainedSystem& system, const integrate::State& start,
                     integrate::Integrator& integrator, double h, int steps, Watch&& watch) {
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
