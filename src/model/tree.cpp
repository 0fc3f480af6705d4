#include "daedal/model/tree.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

namespace daedal::model {

namespace {

/// A joint on the way from a body, and the body at its other end.
struct Way {
  int body = -1, joint = -1;
};

/// Bodies and the joints that must carry them, as a forest. The last body is the ground.
class Forest {
 public:
  explicit Forest(std::size_t bodies) : ways_(bodies), root_(bodies) {
    for (std::size_t i = 0; i < bodies; ++i) root_[i] = static_cast<int>(i);
  }

  bool connected(int a, int b) { return find(a) == find(b); }
  void connect(int a, int b, int joint) {
    root_[find(a)] = find(b);
    ways_[a].push_back({b, joint});
    ways_[b].push_back({a, joint});
  }
  /// The joints between two connected bodies.
  std::vector<int> joints_between(int a, int b) const {
    std::vector<Way> back(ways_.size());
    std::vector<int> open{a};
    back[a].body = a;
    for (std::size_t i = 0; i < open.size() && back[b].body < 0; ++i) {
      for (const Way& way : ways_[open[i]]) {
        if (back[way.body].body >= 0) continue;
        back[way.body] = {open[i], way.joint};
        open.push_back(way.body);
      }
    }
    std::vector<int> joints;
    for (int i = b; i != a; i = back[i].body) joints.push_back(back[i].joint);
    return joints;
  }

 private:
  int find(int i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }

  std::vector<std::vector<Way>> ways_;  // of each body
  std::vector<int> root_;
};

std::string_view cannot_carry(const Joint& joint) {
  if (joint.type == JointType::distance) return "a distance joint";
  return joint.curved() ? "a surface with a height" : "a driven or loaded joint of a point mass";
}

}  // namespace

std::vector<bool> carriable(const Model& model) {
  std::unordered_set<std::string_view> points, loaded;
  for (const Body& body : model.bodies) {
    if (body.kind == BodyKind::point) points.insert(body.name);
  }
  for (const Force& force : model.forces) {
    if (const auto* s = std::get_if<JointSpring>(&force)) loaded.insert(s->joint);
    if (const auto* l = std::get_if<JointLoad>(&force)) loaded.insert(l->joint);
  }
  std::vector<bool> out;
  for (const Joint& joint : model.joints) {
    const bool at_point = points.contains(joint.on[0].body) || points.contains(joint.on[1].body);
    out.push_back(joint.type != JointType::distance && !joint.curved() &&
                  !(at_point && (joint.drive || loaded.contains(joint.name))));
  }
  return out;
}

std::vector<Problem> tree_problems(const Model& model) {
  const std::vector<bool> usable = carriable(model);
  const auto bodies = index_by_name(model.bodies);
  const auto body_at = [&](const Attachment& on) {
    const auto found = bodies.find(on.body);
    return found == bodies.end() ? static_cast<int>(model.bodies.size()) : found->second;
  };
  std::vector<Problem> problems;
  Forest forest(model.bodies.size() + 1);
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const Joint& joint = model.joints[j];
    if (!joint.in_tree()) continue;
    const std::string where = "joints." + joint.name + ".tree";
    const int a = body_at(joint.on[0]), b = body_at(joint.on[1]);
    if (!usable[j]) {
      problems.push_back({where, fmt::format("joint '{}': {} cannot carry a body in joint "
                                             "coordinates; remove 'tree' or set it to false",
                                             joint.name, cannot_carry(joint))});
    } else if (!forest.connected(a, b)) {
      forest.connect(a, b, j);
    } else if (a != b) {
      std::string others;
      for (int k : forest.joints_between(a, b)) {
        others += fmt::format("{}'{}'", others.empty() ? "" : ", ", model.joints[k].name);
      }
      problems.push_back({where, fmt::format("joint '{}': must carry a body, and closes a loop "
                                             "with {}, which must as well; set 'tree: false' for "
                                             "one of them",
                                             joint.name, others)});
    }
  }
  return problems;
}

}  // namespace daedal::model
