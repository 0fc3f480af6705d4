#include "daedal/formulate/formulation.hpp"

namespace daedal::formulate {

void Layout::add(Role role_of_node, int size_of_node, int order_of_row, int order_of_unknown) {
  role.push_back(role_of_node);
  node_size.push_back(size_of_node);
  node_offset.push_back(size);
  row_order.push_back(order_of_row);
  unknown_order.push_back(order_of_unknown);
  size += size_of_node;
}

std::vector<linear::NodeKind> Layout::kinds() const {
  std::vector<linear::NodeKind> kinds;
  for (Role r : role) {
    const bool of_constraint = r == Role::multiplier || r == Role::correction;
    kinds.push_back(of_constraint ? linear::NodeKind::multiplier : linear::NodeKind::coordinate);
  }
  return kinds;
}

}  // namespace daedal::formulate
