#pragma once

#include <vector>

#include "daedal/linear/block_matrix.hpp"

namespace daedal::correct {

/// Greedy colouring of the column nodes of a pattern: two columns of one colour have no row in
/// common, so that one difference quotient yields both [Curtis1974].
std::vector<int> colour_columns(const linear::BlockPattern& pattern);

}  // namespace daedal::correct
