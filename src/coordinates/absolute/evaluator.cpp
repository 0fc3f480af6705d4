#include "daedal/coordinates/absolute/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::coordinates::absolute {

using system::Level;

template <int D>
AbsoluteEvaluator<D>::AbsoluteEvaluator(const Compiled<D>& compiled)
    : compiled_(compiled),
      frames_(compiled.bodies.size() + 1),
      G_(compiled.structure.constraint),
      H_(compiled.sliding.empty() ? linear::BlockMatrix() : G_),
      scratch_(compiled.structure.dof()) {
  double* values = G_.values().data();
  compiled_.for_each_constraint([&](const auto& c) {
    if (c.G_phi >= 0) values[c.G_phi] = -1.0;
  });
  compiled_.coordinates.constant_rows(values);
}

template <int D>
std::span<const Frame<2>> AbsoluteEvaluator<D>::planar_frames() const {
  if constexpr (D == 2) return frames_;
  return {};
}

template <int D>
auto AbsoluteEvaluator<D>::velocities(const Links<D>& l) const -> std::array<Row, 2> {
  std::array<Row, 2> v;
  for (int k = 0; k < 2; ++k) {
    v[k] << frames_[l.frame[k]].v.transpose(), frames_[l.frame[k]].omega.transpose();
  }
  return v;
}

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// Writes the rows of a part into the blocks of its two bodies.
template <int D, class Part>
void scatter(const Constraint<D, Part>& c, const PartJacobian<D, Part::kRows>& J,
             const std::array<int, 2>& offset, double* values) {
  for (int k = 0; k < 2; ++k) {
    if (offset[k] < 0) continue;
    double* at = values + offset[k];
    const int width = c.links.width[k];
    for (int r = 0; r < Part::kRows; ++r) {
      for (int j = 0; j < width; ++j) at[r * width + j] = J[k](r, j);
    }
  }
}

}  // namespace

template <int D>
void AbsoluteEvaluator<D>::move_to(const system::Point& point) {
  update_frames(compiled_.bodies, point.q, point.v, frames_);
  place(point);
}

template <int D>
void AbsoluteEvaluator<D>::place(const system::Point& point) {
  point_ = point;
  double* values = G_.values().data();
  compiled_.for_each_constraint([&]<class Part>(const Constraint<D, Part>& c) {
    PartJacobian<D, Part::kRows> J;
    c.part.jacobian(A(c.links), B(c.links), J);
    scatter(c, J, c.G, values);
  });
  compiled_.coordinates.rows(point, planar_frames(), values);
  if (!compiled_.sliding.empty()) place_sliding();
}

template <int D>
void AbsoluteEvaluator<D>::constraints(std::span<double> g) {
  compiled_.for_each_constraint([&]<class Part>(const Constraint<D, Part>& c) {
    Eigen::Map<Eigen::Matrix<double, Part::kRows, 1>> out(g.data() + c.row);
    if (c.level == Level::velocity) {
      const std::array<Row, 2> v = velocities(c.links);
      PartJacobian<D, Part::kRows> J;
      c.part.jacobian(A(c.links), B(c.links), J);
      out = J[0] * v[0].transpose() + J[1] * v[1].transpose();
    } else {
      out = c.part.value(A(c.links), B(c.links));
    }
    if (c.excitation < 0 && c.phi.node < 0) return;
    out[0] -= c.excitation >= 0 ? point_.u[c.excitation].value : point_.q[c.phi.storage];
    // A spatial angle is known, and compared, modulo full turns.
    if constexpr (std::is_same_v<Part, AnglePart<3>>) {
      if (c.level == Level::position) out[0] = wrapped(out[0]);
    }
  });
  compiled_.coordinates.constraints(point_, planar_frames(), g);
}

template <int D>
void AbsoluteEvaluator<D>::constraint_rates(std::span<double> rate) {
  std::fill(rate.begin(), rate.end(), 0.0);
  G_.multiply_add(point_.v, rate);
  compiled_.for_each_constraint([&](const auto& c) {
    if (c.excitation < 0) return;
    const math::Jet& u = point_.u[c.excitation];
    rate[c.row] -= c.level == Level::position ? u.first : u.value;
  });
  compiled_.coordinates.subtract_drive_rates(point_, rate);
}

