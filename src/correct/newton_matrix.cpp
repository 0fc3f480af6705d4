#include "daedal/correct/newton_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace daedal::correct {

namespace {

/// A pivot that is round-off, relative to that of a row with entries of size one.
constexpr double kEmptyRow = 1e-20;

}  // namespace

using formulate::Term;
using linear::BlockPattern;
using formulate::Role;

namespace {

constexpr int kAsItIs = -1;

std::shared_ptr<const BlockPattern> newton_pattern(const formulate::Layout& layout,
                                                   const std::vector<Term>& terms,
                                                   const BlockPattern* penalised, int first) {
  std::vector<std::pair<int, int>> pairs;
  const auto both_ways = [&](int i, int j) {
    pairs.push_back({i, j});
    if (i != j) pairs.push_back({j, i});
  };
  for (int i = 0; i < layout.nodes(); ++i) pairs.push_back({i, i});
  for (const Term& term : terms) {
    const BlockPattern& p = term.block->pattern();
    for (int k = 0; k < p.blocks(); ++k) {
      const int r = term.transposed ? p.column_node(k) : p.row_node(k);
      const int c = term.transposed ? p.row_node(k) : p.column_node(k);
      both_ways(term.row_node + r, term.unknown_node + c);
    }
  }
  if (penalised) {
    for (int r = 0; r < penalised->row_nodes(); ++r) {
      if (layout.row_order[first + r] != 0) continue;
      for (int i = penalised->row_begin(r); i < penalised->row_begin(r + 1); ++i) {
        for (int j = penalised->row_begin(r); j < penalised->row_begin(r + 1); ++j) {
          pairs.push_back({penalised->column_node(i), penalised->column_node(j)});
        }
      }
    }
  }
  return std::make_shared<const BlockPattern>(layout.node_size, layout.node_size,
                                              std::move(pairs));
}

/// to += factor * from, or its transpose; both are stored row by row, `to` is rows x columns. Most of
/// an assembly is spent here: the common sizes are known to the compiler, the others stay out of
/// line so as not to burden them.
[[gnu::noinline]] void accumulate_any(double* to, const double* from, double factor, int rows,
                                      int columns, bool transposed) {
  const int by_row = transposed ? 1 : columns, by_column = transposed ? rows : 1;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      to[r * columns + c] += factor * from[r * by_row + c * by_column];
    }
  }
}
template <int Count>
void accumulate_fixed(double* __restrict to, const double* __restrict from, double factor) {
  for (int k = 0; k < Count; ++k) to[k] += factor * from[k];
}
template <int Rows, int Columns>
void accumulate_transposed(double* __restrict to, const double* __restrict from, double factor) {
  for (int r = 0; r < Rows; ++r) {
    for (int c = 0; c < Columns; ++c) to[r * Columns + c] += factor * from[c * Rows + r];
  }
}
void accumulate(double* to, const double* from, double factor, int rows, int columns,
                bool transposed) {
  const int count = rows * columns;
  if (transposed && rows > 1 && columns > 1) {
    if (rows == 6 && columns == 5) return accumulate_transposed<6, 5>(to, from, factor);
    if (rows == 6 && columns == 3) return accumulate_transposed<6, 3>(to, from, factor);
    if (rows == 3 && columns == 2) return accumulate_transposed<3, 2>(to, from, factor);
    return accumulate_any(to, from, factor, rows, columns, true);
  }
  switch (count) {
    case 36: return accumulate_fixed<36>(to, from, factor);
    case 30: return accumulate_fixed<30>(to, from, factor);
    case 18: return accumulate_fixed<18>(to, from, factor);
    case 9: return accumulate_fixed<9>(to, from, factor);
    case 6: return accumulate_fixed<6>(to, from, factor);
    default: return accumulate_any(to, from, factor, rows, columns, false);
  }
}

}  // namespace

NewtonMatrix::NewtonMatrix(const formulate::Layout& layout, std::vector<Term> terms,
                           const system::Structure& structure, bool augmented)
    : layout_(layout) {
  const int first_constraint = static_cast<int>(structure.coordinates.size());
  const auto rows = std::find_if(terms.begin(), terms.end(),
                                 [](const Term& t) { return t.derivative == Term::kOfRow; });
  const auto reactions =
      std::find_if(terms.begin(), terms.end(), [](const Term& t) { return t.transposed; });
  const BlockPattern* penalised = augmented && rows != terms.end() && reactions != terms.end()
                                      ? &rows->block->pattern()
                                      : nullptr;
  J_ = linear::BlockMatrix(newton_pattern(layout, terms, penalised, first_constraint));
  scale_.row.assign(layout.nodes(), 1.0);
  scale_.unknown.assign(layout.nodes(), 1.0);
  place_terms(terms);
  place_turns(structure);
  if (penalised) {
    penalty_reactions_ = reactions->block->values().data();
    penalty_rows_ = rows->block->values().data();
    place_penalties(*penalised, first_constraint);
  }
  const BlockPattern& p = J_.pattern();
  for (int i = 0; i < layout.nodes(); ++i) {
    const int size = layout.node_size[i];
    const int at = p.value_offset(p.find(i, i));
    for (int k = 0; k < size; ++k) {
      if (layout.role[i] == Role::multiplier) multiplier_diagonal_.push_back(at + k * size + k);
      if (layout.role[i] == Role::state) state_diagonal_.push_back(at + k * size + k);
    }
  }
}

