#pragma once

#include <array>
#include <span>

#include "daedal/nonsmooth/friction_solver.hpp"

namespace daedal::nonsmooth {

/// What a contact that touches does next.
enum class Motion {
  separates,  // no force, and it opens
  stays,      // without friction
  sticks,
  slides,  // goes on, or begins to; the direction says where
};

struct ContactMotion {
  Motion motion = Motion::stays;
  std::array<double, 2> direction{};  // of sliding, a unit vector
};

struct ForceOptions {
  FrictionOptions friction = {};
  double at_rest = 1e-9;  // accelerations below this part of their terms are zero
};

/// Forces of contacts that touch and neither close nor open (the set I2), from accelerations:
///
///     a = W lambda + b,     0 <= a_N _|_ lambda_N >= 0
///
/// and in the tangent plane, with ContactLaw
///
///     without friction   lambda_T = 0
///     sliding            lambda_T = -mu lambda_N direction, with direction = u_T / |u_T| as it is
///     sticking (u_T = 0) |lambda_T| <= mu lambda_N, a_T = -s lambda_T, s >= 0: Coulomb's law with
///                        accelerations for velocities.
///
/// In the plane and without sticking contacts one LCP; else cones (friction_solver.hpp). A sliding
/// contact whose friction jams it has no finite forces (Painleve): `no_solution`, and a = b.
class ContactForceSolver {
 public:
  explicit ContactForceSolver(ForceOptions options = {});
  void reserve(int contacts, int dimension);
  /// lambda is where sweeps begin.
  FrictionResult solve(int dimension, MatrixIn W, VectorIn b, std::span<const ContactLaw> laws,
                       VectorOut lambda, VectorOut a, std::span<ContactMotion> motions);

 private:
  ContactMotion motion(int contact, int dimension, MatrixIn W, VectorIn b, const ContactLaw& law,
                       VectorIn lambda, VectorIn a) const;

  double at_rest_;
  FrictionSolver friction_;
};

}  // namespace daedal::nonsmooth
