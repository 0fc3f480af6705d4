#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "daedal/linear/block_matrix.hpp"
#include "daedal/linear/solver.hpp"

namespace daedal::linear::test {

struct Joint {
  int rows;
  std::vector<int> bodies;  // one: tied to ground
};

/// A mechanism reduced to its graph, and random saddle-point matrices on it: nodes are the bodies,
/// then the joints.
struct Graph {
  std::string name;
  std::vector<int> bodies;  // coordinates of each
  std::vector<Joint> joints;
  std::vector<std::pair<int, int>> forces;  // bodies coupled by a force

  int body_count() const { return static_cast<int>(bodies.size()); }
  int joint_node(int joint) const { return body_count() + joint; }

  std::vector<NodeKind> kinds() const {
    std::vector<NodeKind> result(bodies.size(), NodeKind::coordinate);
    result.resize(bodies.size() + joints.size(), NodeKind::multiplier);
    return result;
  }

  std::shared_ptr<const BlockPattern> pattern(bool multiplier_diagonals = true) const {
    std::vector<int> sizes = bodies;
    std::vector<std::pair<int, int>> blocks;
    for (int body = 0; body < body_count(); ++body) blocks.emplace_back(body, body);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int node = joint_node(static_cast<int>(j));
      sizes.push_back(joints[j].rows);
      if (multiplier_diagonals) blocks.emplace_back(node, node);
      for (const int body : joints[j].bodies) {
        blocks.emplace_back(node, body);
        blocks.emplace_back(body, node);
      }
    }
    for (const auto& [a, b] : forces) {
      blocks.emplace_back(a, b);
      blocks.emplace_back(b, a);
    }
    return std::make_shared<const BlockPattern>(sizes, sizes, blocks);
  }

  /// H positive definite, or near it in the general case; G random; C = 0.
  BlockMatrix matrix(Symmetry symmetry, unsigned seed = 1, bool multiplier_diagonals = true) const {
    BlockMatrix A(pattern(multiplier_diagonals));
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto sample = [&](Eigen::Index rows, Eigen::Index columns) {
      return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }).eval();
    };
    const bool general = symmetry == Symmetry::general;
    const auto block = [&](int i, int j) { return A.block(A.pattern().find(i, j)); };
    for (int body = 0; body < body_count(); ++body) {
      const Eigen::MatrixXd B = sample(bodies[body], bodies[body]);
      block(body, body) = B * B.transpose() + Eigen::MatrixXd::Identity(B.rows(), B.cols());
      if (general) block(body, body) += 0.5 * sample(bodies[body], bodies[body]);
    }
    for (const auto& [a, b] : forces) {
      const Eigen::MatrixXd B = sample(bodies[a], 3), C = sample(bodies[b], 3);
      block(a, a) += B * B.transpose();
      block(b, b) += C * C.transpose();
      block(a, b) -= B * C.transpose();
      block(b, a) -= C * B.transpose();
      if (general) block(a, b) += 0.1 * sample(bodies[a], bodies[b]);
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int node = joint_node(static_cast<int>(j));
      for (const int body : joints[j].bodies) {
        const Eigen::MatrixXd G = sample(joints[j].rows, bodies[body]);
        block(node, body) = G;
        block(body, node) = G.transpose();
        if (general) block(body, node) += 0.1 * sample(bodies[body], joints[j].rows);
      }
    }
    return A;
  }
};

inline Graph chain(int n, int body = 6, int joint = 5) {
  Graph graph{"chain", std::vector<int>(n, body), {{joint, {0}}}, {}};
  for (int i = 1; i < n; ++i) graph.joints.push_back({joint, {i - 1, i}});
  return graph;
}

/// Body 0 is the hub and floats.
inline Graph star(int n, int body = 6, int joint = 5) {
  Graph graph{"star", std::vector<int>(n, body), {}, {}};
  for (int i = 1; i < n; ++i) graph.joints.push_back({joint, {0, i}});
  return graph;
}

inline Graph binary_tree(int n) {
  Graph graph{"binary_tree", std::vector<int>(n, 6), {{5, {0}}}, {}};
  for (int i = 1; i < n; ++i) graph.joints.push_back({3 + i % 3, {(i - 1) / 2, i}});
  return graph;
}

/// Planar four-bar linkages, each carried by the coupler of the one before.
inline Graph four_bar_chain(int loops) {
  Graph graph{"four_bar_chain", std::vector<int>(3 * loops, 3), {}, {}};
  int base = -1;
  for (int loop = 0; loop < loops; ++loop) {
    const int a = 3 * loop, b = a + 1, c = a + 2;
    const auto on_base = [&](int body) {
      return base < 0 ? std::vector<int>{body} : std::vector<int>{base, body};
    };
    graph.joints.push_back({2, on_base(a)});
    graph.joints.push_back({2, {a, b}});
    graph.joints.push_back({2, {b, c}});
    graph.joints.push_back({2, on_base(c)});
    base = b;
  }
  return graph;
}

/// One loop through n bodies, closed to ground at both ends.
inline Graph ring(int n) {
  Graph graph = chain(n);
  graph.name = "ring";
  graph.joints.push_back({4, {n - 1}});
  return graph;
}

inline Graph force_coupled(int n) {
  Graph graph = chain(n);
  graph.name = "force_coupled";
  for (int i = 0; i + 2 < n; i += 2) graph.forces.emplace_back(i, i + 2);
  for (int i = 0; i < 3; ++i) {  // bodies held by forces alone
    graph.bodies.push_back(3);
    graph.forces.emplace_back(i, graph.body_count() - 1);
  }
  return graph;
}

inline Graph mixed_sizes() {
  Graph graph{"mixed_sizes", {12, 1, 6, 2, 3, 12, 5, 6, 7, 12}, {}, {}};
  graph.joints = {{5, {0}},    {1, {0, 1}}, {3, {0, 2}},    {2, {2, 3}},  {3, {2, 4}}, {10, {0, 5}},
                  {4, {5, 6}}, {6, {5, 7}}, {1, {6, 7, 8}}, {7, {7, 8}}, {11, {5, 9}}, {2, {1, 5, 9}}};
  graph.forces = {{3, 4}, {6, 9}};
  return graph;
}

inline std::vector<Graph> graphs() {
  return {chain(1),         chain(2), chain(40),         star(30),    binary_tree(31),
          four_bar_chain(9), ring(12), force_coupled(11), mixed_sizes()};
}

inline std::vector<double> random_vector(int n, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(n);
  for (double& entry : x) entry = normal(random);
  return x;
}

}  // namespace daedal::linear::test
