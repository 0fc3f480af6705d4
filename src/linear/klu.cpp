#include "daedal/linear/klu.hpp"

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "daedal/linear/pivot_test.hpp"

namespace daedal::linear {

namespace {
/// Pivots are chosen anew when one has shrunk by this factor against its column.
constexpr double kWorsePivot = 1e-3;
}  // namespace

struct KluSolver::Factors {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Factors() { klu_defaults(&common); }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() { clear(); }
  void clear() {
    clear_numeric();
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  void clear_numeric() {
    if (numeric) klu_free_numeric(&numeric, &common);
  }
};

KluSolver::KluSolver() : factors_(std::make_unique<Factors>()) {}
KluSolver::~KluSolver() = default;

void KluSolver::analyse(std::shared_ptr<const BlockPattern> pattern,
                        std::span<const NodeKind> /*kinds*/) {
  pattern_ = std::move(pattern);
  const BlockPattern& p = *pattern_;
  const int n = p.rows();

  column_begin_.assign(n + 1, 0);
  for (int k = 0; k < p.blocks(); ++k) {
    const int j = p.column_node(k), rows = p.row_size(p.row_node(k));
    for (int c = 0; c < p.column_size(j); ++c) column_begin_[p.column_offset(j) + c + 1] += rows;
  }
  for (int j = 0; j < n; ++j) column_begin_[j + 1] += column_begin_[j];

  const int entries = column_begin_[n];
  row_.assign(entries, 0);
  source_.assign(entries, 0);
  mirrored_source_.assign(entries, 0);
  std::vector<int> next(column_begin_.begin(), column_begin_.end() - 1);
  for (int k = 0; k < p.blocks(); ++k) {  // row nodes ascend, so rows of a column come out sorted
    const int i = p.row_node(k), j = p.column_node(k);
    const int rows = p.row_size(i), columns = p.column_size(j);
    const int mirror = p.find(j, i);
    if (mirror < 0) throw std::invalid_argument("klu: block pattern is not structurally symmetric");
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const int entry = next[p.column_offset(j) + c]++;
        row_[entry] = p.row_offset(i) + r;
        source_[entry] = p.value_offset(k) + r * columns + c;
        mirrored_source_[entry] = i >= j ? source_[entry] : p.value_offset(mirror) + c * rows + r;
      }
    }
  }
  value_.assign(entries, 0.0);
  row_norm_.assign(n, 0.0);
  row_scale_.assign(n, 0.0);
  pivot_.assign(n, 0.0);
  chosen_pivot_.assign(n, 0.0);
  residual_.assign(n, 0.0);
  full_factorisations_ = 0;

  factors_->clear();
  if (n == 0) return;
  factors_->symbolic = klu_analyze(n, column_begin_.data(), row_.data(), &factors_->common);
  if (!factors_->symbolic) {
    throw std::invalid_argument("klu: the pattern cannot be analysed (klu status " +
                                std::to_string(factors_->common.status) + ")");
  }
}

void KluSolver::scatter(const BlockMatrix& A, Symmetry symmetry) {
  const std::vector<int>& source = symmetry == Symmetry::symmetric ? mirrored_source_ : source_;
  const double* values = A.values().data();
  for (std::size_t e = 0; e < value_.size(); ++e) value_[e] = values[source[e]];
}

bool KluSolver::factorise_fully() {
  Factors& f = *factors_;
  f.clear_numeric();
  ++full_factorisations_;
  f.numeric = klu_factor(column_begin_.data(), row_.data(), value_.data(), f.symbolic, &f.common);
  if (!f.numeric) return false;
  measure_pivots();
  chosen_pivot_ = pivot_;
  return true;
}

