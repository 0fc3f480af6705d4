#pragma once

#include <algorithm>
#include <cmath>

namespace daedal::integrate {

/// Steps from errors, by a proportional and integral controller for errors of order h^p
/// [Gustafsson1991]:
///
///     h_{n+1} = h_n 0.9 err_n^(-0.7/p) err_{n-1}^(0.4/p)        err = 1 is what is tolerated
///
/// by factors between `least` and `most`, none between 1 and `kept`: where a step that stays saves a
/// factorisation.
class StepControl {
 public:
  struct Options {
    int order = 3;  // p
    double least = 0.2, most = 5.0, kept = 1.0;
  };
  static constexpr double kSafety = 0.9;

  explicit StepControl(const Options& options) : options_(options) {}

  void start() { last_ = 1.0, after_rejection_ = false; }

  /// Factor of the next step after an accepted one.
  double accepted(double error) {
    const double err = std::max(error, kSmallest);
    double factor =
        kSafety * std::pow(err, -0.7 / options_.order) * std::pow(last_, 0.4 / options_.order);
    factor = std::clamp(factor, options_.least, after_rejection_ ? 1.0 : options_.most);
    last_ = err;
    after_rejection_ = false;
    return factor >= 1.0 && factor <= options_.kept ? 1.0 : factor;
  }
  /// Factor of the next trial after one with an error above 1.
  double rejected(double error) {
    after_rejection_ = true;
    return std::clamp(kSafety * std::pow(error, -1.0 / options_.order), options_.least, kSafety);
  }
  /// The same after one without a solution.
  double failed() {
    after_rejection_ = true;
    return 0.25;
  }
  /// And after one that is refused for another reason.
  double halved() {
    after_rejection_ = true;
    return 0.5;
  }

 private:
  static constexpr double kSmallest = 1e-4;  // of an error: what is below tells nothing
  Options options_;
  double last_ = 1.0;
  bool after_rejection_ = false;
};

}  // namespace daedal::integrate
