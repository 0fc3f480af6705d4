#pragma once

#include <vector>

#include "daedal/model/model.hpp"

namespace daedal::coordinates::joint {

/// How a body hangs in the tree: by a joint, or free to move from the ground.
struct Branch {
  int parent = -1;        // body, -1: the ground
  int joint = -1;         // in the model, -1: none, the body is free
  bool reversed = false;  // the body is the first of the joint's two
};

/// The joints that carry the bodies, and those that close loops. Bodies are reached from the ground
/// over as few joints as possible; of several ways the one with fewer freedoms is taken. Joints that
/// must carry a body come before all others.
struct SpanningTree {
  std::vector<Branch> branch;  // of each body
  std::vector<int> order;      // bodies, parents first
  std::vector<int> cut;        // joints that close loops, in the order of the model
};

SpanningTree spanning_tree(const model::Model& model);

/// Number of coordinates that a joint has in a tree.
int freedom_count(const model::Model& model, const model::Joint& joint);

}  // namespace daedal::coordinates::joint
