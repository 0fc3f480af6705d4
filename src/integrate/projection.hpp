#pragma once

#include <limits>
#include <vector>

#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"

namespace daedal::integrate {

/// Puts a state that nearly satisfies the constraints onto them, on both levels:
///
///     min |dq|_M with g(q + dq) = 0,     then  min |dv|_M with G (v + dv) + g_u u' = 0
///
/// to round-off, if it is not there. Evaluator and equations are lent, and moved.
class Projection {
 public:
  Projection(const system::ConstrainedSystem& system, formulate::AccelerationLevel& equations,
             system::Evaluator& evaluator);

  /// `length` and `speed`: sizes below which those of the state do not count. False: singular.
  bool project(State& state, double length, double speed);
  /// Violation of the positions, by row, that the last projection met with.
  std::span<const double> violation() const { return violation_; }

 private:
  const system::ConstrainedSystem& system_;
  const system::Structure& structure_;
  formulate::AccelerationLevel& equations_;
  system::Evaluator& evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> violation_, g_, change_, mu_;
};

/// The largest absolute value, or a NaN.
double largest(std::span<const double> values);

}  // namespace daedal::integrate
