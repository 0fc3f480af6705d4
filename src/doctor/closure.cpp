#include "daedal/doctor/closure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace daedal::doctor {

namespace {

using End = ClosureReport::End;

constexpr int kMaxIterations = 100;
constexpr int kHalvings = 12;
/// Violations, relative to the size of the mechanism, that are closed, and that are worth an end.
constexpr double kClosed = 1e-9;
constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();
/// The largest step: a turn [rad], and a displacement relative to mechanism and gaps.
constexpr double kLongestStep = 0.5;
/// Ways to a nearer configuration: the smallest part of one, and the least gain worth going on.
constexpr double kSmallestDamping = 1e-2, kProgress = 1e-6;
/// Perturbed starts, and the largest perturbation: half a turn, or the mechanism's size.
constexpr int kTrials = 8;
constexpr double kLargestTurn = 3.0;
/// Least squares of joints that stay open.
constexpr int kSettlingIterations = 300;
constexpr double kSettled = 1e-9;
constexpr double kFirstDamping = 1e-3;
constexpr int kDampings = 24;
/// Rows of G that are smaller close no gap.
constexpr double kStuck = 1e-8;
/// Added to the unit diagonal of G W^-1 G^T, whose rows may depend on each other.
constexpr double kHeldRegularisation = 1e-12;

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) {
    if (!(std::abs(value) <= m)) m = std::abs(value);
  }
  return m;
}

std::vector<double> sizes_of(const coordinates::Mechanism& mechanism, const Parts& parts) {
  std::vector<double> out = parts.largest_stored(mechanism.initial.q);
  for (double& size : out) size += 1.0;
  return out;
}

Eigen::SparseMatrix<double> sparse(const linear::BlockMatrix& A) {
  const linear::BlockPattern& p = A.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(A.values().size());
  for (int k = 0; k < p.blocks(); ++k) {
    const auto block = A.block(k);
    for (int r = 0; r < block.rows(); ++r) {
      for (int c = 0; c < block.cols(); ++c) {
        entries.push_back({p.row_offset(p.row_node(k)) + r,
                           p.column_offset(p.column_node(k)) + c, block(r, c)});
      }
    }
  }
  Eigen::SparseMatrix<double> out(p.rows(), p.columns());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

std::vector<double> closing_tolerances(const coordinates::Mechanism& mechanism, const Parts& parts) {
  std::vector<double> out = sizes_of(mechanism, parts);
  for (double& size : out) size *= kClosed;
  return out;
}

std::vector<double> closing_weights(const system::ConstrainedSystem& system,
                                    system::Evaluator& evaluator, std::span<const double> given) {
  std::vector<double> w = system::mass_diagonal(system, evaluator);
  double mean = 0.0;
  for (double mass : w) mean += mass / static_cast<double>(w.size());
  // A massless coordinate still resists a little.
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::max(w[i], 1e-6 * mean) * given[i];
  return w;
}

Closure::Closure(const coordinates::Mechanism& mechanism, formulate::AccelerationLevel& equations,
                 system::Evaluator& evaluator, std::span<const math::Jet> u)
    : mechanism_(mechanism),
      structure_(mechanism.system->structure()),
      equations_(equations),
      evaluator_(evaluator),
      u_(u),
      g_(structure_.constraint_rows),
      dq_(structure_.dof()),
      mu_(structure_.constraint_rows),
      at_(structure_.storage()),
      parts_(structure_),
      sizes_(sizes_of(mechanism, parts_)) {}

/// The largest position row, in units of its part's size.
double Closure::violation_at(std::span<const double> q) {
  std::copy(q.begin(), q.end(), at_.begin());
  evaluator_.move_to({at_, mechanism_.initial.v, mechanism_.initial.x, u_});
  evaluator_.constraints(g_);
  double violation = 0.0;
  for (const system::ConstraintNode& node : structure_.constraints) {
    const int part = parts_.of_row(node.offset);
    if (node.level != system::Level::position || (part_ >= 0 && part != part_)) {
      std::fill_n(g_.begin() + node.offset, node.size, 0.0);
      continue;
    }
    const double size = largest(std::span(g_).subspan(node.offset, node.size)) / sizes_[part];
    if (!(size <= violation)) violation = size;
    if (std::isnan(violation)) break;
  }
  return violation;
}

bool Closure::is_fixed(int i) const {
  return mechanism_.initial.position_weight[i] >= coordinates::kFixedWeight;
}

std::vector<double> Closure::reset(std::vector<double> q, int part) const {
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (parts_.of_storage(static_cast<int>(i)) == part) q[i] = mechanism_.initial.q[i];
  }
  return q;
}

