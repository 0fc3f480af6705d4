#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daedal/coordinates/absolute/evaluator.hpp"
#include "daedal/coordinates/joint/recursion.hpp"

namespace daedal::coordinates::joint {

/// The equations of a tree of links at a point. With z, w the absolute coordinates and velocities
/// of the bodies, w = J v + (what is prescribed):
///
///     M = J^T M_z J      r = J^T (M_z w' - f_z + G_z^T lambda) - tau      G = G_z J
///
/// Inertia and weight come from recursions along the tree, forces between bodies and loops from
/// their elements in absolute coordinates, loads tau act on the coordinates themselves.
template <int D>
class JointEvaluator final : public system::Evaluator, public system::ForwardDynamics {
 public:
  explicit JointEvaluator(const Compiled<D>& compiled);

  void move_to(const system::Point& point) override;
  const linear::BlockMatrix& G() const override { return G_; }
  const linear::BlockMatrix& H() const override {
    return compiled_.structure.directed ? H_ : G_;
  }
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

  /// None if coordinates without mass are left.
  system::ForwardDynamics* forward_dynamics() override {
    return compiled_.structure.has_massless() ? nullptr : this;
  }
  /// In one pass along the tree and back.
  void accelerations(std::span<const double> lambda, std::span<double> a) override;

  const Recursion<D>& recursion() const { return recursion_; }
  /// Accelerations of the bodies in absolute coordinates, at those of the last residual().
  void body_accelerations(std::span<double> a) const;
  /// Loads on coordinates: springs, dampers, motors.
  double load(const CoordinateLoad& load) const;

  using Vector = typename Geometry<D>::Vector;
  using Spin = typename Geometry<D>::Spin;
  static constexpr int kDof = Geometry<D>::kDof;
  static constexpr int kRot = Geometry<D>::kRotations;
  using Block = Eigen::Matrix<double, kDof, kDof>;
  using Columns = Eigen::Matrix<double, kDof, 3>;  // as many as a link has coordinates

  /// What an increment of a link's coordinates does, in the joint's terms: motions psi of all it
  /// carries, and phi, chi by which velocities and accelerations do not turn with them; for
  /// increments of the velocities kappa.
  struct Perturbation {
    Columns psi = Columns::Zero(), phi = Columns::Zero(), chi = Columns::Zero(),
            kappa = Columns::Zero();
  };
  /// The sums over all bodies that a link carries: load = A psi + B phi + C chi. Seen from links on
  /// the way to the ground A has another part than seen from the link itself and beyond.
  struct Composite {
    Block A_up, A_down, B, C;
    Twist<D> load;  // mass times acceleration less all forces
  };

  /// The derivatives link by link: of the coordinates of each, and of the bodies on it alone, stated
  /// for its own origin; and the blocks of `out` but those of M, D and K.
  void linearise_links(std::span<const double> a, std::span<const double> mu,
                       system::Linearisation& out);
  /// The same of M alone: psi and C.
  void linearise_masses();
  const Perturbation& perturbation(int link) const { return perturbation_[link]; }
  const Composite& own(int link) const { return composite_[link]; }
  /// Loads A psi + B phi on the link of one body by motions of the link of another, each stated for
  /// the origin of its link.
  void coupling(const typename Compiled<D>::Coupling& coupling, Block& A, Block& B) const;

 private:
  using SpinBlock = Eigen::Matrix<double, kRot, kRot>;
  using Lever = Eigen::Matrix<double, D, kRot>;

  Block inertia(const BodyOnLink<D>& body) const;
  Block rest_block(int body_i, int body_j, const double* values, int width_i, int width_j) const;
  void place_rest();
  /// -f + G^T lambda of the rest, as loads on the links; scalars in rest_load_.
  void add_rest(std::span<const double> lambda);
  void project_rows(const std::vector<typename Compiled<D>::Rows>& list, const double* from,
                    const double* from_rate, double* to, double* to_rate);
  Columns body_columns(int body, int link) const;
  Columns body_rate_columns(int body, int link) const;
  /// Point for which what belongs to a link is stated: its own origin, or the same for all.
  Vector about(int link) const { return about_ ? *about_ : recursion_.motion(link).p; }
  void use_one_point();
  void prepare(std::span<const double> a, std::span<const double> mu);
  void perturb();
  void add_rest_blocks(int body, const Vector& r, const Vector& v, const system::Linearisation& rest,
                       Composite& sum, Vector& force, Spin& torque) const;
  void compose_own(const system::Linearisation& rest);
  void compose();
  void project_others(system::Linearisation& out);
  void couple(const system::Linearisation& rest, system::Linearisation& out);
  double coordinate(const CoordinateLoad& load) const;
  double rate(const CoordinateLoad& load) const;

  const Compiled<D>& compiled_;
  Recursion<D> recursion_;
  absolute::AbsoluteEvaluator<D> rest_;
  system::Linearisation rest_blocks_;
  linear::BlockMatrix G_, H_;
  system::Point point_;
  std::vector<double> rest_q_, rest_v_, rest_a_, rest_load_, tau_, zero_lambda_;
  std::vector<Perturbation> perturbation_;
  std::vector<Composite> composite_;
  std::optional<Vector> about_;
};

}  // namespace daedal::coordinates::joint
