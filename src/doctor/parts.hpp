#pragma once

#include <span>
#include <vector>

#include "daedal/system/constrained_system.hpp"

namespace daedal::doctor {

/// The parts of a mechanism that no constraint connects. What is small in one is judged by its own
/// size, so that nothing said of a part depends on another.
class Parts {
 public:
  explicit Parts(const system::Structure& structure);

  int count() const { return count_; }
  int of_row(int row) const { return of_row_[row]; }
  int of_coordinate(int index) const { return of_coordinate_[index]; }  // of the tangent space
  int of_storage(int index) const { return of_storage_[index]; }        // of the manifold

  /// By part, the largest size of rows, tangent coordinates or stored coordinates. NaN stays.
  std::vector<double> largest_row(std::span<const double> values) const;
  std::vector<double> largest_coordinate(std::span<const double> values) const;
  std::vector<double> largest_stored(std::span<const double> values) const;

 private:
  int count_ = 0;
  std::vector<int> of_row_, of_coordinate_, of_storage_;
};

}  // namespace daedal::doctor