template <int D>
void AbsoluteEvaluator<D>::gamma(std::span<double> gamma) {
  compiled_.for_each_constraint([&]<class Part>(const Constraint<D, Part>& c) {
    Eigen::Map<Eigen::Matrix<double, Part::kRows, 1>> out(gamma.data() + c.row);
    out = -c.part.quadratic(A(c.links), B(c.links));
    if (c.excitation >= 0) {
      const math::Jet& u = point_.u[c.excitation];
      out[0] += c.level == Level::position ? u.second : u.first;
    }
  });
  compiled_.coordinates.gamma(point_, planar_frames(), gamma);
}

template <int D>
void AbsoluteEvaluator<D>::add_to_body(std::span<double> f, const Links<D>& l, int k,
                                       const Vector& force, const Spin& torque) const {
  if (!l.present(k)) return;
  Eigen::Map<Vector>(f.data() + l.dof[k]) += force;
  if (l.rotates(k)) Eigen::Map<Spin>(f.data() + l.dof[k] + D) += torque;
}

template <int D>
void AbsoluteEvaluator<D>::force(std::span<double> f) {
  for (std::size_t i = 0; i < compiled_.bodies.size(); ++i) {
    const BodyElement<D>& body = compiled_.bodies[i];
    Eigen::Map<Vector>(f.data() + body.dof) = body.weight;
    if (!body.rotates()) continue;
    Eigen::Map<Spin> torque(f.data() + body.dof + D);
    if constexpr (D == 3) {
      const Spin& w = frames_[i].omega;
      torque = (body.inertia * w).cross(w);
    } else {
      torque.setZero();
    }
  }
  compiled_.coordinates.add_force(point_, f);
  add_spring_forces(f);
  add_measure_forces(f);
  add_applied_forces(f);
  add_wheel_forces(f);
}

template <int D>
void AbsoluteEvaluator<D>::add_spring_forces(std::span<double> f) const {
  for (const SpringElement<D>& s : compiled_.springs) {
    const Frame<D>&a = A(s.links), &b = B(s.links);
    const Vector d = point_position(b, s.b) - point_position(a, s.a);
    const Vector rate = point_velocity(b, s.b) - point_velocity(a, s.a);
    const double l = std::max(d.norm(), std::numeric_limits<double>::min());
    Vector e = d / l;
    // Ends that coincide leave the direction of a tension open.
    if (d.isZero(0.0) && s.stiffness * s.length != 0.0) e.setConstant(kUndefined);
    const Vector pull = (s.stiffness * (l - s.length) + s.damping * e.dot(rate)) * e;
    add_to_body(f, s.links, 0, pull, lever(a, s.a).transpose() * pull);
    add_to_body(f, s.links, 1, -pull, -lever(b, s.b).transpose() * pull);
  }
}

template <int D>
template <class Load>
double AbsoluteEvaluator<D>::measure(const Load& load) const {
  const double s = load.part.value(A(load.links), B(load.links))[0];
  if (load.state < 0) return s;
  // The branch of s that is nearest to the counting state.
  const double turns = std::round((point_.x[load.state] - s) / (2.0 * std::numbers::pi));
  return s + 2.0 * std::numbers::pi * turns;
}

template <int D>
template <class Load>
double AbsoluteEvaluator<D>::measure_rate(const Load& load, const PartJacobian<D, 1>& S) const {
  const std::array<Row, 2> v = velocities(load.links);
  return S[0].dot(v[0]) + S[1].dot(v[1]);
}

template <int D>
template <class Load>
double AbsoluteEvaluator<D>::measure_load(const Load& load, const PartJacobian<D, 1>& S) const {
  double tau = load.preload;
  if (load.excitation >= 0) tau += point_.u[load.excitation].value;
  if (load.stiffness != 0.0) tau -= load.stiffness * (measure(load) - load.rest);
  if (load.damping != 0.0) tau -= load.damping * measure_rate(load, S);
  return tau;
}

template <int D>
void AbsoluteEvaluator<D>::add_measure_forces(std::span<double> f) const {
  compiled_.for_each_measure([&](const auto& load) {
    PartJacobian<D, 1> S;
    load.part.jacobian(A(load.links), B(load.links), S);
    const double tau = measure_load(load, S);
    for (int k = 0; k < 2; ++k) {
      add_to_body(f, load.links, k, tau * S[k].template head<D>().transpose(),
                  tau * S[k].template tail<Geometry<D>::kRotations>().transpose());
    }
  });
}

