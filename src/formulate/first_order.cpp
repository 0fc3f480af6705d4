#include "daedal/formulate/first_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace daedal::formulate {

using linear::BlockMatrix;
using linear::BlockPattern;
using math::Quaternion;
using math::Vec3;

namespace {

constexpr std::array<std::string_view, 3> kNames{"ggl", "index-2", "index-1"};
constexpr std::array<std::string_view, 2> kFormalisms{"residual", "explicit"};

/// Displacement by which G is differentiated along the motion.
constexpr double kAhead = 1e-7;

BlockMatrix identity(const std::vector<system::Node>& nodes) {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> diagonal;
  for (const system::Node& node : nodes) {
    diagonal.push_back({static_cast<int>(sizes.size()), static_cast<int>(sizes.size())});
    sizes.push_back(node.size);
  }
  BlockMatrix I(std::make_shared<const BlockPattern>(sizes, sizes, diagonal));
  for (int k = 0; k < I.pattern().blocks(); ++k) I.block(k).setIdentity();
  return I;
}

/// Diagonal blocks of zeros.
BlockMatrix diagonal_zeros(const std::vector<int>& sizes) {
  std::vector<std::pair<int, int>> diagonal;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) diagonal.push_back({i, i});
  return BlockMatrix(std::make_shared<const BlockPattern>(sizes, sizes, diagonal));
}

/// Diagonal blocks of the nodes that have a rotation.
BlockMatrix rotation_blocks(const system::Structure& s) {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> diagonal;
  for (const system::Node& node : s.coordinates) {
    const bool turns = std::ranges::any_of(s.manifold.rotations(), [&](const auto& r) {
      return r.tangent >= node.offset && r.tangent < node.offset + node.size;
    });
    const int i = static_cast<int>(sizes.size());
    if (turns) diagonal.push_back({i, i});
    sizes.push_back(node.size);
  }
  return BlockMatrix(std::make_shared<const BlockPattern>(sizes, sizes, diagonal));
}

/// Rows of some nodes alone.
BlockMatrix rows_of(const BlockPattern& G, const std::vector<int>& nodes) {
  std::vector<int> rows, columns;
  std::vector<std::pair<int, int>> blocks;
  for (int j = 0; j < G.column_nodes(); ++j) columns.push_back(G.column_size(j));
  for (int node : nodes) {
    for (int k = G.row_begin(node); k < G.row_begin(node + 1); ++k) {
      blocks.push_back({static_cast<int>(rows.size()), G.column_node(k)});
    }
    rows.push_back(G.row_size(node));
  }
  return BlockMatrix(std::make_shared<const BlockPattern>(rows, columns, blocks));
}

/// Nodes that M ties to each other, directly or through others, have the same number.
std::vector<int> coupled_groups(const BlockPattern& M) {
  std::vector<int> group(M.row_nodes());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (int k = 0; k < M.blocks(); ++k) group[root(M.row_node(k))] = root(M.column_node(k));
  for (int i = 0; i < M.row_nodes(); ++i) group[i] = root(i);
  return group;
}

/// The pattern of M^-1 B, or of M^-1 B^T.
BlockMatrix solved(const BlockPattern& B, const std::vector<int>& group, bool transposed) {
  const int nodes = static_cast<int>(group.size());
  std::vector<std::vector<int>> members(nodes);
  std::vector<int> rows(nodes), columns;
  for (int i = 0; i < nodes; ++i) {
    members[group[i]].push_back(i);
    rows[i] = transposed ? B.column_size(i) : B.row_size(i);
  }
  const int others = transposed ? B.row_nodes() : B.column_nodes();
  for (int j = 0; j < others; ++j) columns.push_back(transposed ? B.row_size(j) : B.column_size(j));
  std::vector<std::pair<int, int>> blocks;
  for (int k = 0; k < B.blocks(); ++k) {
    const int row = transposed ? B.column_node(k) : B.row_node(k);
    const int column = transposed ? B.row_node(k) : B.column_node(k);
    for (int i : members[group[row]]) blocks.push_back({i, column});
  }
  return BlockMatrix(std::make_shared<const BlockPattern>(rows, columns, blocks));
}

