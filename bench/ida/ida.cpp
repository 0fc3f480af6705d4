// The program beside plain IDA, which is the same integrator without our matrices:
//
//   chain     models/pendulum-chain.yaml for growing N, at its tolerances
//   squeezer  Andrews' mechanism in its seven angles, GGL form, from the same hand-written equations
//
// Every line has the error reached, so that times can be compared at equal digits. Times are those of
// the processor; "steps" of the chain's are ours without what watches them: energies, work, outputs.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "daedal/integrate/bdf.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/simulate/preparation.hpp"
#include "daedal/simulate/simulation.hpp"
#include "ida/squeezer.hpp"

namespace daedal::bench {
namespace {

/// Where multipliers count: everywhere, in the Newton test alone, or nowhere.
enum class Multipliers { counted, suppressed, free };
constexpr double kAnySize = 1e10;  // absolute tolerance of what is not to count

/// Processor time, as that of stock IDA.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Exponent of y = a x^p by least squares.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// ------------------------------------------------------------------------------- chain

/// The chain in its angles a against the vertical, y = (a, a'), with M_i the mass of all from i on:
///
///     0 = sum over k >= i of m l (cos a_i, sin a_i) . (p_k'' - g)
///
/// p_k'' from the suspension downwards, then the sums upwards: O(N).
StockProblem chain(int N) {
  const int n = N + 1;
  const double omega = 2.0 * std::numbers::pi * 0.05;
  StockProblem p;
  p.until = 200.0;
  p.y.assign(2 * n, 0.0);
  p.y_rate.assign(2 * n, 0.0);
  p.residual = [n, omega, ax = std::vector<double>(n), ay = std::vector<double>(n)](
                   double t, std::span<const double> y, std::span<const double> r,
                   std::span<double> F) mutable {
    double x = -0.3 * omega * omega * std::sin(omega * t);
    double z = -0.2 * omega * omega * std::sin(omega * t) + 9.81;
    for (int i = 0; i < n; ++i) {
      const double c = std::cos(y[i]), s = std::sin(y[i]), w = y[n + i], a = r[n + i];
      x += a * c - w * w * s;
      z += a * s + w * w * c;
      ax[i] = x, ay[i] = z;
    }
    double fx = 0.0, fy = 0.0;
    for (int i = n - 1; i >= 0; --i) {
      fx += ax[i], fy += ay[i];
      F[i] = r[i] - y[n + i];
      F[n + i] = std::cos(y[i]) * fx + std::sin(y[i]) * fy;
    }
  };
  return p;
}

double tip(const StockRun& run) {
  const std::size_t n = run.y.size() / 2;
  double x = 2.0 + 0.3 * std::sin(2.0 * std::numbers::pi * 0.05 * 200.0);
  for (std::size_t i = 0; i < n; ++i) x += std::sin(run.y[i]);
  return x;
}

simulate::Summary ours(int N, const std::vector<std::string>& set) {
  std::vector<std::string> all{fmt::format("parameters.N={}", N), "simulate.output_step=200"};
  all.insert(all.end(), set.begin(), set.end());
  const io::ModelFile file = io::read_model(DAEDAL_MODELS "/pendulum-chain.yaml", all);
  return simulate::run(file.model, file.settings);
}

/// Processor time of the steps alone [s].
double steps_alone(int N) {
  const std::vector<std::string> set{fmt::format("parameters.N={}", N)};
  const io::ModelFile file = io::read_model(DAEDAL_MODELS "/pendulum-chain.yaml", set);
  std::optional<simulate::AssemblyReport> assembly;
  const coordinates::Mechanism mechanism =
      simulate::make_mechanism(file.model, file.settings, assembly);
  const system::ConstrainedSystem& system = *mechanism.system;
  const integrate::Options options =
      simulate::integrator_options(file.model, file.settings, system.structure());
  formulate::AccelerationLevel equations(system, options.linear_solver);
  integrate::State state(system.structure()), next(system.structure());
  state.q = mechanism.initial.q;
  state.v = mechanism.initial.v;
  std::vector<math::Jet> u(system.structure().excitations);
  system.excitations(0.0, u);
  const auto at = system.evaluator();
  at->move_to({state.q, state.v, state.x, u});
  equations.accelerations(*at, state.a, state.lambda);
  integrate::Bdf bdf(system, options);
  const double begin = now(), until = file.settings.until;
  bdf.start(state, until / 1000.0);
  while (state.t < until && bdf.advance(until, next).status == integrate::StepStatus::ok) {
    std::swap(state, next);
  }
  return state.t < until ? std::nan("") : now() - begin;
}

void compare_chains(int largest) {
  fmt::print("Chain of pendulums, 200 s, tolerances 1e-4 and 1e-6\n");
  fmt::print("{:>5} {:>9} {:>8} {:>9} {:>6} {:>9}   {:>9} {:>8} {:>9} {:>6} {:>9}   {:>6} {:>9} {:>6}\n",
             "N", "IDA [s]", "steps", "residuals", "Je", "error [m]", "ours [s]", "steps", "residuals",
             "Je", "error [m]", "ratio", "steps [s]", "ratio");
  std::vector<double> sizes, stock_times, our_times, per_step;
  for (int N = 16; N <= largest; N *= 2) {
    const StockProblem problem = chain(N);
    const double exact =
        ours(N, {"simulate.tolerance=1e-8", "simulate.absolute_tolerance=1e-10"}).final.front().second;
    const StockRun a = run_stock(problem, {.rtol = 1e-4, .atol = 1e-6});
    const simulate::Summary b = ours(N, {});  // analytic, never formed: O(N) a step
    const double error = std::abs(b.final.front().second - exact), alone = steps_alone(N);
    fmt::print("{:>5} {:>9.3f} {:>8} {:>9} {:>6} {:>9.1e}   {:>9.3f} {:>8} {:>9} {:>6} {:>9.1e}   "
               "{:>6.3f} {:>9.3f} {:>6.3f}\n",
               N, a.seconds, a.steps, a.residuals + a.jacobian_residuals, a.jacobians,
               std::abs(tip(a) - exact), b.cpu_seconds, b.steps, b.residual_evaluations,
               b.jacobian_evaluations, error, b.cpu_seconds / a.seconds, alone, alone / a.seconds);
    std::fflush(stdout);
    sizes.push_back(N);
    stock_times.push_back(a.seconds);
    our_times.push_back(b.cpu_seconds);
    per_step.push_back(b.cpu_seconds / static_cast<double>(b.steps));
  }
  if (sizes.size() < 2) return;
  fmt::print("exponents of time: IDA {:.2f}, ours {:.2f}; ours per step {:.2f}\n\n",
             exponent(sizes, stock_times), exponent(sizes, our_times), exponent(sizes, per_step));
}

// ------------------------------------------------------------------------------- squeezer

using testing::Squeezer;

struct OurRun {
  bool done = true;
  double beta = 0.0, seconds = 0.0;
  long steps = 0, residuals = 0, jacobians = 0;
};

OurRun ours(const Squeezer& system, const integrate::State& start, double tolerance) {
  integrate::Options options;
  options.tolerance = tolerance;
  options.max_step = kSqueezerEnd / 50.0;
  options.linear_solver = "dense";
  options.reference.length = 0.1;
  options.jacobian_update = correct::JacobianUpdate::partitioned;
  OurRun run;
  const double begin = now();
  integrate::Bdf bdf(system, options);
  integrate::State state = start, next(system.structure());
  bdf.start(state, kSqueezerEnd / 1000.0);
  while (run.done && state.t < kSqueezerEnd) {
    run.done = bdf.advance(kSqueezerEnd, next).status == integrate::StepStatus::ok;
    std::swap(state, next);
    ++run.steps;
  }
  run.seconds = now() - begin;
  run.beta = state.q[0];
  run.residuals = bdf.counters().residual_evaluations;
  run.jacobians = bdf.counters().jacobian_evaluations;
  return run;
}

/// The least time of a run that is at least so accurate.
double time_at(const std::vector<std::pair<double, double>>& error_and_time, double error) {
  double least = std::nan("");
  for (const auto& [reached, time] : error_and_time) {
    if (reached <= error && !(time >= least)) least = time;
  }
  return least;
}

void compare_squeezers() {
  const Squeezer system;
  const integrate::State start = squeezer_start(system);
  const double exact = 15.810771195153707;  // in 113-bit arithmetic, studies/data/andrews.csv

  fmt::print("Squeezer, 7 angles, GGL, 0.03 s; error of beta relative to {:.9f}\n", exact);
  fmt::print("{:<24} {:>9} {:>9} {:>8} {:>9} {:>6} {:>9}\n", "", "tolerance", "time [ms]", "steps",
             "residuals", "Je", "error");
  constexpr int kRepeats = 9;
  const StockProblem problem = squeezer_problem(system, start);
  std::vector<std::pair<double, double>> stock, own;
  const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  constexpr std::pair<Multipliers, const char*> kStocks[] = {
      {Multipliers::counted, "IDA, default"},
      {Multipliers::suppressed, "IDA, multipliers aside"},
      {Multipliers::free, "IDA, multipliers free"}};
  for (const auto& [multipliers, name] : kStocks) {
    for (const double tolerance : tolerances) {
      const StockOptions options{.rtol = tolerance,
                                 .atol = tolerance,
                                 .suppress = multipliers != Multipliers::counted,
                                 .multiplier_atol =
                                     multipliers == Multipliers::free ? kAnySize : 0.0};
      StockRun best = run_stock(problem, options);
      for (int k = 1; k < kRepeats && best.done; ++k) {
        best.seconds = std::min(best.seconds, run_stock(problem, options).seconds);
      }
      if (!best.done) {
        fmt::print("{:<24} {:>9.0e} fails\n", name, tolerance);
        continue;
      }
      const double error = std::abs(best.y[0] / exact - 1.0);
      stock.push_back({error, best.seconds});
      fmt::print("{:<24} {:>9.0e} {:>9.3f} {:>8} {:>9} {:>6} {:>9.1e}\n", name, tolerance,
                 1e3 * best.seconds, best.steps, best.residuals + best.jacobian_residuals,
                 best.jacobians, error);
    }
  }
  for (const double tolerance : tolerances) {
    OurRun best = ours(system, start, tolerance);
    for (int k = 1; k < kRepeats && best.done; ++k) {
      best.seconds = std::min(best.seconds, ours(system, start, tolerance).seconds);
    }
    const double error = std::abs(best.beta / exact - 1.0);
    if (best.done) own.push_back({error, best.seconds});
    fmt::print("{:<24} {:>9.0e} {:>9.3f} {:>8} {:>9} {:>6} {:>9.1e}\n", "ours", tolerance,
               1e3 * best.seconds, best.steps, best.residuals, best.jacobians, error);
  }
  for (const double error : {1e-4, 1e-5, 1e-6}) {
    const double a = time_at(stock, error), b = time_at(own, error);
    fmt::print("at {:.0e}: IDA {:.3f} ms, ours {:.3f} ms, ratio {:.2f}\n", error, 1e3 * a, 1e3 * b,
               b / a);
  }
}

}  // namespace
}  // namespace daedal::bench

int main(int argc, char** argv) {
  daedal::bench::compare_squeezers();
  fmt::print("\n");
  daedal::bench::compare_chains(argc > 1 ? std::atoi(argv[1]) : 256);
}
