#include "daedal/doctor/closure.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
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

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) {
    if (!(std::abs(value) <= m)) m = std::abs(value);
  }
  return m;
}

double size_of(const coordinates::Mechanism& mechanism) {
  return 1.0 + largest(mechanism.initial.q);
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

double closing_tolerance(const coordinates::Mechanism& mechanism) {
  return kClosed * size_of(mechanism);
}

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
      size_(size_of(mechanism)),
      tolerance_(closing_tolerance(mechanism)) {}

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
    if (best.violation <= tolerance_) best.end = End::closed;
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
  out.end = out.violation <= tolerance_ ? End::closed : End::open;
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
    if (largest(x) <= tolerance_) return;
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

double Closure::damping(std::span<const double> step, double violation) const {
  double excess = 1.0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const double longest = kLongestStep * (mechanism_.turns[i] ? 1.0 : size_ + violation);
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
    const Eigen::VectorXd gradient = sparse(evaluator_.G()).transpose() * g;
    if (gradient.norm() <= kSettled * std::sqrt(before)) return;
    const Eigen::SparseMatrix<double> H = hessian();
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