Quaternion load(std::span<const double> q, int at) {
  return {q[at], q[at + 1], q[at + 2], q[at + 3]};
}

/// E(p) w = p o (0, w) / 2
Quaternion rate(const Quaternion& p, const Vec3& w) {
  return p * Quaternion{0.0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z()};
}

/// 4 E(p)^T r / |p|^2: the part of r along the tangent, and along p itself.
struct Split {
  Vec3 tangent;
  double radial;
};
Split split(const Quaternion& p, double length2, std::span<const double> r) {
  const Quaternion turned = p.conjugate() * Quaternion{r[0], r[1], r[2], r[3]};
  return {2.0 / length2 * turned.vector(), turned.w / length2};
}

}  // namespace

std::string_view name_of(Form form) { return kNames[static_cast<std::size_t>(form)]; }

std::optional<Form> form_from(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Form>(i);
  }
  return std::nullopt;
}

std::span<const std::string_view> form_names() { return kNames; }

std::string_view name_of(Formalism formalism) {
  return kFormalisms[static_cast<std::size_t>(formalism)];
}

std::optional<Formalism> formalism_from(std::string_view name) {
  for (std::size_t i = 0; i < kFormalisms.size(); ++i) {
    if (kFormalisms[i] == name) return static_cast<Formalism>(i);
  }
  return std::nullopt;
}

std::span<const std::string_view> formalism_names() { return kFormalisms; }

FirstOrder::FirstOrder(const system::ConstrainedSystem& system, const FirstOrderOptions& options)
    : system_(system),
      structure_(system.structure()),
      options_(options),
      nq_(structure_.storage()),
      n_(structure_.dof()),
      m_(structure_.constraint_rows),
      s_(structure_.state_size),
      evaluator_(system.evaluator()),
      ahead_(system.evaluator()),
      implicit_(options.unformed ? system.implicit_dynamics() : nullptr),
      turn_rates_(structure_.manifold.rotations().size(), math::Mat3::Identity()),
      blocks_(structure_, implicit_ ? system::Linearisation::Blocks::own
                                    : system::Linearisation::Blocks::all),
      identity_(identity(structure_.coordinates)),
      state_identity_(identity(structure_.states)),
      turn_(rotation_blocks(structure_)),
      N_(structure_.constraint),
      out_(m_, 0),
      turns_(structure_.manifold.rotations().size()),
      q_(nq_),
      q_ahead_(nq_),
      w_(n_),
      g_(m_),
      gamma_(m_),
      step_(n_),
      u_ahead_(structure_.excitations) {
  const bool of_accelerations = options.form == Form::index1;
  for (const system::Node& node : structure_.coordinates) {
    layout_.add(Role::displacement, node.size, 1, 0);
  }
  for (const system::Node& node : structure_.coordinates) {
    layout_.add(Role::velocity, node.size, 2, 1);
  }
  for (const system::ConstraintNode& node : structure_.constraints) {
    layout_.add(Role::multiplier, node.size, of_accelerations ? 2 : 1, 2);
  }
  for (int i = 0; i < static_cast<int>(structure_.constraints.size()); ++i) {
    const system::ConstraintNode& node = structure_.constraints[i];
    if (options.form != Form::ggl || node.level != system::Level::position) continue;
    layout_.add(Role::correction, node.size, 0, 1);
    position_nodes_.push_back(i);
    for (int r = 0; r < node.size; ++r) eta_row_.push_back(node.offset + r);
  }
  p_ = static_cast<int>(eta_row_.size());
  for (const system::Node& node : structure_.states) layout_.add(Role::state, node.size, 1, 0);
  position_G_ = rows_of(*structure_.constraint, position_nodes_);
  std::vector<int> sizes, position_sizes;
  for (const system::ConstraintNode& node : structure_.constraints) sizes.push_back(node.size);
  for (int node : position_nodes_) position_sizes.push_back(sizes[node]);
  unit_ = diagonal_zeros(sizes);
  position_unit_ = diagonal_zeros(position_sizes);
  if (of_accelerations) {
    row_v_ = BlockMatrix(structure_.constraint);
    row_q_ = BlockMatrix(structure_.constraint);
  }

  if (options.formalism == Formalism::explicit_) {
    const std::vector<int> group = coupled_groups(*structure_.mass);
    solved_q_ = solved(*structure_.stiffness, group, false);
    solved_v_ = solved(*structure_.damping, group, false);
    solved_lambda_ = solved(*structure_.constraint, group, true);
    solved_x_ = solved(*structure_.force_state, group, false);
  }

  int storage = 0, tangent = 0;
  const auto linear_up_to = [&](int end) {
    if (end > storage) linears_.push_back({storage, tangent, end - storage});
    tangent += end - storage;
    storage = end;
  };
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    linear_up_to(r.storage);
    storage += 4;
    tangent += 3;
  }
  linear_up_to(nq_);
}

