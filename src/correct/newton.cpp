#include "daedal/correct/newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "daedal/correct/colouring.hpp"
#include "daedal/linear/rescaled.hpp"

namespace daedal::correct {

using formulate::Role;

namespace {

constexpr std::array<std::string_view, 3> kSourceNames{"analytic", "differences", "grouped"};

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kRenewalCost = 3.0;   // of a Jacobian and its factors, in iterations
constexpr double kRoundOff = 0.5;      // corrections below kRoundOff eps |q| are noise
constexpr double kNoiseLevel = 1e4;    // stagnation below kNoiseLevel eps |q| is round-off
// Next to a singular position round-off of the constraints moves the mechanism much farther.
constexpr double kResidualNoise = 16;  // constraints met to kResidualNoise eps |q| are solved
constexpr double kCoarsest = 1e-4;     // and accepted up to this part of the increment
constexpr double kSlow = 0.1;          // contraction above which the Jacobian is renewed at once
constexpr double kStagnant = 0.5;      // contraction above which an iteration does not progress
constexpr double kNoLever = 1e-8;       // rows of constraints below this are empty [m]
constexpr double kForget = 0.98;       // per step, of the level at which corrections stagnated
// Of the pivots. Round-off in dependent rows of g is divided by it and goes into those multipliers
// that exert nothing, so it is large; a nearly dependent direction of relative strength s contracts
// by mu/(s^2 + mu) in each iteration, so it is lowered where a fresh Jacobian contracts slowly, as
// next to a singular position, and comes back afterwards.
constexpr double kRegularisation = 1e-6;
constexpr double kLeastRegularisation = 1e-12;
constexpr double kLower = 1e-3;  // where the contraction is slow
constexpr double kRaise = 2.0;   // per step

}  // namespace

std::optional<JacobianSource> jacobian_source_from(std::string_view name) {
  for (std::size_t i = 0; i < kSourceNames.size(); ++i) {
    if (kSourceNames[i] == name) return static_cast<JacobianSource>(i);
  }
  return std::nullopt;
}

std::string_view name_of(JacobianSource source) {
  return kSourceNames[static_cast<std::size_t>(source)];
}

std::span<const std::string_view> jacobian_source_names() { return kSourceNames; }

Newton::Newton(const formulate::Layout& layout, std::unique_ptr<linear::Solver> solver,
               NewtonOptions options)
    : layout_(layout),
      solver_(std::move(solver)),
      bordered_(dynamic_cast<const linear::BorderedSolver*>(solver_.get())),
      options_(options),
      F_(layout.size),
      z_(layout.size),
      F0_(layout.size),
      column_(layout.size) {}

void Newton::use(NewtonMatrix& matrix) {
  matrix_ = &matrix;
  solver_->analyse(matrix.matrix().shared_pattern(), layout_.kinds());
  valid_ = false;
  place_reactions();
  if (options_.source == JacobianSource::grouped) {
    colour_ = colour_columns(matrix.matrix().pattern());
    colours_ = colour_.empty() ? 0 : *std::max_element(colour_.begin(), colour_.end()) + 1;
  }
}

void Newton::place_reactions() {
  const linear::BlockPattern& p = matrix_->matrix().pattern();
  reactions_.clear();
  diagonals_.clear();
  rows_.clear();
  for (int k = 0; k < p.blocks(); ++k) {
    const int i = p.row_node(k), j = p.column_node(k);
    if (layout_.role[i] == Role::multiplier && layout_.row_order[i] == 0 &&
        layout_.role[j] == Role::displacement) {
      rows_.push_back({p.value_offset(k), layout_.node_offset[i], p.row_size(i), p.column_size(j), i, j});
    }
    if (layout_.role[i] != Role::displacement) continue;
    if (i == j) diagonals_.push_back({p.value_offset(k), layout_.node_offset[i], p.row_size(i), i});
    if (layout_.role[j] != Role::multiplier) continue;
    reactions_.push_back({p.value_offset(k), layout_.node_offset[i], layout_.node_offset[j],
                          p.row_size(i), p.column_size(j)});
  }
}

void Newton::regularise() {
  regularisation_ = kRegularisation;
  valid_ = false;
}

bool Newton::lower_regularisation() {
  if (!regularised() || regularisation_ <= kLeastRegularisation) return false;
  regularisation_ = std::max(kLeastRegularisation, kLower * regularisation_);
  return true;
}

NewtonReport Newton::solve(StepEquations& equations) {
  equations.predict();
  NewtonReport report = iterate(equations);
  if (report.status == NewtonStatus::converged) return report;
  if (report.status == NewtonStatus::singular && regularisation_ < kRegularisation) regularise();
  // Again with a fresh Jacobian. Next to a singular position the last multipliers may be huge, and a
  // bad guess; none is a fair one everywhere.
  valid_ = false;
  equations.predict();
  equations.forget_multipliers();
  return iterate(equations);
}

NewtonReport Newton::iterate(StepEquations& equations) {
  NewtonReport report;
  floor_ *= kForget;
  if (regularised()) regularisation_ = std::min(kRegularisation, kRaise * regularisation_);
  if (renew_) valid_ = false;
  renew_ = false;
  double previous = 0.0, theta = 0.0;
  int fresh = 0;  // iterations in a row with a Jacobian of their own
  const auto largest_residual = [&] {
    const auto it = std::max_element(F_.begin(), F_.end(), [](double a, double b) {
      return std::abs(a) < std::abs(b);
    });
    return static_cast<int>(it - F_.begin());
  };
  for (int k = 0; k < options_.max_iterations; ++k) {
    equations.residual(F_);
    ++counters_.residual_evaluations;
    if (!std::isfinite(std::accumulate(F_.begin(), F_.end(), 0.0))) {
      report.status = NewtonStatus::not_finite;
      report.equation = static_cast<int>(
          std::find_if(F_.begin(), F_.end(), [](double f) { return !std::isfinite(f); }) -
          F_.begin());
      if (report.equation == static_cast<int>(F_.size())) report.equation = largest_residual();
      return report;
    }
    if (!options_.reuse) valid_ = false;
    fresh = valid_ ? 0 : fresh + 1;
    if (!valid_ || stale_factors_) {
      const linear::FactorStatus status = refresh(equations);
      if (!status) {
        report.status = NewtonStatus::singular;
        report.equation = status.equation;
        return report;
      }
    }
    matrix_->scale_rows(F_);
    for (std::size_t i = 0; i < F_.size(); ++i) z_[i] = -F_[i];
    solver_->solve(z_);
    ++counters_.linear_solves;
    ++report.iterations;
    ++counters_.iterations;

    const auto [displacement, multiplier, scaled_multiplier] = correction_sizes();
    double correction = displacement;
    const double by_multipliers = multiplier * equations.multiplier_to_displacement();
    // A step that moves farther than the mechanism is wide is no measure of accuracy.
    const double size = equations.mechanism_size();
    const double increment =
        std::max(size > 0.0 ? std::min(equations.increment_size(), size) : equations.increment_size(),
                 std::numeric_limits<double>::min());
    if (!(by_multipliers <= std::max(displacement, options_.tolerance * increment))) {
      // Of dependent or nearly dependent rows the multipliers may be large and exert nothing.
      correction = std::max(correction, std::min(by_multipliers, displacement_by_multipliers()));
    }
    if (!std::isfinite(displacement) || !std::isfinite(multiplier)) {
      report.status = NewtonStatus::not_finite;
      report.equation = largest_residual();
      return report;
    }
    matrix_->unscale_unknowns(z_);
    correction = std::max(correction, equations.correct(z_));

    // Forces and gaps come from places, which are rounded by the mechanism's size, whatever its
    // coordinates are counted from; levers shorter than one enlarge what gaps mean.
    const double gaps = size / std::min(lever_, 1.0);
    const double noise = kEps * std::max({equations.configuration_size(), increment, gaps});
    // Round-off keeps the step from being solved as well as it should; one in which hardly anything
    // moves has no accuracy to miss.
    const auto misses = [&] {
      return increment > kNoiseLevel * noise && correction > options_.acceptable * increment;
    };
    report.correction = correction / increment;
    if (k == 0 || correction < previous) {
      report.last_displacement = displacement;
      report.last_multiplier = multiplier;
      report.last_scaled_multiplier = scaled_multiplier;
    }
    if (k > 0) {
      theta = correction / std::max(previous, std::numeric_limits<double>::min());
      report.contraction = theta;
    }
    // With an old Jacobian the ratio of two corrections may flatter: the largest part is often
    // solved at once, and what is left contracts more slowly, up to kSlow.
    const double rate = fresh > 0 ? theta : std::max(theta, kSlow);
    const double eta = k == 0 || theta >= kStagnant ? 1.0 : rate / (1.0 - rate);
    if (eta * correction <= options_.tolerance * increment) {
      judge_jacobian(report.iterations);
      return report;
    }
    if (correction <= std::max(kRoundOff * noise, floor_)) {
      report.at_round_off = misses();
      judge_jacobian(report.iterations);
      return report;
    }
    if (k > 0 && theta > kSlow) {
      // A Jacobian of the present trial comes first; if even that does not help, the correction is
      // either round-off or the iteration fails in the end.
      if (fresh > 0 && theta > kStagnant) {
        const bool stuck = fresh > 1 && correction > kNoiseLevel * noise;
        const bool solved = correction <= kCoarsest * increment &&
                            constraint_residual() <= kResidualNoise * noise;
        if (correction <= kNoiseLevel * noise || (stuck && !lower_regularisation() && solved)) {
          report.at_round_off = misses();
          floor_ = 2.0 * correction;
          judge_jacobian(report.iterations);
          return report;
        }
      }
      valid_ = false;
    }
    previous = correction;
  }
  report.status = NewtonStatus::diverged;
  report.equation = largest_residual();
  return report;
}

Newton::CorrectionSizes Newton::correction_sizes() const {
  CorrectionSizes out;
  // max() drops a NaN; this does not.
  const auto raise = [](double& largest, double value) {
    if (!(value <= largest)) largest = value;
  };
  for (int i = 0; i < layout_.nodes(); ++i) {
    double size = 0.0;
    for (int c = 0; c < layout_.node_size[i]; ++c) {
      raise(size, std::abs(z_[layout_.node_offset[i] + c]));
    }
    const double physical = size * matrix_->scale().unknown[i];
    if (layout_.role[i] == Role::multiplier) {
      raise(out.multiplier, physical);
      raise(out.scaled_multiplier, size);
    } else if (layout_.role[i] != Role::velocity) {  // those follow from the displacements
      raise(out.displacement, physical);
    }
  }
  return out;
}

double Newton::displacement_by_multipliers() {
  // (J z)_i / J_ii over the columns of the multipliers: what they would move a free coordinate by.
  const double* J = matrix_->matrix().values().data();
  std::fill(column_.begin(), column_.end(), 0.0);
  for (const Reaction& block : reactions_) {
    const double* at = J + block.at;
    const double* z = z_.data() + block.column;
    double* load = column_.data() + block.row;
    for (int r = 0; r < block.rows; ++r, at += block.columns) {
      for (int c = 0; c < block.columns; ++c) load[r] += at[c] * z[c];
    }
  }
  double largest = 0.0;
  for (const Diagonal& d : diagonals_) {
    const double scale = matrix_->scale().unknown[d.node];
    for (int r = 0; r < d.size; ++r) {
      const double own = J[d.at + r * (d.size + 1)];
      if (own != 0.0) {
        largest = std::max(largest, std::abs(column_[d.row + r] / own) * scale);
      } else if (column_[d.row + r] != 0.0) {
        return std::numeric_limits<double>::infinity();  // nothing to measure by
      }
    }
  }
  return largest;
}

double Newton::constraint_residual() const {
  double largest = 0.0;
  for (int i = 0; i < layout_.nodes(); ++i) {
    if (layout_.role[i] != Role::multiplier) continue;
    for (int c = 0; c < layout_.node_size[i]; ++c) {
      largest = std::max(largest, std::abs(F_[layout_.node_offset[i] + c]) / matrix_->scale().row[i]);
    }
  }
  return largest;
}

void Newton::judge_jacobian(int iterations) {
  cost_since_renewal_ += iterations;
  ++steps_since_renewal_;
  renew_ = iterations * static_cast<double>(steps_since_renewal_) > cost_since_renewal_;
}

double Newton::shortest_lever() {
  const double* J = matrix_->matrix().values().data();
  const ScaleFactors& scale = matrix_->scale();
  std::fill(column_.begin(), column_.end(), 0.0);
  for (const Row& block : rows_) {
    const double unit = scale.row[block.row_node] * scale.unknown[block.unknown_node];
    for (int r = 0; r < block.rows; ++r) {
      double& longest = column_[block.row + r];
      for (int c = 0; c < block.columns; ++c) {
        longest = std::max(longest, std::abs(J[block.at + r * block.columns + c]) / unit);
      }
    }
  }
  double shortest = 1.0;
  for (const Row& block : rows_) {
    for (int r = 0; r < block.rows; ++r) {
      const double longest = column_[block.row + r];
      if (longest > kNoLever) shortest = std::min(shortest, longest);
    }
  }
  return shortest;
}

linear::FactorStatus Newton::refresh(StepEquations& equations) {
  if (!valid_) {
    ++counters_.jacobian_evaluations;
    cost_since_renewal_ = kRenewalCost;
    steps_since_renewal_ = 0;
    equations.linearise();
  }
  equations.assemble(*matrix_, regularisation_);
  lever_ = shortest_lever();
  if (options_.source != JacobianSource::analytic) fill_by_differences(equations);
  stale_factors_ = false;
  ++counters_.factorizations;
  const linear::FactorStatus status = solver_->factorise(matrix_->matrix());
  valid_ = status.ok;
  return status;
}

void Newton::fill_by_differences(StepEquations& equations) {
  // The columns of the multipliers are G^T and stay as assembled; the others are replaced by
  // difference quotients of the scaled residual. Nodes of one colour share no row and are moved
  // together.
  const linear::BlockPattern& p = matrix_->matrix().pattern();
  std::copy(F_.begin(), F_.end(), F0_.begin());
  matrix_->scale_rows(F0_);
  const double size = std::max(equations.configuration_size(), 1e-3);
  const double step = std::sqrt(kEps) * size;
  const int groups = options_.source == JacobianSource::grouped ? colours_ : p.row_nodes();
  std::vector<double>& dy = z_;
  StepEquations& e = equations;
  e.save();
  int widest = 0;
  for (int width : layout_.node_size) widest = std::max(widest, width);
  for (int group = 0; group < groups; ++group) {
    for (int c = 0; c < widest; ++c) {
      std::fill(dy.begin(), dy.end(), 0.0);
      bool any = false;
      const auto member = [&](int node) {
        if (layout_.role[node] == Role::multiplier || c >= layout_.node_size[node]) return false;
        return options_.source == JacobianSource::grouped ? colour_[node] == group : node == group;
      };
      for (int node = 0; node < layout_.nodes(); ++node) {
        if (!member(node)) continue;
        dy[layout_.node_offset[node] + c] = step;
        any = true;
      }
      if (!any) continue;
      e.move(dy);
      e.residual(column_);
      ++counters_.jacobian_residual_evaluations;
      matrix_->scale_rows(column_);
      e.restore();
      for (int node = 0; node < layout_.nodes(); ++node) {
        if (!member(node)) continue;
        for (int k = p.row_begin(node); k < p.row_begin(node + 1); ++k) {
          // The pattern is symmetric: the blocks of this column are the transposed ones of the row.
          const int row = p.column_node(k);
          auto block = matrix_->matrix().block(p.find(row, node));
          for (int r = 0; r < block.rows(); ++r) {
            const int i = layout_.node_offset[row] + r;
            block(r, c) = (column_[i] - F0_[i]) / step * matrix_->scale().unknown[node];
          }
        }
      }
    }
  }
}

MatrixQuality Newton::examine(StepEquations& equations, const ScaleFactors& well_scaled) {
  equations.residual(F_);
  equations.linearise();
  equations.assemble(*matrix_, regularisation_);
  valid_ = false;  // its factors are not these

  const ScaleFactors& own = matrix_->scale();
  std::vector<double> left(layout_.size), right(layout_.size);
  for (int i = 0; i < layout_.nodes(); ++i) {
    std::fill_n(left.begin() + layout_.node_offset[i], layout_.node_size[i],
                well_scaled.row[i] / own.row[i]);
    std::fill_n(right.begin() + layout_.node_offset[i], layout_.node_size[i],
                well_scaled.unknown[i] / own.unknown[i]);
  }
  const linear::BlockMatrix J = bordered_ ? bordered_->complete(matrix_->matrix()) : matrix_->matrix();
  std::vector<linear::NodeKind> kinds = layout_.kinds();
  if (bordered_) kinds.resize(1);  // all in one block
  linear::RescaledSolver solver(
      bordered_ || layout_.size <= linear::kExactConditionSize ? "dense" : "klu", std::move(left),
      std::move(right));
  solver.analyse(J.shared_pattern(), kinds);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  MatrixQuality quality{kInfinite, kInfinite};
  if (solver.factorise(J)) quality.condition_number = linear::condition_number(J, solver);
  if (solver_->factorise(matrix_->matrix())) {
    quality.solver_error = 0.0;
    std::vector<double> x(layout_.size);
    for (int sample = 0; sample < 8; ++sample) {
      // Numbers between 1 and 3 that are round in no way.
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2.0 + std::cos(static_cast<double>(i) + 0.7 * sample + 1.0);
      std::fill(column_.begin(), column_.end(), 0.0);
      J.multiply_add(x, column_);
      solver_->solve(column_);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = std::abs(column_[i] - x[i]);
        if (!(error <= quality.solver_error)) quality.solver_error = error;
      }
    }
  }
  return quality;
}

}  // namespace daedal::correct
