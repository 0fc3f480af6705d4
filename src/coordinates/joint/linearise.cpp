#include "daedal/coordinates/joint/evaluator.hpp"

/// Derivatives in joint coordinates.
///
/// Turning the coordinates of a link by dq moves all that it carries as one rigid body, with a
/// motion psi = S dq. If velocities and accelerations turned along, nothing in the bodies' own axes
/// would change; but those of the link's parent, V and A, stay. What is missing is
///
///     phi = psi x V      chi = psi x A - phi x V      (products of motions, one point for all)
///
/// and a body at an offset r, with velocity v, acceleration a of its centre and spin omega changes
/// by
///
///     dz = psi(r)      dv = n x v - phi(r)                        n, f: spins of psi, phi
///                      da = n x a - chi(r) - 2 f x v
///                      domega, domega' in its own axes: -f, -(spin of chi) - f x omega
///
/// Increments of velocities are the same with psi = 0, phi = -S, chi = -(V + V_link) x S. All is
/// linear in (psi, phi, chi), so that sums over the bodies a link carries can be formed once.
namespace daedal::coordinates::joint {

namespace {

template <int D, class Column>
Twist<D> twist(const Column& s) {
  return {s.template head<D>(), s.template tail<Geometry<D>::kRotations>()};
}

}  // namespace

/// Of a body, stated for the origin of its link.
template <int D>
auto JointEvaluator<D>::inertia(const BodyOnLink<D>& body) const -> Block {
  const LinkMotion<D>& m = recursion_.motion(body.link);
  Block own = Block::Zero();
  own.template topLeftCorner<D, D>().diagonal().setConstant(body.mass);
  if (body.rotates) {
    if constexpr (D == 3) {
      own.template bottomRightCorner<kRot, kRot>() = m.R * body.inertia * m.R.transpose();
    } else {
      own.template bottomRightCorner<kRot, kRot>() = body.inertia;
    }
  }
  return shifted<D>(own, m.R * body.c);
}

template <int D>
void JointEvaluator<D>::mass(linear::BlockMatrix& M) {
  M.set_zero();
  double* values = M.values().data();
  const Tree<D>& tree = compiled_.tree;
  // Inertia of all that a link carries, stated for its origin, in C.
  for (Composite& c : composite_) c.C.setZero();
  for (const BodyOnLink<D>& body : tree.bodies) composite_[body.link].C += inertia(body);
  for (int i = static_cast<int>(tree.links.size()) - 1; i > 0; --i) {
    composite_[tree.links[i].parent].C += shifted<D>(composite_[i].C, recursion_.motion(i).d);
  }
  int of = 0;
  std::array<Twist<D>, 3> load;  // of unit accelerations of link `of`
  for (const auto& pair : compiled_.places().pairs) {
    const int wi = tree.links[pair.i].width, wj = tree.links[pair.j].width;
    if (pair.i != of) {
      of = pair.i;
      for (int k = 0; k < wi; ++k) {
        load[k] = twist<D>((composite_[of].C * recursion_.column(of, k).stacked()).eval());
      }
    }
    const Vector r = recursion_.motion(pair.i).p - recursion_.motion(pair.j).p;
    for (int k = 0; k < wi; ++k) {
      const Spin torque = load[k].ang + moment(r, load[k].lin);
      for (int l = 0; l < wj; ++l) {
        const Twist<D> s = recursion_.column(pair.j, l);
        const double value = s.lin.dot(load[k].lin) + s.ang.dot(torque);
        values[pair.M_ij + k * wj + l] = value;
        values[pair.M_ji + l * wi + k] = value;
      }
    }
  }
}

template <int D>
void JointEvaluator<D>::use_one_point() {
  Vector sum = Vector::Zero();
  double weight = 0.0;
  for (const BodyOnLink<D>& body : compiled_.tree.bodies) {
    sum += body.mass * recursion_.motion(body.link).p;
    weight += body.mass;
  }
  about_ = weight > 0.0 ? Vector(sum / weight) : sum;
}

template <int D>
void JointEvaluator<D>::perturb() {
  const Tree<D>& tree = compiled_.tree;
  for (int i = 1; i < static_cast<int>(tree.links.size()); ++i) {
    const Link<D>& link = tree.links[i];
    if (link.width == 0) continue;
    const LinkMotion<D>& parent = recursion_.motion(link.parent);
    const Vector about = this->about(i);
    const auto velocity = [&](const LinkMotion<D>& m) {
      return Twist<D>{m.v + cross(m.omega, Vector(about - m.p)), m.omega};
    };
    const Twist<D> V = velocity(parent), own = velocity(recursion_.motion(i));
    // The rate of the velocity at a point fixed in space.
    const Twist<D> A{
        recursion_.acceleration_at(link.parent, about - parent.p) - cross(parent.omega, V.lin),
        recursion_.acceleration(link.parent).ang};
    Perturbation& p = perturbation_[i];
    for (int k = 0; k < link.width; ++k) {
      const Twist<D> s = recursion_.column(i, k);
      const Twist<D> psi{s.at(about - recursion_.motion(i).p), s.ang};
      const Twist<D> phi = product<D>(psi, V);
      p.psi.col(k) = psi.stacked();
      p.phi.col(k) = phi.stacked();
      p.chi.col(k) = product<D>(psi, A).stacked() - product<D>(phi, V).stacked();
      p.kappa.col(k) = product<D>(Twist<D>{V.lin + own.lin, V.ang + own.ang}, psi).stacked();
    }
  }
}

/// A block between two bodies, its rotations turned into world axes.
template <int D>
auto JointEvaluator<D>::rest_block(int body_i, int body_j, const double* values, int wi,
                                   int wj) const -> Block {
  Block B = Block::Zero();
  for (int r = 0; r < wi; ++r) {
    for (int c = 0; c < wj; ++c) B(r, c) = values[r * wj + c];
  }
  if constexpr (D == 3) {
    const auto R = [&](int b) -> Eigen::Matrix3d {
      const BodyOnLink<D>& body = compiled_.tree.bodies[b];
      return recursion_.motion(body.link).R * body.axes;
    };
    if (wi == kDof) B.template bottomRows<3>() = (R(body_i) * B.template bottomRows<3>()).eval();
    if (wj == kDof) {
      B.template rightCols<3>() = (B.template rightCols<3>() * R(body_j).transpose()).eval();
    }
  }
  return B;
}

/// Stiffness and damping that the rest gives to one body alone, and its load.
template <int D>
void JointEvaluator<D>::add_rest_blocks(int b, const Vector& r, const Vector& v,
                                        const system::Linearisation& rest, Composite& sum,
                                        Vector& force, Spin& torque) const {
  const BodyOnLink<D>& body = compiled_.tree.bodies[b];
  const absolute::BodyElement<D>& element = compiled_.rest.bodies[b];
  const auto& at = compiled_.body_blocks[b];
  Block A = Block::Zero();
  if (at.K >= 0) A = rest_block(b, b, rest.K.values().data() + at.K, element.width, element.width);
  if (at.D_ >= 0) {
    const Block damping =
        rest_block(b, b, rest.D.values().data() + at.D_, element.width, element.width);
    A.template rightCols<kRot>() += damping.template leftCols<D>() * cross_with(v);
    sum.B -= shifted<D>(damping, r);
  }
  const Block moved = shifted<D>(A, r);
  sum.A_up += moved;
  sum.A_down += moved;
  const double* load = rest_load_.data() + element.dof;
  force += Eigen::Map<const Vector>(load);
  if (!body.rotates) return;
  Spin own = Eigen::Map<const Spin>(load + D);
  if constexpr (D == 3) own = recursion_.motion(body.link).R * (body.axes * own);
  torque += own;
}

template <int D>
void JointEvaluator<D>::compose_own(const system::Linearisation& rest) {
  const Tree<D>& tree = compiled_.tree;
  for (Composite& c : composite_) {
    c.A_up.setZero(), c.A_down.setZero(), c.B.setZero(), c.C.setZero();
    c.load = {};
  }
  for (int b = 0; b < compiled_.ground(); ++b) {
    const BodyOnLink<D>& body = tree.bodies[b];
    const LinkMotion<D>& m = recursion_.motion(body.link);
    const Vector c = m.R * body.c, r = m.p + c - about(body.link), v = m.v + cross(m.omega, c);
    const Vector a = recursion_.acceleration_at(body.link, c);
    Composite& sum = composite_[body.link];
    Vector force = body.mass * (a - tree.gravity);
    Spin torque = Spin::Zero();
    SpinBlock inertia = SpinBlock::Zero(), gyroscopic = SpinBlock::Zero();
    if (body.rotates) {
      if constexpr (D == 3) {
        inertia = m.R * body.inertia * m.R.transpose();
        const Spin h = inertia * m.omega;
        const Eigen::Matrix3d W = math::skew(m.omega);
        gyroscopic = inertia * W + math::skew(h) - W * inertia;
        torque = inertia * recursion_.acceleration(body.link).ang + m.omega.cross(h);
      } else {
        inertia = body.inertia;
        torque = body.inertia * recursion_.acceleration(body.link).ang;
      }
    }
    if (!compiled_.bare) add_rest_blocks(b, r, v, rest, sum, force, torque);
    sum.load.lin += force;
    sum.load.ang += torque + moment(r, force);

    // Blocks stated for the centre are moved there with L; many of them are zero.
    const Lever L = cross_with(r);
    const Lever turning = body.mass * cross_with(a), coriolis = -2.0 * body.mass * cross_with(v);
    const Lever falling = turning - cross_with(force);
    const Eigen::Matrix<double, kRot, D> pushed = moment_of(force);
    sum.C.template topLeftCorner<D, D>().diagonal().array() -= body.mass;
    sum.C.template topRightCorner<D, kRot>() -= body.mass * L;
    sum.C.template bottomLeftCorner<kRot, D>() -= body.mass * L.transpose();
    sum.C.template bottomRightCorner<kRot, kRot>() -= inertia + body.mass * L.transpose() * L;
    sum.B.template topRightCorner<D, kRot>() += coriolis;
    sum.B.template bottomRightCorner<kRot, kRot>() += gyroscopic + L.transpose() * coriolis;
    sum.A_up.template topRightCorner<D, kRot>() += turning;
    sum.A_up.template bottomLeftCorner<kRot, D>() += pushed;
    sum.A_up.template bottomRightCorner<kRot, kRot>() +=
        spin_cross_with(torque) + pushed * L + L.transpose() * turning;
    sum.A_down.template topRightCorner<D, kRot>() += falling;
    sum.A_down.template bottomRightCorner<kRot, kRot>() += L.transpose() * falling;
  }
}

template <int D>
void JointEvaluator<D>::compose() {
  const Tree<D>& tree = compiled_.tree;
  for (int i = static_cast<int>(tree.links.size()) - 1; i > 0; --i) {
    Composite& sum = composite_[tree.links[i].parent];
    const Composite& own = composite_[i];
    sum.A_up += own.A_up, sum.A_down += own.A_down, sum.B += own.B, sum.C += own.C;
  }
}

template <int D>
void JointEvaluator<D>::couple(const system::Linearisation& rest, system::Linearisation& out) {
  const auto width_of = [&](int node) { return compiled_.rest.structure.coordinates[node].size; };
  const auto columns = [&](int node, int link) {
    Columns Z = Columns::Zero();
    if (link < 0) {
      Z(0, 0) = 1.0;
      return Z;
    }
    return body_columns(compiled_.rest_nodes[node].body, link);
  };
  const auto count = [&](int link) { return link < 0 ? 1 : compiled_.tree.links[link].width; };
  const auto& places = compiled_.places();
  for (std::size_t k = 0; k < compiled_.couplings.size(); ++k) {
    const auto& coupling = compiled_.couplings[k];
    const int rows = width_of(coupling.row), cols = width_of(coupling.column);
    Block K = Block::Zero(), C = Block::Zero();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) {
        K(r, c) = rest.K.values()[coupling.K + r * cols + c];
        if (coupling.D_ >= 0) C(r, c) = rest.D.values()[coupling.D_ + r * cols + c];
      }
    }
    for (const auto& place : places.couplings[k]) {
      const Columns Zi = columns(coupling.row, place.i), Zj = columns(coupling.column, place.j);
      Columns load = K * Zj;
      if (coupling.D_ >= 0 && place.j >= 0) {
        load += C * body_rate_columns(compiled_.rest_nodes[coupling.column].body, place.j);
      }
      const Columns damping = C * Zj;
      const int wi = count(place.i), wj = count(place.j);
      for (int r = 0; r < wi; ++r) {
        for (int c = 0; c < wj; ++c) {
          out.K.values()[place.K + r * wj + c] += Zi.col(r).dot(load.col(c));
          if (coupling.D_ >= 0) {
            out.D.values()[place.D_ + r * wj + c] += Zi.col(r).dot(damping.col(c));
          }
        }
      }
    }
  }
}