void FirstOrder::leave_out(std::span<const char> rows) {
  std::copy(rows.begin(), rows.end(), out_.begin());
  any_out_ = std::ranges::find(out_, 1) != out_.end();
  for (std::size_t i = 0; i < structure_.constraints.size(); ++i) {
    const system::ConstraintNode& node = structure_.constraints[i];
    for (int r = 0; r < node.size; ++r) unit_.block(static_cast<int>(i))(r, r) = out_[node.offset + r];
  }
  for (int i = 0; i < static_cast<int>(position_nodes_.size()); ++i) {
    position_unit_.block(i) = unit_.block(position_nodes_[i]);
  }
}

void FirstOrder::clear_left_out(BlockMatrix& rows) const {
  if (!any_out_) return;
  const BlockPattern& p = rows.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    auto block = rows.block(k);
    for (int r = 0; r < block.rows(); ++r) {
      if (out_[p.row_offset(p.row_node(k)) + r]) block.row(r).setZero();
    }
  }
}

void FirstOrder::normalise(std::span<const double> q, std::span<double> out) const {
  if (q.data() != out.data()) std::copy(q.begin(), q.end(), out.begin());
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    const Quaternion p = load(q, r.storage).normalised();
    out[r.storage] = p.w, out[r.storage + 1] = p.x, out[r.storage + 2] = p.y,
    out[r.storage + 3] = p.z;
  }
}

void FirstOrder::move_to(std::span<const math::Jet> u, std::span<const double> y) {
  normalise(q(y), q_);
  evaluator_->move_to({q_, v(y), x(y), u});
}

void FirstOrder::add_corrections(std::span<const double> eta, std::span<double> velocity) const {
  if (p_ == 0) return;
  const BlockMatrix& G = evaluator_->G();
  const BlockPattern& p = G.pattern();
  int at = 0;
  for (int node : position_nodes_) {
    for (int k = p.row_begin(node); k < p.row_begin(node + 1); ++k) {
      const auto block = G.block(k);
      double* to = velocity.data() + p.column_offset(p.column_node(k));
      for (int r = 0; r < block.rows(); ++r) {
        const double factor = eta[at + r];
        for (int c = 0; c < block.cols(); ++c) to[c] -= block(r, c) * factor;
      }
    }
    at += p.row_size(node);
  }
}

