// C++17: headers of Simbody do not compile with a later standard.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daedal::bench {

/// A chain as a peer has it, hinge by hinge: the axis in the axes of the bar, all bars alike.
struct ChainData {
  int count = 0;
  std::vector<std::array<double, 3>> axis;
  double length = 1.0, mass = 1.0;
  std::array<double, 3> inertia{};  // principal, about the middle of the bar, which lies along x
  double gravity = -9.81;           // along z
};

/// One dynamics algorithm of a peer, kinematics included. Forward: `in` is not read, `out` are the
/// accelerations without motors. Inverse: `in` are accelerations, `out` torques.
struct Peer {
  std::string name;
  std::function<void(const double* q, const double* v, const double* in, double* out)> run;
  std::shared_ptr<void> owner;
};

Peer bullet_forward(const ChainData& chain);
Peer kdl_inverse(const ChainData& chain);
Peer simbody_forward(const ChainData& chain);
Peer simbody_inverse(const ChainData& chain);

}  // namespace daedal::bench
