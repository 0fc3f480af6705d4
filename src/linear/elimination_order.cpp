#include "daedal/linear/elimination_order.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <string>

namespace daedal::linear {

namespace {

constexpr int kNone = -1;
/// Up to this many neighbours the fill of a node is counted, above it is bounded by its degree.
constexpr int kCountedNeighbours = 16;

using Adjacency = std::vector<std::vector<int>>;

Adjacency adjacency(const BlockPattern& pattern) {
  if (pattern.row_nodes() != pattern.column_nodes()) {
    throw std::invalid_argument("elimination_order: the block pattern is not square");
  }
  Adjacency neighbours(pattern.row_nodes());
  for (int k = 0; k < pattern.blocks(); ++k) {
    const int i = pattern.row_node(k), j = pattern.column_node(k);
    if (pattern.row_size(i) != pattern.column_size(i)) {
      throw std::invalid_argument("elimination_order: rows and columns of a node differ in number");
    }
    if (i == j) continue;
    if (pattern.find(j, i) < 0) {
      throw std::invalid_argument("elimination_order: the pattern has block (" + std::to_string(i) +
                                  ", " + std::to_string(j) + ") but not its transpose");
    }
    neighbours[i].push_back(j);
  }
  return neighbours;
}

/// Breadth-first spanning forest of the coordinates, linked by tree multipliers.
struct Forest {
  std::vector<int> parent, tree_multiplier, depth, root;
  std::vector<int> child;  // per multiplier: the coordinate it leads to, or -1
  bool simple_cycles = true;

  Forest(const BlockPattern& pattern, std::span<const NodeKind> kinds, const Adjacency& neighbours)
      : parent(kinds.size(), kNone),
        tree_multiplier(kinds.size(), kNone),
        depth(kinds.size(), 0),
        root(kinds.size(), kNone),
        child(kinds.size(), kNone),
        kinds_(kinds),
        neighbours_(neighbours),
        pattern_(pattern),
        unreached_(kinds.size(), 0) {
    const int nodes = static_cast<int>(kinds.size());
    std::vector<int> seeds;
    for (int node = 0; node < nodes; ++node) {
      if (kinds[node] == NodeKind::coordinate) {
        seeds.push_back(node);
        continue;
      }
      for (const int other : neighbours[node]) {
        unreached_[node] += kinds[other] == NodeKind::coordinate ? 1 : 0;
      }
    }
    for (int node = 0; node < nodes; ++node) {
      if (kinds[node] == NodeKind::multiplier && unreached_[node] == 1) reach_through(node, kNone);
    }
    grow();
    // What is not tied to ground floats; its root is the busiest coordinate.
    std::stable_sort(seeds.begin(), seeds.end(), [&](int a, int b) {
      return neighbours[a].size() > neighbours[b].size();
    });
    for (const int seed : seeds) {
      if (root[seed] != kNone) continue;
      reach(seed, kNone, kNone);
      grow();
    }
  }

  int lowest_common_ancestor(int a, int b) const {
    if (root[a] != root[b]) return kNone;
    while (a != b) {
      if (depth[a] < depth[b]) std::swap(a, b);
      a = parent[a];
    }
    return a;
  }

 private:
  void reach(int coordinate, int from, int through) {
    parent[coordinate] = from;
    tree_multiplier[coordinate] = through;
    depth[coordinate] = from == kNone ? 0 : depth[from] + 1;
    root[coordinate] = from == kNone ? coordinate : root[from];
    if (through != kNone) child[through] = coordinate;
    queue_.push(coordinate);
  }

  void reach_through(int multiplier, int from) {
    int coordinates = 0, target = kNone;
    for (const int other : neighbours_[multiplier]) {
      if (kinds_[other] != NodeKind::coordinate) continue;
      ++coordinates;
      if (root[other] == kNone) target = other;
    }
    if (target == kNone || pattern_.row_size(multiplier) > pattern_.row_size(target)) return;
    if (coordinates > 2) simple_cycles = false;
    reach(target, from, multiplier);
  }

  void grow() {
    while (!queue_.empty()) {
      const int coordinate = queue_.front();
      queue_.pop();
      for (const int other : neighbours_[coordinate]) {
        if (kinds_[other] == NodeKind::multiplier && --unreached_[other] == 1) {
          reach_through(other, coordinate);
        }
      }
    }
  }

