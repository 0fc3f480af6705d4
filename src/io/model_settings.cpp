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

constexpr std::array<std::pair<std::string_view, double Settings::*>, 8> kNumbers{{
    {"until", &Settings::until},
    {"tolerance", &Settings::tolerance},
    {"rho_inf", &Settings::rho_inf},
    {"alpha", &Settings::alpha},
    {"beta", &Settings::beta},
    {"gamma", &Settings::gamma},
    {"baumgarte_alpha", &Settings::baumgarte_alpha},
    {"baumgarte_beta", &Settings::baumgarte_beta},
}};

constexpr std::array<std::pair<std::string_view, std::optional<double> Settings::*>, 12> kAutomatic{{
    {"absolute_tolerance", &Settings::absolute_tolerance},
    {"step", &Settings::step},
    {"max_step", &Settings::max_step},
    {"min_step", &Settings::min_step},
    {"drift_tolerance", &Settings::drift_tolerance},
    {"output_step", &Settings::output_step},
    {"scaling_factor", &Settings::scaling_factor},
    {"augmentation", &Settings::augmentation},
    {"reference_mass", &Settings::reference_mass},
    {"reference_damping", &Settings::reference_damping},
    {"reference_stiffness", &Settings::reference_stiffness},
    {"reference_length", &Settings::reference_length},
}};

constexpr std::array<std::pair<std::string_view, std::string Settings::*>, 11> kWords{{
    {"coordinates", &Settings::coordinates},
    {"formulation", &Settings::formulation},
    {"method", &Settings::method},
    {"steps", &Settings::steps},
    {"unknowns", &Settings::unknowns},
    {"scaling", &Settings::scaling},
    {"jacobian", &Settings::jacobian},
    {"jacobian_update", &Settings::jacobian_update},
    {"jacobian_pattern", &Settings::jacobian_pattern},
    {"formalism", &Settings::formalism},
    {"linear_solver", &Settings::linear_solver},
}};

constexpr std::array<std::pair<std::string_view, bool Settings::*>, 4> kFlags{{
    {"jacobian_reuse", &Settings::jacobian_reuse},
    {"projection", &Settings::projection},
    {"local_extrapolation", &Settings::local_extrapolation},
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
  const auto count = [&](std::string_view key, int& to) {
    long long number = 0;
    const Node* node = item.find(key);
    if (node && scope.integer(*node, item, key, number)) to = static_cast<int>(number);
  };
  count("max_iterations", settings.max_iterations);
  count("max_order", settings.max_order);
  return settings;
}

}  // namespace daedal::io::reading
