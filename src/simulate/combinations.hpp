#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace daedal::simulate {

/// Which (coordinates, formulation, method) go together: the one table that `daedal methods`
/// prints, settings are checked against and the shared tests run over.
struct Combination {
  std::string_view coordinates;
  std::string_view formulation;
  std::string_view method;
  bool fixed = false, adaptive = false;  // the kinds of steps it can take

  std::string_view steps() const {
    if (fixed && adaptive) return "fixed or adaptive";
    return fixed ? "fixed" : "adaptive";
  }
};

std::span<const std::string_view> coordinate_names();
std::span<const std::string_view> formulation_names();
std::span<const std::string_view> step_names();
std::vector<Combination> combinations();
/// Whether the table has these three.
bool is_possible(const Combination& combination);

}  // namespace daedal::simulate