template <int D>
auto AbsoluteEvaluator<D>::applied_vector(const AppliedLoad<D>& load) const -> Vector {
  Vector F;
  for (int k = 0; k < D; ++k) F[k] = point_.u[load.excitation[k]].value;
  return F;
}

template <int D>
auto AbsoluteEvaluator<D>::applied_torque(const AppliedLoad<D>& load) const -> Spin {
  Spin T;
  constexpr int first = D == 3 ? 0 : 2;
  for (int k = 0; k < T.size(); ++k) T[k] = point_.u[load.excitation[first + k]].value;
  return T;
}

template <int D>
void AbsoluteEvaluator<D>::add_applied_forces(std::span<double> f) const {
  for (const AppliedLoad<D>& load : compiled_.applied) {
    const BodyElement<D>& body = compiled_.bodies[load.body];
    const Frame<D>& frame = frames_[load.body];
    if (load.is_torque) {
      Spin T = applied_torque(load);
      if constexpr (D == 3) {
        if (!load.in_body_frame) T = frame.R.transpose() * T;
      }
      Eigen::Map<Spin>(f.data() + body.dof + D) += T;
      continue;
    }
    Vector F = applied_vector(load);
    if (load.in_body_frame) F = frame.R * F;
    Eigen::Map<Vector>(f.data() + body.dof) += F;
    if (body.rotates()) {
      Eigen::Map<Spin>(f.data() + body.dof + D) += lever(frame, load.point).transpose() * F;
    }
  }
}

template <int D>
void AbsoluteEvaluator<D>::add_wheel_forces(std::span<double> f) const {
  compiled_.for_each_wheel([&](const auto& wheel) {
    if constexpr (D == 3) {
      const Frame<3>& frame = B(wheel.links);
      const WheelLoad<double> on = wheel.law.load(wheel.motion(frame));
      add_to_body(f, wheel.links, 1, on.force,
                  lever(frame, wheel.center).transpose() * on.force +
                      frame.R.transpose() * on.moment);
    }
  });
}

template <int D>
void AbsoluteEvaluator<D>::residual(std::span<const double> a, std::span<const double> lambda,
                                    std::span<double> r) {
  force(r);
  for (const BodyElement<D>& body : compiled_.bodies) {
    Eigen::Map<Vector> rt(r.data() + body.dof);
    rt = body.mass * Eigen::Map<const Vector>(a.data() + body.dof) - rt;
    if (!body.rotates()) continue;
    Eigen::Map<Spin> rr(r.data() + body.dof + D);
    rr = body.inertia * Eigen::Map<const Spin>(a.data() + body.dof + D) - rr;
  }
  for (const ScalarCoordinate& phi : compiled_.coordinates.all) r[phi.dof] = -r[phi.dof];
  H().transpose_multiply_add(lambda, r);
}

template <int D>
void AbsoluteEvaluator<D>::state_rates(std::span<double> c) {
  compiled_.for_each_measure([&](const auto& load) {
    if (load.state < 0) return;
    PartJacobian<D, 1> S;
    load.part.jacobian(A(load.links), B(load.links), S);
    c[load.state] = measure_rate(load, S);
  });
}

template <int D>
void AbsoluteEvaluator<D>::mass(linear::BlockMatrix& M) {
  M.set_zero();
  for (const BodyElement<D>& body : compiled_.bodies) {
    double* at = M.values().data() + body.M;
    for (int k = 0; k < D; ++k) at[k * body.width + k] = body.mass;
    if (!body.rotates()) continue;
    for (int r = 0; r < Geometry<D>::kRotations; ++r) {
      for (int c = 0; c < Geometry<D>::kRotations; ++c) {
        at[(D + r) * body.width + D + c] = body.inertia(r, c);
      }
    }
  }
}

template <int D>
void AbsoluteEvaluator<D>::linearise(std::span<const double> /*a: M is constant*/,
                                     std::span<const double> mu, system::Linearisation& out) {
  mass(out.M);
  out.D.set_zero();
  out.K.set_zero();
  out.W.set_zero();
  out.c_q.set_zero();
  out.c_v.set_zero();
  std::copy(G_.values().begin(), G_.values().end(), out.G.values().begin());
  linearise_bodies(out);
  linearise_constraints(mu, out);
  linearise_springs(out);
  linearise_measures(out);
  linearise_applied(out);
  linearise_wheels(out);
  if (!compiled_.sliding.empty()) linearise_sliding(mu, out);
  compiled_.coordinates.linearise(point_, planar_frames(), mu, out.K.values().data(),
                                  out.D.values().data());
}

