#include "daedal/linear/profile_order.hpp"

#include <algorithm>
#include <limits>

namespace daedal::linear {

namespace {

using Neighbours = std::vector<std::vector<int>>;

/// Coordinates that share a block or a multiplier.
Neighbours coordinate_graph(const BlockPattern& p, std::span<const NodeKind> kinds) {
  Neighbours of(p.row_nodes());
  for (int i = 0; i < p.row_nodes(); ++i) {
    const int begin = p.row_begin(i), end = p.row_begin(i + 1);
    for (int k = begin; k < end; ++k) {
      const int a = p.column_node(k);
      if (kinds[a] == NodeKind::multiplier) continue;
      if (kinds[i] == NodeKind::coordinate) {
        if (a != i) of[i].push_back(a);
        continue;
      }
      for (int l = begin; l < end; ++l) {
        const int b = p.column_node(l);
        if (b != a && kinds[b] == NodeKind::coordinate) of[a].push_back(b);
      }
    }
  }
  for (auto& list : of) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return of;
}

/// Nodes reached from `start`, level by level, those of small degree first.
std::vector<int> breadth_first(int start, const Neighbours& of, std::vector<char>& reached) {
  std::vector<int> order{start};
  reached[start] = 1;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t level = order.size();
    for (const int next : of[order[at]]) {
      if (reached[next]) continue;
      reached[next] = 1;
      order.push_back(next);
    }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(level), order.end(),
                     [&](int a, int b) { return of[a].size() < of[b].size(); });
  }
  return order;
}

std::vector<int> cuthill_mckee(const BlockPattern& p, std::span<const NodeKind> kinds) {
  const Neighbours of = coordinate_graph(p, kinds);
  std::vector<char> reached(of.size(), 0);
  std::vector<int> order;
  for (int node = 0; node < p.row_nodes(); ++node) {
    if (kinds[node] == NodeKind::multiplier || reached[node]) continue;
    // The last node of a search lies at the rim: the next search starts from there.
    int start = node;
    for (int sweep = 0; sweep < 2; ++sweep) {
      const std::vector<int> found = breadth_first(start, of, reached);
      start = found.back();
      for (const int i : found) reached[i] = 0;
    }
    const std::vector<int> found = breadth_first(start, of, reached);
    order.insert(order.end(), found.begin(), found.end());
  }
  return order;
}

/// The multipliers inserted, each after the last coordinate it couples.
std::vector<int> with_multipliers(const std::vector<int>& coordinates, const BlockPattern& p,
                                  std::span<const NodeKind> kinds) {
  std::vector<int> rank(p.row_nodes(), -1);
  for (std::size_t r = 0; r < coordinates.size(); ++r) rank[coordinates[r]] = static_cast<int>(r);
  std::vector<std::vector<int>> after(coordinates.size());
  std::vector<int> alone;
  for (int i = 0; i < p.row_nodes(); ++i) {
    if (kinds[i] == NodeKind::coordinate) continue;
    int last = -1;
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
      last = std::max(last, rank[p.column_node(k)]);
    }
    (last < 0 ? alone : after[last]).push_back(i);
  }
  std::vector<int> order;
  for (std::size_t r = 0; r < coordinates.size(); ++r) {
    order.push_back(coordinates[r]);
    order.insert(order.end(), after[r].begin(), after[r].end());
  }
  order.insert(order.end(), alone.begin(), alone.end());
  return order;
}

/// Scalars between first nonzero and diagonal, over all equations.
double profile(const std::vector<int>& order, const BlockPattern& p) {
  std::vector<int> at(order.size());
  int offset = 0;
  for (const int node : order) {
    at[node] = offset;
    offset += p.row_size(node);
  }
  double sum = 0.0;
  for (int i = 0; i < p.row_nodes(); ++i) {
    int first = at[i];
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
      first = std::min(first, at[p.column_node(k)]);
    }
    sum += static_cast<double>(p.row_size(i)) * (at[i] - first + 0.5 * p.row_size(i));
  }
  return sum;
}

}  // namespace

std::vector<int> profile_order(const BlockPattern& pattern, std::span<const NodeKind> kinds) {
  std::vector<int> coordinates = cuthill_mckee(pattern, kinds);
  std::vector<int> forward = with_multipliers(coordinates, pattern, kinds);
  std::reverse(coordinates.begin(), coordinates.end());
  std::vector<int> backward = with_multipliers(coordinates, pattern, kinds);
  return profile(backward, pattern) < profile(forward, pattern) ? backward : forward;
}

}  // namespace daedal::linear
