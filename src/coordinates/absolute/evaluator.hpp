#pragma once

#include <vector>

#include "daedal/coordinates/absolute/elements.hpp"

namespace daedal::coordinates::absolute {

/// The equations of a compiled model at a point.
///
/// A rigid body contributes, with J its inertia in its own axes,
///     m p'' = sum of forces,      J omega' + omega x J omega = sum of torques,
/// a constraint part its rows of g and G, a force element its share of f, D and K.
template <int D>
class AbsoluteEvaluator final : public system::Evaluator {
 public:
  explicit AbsoluteEvaluator(const Compiled<D>& compiled);

  void move_to(const system::Point& point) override;
  /// Frames of the bodies, to be written by who knows them; place() then goes there, and reads of
  /// `point.q` the scalar coordinates alone.
  std::span<Frame<D>> bodies() { return {frames_.data(), frames_.size() - 1}; }
  void place(const system::Point& point);
  const linear::BlockMatrix& G() const override { return G_; }
  const linear::BlockMatrix& H() const override { return compiled_.sliding.empty() ? G_ : H_; }
  void constraints(std::span<double> g) override;
  void constraint_rates(std::span<double> rate) override;
  void gamma(std::span<double> gamma) override;
  void force(std::span<double> f) override;
  void residual(std::span<const double> a, std::span<const double> lambda,
                std::span<double> r) override;
  void state_rates(std::span<double> c) override;
  void mass(linear::BlockMatrix& M) override;
  void linearise(std::span<const double> a, std::span<const double> mu,
                 system::Linearisation& out) override;
  system::Energy energy() override;
  system::Momentum momentum() override;
  double drive_power(std::span<const double> a, std::span<const double> lambda) override;

  const std::vector<Frame<D>>& frames() const { return frames_; }

 private:
  using Vector = typename Geometry<D>::Vector;
  using Spin = typename Geometry<D>::Spin;
  using Row = Eigen::Matrix<double, 1, Geometry<D>::kDof>;

  const Frame<D>& A(const Links<D>& l) const { return frames_[l.frame[0]]; }
  const Frame<D>& B(const Links<D>& l) const { return frames_[l.frame[1]]; }
  /// For what exists in the plane alone; empty in space.
  std::span<const Frame<2>> planar_frames() const;
  std::array<Row, 2> velocities(const Links<D>& l) const;

  /// f += scale * (force, torque in body axes) on a body.
  void add_to_body(std::span<double> f, const Links<D>& l, int k, const Vector& force,
                   const Spin& torque) const;
  void add_spring_forces(std::span<double> f) const;
  void add_measure_forces(std::span<double> f) const;
  void add_applied_forces(std::span<double> f) const;
  void add_wheel_forces(std::span<double> f) const;
  void linearise_bodies(system::Linearisation& out) const;
  void linearise_constraints(std::span<const double> mu, system::Linearisation& out) const;
  void linearise_springs(system::Linearisation& out) const;
  void linearise_measures(system::Linearisation& out) const;
  void linearise_applied(system::Linearisation& out) const;
  void linearise_wheels(system::Linearisation& out) const;

  // Contacts that slide (sliding.cpp).
  struct Slip {  // of one of them
    std::array<PartJacobian<D, 1>, D - 1> rows;
    Eigen::Matrix<double, D - 1, 1> direction;
    double speed = 0.0;
  };
  Slip slip(const SlidingContact<D>& contact) const;
  void place_sliding();
  void linearise_sliding(std::span<const double> mu, system::Linearisation& out) const;
  double sliding_power(std::span<const double> lambda) const;

  /// Value of a load's coordinate, counted over full turns, and its rate.
  template <class Load>
  double measure(const Load& load) const;
  template <class Load>
  double measure_rate(const Load& load, const PartJacobian<D, 1>& S) const;
  template <class Load>
  double measure_load(const Load& load, const PartJacobian<D, 1>& S) const;
  Vector applied_vector(const AppliedLoad<D>& load) const;
  Spin applied_torque(const AppliedLoad<D>& load) const;

  const Compiled<D>& compiled_;
  std::vector<Frame<D>> frames_;
  linear::BlockMatrix G_, H_;
  std::vector<double> scratch_;
  system::Point point_;
};

}  // namespace daedal::coordinates::absolute
