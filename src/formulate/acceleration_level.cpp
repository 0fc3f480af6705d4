#include "daedal/formulate/acceleration_level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::formulate {

using linear::BlockPattern;
using linear::NodeKind;

namespace {

/// Relative size of the regularisation, and the refinements that remove it again. More than two
/// refinements bring back the null space that mu keeps out.
constexpr double kRegularisation = 1e-8;
/// What is round-off in it, relative to a row with entries of size one.
constexpr double kEmptyRow = 1e-20;
constexpr int kRefinements = 2;
/// Rows that are left open beyond this are refined further: independent ones close, however weak they
/// are beside the others (a light body held by heavy ones), and rows that contradict each other stay.
constexpr double kOpen = 1e-10;
constexpr int kMoreRefinements = 100;
/// A refinement that leaves more than this does not progress.
constexpr double kStalled = 0.9;
/// Round-off of the largest accelerations in a row whose own terms are small, as a share of them.
constexpr double kSpill = 1e-3;

/// Rows of constraints that hold a massless coordinate, with every pair of coordinates they couple.
struct Coupling {
  int node, a, b;
};
std::vector<Coupling> penalised(const system::Structure& s) {
  const BlockPattern& G = *s.constraint;
  std::vector<Coupling> couplings;
  for (int r = 0; r < G.row_nodes(); ++r) {
    bool holds = false;
    for (int k = G.row_begin(r); k < G.row_begin(r + 1); ++k) {
      holds |= s.massless(G.column_node(k));
    }
    for (int i = G.row_begin(r); holds && i < G.row_begin(r + 1); ++i) {
      for (int j = G.row_begin(r); j < G.row_begin(r + 1); ++j) {
        couplings.push_back({r, G.column_node(i), G.column_node(j)});
      }
    }
  }
  return couplings;
}

}  // namespace

AccelerationLevel::AccelerationLevel(const system::ConstrainedSystem& system,
                                     std::string_view linear_solver)
    : structure_(system.structure()),
      implicit_(linear_solver == "tree" ? system.implicit_dynamics() : nullptr),
      solver_(linear::make_solver(linear_solver)),
      M_(implicit_ ? structure_.own_blocks() : structure_.mass.get()),
      G_(structure_.constraint),
      H_(structure_.constraint) {
  const BlockPattern &M = M_.pattern(), &G = *structure_.constraint;
  const int first = M.row_nodes();
  std::vector<int> sizes;
  std::vector<NodeKind> kinds;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < M.row_nodes(); ++i) {
    sizes.push_back(M.row_size(i));
    kinds.push_back(NodeKind::coordinate);
    pairs.push_back({i, i});
  }
  for (int i = 0; i < G.row_nodes(); ++i) {
    sizes.push_back(G.row_size(i));
    kinds.push_back(NodeKind::multiplier);
    pairs.push_back({first + i, first + i});
  }
  for (int k = 0; k < M.blocks(); ++k) {
    pairs.push_back({M.row_node(k), M.column_node(k)});
    pairs.push_back({M.column_node(k), M.row_node(k)});
  }
  for (int k = 0; k < G.blocks(); ++k) {
    pairs.push_back({first + G.row_node(k), G.column_node(k)});
    pairs.push_back({G.column_node(k), first + G.row_node(k)});
  }
  for (const auto& [node, a, b] : penalised(structure_)) pairs.push_back({a, b});
  J_ = linear::BlockMatrix(std::make_shared<const BlockPattern>(sizes, sizes, pairs));
  const BlockPattern& J = J_.pattern();
  const auto offset = [&](int i, int j) { return J.value_offset(J.find(i, j)); };
  for (int k = 0; k < M.blocks(); ++k) {
    mass_to_.push_back(offset(M.row_node(k), M.column_node(k)));
  }
  for (int k = 0; k < G.blocks(); ++k) {
    constraint_to_.push_back(offset(first + G.row_node(k), G.column_node(k)));
    transpose_to_.push_back(offset(G.column_node(k), first + G.row_node(k)));
  }
  for (int i = 0; i < G.row_nodes(); ++i) {
    for (int r = 0; r < G.row_size(i); ++r) {
      bottom_diagonal_.push_back(offset(first + i, first + i) + r * G.row_size(i) + r);
    }
  }
  place_penalties();
  mu_.resize(structure_.constraint_rows);
  diagonal_.resize(structure_.dof());
  rhs_.resize(J.rows());
  x_.resize(J.rows());
  residual_.resize(J.rows());
  kept_.resize(J.rows());
  motion_.resize(structure_.dof());
  terms_.resize(structure_.constraint_rows);
  solver_->analyse(J_.shared_pattern(), kinds);
  if (!implicit_) return;
  core_ = std::make_unique<ImplicitCore>(*implicit_, structure_.manifold);
  core_->A.factor = 1.0;
  bordered_ = std::make_unique<linear::BorderedSolver>(*core_, first);
  bordered_->analyse(J_.shared_pattern(), kinds);
}

