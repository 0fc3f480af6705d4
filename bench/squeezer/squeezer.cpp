// Andrews' squeezing mechanism from its model file: microseconds per step of each method, and the
// parts of one Newton iteration's cost that the counters show.
//
//   bench_squeezer [MODEL]

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <string>

#include "daedal/io/model_file.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/simulation.hpp"

int main(int argc, char** argv) {
  using namespace daedal;
  const std::string path = argc > 1 ? argv[1] : DAEDAL_MODELS "/squeezer.yaml";
  fmt::print("{:<20} {:<8} {:<8} {:>9} {:>12} {:>11} {:>11}\n", "method", "form", "solver",
             "step [s]", "us per step", "iterations", "Jacobians");
  for (const simulate::Combination& c : simulate::combinations()) {
    if (c.coordinates != "absolute") continue;
    for (const char* solver : {"dense", "tree", "klu"}) {
      const std::vector<std::string> set{fmt::format("simulate.method={}", c.method),
                                         fmt::format("simulate.formulation={}", c.formulation),
                                         fmt::format("simulate.linear_solver={}", solver),
                                         "simulate.output_step=0.03"};
      const io::ModelFile file = io::read_model(path, set);
      double best = std::numeric_limits<double>::max();
      simulate::Summary summary;
      for (int k = 0; k < 5; ++k) {
        summary = simulate::run(file.model, file.settings);
        best = std::min(best, summary.wall_seconds);
      }
      const double steps = static_cast<double>(summary.steps);
      fmt::print("{:<20} {:<8} {:<8} {:>9.1e} {:>12.2f} {:>11.2f} {:>11.3f}\n", c.method,
                 c.formulation, solver, summary.step, best * 1e6 / steps,
                 static_cast<double>(summary.newton_iterations) / steps,
                 static_cast<double>(summary.jacobian_evaluations) / steps);
    }
  }
}
