#include "daedal/linear/pivot_test.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::linear {

int dependent_equation(std::span<const double> y, std::span<const double> row_norm) {
  // A zero row is its own dependence; its norm says nothing.
  const auto weight = [&](std::size_t i) {
    return std::abs(y[i]) * (row_norm[i] > 0.0 ? row_norm[i] : 1.0);
  };
  double largest = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) largest = std::max(largest, weight(i));
  int equation = -1;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (weight(i) >= 0.99 * largest) equation = static_cast<int>(i);
  }
  return equation;
}

}  // namespace daedal::linear