void AccelerationLevel::place_penalties() {
  const BlockPattern &G = *structure_.constraint, &J = J_.pattern();
  for (const auto& [node, a, b] : penalised(structure_)) {
    const int i = G.find(node, a), j = G.find(node, b);
    penalties_.push_back({J.value_offset(J.find(a, b)), G.value_offset(i), G.value_offset(j),
                          G.column_size(a), G.column_size(b), G.row_size(node)});
    if (i == j) {
      held_.push_back({G.value_offset(i), G.row_offset(node), G.column_offset(a), G.row_size(node),
                       G.column_size(a)});
    }
  }
}

void AccelerationLevel::add_penalties() {
  double sum = 0.0;
  int count = 0;
  for (const double mass : diagonal_) {
    sum += mass;
    if (mass > 0.0) ++count;
  }
  kappa_ = count > 0 ? sum / count : 1.0;
  double* J = J_.values().data();
  const double* G = G_.values().data();
  for (const Penalty& p : penalties_) {
    for (int r = 0; r < p.rows; ++r) {
      for (int c = 0; c < p.columns; ++c) {
        double product = 0.0;
        for (int k = 0; k < p.inner; ++k) {
          product += G[p.from_i + k * p.rows + r] * G[p.from_j + k * p.columns + c];
        }
        J[p.to + r * p.columns + c] += kappa_ * product;
      }
    }
  }
}

void AccelerationLevel::solve_factorised(std::span<double> b) {
  const int n = structure_.dof();
  const double* G = G_.values().data();
  for (const Held& h : held_) {
    for (int k = 0; k < h.rows; ++k) {
      for (int c = 0; c < h.columns; ++c) {
        b[h.column + c] += kappa_ * G[h.from + k * h.columns + c] * b[n + h.row + k];
      }
    }
  }
  factorised_->solve(b);
}

void AccelerationLevel::assemble(const linear::BlockMatrix& G, const linear::BlockMatrix& H) {
  symmetric_ = &G == &H;
  std::copy(G.values().begin(), G.values().end(), G_.values().begin());
  std::copy(H.values().begin(), H.values().end(), H_.values().begin());
  J_.set_zero();
  double* J = J_.values().data();
  const BlockPattern &pm = M_.pattern(), &pg = G_.pattern();
  for (int k = 0; k < pm.blocks(); ++k) {
    const int count = pm.value_offset(k + 1) - pm.value_offset(k);
    std::copy_n(M_.values().data() + pm.value_offset(k), count, J + mass_to_[k]);
  }
  for (int i = 0; i < pm.row_nodes(); ++i) {
    const int k = pm.find(i, i);
    for (int c = 0; c < pm.row_size(i); ++c) {
      diagonal_[pm.row_offset(i) + c] = k < 0 ? 0.0 : M_.block(k)(c, c);
    }
  }
  add_penalties();
  std::fill(mu_.begin(), mu_.end(), 0.0);
  for (int k = 0; k < pg.blocks(); ++k) {
    const auto block = G_.block(k);
    const auto directions = H_.block(k);
    const int rows = static_cast<int>(block.rows()), columns = static_cast<int>(block.cols());
    std::copy_n(G_.values().data() + pg.value_offset(k), rows * columns, J + constraint_to_[k]);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) J[transpose_to_[k] + c * rows + r] = directions(r, c);
    }
    // mu_i = kRegularisation * sum of G_ij^2 / M_jj, the size of the pivot it protects.
    const int diagonal = pm.find(pg.column_node(k), pg.column_node(k));
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const double mass = diagonal < 0 ? kappa_ : M_.block(diagonal)(c, c);
        if (mass > 0.0) {
          mu_[pg.row_offset(pg.row_node(k)) + r] +=
              kRegularisation * block(r, c) * block(r, c) / mass;
        }
      }
    }
  }
  // A row without entries, in coordinates that satisfy it anyway, is held as others are.
  const double usual = kRegularisation / kappa_;
  for (double& mu : mu_) {
    if (!(mu > kEmptyRow * usual)) mu = usual;
  }
}

