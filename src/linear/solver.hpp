#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "daedal/linear/block_matrix.hpp"

namespace daedal::linear {

/// What a node of a saddle-point matrix [H G^T; G C] stands for. A multiplier has no pivot of its
/// own (C is zero or tiny): it can be eliminated only after enough of the coordinates it couples.
enum class NodeKind { coordinate, multiplier };

enum class Symmetry { general, symmetric };

/// Outcome of a factorisation. A singular matrix is reported, never patched.
struct FactorStatus {
  bool ok = true;
  int equation = -1;   // scalar row of the first vanishing pivot
  double pivot = 0.0;  // its magnitude relative to the entries it was computed from

  explicit operator bool() const { return ok; }
};

/// Solves A x = b for matrices of one square, structurally symmetric block pattern.
///
/// Use: analyse() once per pattern (it alone allocates), then factorise() and solve() as often as
/// needed. A `symmetric` factorisation reads only the blocks on and below the diagonal (row node >=
/// column node); the diagonal blocks are given in full. Diagonal blocks of multipliers may be absent
/// from the pattern. After a failed factorisation there is nothing to solve with.
class Solver {
 public:
  virtual ~Solver() = default;

  virtual std::string_view name() const = 0;
  virtual void analyse(std::shared_ptr<const BlockPattern> pattern,
                       std::span<const NodeKind> kinds) = 0;
  virtual FactorStatus factorise(const BlockMatrix& A, Symmetry symmetry = Symmetry::general) = 0;
  /// Overwrites the right-hand side with the solution.
  virtual void solve(std::span<double> b) = 0;
  /// Overwrites b with the solution of A^T x = b.
  virtual void solve_transposed(std::span<double> b) = 0;
  /// Stored scalars of the factors.
  virtual std::size_t factor_entries() const = 0;
};

/// `dense`, `skyline`, `tree` or `klu`; throws std::invalid_argument for another name.
std::unique_ptr<Solver> make_solver(std::string_view name);
std::span<const std::string_view> solver_names();

/// Condition number in the infinity norm of the matrix `solver` has factorised last:
/// exact up to kExactConditionSize unknowns, Higham's estimate (a lower bound, nearly always
/// within a factor of three) above. `A` is complete here, also where the factorisation was
/// symmetric. Allocates.
inline constexpr int kExactConditionSize = 600;
double condition_number(const BlockMatrix& A, Solver& solver);
/// The largest error with which `solver`, that has factorised A, finds x from A x, for some x with
/// entries between 1 and 3. Allocates.
double solver_error(const BlockMatrix& A, Solver& solver);

}  // namespace daedal::linear
