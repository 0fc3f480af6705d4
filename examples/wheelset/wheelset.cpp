// A system of one's own, integrated without a model file: hunting of a railway wheelset. Prints
// lateral displacement, yaw and the normal multipliers over ten seconds.
#include "wheelset.hpp"

#include <cstdio>

#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/bdf.hpp"

using daedal::examples::Wheelset;
namespace integrate = daedal::integrate;

int main() {
  const Wheelset system;
  integrate::State state(system.structure()), next = state;
  state.q = Wheelset::initial_q();

  // Accelerations and multipliers that belong to the start.
  const auto evaluator = system.evaluator();
  evaluator->move_to({state.q, state.v, state.x, {}});
  daedal::formulate::AccelerationLevel equations(system, "dense");
  if (!equations.accelerations(*evaluator, state.a, state.lambda)) {
    std::puts("the start has no accelerations");
    return 1;
  }

  integrate::Options options;
  options.linear_solver = "dense";
  options.form = daedal::formulate::Form::ggl;
  options.tolerance = 1e-9;
  options.max_step = 0.1;
  options.newton.source = daedal::correct::JacobianSource::differences;
  integrate::Bdf bdf(system, options);
  bdf.start(state, 1e-4);

  std::puts("   t [s]       x [mm]   yaw [mrad]   left [N]  right [N]");
  long steps = 0;
  double print_at = 0.0;
  while (next.t < 10.0) {
    const integrate::StepReport report = bdf.advance(10.0, next);
    if (report.status != integrate::StepStatus::ok) {
      std::printf("failed at t = %g s, at %s\n", next.t, report.where.c_str());
      return 1;
    }
    ++steps;
    while (print_at <= next.t && print_at < 10.0) {
      integrate::State there = next;
      if (print_at > 0.0) {
        bdf.interpolate(print_at, there);
      } else {
        there = state;
      }
      std::printf("%8.2f %12.6f %12.6f %10.4f %10.4f\n", print_at, 1e3 * there.q[0],
                  1e3 * there.q[3], there.lambda[0], there.lambda[1]);
      print_at += 1.0;
    }
  }
  std::printf("%8.2f %12.6f %12.6f %10.4f %10.4f\n", next.t, 1e3 * next.q[0], 1e3 * next.q[3],
              next.lambda[0], next.lambda[1]);
  std::printf("%ld steps, %ld residuals, %ld Jacobians\n", steps,
              bdf.counters().residual_evaluations, bdf.counters().jacobian_evaluations);
}
