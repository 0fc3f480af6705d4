#pragma once

#include <memory>
#include <optional>

#include "daedal/formulate/formulation.hpp"

namespace daedal::formulate {

/// The equations as a first-order system F(y, y', U) = 0 of lower index, for methods that integrate
/// such systems: y = (q, v, lambda, eta, x).
///
///   kinematic   0 = q' - [v - G^T eta]               row order 1   unknown q       order 0
///   dynamic     0 = M v' - f(q, v, x, U) + G^T lambda row order 2   unknown v       order 1
///   constraint  0 = G v + g_u u',  0 = A v - b        row order 1   unknown lambda  order 2
///   position    0 = g(q, u)                           row order 0   unknown eta     order 1
///   state       0 = x' - c(q, v, x, U)                row order 1   unknown x       order 0
///
///   ggl      as written: both levels of the constraints hold, eta is zero in the exact solution
///            [Gear1985], [Arnold2006] eq. 9. Velocity-level constraints take no eta.
///   index-2  without eta and position rows: positions drift off, and are projected
///   index-1  constraint rows are those of accelerations, with Baumgarte's terms [Baumgarte1972]:
///            0 = G v' - gamma + 2 alpha (G v + g_u u') + beta^2 g       position level
///            0 = A v' - gamma + alpha (A v - b)                          velocity level
///
/// Rotations are integrated as quaternions p in R^4, E(p) w = p o (0, w)/2:
///
///     0 = p' - E(p) [v - G^T eta] - kappa (1 - |p|^2) p,      R formed from p/|p|
///
/// so that y is a vector space. A row |p| = 1 with a multiplier would be dependent on velocity level.
/// Rows of constraints that depend on others can be left out: their place is taken by lambda = 0 and
/// eta = 0, and they hold because the others do.
///
/// The dynamic rows are those of the residual formalism; `explicit` takes from a system that has it
///
///     0 = v' - M^-1 (f(q, v, x, U) - G^T lambda)                          [Arnold2006] eq. 10
///
/// Their derivatives come from differences alone: analytic ones are those of the residual formalism.
///
/// Newton's increments of a quaternion, dp = E(p) theta + p sigma, are reduced to theta, the tangent
/// coordinates of the system: sigma is eliminated exactly. So the matrix has the system's own nodes.
enum class Form { ggl, index2, index1 };

std::string_view name_of(Form form);
std::optional<Form> form_from(std::string_view name);
/// Names of the forms, in the order of the enumeration.
std::span<const std::string_view> form_names();

enum class Formalism { residual, explicit_ };

std::string_view name_of(Formalism formalism);
std::optional<Formalism> formalism_from(std::string_view name);
std::span<const std::string_view> formalism_names();

struct FirstOrderOptions {
  Form form = Form::ggl;
  double alpha = 0.0, beta = 0.0;  // Baumgarte's, of index-1 [1/s]
  double kappa = 1.0;              // attraction of quaternions to length 1 [1/s]
  Formalism formalism = Formalism::residual;
  /// M, D and K stay unformed where the system can solve with them (ImplicitDynamics): the terms then
  /// have their diagonal blocks alone.
  bool unformed = false;
};

class FirstOrder {
 public:
  FirstOrder(const system::ConstrainedSystem& system, const FirstOrderOptions& options);

  Form form() const { return options_.form; }
  Formalism formalism() const { return options_.formalism; }
  const system::Structure& structure() const { return structure_; }
  /// Rows and unknowns of the Newton matrix, rotations by tangent coordinates. Nodes: q, v, lambda,
  /// eta, x, each in the system's order.
  const Layout& layout() const { return layout_; }

  /// Size of y, rotations as quaternions, and its parts.
  int size() const { return nq_ + n_ + m_ + p_ + s_; }
  int etas() const { return p_; }
  template <class Span>
  Span q(Span y) const { return y.subspan(0, nq_); }
  template <class Span>
  Span v(Span y) const { return y.subspan(nq_, n_); }
  template <class Span>
  Span lambda(Span y) const { return y.subspan(nq_ + n_, m_); }
  template <class Span>
  Span eta(Span y) const { return y.subspan(nq_ + n_ + m_, p_); }
  template <class Span>
  Span x(Span y) const { return y.subspan(nq_ + n_ + m_ + p_, s_); }

  /// Leaves out rows of constraints until the next call; one flag per row.
  void leave_out(std::span<const char> rows);