template <int D>
void AbsoluteEvaluator<D>::linearise_bodies(system::Linearisation& out) const {
  if constexpr (D == 3) {
    for (std::size_t i = 0; i < compiled_.bodies.size(); ++i) {
      const BodyElement<3>& body = compiled_.bodies[i];
      if (!body.rotates()) continue;
      // -d(-omega x J omega)/domega
      const Eigen::Vector3d& w = frames_[i].omega;
      const Eigen::Matrix3d gyroscopic =
          math::skew(w) * body.inertia - math::skew(body.inertia * w);
      double* at = out.D.values().data() + body.D_ + 3 * 6 + 3;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) at[r * 6 + c] += gyroscopic(r, c);
      }
    }
  }
}

template <int D>
void AbsoluteEvaluator<D>::linearise_constraints(std::span<const double> mu,
                                                 system::Linearisation& out) const {
  double* K = out.K.values().data();
  compiled_.for_each_constraint([&]<class Part>(const Constraint<D, Part>& c) {
    using Value = typename Part::Value;
    const Value m = Eigen::Map<const Value>(mu.data() + c.row);
    c.part.hessian(A(c.links), B(c.links), m, BlockSink<D>{K, c.links, c.links.K});
    if constexpr (Part::kRows == 1) {
      if (c.level == Level::velocity) {
        const std::array<Row, 2> v = velocities(c.links);
        PartJacobian<D, 1> rows{Row::Zero(), Row::Zero()};
        c.part.hessian(A(c.links), B(c.links), Value(1.0), RowSink<D>{v, rows});
        scatter(c, rows, c.W, out.W.values().data());
      }
    }
  });
}

template <int D>
void AbsoluteEvaluator<D>::linearise_springs(system::Linearisation& out) const {
  using Matrix = typename Geometry<D>::Matrix;
  using Lever = typename Geometry<D>::Lever;
  for (const SpringElement<D>& s : compiled_.springs) {
    const Frame<D>&a = A(s.links), &b = B(s.links);
    const Vector d = point_position(b, s.b) - point_position(a, s.a);
    const Vector rate = point_velocity(b, s.b) - point_velocity(a, s.a);
    const double l = std::max(d.norm(), std::numeric_limits<double>::min());
    const Vector e = d / l;
    const double l_rate = e.dot(rate);
    const double tension = s.stiffness * (l - s.length) + s.damping * l_rate;
    const Vector pull = tension * e;
    // F(d, d') = tension e:  F_d and F_d'
    const Matrix F_rate = s.damping * e * e.transpose();
    const Matrix F_d = s.stiffness * e * e.transpose() +
                       tension / l * (Matrix::Identity() - e * e.transpose()) +
                       s.damping / l * e * (rate - l_rate * e).transpose();
    // d = sum of J_k dq_k with J_k = sign [I, P_k];   d' changes with rotations through Q_k
    const std::array<Lever, 2> P{-lever(a, s.a), lever(b, s.b)};
    const std::array<Lever, 2> Q{-lever(a, spun(a, s.a)), lever(b, spun(b, s.b))};
    const BlockSink<D> K{out.K.values().data(), s.links, s.links.K};
    const BlockSink<D> C{out.D.values().data(), s.links, s.links.D_};
    for (int i = 0; i < 2; ++i) {
      const double si = i == 0 ? -1.0 : 1.0;
      for (int j = 0; j < 2; ++j) {
        const double sj = j == 0 ? -1.0 : 1.0;
        const Lever column = F_d * P[j] + F_rate * Q[j];
        K(i, j, 0, 0, si * sj * F_d);
        K(i, j, 0, D, si * column);
        K(i, j, D, 0, sj * P[i].transpose() * F_d);
        K(i, j, D, D, (P[i].transpose() * column).eval());
        C(i, j, 0, 0, si * sj * F_rate);
        C(i, j, 0, D, si * F_rate * P[j]);
        C(i, j, D, 0, sj * P[i].transpose() * F_rate);
        C(i, j, D, D, (P[i].transpose() * F_rate * P[j]).eval());
      }
    }
    K(0, 0, D, D, -geometric(a, s.a, pull));
    K(1, 1, D, D, geometric(b, s.b, pull));
  }
}

