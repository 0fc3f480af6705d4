#include "daedal/doctor/parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedal::doctor {

namespace {

std::vector<double> largest(int count, const std::vector<int>& part, std::span<const double> values) {
  std::vector<double> out(count, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double& m = out[part[i]];
    if (!(std::abs(values[i]) <= m) && !std::isnan(m)) m = std::abs(values[i]);
  }
  return out;
}

}  // namespace

Parts::Parts(const system::Structure& structure)
    : of_row_(structure.constraint_rows), of_coordinate_(structure.dof()) {
  const linear::BlockPattern& p = *structure.constraint;
  std::vector<int> parent(structure.coordinates.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (int i = 0; i < p.row_nodes(); ++i) {
    for (int k = p.row_begin(i) + 1; k < p.row_begin(i + 1); ++k) {
      parent[root(p.column_node(k))] = root(p.column_node(p.row_begin(i)));
    }
  }
  std::vector<int> number(parent.size(), -1);
  for (std::size_t i = 0; i < parent.size(); ++i) {
    int& part = number[root(static_cast<int>(i))];
    if (part < 0) part = count_++;
    std::fill_n(of_coordinate_.begin() + structure.coordinates[i].offset,
                structure.coordinates[i].size, part);
  }
  for (int i = 0; i < p.row_nodes(); ++i) {
    if (p.row_begin(i) == p.row_begin(i + 1)) continue;
    std::fill_n(of_row_.begin() + p.row_offset(i), p.row_size(i),
                number[root(p.column_node(p.row_begin(i)))]);
  }
  // A rotation stores one number more than it has tangent coordinates.
  auto rotation = structure.manifold.rotations().begin();
  for (int i = 0; i < structure.dof(); ++i) {
    if (rotation != structure.manifold.rotations().end() && rotation->tangent == i) {
      of_storage_.push_back(of_coordinate_[i]);
      ++rotation;
    }
    of_storage_.push_back(of_coordinate_[i]);
  }
}

std::vector<double> Parts::largest_row(std::span<const double> values) const {
  return largest(count_, of_row_, values);
}

std::vector<double> Parts::largest_coordinate(std::span<const double> values) const {
  return largest(count_, of_coordinate_, values);
}

std::vector<double> Parts::largest_stored(std::span<const double> values) const {
  return largest(count_, of_storage_, values);
}

}  // namespace daedal::doctor
