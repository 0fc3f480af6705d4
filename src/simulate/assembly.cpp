#include "daedal/simulate/assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::simulate {

namespace {

constexpr int kMaxIterations = 60;
constexpr double kEps = std::numeric_limits<double>::epsilon();
/// Rows up to which a dense rank-revealing factorisation names the dependent constraints.
constexpr int kRankRows = 400;
/// A given velocity may be changed by this fraction before it counts as contradicted.
constexpr double kGivenTolerance = 1e-6;
/// A violation of positions at a break point, relative to their size, that is no jump yet.
constexpr double kJump = 1e-6;

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) {
    if (!(std::abs(value) <= m)) m = std::abs(value);
  }
  return m;
}

/// Carries out the three levels on one state.
class Assembler {
 public:
  Assembler(const system::ConstrainedSystem& system, formulate::AccelerationLevel& equations,
            integrate::State& state)
      : structure_(system.structure()),
        equations_(equations),
        state_(state),
        evaluator_(system.evaluator()),
        u_(structure_.excitations),
        g_(structure_.constraint_rows),
        dq_(structure_.dof()),
        moved_(structure_.dof(), 0.0),
        mu_(structure_.constraint_rows) {
    system.excitations(state.t, u_);
  }

  AssemblyReport assemble(const coordinates::InitialGuess& guess) {
    state_.q = guess.q;
    state_.v = guess.v;
    state_.x = guess.x;
    if (positions(guess.position_weight)) {
      const std::vector<double> w = weights(guess.velocity_weight);
      if (velocities([&] { return equations_.factorise(*evaluator_, w); })) {
        find_contradictions(guess);
        accelerations();
      }
    }
    if (report_.status == Status::done && equations_.regularised()) find_dependent();
    return std::move(report_);
  }

  AssemblyReport reconcile() {
    move();
    report_.position_violation = position_violation();
    if (!(report_.position_violation <= kJump * (1.0 + largest(state_.q)))) {
      fail(Status::conflicting_constraints,
           fmt::format("a drive jumps at t = {:.6g} s: {}; a body cannot be in two places, so let "
                       "the drive pass continuously from one to the other",
                       state_.t, worst(g_, "m or rad")));
    } else if (velocities([&] { return equations_.factorise(*evaluator_); })) {
      accelerations();
    }
    return std::move(report_);
  }

 private:
  void move() { evaluator_->move_to({state_.q, state_.v, state_.x, u_}); }

