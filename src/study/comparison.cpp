#include "daedal/study/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "daedal/io/suggestion.hpp"

namespace daedal::study {

namespace {

constexpr double kSameTime = 1e-9;  // relative to the reference's last time
constexpr std::string_view kMultipliers = "multipliers.", kScheme = "scheme.";

double same_time(const Reference& reference) {
  return kSameTime * std::abs(reference.times.back());
}

}  // namespace

std::vector<std::string> comparable_names(const std::vector<std::string>& outputs,
                                          const std::vector<std::string>& multipliers) {
  std::vector<std::string> names = outputs;
  for (const std::string_view prefix : {kMultipliers, kScheme}) {
    for (const std::string& name : multipliers) names.push_back(fmt::format("{}{}", prefix, name));
  }
  return names;
}

bool names_multiplier(std::string_view name) {
  return name.starts_with(kMultipliers) || name.starts_with(kScheme);
}

Comparer::Comparer(std::span<const Comparison> comparisons)
    : comparisons_(comparisons), progress_(comparisons.size()) {}

void Comparer::begin(const simulate::RowNames& names) {
  const std::vector<std::string> known = comparable_names(names.outputs, names.multipliers);
  const auto place = [&](std::size_t index) -> Place {
    const std::size_t outputs = names.outputs.size(), multipliers = names.multipliers.size();
    if (index < outputs) return {Place::Of::output, index};
    index -= outputs;
    if (index < multipliers) return {Place::Of::multiplier, index};
    return {Place::Of::scheme, index - multipliers};
  };
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    Progress& p = progress_[k];
    for (const std::string& name : comparisons_[k].reference.names) {
      const auto found = std::ranges::find(known, name);
      if (found == known.end()) {
        throw std::runtime_error(
            fmt::format("the run has no '{}' to compare; {}", name, io::suggestion(name, known)));
      }
      p.places.push_back(place(static_cast<std::size_t>(found - known.begin())));
    }
    p.all.assign(p.places.size(), 0.0);
    p.latest.assign(p.places.size(), 0.0);
  }
}

void Comparer::record(const simulate::Row& row) {
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    const Reference& reference = comparisons_[k].reference;
    Progress& p = progress_[k];
    if (p.next == reference.times.size()) continue;
    if (std::abs(row.state.t - reference.times[p.next]) > same_time(reference)) continue;
    for (std::size_t i = 0; i < p.places.size(); ++i) {
      const std::size_t at = p.places[i].index;
      double ours = 0.0;
      switch (p.places[i].of) {
        case Place::Of::output:
          ours = row.outputs[at];
          break;
        case Place::Of::multiplier:
          ours = row.multipliers[at];
          break;
        case Place::Of::scheme:
          ours = row.state.lambda[at];
          break;
      }
      p.latest[i] = std::abs(ours - reference.values[i][p.next]);
      if (!(p.latest[i] <= p.all[i])) p.all[i] = p.latest[i];  // a NaN is kept
    }
    ++p.next;
  }
}

double Comparer::error(std::size_t k, double until) const {
  const Comparison& comparison = comparisons_[k];
  const Reference& reference = comparison.reference;
  const Progress& p = progress_[k];
  if (p.next < reference.times.size() && reference.times[p.next] <= until + same_time(reference)) {
    throw std::runtime_error(
        fmt::format("the run has no row at t = {:.9g} s of the reference; choose simulate.step and "
                    "simulate.output_step so that it has",
                    reference.times[p.next]));
  }
  if (p.next == 0) throw std::runtime_error("the run ends before the reference begins");
  double worst = 0.0;
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    double scale = 1.0;
    if (comparison.relative) {
      const auto largest = std::ranges::max_element(reference.values[i], {},
                                                    [](double value) { return std::abs(value); });
      scale = std::abs(*largest);
    }
    const double difference = (comparison.at_end ? p.latest : p.all)[i] / scale;
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

}  // namespace daedal::study