template <int D>
void JointEvaluator<D>::coupling(const typename Compiled<D>::Coupling& at, Block& A,
                                 Block& B) const {
  // dz = psi(r)   dv = n x v - phi(r)   of the one body, a load at the centre of the other
  const auto center = [&](int b) -> Vector { return recursion_.center(b); };
  const int row = compiled_.rest_nodes[at.row].body, column = compiled_.rest_nodes[at.column].body;
  const int wi = compiled_.rest.bodies[row].width, wj = compiled_.rest.bodies[column].width;
  A = rest_block(row, column, rest_blocks_.K.values().data() + at.K, wi, wj);
  B.setZero();
  if (at.D_ >= 0) {
    const LinkMotion<D>& m = recursion_.motion(compiled_.tree.bodies[column].link);
    const Vector v = m.v + cross(m.omega, center(column));
    B = -rest_block(row, column, rest_blocks_.D.values().data() + at.D_, wi, wj);
    A.template rightCols<kRot>() -= B.template leftCols<D>() * cross_with(v);
  }
  const Lever Li = cross_with(center(row)), Lj = cross_with(center(column));
  for (Block* X : {&A, &B}) {
    X->template rightCols<kRot>() += (X->template leftCols<D>() * Lj).eval();
    X->template bottomRows<kRot>() += (Li.transpose() * X->template topRows<D>()).eval();
  }
}