void NewtonMatrix::place_terms(const std::vector<Term>& terms) {
  const BlockPattern& target = J_.pattern();
  std::vector<std::vector<Piece>> of_block(target.blocks());
  for (const Term& term : terms) {
    const BlockPattern& p = term.block->pattern();
    for (int k = 0; k < p.blocks(); ++k) {
      const int row = term.row_node + (term.transposed ? p.column_node(k) : p.row_node(k));
      const int unknown = term.unknown_node + (term.transposed ? p.row_node(k) : p.column_node(k));
      Piece piece;
      piece.values = term.block->values().data() + p.value_offset(k);
      piece.sign = term.sign;
      piece.transposed = term.transposed;
      piece.of = layout_.role[unknown];
      const bool of_row = term.derivative == Term::kOfRow;
      piece.derivative = of_row ? layout_.row_order[row] : term.derivative;
      if (piece.of != Role::displacement || (of_row && piece.derivative == 0)) {
        // Multipliers, and constraints on the configuration itself, enter without a factor.
        if (piece.of == Role::multiplier || piece.of == Role::displacement) {
          piece.derivative = kAsItIs;
        }
        piece.kind = Kind::other;
      } else {
        piece.kind = piece.derivative == 0 ? Kind::position : Kind::rate;
      }
      of_block[target.find(row, unknown)].push_back(piece);
    }
  }
  for (int k = 0; k < target.blocks(); ++k) {
    Target out{};
    out.to = target.value_offset(k);
    out.row_node = target.row_node(k);
    out.unknown_node = target.column_node(k);
    out.rows = layout_.node_size[out.row_node];
    out.columns = layout_.node_size[out.unknown_node];
    const auto append = [&](Kind kind) {
      const int first = static_cast<int>(pieces_.size());
      for (const Piece& piece : of_block[k]) {
        if (piece.kind == kind) pieces_.push_back(piece);
      }
      return first;
    };
    out.rates = append(Kind::rate);
    out.positions = append(Kind::position);
    out.others = append(Kind::other);
    out.end = static_cast<int>(pieces_.size());
    targets_.push_back(out);
  }
}

void NewtonMatrix::place_turns(const system::Structure& structure) {
  std::map<int, std::vector<Turn>> of_node;
  const auto& nodes = structure.coordinates;
  for (int r = 0; r < static_cast<int>(structure.manifold.rotations().size()); ++r) {
    const int tangent = structure.manifold.rotations()[r].tangent;
    const auto after =
        std::upper_bound(nodes.begin(), nodes.end(), tangent,
                         [](int t, const system::Node& node) { return t < node.offset; });
    const int node = static_cast<int>(after - nodes.begin()) - 1;
    of_node[node].push_back({tangent - nodes[node].offset, r});
  }
  for (Target& target : targets_) {
    target.first_turn = static_cast<int>(turns_.size());
    const auto it = of_node.find(target.unknown_node);
    if (it != of_node.end() && target.others > target.rates) {
      turns_.insert(turns_.end(), it->second.begin(), it->second.end());
    }
    target.end_turn = static_cast<int>(turns_.size());
  }
}

void NewtonMatrix::place_penalties(const BlockPattern& G, int first) {
  const BlockPattern& target = J_.pattern();
  for (int r = 0; r < G.row_nodes(); ++r) {
    if (layout_.row_order[first + r] != 0) continue;
    for (int i = G.row_begin(r); i < G.row_begin(r + 1); ++i) {
      for (int j = G.row_begin(r); j < G.row_begin(r + 1); ++j) {
        const int a = G.column_node(i), b = G.column_node(j);
        penalties_.push_back({target.value_offset(target.find(a, b)), G.value_offset(i),
                              G.value_offset(j), G.column_size(a), G.column_size(b),
                              G.row_size(r), a});
      }
    }
  }
}

void NewtonMatrix::add(const Target& target, int first, int end, const MethodFactors& factors) {
  double* to = J_.values().data() + target.to;
  const double scale = scale_.row[target.row_node] * scale_.unknown[target.unknown_node];
  for (int i = first; i < end; ++i) {
    const Piece& piece = pieces_[i];
    double factor = piece.sign * scale;
    if (piece.derivative != kAsItIs) {
      factor *= piece.of == Role::state ? factors.state[piece.derivative]
                                        : factors.displacement[piece.derivative];
      if (piece.of == Role::velocity) factor /= factors.displacement[1];
    }
    accumulate(to, piece.values, factor, target.rows, target.columns, piece.transposed);
  }
}

