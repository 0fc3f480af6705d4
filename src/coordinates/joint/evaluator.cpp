#include "daedal/coordinates/joint/evaluator.hpp"

#include <algorithm>

namespace daedal::coordinates::joint {

template <int D>
JointEvaluator<D>::JointEvaluator(const Compiled<D>& compiled)
    : compiled_(compiled),
      recursion_(compiled.tree),
      rest_(compiled.rest),
      rest_blocks_(compiled.rest.structure),
      G_(compiled.structure.constraint),
      H_(compiled.structure.directed ? G_ : linear::BlockMatrix()),
      rest_q_(compiled.rest.structure.storage()),
      rest_v_(compiled.rest.structure.dof()),
      rest_a_(compiled.rest.structure.dof()),
      rest_load_(compiled.rest.structure.dof()),
      tau_(compiled.structure.dof()),
      zero_lambda_(compiled.structure.constraint_rows),
      perturbation_(compiled.tree.links.size()),
      composite_(compiled.tree.links.size()) {}

template <int D>
void JointEvaluator<D>::move_to(const system::Point& point) {
  point_ = point;
  recursion_.kinematics(point.q, point.v, point.u);
  if (compiled_.bare && compiled_.speeds.empty()) return;
  place_rest();
  G_.set_zero();
  double* G = G_.values().data();
  project_rows(compiled_.G_rows, rest_.G().values().data(), nullptr, G, nullptr);
  for (const SpeedDrive& drive : compiled_.speeds) G[drive.G] = 1.0;
  if (!compiled_.structure.directed) return;
  H_.set_zero();
  double* H = H_.values().data();
  project_rows(compiled_.G_rows, rest_.H().values().data(), nullptr, H, nullptr);
  for (const SpeedDrive& drive : compiled_.speeds) H[drive.G] = 1.0;
}

template <int D>
void JointEvaluator<D>::place_rest() {
  const std::span<absolute::Frame<D>> frames = rest_.bodies();
  for (int b = 0; b < compiled_.ground(); ++b) {
    const BodyOnLink<D>& body = compiled_.tree.bodies[b];
    const LinkMotion<D>& m = recursion_.motion(body.link);
    absolute::Frame<D>& frame = frames[b];
    const Vector c = m.R * body.c;
    frame.p = m.p + c;
    frame.v = m.v + cross(m.omega, c);
    double* at = rest_v_.data() + compiled_.rest.bodies[b].dof;
    Eigen::Map<Vector>{at} = frame.v;
    if (!body.rotates) continue;
    frame.R = body.aligned ? m.R : typename Geometry<D>::Matrix(m.R * body.axes);
    frame.angle = m.angle;
    if constexpr (D == 3) {
      frame.omega = frame.R.transpose() * m.omega;
    } else {
      frame.omega = m.omega;
    }
    Eigen::Map<Spin>{at + D} = frame.omega;
  }
  const auto& coordinates = compiled_.rest.coordinates.all;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto& here = compiled_.rest_nodes[compiled_.rest.bodies.size() + k];
    rest_q_[coordinates[k].storage] = point_.q[here.storage];
    rest_v_[coordinates[k].dof] = point_.v[here.dof];
  }
  rest_.place({rest_q_, rest_v_, point_.x, point_.u});
}

/// Motions of a body, in its absolute coordinates, by increments of a link's coordinates.
template <int D>
auto JointEvaluator<D>::body_columns(int b, int i) const -> Columns {
  const BodyOnLink<D>& body = compiled_.tree.bodies[b];
  const LinkMotion<D>& m = recursion_.motion(body.link);
  const Vector r = m.p + m.R * body.c - recursion_.motion(i).p;
  Columns Z = Columns::Zero();
  for (int k = 0; k < compiled_.tree.links[i].width; ++k) {
    const Twist<D> s = recursion_.column(i, k);
    Z.col(k).template head<D>() = s.at(r);
    if (!body.rotates) continue;
    if constexpr (D == 3) {
      Z.col(k).template tail<kRot>() = body.axes.transpose() * (m.R.transpose() * s.ang);
    } else {
      Z.col(k).template tail<kRot>() = s.ang;
    }
  }
  return Z;
}

/// What such increments do to a body's velocities.
template <int D>
auto JointEvaluator<D>::body_rate_columns(int b, int i) const -> Columns {
  const BodyOnLink<D>& body = compiled_.tree.bodies[b];
  const LinkMotion<D>& m = recursion_.motion(body.link);
  const Vector c = m.R * body.c, r = m.p + c - about(i), v = m.v + cross(m.omega, c);
  const Perturbation& p = perturbation_[i];
  Columns V = Columns::Zero();
  for (int k = 0; k < compiled_.tree.links[i].width; ++k) {
    const Spin n = p.psi.col(k).template tail<kRot>();
    const Twist<D> phi{p.phi.col(k).template head<D>(), p.phi.col(k).template tail<kRot>()};
    V.col(k).template head<D>() = cross(n, v) - phi.at(r);
    if (!body.rotates) continue;
    if constexpr (D == 3) {
      V.col(k).template tail<kRot>() = -(body.axes.transpose() * (m.R.transpose() * phi.ang));
    } else {
      V.col(k).template tail<kRot>() = -phi.ang;
    }
  }
  return V;
}

