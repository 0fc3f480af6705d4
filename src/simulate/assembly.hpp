#pragma once

#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/doctor/dependence.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/status.hpp"

namespace daedal::simulate {

/// What assembly did to reach a consistent start.
struct AssemblyReport {
  Status status = Status::done;
  std::string message;                  // of a failure: the joints and by how much
  bool closed = false;                  // positions satisfy the constraints
  double position_violation_before = 0.0, position_violation = 0.0;
  double velocity_violation_before = 0.0, velocity_violation = 0.0;
  double largest_move = 0.0;            // of a coordinate [m, rad]
  double largest_velocity_change = 0.0;  // [m/s, rad/s]
  std::vector<std::string> moved;       // sentences, largest first
  std::vector<model::Problem> contradictions;  // given velocities that constraints do not allow
  int attempts = 1;                     // starts that were tried
  doctor::Dependence dependence;        // of the constraints, where a matrix was singular
};

/// Makes a guess consistent on all three levels:
///
///   positions      min |x|_W      with g(retract(q, x)) = 0      (doctor::Closure)
///   velocities     min |dv|_W     with G (v + dv) + g_u u' = 0
///   accelerations  M a = f - G^T lambda,  G a = gamma
///
/// W is the mass matrix's diagonal times the guess's weights: what the user gave moves least.
AssemblyReport assemble(const coordinates::Mechanism& mechanism,
                        formulate::AccelerationLevel& equations, integrate::State& state);

/// Velocities and accelerations anew, of a state whose positions are right: what a break point of
/// the excitations asks for, where speeds may jump.
///
///     M dv = -G^T Lambda,  G (v + dv) + g_u u' = 0;     M a = f - G^T lambda,  G a = gamma
///
/// A drive whose position jumps is a failure.
AssemblyReport reconcile(const coordinates::Mechanism& mechanism,
                         formulate::AccelerationLevel& equations, integrate::State& state);

}  // namespace daedal::simulate
