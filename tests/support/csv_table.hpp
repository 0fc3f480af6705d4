#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace daedal::testing {

/// A reference file of tests/data: one line of names, then numbers.
struct CsvTable {
  explicit CsvTable(const std::string& file) {
    std::ifstream in(std::string(DAEDAL_SOURCE_DIR) + "/tests/data/" + file);
    if (!in) throw std::runtime_error("no such reference file: " + file);
    std::string line, cell;
    std::getline(in, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    while (std::getline(in, line)) {
      std::vector<double>& row = rows.emplace_back();
      for (std::istringstream cells(line); std::getline(cells, cell, ',');) {
        row.push_back(std::stod(cell));
      }
    }
  }
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

}  // namespace daedal::testing
