#include "daedal/simulate/assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "daedal/doctor/closure.hpp"
#include "daedal/doctor/words.hpp"
#include "daedal/simulate/check.hpp"

namespace daedal::simulate {

namespace {

/// A fixed body may be moved by this, which is round-off [m].
constexpr double kFixedTolerance = 1e-9;
/// A given velocity may be changed by this fraction before it counts as contradicted.
constexpr double kGivenTolerance = 1e-6;
/// Accelerations that miss the constraints by more, relative to their size, contradict them.
constexpr double kInconsistent = 1e-6;
/// A violation of positions at a break point, relative to their size, that is no jump yet.
constexpr double kJump = 1e-6;

/// The largest absolute value, or a NaN.
double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) {
    if (std::isnan(value)) return value;
    m = std::max(m, std::abs(value));
  }
  return m;
}

/// Carries out the three levels on one state.
class Assembler {
 public:
  Assembler(const coordinates::Mechanism& mechanism, formulate::AccelerationLevel& equations,
            integrate::State& state)
      : mechanism_(mechanism),
        structure_(mechanism.system->structure()),
        equations_(equations),
        state_(state),
        evaluator_(mechanism.system->evaluator()),
        u_(structure_.excitations),
        g_(structure_.constraint_rows),
        dq_(structure_.dof()),
        moved_(structure_.dof(), 0.0),
        mu_(structure_.constraint_rows),
        parts_(structure_) {
    mechanism.system->excitations(state.t, u_);
  }

  AssemblyReport assemble() {
    const coordinates::InitialGuess& guess = mechanism_.initial;
    state_.q = guess.q;
    state_.v = guess.v;
    state_.x = guess.x;
    if (positions()) {
      const std::vector<double> w =
          doctor::closing_weights(*mechanism_.system, *evaluator_, guess.velocity_weight);
      if (velocities([&] { return equations_.factorise(*evaluator_, w); })) {
        find_contradictions(guess);
        accelerations();
      }
      // A matrix that was singular on the way says where to look.
      if (equations_.regularised() && report_.dependence.rows == 0) {
        report_.dependence = doctor::examine(mechanism_, point());
      }
    }
    return std::move(report_);
  }

  AssemblyReport reconcile() {
    move();
    evaluator_->constraints(g_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level == system::Level::position) continue;
      std::fill_n(g_.begin() + node.offset, node.size, 0.0);
    }
    report_.position_violation = largest(g_);
    if (!std::isfinite(report_.position_violation)) {
      fail(Status::not_finite, fmt::format("a constraint at t = {:.6g} s is not finite: {}",
                                           state_.t, worst(g_, "m or rad")));
    } else if (!(report_.position_violation <= kJump * (1.0 + largest(state_.q)))) {
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
  system::Point point() const { return {state_.q, state_.v, state_.x, u_}; }
  void move() { evaluator_->move_to(point()); }

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

  bool positions() {
    doctor::Closure closure(mechanism_, equations_, *evaluator_, u_);
    const doctor::ClosureReport closed = closure.close(state_.q);
    move();
    g_.assign(closure.g().begin(), closure.g().end());
    report_.position_violation_before = closed.violation_before;
    report_.position_violation = closed.violation;
    report_.attempts = closed.attempts;
    moved_ = closed.moved;
    switch (closed.end) {
      case doctor::ClosureReport::End::closed: report_.closed = true; break;
      case doctor::ClosureReport::End::open: return fail_open();
      case doctor::ClosureReport::End::singular:
        return fail(Status::singular_matrix,
                    fmt::format("assembly met a singular matrix at {}",
                                equations_.equation_name(closed.equation)));
      case doctor::ClosureReport::End::not_finite:
        return fail(Status::not_finite, fmt::format("a constraint is not finite at the start: {}",
                                                    worst(g_, "m or rad")));
    }
    describe_moves();
    return check_fixed();
  }

  /// The joints stay open: which of them, and what cannot be.
  bool fail_open() {
    report_.dependence = doctor::examine(mechanism_, point());
    return fail(report_.dependence.has(doctor::Kind::conflicting) ? Status::conflicting_constraints
                                                                   : Status::cannot_assemble,
                fmt::format("the nearest configuration still violates {}{}",
                            worst(g_, "m or rad"),
                            report_.dependence.contradicts()
                                ? contradictions()
                                : "; it may be closed from another guess: no contradiction was found"));
  }

  std::string contradictions() const {
    std::string text;
    for (const doctor::Group& group : report_.dependence.groups) {
      if (group.kind < doctor::Kind::open) continue;
      for (const std::string& sentence : group.sentences) text += "; " + sentence;
      text += fmt::format(", {:.3g} {} remain", group.residual, group.unit);
    }
    return text;
  }

  bool check_fixed() {
    std::vector<std::pair<double, std::string>> moves;
    for (const system::Node& node : structure_.coordinates) {
      double size = 0.0;
      bool moved = false;
      for (int i = node.offset; i < node.offset + node.size; ++i) {
        if (mechanism_.initial.position_weight[i] < coordinates::kFixedWeight) continue;
        size = std::max(size, std::abs(moved_[i]));
        moved = moved || std::abs(moved_[i]) * mechanism_.reach[i] > kFixedTolerance;
      }
      if (moved) moves.push_back({size, node.name});
    }
    if (moves.empty()) return true;
    std::sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a > b; });
    std::string others;
    for (std::size_t k = 1; k < std::min<std::size_t>(moves.size(), 4); ++k) {
      others += fmt::format(", and '{}' by {:.3g}", moves[k].second, moves[k].first);
    }
    return fail(Status::cannot_assemble,
                fmt::format("the joints close only if '{}', which is fixed, moves by {:.3g} m or "
                            "rad{}; give it the priority preferred",
                            moves[0].second, moves[0].first, others));
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

