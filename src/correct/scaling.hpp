#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "daedal/formulate/formulation.hpp"

namespace daedal::correct {

/// Scaling of rows and unknowns: the corrector solves (L J R) z = -L F and moves by R z.
///
///   none             L = R = 1
///   time-step-right  R: multipliers by beta', the others by 1           [Bottasso2008], right alone
///   time-step        and L: rows by 1/beta' (order 2) or h (order 1)    [Bottasso2008]
///   physical         rows of order 2 by h^2, constraints by s, multipliers by s / h^2,
///                    s = m_r + d_r h + k_r h^2                           [Bauchau2009], eq. 6
///
/// beta' = dq''/dq is the method's own factor; for Newmark 1/beta' = beta h^2, as in the paper. What
/// a row or unknown is multiplied by follows from its order in time: unknowns of order 1 (velocities)
/// by 1/h, of order 2 as the multipliers.
enum class Scaling { none, time_step_right, time_step, physical };

std::optional<Scaling> scaling_from(std::string_view name);
std::string_view name_of(Scaling scaling);
std::span<const std::string_view> scaling_names();

/// Characteristic quantities of a system. Mass, damping and stiffness: means of the absolute diagonal
/// entries of M (over coordinates that have mass), D and K; length: the width of the mechanism.
struct ReferenceQuantities {
  double mass = 1.0;
  double damping = 0.0;
  double stiffness = 0.0;
  double length = 0.0;  // 0: the largest coordinate

  double factor(double h) const { return mass + damping * h + stiffness * h * h; }
};
ReferenceQuantities reference_quantities(const system::Linearisation& blocks);

/// How a method's unknowns move the arguments of F: dy^(k) = factor[k] dy, k-th time derivative.
struct MethodFactors {
  double displacement[3] = {1.0, 0.0, 0.0};  // q, q', q'': 1, gamma', beta'
  double state[2] = {1.0, 0.0};              // x, x'
};

/// What the user says of them instead.
struct ReferenceOverrides {
  std::optional<double> mass, damping, stiffness, length;
};

/// One factor per node.
struct ScaleFactors {
  std::vector<double> row;
  std::vector<double> unknown;
};
/// `s` is used by `physical` alone. Factors include the change of units where the unknowns are not
/// displacements: accelerations are moved by 1/beta', and the rows that tie velocities to
/// displacements are assembled as velocities and divided by gamma'.
void scale_factors(const formulate::Layout& layout, Scaling scaling, double h,
                   const MethodFactors& factors, double s, ScaleFactors& out);

}  // namespace daedal::correct
