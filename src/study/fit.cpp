#include "daedal/study/fit.hpp"

#include <cmath>

namespace daedal::study {

double PowerLaw::operator()(double x) const {
  return factor * std::pow(x, slope);
}

std::optional<PowerLaw> fit_power_law(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size() || x.size() < 2) return std::nullopt;
  const double n = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0.0) || !(y[i] > 0.0)) return std::nullopt;
    mean_x += std::log(x[i]) / n;
    mean_y += std::log(y[i]) / n;
  }
  double xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - mean_y);
  }
  if (!(xx > 0.0) || !std::isfinite(xy)) return std::nullopt;
  const double slope = xy / xx;
  return PowerLaw{slope, std::exp(mean_y - slope * mean_x)};
}

}  // namespace daedal::study
