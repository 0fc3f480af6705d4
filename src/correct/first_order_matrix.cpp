#include "daedal/correct/first_order_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "daedal/correct/colouring.hpp"

namespace daedal::correct {

using formulate::Formalism;
using formulate::Role;
using formulate::Term;
using linear::BlockPattern;

namespace {

constexpr std::array<std::string_view, 3> kNames{"none", "partitioned", "extended-partitioned"};
constexpr std::array<std::string_view, 2> kPatterns{"topology", "estimated"};
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Step of the excitations for second derivatives, large because first derivatives may come from
/// differences themselves; and what counts as noise of those, beside the largest entry.
constexpr double kExcitationStep = 1e-2;
constexpr double kNoise = 1e-6;

struct Place {
  int row, unknown;
};
Place place(const Term& term, int block) {
  const BlockPattern& p = term.block->pattern();
  const int r = term.transposed ? p.column_node(block) : p.row_node(block);
  const int c = term.transposed ? p.row_node(block) : p.column_node(block);
  return {term.row_node + r, term.unknown_node + c};
}

bool is_multiplier(Role role) { return role == Role::multiplier || role == Role::correction; }

std::shared_ptr<const BlockPattern> symmetric_pattern(const formulate::Layout& layout,
                                                      const std::vector<Term>& terms) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < layout.nodes(); ++i) pairs.push_back({i, i});
  for (const Term& term : terms) {
    for (int k = 0; k < term.block->pattern().blocks(); ++k) {
      const auto [r, c] = place(term, k);
      pairs.push_back({r, c});
      pairs.push_back({c, r});
    }
  }
  return std::make_shared<const BlockPattern>(layout.node_size, layout.node_size, pairs);
}

}  // namespace

std::optional<JacobianUpdate> jacobian_update_from(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<JacobianUpdate>(i);
  }
  return std::nullopt;
}

std::string_view name_of(JacobianUpdate update) { return kNames[static_cast<std::size_t>(update)]; }

std::span<const std::string_view> jacobian_update_names() { return kNames; }

std::optional<JacobianPattern> jacobian_pattern_from(std::string_view name) {
  for (std::size_t i = 0; i < kPatterns.size(); ++i) {
    if (kPatterns[i] == name) return static_cast<JacobianPattern>(i);
  }
  return std::nullopt;
}

std::string_view name_of(JacobianPattern pattern) {
  return kPatterns[static_cast<std::size_t>(pattern)];
}

std::span<const std::string_view> jacobian_pattern_names() { return kPatterns; }

FirstOrderMatrix::FirstOrderMatrix(formulate::FirstOrder& form, JacobianSource source,
                                   JacobianUpdate update, Scaling scaling, JacobianPattern pattern)
    : form_(form),
      layout_(form.layout()),
      source_(source),
      update_(update),
      scaling_(scaling),
      pattern_(pattern),
      y_(form.size()),
      F_(form.size()),
      F0_(form.size()),
      u_base_(form.structure().excitations),
      u_(form.structure().excitations) {
  const std::vector<Term> terms = form.terms();
  J_ = linear::BlockMatrix(symmetric_pattern(layout_, terms));
  slope_.resize(J_.values().size());
  base_.resize(J_.values().size());
  scale_.row.assign(layout_.nodes(), 1.0);
  scale_.unknown.assign(layout_.nodes(), 1.0);
  const BlockPattern& p = J_.pattern();
  for (const Term& term : terms) {
    for (int k = 0; k < term.block->pattern().blocks(); ++k) {
      const auto [row, unknown] = place(term, k);
      const Piece piece{term.block->values().data() + term.block->pattern().value_offset(k),
                        p.value_offset(p.find(row, unknown)),
                        layout_.node_size[row],
                        layout_.node_size[unknown],
                        term.sign,
                        term.transposed};
      if (term.derivative == 1) {
        rates_.push_back(piece);
      } else if (is_kinematic(row, unknown)) {
        kinematic_.push_back(piece);
      } else {
        others_.push_back(piece);
      }
    }
  }
  find_columns(terms);
  for (int i = 0; i < layout_.nodes(); ++i) {
    if (!is_multiplier(layout_.role[i])) continue;
    const int at = p.value_offset(p.find(i, i)), size = layout_.node_size[i];
    for (int k = 0; k < size; ++k) multiplier_diagonal_.push_back(at + k * (size + 1));
  }
}

