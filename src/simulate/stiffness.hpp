#pragma once

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"

namespace daedal::simulate {

/// The fastest motions a mechanism is capable of, from the largest eigenvalues at a state:
///
///     vibration^2 = max |M^-1 K|,    decay = max |M^-1 D|       on the tangent space of the constraints
///
/// by a few power iterations, each a solve with [M G^T; G 0]: right to some percent, never too large.
struct FastestRates {
  double vibration = 0.0;  // [rad/s]
  double decay = 0.0;      // [1/s]
};

/// Zero where the matrix is singular.
FastestRates fastest_rates(const coordinates::Mechanism& mechanism,
                           formulate::AccelerationLevel& equations, const integrate::State& state);

}  // namespace daedal::simulate
