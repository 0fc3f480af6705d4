#pragma once

#include <memory>

#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "ida/stock.hpp"
#include "support/squeezer.hpp"

namespace daedal::bench {

inline constexpr double kSqueezerEnd = 0.03;  // [s]

inline integrate::State squeezer_start(const testing::Squeezer& system) {
  formulate::AccelerationLevel equations(system, "dense");
  integrate::State start(system.structure());
  start.q = testing::Squeezer::initial_q();
  const auto at = system.evaluator();
  at->move_to({start.q, start.v, start.x, {}});
  equations.accelerations(*at, start.a, start.lambda);
  return start;
}

/// Andrews' mechanism in its seven angles, written out by hand, in GGL form: y = (q, v, lambda,
/// eta).
inline StockProblem squeezer_problem(const testing::Squeezer& system,
                                     const integrate::State& start) {
  StockProblem p;
  p.until = kSqueezerEnd;
  p.algebraic = 12;
  p.y.assign(26, 0.0);
  p.y_rate.assign(26, 0.0);
  for (int i = 0; i < 7; ++i) {
    p.y[i] = start.q[i], p.y[7 + i] = start.v[i];
    p.y_rate[i] = start.v[i], p.y_rate[7 + i] = start.a[i];
  }
  for (int i = 0; i < 6; ++i) p.y[14 + i] = start.lambda[i];
  std::shared_ptr<system::Evaluator> at = system.evaluator();
  p.residual = [at](double, std::span<const double> y, std::span<const double> r,
                    std::span<double> F) {
    at->move_to({y.subspan(0, 7), y.subspan(7, 7), {}, {}});
    for (int i = 0; i < 7; ++i) F[i] = r[i] - y[7 + i];
    at->G().transpose_multiply_add(y.subspan(20, 6), F.subspan(0, 7));
    at->residual(r.subspan(7, 7), y.subspan(14, 6), F.subspan(7, 7));
    at->constraint_rates(F.subspan(14, 6));
    at->constraints(F.subspan(20, 6));
  };
  return p;
}

}  // namespace daedal::bench
