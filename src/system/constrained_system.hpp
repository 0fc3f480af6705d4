#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "daedal/linear/block_matrix.hpp"
#include "daedal/linear/solver.hpp"
#include "daedal/math/expression.hpp"
#include "daedal/system/manifold.hpp"

namespace daedal::system {

/// The waist of Daedal: constrained mechanical systems, as physics produces and numerics consumes
/// them.
///
///     M(q,u) v' = f(q, v, x, U) - G(q,u)^T lambda       q' = v  (on the tangent space)
///             0 = g(q,u)      0 = A(q,u) v - b(q,U)     x' = c(q, v, x, U)
///             U = (u, u', u'') of the excitations u(t)
///
/// Where contacts slide, friction follows the normal force: then the multipliers act along other
/// directions, M v' = f - H(q, v)^T lambda, and H has the pattern of G.
///
///   q       configuration on a Manifold             n = manifold.dimension() degrees of freedom
///   v       velocity, in the tangent space
///   lambda  multipliers, one per constraint row, whatever the row's level
///   x       first-order states of force elements (often none)
///
/// Time enters through the excitations alone. M may be singular; what must hold is that M is
/// positive definite on the kernel of G, so nobody forms M^-1.

/// A group of neighbouring coordinates, constraint rows or states that belong together.
struct Node {
  std::string name;
  int offset = 0;
  int size = 0;
};

/// The level on which a constraint is stated. Only a position-level row has a g to hold.
enum class Level { position, velocity };

struct ConstraintNode : Node {
  Level level = Level::position;
};

/// A block pattern, made when it is first looked at: those of chains in joint coordinates are full,
/// and who solves along the topology (ImplicitDynamics) never looks.
class LazyPattern {
 public:
  using Shared = std::shared_ptr<const linear::BlockPattern>;

  LazyPattern() = default;
  LazyPattern(Shared pattern) : pattern_(std::move(pattern)) {}
  explicit LazyPattern(std::function<Shared()> make) : later_(std::make_shared<Later>()) {
    later_->make = std::move(make);
  }

  const Shared& get() const {
    if (!later_) return pattern_;
    std::call_once(later_->once, [this] { later_->pattern = later_->make(); });
    return later_->pattern;
  }
  operator const Shared&() const { return get(); }
  const linear::BlockPattern& operator*() const { return *get(); }
  const linear::BlockPattern* operator->() const { return get().get(); }

 private:
  struct Later {
    std::once_flag once;
    std::function<Shared()> make;
    Shared pattern;
  };
  Shared pattern_;
  std::shared_ptr<Later> later_;
};

/// Sizes, names and sparsity: everything that is fixed for an epoch, the time between events.
struct Structure {
  Manifold manifold;
  std::vector<Node> coordinates;
  std::vector<ConstraintNode> constraints;
  std::vector<Node> states;
  int constraint_rows = 0;
  int state_size = 0;
  int excitations = 0;

  LazyPattern mass;       // coordinates x coordinates
  LazyPattern damping;    // coordinates x coordinates
  LazyPattern stiffness;  // coordinates x coordinates
  std::shared_ptr<const linear::BlockPattern> constraint;  // constraints x coordinates
  std::shared_ptr<const linear::BlockPattern> force_state;  // coordinates x states
  std::shared_ptr<const linear::BlockPattern> state_coordinate;  // states x coordinates
  std::shared_ptr<const linear::BlockPattern> state_state;       // states x states

  int storage() const { return manifold.storage(); }
  int dof() const { return manifold.dimension(); }
  /// Level of every constraint row.
  std::vector<Level> row_levels() const;
  /// Names of all constraint rows, `node[i]`, for messages.
  std::string row_name(int row) const;
  std::string coordinate_name(int index) const;
  /// Whether a node of coordinates has no mass: `mass` has no block for it. Such coordinates are
  /// held by constraints alone.
  bool massless(int node) const {
    return with_mass.empty() ? mass->find(node, node) < 0 : with_mass[node] == 0;
  }
  bool has_massless() const;
  /// Multipliers act along other directions than their rows restrict: H is not G.
  bool directed = false;
  std::vector<char> with_mass;  // by node of coordinates; empty: as `mass` says
  /// The pattern of a matrix of coordinates that has diagonal blocks alone, one for each node.
  std::shared_ptr<const linear::BlockPattern> own_blocks() const;
  /// The part of `constraint` that belongs to velocity-level rows: the pattern of W.
  std::shared_ptr<const linear::BlockPattern> velocity_rows() const;
};

/// Where a system is evaluated. `u` holds value, first and second time derivative of each
/// excitation.
struct Point {
  std::span<const double> q, v, x;
  std::span<const math::Jet> u;
};

/// The separate derivative blocks of the equations at a point, for given accelerations and
/// multipliers. Derivatives with respect to q are along increments at q (left trivialised).
struct Linearisation {
  /// Of M, D and K all blocks, or the diagonal ones alone (ImplicitDynamics has the others).
  enum class Blocks { all, own };
  explicit Linearisation(const Structure& structure, Blocks blocks = Blocks::all);

  linear::BlockMatrix M;  // mass
  linear::BlockMatrix D;  // d(-f + H^T mu)/dv
  linear::BlockMatrix K;  // d(M a - f + H^T mu)/dq
  linear::BlockMatrix G;  // dg/dq in position rows, A in velocity rows
  linear::BlockMatrix H;  // directions of the multipliers; without pattern where they are those of G
  linear::BlockMatrix W;  // d(A v - b)/dq in velocity rows, zero in position rows
  linear::BlockMatrix f_x;  // df/dx
  linear::BlockMatrix c_q, c_v, c_x;  // dc/dq, dc/dv, dc/dx

