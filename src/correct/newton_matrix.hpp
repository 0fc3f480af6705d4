#pragma once

#include <memory>
#include <span>
#include <vector>

#include "daedal/correct/scaling.hpp"
#include "daedal/formulate/formulation.hpp"

namespace daedal::correct {

/// How a method's unknowns move the arguments of F: dy^(k) = factor[k] dy, k-th time derivative.
struct MethodFactors {
  double displacement[3] = {1.0, 0.0, 0.0};  // q, q', q'': 1, gamma', beta'
  double state[2] = {1.0, 0.0};              // x, x'
};

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
  struct Copy {  // one block of a term
    int term, from;
    int row_node, unknown_node;
    int derivative;
  };
  struct Turn {  // three columns of a block, to be multiplied by the 3 x 3 block of a rotation
    int column, rotation;
  };
  struct Range {
    int begin = 0, end = 0;
  };
  /// One block of J and all that goes into it, so that J is written in a single pass.
  struct Recipe {
    int to, rows, columns;
    Range rates;      // copies of derivative 1 or 2 of coordinates
    Range positions;  // copies of derivative 0 of coordinates, at the point of the dynamics
    Range others;     // multipliers, states, and position constraints
    Range turns;
  };
  struct Penalty {  // J(i, j) += penalty G_i^T G_j, G_i of the dynamics, G_j of the rows
    int to, from_i, from_j;
    int rows, columns, inner;
    int row_node;
  };
  struct Source {  // what the copies of one term have in common
    const double* values;
    double sign;
    bool transposed;
    formulate::Role role;  // of the unknowns
  };

  void place_terms(const std::vector<formulate::Term>& terms, const system::Structure& structure);
  void place_penalties(const linear::BlockPattern& G, int first_constraint_node);
  /// Adds copies to a block, the first of them over what is there if `overwrite`; returns whether
  /// that is still to be done.
  bool add(const Recipe& recipe, Range copies, const MethodFactors& factors, bool overwrite);
  void turn(const Recipe& recipe, std::span<const math::Mat3> blocks);
  void add_penalty(double penalty);
  void regularise(double relative);

  formulate::Layout layout_;
  std::vector<Source> sources_;
  std::vector<Recipe> recipes_;
  std::vector<Copy> copies_;
  std::vector<Turn> turns_;
  std::vector<Penalty> penalties_;
  const double* penalty_reactions_ = nullptr;  // G of the dynamics, and of the rows of constraints
  const double* penalty_rows_ = nullptr;
  std::vector<int> multiplier_diagonal_, state_diagonal_;  // value offsets
  ScaleFactors scale_;
  linear::BlockMatrix J_;
};

}  // namespace daedal::correct
