#pragma once

#include <array>

namespace daedal::nonsmooth {

/// What holds at one contact between its relative velocity u = (u_N, u_T) and its impulse
/// r = (r_N, r_T), both in the contact's frame; at acceleration level between a and lambda.
///
/// Coulomb (the default):
///
///     0 <= r_N _|_ u_N >= 0
///     |r_T| <= mu r_N,    u_T = -s r_T with s >= 0,    s = 0 where |r_T| < mu r_N
///
/// which is one conical statement, with De Saxce's term mu |u_T| in the normal component
/// [DeSaxce1998]: K_mu = {|r_T| <= mu r_N} and its dual K_mu* = {mu |u_T| <= u_N},
///
///     K_mu  contains r  _|_  (u_N + mu |u_T|, u_T)  in K_mu*.
///
/// Restitution is a shift of u_N by e times the velocity before, done by who poses the problem
/// (impact.hpp): u is then the shifted velocity, and a contact slides without lifting off it.
///
/// Sliding, where the direction is known: r_T = -mu r_N direction, 0 <= r_N _|_ u_N >= 0, and
/// nothing is asked of u_T.
///
/// Without friction, mu = 0: r_T = 0.
struct ContactLaw {
  double mu = 0.0;
  bool sliding = false;
  std::array<double, 2> direction{};  // of u_T, a unit vector; in the plane the first is +-1
};

}  // namespace daedal::nonsmooth
