#pragma once

#include <span>

#include "daedal/nonsmooth/friction_solver.hpp"

namespace daedal::nonsmooth {

struct ImpactResult {
  Status status = Status::solved;
  double residual = 0.0;
  double energy_change = 0.0;  // 1/2 P . (u+ + u-) [J]
  bool gains_energy = false;   // beyond round-off
};

/// Simultaneous impacts u+ = W P + u- of contacts, W = G M^-1 G^T. u are relative velocities,
/// negative where a contact closes; P >= 0 are impulses; 0 <= e <= 1 restitution.
///
/// newton:
///
///     0 <= u+ + e u-  _|_  P >= 0,    energy change = 1/2 sum_k (1 - e_k) P_k u-_k.
///
/// It is never positive if all e are equal (the sum is then -(1 - e)/(1 + e) P.WP / 2), or if no
/// contact that takes an impulse was separating. With unequal e and a separating contact it may be.
///
/// poisson [PfeifferGlocker1996]: P = P_c + P_e,
///
///     compression  0 <= u_c = W P_c + u-         _|_  P_c >= 0
///     expansion    0 <= u+  = W P_e + u_c        _|_  P_e - e P_c >= 0
///     energy change = -1/2 (P_c.W P_c - e P_c.W e P_c + z.W z),   z = P_e - e P_c.
///
/// It is at most -1/2 (1 - max e^2) P_c.W P_c, so never positive: z minimises
/// 1/2 z.W z + z.(W e P_c + u_c) over z >= 0, where the minimum is -1/2 z.W z, and (max e - e) P_c
/// is one of those z.
///
/// in_sequence: one contact at a time, the one that closes fastest first, by Newton's law, until
/// none closes. Each takes energy away, (1 - e^2) u^2 / (2 W_kk). The order matters: momentum
/// passes through a chain of equal balls, where the other two share it. Endless sequences are
/// `not_converged`.
///
/// newton_with_friction: newton in the normal direction, Coulomb's law between P and the tangential
/// velocity after; components as in friction_law.hpp. Where sliding stops or reverses, energy can
/// grow (Kane's paradox [KaneLevinson1985]). It cannot for e = 0 at all contacts, nor for equal e
/// where W does not couple normals with tangents. `gains_energy` reports it.
///
/// Where there is no solution P = 0 and u+ = u-.
class ImpactSolver {
 public:
  explicit ImpactSolver(FrictionOptions options = {});
  void reserve(int contacts, int dimension = 1);

  ImpactResult newton(MatrixIn W, VectorIn u_before, std::span<const double> e, VectorOut P,
                      VectorOut u_after);
  ImpactResult poisson(MatrixIn W, VectorIn u_before, std::span<const double> e, VectorOut P,
                       VectorOut u_after);
  ImpactResult in_sequence(MatrixIn W, VectorIn u_before, std::span<const double> e, VectorOut P,
                           VectorOut u_after, int max_impacts = 10000);
  ImpactResult newton_with_friction(int dimension, MatrixIn W, VectorIn u_before,
                                    std::span<const double> e, std::span<const ContactLaw> laws,
                                    VectorOut P, VectorOut u_after);

 private:
  LcpSolver lcp_;
  FrictionSolver friction_;
  Eigen::VectorXd q_, w_, compression_;
};

}  // namespace daedal::nonsmooth