  /// H, or G where there is none of its own.
  const linear::BlockMatrix& directions() const { return H.shared_pattern() ? H : G; }
};

/// Energies and powers at a point [J], [W].
struct Energy {
  double kinetic = 0.0;
  double potential = 0.0;
  double dissipation_power = 0.0;  // power of damping forces, normally <= 0
  double applied_power = 0.0;      // power of forces that are given functions of time
  double total() const { return kinetic + potential; }
};

/// Linear momentum and angular momentum about the origin, in world axes (planar systems use x, y
/// and the z component of the angular momentum).
struct Momentum {
  math::Vec3 linear = math::Vec3::Zero();
  math::Vec3 angular = math::Vec3::Zero();
};

/// Accelerations of a system from its multipliers in one pass, where that is cheap:
///
///     v' = M(q,u)^-1 (f(q, v, x, U) - G(q,u)^T lambda)
///
/// M must be regular; where it is not, the result is not finite.
class ForwardDynamics {
 public:
  virtual ~ForwardDynamics() = default;
  /// At the point that the evaluator was moved to. It does not see the constraints.
  virtual void accelerations(std::span<const double> lambda, std::span<double> a) = 0;
};

class Evaluator;

/// Solves with combinations of M, D and K in one pass along the topology of a system in which nearly
/// every coordinate is coupled with every other, without their blocks:
///
///     S = K P + D V + M A       dq = P d,  dv = V d,  dv' = A d
///
/// P, V and A are a number times the identity, on rotations times given 3 x 3 blocks. The derivatives
/// stay here, whatever the evaluator does next. Nothing allocates.
class ImplicitDynamics {
 public:
  virtual ~ImplicitDynamics() = default;

  /// One of P, V, A.
  struct Part {
    double factor = 0.0;
    std::span<const math::Mat3> rotations;  // in the manifold's order; empty: identities
  };

  /// As Evaluator::linearise at the point of an evaluator of the same system; of M, D and K it gives
  /// the diagonal blocks.
  virtual void linearise(Evaluator& evaluator, std::span<const double> a,
                         std::span<const double> mu, Linearisation& own) = 0;
  /// M alone: from here on D and K are zero.
  virtual void mass(Evaluator& evaluator, linear::BlockMatrix& own) = 0;

  virtual linear::FactorStatus factorise(const Part& P, const Part& V, const Part& A) = 0;
  /// Overwrites a right-hand side with S^-1 b.
  virtual void solve(std::span<double> b) = 0;
  /// y += scale (K dq + D dv + M da); an empty span is zero.
  virtual void multiply_add(std::span<const double> dq, std::span<const double> dv,
                            std::span<const double> da, std::span<double> y,
                            double scale = 1.0) = 0;
};

/// A system seen from one point, with the workspace that takes. Cheap to keep, one per thread:
/// evaluators of one system share nothing that changes.
///
/// Vectors of constraints have one entry per row. All outputs are overwritten.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Goes to a point: kinematics, g and G are computed here, once for all that follows. The spans
  /// of `point` must stay valid until the next call.
  virtual void move_to(const Point& point) = 0;

  /// dg/dq in position rows, A in velocity rows.
  virtual const linear::BlockMatrix& G() const = 0;
  /// The directions in which multipliers act, -H^T lambda.
  virtual const linear::BlockMatrix& H() const { return G(); }
  /// Position rows g(q,u), velocity rows A v - b.
  virtual void constraints(std::span<double> g) = 0;
  /// Position rows G v + g_u u', velocity rows A v - b.
  virtual void constraint_rates(std::span<double> rate) = 0;
  /// Right-hand side of the acceleration level, G v' = gamma:
  /// gamma = -(G v)_q v - 2 (G_u u') v - g_uu(u',u') - g_u u'', and its like for velocity rows.
  virtual void gamma(std::span<double> gamma) = 0;

  virtual void force(std::span<double> f) = 0;
  /// r = M a - f + H^T lambda in one pass.
  virtual void residual(std::span<const double> a, std::span<const double> lambda,
                        std::span<double> r) = 0;
  /// c(q, v, x, U)
  virtual void state_rates(std::span<double> c) = 0;

  virtual void mass(linear::BlockMatrix& M) = 0;
  virtual void linearise(std::span<const double> a, std::span<const double> mu,
                         Linearisation& out) = 0;

  /// Null where there is no cheap way to it.
  virtual ForwardDynamics* forward_dynamics() { return nullptr; }

  virtual Energy energy() = 0;
  virtual Momentum momentum() = 0;
  /// Power of what moves by itself: constraints with a moving right-hand side, and motions that the
  /// coordinates take as given. The latter's forces depend on the accelerations.
  virtual double drive_power(std::span<const double> a, std::span<const double> lambda) = 0;
};

class ConstrainedSystem {
 public:
  virtual ~ConstrainedSystem() = default;

  virtual const Structure& structure() const = 0;
  virtual std::unique_ptr<Evaluator> evaluator() const = 0;
  /// Null where blocks serve as well or better.
  virtual std::unique_ptr<ImplicitDynamics> implicit_dynamics() const { return nullptr; }

  virtual void excitations(double t, std::span<math::Jet> u) const = 0;
  /// Times in (t0, t1) where an excitation or one of its derivatives jumps, ascending.
  virtual std::vector<double> break_points(double t0, double t1) const = 0;
};

/// The diagonal of M at an evaluator's point; zero where there is no mass.
std::vector<double> mass_diagonal(const ConstrainedSystem& system, Evaluator& evaluator);

}  // namespace daedal::system