  /// The excitations at a time, then everything for given excitations.
  void excitations(double t, std::span<math::Jet> u) const { system_.excitations(t, u); }
  void residual(std::span<const math::Jet> u, std::span<const double> y,
                std::span<const double> y_rate, std::span<double> F);
  /// The derivative blocks behind terms() at a point.
  void linearise(std::span<const math::Jet> u, std::span<const double> y,
                 std::span<const double> y_rate);
  /// What dF/dy' is made of, M and in index-1 G; and G of the kinematic rows if asked for.
  void linearise_rates(std::span<const math::Jet> u, std::span<const double> y, bool kinematic);
  /// The turns of rotations, which depend on the factor alpha of dF/dy': to be called before terms()
  /// are combined.
  void turn(double alpha, std::span<const double> y);

  /// The rows and unknowns of q and v in terms that stay unformed, null otherwise:
  ///
  ///     [ V    -I          ] [dq]
  ///     [ K    alpha M + D ] [dv]      V = alpha I + turn
  ///
  /// at the alpha of the last turn(): dq = (K + (alpha M + D) V)^-1 (r_v + (alpha M + D) r_q).
  system::ImplicitDynamics* implicit_dynamics() const { return implicit_.get(); }
  linear::FactorStatus factorise_core();
  void solve_core(std::span<double> r);
  void multiply_core(std::span<const double> z, std::span<double> r);

  /// dF/dy (derivative 0) and dF/dy' (derivative 1) in the layout's nodes.
  std::vector<Term> terms() const;
  /// G where the residual or the derivatives were evaluated last.
  const linear::BlockMatrix& constraint_matrix() const { return evaluator_->G(); }

  /// y' of a point whose accelerations and state rates are known: q' = v, lambda' = eta' = 0.
  void rates(std::span<const double> y, std::span<const double> a, std::span<const double> x_rate,
             std::span<double> y_rate) const;

  /// A vector of rows, in y's size, as right-hand side of the matrix; and its solution as increment
  /// of y. Both at the point and alpha of the last turn().
  void reduce(std::span<const double> rows, std::span<double> reduced) const;
  void expand(std::span<const double> reduced, std::span<const double> rows,
              std::span<double> dy) const;
  /// Size of a scalar unknown of the layout, 1 for rotations; and y += size along it.
  double size_of(std::span<const double> y, int unknown) const;
  void displace(std::span<double> y, int unknown, double size) const;

  /// Configuration with quaternions of length 1.
  void normalise(std::span<const double> q, std::span<double> out) const;
  std::string equation_name(int equation) const;

 private:
  struct Linear {
    int storage, tangent, size;
  };
  struct Turn {  // a rotation at the point of the last turn()
    math::Quaternion p;
    math::Vec3 w;
    double length2 = 1.0, d = 1.0;
  };
  void move_to(std::span<const math::Jet> u, std::span<const double> y);
  void clear_left_out(linear::BlockMatrix& rows) const;
  void copy_position_rows(std::span<const double> G);
  void add_corrections(std::span<const double> eta, std::span<double> velocity) const;
  void rate_derivative(std::span<const math::Jet> u, std::span<const double> y);
  std::vector<Term> dynamic_terms(int at_q, int at_v, int at_lambda, int at_x) const;

  const system::ConstrainedSystem& system_;
  const system::Structure& structure_;
  FirstOrderOptions options_;
  Layout layout_;
  int nq_, n_, m_, p_ = 0, s_;
  std::vector<Linear> linears_;
  std::vector<int> position_nodes_;
  std::vector<int> eta_row_;  // row of g to which an eta belongs
  std::unique_ptr<system::Evaluator> evaluator_, ahead_;
  std::unique_ptr<system::ImplicitDynamics> implicit_;
  double alpha_ = 0.0;                  // of the last turn()
  std::vector<math::Mat3> turn_rates_;  // V / alpha on the rotations
  system::Linearisation blocks_;
  linear::BlockMatrix identity_, state_identity_, turn_;
  linear::BlockMatrix position_G_;  // rows of eta
  linear::BlockMatrix N_;           // d(rates of constraints)/dq
  linear::BlockMatrix row_v_, row_q_;  // index-1: derivatives of the constraint rows
  linear::BlockMatrix unit_, position_unit_;  // of rows that are left out
  linear::BlockMatrix solved_q_, solved_v_, solved_lambda_, solved_x_;  // explicit: their patterns
  std::vector<char> out_;                     // by row
  bool any_out_ = false;
  std::vector<Turn> turns_;
  std::vector<double> q_, q_ahead_, w_, g_, gamma_, step_;
  std::vector<math::Jet> u_ahead_;
};

}  // namespace daedal::formulate
