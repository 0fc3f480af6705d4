#include "daedal/coordinates/joint/spanning_tree.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

namespace daedal::coordinates::joint {

using model::JointType;

namespace {

/// Cost of a joint on the way from the ground, and of each of its freedoms.
constexpr double kJoint = 1.0, kFreedom = 0.1;

struct Edge {
  int body;  // on the other side
  int joint;
  bool reversed;
  bool must_carry;
};

}  // namespace

int freedom_count(const model::Model& model, const model::Joint& joint) {
  const int held = joint.drive && !joint.drive->is_speed() ? 1 : 0;
  switch (joint.type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::prismatic:
      return 1 - held;
    case JointType::universal:
    case JointType::cylindrical:
      return 2 - held;
    case JointType::spherical:
      return model.planar ? 1 : 3;
    case JointType::screw:
      return 1 - held;
    case JointType::planar:
      return 3 - held;
    case JointType::surface:
      return (model.planar ? 2 : 5) - held;
    case JointType::free:
      return model.planar ? 3 : 6;
    case JointType::distance:
      break;
  }
  return 0;
}

SpanningTree spanning_tree(const model::Model& model) {
  const int n = static_cast<int>(model.bodies.size());
  const auto index = model::index_by_name(model.bodies);
  const auto body_of = [&](const std::string& name) {
    return name == model::kGround ? n : index.at(name);
  };
  std::vector<std::vector<Edge>> edges(n + 1);
  std::vector<double> cost(model.joints.size());
  const std::vector<bool> usable = model::carriable(model);
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const model::Joint& joint = model.joints[j];
    if (!usable[j] || (joint.tree && !*joint.tree)) continue;
    cost[j] = kJoint + kFreedom * freedom_count(model, joint);
    const int a = body_of(joint.on[0].body), b = body_of(joint.on[1].body);
    edges[a].push_back({b, j, false, joint.in_tree()});
    edges[b].push_back({a, j, true, joint.in_tree()});
  }

  SpanningTree tree;
  tree.branch.resize(n);
  std::vector<double> distance(n + 1, std::numeric_limits<double>::infinity());
  std::vector<bool> reached(n + 1, false);
  std::vector<bool> carries(model.joints.size(), false);
  using Entry = std::tuple<double, int, int>;  // distance, order of arrival, body
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  int arrivals = 0;
  const auto spread = [&](int root) {
    distance[root] = 0.0;
    open.push({0.0, arrivals++, root});
    while (!open.empty()) {
      const int body = std::get<2>(open.top());
      open.pop();
      if (reached[body]) continue;
      reached[body] = true;
      if (body < n) {
        tree.order.push_back(body);
        if (tree.branch[body].joint >= 0) carries[tree.branch[body].joint] = true;
      }
      for (const Edge& edge : edges[body]) {
        if (reached[edge.body]) continue;
        // Bodies on joints that must carry them are reached together, before any other way is.
        const double d = distance[body] + (edge.must_carry ? 0.0 : cost[edge.joint]);
        if (!edge.must_carry && d >= distance[edge.body]) continue;
        distance[edge.body] = d;
        tree.branch[edge.body] = {body == n ? -1 : body, edge.joint, edge.reversed};
        open.push({d, edge.must_carry ? -1 : arrivals++, edge.body});
      }
    }
  };
  spread(n);
  // What does not hang from the ground hangs from its best connected body.
  std::vector<int> by_degree(n);
  for (int i = 0; i < n; ++i) by_degree[i] = i;
  std::stable_sort(by_degree.begin(), by_degree.end(),
                   [&](int a, int b) { return edges[a].size() > edges[b].size(); });
  for (int root : by_degree) {
    if (!reached[root]) spread(root);
  }
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    if (!carries[j]) tree.cut.push_back(j);
  }
  return tree;
}

}  // namespace daedal::coordinates::joint