std::vector<double> Closure::with_fixed_put_back(std::vector<double> q) const {
  std::vector<double> moved(structure_.dof());
  structure_.manifold.local(mechanism_.initial.q, q, moved);
  for (int i = 0; i < structure_.dof(); ++i) {
    if (is_fixed(i)) moved[i] = 0.0;
  }
  structure_.manifold.retract(mechanism_.initial.q, moved, q);
  return q;
}

ClosureReport Closure::close(std::span<double> q) {
  const coordinates::InitialGuess& guess = mechanism_.initial;
  ClosureReport report;
  violation_at(guess.q);
  report.violation_before = largest(g_);
  w_ = closing_weights(*mechanism_.system, evaluator_, guess.position_weight);
  for (int i = 0; i < structure_.dof(); ++i) hold_ = hold_ || is_fixed(i);
  const bool any_fixed = hold_;
  Attempt best = attempt(guess.q);
  if (best.end == End::closed) {
    take_back_turns(best.q);
    approach(best);
  } else if (best.end != End::not_finite) {
    // Part by part, those that are open from the guess on.
    std::vector<double> at = best.q;
    violation_at(at);
    const std::vector<double> gaps = parts_.largest_row(g_);
    best.end = End::closed;
    for (int part = 0; part < parts_.count(); ++part) {
      if (gaps[part] > kClosed * sizes_[part]) at = reset(std::move(at), part);
    }
    for (part_ = 0; part_ < parts_.count(); ++part_) {
      if (!(gaps[part_] > kClosed * sizes_[part_])) continue;
      hold_ = any_fixed;
      int attempts = 1;
      Attempt found = search(at, attempts);
      if (found.end != End::closed && any_fixed) {
        hold_ = false;
        Attempt moved = search(at, attempts);
        hold_ = true;
        // Fixed coordinates may have moved by round-off alone.
        if (moved.end == End::closed) {
          found = attempt(with_fixed_put_back(moved.q));
          if (found.end == End::closed) approach(found);
        }
        if (found.end != End::closed) found = std::move(moved);
      }
      report.attempts = std::max(report.attempts, attempts);
      at = found.q;
      if (found.end == End::closed) continue;
      best.end = found.end;
      best.equation = found.equation;
    }
    part_ = -1;
    best.q = at;
    if (best.end == End::closed) {
      // Parts that had closed with the others have not been brought back to the guess yet.
      hold_ = any_fixed;
      approach(best);
    }
  }
  report.end = best.end;
  report.equation = best.equation;
  violation_at(best.q);
  report.violation = largest(g_);
  report.moved.resize(structure_.dof());
  structure_.manifold.local(guess.q, best.q, report.moved);
  std::copy(best.q.begin(), best.q.end(), q.begin());
  return report;
}

/// From a start and, if need be, from perturbed ones.
Closure::Attempt Closure::search(std::span<const double> start, int& attempts) {
  Attempt best = attempt(start);
  if (best.end == End::open || best.end == End::singular) {
    violation_at(start);
    const std::vector<bool> stuck = stuck_coordinates();
    bool nowhere = std::find(stuck.begin(), stuck.end(), true) != stuck.end();
    for (int trial = 1; trial <= kTrials; ++trial) {
      const std::vector<double> noise = perturbation(trial, stuck);
      std::vector<double> shaken(start.size());
      structure_.manifold.retract(start, noise, shaken);
      Attempt other = attempt(shaken);
      ++attempts;
      if (other.end == End::closed) take_back_turns(other.q);
      if (other.end == End::closed && (best.end != End::closed || distance(other) < distance(best))) {
        best = std::move(other);
        nowhere = false;
      } else if (other.end == End::open && (best.end == End::singular || nowhere)) {
        best = std::move(other);  // least squares have to start somewhere
        nowhere = false;
      }
    }
    if (best.end == End::closed) turn_back_directions(best.q);
  }
  if (best.end == End::open) {
    settle(best);
    // Least squares of the gaps may come where the projections did not.
    if (best.violation <= kClosed) best.end = End::closed;
  }
  if (best.end == End::closed) {
    take_back_turns(best.q);
    approach(best);
  }
  return best;
}