FactorStatus KluSolver::factorise(const BlockMatrix& A, Symmetry symmetry) {
  scatter(A, symmetry);
  if (value_.empty()) return {};
  Factors& f = *factors_;
  if (f.numeric) {
    const bool done = klu_refactor(column_begin_.data(), row_.data(), value_.data(), f.symbolic,
                                   f.numeric, &f.common) &&
                      f.common.status == KLU_OK;
    if (done) {
      measure_pivots();
      if (pivots_still_good() && check_pivots()) return {};
    }
  }
  if (!factorise_fully()) {
    const int column = f.common.singular_col;
    return diagnose(column >= 0 && column < pattern_->rows() ? column : 0, 0.0);
  }
  const FactorStatus status = check_pivots();
  return status ? status : diagnose(status.equation, status.pivot);
}

void KluSolver::measure_pivots() {
  const Factors& f = *factors_;
  const int n = pattern_->rows();
  const auto* diagonal = static_cast<const double*>(f.numeric->Udiag);
  // KLU divides each row by its largest entry and keeps these in pivot order.
  for (int i = 0; i < n; ++i) row_scale_[i] = 1.0 / f.numeric->Rs[f.numeric->Pinv[i]];
  for (int k = 0; k < n; ++k) {
    const int column = f.symbolic->Q[k];
    double largest = 0.0;
    for (int e = column_begin_[column]; e < column_begin_[column + 1]; ++e) {
      largest = std::max(largest, std::abs(value_[e]) * row_scale_[row_[e]]);
    }
    pivot_[k] = largest > 0.0 ? std::abs(diagonal[k]) / largest : 0.0;
  }
}

bool KluSolver::pivots_still_good() const {
  for (std::size_t k = 0; k < pivot_.size(); ++k) {
    // Not a number compares false and leads to fresh pivots too.
    if (!(pivot_[k] >= kWorsePivot * chosen_pivot_[k])) return false;
  }
  return true;
}

FactorStatus KluSolver::check_pivots() {
  // Against the largest entry of the scaled column: cheap, and too strict only where the scaling
  // hides an entry, so a suspect is looked at again before it is accused.
  Factors& f = *factors_;
  const int n = pattern_->rows();
  if (std::all_of(pivot_.begin(), pivot_.end(),
                  [](double pivot) { return pivot > kVanishingPivot; })) {
    return {};
  }

  // (|L| |U|)_kk for all k, from the factors themselves.
  const int lower = f.numeric->lnz, upper = f.numeric->unz;
  std::vector<int> Lp(n + 1), Li(lower), Up(n + 1), Ui(upper), Fp(n + 1),
      Fi(std::max(1, f.numeric->nzoff));
  std::vector<double> Lx(lower), Ux(upper), Fx(Fi.size());
  klu_extract(f.numeric, f.symbolic, Lp.data(), Li.data(), Lx.data(), Up.data(), Ui.data(),
              Ux.data(), Fp.data(), Fi.data(), Fx.data(), nullptr, nullptr, nullptr, nullptr,
              &f.common);
  std::vector<double> u_column(n, 0.0);
  std::vector<std::vector<std::pair<int, double>>> l_row(n);
  for (int j = 0; j < n; ++j) {
    for (int e = Lp[j]; e < Lp[j + 1]; ++e) l_row[Li[e]].emplace_back(j, std::abs(Lx[e]));
  }
  const auto* diagonal = static_cast<const double*>(f.numeric->Udiag);
  for (int k = 0; k < n; ++k) {
    for (int e = Up[k]; e < Up[k + 1]; ++e) u_column[Ui[e]] = std::abs(Ux[e]);
    double magnitude = 0.0;
    for (const auto& [j, l] : l_row[k]) magnitude += l * u_column[j];
    for (int e = Up[k]; e < Up[k + 1]; ++e) u_column[Ui[e]] = 0.0;
    const double pivot = std::abs(diagonal[k]);
    if (!(pivot > kVanishingPivot * magnitude)) {
      return {.ok = false,
              .equation = f.symbolic->Q[k],
              .pivot = magnitude > 0.0 ? pivot / magnitude : 0.0};
    }
  }
  return {};
}

