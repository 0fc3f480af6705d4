#include "daedal/linear/bordered.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::linear {

namespace {

std::shared_ptr<const BlockPattern> one_block(int size) {
  return std::make_shared<const BlockPattern>(std::vector<int>{size}, std::vector<int>{size},
                                              std::vector<std::pair<int, int>>{{0, 0}});
}

constexpr NodeKind kOneNode = NodeKind::coordinate;

}  // namespace

BorderedSolver::BorderedSolver(Core& core, int core_nodes)
    : core_(core), core_nodes_(core_nodes), dense_(make_solver("dense")) {}

void BorderedSolver::analyse(std::shared_ptr<const BlockPattern> pattern,
                             std::span<const NodeKind> /*kinds*/) {
  const BlockPattern& p = *pattern;
  n_ = core_nodes_ < p.row_nodes() ? p.row_offset(core_nodes_) : p.rows();
  m_ = p.rows() - n_;
  B_.clear(), C_.clear(), E_.clear();
  for (int k = 0; k < p.blocks(); ++k) {
    const int i = p.row_node(k), j = p.column_node(k);
    Piece piece{p.row_offset(i), p.column_offset(j), p.value_offset(k), p.row_size(i),
                p.column_size(j)};
    if (i >= core_nodes_) piece.row -= n_;
    if (j >= core_nodes_) piece.column -= n_;
    if (i < core_nodes_ && j >= core_nodes_) B_.push_back(piece);
    if (i >= core_nodes_ && j < core_nodes_) C_.push_back(piece);
    if (i >= core_nodes_ && j >= core_nodes_) E_.push_back(piece);
  }
  responses_.setZero(n_, m_);
  schur_ = BlockMatrix(one_block(m_));
  left_.assign(m_, 1.0);
  right_.assign(m_, 1.0);
  y_.assign(m_, 0.0);
  dense_->analyse(schur_.shared_pattern(), {&kOneNode, 1});
}

FactorStatus BorderedSolver::factorise(const BlockMatrix& A, Symmetry /*symmetry*/) {
  A_ = &A;
  FactorStatus status = core_.factorise();
  if (!status || m_ == 0) return status;
  const double* values = A.values().data();
  responses_.setZero();
  for (const Piece& b : B_) {
    for (int r = 0; r < b.rows; ++r) {
      for (int c = 0; c < b.columns; ++c) {
        responses_(b.row + r, b.column + c) = values[b.from + r * b.columns + c];
      }
    }
  }
  for (int j = 0; j < m_; ++j) {
    core_.solve({responses_.col(j).data(), static_cast<std::size_t>(n_)});
  }
  auto S = schur_.block(0);
  S.setZero();
  for (const Piece& e : E_) {
    for (int r = 0; r < e.rows; ++r) {
      for (int c = 0; c < e.columns; ++c) {
        S(e.row + r, e.column + c) = values[e.from + r * e.columns + c];
      }
    }
  }
  for (const Piece& c : C_) {
    for (int r = 0; r < c.rows; ++r) {
      for (int k = 0; k < c.columns; ++k) {
        const double value = values[c.from + r * c.columns + k];
        if (value != 0.0) S.row(c.row + r) -= value * responses_.row(c.column + k);
      }
    }
  }
  for (int i = 0; i < m_; ++i) {
    const double size = S.row(i).cwiseAbs().maxCoeff();
    left_[i] = size > 0.0 ? 1.0 / size : 1.0;
    S.row(i) *= left_[i];
  }
  for (int j = 0; j < m_; ++j) {
    const double size = S.col(j).cwiseAbs().maxCoeff();
    right_[j] = size > 0.0 ? 1.0 / size : 1.0;
    S.col(j) *= right_[j];
  }
  status = dense_->factorise(schur_);
  if (!status && status.equation >= 0) status.equation += n_;
  return status;
}

void BorderedSolver::solve(std::span<double> b) {
  const std::span<double> x = b.first(n_), c = b.subspan(n_);
  core_.solve(x);
  if (m_ == 0) return;
  const double* values = A_->values().data();
  std::copy(c.begin(), c.end(), y_.begin());
  for (const Piece& at : C_) {
    for (int r = 0; r < at.rows; ++r) {
      for (int k = 0; k < at.columns; ++k) {
        y_[at.row + r] -= values[at.from + r * at.columns + k] * x[at.column + k];
      }
    }
  }
  for (int i = 0; i < m_; ++i) y_[i] *= left_[i];
  dense_->solve(y_);
  for (int j = 0; j < m_; ++j) {
    c[j] = y_[j] * right_[j];
    for (int i = 0; i < n_; ++i) x[i] -= c[j] * responses_(i, j);
  }
}

BlockMatrix BorderedSolver::complete(const BlockMatrix& A) const {
  const int size = n_ + m_;
  BlockMatrix out(one_block(size));
  auto to = out.block(0);
  to = A.dense();
  std::vector<double> e(n_, 0.0), column(n_);
  for (int j = 0; j < n_; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    e[j] = 1.0;
    core_.multiply_add(e, column);
    e[j] = 0.0;
    for (int i = 0; i < n_; ++i) to(i, j) = column[i];
  }
  return out;
}

void BorderedSolver::solve_transposed(std::span<double> b) {
  const BlockMatrix whole = complete(*A_);
  const auto solver = make_solver("dense");
  solver->analyse(whole.shared_pattern(), {&kOneNode, 1});
  solver->factorise(whole);
  solver->solve_transposed(b);
}

}  // namespace daedal::linear