linear::FactorStatus AccelerationLevel::factorise_assembled(linear::Solver& solver) {
  factorised_ = &solver;
  double* J = J_.values().data();
  const linear::Symmetry symmetry =
      symmetric_ ? linear::Symmetry::symmetric : linear::Symmetry::general;
  if (!regularised_) {
    ++factorizations_;
    const linear::FactorStatus status = solver.factorise(J_, symmetry);
    if (status) return status;
    regularised_ = true;
  }
  for (std::size_t i = 0; i < mu_.size(); ++i) J[bottom_diagonal_[i]] = -mu_[i];
  ++factorizations_;
  return solver.factorise(J_, symmetry);
}

void AccelerationLevel::mass(system::Evaluator& evaluator) {
  if (implicit_) {
    implicit_->mass(evaluator, M_);
  } else {
    evaluator.mass(M_);
  }
}

linear::FactorStatus AccelerationLevel::factorise(system::Evaluator& evaluator) {
  return factorise(evaluator, evaluator.G());
}

linear::FactorStatus AccelerationLevel::factorise(system::Evaluator& evaluator,
                                                  const linear::BlockMatrix& rows) {
  mass(evaluator);
  assemble(rows, evaluator.H());
  if (implicit_) return factorise_assembled(*bordered_);
  return factorise_assembled(*solver_);
}

linear::FactorStatus AccelerationLevel::factorise(system::Evaluator& evaluator,
                                                  std::span<const double> weight) {
  M_.set_zero();
  const BlockPattern& p = M_.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    if (p.row_node(k) != p.column_node(k)) continue;
    auto block = M_.block(k);
    for (int i = 0; i < block.rows(); ++i) block(i, i) = weight[p.row_offset(p.row_node(k)) + i];
  }
  assemble(evaluator.G(), evaluator.G());
  return factorise_assembled(*solver_);
}

void AccelerationLevel::solve(std::span<double> top, std::span<double> bottom) {
  const std::size_t n = top.size(), m = bottom.size();
  std::copy(top.begin(), top.end(), rhs_.begin());
  std::copy(bottom.begin(), bottom.end(), rhs_.begin() + static_cast<std::ptrdiff_t>(n));
  x_ = rhs_;
  solve_factorised(x_);
  if (m == 0 && !regularised_) {  // M alone, positive definite: nothing to refine or to close
    inconsistency_ = 0.0;
    std::copy(x_.begin(), x_.end(), top.begin());
    return;
  }
  const std::span<double> x = x_, r = residual_;
  const auto true_residual = [&] {
    std::copy(rhs_.begin(), rhs_.end(), residual_.begin());
    if (bordered_ && factorised_ == bordered_.get()) {
      implicit_->multiply_add({}, {}, x.subspan(0, n), r.subspan(0, n), -1.0);
    } else {
      M_.multiply_add(x.subspan(0, n), r.subspan(0, n), -1.0);
    }
    H_.transpose_multiply_add(x.subspan(n, m), r.subspan(0, n), -1.0);
    G_.multiply_add(x.subspan(0, n), r.subspan(n, m), -1.0);
  };
  const auto refine = [&] {
    solve_factorised(residual_);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += residual_[i];
    true_residual();
  };
  true_residual();
  for (int k = 0; k < (regularised_ ? kRefinements : 1); ++k) refine();
  inconsistency_ = open_rows(n, m);
  if (regularised_ && inconsistency_ > kOpen) {
    kept_ = x_;
    double before = inconsistency_, after = before;
    for (int k = 0; k < kMoreRefinements; ++k, before = after) {
      refine();
      after = open_rows(n, m);
      if (!(after > kOpen) || !(after <= kStalled * before)) break;
    }
    // What closes was weak, what does not contradicts: there the multipliers of least norm stay.
    if (after <= kOpen) {
      inconsistency_ = after;
    } else {
      inconsistency_ = std::min(inconsistency_, std::max(before, after));
      x_ = kept_;
    }
  }
  std::copy_n(x_.begin(), n, top.begin());
  std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(n), m, bottom.begin());
}