void FirstOrder::residual(std::span<const math::Jet> u, std::span<const double> y,
                          std::span<const double> y_rate, std::span<double> F) {
  move_to(u, y);
  // Kinematics
  std::copy_n(v(y).begin(), n_, w_.begin());
  add_corrections(eta(y), w_);
  const std::span<const double> q_rate = q(y_rate);
  const std::span<double> kinematic = q(F);
  for (const Linear& f : linears_) {
    for (int i = 0; i < f.size; ++i) {
      kinematic[f.storage + i] = q_rate[f.storage + i] - w_[f.tangent + i];
    }
  }
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    const Quaternion p = load(y, r.storage);
    const Quaternion e = rate(p, Eigen::Map<const Vec3>(w_.data() + r.tangent));
    const double pull =
        options_.kappa * (1.0 - (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z));
    double* to = kinematic.data() + r.storage;
    const double* from = q_rate.data() + r.storage;
    to[0] = from[0] - e.w - pull * p.w;
    to[1] = from[1] - e.x - pull * p.x;
    to[2] = from[2] - e.y - pull * p.y;
    to[3] = from[3] - e.z - pull * p.z;
  }
  // Dynamics
  if (options_.formalism == Formalism::explicit_) {
    const std::span<double> dynamic = v(F);
    evaluator_->forward_dynamics()->accelerations(lambda(y), dynamic);
    for (int i = 0; i < n_; ++i) dynamic[i] = v(y_rate)[i] - dynamic[i];
  } else {
    evaluator_->residual(v(y_rate), lambda(y), v(F));
  }
  // Constraints
  const std::span<double> rows = lambda(F);
  evaluator_->constraint_rates(rows);
  if (options_.form == Form::index1) {
    evaluator_->gamma(gamma_);
    evaluator_->constraints(g_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      const bool position = node.level == system::Level::position;
      const double of_rate = (position ? 2.0 : 1.0) * options_.alpha;
      const double of_g = position ? options_.beta * options_.beta : 0.0;
      for (int i = node.offset; i < node.offset + node.size; ++i) {
        rows[i] = of_rate * rows[i] + of_g * g_[i] - gamma_[i];
      }
    }
    evaluator_->G().multiply_add(v(y_rate), rows);
  }
  if (p_ > 0) {
    evaluator_->constraints(g_);
    const std::span<double> positions = eta(F);
    for (int i = 0; i < p_; ++i) {
      positions[i] = out_[eta_row_[i]] ? eta(y)[i] : g_[eta_row_[i]];
    }
  }
  for (int i = 0; any_out_ && i < m_; ++i) {
    if (out_[i]) rows[i] = lambda(y)[i];
  }
  // States
  if (s_ > 0) {
    const std::span<double> states = x(F);
    evaluator_->state_rates(states);
    for (int i = 0; i < s_; ++i) states[i] = x(y_rate)[i] - states[i];
  }
}

void FirstOrder::linearise(std::span<const math::Jet> u, std::span<const double> y,
                           std::span<const double> y_rate) {
  move_to(u, y);
  if (implicit_) {
    implicit_->linearise(*evaluator_, v(y_rate), lambda(y), blocks_);
  } else {
    evaluator_->linearise(v(y_rate), lambda(y), blocks_);
  }
  rate_derivative(u, y);
  clear_left_out(blocks_.G);
  clear_left_out(N_);
  copy_position_rows(blocks_.G.values());
  if (options_.form != Form::index1) return;
  const BlockPattern& G = blocks_.G.pattern();
  for (int i = 0; i < G.row_nodes(); ++i) {
    const bool position = structure_.constraints[i].level == system::Level::position;
    const double a = options_.alpha, b2 = options_.beta * options_.beta;
    for (int k = G.value_offset(G.row_begin(i)); k < G.value_offset(G.row_begin(i + 1)); ++k) {
      const double g = blocks_.G.values()[k], n = N_.values()[k];
      row_v_.values()[k] = position ? 2.0 * (n + a * g) : n + a * g;
      row_q_.values()[k] = position ? 2.0 * a * n + b2 * g : a * n;
    }
  }
}

void FirstOrder::copy_position_rows(std::span<const double> G) {
  const BlockPattern &from = *structure_.constraint, &to = position_G_.pattern();
  for (int row = 0; row < to.row_nodes(); ++row) {
    const int first = from.value_offset(from.row_begin(position_nodes_[row]));
    std::copy_n(G.begin() + first,
                from.value_offset(from.row_begin(position_nodes_[row] + 1)) - first,
                position_G_.values().begin() + to.value_offset(to.row_begin(row)));
  }
}

void FirstOrder::linearise_rates(std::span<const math::Jet> u, std::span<const double> y,
                                 bool kinematic) {
  move_to(u, y);
  if (options_.formalism == Formalism::residual) evaluator_->mass(blocks_.M);
  if (kinematic || options_.form == Form::index1) {
    std::copy(evaluator_->G().values().begin(), evaluator_->G().values().end(),
              blocks_.G.values().begin());
    clear_left_out(blocks_.G);
    if (structure_.directed) {
      std::copy(evaluator_->H().values().begin(), evaluator_->H().values().end(),
                blocks_.H.values().begin());
    }
  }
  if (kinematic) copy_position_rows(blocks_.G.values());
}

