#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace daedal::linear {

/// Where the nonzero blocks of a matrix are.
///
/// Rows and columns are grouped into nodes: a body's six velocities, the five multipliers of a
/// hinge. A block couples two nodes and is stored densely, row by row. Blocks are ordered by row
/// node, then by column node. A pattern never changes once it is built: whoever fills a matrix
/// looks up value offsets once and scatters through them ever after.
class BlockPattern {
 public:
  BlockPattern() = default;

  /// `row_sizes`, `column_sizes`: number of scalar rows and columns of each node.
  /// `blocks`: (row node, column node) in any order; repeated pairs count once.
  BlockPattern(std::vector<int> row_sizes, std::vector<int> column_sizes,
               std::vector<std::pair<int, int>> blocks);

  int row_nodes() const { return static_cast<int>(row_offset_.size()) - 1; }
  int column_nodes() const { return static_cast<int>(column_offset_.size()) - 1; }
  int rows() const { return row_offset_.back(); }
  int columns() const { return column_offset_.back(); }
  int row_size(int node) const { return row_offset_[node + 1] - row_offset_[node]; }
  int column_size(int node) const { return column_offset_[node + 1] - column_offset_[node]; }
  int row_offset(int node) const { return row_offset_[node]; }
  int column_offset(int node) const { return column_offset_[node]; }

  int blocks() const { return static_cast<int>(column_node_.size()); }
  /// Blocks of a row node are [row_begin(i), row_begin(i + 1)).
  int row_begin(int node) const { return row_begin_[node]; }
  int row_node(int block) const { return row_node_[block]; }
  int column_node(int block) const { return column_node_[block]; }
  int value_offset(int block) const { return value_offset_[block]; }
  /// Number of stored scalars.
  int values() const { return value_offset_.back(); }

  /// Index of the block that couples two nodes, or -1.
  int find(int row_node, int column_node) const;

  bool operator==(const BlockPattern&) const = default;

 private:
  std::vector<int> row_offset_{0}, column_offset_{0};
  std::vector<int> row_begin_{0};
  std::vector<int> row_node_, column_node_;
  std::vector<int> value_offset_{0};
};

/// A matrix on a BlockPattern.
class BlockMatrix {
 public:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  BlockMatrix() = default;
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
      : pattern_(std::move(pattern)), values_(pattern_->values(), 0.0) {}

  const BlockPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }

  void set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }
  Eigen::Map<RowMajor> block(int k) {
    return {values_.data() + pattern_->value_offset(k), pattern_->row_size(pattern_->row_node(k)),
            pattern_->column_size(pattern_->column_node(k))};
  }
  Eigen::Map<const RowMajor> block(int k) const {
    return {values_.data() + pattern_->value_offset(k), pattern_->row_size(pattern_->row_node(k)),
            pattern_->column_size(pattern_->column_node(k))};
  }

  /// y += scale * A x
  void multiply_add(std::span<const double> x, std::span<double> y, double scale = 1.0) const;
  /// y += scale * A^T x
  void transpose_multiply_add(std::span<const double> x, std::span<double> y,
                              double scale = 1.0) const;
  Eigen::MatrixXd dense() const;
  double infinity_norm() const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> values_;
};

}  // namespace daedal::linear