std::vector<bool> Closure::stuck_coordinates() {
  const linear::BlockMatrix& G = evaluator_.G();
  const linear::BlockPattern& p = G.pattern();
  std::vector<bool> out(structure_.dof(), false);
  for (int node = 0; node < p.row_nodes(); ++node) {
    for (int r = 0; r < p.row_size(node); ++r) {
      const int row = p.row_offset(node) + r;
      if (!(std::abs(g_[row]) > kClosed * sizes_[parts_.of_row(row)])) continue;
      double size = 0.0;
      for (int k = p.row_begin(node); k < p.row_begin(node + 1); ++k) {
        for (int c = 0; c < p.column_size(p.column_node(k)); ++c) {
          const int column = p.column_offset(p.column_node(k)) + c;
          size = std::max(size, std::abs(G.block(k)(r, c)) / mechanism_.reach[column]);
        }
      }
      if (size > kStuck) continue;
      for (int k = p.row_begin(node); k < p.row_begin(node + 1); ++k) {
        const int j = p.column_node(k);
        std::fill_n(out.begin() + p.column_offset(j), p.column_size(j), true);
      }
    }
  }
  return out;
}

/// The direction of a joint's line is an angle of its own, and n.d = 0 holds half a turn off, too:
/// there its row grows with it.
void Closure::turn_back_directions(std::vector<double>& q) {
  violation_at(q);
  const linear::BlockMatrix& G = evaluator_.G();
  const linear::BlockPattern& p = G.pattern();
  std::vector<double> turn(structure_.dof(), 0.0);
  for (int node = 0; node < p.row_nodes(); ++node) {
    for (int k = p.row_begin(node); k < p.row_begin(node + 1); ++k) {
      const int j = p.column_node(k);
      if (!structure_.massless(j) || !mechanism_.turns[p.column_offset(j)]) continue;
      // Other rows of a joint's own coordinate are those of drives, 1.
      if (p.row_begin(node + 1) - p.row_begin(node) < 2) continue;
      if (G.block(k).col(0).sum() > 0.0) turn[p.column_offset(j)] = std::numbers::pi;
    }
  }
  if (largest(turn) > 0.0) structure_.manifold.retract(q, turn, q);
}

/// Planar angles count full turns, and so do springs and outputs of joints: those that the way took
/// beyond need are taken back, where drives and coordinates of joints allow.
void Closure::take_back_turns(std::vector<double>& q) {
  std::vector<double> moved(structure_.dof()), back(structure_.dof(), 0.0), turned(q.size());
  structure_.manifold.local(mechanism_.initial.q, q, moved);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (!mechanism_.turns[i] || std::abs(moved[i]) <= std::numbers::pi) continue;
    back[i] = -2.0 * std::numbers::pi * std::round(moved[i] / (2.0 * std::numbers::pi));
    structure_.manifold.retract(q, back, turned);
    if (violation_at(turned) <= kClosed) q = turned;
    back[i] = 0.0;
  }
}

/// Factorises at the evaluator's point, where g_ is.
linear::FactorStatus Closure::factorise() {
  if (!hold_) return equations_.factorise(evaluator_, w_);
  held_G_ = sparse(evaluator_.G());
  inverse_weight_.resize(structure_.dof());
  for (int i = 0; i < structure_.dof(); ++i) inverse_weight_[i] = is_fixed(i) ? 0.0 : 1.0 / w_[i];
  Eigen::SparseMatrix<double> S = held_G_ * inverse_weight_.asDiagonal() * held_G_.transpose();
  row_scale_ = S.diagonal();
  for (double& value : row_scale_) value = value > 0.0 ? 1.0 / std::sqrt(value) : 1.0;
  S = row_scale_.asDiagonal() * S * row_scale_.asDiagonal();
  Eigen::SparseMatrix<double> identity(S.rows(), S.cols());
  identity.setIdentity();
  held_.compute(S + kHeldRegularisation * identity);
  return {};
}

