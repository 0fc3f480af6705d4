#pragma once

#include <cstddef>
#include <vector>

#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

/// The Delassus operator W = G M^-1 G^T of contacts, as sparse square blocks: contacts k and j are
/// coupled if they touch a common body.
///
/// `dimension` components per contact: the normal, then the tangents; 1 without friction, 2 in the
/// plane, 3 in space. Rows are added in order, blocks of a row in any order; each row has its
/// diagonal block. clear() keeps the memory, so refilling allocates nothing once it was that large.
class ContactMatrix {
 public:
  void clear(int dimension);
  void reserve(int contacts, int blocks);
  /// Opens the row of the next contact and returns its number.
  int add_row();
  /// A zero block of the row just opened, column by column; valid until the next call.
  Eigen::Map<Eigen::MatrixXd> add_block(int column);

  /// The blocks that are not zero, and those of the diagonal, of a matrix given in full.
  void assign(MatrixIn W, int dimension);
  Eigen::MatrixXd dense() const;

  int dimension() const { return dimension_; }
  int contacts() const { return static_cast<int>(begin_.size()) - 1; }
  int blocks() const { return static_cast<int>(column_.size()); }
  int begin(int contact) const { return begin_[contact]; }
  int end(int contact) const { return begin_[contact + 1]; }
  int column(int block) const { return column_[block]; }
  int diagonal(int contact) const { return diagonal_[contact]; }  // -1: missing
  const double* values(int block) const {
    return values_.data() + static_cast<std::size_t>(block) * dimension_ * dimension_;
  }

 private:
  int dimension_ = 1;
  std::vector<int> begin_{0};
  std::vector<int> column_;
  std::vector<int> diagonal_;
  std::vector<double> values_;
};

}  // namespace daedal::nonsmooth