bool FirstOrderMatrix::is_kinematic(int row, int unknown) const {
  return layout_.role[row] == Role::displacement || layout_.role[unknown] == Role::correction;
}

void FirstOrderMatrix::find_columns(const std::vector<Term>& terms) {
  std::vector<std::vector<int>> rows_of(layout_.nodes());
  for (const Term& term : terms) {
    for (int k = 0; k < term.block->pattern().blocks(); ++k) {
      const auto [row, unknown] = place(term, k);
      if (term.derivative == 0 && !is_kinematic(row, unknown)) rows_of[unknown].push_back(row);
    }
  }
  const int shift = form_.size() - layout_.size;  // quaternions have one entry more
  const BlockPattern& p = J_.pattern();
  for (int j = 0; j < layout_.nodes(); ++j) {
    if (layout_.role[j] == Role::correction) continue;
    std::vector<int>& rows = rows_of[j];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const int width = layout_.node_size[j];
    for (int c = 0; c < width; ++c) {
      Column column{layout_.node_offset[j] + c, static_cast<int>(entries_.size()), 0};
      for (int row : rows) {
        const int to = p.value_offset(p.find(row, j)) + c;
        for (int r = 0; r < layout_.node_size[row]; ++r) {
          entries_.push_back({layout_.node_offset[row] + r + shift, to + r * width});
        }
      }
      column.end = static_cast<int>(entries_.size());
      columns_.push_back(column);
    }
  }
  any_present_ = source_ != JacobianSource::grouped || pattern_ == JacobianPattern::topology;
  present_.assign(entries_.size(), any_present_);
  before_.resize(entries_.size());
  make_groups();
}

void FirstOrderMatrix::make_groups() {
  groups_.clear();
  if (source_ != JacobianSource::grouped || !any_present_) {
    for (int j = 0; j < static_cast<int>(columns_.size()); ++j) groups_.push_back({j});
    return;
  }
  std::vector<std::pair<int, int>> pairs;
  for (int j = 0; j < static_cast<int>(columns_.size()); ++j) {
    for (int e = columns_[j].first; e < columns_[j].end; ++e) {
      if (present_[e]) pairs.push_back({entries_[e].row, j});
    }
  }
  const std::vector<int> colours = colour_columns(BlockPattern(
      std::vector<int>(form_.size(), 1), std::vector<int>(columns_.size(), 1), pairs));
  for (std::size_t j = 0; j < colours.size(); ++j) {
    if (colours[j] >= static_cast<int>(groups_.size())) groups_.resize(colours[j] + 1);
    groups_[colours[j]].push_back(static_cast<int>(j));
  }
}

int FirstOrderMatrix::residuals_per_evaluation() const {
  return source_ == JacobianSource::analytic ? 0 : static_cast<int>(groups_.size());
}

void FirstOrderMatrix::add(const std::vector<Piece>& pieces, double factor, double* to) const {
  for (const Piece& piece : pieces) {
    double* at = to + piece.to;
    const double* from = piece.values;
    const double f = factor * piece.sign;
    if (!piece.transposed) {
      for (int k = 0; k < piece.rows * piece.columns; ++k) at[k] += f * from[k];
      continue;
    }
    for (int r = 0; r < piece.rows; ++r) {
      for (int c = 0; c < piece.columns; ++c) {
        at[r * piece.columns + c] += f * from[c * piece.rows + r];
      }
    }
  }
}

double FirstOrderMatrix::increment(std::span<const double> y, int unknown) const {
  static const double least = std::pow(kEps, 0.25), root = std::sqrt(kEps);
  return std::max(form_.size_of(y, unknown), least) * root;
}

