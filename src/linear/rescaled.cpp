#include "daedal/linear/rescaled.hpp"

#include <utility>

namespace daedal::linear {

namespace {

void multiply(std::span<double> x, const std::vector<double>& by) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= by[i];
}

}  // namespace

RescaledSolver::RescaledSolver(std::string_view solver, std::vector<double> left,
                               std::vector<double> right)
    : inner_(make_solver(solver)), left_(std::move(left)), right_(std::move(right)) {}

void RescaledSolver::analyse(std::shared_ptr<const BlockPattern> pattern,
                             std::span<const NodeKind> kinds) {
  scaled_ = BlockMatrix(pattern);
  inner_->analyse(std::move(pattern), kinds);
}

FactorStatus RescaledSolver::factorise(const BlockMatrix& A, Symmetry symmetry) {
  const BlockPattern& p = A.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    const auto from = A.block(k);
    auto to = scaled_.block(k);
    const int row = p.row_offset(p.row_node(k)), column = p.column_offset(p.column_node(k));
    for (int r = 0; r < from.rows(); ++r) {
      for (int c = 0; c < from.cols(); ++c) {
        to(r, c) = left_[row + r] * from(r, c) * right_[column + c];
      }
    }
  }
  return inner_->factorise(scaled_, symmetry);
}

void RescaledSolver::solve(std::span<double> b) {
  multiply(b, left_);
  inner_->solve(b);
  multiply(b, right_);
}

void RescaledSolver::solve_transposed(std::span<double> b) {
  multiply(b, right_);
  inner_->solve_transposed(b);
  multiply(b, left_);
}

}  // namespace daedal::linear
