#pragma once

#include <vector>

#include "daedal/coordinates/absolute/parts.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::coordinates::absolute {

/// Relative motions of joints as unknowns of their own: scalars phi without mass [Bauchau2009],
/// section 5. A row of constraints ties phi to the bodies,
///
///     0 = s(q) - phi                 angle or displacement of a joint
///     0 = n(phi).d                   direction of the line d between two points, in the plane
///
/// springs, dampers and given loads act on it, a drive prescribes it. Rows of the first kind are
/// ordinary constraint parts that know where their phi is; everything else is here.

/// Where a scalar coordinate is in q, in v and among the nodes.
struct ScalarCoordinate {
  int storage = -1, dof = -1, node = -1;
};

/// n(phi).d = 0 with n normal to the direction at the angle phi from `reference`, in axes of A.
struct DirectionRow {
  Links<2> links;
  Eigen::Vector2d a, b;
  double reference = 0.0;
  ScalarCoordinate phi;
  int row = 0;
  std::array<int, 2> G{-1, -1};
  int G_phi = -1;                              // value offsets
  std::array<int, 2> K_body_phi{-1, -1}, K_phi_body{-1, -1};
  int K_phi = -1;

  /// Component of d normal to the line, and along it.
  SlidePart<2> normal(double angle) const {
    return {{-std::sin(reference + angle), std::cos(reference + angle)}, a, b};
  }
  SlidePart<2> along(double angle) const {
    return {{std::cos(reference + angle), std::sin(reference + angle)}, a, b};
  }
};

/// tau = u(t) - stiffness (phi - rest) - damping phi'.
struct CoordinateLoad {
  ScalarCoordinate phi;
  double stiffness = 0.0, damping = 0.0, rest = 0.0;
  int excitation = -1;
  int K = -1, D_ = -1;  // value offsets
};

/// phi = u(t), or phi' = u(t).
struct CoordinateDrive {
  ScalarCoordinate phi;
  int row = 0, excitation = 0;
  int G = -1;
  system::Level level = system::Level::position;
};

/// The part of a system that these elements make up. Every function adds to what is there, but
/// for the rows it owns.
struct JointCoordinates {
  std::vector<ScalarCoordinate> all;
  std::vector<DirectionRow> directions;  // planar alone
  std::vector<CoordinateLoad> loads;
  std::vector<CoordinateDrive> drives;

  /// Drives have constant rows, written once; those of directions belong to a configuration.
  void constant_rows(double* G) const;
  void rows(const system::Point& point, std::span<const Frame<2>> frames, double* G) const;
  void constraints(const system::Point& point, std::span<const Frame<2>> frames,
                   std::span<double> g) const;
  void gamma(const system::Point& point, std::span<const Frame<2>> frames,
             std::span<double> gamma) const;
  void linearise(const system::Point& point, std::span<const Frame<2>> frames,
                 std::span<const double> mu, double* K, double* D) const;

  void subtract_drive_rates(const system::Point& point, std::span<double> rate) const;
  double drive_power(const system::Point& point, std::span<const double> lambda) const;
  void add_force(const system::Point& point, std::span<double> f) const;
  void add_energy(const system::Point& point, system::Energy& energy) const;
};

}  // namespace daedal::coordinates::absolute
