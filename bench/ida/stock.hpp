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
  double seconds = 0.0;  // processor time
};

/// `suppress`: multipliers take no part in the error test (IDASetSuppressAlg). Default settings have
/// the same absolute tolerance for multipliers, and a first step of IDA's own.
struct StockOptions {
  double rtol = 1e-6, atol = 1e-6;
  bool suppress = false;
  double multiplier_atol = 0.0;  // 0: atol
  double first_step = 0.0;       // [s]; 0: IDA's own
};
StockRun run_stock(const StockProblem& problem, const StockOptions& options);

}  // namespace daedal::bench
