#include "daedal/simulate/combinations.hpp"

#include <algorithm>
#include <array>

#include "daedal/integrate/methods.hpp"

namespace daedal::simulate {

namespace {

constexpr std::array<std::string_view, 2> kCoordinates{"absolute", "joint"};
constexpr std::array<std::string_view, 4> kFormulations{"index-3", "ggl", "index-2", "index-1"};

constexpr std::array<std::string_view, 2> kSteps{"fixed", "adaptive"};

}  // namespace

std::span<const std::string_view> coordinate_names() { return kCoordinates; }

std::span<const std::string_view> formulation_names() { return kFormulations; }

std::span<const std::string_view> step_names() { return kSteps; }

std::vector<Combination> combinations() {
  std::vector<Combination> table;
  for (std::string_view coordinates : kCoordinates) {
    for (const integrate::Method& method : integrate::methods()) {
      for (std::string_view formulation : method.formulations) {
        table.push_back({coordinates, formulation, method.name, method.fixed_on(formulation),
                         method.adaptive_on(formulation)});
      }
    }
  }
  return table;
}

bool is_possible(const Combination& wanted) {
  const std::vector<Combination> table = combinations();
  return std::any_of(table.begin(), table.end(), [&](const Combination& c) {
    return c.coordinates == wanted.coordinates && c.formulation == wanted.formulation &&
           c.method == wanted.method;
  });
}

}  // namespace daedal::simulate
