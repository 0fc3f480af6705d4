#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"

namespace daedal::testing {

/// A state whose q and v already satisfy the constraints, completed on acceleration level.
inline integrate::State consistent_start(const system::ConstrainedSystem& system, double t,
                                         const std::vector<double>& q,
                                         const std::vector<double>& v,
                                         const std::vector<double>& x = {}) {
  const system::Structure& s = system.structure();
  integrate::State state(s);
  state.t = t;
  state.q = q;
  state.v = v;
  if (!x.empty()) state.x = x;
  std::vector<math::Jet> u(s.excitations);
  system.excitations(t, u);
  const auto evaluator = system.evaluator();
  evaluator->move_to({state.q, state.v, state.x, u});
  std::vector<double> g(s.constraint_rows), rate(s.constraint_rows);
  evaluator->constraints(g);
  evaluator->constraint_rates(rate);
  for (int i = 0; i < s.constraint_rows; ++i) {
    EXPECT_LT(std::abs(g[i]), 1e-12) << s.row_name(i);
    EXPECT_LT(std::abs(rate[i]), 1e-10) << s.row_name(i);
  }
  formulate::AccelerationLevel level(system, "dense");
  EXPECT_TRUE(level.accelerations(*evaluator, state.a, state.lambda));
  evaluator->state_rates(state.x_rate);
  return state;
}

}  // namespace daedal::testing