void FirstOrder::rate_derivative(std::span<const math::Jet> u, std::span<const double> y) {
  // d(G v + g_u u')/dq along an increment d is, second derivatives being symmetric but for the
  // commutator of rotations,
  //     (dG/dt) d + G (d x v),      dG/dt along the motion: one evaluation of G a little ahead.
  const std::span<const double> velocity = v(y);
  double speed = 0.0;
  for (double value : velocity) speed = std::max(speed, std::abs(value));
  for (const math::Jet& jet : u) speed = std::max(speed, std::abs(jet.first));
  N_.set_zero();
  if (speed > 0.0) {
    const double ahead = kAhead / speed;
    for (int i = 0; i < n_; ++i) step_[i] = ahead * velocity[i];
    structure_.manifold.retract(q_, step_, q_ahead_);
    for (std::size_t i = 0; i < u.size(); ++i) {
      u_ahead_[i] = u[i];
      u_ahead_[i].value += ahead * u[i].first;
    }
    ahead_->move_to({q_ahead_, velocity, x(y), u_ahead_});
    const std::span<const double> G = blocks_.G.values(), next = ahead_->G().values();
    for (std::size_t k = 0; k < G.size(); ++k) N_.values()[k] = (next[k] - G[k]) / ahead;
    const BlockPattern& p = N_.pattern();
    for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
      const math::Mat3 turn = math::skew(Eigen::Map<const Vec3>(velocity.data() + r.tangent));
      for (int k = 0; k < p.blocks(); ++k) {
        const int j = p.column_node(k), first = r.tangent - p.column_offset(j);
        if (first < 0 || first >= p.column_size(j)) continue;
        N_.block(k).middleCols(first, 3).noalias() -= blocks_.G.block(k).middleCols(first, 3) * turn;
      }
    }
  }
  // Velocity rows say theirs themselves.
  const BlockPattern& W = blocks_.W.pattern();
  for (int i = 0; i < W.row_nodes(); ++i) {
    if (structure_.constraints[i].level != system::Level::velocity) continue;
    for (int k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      N_.block(N_.pattern().find(i, W.column_node(k))) = blocks_.W.block(k);
    }
  }
}

void FirstOrder::turn(double alpha, std::span<const double> y) {
  alpha_ = alpha;
  if (turns_.empty()) return;
  std::copy_n(v(y).begin(), n_, w_.begin());
  const auto rotations = structure_.manifold.rotations();
  if (p_ > 0) {
    const std::span<const double> e = eta(y);
    std::fill(step_.begin(), step_.end(), 0.0);
    position_G_.transpose_multiply_add(e, step_);
    for (int i = 0; i < n_; ++i) w_[i] -= step_[i];
  }
  turn_.set_zero();
  const BlockPattern& p = turn_.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    const int node = p.row_node(k), offset = p.row_offset(node);
    for (std::size_t i = 0; i < rotations.size(); ++i) {
      const int first = rotations[i].tangent - offset;
      if (first < 0 || first >= p.row_size(node)) continue;
      Turn& t = turns_[i];
      t.p = load(y, rotations[i].storage);
      t.w = Eigen::Map<const Vec3>(w_.data() + rotations[i].tangent);
      t.length2 = t.p.norm() * t.p.norm();
      const double pull = options_.kappa * (1.0 - t.length2);
      t.d = alpha - pull + 2.0 * options_.kappa * t.length2;
      turn_.block(k).block<3, 3>(first, first) = 0.5 * math::skew(t.w) +
                                                 t.w * t.w.transpose() / (4.0 * t.d) -
                                                 pull * math::Mat3::Identity();
      turn_rates_[i] = math::Mat3::Identity() + turn_.block(k).block<3, 3>(first, first) / alpha;
    }
  }
}

linear::FactorStatus FirstOrder::factorise_core() {
  return implicit_->factorise({1.0, {}}, {alpha_, turn_rates_}, {alpha_ * alpha_, turn_rates_});
}

