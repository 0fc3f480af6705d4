#pragma once

#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"

namespace daedal::testing {

/// The solution on a uniform grid of times: positions, velocities, multipliers and states.
struct Trajectory {
  double spacing = 0.0;
  std::vector<std::vector<double>> q, v, a, lambda, x;
};

/// The classical Runge-Kutta method on the acceleration level, in the chart at the start of each
/// step: q' = T^-1 v, v' = KKT solve. `substeps` small steps between the points of the grid. Its
/// order is four, its drift off the constraints of the same size; nothing of it is shared with the
/// implicit methods but the acceleration level.
inline Trajectory reference_solution(const system::ConstrainedSystem& system,
                                     const integrate::State& start, double end, int points,
                                     int substeps) {
  const system::Structure& s = system.structure();
  const int n = s.dof(), m = s.constraint_rows, k = s.state_size;
  const auto evaluator = system.evaluator();
  formulate::AccelerationLevel level(system, "dense");
  std::vector<math::Jet> u(s.excitations);
  std::vector<math::Mat3> T_inverse(s.manifold.rotations().size());
  using Vector = std::vector<double>;
  Vector q = start.q, v = start.v, x = start.x, a(n), lambda(m);

  struct Slope {
    Vector theta, v, x;
  };
  const auto slope = [&](double t, const Vector& theta, const Vector& v_at, const Vector& x_at) {
    Slope out{v_at, Vector(n), Vector(k)};
    Vector q_at(q.size());
    s.manifold.retract(q, theta, q_at);
    system.excitations(t, u);
    evaluator->move_to({q_at, v_at, x_at, u});
    level.accelerations(*evaluator, out.v, lambda);
    evaluator->state_rates(out.x);
    s.manifold.inverse_tangents(theta, T_inverse);
    s.manifold.apply(T_inverse, out.theta);
    return out;
  };
  const auto moved = [](const Vector& from, const Vector& by, double factor) {
    Vector out = from;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * by[i];
    return out;
  };

  Trajectory out;
  out.spacing = end / points;
  const double h = out.spacing / substeps;
  const auto record = [&](double t) {
    system.excitations(t, u);
    evaluator->move_to({q, v, x, u});
    level.accelerations(*evaluator, a, lambda);
    out.q.push_back(q);
    out.v.push_back(v);
    out.a.push_back(a);
    out.lambda.push_back(lambda);
    out.x.push_back(x);
  };
  record(start.t);
  const Vector zero(n, 0.0);
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < substeps; ++j) {
      const double t = start.t + i * out.spacing + j * h;
      const Slope k1 = slope(t, zero, v, x);
      const Slope k2 = slope(t + h / 2, moved(zero, k1.theta, h / 2), moved(v, k1.v, h / 2),
                             moved(x, k1.x, h / 2));
      const Slope k3 = slope(t + h / 2, moved(zero, k2.theta, h / 2), moved(v, k2.v, h / 2),
                             moved(x, k2.x, h / 2));
      const Slope k4 =
          slope(t + h, moved(zero, k3.theta, h), moved(v, k3.v, h), moved(x, k3.x, h));
      Vector theta(n);
      const auto combine = [&](Vector& to, Vector Slope::*part) {
        for (std::size_t c = 0; c < to.size(); ++c) {
          to[c] += h / 6 *
                   ((k1.*part)[c] + 2 * (k2.*part)[c] + 2 * (k3.*part)[c] + (k4.*part)[c]);
        }
      };
      combine(theta, &Slope::theta);
      combine(v, &Slope::v);
      combine(x, &Slope::x);
      s.manifold.retract(q, theta, q);
    }
    record(start.t + (i + 1) * out.spacing);
  }
  return out;
}

}  // namespace daedal::testing
