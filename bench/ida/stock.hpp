#pragma once

#include <functional>
#include <span>
#include <vector>

namespace daedal::bench {

/// SUNDIALS' IDA as it comes: dense matrix, its own difference quotients, default settings.
struct StockProblem {
  /// F(t, y, y') = 0
  std::function<void(double, std::span<const double>, std::span<const double>, std::span<double>)>
      residual;
  std::vector<double> y, y_rate;  // consistent
  int algebraic = 0;              // unknowns at the end of y that are multipliers
  double until = 1.0;
};

struct StockRun {
  bool done = false;
  std::vector<double> y;  // at the end
  long steps = 0, residuals = 0, jacobian_residuals = 0, jacobians = 0;
  double seconds = 0.0;
};

/// Where multipliers count: everywhere, in the Newton test alone (IDASetSuppressAlg), or nowhere
/// (an absolute tolerance beyond their size).
enum class Multipliers { counted, suppressed, free };

StockRun run_stock(const StockProblem& problem, double rtol, double atol, Multipliers multipliers);

}  // namespace daedal::bench
