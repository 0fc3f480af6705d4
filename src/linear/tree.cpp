#include "daedal/linear/tree.hpp"

#include <algorithm>

namespace daedal::linear {

void TreeSolver::analyse(std::shared_ptr<const BlockPattern> pattern,
                         std::span<const NodeKind> kinds) {
  order_ = elimination_order(*pattern, kinds);
  symmetric_ = TreeProgram(*pattern, order_.order, Symmetry::symmetric);
  general_ = TreeProgram(*pattern, order_.order, Symmetry::general);

  std::size_t inverse = 0, largest = 0;
  for (int node = 0; node < pattern->row_nodes(); ++node) {
    const auto size = static_cast<std::size_t>(pattern->row_size(node));
    inverse += size * size;
    largest = std::max(largest, size);
  }
  factors_.values.assign(general_.factor_size, 0.0);
  factors_.inverse.assign(inverse, 0.0);
  factors_.exceptional.assign(pattern->row_nodes(), 0);
  factors_.exchange.assign(pattern->rows(), 0);
  factors_.scratch.assign(3 * largest * largest + 4 * largest, 0.0);
}

FactorStatus TreeSolver::factorise(const BlockMatrix& A, Symmetry symmetry) {
  symmetry_ = symmetry;
  return symmetry == Symmetry::symmetric
             ? factorise_symmetric(symmetric_, A.values().data(), factors_)
             : factorise_general(general_, A.values().data(), factors_);
}

void TreeSolver::solve(std::span<double> b) {
  if (symmetry_ == Symmetry::symmetric) {
    solve_symmetric(symmetric_, factors_, b.data());
  } else {
    solve_general(general_, factors_, b.data());
  }
}

void TreeSolver::solve_transposed(std::span<double> b) {
  if (symmetry_ == Symmetry::symmetric) {
    solve_symmetric(symmetric_, factors_, b.data());
  } else {
    solve_general_transposed(general_, factors_, b.data());
  }
}

std::size_t TreeSolver::factor_entries() const {
  return symmetry_ == Symmetry::symmetric ? symmetric_.factor_size : general_.factor_size;
}

}  // namespace daedal::linear
