#pragma once

#include <span>
#include <string>
#include <vector>

namespace daedal::io {

/// Where a square matrix has entries, in rows and columns that fall into named parts.
struct PatternPlot {
  struct Part {
    std::string name;
    int size;
  };
  std::string title;
  std::vector<Part> parts;
  std::vector<int> rows, columns;  // of each entry
};

/// Panels beside each other, each with a square for every entry and lines between the parts.
std::string svg(std::span<const PatternPlot> panels);

}  // namespace daedal::io