void FirstOrder::solve_core(std::span<double> r) {
  const std::span<double> of_q = r.first(n_), of_v = r.subspan(n_, n_);
  for (int i = 0; i < n_; ++i) w_[i] = alpha_ * of_q[i];
  implicit_->multiply_add({}, of_q, w_, of_v);
  implicit_->solve(of_v);
  std::copy(of_q.begin(), of_q.end(), w_.begin());
  std::copy(of_v.begin(), of_v.end(), of_q.begin());
  structure_.manifold.apply(turn_rates_, of_v);
  for (int i = 0; i < n_; ++i) of_v[i] = alpha_ * of_v[i] - w_[i];
}

void FirstOrder::multiply_core(std::span<const double> z, std::span<double> r) {
  const std::span<const double> dq = z.first(n_), dv = z.subspan(n_, n_);
  std::copy(dq.begin(), dq.end(), w_.begin());
  structure_.manifold.apply(turn_rates_, w_);
  for (int i = 0; i < n_; ++i) r[i] += alpha_ * w_[i] - dv[i];
  for (int i = 0; i < n_; ++i) w_[i] = alpha_ * dv[i];
  implicit_->multiply_add(dq, dv, w_, r.subspan(n_, n_));
}

std::vector<Term> FirstOrder::terms() const {
  const int nodes = static_cast<int>(structure_.coordinates.size());
  const int at_q = 0, at_v = nodes, at_lambda = 2 * nodes;
  const int at_eta = at_lambda + static_cast<int>(structure_.constraints.size());
  const int at_x = at_eta + static_cast<int>(position_nodes_.size());
  //             q                v                lambda   eta     x
  // kinematic   [ a I + turn     -I                        G_p^T          ]
  // dynamic     [ K              a M + D          G^T              -f_x   ]
  // constraint  [ N              G                                        ]
  // position    [ G_p                                                     ]
  // state       [ -c_q           -c_v                               a - c_x ]      a = alpha
  std::vector<Term> terms{
      {at_q, at_q, 1, &identity_},
      {at_q, at_q, 0, &turn_},
      {at_q, at_v, 0, &identity_, false, -1.0},
      {at_lambda, at_lambda, 0, &unit_},
  };
  for (const Term& term : dynamic_terms(at_q, at_v, at_lambda, at_x)) terms.push_back(term);
  if (options_.form == Form::index1) {
    terms.push_back({at_lambda, at_v, 1, &blocks_.G});
    terms.push_back({at_lambda, at_v, 0, &row_v_});
    terms.push_back({at_lambda, at_q, 0, &row_q_});
  } else {
    terms.push_back({at_lambda, at_v, 0, &blocks_.G});
    terms.push_back({at_lambda, at_q, 0, &N_});
  }
  if (p_ > 0) {
    terms.push_back({at_q, at_eta, 0, &position_G_, true});
    terms.push_back({at_eta, at_q, 0, &position_G_});
    terms.push_back({at_eta, at_eta, 0, &position_unit_});
  }
  if (s_ > 0) {
    terms.push_back({at_x, at_q, 0, &blocks_.c_q, false, -1.0});
    terms.push_back({at_x, at_v, 0, &blocks_.c_v, false, -1.0});
    terms.push_back({at_x, at_x, 0, &blocks_.c_x, false, -1.0});
    terms.push_back({at_x, at_x, 1, &state_identity_});
  }
  return terms;
}

std::vector<Term> FirstOrder::dynamic_terms(int at_q, int at_v, int at_lambda, int at_x) const {
  if (options_.formalism == Formalism::explicit_) {
    return {{at_v, at_v, 1, &identity_},
            {at_v, at_v, 0, &solved_v_},
            {at_v, at_q, 0, &solved_q_},
            {at_v, at_lambda, 0, &solved_lambda_},
            {at_v, at_x, 0, &solved_x_}};
  }
  return {{at_v, at_v, 1, &blocks_.M},
          {at_v, at_v, 0, &blocks_.D},
          {at_v, at_q, 0, &blocks_.K},
          {at_v, at_lambda, 0, &blocks_.directions(), true},
          {at_v, at_x, 0, &blocks_.f_x, false, -1.0}};
}