template <int D>
void AbsoluteEvaluator<D>::linearise_measures(system::Linearisation& out) const {
  compiled_.for_each_measure([&](const auto& load) {
    const Frame<D>&a = A(load.links), &b = B(load.links);
    PartJacobian<D, 1> S;
    load.part.jacobian(a, b, S);
    const std::array<Row, 2> v = velocities(load.links);
    PartJacobian<D, 1> rate_q{Row::Zero(), Row::Zero()};  // d(s')/dq
    load.part.hessian(a, b, Scalar1(1.0), RowSink<D>{v, rate_q});
    const BlockSink<D> K{out.K.values().data(), load.links, load.links.K};
    const BlockSink<D> C{out.D.values().data(), load.links, load.links.D_};
    load.part.hessian(a, b, Scalar1(-measure_load(load, S)), K);
    constexpr int rot = Geometry<D>::kRotations;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof> k =
            S[i].transpose() * (load.stiffness * S[j] + load.damping * rate_q[j]);
        const Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof> c =
            load.damping * S[i].transpose() * S[j];
        const auto add = [&](const BlockSink<D>& sink, const auto& block) {
          sink(i, j, 0, 0, block.template topLeftCorner<D, D>());
          sink(i, j, 0, D, block.template topRightCorner<D, rot>());
          sink(i, j, D, 0, block.template bottomLeftCorner<rot, D>());
          sink(i, j, D, D, block.template bottomRightCorner<rot, rot>());
        };
        add(K, k);
        if (load.damping != 0.0) add(C, c);
      }
    }
    for (int k = 0; k < 2; ++k) {
      if (load.state_block[k] < 0) continue;
      for (int j = 0; j < load.links.width[k]; ++j) {
        out.c_q.values()[load.state_block[k] + j] = rate_q[k][j];
        out.c_v.values()[load.state_block[k] + j] = S[k][j];
      }
    }
  });
}

template <int D>
void AbsoluteEvaluator<D>::linearise_applied(system::Linearisation& out) const {
  for (const AppliedLoad<D>& load : compiled_.applied) {
    const BodyElement<D>& body = compiled_.bodies[load.body];
    if (!body.rotates()) continue;
    const Frame<D>& frame = frames_[load.body];
    double* at = out.K.values().data() + body.K;
    const auto subtract = [&](int row, int column, const auto& block) {
      for (int r = 0; r < block.rows(); ++r) {
        for (int c = 0; c < block.cols(); ++c) {
          at[(row + r) * body.width + column + c] -= block(r, c);
        }
      }
    };
    if (load.is_torque) {
      if constexpr (D == 3) {
        // d(R^T T)/dtheta = skew(R^T T)
        if (!load.in_body_frame) {
          subtract(D, D, math::skew(frame.R.transpose() * applied_torque(load)));
        }
      }
    } else if (load.in_body_frame) {
      subtract(0, D, lever(frame, applied_vector(load)));
    } else {
      subtract(D, D, geometric(frame, load.point, applied_vector(load)));
    }
  }
}

/// The law's derivatives by differentiation of its arithmetic, moved from the centre to the body:
/// the torque is P^T F + R^T M, with P the lever of the centre.
template <int D>
void AbsoluteEvaluator<D>::linearise_wheels(system::Linearisation& out) const {
  compiled_.for_each_wheel([&](const auto& wheel) {
    if constexpr (D == 3) {
      const Frame<3>& frame = B(wheel.links);
      const WheelLoad<math::Dual<12>> on = wheel.law.load(wheel.differentiable(frame));
      Eigen::Vector3d F, M;
      Eigen::Matrix<double, 3, 12> dF, dM;
      for (int r = 0; r < 3; ++r) {
        F[r] = on.force[r].value, M[r] = on.moment[r].value;
        dF.row(r) = on.force[r].slope.matrix().transpose();
        dM.row(r) = on.moment[r].slope.matrix().transpose();
      }
      Eigen::Matrix<double, 3, 12> dT =
          lever(frame, wheel.center).transpose() * dF + frame.R.transpose() * dM;
      dT.middleCols<3>(3) +=
          geometric(frame, wheel.center, F) + math::skew(frame.R.transpose() * M);
      const BlockSink<3> K{out.K.values().data(), wheel.links, wheel.links.K};
      const BlockSink<3> C{out.D.values().data(), wheel.links, wheel.links.D_};
      for (int column = 0; column < 6; column += 3) {
        K(1, 1, 0, column, -dF.middleCols<3>(column));
        K(1, 1, 3, column, -dT.middleCols<3>(column));
        C(1, 1, 0, column, -dF.middleCols<3>(6 + column));
        C(1, 1, 3, column, -dT.middleCols<3>(6 + column));
      }
    }
  });
}

