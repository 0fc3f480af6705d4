#pragma once

#include <limits>
#include <span>

namespace daedal::linear {

/// A pivot vanishes when what is left of it is round-off of what it was computed from:
///
///   |u_kk| <= kVanishingPivot * (|L| |U|)_kk
///
/// The measure does not change when rows or columns are scaled, so a badly scaled matrix passes
/// and a singular one does not, whatever its units. The same bound serves all solvers.
inline constexpr double kVanishingPivot = 256 * std::numeric_limits<double>::epsilon();

/// The equation a left null vector y (y^T A = 0) points at: the largest |y_i| * row_norm_i, the
/// last one among those within a per cent, so that of two equal constraints the later is named.
int dependent_equation(std::span<const double> y, std::span<const double> row_norm);

}  // namespace daedal::linear
