#pragma once

#include <array>
#include <span>

#include "daedal/coordinates/absolute/frame.hpp"

namespace daedal::coordinates::absolute {

/// How an element between two bodies reaches its entries of the system: bodies by frame, blocks by
/// value offsets that were looked up once. The ground has a frame and no entries.
template <int D>
struct Links {
  std::array<int, 2> frame{};                 // index into the frames
  std::array<int, 2> dof{-1, -1};             // first velocity of the body, -1: ground
  std::array<int, 2> width{0, 0};             // scalars of the body's node
  std::array<std::array<int, 2>, 2> K{{{-1, -1}, {-1, -1}}};  // blocks of the stiffness
  std::array<std::array<int, 2>, 2> D_{{{-1, -1}, {-1, -1}}};  // blocks of the damping

  bool present(int body) const { return dof[body] >= 0; }
  bool rotates(int body) const { return width[body] == Geometry<D>::kDof; }
};

/// Adds sub-blocks to the 2 x 2 blocks of an element in a block matrix.
template <int D>
struct BlockSink {
  double* values;
  const Links<D>& links;
  const std::array<std::array<int, 2>, 2>& offset;

  template <class Sub>
  void operator()(int i, int j, int row, int column, const Sub& sub) const {
    if (offset[i][j] < 0) return;
    if ((row && !links.rotates(i)) || (column && !links.rotates(j))) return;
    const int width = links.width[j];
    double* at = values + offset[i][j] + row * width + column;
    for (int r = 0; r < sub.rows(); ++r) {
      for (int c = 0; c < sub.cols(); ++c) at[r * width + c] += sub(r, c);
    }
  }
};

/// Contracts sub-blocks with the velocities of the two bodies: row = v^T H.
template <int D>
struct RowSink {
  using Row = Eigen::Matrix<double, 1, Geometry<D>::kDof>;
  const std::array<Row, 2>& v;
  std::array<Row, 2>& row_out;

  template <class Sub>
  void operator()(int i, int j, int row, int column, const Sub& sub) const {
    // Compile-time sizes: g++ 12 misjudges the bounds of run-time ones.
    row_out[j].template segment<Sub::ColsAtCompileTime>(column) +=
        v[i].template segment<Sub::RowsAtCompileTime>(row) * sub;
  }
};

}  // namespace daedal::coordinates::absolute
