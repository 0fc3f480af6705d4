#pragma once

#include <span>
#include <vector>

#include "daedal/linear/block_matrix.hpp"
#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// An order of block elimination in which a saddle-point matrix needs no pivoting between blocks.
///
/// With M' the multipliers and S the coordinates eliminated so far, every pivot block is regular if
/// H is definite on S and the rows G[M', S] are independent. So a coordinate may go at any time; a
/// multiplier has to wait for coordinates that make its rows independent. They are found on a
/// spanning forest, grown breadth first (hence shallow) from the coordinates tied to ground:
///
///  - a tree multiplier is the one through which the forest reached a coordinate, its child. It
///    waits for the child: ordered by depth, G[tree multipliers, children] is block triangular.
///  - any other multiplier closes a loop. It waits for the coordinates of its cycle below the lowest
///    common ancestor (all the way to ground if there is none) and the tree multipliers along it.
///    That is as safe as placing it last, since moving the ancestor and all beyond rigidly changes
///    none of these constraints, and it keeps the factors of a chain of loops of order N.
///
/// A multiplier that couples three or more coordinates is a tree multiplier if all but one of them
/// are reached already; the cycles through it are not simple, and then loop closers do go last. A
/// multiplier with more rows than the child has columns is never a tree multiplier.
///
/// Among what may be eliminated the least fill (in scalars) goes first; ties go to the node that
/// became ready last, which turns a tree into a depth-first sweep: leaf, its multiplier, parent. On
/// a tree there is no fill. Time is proportional to the factors, not to the square of a hub's
/// degree: a star of 10,000 bodies is ordered in milliseconds.
struct EliminationOrder {
  std::vector<int> order;            // nodes, first eliminated first
  std::vector<int> parent;           // per coordinate: next coordinate towards the root, or -1
  std::vector<int> tree_multiplier;  // per coordinate: the multiplier that leads there, or -1
  std::vector<int> loop_closers;     // multipliers outside the forest
};

/// `pattern` is square and structurally symmetric; diagonal blocks may be missing.
/// Throws std::invalid_argument otherwise.
EliminationOrder elimination_order(const BlockPattern& pattern, std::span<const NodeKind> kinds);

}  // namespace daedal::linear
