#pragma once

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

/// Steps from errors, by a proportional and integral controller for errors of order h^3
/// [Gustafsson1991]:
///
///     h_{n+1} = h_n 0.9 err_n^(-0.7/3) err_{n-1}^(0.4/3)        err = 1 is what is tolerated
///
/// by factors between 0.2 and 5, none between 1 and 1.2: a step that stays saves a factorisation.
class StepControl {
 public:
  static constexpr double kSafety = 0.9, kLeast = 0.2, kMost = 5.0, kKept = 1.2;

  void start() { last_ = 1.0, after_rejection_ = false; }

  /// Factor of the next step after an accepted one.
  double accepted(double error) {
    const double err = std::max(error, kSmallest);
    double factor = kSafety * std::pow(err, -0.7 / 3.0) * std::pow(last_, 0.4 / 3.0);
    factor = std::clamp(factor, kLeast, after_rejection_ ? 1.0 : kMost);
    last_ = err;
    after_rejection_ = false;
    return factor >= 1.0 && factor <= kKept ? 1.0 : factor;
  }
  /// Factor of the next trial after one with an error above 1.
  double rejected(double error) {
    after_rejection_ = true;
    return std::clamp(kSafety * std::pow(error, -1.0 / 3.0), kLeast, kSafety);
  }
  /// The same after one without a solution.
  double failed() {
    after_rejection_ = true;
    return 0.25;
  }

 private:
  static constexpr double kSmallest = 1e-4;  // of an error: what is below tells nothing
  double last_ = 1.0;
  bool after_rejection_ = false;
};

}  // namespace daedal::integrate
