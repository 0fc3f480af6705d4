#pragma once

#include <memory>
#include <span>
#include <vector>

#include "daedal/correct/scaling.hpp"
#include "daedal/formulate/formulation.hpp"

namespace daedal::correct {

/// Assembles the scaled matrix of a Newton iteration from the terms of a formulation,
///
///     J = L [ sum over terms of factor * term * B_k ] R,
///
/// where B_k are 3 x 3 blocks on the rotations that carry an increment at the present
/// configuration to the argument of the term: T^-1 for velocities and accelerations, the identity
/// for positions (or what the method says). Offsets are computed once; nothing allocates later.
class NewtonMatrix {
 public:
  /// `augmented`: room for penalty terms G^T G.
  NewtonMatrix(const formulate::Layout& layout, std::vector<formulate::Term> terms,
               const system::Structure& structure, bool augmented);

  const linear::BlockMatrix& matrix() const { return J_; }
  linear::BlockMatrix& matrix() { return J_; }
  const ScaleFactors& scale() const { return scale_; }
  ScaleFactors& scale() { return scale_; }

  /// Tangent blocks of the rotations, in the manifold's order. An empty span is the identity.
  struct Tangents {
    std::span<const math::Mat3> rates;      // for derivatives 1 and 2
    std::span<const math::Mat3> positions;  // for derivative 0 in the dynamic rows
  };

  /// `penalty`: adds penalty * G^T G to the dynamic rows (position constraints alone).
  /// `regularisation`: subtracts this fraction of their pivots from the diagonal of the multipliers.
  void assemble(const MethodFactors& factors, const Tangents& tangents, double penalty,
                double regularisation);

  /// F <- L F, and z <- R z.
  void scale_rows(std::span<double> F) const;
  void unscale_unknowns(std::span<double> z) const;

 private:
  /// How the columns of a piece are carried to the argument of its term.
  enum class Kind { rate, position, other };
  struct Piece {  // a block of a term
    const double* values;
    double sign;
    bool transposed;
    formulate::Role of;  // its unknowns
    int derivative;      // or kAsItIs
    Kind kind;
  };
  struct Turn {  // three columns of a block that belong to a rotation
    int column, rotation;
  };
  struct Target {  // a block of J: its pieces by kind, then its turns
    int to, rows, columns;
    int row_node, unknown_node;
    int rates, positions, others, end;  // first of each kind in pieces_
    int first_turn, end_turn;
  };
  struct Penalty {  // J(i, j) += penalty G_i^T G_j, G_i of the dynamics, G_j of the rows
    int to, from_i, from_j;
    int rows, columns, inner;
    int row_node;
  };

  void place_terms(const std::vector<formulate::Term>& terms);
  void place_turns(const system::Structure& structure);
  void place_penalties(const linear::BlockPattern& G, int first_constraint_node);
  void add(const Target& target, int first, int end, const MethodFactors& factors);
  void turn(const Target& target, std::span<const math::Mat3> blocks);
  void add_penalty(double penalty);
  void regularise(double relative);

  formulate::Layout layout_;
  std::vector<Target> targets_;  // one per block of J
  std::vector<Piece> pieces_;
  std::vector<Turn> turns_;
  std::vector<Penalty> penalties_;
  const double* penalty_reactions_ = nullptr;  // G of the dynamics, and of the rows of constraints
  const double* penalty_rows_ = nullptr;
  std::vector<int> multiplier_diagonal_, state_diagonal_;  // value offsets
  std::vector<double> pivots_;
  ScaleFactors scale_;
  linear::BlockMatrix J_;
};

}  // namespace daedal::correct
