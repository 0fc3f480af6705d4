#pragma once

#include <memory>
#include <vector>

#include "daedal/coordinates/joint/evaluator.hpp"

namespace daedal::coordinates::joint {

/// Solves with S = K P + D V + M A along the tree of links, in a time that grows with their number:
/// articulated bodies, generalised from M to S.
///
/// An increment d of all coordinates leads to the state s = (psi, phi, chi) of each link, the sum over
/// its own coordinates and those of the links that carry it (linearise.cpp has what they mean):
///
///     s = s_parent + sigma d     sigma = [psi P; phi P - psi V; chi P - kappa V - psi A]
///
/// and to the load L that a link takes over from its bodies and from the links on it, while the load F
/// that it has carried anyway turns by E psi:
///
///     L = [A B C] s + sum L_child      (S d)_i = psi^T (L + E psi) + (what acts on the coordinate)
///
/// From the leaves inwards L = H s + h, so that the row of a link gives its d for a given s_parent:
///
///     U = psi^T (H + E)     pivot = U sigma     d = pivot^-1 (b - psi^T h - U s_parent)
///     H_parent += H - H sigma pivot^-1 U        h_parent += h + H sigma pivot^-1 (b - psi^T h)
///
/// H is 6 x 18 in space, 3 x 9 in the plane. Everything is stated for the links' own origins and moved
/// from one to the next. Loads f = A psi + B phi between two bodies (springs that are no joint's) are
/// unknowns beside the tree's, solved for by their Schur complement.
template <int D>
class JointImplicitDynamics final : public system::ImplicitDynamics {
 public:
  explicit JointImplicitDynamics(const Compiled<D>& compiled);

  void linearise(system::Evaluator& evaluator, std::span<const double> a,
                 std::span<const double> mu, system::Linearisation& own) override;
  void mass(system::Evaluator& evaluator, linear::BlockMatrix& own) override;
  linear::FactorStatus factorise(const Part& P, const Part& V, const Part& A) override;
  void solve(std::span<double> b) override;
  void multiply_add(std::span<const double> dq, std::span<const double> dv,
                    std::span<const double> da, std::span<double> y, double scale) override;

 private:
  using Vector = typename Geometry<D>::Vector;
  using Spin = typename Geometry<D>::Spin;
  static constexpr int kDof = Geometry<D>::kDof;
  static constexpr int kRot = Geometry<D>::kRotations;
  static constexpr int kState = 3 * kDof;
  using Block = Eigen::Matrix<double, kDof, kDof>;
  using Columns = Eigen::Matrix<double, kDof, 3>;
  using Wide = Eigen::Matrix<double, kDof, kState>;
  using Load = Eigen::Matrix<double, kDof, 1>;
  using State = Eigen::Matrix<double, kState, 1>;
  using Square = Eigen::Matrix3d;  // as many rows and columns as a link has coordinates

  struct Derivatives {  // of a link
    Columns psi = Columns::Zero(), phi = Columns::Zero(), chi = Columns::Zero(),
            kappa = Columns::Zero();
    Wide own = Wide::Zero();  // [A B C] of its bodies
    Load load = Load::Zero();  // F
    Vector d = Vector::Zero();  // from the parent's origin
    Square M = Square::Zero(), D_ = Square::Zero(), K = Square::Zero();  // diagonal blocks
    double stiffness = 0.0, damping = 0.0;  // of its coordinate
  };
  struct Factors {
    Eigen::Matrix<double, kState, 3> sigma;
    Columns H_sigma;
    Eigen::Matrix<double, kState, 3> U;  // transposed, of pivot^-1 U
    Square inverse;                      // of the pivot
    Eigen::Vector3d d;                   // pivot^-1 (b - psi^T h)
  };
  struct Coupling {
    const typename Compiled<D>::Coupling* of;
    int row, column;  // links
    Block A, B;
  };

  int links() const { return static_cast<int>(compiled_.tree.links.size()); }
  void take_links(const JointEvaluator<D>& evaluator);
  void find_own_blocks();
  /// psi^T E for one column of psi and the load of a link.
  Eigen::Matrix<double, 1, kDof> turned_load(const Derivatives& link, int column) const;
  Square part(const Part& P, int link) const;
  linear::FactorStatus factorise_couplings();
  /// With the loads in load_ beside the right-hand side; leaves the states in state_.
  void solve_tree(std::span<double> b);
  /// f = A psi + B phi of every coupling.
  void coupling_loads(std::span<double> f) const;
  void move_state(State& s, const Vector& d) const;
  void add_moved(Load& to, const Load& load, const Vector& d) const;

  const Compiled<D>& compiled_;
  std::vector<Derivatives> derivatives_;
  std::vector<Factors> factors_;
  std::vector<int> rotation_;  // of a ball, in the manifold's order
  std::vector<Wide> H_;
  std::vector<Block> A_sum_, B_sum_, C_sum_;
  std::vector<State> state_;
  std::vector<Load> load_;
  std::vector<Coupling> couplings_;
  bool masses_alone_ = false;
  Eigen::MatrixXd responses_;  // S_tree^-1 J^T of the couplings' loads
  linear::BlockMatrix coupled_;
  std::unique_ptr<linear::Solver> coupled_solver_;
  std::vector<double> coupled_loads_;
};

/// Null where coordinates have no mass, or where forces between bodies are so many that the blocks are
/// the cheaper way.
template <int D>
std::unique_ptr<system::ImplicitDynamics> make_implicit_dynamics(const Compiled<D>& compiled);

}  // namespace daedal::coordinates::joint
