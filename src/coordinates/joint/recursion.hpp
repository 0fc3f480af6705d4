#pragma once

#include <span>
#include <vector>

#include "daedal/coordinates/joint/elements.hpp"

namespace daedal::coordinates::joint {

/// What a link does: its frame and motion, stated for its origin, in world axes.
template <int D>
struct LinkMotion {
  typename Geometry<D>::Matrix R = Geometry<D>::Matrix::Identity();
  typename Geometry<D>::Vector p = Geometry<D>::Vector::Zero();
  typename Geometry<D>::Vector d = Geometry<D>::Vector::Zero();     // from the parent's origin
  typename Geometry<D>::Vector axis = Geometry<D>::Vector::Zero();  // of a slide
  typename Geometry<D>::Vector v = Geometry<D>::Vector::Zero();
  typename Geometry<D>::Spin omega = Geometry<D>::Spin::Zero();
  double rate = 0.0;   // of a hinge, slide or screw, with its sign
  double angle = 0.0;  // planar, continuous
};

/// Recursions along the tree, each of a cost that grows with the number of links:
///
///   kinematics   frames and velocities                            from the ground outwards
///   accelerate   accelerations for given v'                       outwards
///   collect      J^T of loads on bodies                           inwards
///   forward      v' for given loads, articulated inertias         inwards, then outwards
///
/// All vectors are in world axes: then motions and loads pass from link to link by sums and cross
/// products, and no link's matrices need to be turned.
template <int D>
class Recursion {
 public:
  using Vector = typename Geometry<D>::Vector;
  using Spin = typename Geometry<D>::Spin;
  using Matrix = typename Geometry<D>::Matrix;
  static constexpr int kDof = Geometry<D>::kDof;
  using Inertia = Eigen::Matrix<double, kDof, kDof>;

  explicit Recursion(const Tree<D>& tree);

  const Tree<D>& tree() const { return tree_; }

  void kinematics(std::span<const double> q, std::span<const double> v,
                  std::span<const math::Jet> u);
  /// Accelerations of all links; an empty span is v' = 0.
  void accelerate(std::span<const double> a, std::span<const double> v,
                  std::span<const math::Jet> u);

  const LinkMotion<D>& motion(int link) const { return motion_[link]; }
  const Twist<D>& acceleration(int link) const { return acceleration_[link]; }
  /// Acceleration of a point at an offset from the link's origin.
  Vector acceleration_at(int link, const Vector& r) const {
    const LinkMotion<D>& m = motion_[link];
    const Twist<D>& a = acceleration_[link];
    return a.lin + cross(a.ang, r) + cross(m.omega, cross(m.omega, r));
  }

  /// The motions of a link's coordinates, stated for its origin.
  Twist<D> column(int link, int k) const {
    const LinkMotion<D>& m = motion_[link];
    Twist<D> s;
    switch (tree_.links[link].kind) {
      case LinkKind::hinge:
        if constexpr (D == 3) {
          s.ang = tree_.links[link].sign * m.R.col(2);
        } else {
          s.ang[0] = tree_.links[link].sign;
        }
        break;
      case LinkKind::slide:
        s.lin = tree_.links[link].sign * m.axis;
        break;
      case LinkKind::ball:
        if constexpr (D == 3) s.ang = m.R.col(k);
        break;
      case LinkKind::translation:
        s.lin = m.R.col(k);
        break;
      case LinkKind::screw:
        if constexpr (D == 3) {
          s.ang = tree_.links[link].sign * m.R.col(2);
          s.lin = tree_.links[link].pitch * s.ang;
        }
        break;
      case LinkKind::fixed:
        break;
    }
    return s;
  }

  // Loads, each stated for the origin of a link.
  void clear_loads();
  void add_load(int link, const Vector& force, const Spin& torque) {
    load_[link].lin += force;
    load_[link].ang += torque;
  }
  /// A load at an offset from the link's origin.
  void add_load_at(int link, const Vector& r, const Vector& force, const Spin& torque) {
    add_load(link, force, torque + moment(r, force));
  }
  /// Adds mass times acceleration less weight of all bodies, at the accelerations of accelerate().
  void add_inertia();
  /// Sums loads inwards; r = J^T loads. The loads then are what passes through the links.
  void collect(std::span<double> r);
  const Twist<D>& load(int link) const { return load_[link]; }
  /// Load on the coordinate of a link, of collect().
  double along(int link) const;

  /// v' for which collect() after add_inertia() would give tau, with the loads on the links as they
  /// are: M v' = tau - J^T loads - (the rest). Overwrites accelerations.
  void forward(std::span<const double> tau, std::span<const double> v, std::span<const math::Jet> u,
               std::span<double> a);

  double kinetic_energy() const;
  double potential_energy() const;

  /// Place of a body's centre of mass relative to its link's origin.
  Vector center(int body) const {
    const BodyOnLink<D>& b = tree_.bodies[body];
    return motion_[b.link].R * b.c;
  }

 private:
  /// Acceleration of a link's own motion that does not come from v': prescribed and Coriolis terms.
  Twist<D> drift(const Link<D>& link, const LinkMotion<D>& m, const LinkMotion<D>& parent,
                 std::span<const double> v, std::span<const math::Jet> u) const;

  const Tree<D>& tree_;
  std::vector<LinkMotion<D>> motion_;
  std::vector<Twist<D>> acceleration_, load_;
  // Of the articulated bodies.
  std::vector<Inertia> inertia_;
  std::vector<Twist<D>> drift_;
  std::vector<Eigen::Matrix<double, kDof, 1>> U_;
  std::vector<double> pivot_, u_;
  std::vector<Eigen::Matrix<double, kDof, 3>> U3_;
  std::vector<Eigen::Matrix3d> pivot3_;
  std::vector<Eigen::Vector3d> u3_;
  std::vector<int> wide_;  // index of a link with several coordinates into U3_ and its like, or -1
};

}  // namespace daedal::coordinates::joint
