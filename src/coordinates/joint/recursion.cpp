#include "daedal/coordinates/joint/recursion.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace daedal::coordinates::joint {

template <int D>
Recursion<D>::Recursion(const Tree<D>& tree)
    : tree_(tree),
      motion_(tree.links.size()),
      acceleration_(tree.links.size()),
      load_(tree.links.size()),
      inertia_(tree.links.size()),
      drift_(tree.links.size()),
      U_(tree.links.size()),
      pivot_(tree.links.size()),
      u_(tree.links.size()),
      wide_(tree.links.size(), -1) {
  int wide = 0;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (tree.links[i].width > 1) wide_[i] = wide++;
  }
  U3_.resize(wide);
  pivot3_.resize(wide);
  u3_.resize(wide);
}

template <int D>
void Recursion<D>::kinematics(std::span<const double> q, std::span<const double> v,
                              std::span<const math::Jet> u) {
  const int n = static_cast<int>(tree_.links.size());
  for (int i = 1; i < n; ++i) {
    const Link<D>& link = tree_.links[i];
    const LinkMotion<D>& parent = motion_[link.parent];
    LinkMotion<D>& m = motion_[i];
    double s = 0.0;
    m.rate = 0.0;
    if (link.excitation >= 0) {
      s = link.sign * u[link.excitation].value;
      m.rate = link.sign * u[link.excitation].first;
    } else if (link.kind == LinkKind::hinge || link.kind == LinkKind::slide ||
               link.kind == LinkKind::screw) {
      s = link.sign * q[link.storage];
      m.rate = link.sign * v[link.dof];
    }
    m.d = parent.R * link.p0;
    if constexpr (D == 2) m.angle = parent.angle + link.angle0;
    m.omega = parent.omega;
    switch (link.kind) {
      case LinkKind::screw:
      case LinkKind::hinge: {
        const double c = std::cos(s), sn = std::sin(s);
        if constexpr (D == 3) {
          const Matrix B = link.turned ? Matrix(parent.R * link.R0) : parent.R;
          m.R.col(0) = c * B.col(0) + sn * B.col(1);
          m.R.col(1) = c * B.col(1) - sn * B.col(0);
          m.R.col(2) = B.col(2);
          m.omega += m.rate * B.col(2);
          if (link.kind == LinkKind::screw) m.d += link.pitch * s * B.col(2);
        } else {
          m.angle += s;
          // From the angle itself: products of rotations would drift apart from it.
          const double cosine = std::cos(m.angle), sine = std::sin(m.angle);
          m.R << cosine, -sine, sine, cosine;
          m.omega[0] += m.rate;
        }
        break;
      }
      case LinkKind::slide:
        m.axis = parent.R * link.e;
        m.d += s * m.axis;
        m.R = link.turned ? Matrix(parent.R * link.R0) : parent.R;
        break;
      case LinkKind::ball:
        if constexpr (D == 3) {
          const double* r = q.data() + link.storage;
          const Matrix B = link.turned ? Matrix(parent.R * link.R0) : parent.R;
          m.R = B * math::rotation_matrix({r[0], r[1], r[2], r[3]});
          m.omega += m.R * Eigen::Map<const Spin>(v.data() + link.dof);
        }
        break;
      case LinkKind::translation:
        m.R = link.turned ? Matrix(parent.R * link.R0) : parent.R;
        m.d += m.R * Eigen::Map<const Vector>(q.data() + link.storage);
        break;
      case LinkKind::fixed:
        m.R = link.turned ? Matrix(parent.R * link.R0) : parent.R;
        break;
    }
    m.p = parent.p + m.d;
    m.v = parent.v + cross(parent.omega, m.d);
    if (link.kind == LinkKind::slide) m.v += m.rate * m.axis;
    if (link.kind == LinkKind::translation) {
      m.v += m.R * Eigen::Map<const Vector>(v.data() + link.dof);
    }
    if constexpr (D == 3) {
      if (link.kind == LinkKind::screw) m.v += link.pitch * m.rate * m.R.col(2);
    }
  }
}

