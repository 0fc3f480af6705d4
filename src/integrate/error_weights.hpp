#pragma once

#include <span>
#include <vector>

#include "daedal/integrate/integrator.hpp"

namespace daedal::integrate {

/// Sizes beside which local errors are judged, by kind of unknown, tol being relative:
///
///   q       tol (|q| + min(length, 1)); rotations tol
///   v       tol (|v| + V), V the larger of the node's largest |v| so far and
///           (min(length, 1) |a_0|)^(1/2)
///   x       tol (|x| + X), X the larger of 1 and the node's largest |x| so far
///
/// An absolute tolerance in the units of q, v and x takes the place of tol times min(length, 1), V
/// and X; to rotations it is added.
class ErrorWeights {
 public:
  ErrorWeights(const system::Structure& structure, const Options& options);

  /// Begins at a state with accelerations, the first or a later one.
  void start(const State& state);

  /// Inverse sizes of entries that errors are to be multiplied by. `absolute` 0: none given.
  void of_positions(double tol, double absolute, std::span<const double> q, std::span<double> w) const;
  void of_velocities(double tol, double absolute, std::span<const double> v, std::span<double> w);
  void of_states(double tol, double absolute, std::span<const double> x, std::span<double> w);

  double length() const { return length_; }            // min(length of the mechanism, 1)
  double speed_floor() const { return speed_floor_; }  // speeds below it are small

 private:
  const system::Structure& structure_;
  double length_ = 1.0, speed_floor_ = 0.0;
  std::vector<double> speeds_, sizes_;  // largest |v|, |x| of each node so far
  std::vector<int> storage_of_;  // place in q of each tangent coordinate, -1 in rotations
};

}  // namespace daedal::integrate