/// W x + G^T mu = top, G x = bottom in the sense of least squares.
void Closure::solve(std::span<double> top, std::span<double> bottom) {
  if (!hold_) return equations_.solve(top, bottom);
  Eigen::Map<Eigen::VectorXd> x(top.data(), static_cast<Eigen::Index>(top.size()));
  Eigen::Map<Eigen::VectorXd> mu(bottom.data(), static_cast<Eigen::Index>(bottom.size()));
  x = (inverse_weight_.array() * x.array()).matrix().eval();
  const Eigen::VectorXd rhs = row_scale_.asDiagonal() * (held_G_ * x - mu);
  mu = row_scale_.asDiagonal() * held_.solve(rhs);
  x -= inverse_weight_.asDiagonal() * (held_G_.transpose() * mu);
}

Closure::Attempt Closure::attempt(std::span<const double> start) {
  Attempt out{{start.begin(), start.end()}};
  out.violation = violation_at(start);
  if (!std::isfinite(out.violation)) {
    out.end = End::not_finite;
    return out;
  }
  const std::vector<bool> stuck = stuck_coordinates();
  if (std::find(stuck.begin(), stuck.end(), true) != stuck.end()) return out;  // a singular matrix
  std::vector<double> q(out.q), step(dq_.size());
  for (int k = 0; k < kMaxIterations && out.violation > kRoundOff; ++k) {
    const linear::FactorStatus status = factorise();
    if (!status) {
      out.end = End::singular;
      out.equation = status.equation;
      return out;
    }
    std::fill(dq_.begin(), dq_.end(), 0.0);
    for (std::size_t i = 0; i < g_.size(); ++i) mu_[i] = -g_[i];
    solve(dq_, mu_);
    double damping = this->damping(dq_, out.violation);  // never uphill
    double violation = out.violation;
    for (int trial = 0; trial < kHalvings; ++trial, damping *= 0.5) {
      for (std::size_t i = 0; i < step.size(); ++i) step[i] = damping * dq_[i];
      structure_.manifold.retract(out.q, step, q);
      violation = violation_at(q);
      if (violation < out.violation) break;
    }
    if (!(violation < out.violation)) break;
    out.q = q;
    out.violation = violation;
  }
  out.end = out.violation <= kClosed ? End::closed : End::open;
  return out;
}

/// From one closed configuration to a nearer one, along the constraints:
///     min |moved + x|_W   with   G x = 0
void Closure::approach(Attempt& attempt) {
  double distance = this->distance(attempt);
  std::vector<double> moved(dq_.size()), x(dq_.size()), q(attempt.q);
  for (int k = 0; k < kMaxIterations && distance > 0.0; ++k) {
    violation_at(attempt.q);
    if (!factorise()) return;
    structure_.manifold.local(mechanism_.initial.q, attempt.q, moved);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool moves = part_ < 0 || parts_.of_coordinate(static_cast<int>(i)) == part_;
      x[i] = moves ? -w_[i] * moved[i] : 0.0;
    }
    std::fill(mu_.begin(), mu_.end(), 0.0);
    solve(x, mu_);
    double way = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      way = std::max(way, std::abs(x[i]) / sizes_[parts_.of_coordinate(static_cast<int>(i))]);
    }
    if (way <= kClosed) return;
    bool nearer = false;
    for (double damping = 1.0; damping > kSmallestDamping && !nearer; damping *= 0.5) {
      std::vector<double> step(x);
      for (double& value : step) value *= damping;
      structure_.manifold.retract(attempt.q, step, q);
      Attempt next = this->attempt(q);
      if (next.end != End::closed) continue;
      const double next_distance = this->distance(next);
      nearer = next_distance < (1.0 - kProgress) * distance;
      if (!nearer) continue;
      attempt = std::move(next);
      distance = next_distance;
    }
    if (!nearer) return;
  }
}

/// Bodies' coordinates that weigh least are shaken, and those that are stuck, more from trial to
/// trial; fixed ones never.
std::vector<double> Closure::perturbation(int trial, const std::vector<bool>& stuck) const {
  std::mt19937 generator(static_cast<std::uint32_t>(trial));
  const std::vector<double>& weight = mechanism_.initial.position_weight;
  const auto takes_part = [&](std::size_t i) {
    return part_ < 0 || parts_.of_coordinate(static_cast<int>(i)) == part_;
  };
  double lightest = coordinates::kFixedWeight, length = 0.0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (!takes_part(i)) continue;
    if (weight[i] >= 1.0) lightest = std::min(lightest, weight[i]);  // less: it follows bodies
    length = std::max(length, mechanism_.reach[i]);
  }
  const double amplitude = static_cast<double>(trial) / kTrials;
  std::vector<double> noise(weight.size(), 0.0);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (!takes_part(i)) continue;
    const double random = 2.0 * static_cast<double>(generator()) / 4294967295.0 - 1.0;
    if (is_fixed(static_cast<int>(i)) || (weight[i] > lightest && !stuck[i])) continue;
    noise[i] = amplitude * random * std::min(kLargestTurn, length / mechanism_.reach[i]);
  }
  return noise;
}