  std::span<const NodeKind> kinds_;
  const Adjacency& neighbours_;
  const BlockPattern& pattern_;
  std::vector<int> unreached_;  // per multiplier: coordinates not yet left by the search
  std::queue<int> queue_;
};

/// Says when a multiplier may go. A multiplier that has to wait watches one node it waits for and
/// is asked again when that node is eliminated, so that each walks its cycle only once.
class Precedence {
 public:
  Precedence(const Forest& forest, std::span<const NodeKind> kinds, const Adjacency& neighbours)
      : forest_(forest), kinds_(kinds), walks_(kinds.size()), watchers_(kinds.size()) {
    for (std::size_t node = 0; node < kinds.size(); ++node) {
      if (kinds[node] == NodeKind::coordinate) continue;
      Walk& walk = walks_[node];
      if (forest.child[node] != kNone) {
        walk.ends = {forest.child[node]};
        continue;
      }
      ++closers_;
      for (const int other : neighbours[node]) {
        if (kinds[other] == NodeKind::coordinate) walk.ends.push_back(other);
      }
      if (walk.ends.size() > 1) {
        walk.stop = walk.ends[0];
        for (const int end : walk.ends) {
          if (walk.stop != kNone) walk.stop = forest.lowest_common_ancestor(walk.stop, end);
        }
      }
      if (!walk.ends.empty()) walk.at = walk.ends[0];
    }
    others_left_ = static_cast<int>(kinds.size()) - closers_;
  }

  /// Whether a node may be eliminated; if not, it is returned by released_by() later.
  bool ready(int node, const std::vector<char>& eliminated) {
    if (kinds_[node] == NodeKind::coordinate) return true;
    Walk& walk = walks_[node];
    if (forest_.child[node] != kNone) return eliminated[walk.ends[0]] || wait(node, walk.ends[0]);
    if (!forest_.simple_cycles) {
      if (others_left_ > 0) last_.push_back(node);
      return others_left_ == 0;
    }
    while (walk.end < walk.ends.size()) {
      for (; walk.at != walk.stop; walk.at = forest_.parent[walk.at]) {
        const int multiplier = forest_.tree_multiplier[walk.at];
        if (!eliminated[walk.at]) return wait(node, walk.at);
        if (multiplier != kNone && !eliminated[multiplier]) return wait(node, multiplier);
      }
      if (++walk.end < walk.ends.size()) walk.at = walk.ends[walk.end];
    }
    return true;
  }

  /// Nodes to ask again now that `node` is eliminated.
  std::vector<int> released_by(int node) {
    std::vector<int> released;
    released.swap(watchers_[node]);
    const bool closer = kinds_[node] == NodeKind::multiplier && forest_.child[node] == kNone;
    if (!closer && --others_left_ == 0) {
      released.insert(released.end(), last_.begin(), last_.end());
      last_.clear();
    }
    return released;
  }

 private:
  struct Walk {
    std::vector<int> ends;  // coordinates the walk starts from
    std::size_t end = 0;
    int at = kNone;
    int stop = kNone;  // lowest common ancestor, not part of the cycle
  };

  bool wait(int node, int on) {
    watchers_[on].push_back(node);
    return false;
  }

  const Forest& forest_;
  std::span<const NodeKind> kinds_;
  std::vector<Walk> walks_;
  std::vector<std::vector<int>> watchers_;
  std::vector<int> last_;
  int closers_ = 0;
  int others_left_ = 0;
};

/// The graph left to eliminate. Dead neighbours are dropped when a list is next scanned; the longest
/// list of a clique never is.
class EliminationGraph {
 public:
  EliminationGraph(const BlockPattern& pattern, Adjacency neighbours)
      : neighbours_(std::move(neighbours)),
        eliminated_(neighbours_.size(), 0),
        size_(neighbours_.size()),
        degree_(neighbours_.size(), 0),
        live_(neighbours_.size(), 0),
        mark_(neighbours_.size(), 0) {
    for (std::size_t node = 0; node < size_.size(); ++node) {
      size_[node] = pattern.row_size(static_cast<int>(node));
    }
    for (std::size_t node = 0; node < size_.size(); ++node) {
      live_[node] = static_cast<int>(neighbours_[node].size());
      for (const int other : neighbours_[node]) degree_[node] += size_[other];
    }
  }

  const std::vector<char>& eliminated() const { return eliminated_; }