template <int D>
system::Energy AbsoluteEvaluator<D>::energy() {
  system::Energy e;
  for (std::size_t i = 0; i < compiled_.bodies.size(); ++i) {
    const BodyElement<D>& body = compiled_.bodies[i];
    const Frame<D>& frame = frames_[i];
    e.kinetic += 0.5 * body.mass * frame.v.squaredNorm();
    if (body.rotates()) e.kinetic += 0.5 * frame.omega.dot(body.inertia * frame.omega);
    e.potential -= body.weight.dot(frame.p);
  }
  for (const SpringElement<D>& s : compiled_.springs) {
    const Vector d = point_position(B(s.links), s.b) - point_position(A(s.links), s.a);
    const Vector rate = point_velocity(B(s.links), s.b) - point_velocity(A(s.links), s.a);
    const double l = std::max(d.norm(), std::numeric_limits<double>::min());
    const double l_rate = d.dot(rate) / l;
    e.potential += 0.5 * s.stiffness * (l - s.length) * (l - s.length);
    e.dissipation_power -= s.damping * l_rate * l_rate;
  }
  compiled_.for_each_measure([&](const auto& load) {
    PartJacobian<D, 1> S;
    load.part.jacobian(A(load.links), B(load.links), S);
    const double rate = measure_rate(load, S);
    if (load.stiffness != 0.0) {
      const double stretch = measure(load) - load.rest;
      e.potential += 0.5 * load.stiffness * stretch * stretch;
    }
    if (load.preload != 0.0) e.potential -= load.preload * measure(load);
    e.dissipation_power -= load.damping * rate * rate;
    if (load.excitation >= 0) e.applied_power += point_.u[load.excitation].value * rate;
  });
  compiled_.for_each_wheel([&](const auto& wheel) {
    if constexpr (D == 3) {
      const WheelPower p = wheel.law.power(wheel.motion(B(wheel.links)));
      e.potential += p.potential;
      e.dissipation_power += p.dissipation;
      e.applied_power += p.applied;
    }
  });
  compiled_.coordinates.add_energy(point_, e);
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  add_applied_forces(scratch_);
  for (std::size_t i = 0; i < scratch_.size(); ++i) e.applied_power += scratch_[i] * point_.v[i];
  return e;
}

template <int D>
system::Momentum AbsoluteEvaluator<D>::momentum() {
  system::Momentum m;
  for (std::size_t i = 0; i < compiled_.bodies.size(); ++i) {
    const BodyElement<D>& body = compiled_.bodies[i];
    const Frame<D>& frame = frames_[i];
    const math::Vec3 p = body.mass * spatial<D>(frame.v);
    m.linear += p;
    m.angular += spatial<D>(frame.p).cross(p);
    if (!body.rotates()) continue;
    if constexpr (D == 3) {
      m.angular += frame.R * (body.inertia * frame.omega);
    } else {
      m.angular.z() += body.inertia(0, 0) * frame.omega[0];
    }
  }
  return m;
}

template <int D>
double AbsoluteEvaluator<D>::drive_power(std::span<const double> /*a*/,
                                         std::span<const double> lambda) {
  double power = 0.0;
  compiled_.for_each_constraint([&](const auto& c) {
    if (c.excitation < 0) return;
    const math::Jet& u = point_.u[c.excitation];
    power -= lambda[c.row] * (c.level == Level::position ? u.first : u.value);
  });
  power += compiled_.coordinates.drive_power(point_, lambda);
  return power + sliding_power(lambda);
}

template class AbsoluteEvaluator<2>;
template class AbsoluteEvaluator<3>;

}  // namespace daedal::coordinates::absolute