/// to = from Z + from_rate V, to_rate = from_rate Z. Targets must be zero before.
template <int D>
void JointEvaluator<D>::project_rows(const std::vector<typename Compiled<D>::Rows>& list,
                                     const double* from, const double* from_rate, double* to,
                                     double* to_rate) {
  for (const auto& rows : list) {
    const auto& node = compiled_.rest_nodes[rows.node];
    const double* H = from + rows.from;
    const double* H_rate = from_rate && rows.from_rate >= 0 ? from_rate + rows.from_rate : nullptr;
    for (const auto& place : rows.to) {
      if (node.body < 0) {
        for (int r = 0; r < rows.rows; ++r) to[place.to + r] += H[r];
        continue;
      }
      const int width = compiled_.tree.links[place.link].width;
      const int own = compiled_.rest.bodies[node.body].width;
      const auto add = [&](double* target, const double* values, const Columns& Z) {
        for (int r = 0; r < rows.rows; ++r) {
          for (int c = 0; c < width; ++c) {
            double sum = 0.0;
            for (int k = 0; k < own; ++k) sum += values[r * own + k] * Z(k, c);
            target[r * width + c] += sum;
          }
        }
      };
      const Columns Z = body_columns(node.body, place.link);
      add(to + place.to, H, Z);
      if (!H_rate) continue;
      add(to + place.to, H_rate, body_rate_columns(node.body, place.link));
      if (to_rate) add(to_rate + place.to_rate, H_rate, Z);
    }
  }
}

template <int D>
void JointEvaluator<D>::constraints(std::span<double> g) {
  if (!compiled_.bare) rest_.constraints(g);
  for (const SpeedDrive& drive : compiled_.speeds) {
    g[drive.row] =
        point_.v[compiled_.tree.links[drive.link].dof] - point_.u[drive.excitation].value;
  }
}

template <int D>
void JointEvaluator<D>::constraint_rates(std::span<double> rate) {
  if (!compiled_.bare) {
    rest_.constraint_rates(rate.first(compiled_.rest.structure.constraint_rows));
  }
  for (const SpeedDrive& drive : compiled_.speeds) {
    rate[drive.row] =
        point_.v[compiled_.tree.links[drive.link].dof] - point_.u[drive.excitation].value;
  }
}

template <int D>
void JointEvaluator<D>::gamma(std::span<double> gamma) {
  if (!compiled_.bare) {
    recursion_.accelerate({}, point_.v, point_.u);
    body_accelerations(rest_a_);
    const std::span<double> rows = gamma.first(compiled_.rest.structure.constraint_rows);
    rest_.gamma(rows);
    rest_.G().multiply_add(rest_a_, rows, -1.0);
  }
  for (const SpeedDrive& drive : compiled_.speeds) {
    gamma[drive.row] = point_.u[drive.excitation].first;
  }
}

template <int D>
void JointEvaluator<D>::body_accelerations(std::span<double> a) const {
  for (int b = 0; b < compiled_.ground(); ++b) {
    const BodyOnLink<D>& body = compiled_.tree.bodies[b];
    const LinkMotion<D>& m = recursion_.motion(body.link);
    double* at = a.data() + compiled_.rest.bodies[b].dof;
    Eigen::Map<Vector>{at} = recursion_.acceleration_at(body.link, m.R * body.c);
    if (!body.rotates) continue;
    const Spin alpha = recursion_.acceleration(body.link).ang;
    if constexpr (D == 3) {
      Eigen::Map<Spin>(at + D) = body.axes.transpose() * (m.R.transpose() * alpha);
    } else {
      Eigen::Map<Spin>(at + D) = alpha;
    }
  }
}

template <int D>
double JointEvaluator<D>::coordinate(const CoordinateLoad& load) const {
  const Link<D>& link = compiled_.tree.links[load.link];
  return link.excitation >= 0 ? point_.u[link.excitation].value : point_.q[link.storage];
}

template <int D>
double JointEvaluator<D>::rate(const CoordinateLoad& load) const {
  const Link<D>& link = compiled_.tree.links[load.link];
  return link.excitation >= 0 ? point_.u[link.excitation].first : point_.v[link.dof];
}

template <int D>
double JointEvaluator<D>::load(const CoordinateLoad& load) const {
  double tau = load.excitation >= 0 ? point_.u[load.excitation].value : 0.0;
  if (load.stiffness != 0.0) tau -= load.stiffness * (coordinate(load) - load.rest);
  if (load.damping != 0.0) tau -= load.damping * rate(load);
  return tau;
}