template <int D>
Twist<D> Recursion<D>::drift(const Link<D>& link, const LinkMotion<D>& m,
                             const LinkMotion<D>& parent, std::span<const double> v,
                             std::span<const math::Jet> u) const {
  Twist<D> a;
  a.lin = cross(parent.omega, cross(parent.omega, m.d));
  const double given = link.excitation >= 0 ? link.sign * u[link.excitation].second : 0.0;
  switch (link.kind) {
    case LinkKind::screw:
      if constexpr (D == 3) {
        a.lin += 2.0 * link.pitch * m.rate * parent.omega.cross(m.R.col(2)) +
                 link.pitch * given * m.R.col(2);
      }
      [[fallthrough]];
    case LinkKind::hinge:
      if constexpr (D == 3) {
        a.ang = m.rate * parent.omega.cross(m.R.col(2)) + given * m.R.col(2);
      } else {
        a.ang[0] = given;
      }
      break;
    case LinkKind::slide:
      a.lin += 2.0 * m.rate * cross(parent.omega, m.axis) + given * m.axis;
      break;
    case LinkKind::ball:
      if constexpr (D == 3) {
        a.ang = parent.omega.cross(m.R * Eigen::Map<const Spin>(v.data() + link.dof));
      }
      break;
    case LinkKind::translation: {
      const Vector rate = m.R * Eigen::Map<const Vector>(v.data() + link.dof);
      a.lin += 2.0 * cross(parent.omega, rate);
      break;
    }
    case LinkKind::fixed:
      break;
  }
  return a;
}

template <int D>
void Recursion<D>::accelerate(std::span<const double> a, std::span<const double> v,
                              std::span<const math::Jet> u) {
  const int n = static_cast<int>(tree_.links.size());
  for (int i = 1; i < n; ++i) {
    const Link<D>& link = tree_.links[i];
    const LinkMotion<D>& m = motion_[i];
    const Twist<D>& from = acceleration_[link.parent];
    Twist<D> own = drift(link, m, motion_[link.parent], v, u);
    if (link.width > 0 && !a.empty()) {
      for (int k = 0; k < link.width; ++k) {
        const Twist<D> s = column(i, k);
        own.lin += a[link.dof + k] * s.lin;
        own.ang += a[link.dof + k] * s.ang;
      }
    }
    acceleration_[i].ang = from.ang + own.ang;
    acceleration_[i].lin = from.lin + cross(from.ang, m.d) + own.lin;
  }
}

template <int D>
void Recursion<D>::clear_loads() {
  for (Twist<D>& load : load_) {
    load.lin.setZero();
    load.ang.setZero();
  }
}

template <int D>
void Recursion<D>::add_inertia() {
  for (const BodyOnLink<D>& body : tree_.bodies) {
    const LinkMotion<D>& m = motion_[body.link];
    const Vector c = m.R * body.c;
    const Vector force = body.mass * (acceleration_at(body.link, c) - tree_.gravity);
    Spin torque = Spin::Zero();
    if (body.rotates) {
      if constexpr (D == 3) {
        const Spin w = m.R.transpose() * m.omega;
        torque = m.R * (body.inertia * (m.R.transpose() * acceleration_[body.link].ang) +
                        w.cross(body.inertia * w));
      } else {
        torque = body.inertia * acceleration_[body.link].ang;
      }
    }
    add_load_at(body.link, c, force, torque);
  }
}

template <int D>
double Recursion<D>::along(int i) const {
  const Twist<D> s = column(i, 0);
  return s.lin.dot(load_[i].lin) + s.ang.dot(load_[i].ang);
}

template <int D>
void Recursion<D>::collect(std::span<double> r) {
  for (int i = static_cast<int>(tree_.links.size()) - 1; i > 0; --i) {
    const Link<D>& link = tree_.links[i];
    const Twist<D>& f = load_[i];
    for (int k = 0; k < link.width; ++k) {
      const Twist<D> s = column(i, k);
      r[link.dof + k] = s.lin.dot(f.lin) + s.ang.dot(f.ang);
    }
    add_load_at(link.parent, motion_[i].d, f.lin, f.ang);
  }
}

