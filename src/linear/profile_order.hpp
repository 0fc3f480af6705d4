#pragma once

#include <span>
#include <vector>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// An order of the nodes that keeps the profile of a saddle-point matrix small: coordinates by
/// Cuthill and McKee's breadth-first search (or its reverse, whichever has the smaller profile),
/// each multiplier right after the last coordinate it couples.
std::vector<int> profile_order(const BlockPattern& pattern, std::span<const NodeKind> kinds);

}  // namespace daedal::linear