template <int D>
void JointEvaluator<D>::prepare(std::span<const double> a, std::span<const double> mu) {
  recursion_.accelerate(a, point_.v, point_.u);
  if (compiled_.bare) return;
  const std::span<const double> rest_mu = mu.first(compiled_.rest.structure.constraint_rows);
  rest_.residual(rest_a_, rest_mu, rest_load_);
  rest_.linearise(rest_a_, rest_mu, rest_blocks_);
}

template <int D>
void JointEvaluator<D>::project_others(system::Linearisation& out) {
  std::copy(G_.values().begin(), G_.values().end(), out.G.values().begin());
  if (compiled_.structure.directed) {
    std::copy(H_.values().begin(), H_.values().end(), out.H.values().begin());
  }
  out.W.set_zero(), out.c_q.set_zero(), out.c_v.set_zero();
  if (compiled_.bare) return;
  project_rows(compiled_.W_rows, rest_blocks_.W.values().data(), rest_.G().values().data(),
               out.W.values().data(), nullptr);
  project_rows(compiled_.state_rows, rest_blocks_.c_q.values().data(),
               rest_blocks_.c_v.values().data(), out.c_q.values().data(),
               out.c_v.values().data());
}

template <int D>
void JointEvaluator<D>::linearise_links(std::span<const double> a, std::span<const double> mu,
                                        system::Linearisation& out) {
  prepare(a, mu);
  about_.reset();
  perturb();
  compose_own(rest_blocks_);
  project_others(out);
}