template <int D>
void Recursion<D>::forward(std::span<const double> tau, std::span<const double> v,
                           std::span<const math::Jet> u, std::span<double> a) {
  const int n = static_cast<int>(tree_.links.size());
  constexpr int R = Geometry<D>::kRotations;
  for (int i = 0; i < n; ++i) inertia_[i].setZero();
  for (int i = 1; i < n; ++i) {
    drift_[i] = drift(tree_.links[i], motion_[i], motion_[tree_.links[i].parent], v, u);
  }
  for (const BodyOnLink<D>& body : tree_.bodies) {
    const LinkMotion<D>& m = motion_[body.link];
    const Vector c = m.R * body.c;
    Inertia& A = inertia_[body.link];
    const Eigen::Matrix<double, D, R> L = cross_with(c);
    A.template topLeftCorner<D, D>().diagonal().setConstant(body.mass);
    A.template topRightCorner<D, R>() = body.mass * L;
    A.template bottomLeftCorner<R, D>() = body.mass * L.transpose();
    A.template bottomRightCorner<R, R>() = body.mass * L.transpose() * L;
    Spin torque = Spin::Zero();
    if (body.rotates) {
      if constexpr (D == 3) {
        const Eigen::Matrix3d I = m.R * body.inertia * m.R.transpose();
        A.template bottomRightCorner<R, R>() += I;
        torque = m.omega.cross(I * m.omega);
      } else {
        A.template bottomRightCorner<R, R>() += body.inertia;
      }
    }
    const Vector force = body.mass * (cross(m.omega, cross(m.omega, c)) - tree_.gravity);
    add_load_at(body.link, c, force, torque);
  }
  for (int i = n - 1; i > 0; --i) {
    const Link<D>& link = tree_.links[i];
    Inertia& A = inertia_[i];
    // Loads for no acceleration of the parent and none of the coordinates.
    Eigen::Matrix<double, kDof, 1> f = load_[i].stacked() + A * drift_[i].stacked();
    if (link.width == 1) {
      const Eigen::Matrix<double, kDof, 1> s = column(i, 0).stacked();
      U_[i].noalias() = A * s;
      pivot_[i] = 1.0 / s.dot(U_[i]);
      u_[i] = tau[link.dof] - s.dot(f);
      f += U_[i] * (u_[i] * pivot_[i]);
      A.noalias() -= (pivot_[i] * U_[i]) * U_[i].transpose();
    } else if (link.width > 1) {
      const int k = wide_[i];
      Eigen::Matrix<double, kDof, 3> S = Eigen::Matrix<double, kDof, 3>::Zero();
      for (int c = 0; c < link.width; ++c) S.col(c) = column(i, c).stacked();
      U3_[k].noalias() = A * S;
      Eigen::Matrix3d H = S.transpose() * U3_[k];
      u3_[k].setZero();
      for (int c = 0; c < link.width; ++c) u3_[k][c] = tau[link.dof + c] - S.col(c).dot(f);
      for (int c = link.width; c < 3; ++c) H(c, c) = 1.0;
      pivot3_[k] = H.llt().solve(Eigen::Matrix3d::Identity());
      f += U3_[k] * (pivot3_[k] * u3_[k]);
      A -= U3_[k] * pivot3_[k] * U3_[k].transpose();
    }
    if (link.parent == 0) continue;
    inertia_[link.parent] += shifted<D>(A, motion_[i].d);
    add_load_at(link.parent, motion_[i].d, f.template head<D>(), f.template tail<R>());
  }
  for (int i = 1; i < n; ++i) {
    const Link<D>& link = tree_.links[i];
    const Twist<D>& from = acceleration_[link.parent];
    Twist<D> carried;
    carried.ang = from.ang;
    carried.lin = from.lin + cross(from.ang, motion_[i].d);
    const Eigen::Matrix<double, kDof, 1> w = carried.stacked();
    acceleration_[i].ang = carried.ang + drift_[i].ang;
    acceleration_[i].lin = carried.lin + drift_[i].lin;
    if (link.width == 1) {
      a[link.dof] = pivot_[i] * (u_[i] - U_[i].dot(w));
    } else if (link.width > 1) {
      const int k = wide_[i];
      const Eigen::Vector3d x = pivot3_[k] * (u3_[k] - U3_[k].transpose() * w);
      for (int c = 0; c < link.width; ++c) a[link.dof + c] = x[c];
    }
    for (int c = 0; c < link.width; ++c) {
      const Twist<D> s = column(i, c);
      acceleration_[i].lin += a[link.dof + c] * s.lin;
      acceleration_[i].ang += a[link.dof + c] * s.ang;
    }
  }
}

template <int D>
double Recursion<D>::kinetic_energy() const {
  double energy = 0.0;
  for (const BodyOnLink<D>& body : tree_.bodies) {
    const LinkMotion<D>& m = motion_[body.link];
    energy += 0.5 * body.mass * (m.v + cross(m.omega, Vector(m.R * body.c))).squaredNorm();
    if (!body.rotates) continue;
    if constexpr (D == 3) {
      const Spin w = m.R.transpose() * m.omega;
      energy += 0.5 * w.dot(body.inertia * w);
    } else {
      energy += 0.5 * body.inertia(0, 0) * m.omega[0] * m.omega[0];
    }
  }
  return energy;
}

template <int D>
double Recursion<D>::potential_energy() const {
  double energy = 0.0;
  for (const BodyOnLink<D>& body : tree_.bodies) {
    const LinkMotion<D>& m = motion_[body.link];
    energy -= body.mass * tree_.gravity.dot(m.p + m.R * body.c);
  }
  return energy;
}

template class Recursion<2>;
template class Recursion<3>;

}  // namespace daedal::coordinates::joint
