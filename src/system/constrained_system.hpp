#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daedal/linear/block_matrix.hpp"
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

/// Sizes, names and sparsity: everything that is fixed for an epoch, the time between events.
struct Structure {
  Manifold manifold;
  std::vector<Node> coordinates;
  std::vector<ConstraintNode> constraints;
  std::vector<Node> states;
  int constraint_rows = 0;
  int state_size = 0;
  int excitations = 0;

  std::shared_ptr<const linear::BlockPattern> mass;        // coordinates x coordinates
  std::shared_ptr<const linear::BlockPattern> damping;     // coordinates x coordinates
  std::shared_ptr<const linear::BlockPattern> stiffness;   // coordinates x coordinates
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
  bool massless(int node) const { return mass->find(node, node) < 0; }
  bool has_massless() const;
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
  explicit Linearisation(const Structure& structure);

  linear::BlockMatrix M;  // mass
  linear::BlockMatrix D;  // -df/dv
  linear::BlockMatrix K;  // d(M a - f + G^T mu)/dq
  linear::BlockMatrix G;  // dg/dq in position rows, A in velocity rows
  linear::BlockMatrix W;  // d(A v - b)/dq in velocity rows, zero in position rows
  linear::BlockMatrix f_x;  // df/dx
  linear::BlockMatrix c_q, c_v, c_x;  // dc/dq, dc/dv, dc/dx
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
  /// Position rows g(q,u), velocity rows A v - b.
  virtual void constraints(std::span<double> g) = 0;
  /// Position rows G v + g_u u', velocity rows A v - b.
  virtual void constraint_rates(std::span<double> rate) = 0;
  /// Right-hand side of the acceleration level, G v' = gamma:
  /// gamma = -(G v)_q v - 2 (G_u u') v - g_uu(u',u') - g_u u'', and its like for velocity rows.
  virtual void gamma(std::span<double> gamma) = 0;

  virtual void force(std::span<double> f) = 0;
  /// r = M a - f + G^T lambda in one pass.
  virtual void residual(std::span<const double> a, std::span<const double> lambda,
                        std::span<double> r) = 0;
  /// c(q, v, x, U)
  virtual void state_rates(std::span<double> c) = 0;

  virtual void mass(linear::BlockMatrix& M) = 0;
  virtual void linearise(std::span<const double> a, std::span<const double> mu,
                         Linearisation& out) = 0;

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

  virtual void excitations(double t, std::span<math::Jet> u) const = 0;
  /// Times in (t0, t1) where an excitation or one of its derivatives jumps, ascending.
  virtual std::vector<double> break_points(double t0, double t1) const = 0;
};

}  // namespace daedal::system
