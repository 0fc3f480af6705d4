#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/linear/solver.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::formulate {

/// The second waist: what an integrator sees of a system once the index of its equations is chosen.
///
/// A formulation is a residual F(y, y', y'', U) = 0 whose rows and unknowns come in nodes. Each
/// node has an order in time, from which scaling by powers of the step, error weights and a
/// foreign solver's variable kinds all follow:
///
///   order 0  displacement      order 1  velocity      order 2  acceleration or multiplier
///
/// Derivatives are offered in separate terms, dF/dy, dF/dy', dF/dy'', so that a method combines
/// them with its own factors and a change of step costs no evaluation.

/// What an unknown is.
/// A `correction` is the multiplier eta of a position constraint in a form that holds two levels.
enum class Role { displacement, multiplier, state, velocity, correction };

/// Shape of the square system: rows and unknowns share their nodes, so that the block pattern is
/// symmetric.
struct Layout {
  std::vector<int> node_size;
  std::vector<int> node_offset;
  std::vector<int> row_order;
  std::vector<int> unknown_order;
  std::vector<Role> role;
  int size = 0;

  int nodes() const { return static_cast<int>(node_size.size()); }
  void add(Role role, int size, int row_order, int unknown_order);
  /// The nodes as a linear solver sees them.
  std::vector<linear::NodeKind> kinds() const;
};

/// One term of dF: a block matrix placed at a first row node and a first unknown node.
struct Term {
  /// The derivative is that of the row's own order: a constraint on velocities acts on q'.
  static constexpr int kOfRow = -1;

  int row_node = 0;
  int unknown_node = 0;
  int derivative = 0;  // 0: of the unknown itself; 1, 2: of its first or second time derivative
  const linear::BlockMatrix* block = nullptr;
  bool transposed = false;
  double sign = 1.0;
};

}  // namespace daedal::formulate
