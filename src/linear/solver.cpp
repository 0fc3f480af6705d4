#include "daedal/linear/solver.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "daedal/linear/dense.hpp"
#include "daedal/linear/klu.hpp"
#include "daedal/linear/skyline.hpp"
#include "daedal/linear/tree.hpp"

namespace daedal::linear {

namespace {
constexpr std::array<std::string_view, 4> kNames{"dense", "skyline", "tree", "klu"};
}

std::unique_ptr<Solver> make_solver(std::string_view name) {
  if (name == "dense") return std::make_unique<DenseSolver>();
  if (name == "tree") return std::make_unique<TreeSolver>();
  if (name == "skyline") return std::make_unique<SkylineSolver>();
  if (name == "klu") return std::make_unique<KluSolver>();
  std::string known;
  for (const auto candidate : kNames) known += (known.empty() ? "" : ", ") + std::string(candidate);
  throw std::invalid_argument("linear solver '" + std::string(name) + "' is unknown; choose one of " +
                              known);
}

std::span<const std::string_view> solver_names() { return kNames; }

}  // namespace daedal::linear
