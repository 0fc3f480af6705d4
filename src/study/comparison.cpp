#include "daedal/study/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace daedal::study {

namespace {

constexpr double kSameTime = 1e-9;  // relative to the reference's last time

double same_time(const Reference& reference) { return kSameTime * std::abs(reference.times.back()); }

std::size_t index_of(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

Comparer::Comparer(std::span<const Comparison> comparisons)
    : comparisons_(comparisons), progress_(comparisons.size()) {}

void Comparer::begin(const simulate::RowNames& names) {
  constexpr std::string_view kMultiplier = "multipliers.", kScheme = "scheme.";
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    Progress& p = progress_[k];
    for (const std::string& name : comparisons_[k].reference.names) {
      Place place{Place::Of::output, index_of(names.outputs, name)};
      std::size_t count = names.outputs.size();
      if (name.starts_with(kMultiplier)) {
        place = {Place::Of::multiplier,
                 index_of(names.multipliers, name.substr(kMultiplier.size()))};
        count = names.multipliers.size();
      } else if (name.starts_with(kScheme)) {
        place = {Place::Of::scheme, index_of(names.multipliers, name.substr(kScheme.size()))};
        count = names.multipliers.size();
      }
      p.places.push_back(place.index < count ? place : Place{});
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
        case Place::Of::output: ours = row.outputs[at]; break;
        case Place::Of::multiplier: ours = row.multipliers[at]; break;
        case Place::Of::scheme: ours = row.state.lambda[at]; break;
        case Place::Of::nothing: break;
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
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    if (p.places[i].of == Place::Of::nothing) {
      throw std::runtime_error(fmt::format("the run has no '{}' to compare", reference.names[i]));
    }
  }
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
      const auto largest = std::ranges::max_element(
          reference.values[i], {}, [](double value) { return std::abs(value); });
      scale = std::abs(*largest);
    }
    const double difference = (comparison.at_end ? p.latest : p.all)[i] / scale;
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

}  // namespace daedal::study