  double position_violation() {
    evaluator_->constraints(g_);
    double violation = 0.0;
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level != system::Level::position) {
        std::fill_n(g_.begin() + node.offset, node.size, 0.0);
        continue;
      }
      for (int i = 0; i < node.size; ++i) {
        if (!(std::abs(g_[node.offset + i]) <= violation)) {
          violation = std::abs(g_[node.offset + i]);
        }
      }
    }
    return violation;
  }

  std::vector<double> weights(std::span<const double> given) {
    linear::BlockMatrix M(structure_.mass);
    evaluator_->mass(M);
    std::vector<double> w(structure_.dof(), 0.0);
    const linear::BlockPattern& p = M.pattern();
    double mean = 0.0;
    for (int k = 0; k < p.blocks(); ++k) {
      if (p.row_node(k) != p.column_node(k)) continue;
      const auto block = M.block(k);
      for (int i = 0; i < block.rows(); ++i) {
        w[p.row_offset(p.row_node(k)) + i] = block(i, i);
        mean += block(i, i) / structure_.dof();
      }
    }
    // A massless coordinate still resists a little.
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::max(w[i], 1e-6 * mean) * given[i];
    return w;
  }

  bool fail(Status status, std::string message) {
    report_.status = status;
    report_.message = std::move(message);
    return false;
  }

  /// The worst constraint groups of a residual, in words.
  std::string worst(std::span<const double> residual, std::string_view unit) const {
    std::vector<std::pair<double, std::string>> groups;
    for (const system::ConstraintNode& node : structure_.constraints) {
      const double size = largest(residual.subspan(node.offset, node.size));
      if (size > 0.0 || !std::isfinite(size)) groups.push_back({size, node.name});
    }
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a > b; });
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min<std::size_t>(groups.size(), 3); ++i) {
      words.push_back(fmt::format("'{}' by {:.3g} {}", groups[i].second, groups[i].first, unit));
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  bool positions(std::span<const double> given) {
    move();
    double violation = position_violation();
    report_.position_violation_before = violation;
    const double size = 1.0 + largest(state_.q);
    const double target = 4.0 * kEps * size;
    const std::vector<double> w = weights(given);
    std::vector<double> q = state_.q;
    if (!std::isfinite(violation)) {
      return fail(Status::not_finite,
                  fmt::format("a constraint is not finite at the start: {}", worst(g_, "")));
    }
    for (int k = 0; k < kMaxIterations && violation > target; ++k) {
      const linear::FactorStatus status = equations_.factorise(*evaluator_, w);
      if (!status) {
        return fail(Status::singular_matrix,
                    fmt::format("assembly met a singular matrix at {}",
                                equations_.equation_name(status.equation)));
      }
      for (std::size_t i = 0; i < dq_.size(); ++i) dq_[i] = -w[i] * moved_[i];
      for (std::size_t i = 0; i < g_.size(); ++i) mu_[i] = -g_[i];
      equations_.solve(dq_, mu_);
      // At most half a radian or half the size of the mechanism at once, and never uphill.
      double damping = std::min(1.0, 0.5 * size / std::max(largest(dq_), 1e-300));
      const double before = violation;
      std::vector<double> step(dq_);
      for (int trial = 0; trial < 12; ++trial) {
        for (std::size_t i = 0; i < step.size(); ++i) step[i] = damping * dq_[i];
        structure_.manifold.retract(q, step, state_.q);
        move();
        violation = position_violation();
        if (violation < before) break;
        damping *= 0.5;
      }
      if (!(violation < before)) {
        state_.q = q;
        move();
        violation = position_violation();
        break;
      }
      q = state_.q;
      for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] += step[i];
    }
    report_.position_violation = violation;
    if (!(violation <= 1e-9 * size)) {
      return fail(equations_.regularised() ? Status::conflicting_constraints
                                           : Status::cannot_assemble,
                  fmt::format("the nearest configuration still violates {}", worst(g_, "m or rad")));
    }
    describe_moves();
    return true;
  }

  void describe_moves() {
    report_.largest_move = largest(moved_);
    std::vector<std::pair<double, std::string>> nodes;
    for (const system::Node& node : structure_.coordinates) {
      const double size = largest(std::span<const double>(moved_).subspan(node.offset, node.size));
      if (size > 1e-9) nodes.push_back({size, node.name});
    }
    std::sort(nodes.rbegin(), nodes.rend());
    for (const auto& [size, name] : nodes) {
      report_.moved.push_back(fmt::format("'{}' was moved by {:.3g} m or rad", name, size));
    }
  }

  template <class Factorise>
  bool velocities(Factorise&& factorise) {
    evaluator_->constraint_rates(g_);
    report_.velocity_violation_before = largest(g_);
    for (int pass = 0; pass < 2; ++pass) {
      if (!factorise()) {
        return fail(Status::singular_matrix,
                    fmt::format("the velocities at t = {:.6g} s cannot be found", state_.t));
      }
      std::fill(dq_.begin(), dq_.end(), 0.0);
      for (std::size_t i = 0; i < g_.size(); ++i) mu_[i] = -g_[i];
      equations_.solve(dq_, mu_);
      for (std::size_t i = 0; i < dq_.size(); ++i) state_.v[i] += dq_[i];
      move();
      evaluator_->constraint_rates(g_);
    }
    report_.velocity_violation = largest(g_);
    const double size = 1.0 + largest(state_.v);
    if (!(report_.velocity_violation <= 1e-8 * size)) {
      return fail(Status::conflicting_constraints,
                  fmt::format("no velocities satisfy all constraints: {} remain",
                              worst(g_, "m/s or rad/s")));
    }
    return true;
  }

  void find_contradictions(const coordinates::InitialGuess& given) {
    for (const system::Node& node : structure_.coordinates) {
      for (int i = node.offset; i < node.offset + node.size; ++i) {
        const double change = state_.v[i] - given.v[i];
        report_.largest_velocity_change =
            std::max(report_.largest_velocity_change, std::abs(change));
        const bool was_given = given.velocity_weight[i] > 1.0;
        if (!was_given || std::abs(change) <= kGivenTolerance * (1.0 + std::abs(given.v[i]))) {
          continue;
        }
        report_.contradictions.push_back(
            {"initial." + node.name,
             fmt::format("initial '{}': the given velocity contradicts the constraints (component "
                         "{}: given {:.6g}, possible {:.6g}); correct it, or leave out what follows "
                         "from the joints",
                         node.name, i - node.offset, given.v[i], state_.v[i])});
        break;
      }
    }
  }

  bool accelerations() {
    evaluator_->state_rates(state_.x_rate);
    const linear::FactorStatus status =
        equations_.accelerations(*evaluator_, state_.a, state_.lambda);
    if (!status) {
      return fail(Status::singular_matrix,
                  fmt::format("the accelerations at t = {:.6g} s cannot be found: {} has no mass, or "
                              "is not held",
                              state_.t, equations_.equation_name(status.equation)));
    }
    if (!std::isfinite(largest(state_.a)) || !std::isfinite(largest(state_.lambda))) {
      return fail(Status::not_finite, fmt::format("an acceleration at t = {:.6g} s is not finite", state_.t));
    }
    if (equations_.inconsistency() > 1e-6) {
      return fail(Status::conflicting_constraints,
                  fmt::format("no accelerations satisfy all constraints at t = {:.6g} s", state_.t));
    }
    return true;
  }

  void find_dependent() {
    report_.redundant = true;
    if (structure_.constraint_rows > kRankRows) return;
    Eigen::MatrixXd G = evaluator_->G().dense();
    for (int i = 0; i < G.rows(); ++i) {
      const double norm = G.row(i).norm();
      if (norm > 0.0) G.row(i) /= norm;
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G.transpose());
    qr.setThreshold(1e-9);
    if (qr.rank() == G.rows()) return;
    // A null vector of G^T: its nonzero entries are the rows that depend on each other.
    Eigen::FullPivHouseholderQR<Eigen::MatrixXd> null(G);
    null.setThreshold(1e-9);
    const Eigen::MatrixXd Q = null.matrixQ();
    const Eigen::MatrixXd kernel = Q.rightCols(G.rows() - null.rank());
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (kernel.middleRows(node.offset, node.size).cwiseAbs().maxCoeff() > 1e-6) {
        report_.dependent.push_back(node.name);
      }
    }
  }

  const system::Structure& structure_;
  formulate::AccelerationLevel& equations_;
  integrate::State& state_;
  std::unique_ptr<system::Evaluator> evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> g_, dq_, moved_, mu_;
  AssemblyReport report_;
};

}  // namespace

AssemblyReport assemble(const coordinates::Mechanism& mechanism,
                        formulate::AccelerationLevel& equations, integrate::State& state) {
  return Assembler(*mechanism.system, equations, state).assemble(mechanism.initial);
}

AssemblyReport reconcile(const system::ConstrainedSystem& system,
                         formulate::AccelerationLevel& equations, integrate::State& state) {
  return Assembler(system, equations, state).reconcile();
}

}  // namespace daedal::simulate
