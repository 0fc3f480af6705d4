// The section `simulate`.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/model_reader.hpp"

namespace daedal::io::reading {
namespace {

using simulate::Settings;

constexpr std::array<std::pair<std::string_view, double Settings::*>, 6> kNumbers{{
    {"until", &Settings::until},
    {"tolerance", &Settings::tolerance},
    {"rho_inf", &Settings::rho_inf},
    {"alpha", &Settings::alpha},
    {"beta", &Settings::beta},
    {"gamma", &Settings::gamma},
}};

constexpr std::array<std::pair<std::string_view, std::optional<double> Settings::*>, 8> kAutomatic{{
    {"step", &Settings::step},
    {"output_step", &Settings::output_step},
    {"scaling_factor", &Settings::scaling_factor},
    {"augmentation", &Settings::augmentation},
    {"reference_mass", &Settings::reference_mass},
    {"reference_damping", &Settings::reference_damping},
    {"reference_stiffness", &Settings::reference_stiffness},
    {"reference_length", &Settings::reference_length},
}};

constexpr std::array<std::pair<std::string_view, std::string Settings::*>, 7> kWords{{
    {"coordinates", &Settings::coordinates},
    {"formulation", &Settings::formulation},
    {"method", &Settings::method},
    {"unknowns", &Settings::unknowns},
    {"scaling", &Settings::scaling},
    {"jacobian", &Settings::jacobian},
    {"linear_solver", &Settings::linear_solver},
}};

constexpr std::array<std::pair<std::string_view, bool Settings::*>, 2> kFlags{{
    {"jacobian_reuse", &Settings::jacobian_reuse},
    {"condition_number", &Settings::condition_number},
}};

}  // namespace

Settings read_settings(const Node& section, Scope& scope) {
  const Item item{{}, "simulate", &section};
  Settings settings;
  for (const auto& [key, member] : kNumbers) {
    if (const Node* node = item.find(key)) settings.*member = scope.number(*node, item, key);
  }
  for (const auto& [key, member] : kAutomatic) {
    const Node* node = item.find(key);
    if (node && node->text() != "auto") settings.*member = scope.number(*node, item, key);
  }
  for (const auto& [key, member] : kWords) {
    if (const Node* node = item.find(key)) settings.*member = node->text();
  }
  for (const auto& [key, member] : kFlags) {
    if (const Node* node = item.find(key)) settings.*member = node->text() == "true";
  }
  if (const Node* node = item.find("max_iterations")) {
    long long count = 0;
    if (scope.integer(*node, item, "max_iterations", count)) {
      settings.max_iterations = static_cast<int>(count);
    }
  }
  return settings;
}

}  // namespace daedal::io::reading
