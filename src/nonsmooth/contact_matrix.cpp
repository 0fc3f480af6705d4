#include "daedal/nonsmooth/contact_matrix.hpp"

#include <cassert>

namespace daedal::nonsmooth {

void ContactMatrix::clear(int dimension) {
  assert(dimension >= 1 && dimension <= 3);
  dimension_ = dimension;
  begin_.assign(1, 0);
  column_.clear();
  diagonal_.clear();
  values_.clear();
}

void ContactMatrix::reserve(int contacts, int blocks) {
  begin_.reserve(contacts + 1);
  diagonal_.reserve(contacts);
  column_.reserve(blocks);
  values_.reserve(static_cast<std::size_t>(blocks) * 9);
}

int ContactMatrix::add_row() {
  begin_.push_back(begin_.back());
  diagonal_.push_back(-1);
  return contacts() - 1;
}

Eigen::Map<Eigen::MatrixXd> ContactMatrix::add_block(int column) {
  assert(contacts() > 0);
  if (column == contacts() - 1) diagonal_.back() = blocks();
  column_.push_back(column);
  ++begin_.back();
  const std::size_t size = static_cast<std::size_t>(dimension_) * dimension_;
  values_.resize(values_.size() + size, 0.0);
  return {values_.data() + values_.size() - size, dimension_, dimension_};
}

void ContactMatrix::assign(MatrixIn W, int dimension) {
  clear(dimension);
  const int d = dimension, count = static_cast<int>(W.rows()) / d;
  for (int k = 0; k < count; ++k) {
    add_row();
    for (int j = 0; j < count; ++j) {
      const auto block = W.block(k * d, j * d, d, d);
      if (j == k || !block.isZero(0.0)) add_block(j) = block;
    }
  }
}

Eigen::MatrixXd ContactMatrix::dense() const {
  const int d = dimension_;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(contacts() * d, contacts() * d);
  for (int k = 0; k < contacts(); ++k) {
    for (int b = begin(k); b < end(k); ++b) {
      W.block(k * d, column(b) * d, d, d) += Eigen::Map<const Eigen::MatrixXd>(values(b), d, d);
    }
  }
  return W;
}

}  // namespace daedal::nonsmooth
