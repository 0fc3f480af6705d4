#pragma once

#include <optional>

#include "daedal/formulate/formulation.hpp"

namespace daedal::formulate {

/// Index 3: the equations as they are, with constraints on the level on which they are stated.
///
///     0 = M q'' - f(q, q', x, U) + G^T lambda      row order 2      unknown q        order 0
///     0 = g(q, u)      position rows               row order 0      unknown lambda   order 2
///     0 = A q' - b     velocity rows               row order 1      unknown lambda   order 2
///     0 = x' - c(q, q', x, U)                      row order 1      unknown x        order 0
///
/// Nodes: coordinates, constraints, states, each in the system's order.
///
/// The step's unknowns may be chosen otherwise [Bottasso2008]; the solution is the same, the matrix
/// and its conditioning are not:
///
///   u    displacements and multipliers
///   uv   and velocities, tied by a row of their own, in displacements: 0 = q - q(v), order 0
///   a    accelerations and multipliers: displacements in units of their second derivative
enum class Unknowns { u, uv, a };

std::optional<Unknowns> unknowns_from(std::string_view name);
std::span<const std::string_view> unknowns_names();

class Index3 {
 public:
  static constexpr std::string_view kName = "index-3";

  explicit Index3(const system::Structure& structure, Unknowns unknowns = Unknowns::u);

  const Layout& layout() const { return layout_; }
  const system::Structure& structure() const { return structure_; }

  /// The parts of a vector of rows or unknowns.
  std::span<double> coordinates(std::span<double> y) const { return y.subspan(0, n_); }
  std::span<double> constraints(std::span<double> y) const { return y.subspan(n_, m_); }
  std::span<double> states(std::span<double> y) const { return y.subspan(n_ + m_, s_); }
  std::span<const double> coordinates(std::span<const double> y) const { return y.subspan(0, n_); }
  std::span<const double> constraints(std::span<const double> y) const { return y.subspan(n_, m_); }
  std::span<const double> states(std::span<const double> y) const {
    return y.subspan(n_ + m_, s_);
  }

  /// The terms of dF. The rows of the constraints may be linearised at another point than the
  /// dynamics (the midpoint rule does so): `rows_G` and `rows_W` are G and W there.
  std::vector<Term> terms(const system::Linearisation& dynamics, const linear::BlockMatrix& rows_G,
                          const linear::BlockMatrix& rows_W) const;

  /// Name of a scalar equation or unknown, for messages.
  std::string equation_name(int equation) const;

 private:
  const system::Structure& structure_;
  Layout layout_;
  int n_, m_, s_;
  Unknowns unknowns_;
  linear::BlockMatrix identity_;  // of the rows that tie velocities to displacements
};

}  // namespace daedal::formulate