void FirstOrderMatrix::difference(std::span<const math::Jet> u, std::span<const double> y,
                                  std::span<const double> y_rate, std::span<const double> F,
                                  std::span<const int> columns, std::span<double> out) {
  std::copy(y.begin(), y.end(), y_.begin());
  for (int j : columns) {
    form_.displace(y_, columns_[j].unknown, increment(y, columns_[j].unknown));
  }
  form_.residual(u, y_, y_rate, F_);
  ++residuals_;
  for (int j : columns) {
    const double delta = increment(y, columns_[j].unknown);
    for (int e = columns_[j].first; e < columns_[j].end; ++e) {
      const auto [row, to] = entries_[e];
      if (present_[e]) out[to] = (F_[row] - F[row]) / delta;
    }
  }
}

void FirstOrderMatrix::extend_pattern(std::span<const math::Jet> u, std::span<const double> y,
                                      std::span<const double> y_rate, std::span<const double> F) {
  std::copy(present_.begin(), present_.end(), before_.begin());
  std::fill(present_.begin(), present_.end(), 1);
  std::fill(slope_.begin(), slope_.end(), 0.0);
  for (int j = 0; j < static_cast<int>(columns_.size()); ++j) {
    difference(u, y, y_rate, F, std::span(&j, 1), slope_);
    for (int e = columns_[j].first; e < columns_[j].end; ++e) {
      present_[e] = before_[e] || slope_[entries_[e].to] != 0.0;
    }
  }
  any_present_ = true;
  if (present_ != before_) make_groups();
}

void FirstOrderMatrix::fill(std::span<const math::Jet> u, std::span<const double> y,
                            std::span<const double> y_rate, std::span<const double> F,
                            std::span<double> out) {
  if (source_ == JacobianSource::analytic) {
    form_.linearise(u, y, y_rate);
    std::fill(out.begin(), out.end(), 0.0);
    add(others_, 1.0, out.data());
  } else {
    std::fill(out.begin(), out.end(), 0.0);
    for (const std::vector<int>& group : groups_) difference(u, y, y_rate, F, group, out);
    form_.linearise_rates(u, y, true);
  }
}

void FirstOrderMatrix::evaluate(std::span<const math::Jet> u, std::span<const double> y,
                                std::span<const double> y_rate, std::span<const double> F,
                                bool suspect) {
  const bool estimated = source_ == JacobianSource::grouped && pattern_ == JacobianPattern::estimated;
  if (update_ == JacobianUpdate::extended && !has_sensitivities_) {
    if (estimated) extend_pattern(u, y, y_rate, F);
    find_sensitivities(u, y, y_rate);
  }
  if (estimated && (suspect || !any_present_)) {
    extend_pattern(u, y, y_rate, F);
    form_.linearise_rates(u, y, true);
  } else {
    fill(u, y, y_rate, F, slope_);
  }
  ++evaluations_;
  if (update_ != JacobianUpdate::extended) return;
  base_ = slope_;
  std::copy(u.begin(), u.end(), u_base_.begin());
}

void FirstOrderMatrix::find_sensitivities(std::span<const math::Jet> u, std::span<const double> y,
                                          std::span<const double> y_rate) {
  has_sensitivities_ = true;
  const auto at = [&](std::span<double> out) {
    if (source_ != JacobianSource::analytic) {
      form_.residual(u_, y, y_rate, F0_);
      ++residuals_;
    }
    fill(u_, y, y_rate, F0_, out);
  };
  std::copy(u.begin(), u.end(), u_.begin());
  at(base_);
  double largest = 0.0;
  for (double value : base_) largest = std::max(largest, std::abs(value));
  constexpr std::array<double math::Jet::*, 3> kParts{&math::Jet::value, &math::Jet::first,
                                                      &math::Jet::second};
  for (int i = 0; i < static_cast<int>(u_.size()); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double delta = kExcitationStep * std::max(1.0, std::abs(u[i].*kParts[k]));
      u_[i].*kParts[k] += delta;
      at(slope_);
      u_[i] = u[i];
      bool any = false;
      for (std::size_t e = 0; e < slope_.size(); ++e) {
        const double change = slope_[e] - base_[e];
        const bool counts = std::abs(change) > kNoise * largest;
        slope_[e] = counts ? change / delta : 0.0;
        any |= counts;
      }
      if (any) sensitivities_.push_back({i, k, slope_});
    }
  }
}

