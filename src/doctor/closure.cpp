#include "daedal/doctor/closure.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace daedal::doctor {

namespace {

using End = ClosureReport::End;

constexpr int kMaxIterations = 60;
constexpr int kHalvings = 12;
/// Violations, relative to the size of the mechanism, that are closed, and that are worth an end.
constexpr double kClosed = 1e-9;
constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();
/// Ways to a nearer configuration: the smallest part of one, and the least gain worth going on.
constexpr double kSmallestDamping = 1e-2, kProgress = 1e-6;
/// Perturbed starts, and the largest perturbation: half a turn, or the mechanism's size.
constexpr int kTrials = 8;
constexpr double kLargestTurn = 3.0;
/// Least squares of joints that stay open.
constexpr int kSettlingIterations = 300;
constexpr double kSettled = 1e-9;

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) {
    if (!(std::abs(value) <= m)) m = std::abs(value);
  }
  return m;
}

Eigen::SparseMatrix<double> sparse(const linear::BlockMatrix& G) {
  const linear::BlockPattern& p = G.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(G.values().size());
  for (int k = 0; k < p.blocks(); ++k) {
    const auto block = G.block(k);
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

std::vector<double> closing_weights(const system::Structure& structure, system::Evaluator& evaluator,
                                    std::span<const double> given) {
  linear::BlockMatrix M(structure.mass);
  evaluator.mass(M);
  std::vector<double> w(structure.dof(), 0.0);
  const linear::BlockPattern& p = M.pattern();
  double mean = 0.0;
  for (int k = 0; k < p.blocks(); ++k) {
    if (p.row_node(k) != p.column_node(k)) continue;
    const auto block = M.block(k);
    for (int i = 0; i < block.rows(); ++i) {
      w[p.row_offset(p.row_node(k)) + i] = block(i, i);
      mean += block(i, i) / structure.dof();
    }
  }
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
      size_(1.0 + largest(mechanism.initial.q)) {}

double Closure::violation_at(std::span<const double> q) {
  std::copy(q.begin(), q.end(), at_.begin());
  evaluator_.move_to({at_, mechanism_.initial.v, mechanism_.initial.x, u_});
  evaluator_.constraints(g_);
  for (const system::ConstraintNode& node : structure_.constraints) {
    if (node.level != system::Level::position) {
      std::fill_n(g_.begin() + node.offset, node.size, 0.0);
    }
  }
  return largest(g_);
}

ClosureReport Closure::close(std::span<double> q) {
  const coordinates::InitialGuess& guess = mechanism_.initial;
  ClosureReport report;
  report.violation_before = violation_at(guess.q);
  w_ = closing_weights(structure_, evaluator_, guess.position_weight);
  Attempt best = attempt(guess.q);
  if (best.end == End::open) {
    for (int trial = 1; trial <= kTrials; ++trial) {
      const std::vector<double> noise = perturbation(trial);
      std::vector<double> start(guess.q.size());
      structure_.manifold.retract(guess.q, noise, start);
      Attempt other = attempt(start);
      ++report.attempts;
      if (other.end == End::closed && (best.end != End::closed || distance(other) < distance(best))) {
        best = std::move(other);
      }
    }
  }
  if (best.end == End::open) {
    settle(best);
    // Least squares of the gaps may come where the projections did not.
    if (best.violation <= kClosed * size_) best.end = End::closed;
  }
  if (best.end == End::closed) approach(best);
  report.end = best.end;
  report.equation = best.equation;
  report.violation = violation_at(best.q);
  report.moved.resize(structure_.dof());
  structure_.manifold.local(guess.q, best.q, report.moved);
  std::copy(best.q.begin(), best.q.end(), q.begin());
  return report;
}

Closure::Attempt Closure::attempt(std::span<const double> start) {
  Attempt out{{start.begin(), start.end()}};
  out.violation = violation_at(start);
  if (!std::isfinite(out.violation)) {
    out.end = End::not_finite;
    return out;
  }
  std::vector<double> q(out.q), step(dq_.size());
  for (int k = 0; k < kMaxIterations && out.violation > kRoundOff * size_; ++k) {
    const linear::FactorStatus status = equations_.factorise(evaluator_, w_);
    if (!status) {
      out.end = End::singular;
      out.equation = status.equation;
      return out;
    }
    std::fill(dq_.begin(), dq_.end(), 0.0);
    for (std::size_t i = 0; i < g_.size(); ++i) mu_[i] = -g_[i];
    equations_.solve(dq_, mu_);
    // At most half a radian or half the size of the mechanism at once, and never uphill.
    double damping = std::min(1.0, 0.5 * size_ / std::max(largest(dq_), 1e-300));
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
  out.end = out.violation <= kClosed * size_ ? End::closed : End::open;
  return out;
}

/// From one closed configuration to a nearer one, along the constraints:
///     min |moved + x|_W   with   G x = 0
void Closure::approach(Attempt& attempt) {
  double distance = this->distance(attempt);
  std::vector<double> moved(dq_.size()), x(dq_.size()), q(attempt.q);
  for (int k = 0; k < kMaxIterations && distance > 0.0; ++k) {
    violation_at(attempt.q);
    if (!equations_.factorise(evaluator_, w_)) return;
    structure_.manifold.local(mechanism_.initial.q, attempt.q, moved);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = -w_[i] * moved[i];
    std::fill(mu_.begin(), mu_.end(), 0.0);
    equations_.solve(x, mu_);
    if (largest(x) <= kClosed * size_) return;
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

/// Coordinates that weigh least are shaken, more from trial to trial.
std::vector<double> Closure::perturbation(int trial) const {
  std::mt19937 generator(static_cast<std::uint32_t>(trial));
  const std::vector<double>& weight = mechanism_.initial.position_weight;
  const double lightest = *std::min_element(weight.begin(), weight.end());
  const double length = *std::max_element(mechanism_.reach.begin(), mechanism_.reach.end());
  const double amplitude = static_cast<double>(trial) / kTrials;
  std::vector<double> noise(weight.size(), 0.0);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const double random = 2.0 * static_cast<double>(generator()) / 4294967295.0 - 1.0;
    if (weight[i] > lightest) continue;
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

/// Least |g|^2 by Levenberg and Marquardt: (G^T G + lambda W) dq = -G^T g.
void Closure::settle(Attempt& attempt) {
  Eigen::VectorXd scale(structure_.dof());
  for (int i = 0; i < scale.size(); ++i) {
    const double reach = mechanism_.reach[i];
    scale[i] = reach * reach * mechanism_.initial.position_weight[i];
  }
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
  std::vector<double> q(attempt.q);
  double lambda = 1e-3;
  attempt.violation = violation_at(attempt.q);
  for (int k = 0; k < kSettlingIterations; ++k) {
    const Eigen::Map<const Eigen::VectorXd> g(g_.data(), static_cast<Eigen::Index>(g_.size()));
    const double before = g.squaredNorm();
    const Eigen::SparseMatrix<double> G = sparse(evaluator_.G());
    const Eigen::VectorXd gradient = G.transpose() * g;
    if (gradient.norm() <= kSettled * std::sqrt(before)) return;
    Eigen::SparseMatrix<double> H = G.transpose() * G;
    bool lower = false;
    for (int trial = 0; trial < kHalvings && !lower; ++trial) {
      Eigen::SparseMatrix<double> A = H;
      for (int i = 0; i < scale.size(); ++i) A.coeffRef(i, i) += lambda * scale[i];
      solver.compute(A);
      const Eigen::VectorXd step = -solver.solve(gradient);
      structure_.manifold.retract(attempt.q, {step.data(), static_cast<std::size_t>(step.size())},
                                  q);
      attempt.violation = violation_at(q);
      lower = g.squaredNorm() < before;
      lambda *= lower ? 0.3 : 4.0;
    }
    if (!lower) break;
    attempt.q = q;
  }
  attempt.violation = violation_at(attempt.q);
}

}  // namespace daedal::doctor
