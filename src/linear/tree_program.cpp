#include "daedal/linear/tree_program.hpp"

#include <algorithm>
#include <iterator>

namespace daedal::linear {

namespace {

/// Per elimination step the later steps its block column reaches, ascending, fill included.
std::vector<std::vector<int>> factor_structure(const BlockPattern& pattern,
                                               std::span<const int> order,
                                               std::span<const int> step) {
  const int n = static_cast<int>(order.size());
  std::vector<std::vector<int>> reach(n), children(n);
  std::vector<int> mark(n, -1);
  for (int k = 0; k < n; ++k) {
    mark[k] = k;
    const auto add = [&](int i) {
      if (i > k && mark[i] != k) {
        mark[i] = k;
        reach[k].push_back(i);
      }
    };
    for (int e = pattern.row_begin(order[k]); e < pattern.row_begin(order[k] + 1); ++e) {
      add(step[pattern.column_node(e)]);
    }
    for (const int child : children[k]) {
      for (const int i : reach[child]) add(i);
    }
    std::sort(reach[k].begin(), reach[k].end());
    if (!reach[k].empty()) children[reach[k].front()].push_back(k);
  }
  return reach;
}

}  // namespace

TreeProgram::TreeProgram(const BlockPattern& pattern, std::span<const int> order,
                         Symmetry symmetry) {
  const bool symmetric = symmetry == Symmetry::symmetric;
  const int n = static_cast<int>(order.size());
  std::vector<int> step(n);
  for (int k = 0; k < n; ++k) step[order[k]] = k;
  const auto reach = factor_structure(pattern, order, step);
  const auto source_of = [&](int i, int j) {
    const int block = pattern.find(i, j);
    return block < 0 ? -1 : pattern.value_offset(block);
  };

  // Blocks, in the order in which they are computed and stored.
  int factor = 0, inverse = 0;
  for (int k = 0; k < n; ++k) {
    const int node = order[k], size = pattern.row_size(node);
    Pivot pivot{};
    pivot.size = size;
    pivot.row = pattern.row_offset(node);
    pivot.source = source_of(node, node);
    pivot.factor = factor;
    pivot.inverse = inverse;
    inverse += size * size;
    factor += symmetric ? size * (size + 1) / 2 : size * size;
    pivot.off_begin = static_cast<int>(offs.size());
    for (const int i : reach[k]) {
      const int other = order[i];
      Off off{};
      off.size = pattern.row_size(other);
      off.row = pattern.row_offset(other);
      off.factor = factor;
      factor += size * off.size;
      if (symmetric) {
        off.by_rows = other > node;
        off.source = off.by_rows ? source_of(other, node) : source_of(node, other);
      } else {
        off.by_rows = true;
        off.source = source_of(other, node);
        off.source_upper = source_of(node, other);
        off.factor_upper = factor;
        factor += size * off.size;
      }
      offs.push_back(off);
    }
    pivot.off_end = static_cast<int>(offs.size());
    pivots.push_back(pivot);
  }
  factor_size = static_cast<std::size_t>(factor);

  // Products. First how many each block loses, then which.
  std::vector<int> pivot_terms(n, 0), off_terms(offs.size(), 0);
  const auto off_index = [&](int i, int k) {
    const auto it = std::lower_bound(reach[k].begin(), reach[k].end(), i);
    return pivots[k].off_begin + static_cast<int>(it - reach[k].begin());
  };
  const auto for_each_product = [&](auto&& on_pivot, auto&& on_off) {
    for (int j = 0; j < n; ++j) {
      const int count = static_cast<int>(reach[j].size());
      for (int a = 0; a < count; ++a) {
        const int k = reach[j][a];
        on_pivot(j, k, pivots[j].off_begin + a);
        for (int b = a + 1; b < count; ++b) {
          on_off(j, off_index(reach[j][b], k), pivots[j].off_begin + b, pivots[j].off_begin + a);
        }
      }
    }
  };
  for_each_product([&](int, int k, int) { ++pivot_terms[k]; },
                   [&](int, int target, int, int) { ++off_terms[target]; });
  int term = 0;
  for (int k = 0; k < n; ++k) {
    pivots[k].term_begin = pivots[k].term_end = term;
    term += pivot_terms[k];
    for (int o = pivots[k].off_begin; o < pivots[k].off_end; ++o) {
      offs[o].term_begin = offs[o].term_end = term;
      term += off_terms[o];
    }
  }
  terms.resize(term);
  const auto make_term = [&](int j, const Off& left, const Off& right) {
    return symmetric ? Term{left.factor, right.factor, pivots[j].factor, 0, pivots[j].size}
                     : Term{left.factor, right.factor_upper, left.factor_upper, right.factor,
                            pivots[j].size};
  };
  for_each_product(
      [&](int j, int k, int block) {
        terms[pivots[k].term_end++] = make_term(j, offs[block], offs[block]);
      },
      [&](int j, int target, int left, int right) {
        terms[offs[target].term_end++] = make_term(j, offs[left], offs[right]);
      });
}

}  // namespace daedal::linear