FactorStatus KluSolver::diagnose(int column, double pivot) {
  // The equation is where the left null vector is largest. To compute it although a pivot may be
  // exactly zero, the entries are perturbed by parts in 1e10 and the perturbed matrix is
  // inverted twice. If even that is singular, so is the pattern, and the column is all we know.
  FactorStatus status{.ok = false, .equation = column, .pivot = pivot};
  Factors& f = *factors_;
  const int n = pattern_->rows();
  std::fill(row_norm_.begin(), row_norm_.end(), 0.0);
  for (std::size_t e = 0; e < value_.size(); ++e) {
    row_norm_[row_[e]] = std::max(row_norm_[row_[e]], std::abs(value_[e]));
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(0.5, 1.0);
  std::vector<double> perturbed(value_);
  for (std::size_t e = 0; e < perturbed.size(); ++e) {
    const double norm = row_norm_[row_[e]];
    const double base = perturbed[e] != 0.0 ? perturbed[e] : (norm > 0.0 ? norm : 1.0);
    perturbed[e] += 1e-10 * part(random) * base;
  }
  f.clear_numeric();
  klu_numeric* numeric = klu_factor(column_begin_.data(), row_.data(), perturbed.data(),
                                    f.symbolic, &f.common);
  if (!numeric) return status;
  std::vector<double> y(n, 1.0);
  bool finite = true;
  for (int iteration = 0; iteration < 3 && finite; ++iteration) {
    klu_tsolve(f.symbolic, numeric, n, 1, y.data(), &f.common);
    double size = 0.0;
    for (const double entry : y) {
      finite = finite && std::isfinite(entry);
      size = std::max(size, std::abs(entry));
    }
    finite = finite && size > 0.0;
    for (double& entry : y) entry /= size;
    if (iteration == 2 || !finite) break;
    klu_solve(f.symbolic, numeric, n, 1, y.data(), &f.common);  // (A A^T)^-1: left singular vector
    double next = 0.0;
    for (const double entry : y) next = std::max(next, std::abs(entry));
    finite = std::isfinite(next) && next > 0.0;
    for (double& entry : y) entry /= next;
  }
  klu_free_numeric(&numeric, &f.common);
  if (finite) status.equation = dependent_equation(y, row_norm_);
  return status;
}

void KluSolver::solve(std::span<double> b) {
  if (value_.empty()) return;
  Factors& f = *factors_;
  assert(f.numeric && "solve needs a successful factorisation");
  const int n = pattern_->rows();
  std::copy(b.begin(), b.end(), residual_.begin());
  klu_solve(f.symbolic, f.numeric, n, 1, b.data(), &f.common);
  for (int j = 0; j < n; ++j) {
    for (int e = column_begin_[j]; e < column_begin_[j + 1]; ++e) {
      residual_[row_[e]] -= value_[e] * b[j];
    }
  }
  klu_solve(f.symbolic, f.numeric, n, 1, residual_.data(), &f.common);
  for (int i = 0; i < n; ++i) b[i] += residual_[i];
}

void KluSolver::solve_transposed(std::span<double> b) {
  if (value_.empty()) return;
  Factors& f = *factors_;
  assert(f.numeric && "solve needs a successful factorisation");
  const int n = pattern_->rows();
  std::copy(b.begin(), b.end(), residual_.begin());
  klu_tsolve(f.symbolic, f.numeric, n, 1, b.data(), &f.common);
  for (int j = 0; j < n; ++j) {
    for (int e = column_begin_[j]; e < column_begin_[j + 1]; ++e) {
      residual_[j] -= value_[e] * b[row_[e]];
    }
  }
  klu_tsolve(f.symbolic, f.numeric, n, 1, residual_.data(), &f.common);
  for (int i = 0; i < n; ++i) b[i] += residual_[i];
}

std::size_t KluSolver::factor_entries() const {
  if (!factors_->numeric) return 0;
  return static_cast<std::size_t>(factors_->numeric->lnz + factors_->numeric->unz +
                                  factors_->numeric->nzoff);
}

}  // namespace daedal::linear
