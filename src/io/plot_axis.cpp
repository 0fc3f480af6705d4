#include "daedal/io/plot_axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace daedal::io {
namespace {

constexpr const char* kMinus = "\u2212";

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text = kMinus + text.substr(1);
  return text;
}

/// 1, 2 or 5 times a power of ten, whichever is nearest to `rough`.
double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double m = rough / power;  // thresholds are geometric means of neighbours
  return power * (m < std::sqrt(2.0)    ? 1.0
                  : m < std::sqrt(10.0) ? 2.0
                  : m < std::sqrt(50.0) ? 5.0
                                        : 10.0);
}

void add_linear_ticks(Scale& scale, int wanted) {
  const double span = scale.high - scale.low;
  const double step = nice_step(span / wanted);
  const double largest = std::max(std::abs(scale.low), std::abs(scale.high));

  // Digits that all labels share are written once, as an offset or as a power of ten.
  double offset = 0.0;
  if (span < 1e-4 * largest) offset = std::round(scale.low / step) * step;
  const double shown = offset == 0.0 ? largest : span;
  const int magnitude = static_cast<int>(std::floor(std::log10(shown)));
  const int power = magnitude >= 5 || magnitude < -3 ? magnitude : 0;
  const double unit = std::pow(10.0, power);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
  if (power != 0) {
    scale.factor = "\u00d710";
    scale.factor_exponent = with_minus(std::to_string(power));
  }
  if (offset != 0.0) {
    scale.offset = offset > 0.0 ? fmt::format("+ {:.12g}", offset)
                                : with_minus(fmt::format("{:.12g}", offset));
  }
  const double first = std::ceil((scale.low - offset) / step - 1e-9);
  for (int i = 0; i <= 4 * wanted; ++i) {
    const double value = (first + i) * step;
    if (value + offset > scale.high + 1e-9 * span) break;
    const double label = value == 0.0 ? 0.0 : value / unit;
    scale.ticks.push_back({value + offset, with_minus(fmt::format("{:.{}f}", label, digits))});
  }
}

void add_decades(Scale& scale, int wanted) {
  const int first = static_cast<int>(std::ceil(std::log10(scale.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-9));
  const int stride = std::max(1, (last - first + wanted) / wanted);
  for (int p = first; p <= last; ++p) {
    if ((p - first) % stride == 0) {
      scale.ticks.push_back({std::pow(10.0, p), "10", with_minus(std::to_string(p))});
    } else {
      scale.minor.push_back(std::pow(10.0, p));
    }
  }
  if (stride > 1) return;
  for (int p = first - 1; p <= last; ++p) {
    for (int m = 2; m <= 9; ++m) {
      const double value = m * std::pow(10.0, p);
      if (value >= scale.low && value <= scale.high) scale.minor.push_back(value);
    }
  }
}

}  // namespace

double Scale::fraction(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

Scale make_scale(double low, double high, bool logarithmic, int wanted, double pad) {
  Scale scale;
  scale.logarithmic = logarithmic;
  if (logarithmic) {
    const double decades = std::max(std::log10(high) - std::log10(low), 0.0);
    const double margin = decades > 0.0 ? std::pow(10.0, pad * decades) : 3.0;
    scale.low = low / margin;
    scale.high = high * margin;
  } else {
    // A constant within rounding still gets a band of its own.
    const double largest = std::max(std::abs(low), std::abs(high));
    const double smallest_span = largest > 0.0 ? 1e-9 * largest : 0.0;
    double margin = pad * (high - low);
    if (high - low <= smallest_span) {
      margin = largest > 0.0 ? std::max(0.1 * largest, 1e-300) : 1.0;
    }
    scale.low = low - margin;
    scale.high = high + margin;
  }
  const bool has_decades =
      logarithmic &&
      std::floor(std::log10(scale.high) + 1e-9) - std::ceil(std::log10(scale.low) - 1e-9) >= 1.0;
  if (has_decades) {
    add_decades(scale, wanted);
  } else {
    add_linear_ticks(scale, wanted);
  }
  return scale;
}

}  // namespace daedal::io