  /// Scalars the elimination of a node would add to the graph.
  std::int64_t fill(int node) {
    if (live_[node] <= 1) return 0;
    if (live_[node] > kCountedNeighbours) return degree_[node] * degree_[node];
    compact(node);
    clique_ = neighbours_[node];
    sort_by_length(clique_);
    std::int64_t scalars = 0;
    for (std::size_t a = 0; a + 1 < clique_.size(); ++a) {
      mark_neighbours(clique_[a]);
      for (std::size_t b = a + 1; b < clique_.size(); ++b) {
        if (mark_[clique_[b]] != stamp_) scalars += 2 * size_[clique_[a]] * size_[clique_[b]];
      }
    }
    return scalars;
  }

  /// Eliminates a node, connects its neighbours with each other and returns them.
  const std::vector<int>& eliminate(int node) {
    compact(node);
    clique_ = std::move(neighbours_[node]);
    neighbours_[node].clear();
    eliminated_[node] = 1;
    for (const int other : clique_) {
      --live_[other];
      degree_[other] -= size_[node];
    }
    sort_by_length(clique_);
    for (std::size_t a = 0; a + 1 < clique_.size(); ++a) {
      mark_neighbours(clique_[a]);
      for (std::size_t b = a + 1; b < clique_.size(); ++b) {
        if (mark_[clique_[b]] != stamp_) connect(clique_[a], clique_[b]);
      }
    }
    return clique_;
  }

 private:
  void compact(int node) {
    std::erase_if(neighbours_[node], [&](int other) { return eliminated_[other] != 0; });
  }
  void sort_by_length(std::vector<int>& nodes) const {
    std::sort(nodes.begin(), nodes.end(), [&](int a, int b) {
      const auto length_a = neighbours_[a].size(), length_b = neighbours_[b].size();
      return length_a != length_b ? length_a < length_b : a < b;
    });
  }
  void mark_neighbours(int node) {
    compact(node);
    ++stamp_;
    for (const int other : neighbours_[node]) mark_[other] = stamp_;
  }
  void connect(int a, int b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
    ++live_[a];
    ++live_[b];
    degree_[a] += size_[b];
    degree_[b] += size_[a];
  }

  Adjacency neighbours_;
  std::vector<char> eliminated_;
  std::vector<std::int64_t> size_, degree_;
  std::vector<int> live_;
  std::vector<std::int64_t> mark_;
  std::int64_t stamp_ = 0;
  std::vector<int> clique_;
};

struct Candidate {
  std::int64_t fill;
  int time;  // when it became ready or its fill changed
  int node;
  bool operator<(const Candidate& other) const {  // the largest is eliminated first
    return fill != other.fill ? fill > other.fill : time < other.time;
  }
};

}  // namespace

EliminationOrder elimination_order(const BlockPattern& pattern, std::span<const NodeKind> kinds) {
  const int nodes = pattern.row_nodes();
  if (static_cast<int>(kinds.size()) != nodes) {
    throw std::invalid_argument("elimination_order: " + std::to_string(kinds.size()) +
                                " node kinds for " + std::to_string(nodes) + " nodes");
  }
  Adjacency neighbours = adjacency(pattern);
  const Forest forest(pattern, kinds, neighbours);
  Precedence precedence(forest, kinds, neighbours);
  EliminationGraph graph(pattern, std::move(neighbours));

  std::priority_queue<Candidate> candidates;
  std::vector<int> current(nodes, kNone);  // time of a node's valid entry in the queue
  int time = 0;
  const auto offer = [&](int node) {
    current[node] = time;
    candidates.push({graph.fill(node), time++, node});
  };

  EliminationOrder result;
  result.order.reserve(nodes);
  for (int node = 0; node < nodes; ++node) {
    if (precedence.ready(node, graph.eliminated())) offer(node);
  }
  std::vector<int> touched;
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    if (graph.eliminated()[best.node] || current[best.node] != best.time) continue;
    result.order.push_back(best.node);
    touched = graph.eliminate(best.node);
    for (const int node : touched) {
      if (current[node] != kNone) offer(node);
    }
    for (const int node : precedence.released_by(best.node)) {
      if (current[node] == kNone && precedence.ready(node, graph.eliminated())) offer(node);
    }
  }

  result.parent = forest.parent;
  result.tree_multiplier = forest.tree_multiplier;
  for (int node = 0; node < nodes; ++node) {
    if (kinds[node] == NodeKind::multiplier && forest.child[node] == kNone) {
      result.loop_closers.push_back(node);
    }
  }
  return result;
}

}  // namespace daedal::linear
