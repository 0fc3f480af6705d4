#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "daedal/integrate/integrator.hpp"

namespace daedal::integrate {

/// A function of the state has passed zero.
struct Crossing {
  int function = 0;
  double t = 0.0;       // not before the zero: the function has its new sign here, or is zero
  bool rising = false;
};

/// Zeros of functions of the state within the steps of an adaptive method, found on its dense output.
///
/// A zero is looked for where a function has different signs at the two ends of a step, so an even
/// number of them within one step goes unseen. A function that is zero at the start of a step has the
/// sign that it takes next: leaving zero is not a crossing. Of several functions the first to cross
/// is reported; look() again from there finds the others.
///
/// Bracketing by regula falsi with halved weights of ends that stay (Illinois), order 1.44, and by
/// bisection where that is slow [Hiebert1980].
class RootFinder {
 public:
  using Functions = std::function<void(const State&, std::span<double>)>;

  RootFinder(const system::Structure& structure, int count, Functions functions);

  /// Begins at a state: before the first step, and after anything that jumps.
  void begin(const State& state);
  /// The first crossing in the integrator's last step, after begin() or the last crossing reported,
  /// to within `tolerance` [s]. Without one the next look begins at `end`, the end of the step.
  std::optional<Crossing> look(AdaptiveIntegrator& integrator, const State& end, double tolerance);

 private:
  double value(AdaptiveIntegrator& integrator, int function, double t);
  double bracket(AdaptiveIntegrator& integrator, int function, double t1, double tolerance);

  Functions functions_;
  State state_;
  double t_ = 0.0;
  std::vector<double> before_, after_, values_;
};

}  // namespace daedal::integrate