template <int D>
void JointEvaluator<D>::add_rest(std::span<const double> lambda) {
  if (compiled_.bare) return;
  rest_.residual(rest_a_, lambda.first(compiled_.rest.structure.constraint_rows), rest_load_);
  for (int b = 0; b < compiled_.ground(); ++b) {
    const BodyOnLink<D>& body = compiled_.tree.bodies[b];
    const LinkMotion<D>& m = recursion_.motion(body.link);
    const double* at = rest_load_.data() + compiled_.rest.bodies[b].dof;
    Spin torque = Spin::Zero();
    if (body.rotates) {
      torque = Eigen::Map<const Spin>(at + D);
      if constexpr (D == 3) torque = m.R * (body.axes * torque);
    }
    recursion_.add_load_at(body.link, m.R * body.c, Eigen::Map<const Vector>(at), torque);
  }
}

template <int D>
void JointEvaluator<D>::residual(std::span<const double> a, std::span<const double> lambda,
                                 std::span<double> r) {
  recursion_.accelerate(a, point_.v, point_.u);
  recursion_.clear_loads();
  add_rest(lambda);
  recursion_.add_inertia();
  recursion_.collect(r);
  for (const CoordinateLoad& l : compiled_.loads) {
    const int dof = compiled_.tree.links[l.link].dof;
    if (dof >= 0) r[dof] -= load(l);
  }
  for (const SpeedDrive& drive : compiled_.speeds) {
    r[compiled_.tree.links[drive.link].dof] += lambda[drive.row];
  }
  const auto& coordinates = compiled_.rest.coordinates.all;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    r[compiled_.rest_nodes[compiled_.rest.bodies.size() + k].dof] = rest_load_[coordinates[k].dof];
  }
}

template <int D>
void JointEvaluator<D>::force(std::span<double> f) {
  residual({}, zero_lambda_, f);
  for (double& value : f) value = -value;
}

template <int D>
void JointEvaluator<D>::accelerations(std::span<const double> lambda, std::span<double> a) {
  std::fill(tau_.begin(), tau_.end(), 0.0);
  for (const CoordinateLoad& l : compiled_.loads) {
    const int dof = compiled_.tree.links[l.link].dof;
    if (dof >= 0) tau_[dof] += load(l);
  }
  for (const SpeedDrive& drive : compiled_.speeds) {
    tau_[compiled_.tree.links[drive.link].dof] -= lambda[drive.row];
  }
  recursion_.clear_loads();
  add_rest(lambda);
  recursion_.forward(tau_, point_.v, point_.u, a);
}

template <int D>
void JointEvaluator<D>::state_rates(std::span<double> c) {
  if (!compiled_.bare) rest_.state_rates(c);
}

template <int D>
system::Energy JointEvaluator<D>::energy() {
  system::Energy e;
  if (!compiled_.bare) e = rest_.energy();
  e.kinetic = recursion_.kinetic_energy();
  e.potential += recursion_.potential_energy();
  for (const CoordinateLoad& l : compiled_.loads) {
    const double s = coordinate(l) - l.rest, s_rate = rate(l);
    e.potential += 0.5 * l.stiffness * s * s;
    e.dissipation_power -= l.damping * s_rate * s_rate;
    if (l.excitation >= 0) e.applied_power += point_.u[l.excitation].value * s_rate;
  }
  return e;
}

template <int D>
system::Momentum JointEvaluator<D>::momentum() {
  system::Momentum sum;
  for (int b = 0; b < compiled_.ground(); ++b) {
    const BodyOnLink<D>& body = compiled_.tree.bodies[b];
    const LinkMotion<D>& m = recursion_.motion(body.link);
    const Vector c = m.R * body.c;
    const math::Vec3 p = body.mass * absolute::spatial<D>(m.v + cross(m.omega, c));
    sum.linear += p;
    sum.angular += absolute::spatial<D>(Vector(m.p + c)).cross(p);
    if (!body.rotates) continue;
    if constexpr (D == 3) {
      sum.angular += m.R * (body.inertia * (m.R.transpose() * m.omega));
    } else {
      sum.angular.z() += body.inertia(0, 0) * m.omega[0];
    }
  }
  return sum;
}

template <int D>
double JointEvaluator<D>::drive_power(std::span<const double> a, std::span<const double> lambda) {
  double power = 0.0;
  if (!compiled_.bare) {
    power += rest_.drive_power({}, lambda.first(compiled_.rest.structure.constraint_rows));
  }
  for (const SpeedDrive& drive : compiled_.speeds) {
    power -= lambda[drive.row] * point_.u[drive.excitation].value;
  }
  residual(a, lambda, tau_);
  for (int i = 1; i < static_cast<int>(compiled_.tree.links.size()); ++i) {
    const Link<D>& link = compiled_.tree.links[i];
    if (link.excitation >= 0) power += recursion_.along(i) * point_.u[link.excitation].first;
  }
  for (const CoordinateLoad& l : compiled_.loads) {
    if (compiled_.tree.links[l.link].excitation >= 0) power -= load(l) * rate(l);
  }
  return power;
}

template class JointEvaluator<2>;
template class JointEvaluator<3>;

}  // namespace daedal::coordinates::joint
