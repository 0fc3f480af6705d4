#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/doctor/parts.hpp"

namespace daedal::doctor {

/// What it means that constraints depend on each other.
enum class Kind {
  redundant,    // they repeat each other wherever the mechanism moves
  singular,     // they do so at this position only; the motion may branch here
  open,         // a loop that cannot close: at the nearest position its bodies are stretched
  conflicting,  // they contradict each other wherever the mechanism moves
};
std::string_view name_of(Kind kind);

/// Constraints that depend on each other.
struct Group {
  Kind kind = Kind::redundant;
  std::vector<std::string> constraints;  // in the order of the model
  int rows = 0;                          // how many of their rows are one too many
  double residual = 0.0;                 // what no motion removes
  std::string unit;                      // of the residual: m, rad, m/s, rad/s, m/s^2, rad/s^2
  int locked = 0;  // at a singular position: motions that exist to first order, and no further
  std::vector<std::string> sentences;    // by joint and direction
};

/// Constraints of a mechanism at one position.
struct Dependence {
  int coordinates = 0, rows = 0, rank = 0;
  std::vector<Group> groups;
  /// Constraints that are nearly dependent: the distance is that of the nearest dependent ones.
  struct Near {
    std::vector<std::string> constraints;
    double distance = 0.0;
  };
  std::vector<Near> near;
  std::vector<std::string> unique, not_unique;  // joints, by their reactions

  bool independent() const { return groups.empty(); }
  bool has(Kind kind) const;
  /// Coordinates minus constraint rows.
  int gruebler() const { return coordinates - rows; }
  int degrees_of_freedom() const { return coordinates - rank; }
  /// Constraints that cannot all hold.
  bool contradicts() const { return has(Kind::open) || has(Kind::conflicting); }
  /// A singular position that no motion leaves.
  bool locked() const;
  /// Degrees of freedom next to a singular position.
  int degrees_of_freedom_nearby() const;
  /// One line for a certificate.
  std::string verdict() const;
};

/// Analyses the constraints of a mechanism at a point.
///
/// A circuit z of rows (G^T z = 0) is
///   contradicted  if z.g /= 0 or z.g' /= 0: no motion closes what is open, since z.G = 0. That is asked
///                 where rows exceed closing_tolerances() or rate_tolerances() alone: what assembly
///                 has closed is no contradiction, and what it could not close is one;
///   singular      if z.(G w)_q w /= 0 for a velocity w with G w = 0: where the rank is constant, w is
///                 a motion, along which 0 = z.g'' = z.(G w)_q w + z.G w';
///   redundant     if neither. A circuit that is both is a loop that cannot close.
/// A singular circuit whose z.(G w)_q w has one sign for all w is locked: no motion can keep it zero.
///
/// Closing to a tolerance reaches a singular position to its square root only. Rows that are dependent
/// as far as that, and clearly bend, therefore count as singular; without bending they are near.
///
/// Groups are circuits with the same joints. A reaction is unique if no circuit changes it.
///
/// Parts that no constraint connects are judged one by one. A part whose joints are open stands at the
/// nearest position, which is found less exactly: rows count as dependent sooner there.
Dependence examine(const coordinates::Mechanism& mechanism, const system::Point& point);

/// The same where no accelerations satisfy the constraints: a circuit is also contradicted if
/// z.gamma /= 0, since z.G a = 0.
Dependence examine_accelerations(const coordinates::Mechanism& mechanism, const system::Point& point);

/// Rates of constraints below this are met [m/s], [rad/s], by part: for assembly, and for the verdict
/// on what no velocities satisfy.
std::vector<double> rate_tolerances(const Parts& parts, std::span<const double> v);

/// Joints, one of which may have a wrong axis, of a mechanism that cannot move: without the directions
/// that this joint forbids it could, and of all such joints this one holds most bodies.
std::vector<std::string> blocking_axes(const coordinates::Mechanism& mechanism,
                                       const system::Point& point);

/// Joints whose constraints are dependent within a distance of `tolerance`, relative to their size:
/// what is singular near a point.
std::vector<std::string> nearly_dependent(const coordinates::Mechanism& mechanism,
                                          const system::Point& point, double tolerance);

}  // namespace daedal::doctor
