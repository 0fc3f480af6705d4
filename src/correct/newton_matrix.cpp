#include "daedal/correct/newton_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace daedal::correct {

using formulate::Term;
using linear::BlockPattern;
using formulate::Role;

namespace {

constexpr int kAsItIs = -1;

/// to += factor * from, or to = factor * from; sizes of common blocks are known to the compiler.
template <class Count>
void add_scaled(double* __restrict to, const double* __restrict from, double factor, Count count,
                bool overwrite) {
  if (overwrite) {
    for (int k = 0; k < count; ++k) to[k] = factor * from[k];
  } else {
    for (int k = 0; k < count; ++k) to[k] += factor * from[k];
  }
}

/// The same with from^T, `to` being rows x columns.
template <class Rows, class Columns>
void add_transposed(double* __restrict to, const double* __restrict from, double factor, Rows rows,
                    Columns columns, bool overwrite) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const double value = factor * from[c * rows + r];
      to[r * columns + c] = overwrite ? value : to[r * columns + c] + value;
    }
  }
}

template <int N>
using Int = std::integral_constant<int, N>;

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
  place_terms(terms, structure);
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

void NewtonMatrix::place_terms(const std::vector<Term>& terms,
                               const system::Structure& structure) {
  const BlockPattern& target = J_.pattern();
  struct Lists {
    std::vector<Copy> rates, positions, others;
  };
  std::vector<Lists> lists(target.blocks());
  for (const Term& term : terms) {
    const BlockPattern& p = term.block->pattern();
    if (p.blocks() == 0) continue;  // its node may not exist
    const Role role = layout_.role[term.unknown_node];
    sources_.push_back({term.block->values().data(), term.sign, term.transposed, role});
    for (int k = 0; k < p.blocks(); ++k) {
      Copy copy;
      copy.term = static_cast<int>(sources_.size()) - 1;
      copy.from = p.value_offset(k);
      copy.row_node = term.row_node + (term.transposed ? p.column_node(k) : p.row_node(k));
      copy.unknown_node = term.unknown_node + (term.transposed ? p.row_node(k) : p.column_node(k));
      copy.derivative = term.derivative == Term::kOfRow ? layout_.row_order[copy.row_node]
                                                        : term.derivative;
      Lists& list = lists[target.find(copy.row_node, copy.unknown_node)];
      if (role != Role::displacement ||
          (term.derivative == Term::kOfRow && copy.derivative == 0)) {
        // Multipliers, and constraints on the configuration itself, enter without a factor.
        if (role != Role::state) copy.derivative = kAsItIs;
        list.others.push_back(copy);
      } else {
        (copy.derivative == 0 ? list.positions : list.rates).push_back(copy);
      }
    }
  }

  // Rotations of each coordinate node, as local columns.
  std::vector<std::vector<Turn>> of_node(layout_.nodes());
  const auto& nodes = structure.coordinates;
  for (int r = 0; r < static_cast<int>(structure.manifold.rotations().size()); ++r) {
    const int tangent = structure.manifold.rotations()[r].tangent;
    const auto after =
        std::upper_bound(nodes.begin(), nodes.end(), tangent,
                         [](int t, const system::Node& node) { return t < node.offset; });
    const int node = static_cast<int>(after - nodes.begin()) - 1;
    of_node[node].push_back({tangent - nodes[node].offset, r});
  }

  const auto append = [](auto& all, const auto& part) {
    const int begin = static_cast<int>(all.size());
    all.insert(all.end(), part.begin(), part.end());
    return Range{begin, static_cast<int>(all.size())};
  };
  for (int k = 0; k < target.blocks(); ++k) {
    Recipe recipe{target.value_offset(k),
                  target.row_size(target.row_node(k)),
                  target.column_size(target.column_node(k)),
                  append(copies_, lists[k].rates),
                  append(copies_, lists[k].positions),
                  append(copies_, lists[k].others),
                  {}};
    if (!lists[k].rates.empty() || !lists[k].positions.empty()) {
      recipe.turns = append(turns_, of_node[target.column_node(k)]);
    }
    recipes_.push_back(recipe);
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

bool NewtonMatrix::add(const Recipe& recipe, Range copies, const MethodFactors& factors,
                       bool overwrite) {
  double* to = J_.values().data() + recipe.to;
  const int rows = recipe.rows, columns = recipe.columns;
  for (int i = copies.begin; i < copies.end; ++i) {
    const Copy& copy = copies_[i];
    const Source& source = sources_[copy.term];
    double factor = source.sign * scale_.row[copy.row_node] * scale_.unknown[copy.unknown_node];
    if (copy.derivative != kAsItIs) {
      factor *= source.role == Role::state ? factors.state[copy.derivative]
                                           : factors.displacement[copy.derivative];
    }
    const double* from = source.values + copy.from;
    if (!source.transposed) {
      if (rows == 6 && columns == 6) {
        add_scaled(to, from, factor, Int<36>{}, overwrite);
      } else {
        add_scaled(to, from, factor, rows * columns, overwrite);
      }
    } else if (rows == 6 && columns == 5) {
      add_transposed(to, from, factor, Int<6>{}, Int<5>{}, overwrite);
    } else {
      add_transposed(to, from, factor, rows, columns, overwrite);
    }
    overwrite = false;
  }
  return overwrite;
}

void NewtonMatrix::turn(const Recipe& recipe, std::span<const math::Mat3> blocks) {
  for (int i = recipe.turns.begin; i < recipe.turns.end; ++i) {
    const math::Mat3& B = blocks[turns_[i].rotation];
    double* row = J_.values().data() + recipe.to + turns_[i].column;
    for (int r = 0; r < recipe.rows; ++r, row += recipe.columns) {
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
  const bool turn_positions = !tangents.positions.empty();
  for (const Recipe& recipe : recipes_) {
    bool fresh = true;  // nothing has been written yet
    if (turn_positions) {
      fresh = add(recipe, recipe.positions, factors, fresh);
      if (!fresh) turn(recipe, tangents.positions);
    }
    fresh = add(recipe, recipe.rates, factors, fresh);
    if (!tangents.rates.empty() && !fresh) turn(recipe, tangents.rates);
    if (!turn_positions) fresh = add(recipe, recipe.positions, factors, fresh);
    fresh = add(recipe, recipe.others, factors, fresh);
    if (fresh) {
      std::fill_n(J_.values().data() + recipe.to, recipe.rows * recipe.columns, 0.0);
    }
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
      J_.values()[multiplier_diagonal_[at++]] -= relative * pivot;
    }
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
