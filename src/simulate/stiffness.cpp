#include "daedal/simulate/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::simulate {

namespace {

constexpr int kIterations = 12;

double norm(std::span<const double> v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return std::sqrt(sum);
}

/// The largest eigenvalue of M^-1 A on the tangent space.
double largest_eigenvalue(const linear::BlockMatrix& A, int rows,
                          formulate::AccelerationLevel& equations) {
  std::vector<double> v(A.pattern().rows()), Av(v.size()), lambda(rows);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1.0 + 0.5 * std::cos(7.0 * static_cast<double>(i));
  double eigenvalue = 0.0;
  for (int k = 0; k < kIterations; ++k) {
    const double before = norm(v);
    if (!(before > 0.0) || !std::isfinite(before)) return 0.0;
    for (double& value : v) value /= before;
    std::fill(Av.begin(), Av.end(), 0.0);
    A.multiply_add(v, Av);
    std::fill(lambda.begin(), lambda.end(), 0.0);
    equations.solve(Av, lambda);
    std::swap(v, Av);
    eigenvalue = norm(v);
  }
  return std::isfinite(eigenvalue) ? eigenvalue : 0.0;
}

}  // namespace

FastestRates fastest_rates(const coordinates::Mechanism& mechanism,
                           formulate::AccelerationLevel& equations,
                           const integrate::State& state) {
  const system::Structure& s = mechanism.system->structure();
  std::vector<math::Jet> u(s.excitations);
  mechanism.system->excitations(state.t, u);
  const auto evaluator = mechanism.system->evaluator();
  evaluator->move_to({state.q, state.v, state.x, u});
  if (!equations.factorise(*evaluator)) return {};
  system::Linearisation blocks(s);
  evaluator->linearise(state.a, state.lambda, blocks);
  return {std::sqrt(largest_eigenvalue(blocks.K, s.constraint_rows, equations)),
          largest_eigenvalue(blocks.D, s.constraint_rows, equations)};
}

}  // namespace daedal::simulate