  bool rates_met() const {
    const std::vector<double> rates = parts_.largest_row(g_);
    const std::vector<double> met = doctor::rate_tolerances(parts_, state_.v);
    for (int part = 0; part < parts_.count(); ++part) {
      if (!(rates[part] <= met[part])) return false;
    }
    return true;
  }

  template <class Factorise>
  bool velocities(Factorise&& factorise) {
    evaluator_->constraint_rates(g_);
    report_.velocity_violation_before = largest(g_);
    if (!std::isfinite(report_.velocity_violation_before)) {
      return fail(Status::not_finite,
                  fmt::format("the rate of a constraint at t = {:.6g} s is not finite: {}",
                              state_.t, worst(g_, "m/s or rad/s")));
    }
    // Regularised, a velocity that is given weighs too much to be moved in two passes: where the
    // constraints are not met then, masses alone count.
    for (int pass = 0; pass < 2 || (pass < 4 && !rates_met()); ++pass) {
      if (!(pass < 2 ? factorise() : equations_.factorise(*evaluator_))) {
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
    if (!rates_met()) {
      report_.dependence = doctor::examine(mechanism_, point());
      return fail(Status::conflicting_constraints,
                  fmt::format("no velocities satisfy all constraints: {} remain{}",
                              worst(g_, "m/s or rad/s"), contradictions()));
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
        const bool turns = mechanism_.turns[i];
        const std::string_view key = turns ? "angular_velocity" : "velocity";
        report_.contradictions.push_back(
            {fmt::format("initial.{}.{}", node.name, key),
             fmt::format("initial '{}': {} contradicts the joints and drives (given {:.6g} {}, "
                         "possible {:.6g}); correct it, or leave out what follows from them",
                         node.name, key, given.v[i],
                         turns ? "rad/s" : "m/s at the centre of mass", state_.v[i])});
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
    if (accelerations_contradict()) {
      report_.dependence = doctor::examine_accelerations(mechanism_, point());
      const doctor::Dependence& found = report_.dependence;
      if (!found.independent() && !found.contradicts()) {
        // The rows agree; what is open is left by the regularisation of those that repeat others.
        if (const std::vector<std::string> near = nearly_dependent(found); !near.empty()) {
          return fail(Status::singular_matrix,
                      fmt::format("the accelerations at t = {:.6g} s cannot be found: {}, and the "
                                  "reactions in them are too large to be told; align axes and points "
                                  "exactly, or clearly not",
                                  state_.t, fmt::join(near, "; ")));
        }
        return fail(Status::singular_matrix,
                    fmt::format("the accelerations at t = {:.6g} s cannot be found: constraints of {} "
                                "repeat each other, and masses differ too much to share the load; "
                                "replace joints by some with more freedom, or leave the light bodies "
                                "out",
                                state_.t, doctor::listed(found.not_unique)));
      }
      return fail(Status::conflicting_constraints,
                  fmt::format("no accelerations satisfy all constraints at t = {:.6g} s{}", state_.t,
                              contradictions()));
    }
    return true;
  }

  /// gamma - G a is not zero in some part, relative to its accelerations with and without
  /// constraints.
  bool accelerations_contradict() {
    std::vector<double> force(structure_.dof());
    evaluator_->gamma(g_);
    evaluator_->force(force);
    const std::vector<double> asked = parts_.largest_row(g_), found = parts_.largest_coordinate(state_.a);
    evaluator_->G().multiply_add(state_.a, g_, -1.0);
    const std::vector<double> left = parts_.largest_row(g_);
    std::vector<double> free = system::mass_diagonal(*mechanism_.system, *evaluator_);
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (free[i] > 0.0) free[i] = force[i] / free[i];
    }
    const std::vector<double> without = parts_.largest_coordinate(free);
    const double round_off = kInconsistent * std::max({largest(asked), largest(found), largest(without)});
    for (int part = 0; part < parts_.count(); ++part) {
      const double size = std::max({asked[part], found[part], without[part], round_off});
      if (left[part] > kInconsistent * size) return true;
    }
    return false;
  }

  const coordinates::Mechanism& mechanism_;
  const system::Structure& structure_;
  formulate::AccelerationLevel& equations_;
  integrate::State& state_;
  std::unique_ptr<system::Evaluator> evaluator_;
  std::vector<math::Jet> u_;
  std::vector<double> g_, dq_, moved_, mu_;
  doctor::Parts parts_;
  AssemblyReport report_;
};

}  // namespace

AssemblyReport assemble(const coordinates::Mechanism& mechanism,
                        formulate::AccelerationLevel& equations, integrate::State& state) {
  return Assembler(mechanism, equations, state).assemble();
}

AssemblyReport reconcile(const coordinates::Mechanism& mechanism,
                         formulate::AccelerationLevel& equations, integrate::State& state) {
  return Assembler(mechanism, equations, state).reconcile();
}

}  // namespace daedal::simulate