double Closure::distance(const Attempt& attempt) const {
  std::vector<double> moved(structure_.dof());
  structure_.manifold.local(mechanism_.initial.q, attempt.q, moved);
  double sum = 0.0;
  for (std::size_t i = 0; i < moved.size(); ++i) sum += w_[i] * moved[i] * moved[i];
  return sum;
}

double Closure::damping(std::span<const double> step, double violation) const {
  double excess = 1.0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const double size = sizes_[parts_.of_coordinate(static_cast<int>(i))];
    const double longest = kLongestStep * (mechanism_.turns[i] ? 1.0 : size * (1.0 + violation));
    excess = std::max(excess, std::abs(step[i]) / longest);
  }
  return 1.0 / excess;
}

/// Second derivative of |g|^2 / 2 at the evaluator's point, G^T G + d(G^T g)/dq with g held. Links
/// that a large gap pulls straight are stiff by the second term: gap times length.
Eigen::SparseMatrix<double> Closure::hessian() {
  const Eigen::SparseMatrix<double> G = sparse(evaluator_.G());
  const std::vector<double> zero_a(structure_.dof()), zero(structure_.constraint_rows);
  system::Linearisation pulled(structure_), loose(structure_);
  evaluator_.linearise(zero_a, g_, pulled);
  evaluator_.linearise(zero_a, zero, loose);
  // The forces of the model are in both.
  const Eigen::SparseMatrix<double> K = sparse(pulled.K) - sparse(loose.K);
  Eigen::SparseMatrix<double> H = G.transpose() * G;
  if (std::isfinite(K.sum())) H += 0.5 * (K + Eigen::SparseMatrix<double>(K.transpose()));
  return H;
}

/// Least |g|^2 by damped Newton steps: (H + lambda W) dq = -G^T g, positive definite.
void Closure::settle(Attempt& attempt) {
  Eigen::SparseMatrix<double> W(structure_.dof(), structure_.dof());
  W.setIdentity();
  for (int i = 0; i < structure_.dof(); ++i) {
    const double reach = mechanism_.reach[i];
    W.coeffRef(i, i) = reach * reach * mechanism_.initial.position_weight[i];
  }
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
  std::vector<double> q(attempt.q), step(structure_.dof());
  double lambda = kFirstDamping;
  attempt.violation = violation_at(attempt.q);
  for (int k = 0; k < kSettlingIterations; ++k) {
    const Eigen::Map<const Eigen::VectorXd> g(g_.data(), static_cast<Eigen::Index>(g_.size()));
    const double before = g.squaredNorm();
    Eigen::VectorXd gradient = sparse(evaluator_.G()).transpose() * g;
    for (int i = 0; hold_ && i < structure_.dof(); ++i) {
      if (is_fixed(i)) gradient[i] = 0.0;
    }
    if (gradient.norm() <= kSettled * std::sqrt(before)) return;
    Eigen::SparseMatrix<double> H = hessian();
    if (hold_) {
      H.prune([&](Eigen::Index i, Eigen::Index j, double) {
        return !is_fixed(static_cast<int>(i)) && !is_fixed(static_cast<int>(j));
      });
    }
    bool lower = false;
    for (int trial = 0; trial < kDampings && !lower; ++trial) {
      solver.compute(H + lambda * W);
      if (solver.info() == Eigen::Success && solver.vectorD().minCoeff() > 0.0) {
        Eigen::Map<Eigen::VectorXd>(step.data(), structure_.dof()) = -solver.solve(gradient);
        const double part = damping(step, attempt.violation);
        for (double& value : step) value *= part;
        structure_.manifold.retract(attempt.q, step, q);
        const double violation = violation_at(q);
        lower = g.squaredNorm() < before;
        if (lower) attempt.violation = violation;
      }
      lambda *= lower ? 0.3 : 4.0;
    }
    if (!lower) break;
    attempt.q = q;
  }
  attempt.violation = violation_at(attempt.q);
}

}  // namespace daedal::doctor
