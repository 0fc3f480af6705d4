// One Newton iteration on a chain of N spatial rigid bodies in absolute coordinates, split into
// its parts, with the linear solvers side by side; then whole steps of generalized-alpha.
//
//   bench_chain [--dense-up-to N]
//
// Figures are microseconds of processor time per body, the best of several repetitions, on one
// thread: other programs on the machine then count by what they take of caches and memory alone.

#include <fmt/format.h>
#include <malloc.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/correct/newton_matrix.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/formulate/index3.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/integrate/newmark_family.hpp"
#include "support/chain.hpp"

namespace {

using namespace daedal;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Best time of one call [us], over at least 0.3 s or 5 batches. A look at the clock takes half a
/// microsecond, so short calls are timed many at once.
double best_time(const std::function<void()>& call) {
  constexpr double kBatch = 2e-4;  // [s]
  double begin = processor_seconds();
  call();
  const int calls = 1 + static_cast<int>(kBatch / (processor_seconds() - begin));
  double best = std::numeric_limits<double>::max(), total = 0.0;
  for (int k = 0; k < 5 || total < 0.3; ++k) {
    begin = processor_seconds();
    for (int i = 0; i < calls; ++i) call();
    const double seconds = processor_seconds() - begin;
    best = std::min(best, seconds / calls);
    total += seconds;
    if (total > 20.0) break;
  }
  return best * 1e6;
}

struct Parts {
  double evaluate, linearise, assemble, factorise, solve;
  double total() const { return evaluate + linearise + assemble + factorise + solve; }
};

integrate::State consistent_state(const coordinates::Mechanism& mechanism) {
  const system::ConstrainedSystem& system = *mechanism.system;
  integrate::State state(system.structure());
  state.q = mechanism.initial.q;
  state.v = mechanism.initial.v;
  auto evaluator = system.evaluator();
  std::vector<math::Jet> u(system.structure().excitations);
  evaluator->move_to({state.q, state.v, state.x, u});
  formulate::AccelerationLevel equations(system, "tree");
  equations.accelerations(*evaluator, state.a, state.lambda);
  return state;
}

/// Parts of one iteration at a state the chain reaches after some steps.
Parts newton_parts(const coordinates::Mechanism& mechanism, const integrate::State& state,
                   const std::string& solver_name) {
  const system::ConstrainedSystem& system = *mechanism.system;
  const system::Structure& structure = system.structure();
  const int n = structure.dof(), m = structure.constraint_rows;
  const double h = 1e-3;
  formulate::Index3 formulation(structure);
  system::Linearisation blocks(structure);
  correct::NewtonMatrix matrix(formulation.layout(),
                               formulation.terms(blocks, blocks.G, blocks.W), structure, false);
  auto solver = linear::make_solver(solver_name);
  solver->analyse(matrix.matrix().shared_pattern(), formulation.layout().kinds());
  auto evaluator = system.evaluator();
  std::vector<math::Jet> u(structure.excitations);
  std::vector<double> r(n), g(m), rhs(n + m), increment(n);
  std::vector<math::Mat3> T(structure.manifold.rotations().size());
  for (int i = 0; i < n; ++i) increment[i] = h * state.v[i];
  const auto p = integrate::NewmarkFamily::Parameters::generalized_alpha(0.9);
  correct::MethodFactors factors;
  factors.displacement[1] = p.gamma / (p.beta * h);
  factors.displacement[2] = (1.0 - p.alpha_m) / (1.0 - p.alpha_f) / (p.beta * h * h);
  correct::scale_factors(formulation.layout(), correct::Scaling::time_step, h, factors,
                         1.0, matrix.scale());

  Parts t{};
  t.evaluate = best_time([&] {
    evaluator->move_to({state.q, state.v, state.x, u});
    evaluator->constraints(g);
    evaluator->residual(state.a, state.lambda, r);
  });
  t.linearise = best_time([&] { evaluator->linearise(state.a, state.lambda, blocks); });
  t.assemble = best_time([&] {
    structure.manifold.inverse_tangents(increment, T);
    matrix.assemble(factors, {T, {}}, 0.0, 0.0);
  });
  t.factorise = best_time([&] { solver->factorise(matrix.matrix()); });
  t.solve = best_time([&] {
    std::copy(r.begin(), r.end(), rhs.begin());
    std::copy(g.begin(), g.end(), rhs.begin() + n);
    solver->solve(rhs);
  });
  return t;
}

struct StepTimes {
  double microseconds;  // per step, in the best of several batches
  double iterations;    // per step
  double jacobians;
};

StepTimes step_time(const coordinates::Mechanism& mechanism, integrate::State& state, int batch) {
  constexpr int kBatches = 5;
  integrate::Options options;
  options.newton.tolerance = 1e-8;
  auto integrator =
      integrate::find_method("generalized-alpha")->make(*mechanism.system, options);
  const double h = 1e-3;
  integrator->start(state, h);
  integrate::State next = state;
  double seconds = std::numeric_limits<double>::max();
  for (int b = 0; b < kBatches; ++b) {
    const double begin = processor_seconds();
    for (int k = 0; k < batch; ++k) {
      if (integrator->step(state, h, next).status != integrate::StepStatus::ok) {
        fmt::print("step failed\n");
        break;
      }
      std::swap(state, next);
    }
    seconds = std::min(seconds, processor_seconds() - begin);
  }
  const auto& c = integrator->counters();
  const double steps = kBatches * batch;
  return {seconds * 1e6 / batch, static_cast<double>(c.iterations) / steps,
          static_cast<double>(c.jacobian_evaluations) / steps};
}

}  // namespace

