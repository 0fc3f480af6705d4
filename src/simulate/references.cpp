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
  if (settings.scaling.starts_with("time-step")) add(kTimeStepScaling);
  if (settings.scaling == "physical" || settings.augmentation.value_or(0.0) != 0.0) add(kPhysicalScaling);
  if (settings.jacobian == "grouped") add("Curtis1974");
  if (settings.linear_solver == "tree") add("Bunch1971");
  if (settings.linear_solver == "klu") add("Davis2010");
  if (settings.condition_number && unknowns > linear::kExactConditionSize) add("Higham1988");
  return keys;
}

}  // namespace daedal::simulate
