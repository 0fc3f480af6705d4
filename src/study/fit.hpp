#pragma once

#include <optional>
#include <span>

namespace daedal::study {

/// y = factor x^slope, by least squares of log y over log x.
struct PowerLaw {
  double slope = 0.0;
  double factor = 1.0;

  double operator()(double x) const;
};

/// Nothing if a value is not positive, or all x are the same.
std::optional<PowerLaw> fit_power_law(std::span<const double> x, std::span<const double> y);

}  // namespace daedal::study