template <int D>
void JointEvaluator<D>::linearise_masses() {
  for (int i = 1; i < static_cast<int>(compiled_.tree.links.size()); ++i) {
    for (int k = 0; k < compiled_.tree.links[i].width; ++k) {
      perturbation_[i].psi.col(k) = recursion_.column(i, k).stacked();
    }
  }
  for (Composite& c : composite_) c.C.setZero();
  for (const BodyOnLink<D>& body : compiled_.tree.bodies) {
    composite_[body.link].C -= inertia(body);
  }
}

template <int D>
void JointEvaluator<D>::linearise(std::span<const double> a, std::span<const double> mu,
                                  system::Linearisation& out) {
  prepare(a, mu);
  use_one_point();
  perturb();
  compose_own(rest_blocks_);
  compose();
  out.M.set_zero(), out.D.set_zero(), out.K.set_zero();
  project_others(out);

  double* M = out.M.values().data();
  double* C = out.D.values().data();
  double* K = out.K.values().data();
  int of = 0;
  // Of link `of`: loads on all that it carries by its own increments, and what the coordinates of
  // links on the way to the ground are multiplied by to give the load on its own.
  Columns load_K, load_M, load_D, row_psi, row_phi;
  for (const auto& pair : compiled_.places().pairs) {
    const Perturbation &pi = perturbation_[pair.i], &pj = perturbation_[pair.j];
    const int wi = compiled_.tree.links[pair.i].width, wj = compiled_.tree.links[pair.j].width;
    if (pair.i != of) {
      of = pair.i;
      const Composite& sum = composite_[of];
      for (int c = 0; c < wi; ++c) {
        load_M.col(c).noalias() = -(sum.C * pi.psi.col(c));
        load_D.col(c).noalias() = -(sum.B * pi.psi.col(c)) - sum.C * pi.kappa.col(c);
        load_K.col(c).noalias() =
            sum.A_up * pi.psi.col(c) + sum.B * pi.phi.col(c) + sum.C * pi.chi.col(c);
        row_psi.col(c).noalias() = sum.A_down.transpose() * pi.psi.col(c);
        row_phi.col(c).noalias() = sum.B.transpose() * pi.psi.col(c);
      }
    }
    for (int r = 0; r < wj; ++r) {
      for (int c = 0; c < wi; ++c) {
        const double m = pj.psi.col(r).dot(load_M.col(c));
        M[pair.M_ji + r * wi + c] = m;
        M[pair.M_ij + c * wj + r] = m;
        // Link i's own columns turn along, as those of links beyond it do.
        C[pair.D_ij + c * wj + r] =
            load_M.col(c).dot(pj.kappa.col(r)) - row_phi.col(c).dot(pj.psi.col(r));
        K[pair.K_ij + c * wj + r] = row_psi.col(c).dot(pj.psi.col(r)) +
                                    row_phi.col(c).dot(pj.phi.col(r)) -
                                    load_M.col(c).dot(pj.chi.col(r));
        if (pair.i == pair.j) continue;
        C[pair.D_ji + r * wi + c] = pj.psi.col(r).dot(load_D.col(c));
        K[pair.K_ji + r * wi + c] = pj.psi.col(r).dot(load_K.col(c));
      }
    }
  }
  if (!compiled_.bare) couple(rest_blocks_, out);
  for (std::size_t k = 0; k < compiled_.loads.size(); ++k) {
    const auto [to_K, to_D] = compiled_.places().loads[k];
    if (to_K < 0) continue;
    K[to_K] += compiled_.loads[k].stiffness;
    C[to_D] += compiled_.loads[k].damping;
  }
}

template class JointEvaluator<2>;
template class JointEvaluator<3>;

}  // namespace daedal::coordinates::joint
