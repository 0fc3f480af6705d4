#include "daedal/coordinates/joint/implicit_dynamics.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "daedal/linear/pivot_test.hpp"

namespace daedal::coordinates::joint {

namespace {

/// Loads between bodies, as a share of the coordinates, above which blocks are cheaper.
constexpr double kManyCouplings = 0.5;

template <int D>
bool couples_bodies(const Compiled<D>& compiled, const typename Compiled<D>::Coupling& coupling) {
  // A body that nothing moves exerts and takes nothing.
  return !compiled.movers(coupling.row).empty() && !compiled.movers(coupling.column).empty();
}

}  // namespace

template <int D>
JointImplicitDynamics<D>::JointImplicitDynamics(const Compiled<D>& compiled)
    : compiled_(compiled),
      derivatives_(compiled.tree.links.size()),
      factors_(compiled.tree.links.size()),
      rotation_(compiled.tree.links.size(), -1),
      H_(compiled.tree.links.size()),
      A_sum_(compiled.tree.links.size()),
      B_sum_(compiled.tree.links.size()),
      C_sum_(compiled.tree.links.size()),
      state_(compiled.tree.links.size(), State::Zero()),
      load_(compiled.tree.links.size(), Load::Zero()) {
  const auto rotations = compiled.structure.manifold.rotations();
  for (int i = 1; i < links(); ++i) {
    if (compiled.tree.links[i].kind != LinkKind::ball) continue;
    for (std::size_t r = 0; r < rotations.size(); ++r) {
      if (rotations[r].tangent == compiled.tree.links[i].dof) rotation_[i] = static_cast<int>(r);
    }
  }
  const auto link_of = [&](int node) {
    return compiled.tree.bodies[compiled.rest_nodes[node].body].link;
  };
  for (const auto& coupling : compiled.couplings) {
    if (!couples_bodies(compiled, coupling)) continue;
    couplings_.push_back({&coupling, link_of(coupling.row), link_of(coupling.column), Block::Zero(), Block::Zero()});
  }
  if (couplings_.empty()) return;
  const int size = kDof * static_cast<int>(couplings_.size());
  responses_.resize(compiled.structure.dof(), size);
  coupled_loads_.resize(size);
  coupled_ = linear::BlockMatrix(std::make_shared<const linear::BlockPattern>(
      std::vector<int>{size}, std::vector<int>{size}, std::vector<std::pair<int, int>>{{0, 0}}));
  coupled_solver_ = linear::make_solver("dense");
  constexpr linear::NodeKind kKind = linear::NodeKind::coordinate;
  coupled_solver_->analyse(coupled_.shared_pattern(), {&kKind, 1});
}

template <int D>
void JointImplicitDynamics<D>::move_state(State& s, const Vector& d) const {
  for (int k = 0; k < kState; k += kDof) {
    s.template segment<D>(k) += cross(Spin(s.template segment<kRot>(k + D)), d);
  }
}

template <int D>
void JointImplicitDynamics<D>::add_moved(Load& to, const Load& load, const Vector& d) const {
  const Vector force = load.template head<D>();
  to.template head<D>() += force;
  to.template tail<kRot>() += load.template tail<kRot>() + moment(d, force);
}

template <int D>
void JointImplicitDynamics<D>::take_links(const JointEvaluator<D>& evaluator) {
  for (int i = 1; i < links(); ++i) {
    Derivatives& to = derivatives_[i];
    const auto& p = evaluator.perturbation(i);
    const auto& own = evaluator.own(i);
    to.psi = p.psi;
    to.d = evaluator.recursion().motion(i).d;
    to.own.template rightCols<kDof>() = own.C;
    if (masses_alone_) {
      to.phi.setZero(), to.chi.setZero(), to.kappa.setZero();
      to.own.template leftCols<2 * kDof>().setZero();
      to.load.setZero();
    } else {
      to.phi = p.phi, to.chi = p.chi, to.kappa = p.kappa;
      to.own.template leftCols<kDof>() = own.A_up;
      to.own.template middleCols<kDof>(kDof) = own.B;
      to.load = own.load.stacked();
    }
    to.stiffness = to.damping = 0.0;
  }
  for (int i = links() - 1; i > 0; --i) {
    const int parent = compiled_.tree.links[i].parent;
    add_moved(derivatives_[parent].load, derivatives_[i].load, derivatives_[i].d);
  }
}

template <int D>
auto JointImplicitDynamics<D>::turned_load(const Derivatives& link, int column) const
    -> Eigen::Matrix<double, 1, kDof> {
  // E = -[0, n x f; p x f, n x torque]
  const Vector force = link.load.template head<D>();
  const Spin torque = link.load.template tail<kRot>();
  const auto lin = link.psi.col(column).template head<D>().transpose();
  const auto ang = link.psi.col(column).template tail<kRot>().transpose();
  Eigen::Matrix<double, 1, kDof> row;
  row.template head<D>() = -ang * moment_of(force);
  row.template tail<kRot>() = -lin * cross_with(force) - ang * spin_cross_with(torque);
  return row;
}

template <int D>
void JointImplicitDynamics<D>::find_own_blocks() {
  const Tree<D>& tree = compiled_.tree;
  for (int i = 1; i < links(); ++i) {
    const Wide& own = derivatives_[i].own;
    A_sum_[i] = own.template leftCols<kDof>();
    B_sum_[i] = own.template middleCols<kDof>(kDof);
    C_sum_[i] = own.template rightCols<kDof>();
  }
  for (int i = links() - 1; i > 0; --i) {
    Derivatives& link = derivatives_[i];
    const int w = tree.links[i].width;
    for (int r = 0; r < w; ++r) {
      const auto psi = link.psi.col(r).transpose();
      const auto row_C = (psi * C_sum_[i]).eval();
      if (masses_alone_) {
        for (int c = 0; c < w; ++c) link.M(r, c) = -row_C.dot(link.psi.col(c));
        continue;
      }
      const auto row_A = (psi * A_sum_[i] + turned_load(link, r)).eval();
      const auto row_B = (psi * B_sum_[i]).eval();
      for (int c = 0; c < w; ++c) {
        link.M(r, c) = -row_C.dot(link.psi.col(c));
        link.D_(r, c) = -row_C.dot(link.kappa.col(c)) - row_B.dot(link.psi.col(c));
        link.K(r, c) = row_A.dot(link.psi.col(c)) + row_B.dot(link.phi.col(c)) +
                       row_C.dot(link.chi.col(c));
      }
    }
    if (w > 0) link.K(0, 0) += link.stiffness, link.D_(0, 0) += link.damping;
    const int parent = tree.links[i].parent;
    if (parent == 0) continue;
    C_sum_[parent] += shifted<D>(C_sum_[i], link.d);
    if (masses_alone_) continue;
    A_sum_[parent] += shifted<D>(A_sum_[i], link.d);
    B_sum_[parent] += shifted<D>(B_sum_[i], link.d);
  }
}

template <int D>
void JointImplicitDynamics<D>::linearise(system::Evaluator& evaluator, std::span<const double> a,
                                         std::span<const double> mu, system::Linearisation& own) {
  auto& joint = static_cast<JointEvaluator<D>&>(evaluator);
  joint.linearise_links(a, mu, own);
  masses_alone_ = false;
  take_links(joint);
  for (const CoordinateLoad& load : compiled_.loads) {
    derivatives_[load.link].stiffness += load.stiffness;
    derivatives_[load.link].damping += load.damping;
  }
  for (Coupling& c : couplings_) joint.coupling(*c.of, c.A, c.B);
  find_own_blocks();
  for (int i = 1; i < links(); ++i) {
    const Link<D>& link = compiled_.tree.links[i];
    if (link.width == 0) continue;
    own.M.block(link.node) = derivatives_[i].M.topLeftCorner(link.width, link.width);
    own.D.block(link.node) = derivatives_[i].D_.topLeftCorner(link.width, link.width);
    own.K.block(link.node) = derivatives_[i].K.topLeftCorner(link.width, link.width);
  }
}

template <int D>
void JointImplicitDynamics<D>::mass(system::Evaluator& evaluator, linear::BlockMatrix& own) {
  auto& joint = static_cast<JointEvaluator<D>&>(evaluator);
  joint.linearise_masses();
  masses_alone_ = true;
  take_links(joint);
  find_own_blocks();
  for (int i = 1; i < links(); ++i) {
    const Link<D>& link = compiled_.tree.links[i];
    if (link.width == 0) continue;
    own.block(link.node) = derivatives_[i].M.topLeftCorner(link.width, link.width);
  }
}

template <int D>
auto JointImplicitDynamics<D>::part(const Part& P, int link) const -> Square {
  if (rotation_[link] >= 0 && !P.rotations.empty()) return P.factor * P.rotations[rotation_[link]];
  return P.factor * Square::Identity();
}

template <int D>
linear::FactorStatus JointImplicitDynamics<D>::factorise(const Part& P, const Part& V,
                                                         const Part& A) {
  const Tree<D>& tree = compiled_.tree;
  for (int i = 1; i < links(); ++i) H_[i] = derivatives_[i].own;
  for (int i = links() - 1; i > 0; --i) {
    const Derivatives& link = derivatives_[i];
    Factors& f = factors_[i];
    Wide& H = H_[i];
    const int w = tree.links[i].width;
    if (w == 1) {
      const double p = P.factor, v = V.factor, a = A.factor;
      const auto psi = link.psi.col(0);
      auto sigma = f.sigma.col(0);
      sigma.template head<kDof>() = p * psi;
      sigma.template segment<kDof>(kDof) = p * link.phi.col(0) - v * psi;
      sigma.template tail<kDof>() = p * link.chi.col(0) - v * link.kappa.col(0) - a * psi;
      f.H_sigma.col(0).noalias() = H * sigma;
      auto U = f.U.col(0);
      U.noalias() = H.transpose() * psi;
      U.template head<kDof>() += turned_load(link, 0).transpose();
      const double pivot = U.dot(sigma) + p * link.stiffness + v * link.damping;
      const double size = std::abs(p * link.K(0, 0)) + std::abs(v * link.D_(0, 0)) +
                          std::abs(a * link.M(0, 0));
      if (!(std::abs(pivot) > linear::kVanishingPivot * size)) {
        return {.ok = false, .equation = tree.links[i].dof, .pivot = std::abs(pivot) / size};
      }
      f.inverse(0, 0) = 1.0 / pivot;
      U /= pivot;
      H.noalias() -= f.H_sigma.col(0) * U.transpose();
    } else if (w > 1) {
      const Square p = part(P, i), v = part(V, i), a = part(A, i);
      f.sigma.template topRows<kDof>() = link.psi * p;
      f.sigma.template middleRows<kDof>(kDof) = link.phi * p - link.psi * v;
      f.sigma.template bottomRows<kDof>() = link.chi * p - link.kappa * v - link.psi * a;
      f.H_sigma.noalias() = H * f.sigma;
      Eigen::Matrix<double, 3, kState> U = link.psi.transpose() * H;
      for (int r = 0; r < w; ++r) U.row(r).template head<kDof>() += turned_load(link, r);
      Square pivot = U * f.sigma;
      // Columns of what a link does not have are zero.
      for (int c = w; c < 3; ++c) pivot(c, c) = 1.0;
      const Square own = link.K * p + link.D_ * v + link.M * a;
      const double size = own.topLeftCorner(w, w).cwiseAbs().maxCoeff();
      const Eigen::PartialPivLU<Square> lu(pivot);
      for (int c = 0; c < w; ++c) {
        const double u = std::abs(lu.matrixLU()(c, c));
        if (!(u > linear::kVanishingPivot * size)) {
          return {.ok = false, .equation = tree.links[i].dof + c, .pivot = u / size};
        }
      }
      f.inverse = lu.inverse();
      f.U.noalias() = (f.inverse * U).transpose();
      H.noalias() -= f.H_sigma * f.U.transpose();
    }
    const int parent = tree.links[i].parent;
    if (parent == 0) continue;
    for (int k = 0; k < kState; k += kDof) {
      H_[parent].template middleCols<kDof>(k) +=
          shifted<D>(Block(H.template middleCols<kDof>(k)), link.d);
    }
  }
  return couplings_.empty() || masses_alone_ ? linear::FactorStatus{} : factorise_couplings();
}

template <int D>
void JointImplicitDynamics<D>::coupling_loads(std::span<double> f) const {
  for (std::size_t k = 0; k < couplings_.size(); ++k) {
    const Coupling& c = couplings_[k];
    Eigen::Map<Load>(f.data() + k * kDof) = c.A * state_[c.column].template head<kDof>() +
                                            c.B * state_[c.column].template segment<kDof>(kDof);
  }
}

template <int D>
linear::FactorStatus JointImplicitDynamics<D>::factorise_couplings() {
  // S_tree d + J^T f = b     f = F d     (1 + F S_tree^-1 J^T) f = F S_tree^-1 b
  const int size = static_cast<int>(coupled_loads_.size());
  auto matrix = coupled_.block(0);
  for (int j = 0; j < size; ++j) {
    std::fill(load_.begin(), load_.end(), Load::Zero());
    load_[couplings_[j / kDof].row][j % kDof] = -1.0;
    const std::span<double> response(responses_.col(j).data(), responses_.rows());
    std::fill(response.begin(), response.end(), 0.0);
    solve_tree(response);
    coupling_loads(coupled_loads_);
    for (int i = 0; i < size; ++i) matrix(i, j) = coupled_loads_[i] + (i == j ? 1.0 : 0.0);
  }
  linear::FactorStatus status = coupled_solver_->factorise(coupled_);
  if (!status) {  // named after a coordinate that moves one of the bodies
    int link = couplings_[std::max(status.equation, 0) / kDof].row;
    if (compiled_.tree.links[link].width == 0) link = compiled_.tree.carrier[link];
    status.equation = compiled_.tree.links[link].dof;
  }
  return status;
}

template <int D>
void JointImplicitDynamics<D>::solve_tree(std::span<double> b) {
  const Tree<D>& tree = compiled_.tree;
  for (int i = links() - 1; i > 0; --i) {
    const Link<D>& at = tree.links[i];
    const Derivatives& link = derivatives_[i];
    Factors& f = factors_[i];
    Load& h = load_[i];
    if (at.width == 1) {
      f.d[0] = f.inverse(0, 0) * (b[at.dof] - link.psi.col(0).dot(h));
      h += f.d[0] * f.H_sigma.col(0);
    } else if (at.width > 1) {
      Eigen::Vector3d r = -(link.psi.transpose() * h);
      for (int c = 0; c < at.width; ++c) r[c] += b[at.dof + c];
      f.d = f.inverse * r;
      h += f.H_sigma * f.d;
    }
    if (at.parent > 0) add_moved(load_[at.parent], h, link.d);
  }
  for (int i = 1; i < links(); ++i) {
    const Link<D>& at = tree.links[i];
    const Factors& f = factors_[i];
    State& s = state_[i];
    if (at.parent > 0) {
      s = state_[at.parent];
      move_state(s, derivatives_[i].d);
    } else {
      s.setZero();
    }
    if (at.width == 1) {
      const double d = f.d[0] - f.U.col(0).dot(s);
      b[at.dof] = d;
      s += d * f.sigma.col(0);
    } else if (at.width > 1) {
      const Eigen::Vector3d d = f.d - f.U.transpose() * s;
      for (int c = 0; c < at.width; ++c) b[at.dof + c] = d[c];
      s += f.sigma * d;
    }
  }
}

template <int D>
void JointImplicitDynamics<D>::solve(std::span<double> b) {
  std::fill(load_.begin(), load_.end(), Load::Zero());
  solve_tree(b);
  if (couplings_.empty() || masses_alone_) return;
  coupling_loads(coupled_loads_);
  coupled_solver_->solve(coupled_loads_);
  for (int j = 0; j < responses_.cols(); ++j) {
    for (std::size_t i = 0; i < b.size(); ++i) b[i] -= coupled_loads_[j] * responses_(i, j);
  }
}

template <int D>
void JointImplicitDynamics<D>::multiply_add(std::span<const double> dq, std::span<const double> dv,
                                            std::span<const double> da, std::span<double> y,
                                            double scale) {
  const Tree<D>& tree = compiled_.tree;
  for (int i = 1; i < links(); ++i) {
    const Link<D>& at = tree.links[i];
    const Derivatives& link = derivatives_[i];
    State& s = state_[i];
    if (at.parent > 0) {
      s = state_[at.parent];
      move_state(s, link.d);
    } else {
      s.setZero();
    }
    for (int c = 0; c < at.width; ++c) {
      if (!dq.empty()) {
        s.template head<kDof>() += dq[at.dof + c] * link.psi.col(c);
        s.template segment<kDof>(kDof) += dq[at.dof + c] * link.phi.col(c);
        s.template tail<kDof>() += dq[at.dof + c] * link.chi.col(c);
      }
      if (!dv.empty()) {
        s.template segment<kDof>(kDof) -= dv[at.dof + c] * link.psi.col(c);
        s.template tail<kDof>() -= dv[at.dof + c] * link.kappa.col(c);
      }
      if (!da.empty()) s.template tail<kDof>() -= da[at.dof + c] * link.psi.col(c);
    }
    load_[i].noalias() = link.own * s;
  }
  if (!couplings_.empty() && !masses_alone_) {
    coupling_loads(coupled_loads_);
    for (std::size_t k = 0; k < couplings_.size(); ++k) {
      load_[couplings_[k].row] += Eigen::Map<const Load>(coupled_loads_.data() + k * kDof);
    }
  }
  for (int i = links() - 1; i > 0; --i) {
    const Link<D>& at = tree.links[i];
    const Derivatives& link = derivatives_[i];
    for (int c = 0; c < at.width; ++c) {
      double row = link.psi.col(c).dot(load_[i]) +
                   turned_load(link, c) * state_[i].template head<kDof>();
      if (!dq.empty() && c == 0) row += link.stiffness * dq[at.dof];
      if (!dv.empty() && c == 0) row += link.damping * dv[at.dof];
      y[at.dof + c] += scale * row;
    }
    if (at.parent > 0) add_moved(load_[at.parent], load_[i], link.d);
  }
}

template <int D>
std::unique_ptr<system::ImplicitDynamics> make_implicit_dynamics(const Compiled<D>& compiled) {
  if (compiled.structure.has_massless()) return nullptr;
  const auto loads = Geometry<D>::kDof * std::ranges::count_if(
      compiled.couplings, [&](const auto& c) { return couples_bodies(compiled, c); });
  if (static_cast<double>(loads) > kManyCouplings * compiled.structure.dof()) return nullptr;
  return std::make_unique<JointImplicitDynamics<D>>(compiled);
}

template class JointImplicitDynamics<2>;
template class JointImplicitDynamics<3>;
template std::unique_ptr<system::ImplicitDynamics> make_implicit_dynamics<2>(const Compiled<2>&);
template std::unique_ptr<system::ImplicitDynamics> make_implicit_dynamics<3>(const Compiled<3>&);

}  // namespace daedal::coordinates::joint
