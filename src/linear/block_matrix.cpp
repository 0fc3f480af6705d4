#include "daedal/linear/block_matrix.hpp"

#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

namespace daedal::linear {

namespace {

std::vector<int> offsets(const std::vector<int>& sizes, const char* what) {
  std::vector<int> offset{0};
  offset.reserve(sizes.size() + 1);
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    if (sizes[node] < 0) {
      throw std::invalid_argument("BlockPattern: " + std::string(what) + " node " +
                                  std::to_string(node) + " has size " +
                                  std::to_string(sizes[node]) + "; sizes are not negative");
    }
    offset.push_back(offset.back() + sizes[node]);
  }
  return offset;
}

}  // namespace

BlockPattern::BlockPattern(std::vector<int> row_sizes, std::vector<int> column_sizes,
                           std::vector<std::pair<int, int>> blocks)
    : row_offset_(offsets(row_sizes, "row")), column_offset_(offsets(column_sizes, "column")) {
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  row_begin_.assign(row_sizes.size() + 1, 0);
  row_node_.reserve(blocks.size());
  column_node_.reserve(blocks.size());
  value_offset_.reserve(blocks.size() + 1);
  for (const auto& [i, j] : blocks) {
    if (i < 0 || i >= row_nodes() || j < 0 || j >= column_nodes()) {
      throw std::invalid_argument("BlockPattern: block (" + std::to_string(i) + ", " +
                                  std::to_string(j) + ") outside a grid of " +
                                  std::to_string(row_nodes()) + " x " +
                                  std::to_string(column_nodes()) + " nodes");
    }
    ++row_begin_[i + 1];
    row_node_.push_back(i);
    column_node_.push_back(j);
    value_offset_.push_back(value_offset_.back() + row_sizes[i] * column_sizes[j]);
  }
  for (std::size_t i = 0; i < row_sizes.size(); ++i) row_begin_[i + 1] += row_begin_[i];
}

int BlockPattern::find(int row_node, int column_node) const {
  const auto begin = column_node_.begin() + row_begin_[row_node];
  const auto end = column_node_.begin() + row_begin_[row_node + 1];
  const auto it = std::lower_bound(begin, end, column_node);
  return it != end && *it == column_node ? static_cast<int>(it - column_node_.begin()) : -1;
}

void BlockMatrix::multiply_add(std::span<const double> x, std::span<double> y,
                               double scale) const {
  assert(static_cast<int>(x.size()) == pattern_->columns());
  assert(static_cast<int>(y.size()) == pattern_->rows());
  for (int k = 0; k < pattern_->blocks(); ++k) {
    const int i = pattern_->row_node(k), j = pattern_->column_node(k);
    const int rows = pattern_->row_size(i), columns = pattern_->column_size(j);
    const double* a = values_.data() + pattern_->value_offset(k);
    const double* xj = x.data() + pattern_->column_offset(j);
    double* yi = y.data() + pattern_->row_offset(i);
    for (int r = 0; r < rows; ++r, a += columns) {
      double sum = 0.0;
      for (int c = 0; c < columns; ++c) sum += a[c] * xj[c];
      yi[r] += scale * sum;
    }
  }
}

void BlockMatrix::transpose_multiply_add(std::span<const double> x, std::span<double> y,
                                         double scale) const {
  assert(static_cast<int>(x.size()) == pattern_->rows());
  assert(static_cast<int>(y.size()) == pattern_->columns());
  for (int k = 0; k < pattern_->blocks(); ++k) {
    const int i = pattern_->row_node(k), j = pattern_->column_node(k);
    const int rows = pattern_->row_size(i), columns = pattern_->column_size(j);
    const double* a = values_.data() + pattern_->value_offset(k);
    const double* xi = x.data() + pattern_->row_offset(i);
    double* yj = y.data() + pattern_->column_offset(j);
    for (int r = 0; r < rows; ++r, a += columns) {
      const double factor = scale * xi[r];
      for (int c = 0; c < columns; ++c) yj[c] += a[c] * factor;
    }
  }
}

Eigen::MatrixXd BlockMatrix::dense() const {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(pattern_->rows(), pattern_->columns());
  for (int k = 0; k < pattern_->blocks(); ++k) {
    const auto B = block(k);
    D.block(pattern_->row_offset(pattern_->row_node(k)),
            pattern_->column_offset(pattern_->column_node(k)), B.rows(), B.cols()) = B;
  }
  return D;
}

double BlockMatrix::infinity_norm() const {
  double norm = 0.0;
  for (int i = 0; i < pattern_->row_nodes(); ++i) {
    for (int r = 0; r < pattern_->row_size(i); ++r) {
      double sum = 0.0;
      for (int k = pattern_->row_begin(i); k < pattern_->row_begin(i + 1); ++k) {
        const int columns = pattern_->column_size(pattern_->column_node(k));
        const double* a = values_.data() + pattern_->value_offset(k) + r * columns;
        for (int c = 0; c < columns; ++c) sum += std::abs(a[c]);
      }
      if (!(sum <= norm)) norm = sum;  // a NaN is kept
    }
  }
  return norm;
}

}  // namespace daedal::linear
