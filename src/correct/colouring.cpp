#include "daedal/correct/colouring.hpp"

#include <algorithm>

namespace daedal::correct {

std::vector<int> colour_columns(const linear::BlockPattern& pattern) {
  std::vector<std::vector<int>> rows_of(pattern.column_nodes());
  for (int k = 0; k < pattern.blocks(); ++k) {
    rows_of[pattern.column_node(k)].push_back(pattern.row_node(k));
  }
  std::vector<int> colour(pattern.column_nodes(), -1);
  std::vector<int> taken_by;  // colour -> last column that found it taken
  for (int column = 0; column < pattern.column_nodes(); ++column) {
    for (int row : rows_of[column]) {
      for (int k = pattern.row_begin(row); k < pattern.row_begin(row + 1); ++k) {
        const int other = colour[pattern.column_node(k)];
        if (other >= 0) taken_by[other] = column;
      }
    }
    const auto free = std::find_if(taken_by.begin(), taken_by.end(),
                                   [&](int by) { return by != column; });
    colour[column] = static_cast<int>(free - taken_by.begin());
    if (free == taken_by.end()) taken_by.push_back(-1);
  }
  return colour;
}

}  // namespace daedal::correct