void NewtonMatrix::turn(const Target& target, std::span<const math::Mat3> blocks) {
  for (int i = target.first_turn; i < target.end_turn; ++i) {
    const math::Mat3& B = blocks[turns_[i].rotation];
    double* row = J_.values().data() + target.to + turns_[i].column;
    for (int r = 0; r < target.rows; ++r, row += target.columns) {
      const double a = row[0], b = row[1], c = row[2];
      row[0] = a * B(0, 0) + b * B(1, 0) + c * B(2, 0);
      row[1] = a * B(0, 1) + b * B(1, 1) + c * B(2, 1);
      row[2] = a * B(0, 2) + b * B(1, 2) + c * B(2, 2);
    }
  }
}

void NewtonMatrix::add_penalty(double penalty) {
  double* J = J_.values().data();
  for (const Penalty& p : penalties_) {
    const double factor = penalty * scale_.row[p.row_node];
    for (int r = 0; r < p.rows; ++r) {
      for (int c = 0; c < p.columns; ++c) {
        double sum = 0.0;
        for (int k = 0; k < p.inner; ++k) {
          sum += penalty_reactions_[p.from_i + k * p.rows + r] *
                 penalty_rows_[p.from_j + k * p.columns + c];
        }
        J[p.to + r * p.columns + c] += factor * sum;
      }
    }
  }
}

void NewtonMatrix::assemble(const MethodFactors& factors, const Tangents& tangents, double penalty,
                            double regularisation) {
  const bool turn_rates = !tangents.rates.empty();
  const bool turn_positions = !tangents.positions.empty();
  double* values = J_.values().data();
  for (const Target& t : targets_) {
    std::fill_n(values + t.to, t.rows * t.columns, 0.0);
    if (turn_positions && t.others > t.positions) {
      add(t, t.positions, t.others, factors);
      turn(t, tangents.positions);
    }
    add(t, t.rates, t.positions, factors);
    if (turn_rates && (turn_positions || t.positions > t.rates)) turn(t, tangents.rates);
    if (!turn_positions) add(t, t.positions, t.others, factors);
    add(t, t.others, t.end, factors);
  }
  if (penalty != 0.0) add_penalty(penalty);
  double* J = J_.values().data();
  if (regularisation > 0.0) regularise(regularisation);
  if (!state_diagonal_.empty()) {
    std::size_t k = 0;
    for (int i = 0; i < layout_.nodes(); ++i) {
      if (layout_.role[i] != Role::state) continue;
      for (int c = 0; c < layout_.node_size[i]; ++c) {
        J[state_diagonal_[k++]] += scale_.row[i] * factors.state[1];
      }
    }
  }
}

void NewtonMatrix::regularise(double relative) {
  pivots_.resize(multiplier_diagonal_.size());
  // Row i gets relative * sum of |J_ij J_ji / J_jj|, the size of the pivot it will have.
  const BlockPattern& p = J_.pattern();
  std::size_t at = 0;
  for (int i = 0; i < layout_.nodes(); ++i) {
    if (layout_.role[i] != Role::multiplier) continue;
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
      pivots_[at++] = pivot;
    }
  }
  // A row without entries, in coordinates that satisfy it anyway, is held as others are.
  double diagonal = 0.0;
  int count = 0;
  for (int i = 0; i < layout_.nodes(); ++i) {
    if (layout_.role[i] != Role::displacement) continue;
    const auto own = J_.block(p.find(i, i));
    diagonal += own.diagonal().cwiseAbs().sum();
    count += layout_.node_size[i];
  }
  const double usual = diagonal > 0.0 ? count / diagonal : 1.0;
  for (std::size_t k = 0; k < at; ++k) {
    const double pivot = pivots_[k] > kEmptyRow * usual ? pivots_[k] : usual;
    J_.values()[multiplier_diagonal_[k]] -= relative * pivot;
  }
}

void NewtonMatrix::scale_rows(std::span<double> F) const {
  for (int i = 0; i < layout_.nodes(); ++i) {
    for (int k = 0; k < layout_.node_size[i]; ++k) F[layout_.node_offset[i] + k] *= scale_.row[i];
  }
}

void NewtonMatrix::unscale_unknowns(std::span<double> z) const {
  for (int i = 0; i < layout_.nodes(); ++i) {
    for (int k = 0; k < layout_.node_size[i]; ++k) {
      z[layout_.node_offset[i] + k] *= scale_.unknown[i];
    }
  }
}

}  // namespace daedal::correct