int main(int argc, char** argv) {
  int dense_up_to = 100;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--dense-up-to") dense_up_to = std::stoi(argv[i + 1]);
  }
  fmt::print("Chain of N spatial bodies, absolute coordinates; microseconds per body\n\n");
  fmt::print("{:>6} {:>6}  {:>8} {:>9} {:>8} {:>9} {:>7} {:>8}  {:>9}\n", "N", "solver", "evaluate",
             "linearise", "assemble", "factorise", "solve", "total", "x of klu");
  std::vector<std::pair<double, double>> growth;
  for (int n : {10, 100, 1000, 10000}) {
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const coordinates::Mechanism mechanism = coordinates::make_absolute(bench::chain(n));
    integrate::State state = consistent_state(mechanism);
    const StepTimes steps = step_time(mechanism, state, std::max(20, 20000 / n));
    double klu = 0.0;
    for (const char* name : {"klu", "tree", "dense"}) {
      if (std::string(name) == "dense" && n > dense_up_to) continue;
      const Parts t = newton_parts(mechanism, state, name);
      if (std::string(name) == "klu") klu = t.factorise + t.solve;
      if (std::string(name) == "tree") growth.push_back({n, t.total()});
      fmt::print("{:>6} {:>6}  {:>8.3f} {:>9.3f} {:>8.3f} {:>9.3f} {:>7.3f} {:>8.3f}  {:>9.2f}\n", n,
                 name, t.evaluate / n, t.linearise / n, t.assemble / n, t.factorise / n,
                 t.solve / n, t.total() / n, (t.factorise + t.solve) / klu);
    }
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    fmt::print("{:>6}   step  {:.3f} per body and step ({:.2f} iterations, {:.2f} Jacobians), "
               "system {:.0f} bytes per body\n",
               n, steps.microseconds / n, steps.iterations, steps.jacobians,
               static_cast<double>(after - before) / n);
  }
  // Least squares of log(time) over log(N).
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
  for (const auto& [n, time] : growth) {
    const double x = std::log(n), y = std::log(time);
    sx += x, sy += y, sxx += x * x, sxy += x * y, ++count;
  }
  fmt::print("\nGrowth exponent of tree, N = 10 ... 10000: {:.3f}\n",
             (count * sxy - sx * sy) / (count * sxx - sx * sx));
}