void AccelerationLevel::solve_once(std::span<double> top, std::span<double> bottom) {
  if (regularised_) return solve(top, bottom);
  std::copy(top.begin(), top.end(), x_.begin());
  std::copy(bottom.begin(), bottom.end(), x_.begin() + static_cast<std::ptrdiff_t>(top.size()));
  solve_factorised(x_);
  std::copy_n(x_.begin(), top.size(), top.begin());
  std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(top.size()), bottom.size(), bottom.begin());
}

double AccelerationLevel::open_rows(std::size_t n, std::size_t m) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    // What the right-hand side would do without constraints counts too: a body may be at rest.
    const double free = diagonal_[i] > 0.0 ? rhs_[i] / diagonal_[i] : 0.0;
    motion_[i] = std::abs(x_[i]) + std::abs(free);
    largest = std::max(largest, motion_[i]);
  }
  for (std::size_t i = 0; i < m; ++i) {
    terms_[i] = std::abs(rhs_[n + i]);
    largest = std::max(largest, terms_[i]);
  }
  const BlockPattern& p = G_.pattern();
  for (int k = 0; k < p.blocks(); ++k) {
    const auto block = G_.block(k);
    const int row = p.row_offset(p.row_node(k)), column = p.column_offset(p.column_node(k));
    for (int r = 0; r < block.rows(); ++r) {
      for (int c = 0; c < block.cols(); ++c) {
        terms_[row + r] += std::abs(block(r, c)) * motion_[column + c];
      }
    }
  }
  double open = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    const double size = terms_[i] + kSpill * largest;
    if (size > 0.0) open = std::max(open, std::abs(residual_[n + i]) / size);
  }
  return open;
}

linear::FactorStatus AccelerationLevel::accelerations(system::Evaluator& evaluator,
                                                      std::span<double> a,
                                                      std::span<double> lambda) {
  const linear::FactorStatus status = factorise(evaluator);
  if (!status) return status;
  evaluator.force(a);
  evaluator.gamma(lambda);
  solve(a, lambda);
  return status;
}

linear::BlockMatrix AccelerationLevel::complete() const {
  return bordered_ && factorised_ == bordered_.get() ? bordered_->complete(J_) : J_;
}

double AccelerationLevel::condition_number() const {
  const linear::BlockMatrix whole = complete();
  if (whole.pattern() == J_.pattern()) return linear::condition_number(whole, *factorised_);
  constexpr NodeKind kOneNode = NodeKind::coordinate;
  const auto dense = linear::make_solver("dense");
  dense->analyse(whole.shared_pattern(), {&kOneNode, 1});
  if (!dense->factorise(whole)) return std::numeric_limits<double>::infinity();
  return linear::condition_number(whole, *dense);
}

double AccelerationLevel::solver_error() const {
  return linear::solver_error(complete(), *factorised_);
}

std::string AccelerationLevel::equation_name(int equation) const {
  const int n = structure_.dof();
  return equation < n ? structure_.coordinate_name(equation)
                      : structure_.row_name(equation - n);
}

}  // namespace daedal::formulate