void FirstOrder::rates(std::span<const double> y, std::span<const double> a,
                       std::span<const double> x_rate, std::span<double> y_rate) const {
  std::fill(y_rate.begin(), y_rate.end(), 0.0);
  const std::span<const double> w = v(y);
  for (const Linear& f : linears_) {
    for (int i = 0; i < f.size; ++i) y_rate[f.storage + i] = w[f.tangent + i];
  }
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    const Quaternion e = rate(load(y, r.storage), Eigen::Map<const Vec3>(w.data() + r.tangent));
    double* to = y_rate.data() + r.storage;
    to[0] = e.w, to[1] = e.x, to[2] = e.y, to[3] = e.z;
  }
  std::copy(a.begin(), a.end(), v(y_rate).begin());
  std::copy(x_rate.begin(), x_rate.end(), x(y_rate).begin());
}

void FirstOrder::reduce(std::span<const double> rows, std::span<double> reduced) const {
  for (const Linear& f : linears_) {
    std::copy_n(rows.begin() + f.storage, f.size, reduced.begin() + f.tangent);
  }
  const auto rotations = structure_.manifold.rotations();
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const Turn& t = turns_[i];
    const Split r = split(t.p, t.length2, rows.subspan(rotations[i].storage, 4));
    Eigen::Map<Vec3>(reduced.data() + rotations[i].tangent) = r.tangent + t.w * (r.radial / t.d);
  }
  std::copy(rows.begin() + nq_, rows.end(), reduced.begin() + n_);
}

void FirstOrder::expand(std::span<const double> reduced, std::span<const double> rows,
                        std::span<double> dy) const {
  // `rows` may be `dy`: what is needed of it is read before it is written.
  const auto rotations = structure_.manifold.rotations();
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const Turn& t = turns_[i];
    const Vec3 theta = Eigen::Map<const Vec3>(reduced.data() + rotations[i].tangent);
    const Split r = split(t.p, t.length2, rows.subspan(rotations[i].storage, 4));
    const double sigma = (r.radial - 0.25 * theta.dot(t.w)) / t.d;
    const Quaternion e = rate(t.p, theta);
    double* to = dy.data() + rotations[i].storage;
    to[0] = e.w + sigma * t.p.w;
    to[1] = e.x + sigma * t.p.x;
    to[2] = e.y + sigma * t.p.y;
    to[3] = e.z + sigma * t.p.z;
  }
  for (const Linear& f : linears_) {
    std::copy_n(reduced.begin() + f.tangent, f.size, dy.begin() + f.storage);
  }
  std::copy(reduced.begin() + n_, reduced.end(), dy.begin() + nq_);
}

double FirstOrder::size_of(std::span<const double> y, int unknown) const {
  if (unknown >= n_) return std::abs(y[nq_ + unknown - n_]);
  for (const Linear& f : linears_) {
    if (unknown >= f.tangent && unknown < f.tangent + f.size) {
      return std::abs(y[f.storage + unknown - f.tangent]);
    }
  }
  return 1.0;
}

void FirstOrder::displace(std::span<double> y, int unknown, double size) const {
  if (unknown >= n_) {
    y[nq_ + unknown - n_] += size;
    return;
  }
  for (const Linear& f : linears_) {
    if (unknown >= f.tangent && unknown < f.tangent + f.size) {
      y[f.storage + unknown - f.tangent] += size;
      return;
    }
  }
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    if (unknown < r.tangent || unknown >= r.tangent + 3) continue;
    Vec3 theta = Vec3::Zero();
    theta[unknown - r.tangent] = size;
    const Quaternion e = rate(load(y, r.storage), theta);
    double* to = y.data() + r.storage;
    to[0] += e.w, to[1] += e.x, to[2] += e.y, to[3] += e.z;
  }
}

std::string FirstOrder::equation_name(int equation) const {
  if (equation < n_) return "velocity of " + structure_.coordinate_name(equation);
  if (equation < 2 * n_) return structure_.coordinate_name(equation - n_);
  const int row = equation - 2 * n_;
  if (row < m_) return structure_.row_name(row);
  if (row < m_ + p_) return structure_.row_name(eta_row_[row - m_]);
  return fmt::format("state {}", row - m_ - p_);
}

}  // namespace daedal::formulate
