#pragma once

#include <span>
#include <vector>

#include "daedal/math/rotation.hpp"

namespace daedal::system {

/// The space in which a configuration q lives: a product of linear spaces and rotation groups.
///
/// A rotation is stored as a unit quaternion (w, x, y, z) and has three tangent coordinates, in
/// the frame that turns with the body (left trivialisation, R' = R skew(Omega)). Linear factors
/// are the plain case: storage and tangent coincide. A rigid body is R^3 x SO(3): its position and
/// velocity are in world axes, so that gravity and its mass matrix are constant.
///
///   retract(q, x) = q o exp(x)      local(q, p) = log(q^-1 o p)      local(q, retract(q, x)) = x
///
/// The tangent operator T relates the rate of the chart x to the velocity: v = T(x) x'. It differs
/// from the identity in the rotations alone, in 3 x 3 blocks.
class Manifold {
 public:
  /// One rotation group: where its quaternion and its tangent coordinates are.
  struct Rotation {
    int storage;
    int tangent;
  };

  void add_linear(int dimension);
  void add_rotation();

  int storage() const { return storage_; }
  int dimension() const { return dimension_; }
  std::span<const Rotation> rotations() const { return rotations_; }
  bool is_linear() const { return rotations_.empty(); }

  /// out = q o exp(x); `out` may be `q`.
  void retract(std::span<const double> q, std::span<const double> x, std::span<double> out) const;
  /// x = log(q^-1 o p), rotations by the short way (angle at most pi).
  void local(std::span<const double> q, std::span<const double> p, std::span<double> x) const;
  /// Writes the neutral element.
  void identity(std::span<double> q) const;

  /// T(x) and T^-1(x) of each rotation, in the order of rotations().
  void tangents(std::span<const double> x, std::span<math::Mat3> T) const;
  void inverse_tangents(std::span<const double> x, std::span<math::Mat3> T_inverse) const;
  /// w <- B w with the given 3 x 3 blocks on the rotations and the identity elsewhere.
  void apply(std::span<const math::Mat3> blocks, std::span<double> w) const;

 private:
  struct Linear {
    int storage;
    int tangent;
    int size;
  };
  std::vector<Linear> linears_;
  std::vector<Rotation> rotations_;
  int storage_ = 0;
  int dimension_ = 0;
};

}  // namespace daedal::system