void FirstOrderMatrix::update(std::span<const math::Jet> u, std::span<const double> y) {
  form_.linearise_rates(u, y, false);
  ++updates_;
  if (update_ != JacobianUpdate::extended) return;
  std::copy(base_.begin(), base_.end(), slope_.begin());
  constexpr std::array<double math::Jet::*, 3> kParts{&math::Jet::value, &math::Jet::first,
                                                      &math::Jet::second};
  for (const Sensitivity& s : sensitivities_) {
    const double change = u[s.excitation].*kParts[s.derivative] -
                          u_base_[s.excitation].*kParts[s.derivative];
    for (std::size_t e = 0; e < slope_.size(); ++e) slope_[e] += change * s.slope[e];
  }
}

void FirstOrderMatrix::rescale(double alpha) {
  const bool left = scaling_ == Scaling::time_step || scaling_ == Scaling::physical;
  const bool right = left || scaling_ == Scaling::time_step_right;
  const auto power = [&](int order) {
    return order == 0 ? 1.0 : order == 1 ? alpha : alpha * alpha;
  };
  for (int i = 0; i < layout_.nodes(); ++i) {
    scale_.row[i] = left ? 1.0 / power(layout_.row_order[i]) : 1.0;
    scale_.unknown[i] = right ? power(layout_.unknown_order[i]) : 1.0;
    if (scaling_ != Scaling::physical) continue;
    if (layout_.role[i] == Role::velocity && form_.formalism() == Formalism::residual) {
      scale_.row[i] /= reference_mass;
    }
    if (layout_.role[i] == Role::multiplier) scale_.unknown[i] *= reference_mass;
  }
}

void FirstOrderMatrix::assemble(double alpha, std::span<const double> y, double regularisation) {
  form_.turn(alpha, y);
  double* J = J_.values().data();
  std::copy(slope_.begin(), slope_.end(), J);
  add(rates_, alpha, J);
  add(kinematic_, 1.0, J);
  rescale(alpha);
  const BlockPattern& p = J_.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    const double factor = scale_.row[p.row_node(k)] * scale_.unknown[p.column_node(k)];
    for (int e = p.value_offset(k); e < p.value_offset(k + 1); ++e) J[e] *= factor;
  }
  if (regularisation > 0.0) regularise(regularisation);
}

void FirstOrderMatrix::regularise(double relative) {
  // Row i gets relative * sum of |J_ij J_ji / J_jj|, the size of the pivot it will have.
  const BlockPattern& p = J_.pattern();
  std::size_t at = 0;
  for (int i = 0; i < layout_.nodes(); ++i) {
    if (!is_multiplier(layout_.role[i])) continue;
    for (int r = 0; r < layout_.node_size[i]; ++r) {
      double pivot = 0.0;
      for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
        const int j = p.column_node(k);
        if (j == i) continue;
        const auto row = J_.block(k), column = J_.block(p.find(j, i)), own = J_.block(p.find(j, j));
        for (int c = 0; c < row.cols(); ++c) {
          if (own(c, c) != 0.0) pivot += std::abs(row(r, c) * column(c, r) / own(c, c));
        }
      }
      J_.values()[multiplier_diagonal_[at++]] -= relative * pivot;
    }
  }
}

void FirstOrderMatrix::scale_rows(std::span<double> r) const {
  for (int i = 0; i < layout_.nodes(); ++i) {
    for (int k = 0; k < layout_.node_size[i]; ++k) r[layout_.node_offset[i] + k] *= scale_.row[i];
  }
}

void FirstOrderMatrix::unscale_unknowns(std::span<double> z) const {
  for (int i = 0; i < layout_.nodes(); ++i) {
    for (int k = 0; k < layout_.node_size[i]; ++k) {
      z[layout_.node_offset[i] + k] *= scale_.unknown[i];
    }
  }
}

}  // namespace daedal::correct
