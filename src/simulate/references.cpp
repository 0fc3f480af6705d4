#include "daedal/simulate/references.hpp"

#include <algorithm>
#include <string_view>

#include "daedal/integrate/methods.hpp"
#include "daedal/linear/solver.hpp"

namespace daedal::simulate {

namespace {

constexpr std::string_view kTimeStepScaling = "Bottasso2008";
constexpr std::string_view kPhysicalScaling = "Bauchau2009";  // and the augmented Lagrangian

}  // namespace

std::vector<std::string> references(const Settings& settings, int unknowns) {
  std::vector<std::string> keys;
  const auto add = [&](std::string_view key) {
    if (std::ranges::find(keys, key) == keys.end()) keys.emplace_back(key);
  };
  if (const integrate::Method* method = integrate::find_method(settings.method)) {
    for (std::string_view key : method->references) add(key);
  }
  if (settings.formulation == "ggl") add("Gear1985");
  if (settings.steps == "adaptive" && settings.method != "bdf") add("Gustafsson1991");
  if (settings.formulation == "index-2" || settings.formulation == "index-1") add("Eich1993");
  if (settings.formulation == "index-1" &&
      (settings.baumgarte_alpha > 0.0 || settings.baumgarte_beta > 0.0)) {
    add("Baumgarte1972");
  }
  if (settings.coordinates == "joint" && settings.formalism == "explicit") add("Brandl1988");
  if (settings.jacobian_update != "none") add("Arnold2006");
  // The two- and three-field unknowns come from the work on scaling, too.
  if (settings.scaling.starts_with("time-step") || settings.unknowns != "u") add(kTimeStepScaling);
  if (settings.scaling == "physical" || settings.augmentation.value_or(0.0) != 0.0) add(kPhysicalScaling);
  if (settings.jacobian == "grouped") add("Curtis1974");
  if (settings.linear_solver == "tree") add("Bunch1971");
  if (settings.linear_solver == "klu") add("Davis2010");
  if (settings.condition_number && unknowns > linear::kExactConditionSize) add("Higham1988");
  return keys;
}

}  // namespace daedal::simulate
