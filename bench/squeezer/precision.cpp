// Work and precision on Andrews' squeezing mechanism, 0.03 s: hem5, rkf45 and bdf from the model
// file, and IDA as it comes on the hand-written GGL form, in one run.
//
//   bench_precision [REPEATS]
//
// Digits are those of the worst of the seven angles at the end, against the solution in 113-bit
// arithmetic. Those of a single run scatter by half a digit: times are compared on the straight
// lines log time = a + b digits, by least squares over the tolerances.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "daedal/io/model_file.hpp"
#include "daedal/simulate/simulation.hpp"
#include "ida/squeezer.hpp"
#include "support/csv_table.hpp"

namespace daedal::bench {
namespace {

constexpr std::array<const char*, 7> kAngles{"beta",  "Theta", "gamma",  "Phi",
                                             "delta", "Omega", "epsilon"};

/// The angles at the end, from the reference.
std::array<double, 7> exact_angles() {
  const testing::CsvTable table("andrews_quad_reference.csv");
  std::array<double, 7> q{};
  for (const std::vector<double>& row : table.rows) {
    if (std::abs(row[0] - kSqueezerEnd) < 1e-12) std::copy_n(row.begin() + 1, 7, q.begin());
  }
  return q;
}

/// Absolute tolerance of multipliers over that of the others, where it is loose.
constexpr double kMultipliers = 1e6;

/// One tolerance of one method.
struct Mark {
  double tolerance = 0.0, seconds = 0.0, digits = 0.0;
  long steps = 0;
};

/// log10 seconds = a + b digits.
struct WorkLine {
  double a = 0.0, b = 0.0;
  double seconds_at(double digits) const { return std::pow(10.0, a + b * digits); }
};

WorkLine fit(const std::vector<Mark>& marks) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Mark& m : marks) {
    const double y = std::log10(m.seconds);
    n += 1, sx += m.digits, sy += y, sxx += m.digits * m.digits, sxy += m.digits * y;
  }
  WorkLine line;
  line.b = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  line.a = (sy - line.b * sx) / n;
  return line;
}

template <class Angles>
double digits_of(const std::array<double, 7>& exact, Angles&& angle) {
  double worst = 0.0;
  for (int i = 0; i < 7; ++i) worst = std::max(worst, std::abs(angle(i) / exact[i] - 1.0));
  return -std::log10(worst);
}

struct Method {
  std::string name;
  std::vector<std::string> set;
};

std::vector<Mark> measure(const Method& method, const std::vector<double>& tolerances, int repeats,
                          const std::array<double, 7>& exact) {
  std::vector<Mark> marks;
  for (const double tolerance : tolerances) {
    std::vector<std::string> set{"simulate.steps=adaptive", "simulate.output_step=0.03",
                                 fmt::format("simulate.tolerance={}", tolerance)};
    set.insert(set.end(), method.set.begin(), method.set.end());
    const io::ModelFile file = io::read_model(DAEDAL_MODELS "/squeezer.yaml", set);
    Mark mark{tolerance, 1e300};
    for (int k = 0; k < repeats; ++k) {
      const simulate::Summary s = simulate::run(file.model, file.settings);
      if (s.status != simulate::Status::done) {
        fmt::print("{}: {}\n", method.name, s.message);
        break;
      }
      mark.seconds = std::min(mark.seconds, s.cpu_seconds);
      mark.steps = s.steps;
      mark.digits = digits_of(exact, [&](int i) {
        for (const auto& [name, value] : s.final) {
          if (name == kAngles[i]) return value;
        }
        return std::nan("");
      });
    }
    marks.push_back(mark);
  }
  return marks;
}

std::vector<Mark> measure_stock(const std::vector<double>& tolerances, int repeats,
                                const std::array<double, 7>& exact, StockOptions options,
                                bool loose) {
  const testing::Squeezer system;
  const StockProblem problem = squeezer_problem(system, squeezer_start(system));
  std::vector<Mark> marks;
  for (const double tolerance : tolerances) {
    options.rtol = options.atol = tolerance;
    if (loose) options.multiplier_atol = kMultipliers * tolerance;
    Mark mark{tolerance, 1e300};
    bool done = true;
    for (int k = 0; k < repeats && done; ++k) {
      const StockRun run = run_stock(problem, options);
      done = run.done;
      mark.seconds = std::min(mark.seconds, run.seconds);
      mark.steps = run.steps;
      mark.digits = digits_of(exact, [&](int i) { return run.y[i]; });
    }
    if (done) marks.push_back(mark);
  }
  return marks;
}

void compare(int repeats) {
  const std::array<double, 7> exact = exact_angles();
  const std::string joint = "simulate.coordinates=joint",
                    absolute = "simulate.coordinates=absolute";
  const std::vector<double> explicit_tolerances{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  const std::vector<double> tolerances{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  std::vector<std::pair<std::string, std::vector<Mark>>> all;
  // By default IDA gives up: see bench_ida. What it needs is a first step that is not tiny, and
  // multipliers out of the error test; best is to let them be off in Newton's iteration, too.
  all.emplace_back("IDA, aside", measure_stock(tolerances, repeats, exact,
                                               {.suppress = true, .first_step = 1e-4}, false));
  all.emplace_back(
      "IDA, aside and loose",
      measure_stock(tolerances, repeats, exact, {.suppress = true, .first_step = 1e-4}, true));
  for (const char* name : {"hem5", "rkf45"}) {
    const std::string method = fmt::format("simulate.method={}", name);
    for (const std::string& where : {joint, absolute}) {
      const std::string label = name + std::string(where == joint ? ", joint" : ", absolute");
      all.emplace_back(label,
                       measure({label, {method, where}}, explicit_tolerances, repeats, exact));
    }
  }
  for (const std::string& where : {joint, absolute}) {
    const std::string label = where == joint ? "bdf, joint" : "bdf, absolute";
    all.emplace_back(label, measure({label,
                                     {"simulate.method=bdf", "simulate.formulation=ggl", where,
                                      "simulate.jacobian_update=partitioned"}},
                                    tolerances, repeats, exact));
  }
  fmt::print("{:<24} {:>9} {:>8} {:>9} {:>7}\n", "", "tolerance", "steps", "ms", "digits");
  for (const auto& [name, marks] : all) {
    for (const Mark& m : marks) {
      fmt::print("{:<24} {:>9.0e} {:>8} {:>9.3f} {:>7.2f}\n", name, m.tolerance, m.steps,
                 1e3 * m.seconds, m.digits);
    }
  }
  constexpr std::array<double, 4> kDigits{4.0, 5.0, 6.0, 7.0};
  fmt::print("\nms at a number of digits, and as a share of the better IDA's\n{:<24}", "fitted");
  for (double digits : kDigits) fmt::print(" {:>16.0f}", digits);
  fmt::print("\n");
  const WorkLine first = fit(all[0].second), second = fit(all[1].second);
  for (const auto& [name, marks] : all) {
    const WorkLine line = fit(marks);
    fmt::print("{:<24}", name);
    for (double digits : kDigits) {
      const double ida = std::min(first.seconds_at(digits), second.seconds_at(digits));
      fmt::print(" {:>8.3f} {:>7.3f}", 1e3 * line.seconds_at(digits),
                 line.seconds_at(digits) / ida);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace daedal::bench

int main(int argc, char** argv) {
  daedal::bench::compare(argc > 1 ? std::atoi(argv[1]) : 9);
}
