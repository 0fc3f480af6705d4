#pragma once

#include <string>
#include <vector>

namespace daedal::io {

/// A place on an axis with its text; powers of ten carry an exponent set above the line.
struct Tick {
  double value;
  std::string label;
  std::string exponent{};
};

/// Range and ticks of an axis, and where a value falls on it.
struct Scale {
  double low = 0.0;
  double high = 1.0;
  bool logarithmic = false;
  std::vector<Tick> ticks{};
  std::vector<double> minor{};  // grid lines without labels
  std::string factor{};         // "×10" ...
  std::string factor_exponent{};
  std::string offset{};  // "+9.81": to be added to every label

  /// 0 at `low`, 1 at `high`.
  double fraction(double value) const;
};

/// An axis for values from `low` to `high` (both finite, positive if logarithmic) with about
/// `wanted` ticks; `pad` widens it by that part of its length on both sides.
Scale make_scale(double low, double high, bool logarithmic, int wanted, double pad);

}  // namespace daedal::io
