#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "daedal/correct/newton.hpp"
#include "daedal/formulate/first_order.hpp"

namespace daedal::correct {

/// What is done when the factor alpha of dF/dy' has changed and dF/dy is taken for unchanged.
///
///   none                  all of it is evaluated anew
///   partitioned           J = alpha dF/dy'(now) + dF/dy(then)                [Arnold2006] eqs. 23-25
///   extended-partitioned  and dF/dy(then) + sum d2F/dy dU_i (U_i(now) - U_i(then))     eq. 26,
///                         U = (u, u', u''); second derivatives by differences, once
enum class JacobianUpdate { none, partitioned, extended };

std::optional<JacobianUpdate> jacobian_update_from(std::string_view name);
std::string_view name_of(JacobianUpdate update);
std::span<const std::string_view> jacobian_update_names();

enum class JacobianPattern { topology, estimated };

std::optional<JacobianPattern> jacobian_pattern_from(std::string_view name);
std::string_view name_of(JacobianPattern pattern);
std::span<const std::string_view> jacobian_pattern_names();

/// The Newton matrix of a first-order form, scaled,
///
///     J = L (alpha dF/dy' + dF/dy) R,
///
/// and where its parts come from. dF/dy' consists of M and identities and is always analytic, and so
/// are the kinematic rows, columns of eta included; the rest of dF/dy is
///
///   analytic     from the system's derivative blocks
///   differences  (F(y + delta_r e_r, y') - F(y, y')) / delta_r, one residual per column,
///                delta_r = max(|y_r|, eps^(1/4)) eps^(1/2)                    [Arnold2006] eqs. 16, 17
///   grouped      the same for columns that share no row together               eq. 20
///
/// The pattern behind the groups is that of the topology, or an estimate from the entries that differ
/// from zero where the matrix was last evaluated column by column: at first, and whenever it is under
/// suspicion of having become too small [Arnold2006] section 3.1.
///
/// Scaling: rows by alpha^-order, unknowns by alpha^order; `physical` also dynamic rows by 1/m_r and
/// multipliers by m_r.
class FirstOrderMatrix {
 public:
  FirstOrderMatrix(formulate::FirstOrder& form, JacobianSource source, JacobianUpdate update,
                   Scaling scaling, JacobianPattern pattern = JacobianPattern::topology);

  const linear::BlockMatrix& matrix() const { return J_; }
  const ScaleFactors& scale() const { return scale_; }
  JacobianUpdate update_kind() const { return update_; }
  double reference_mass = 1.0;  // m_r [kg]

  /// dF/dy and dF/dy' at a point where the residual is F. `suspect`: a matrix evaluated recently did
  /// not serve, so an estimated pattern is looked at again.
  void evaluate(std::span<const math::Jet> u, std::span<const double> y,
                std::span<const double> y_rate, std::span<const double> F, bool suspect = false);
  /// The cheap way to a new point.
  void update(std::span<const math::Jet> u, std::span<const double> y);
  /// Combines; `regularisation` as in NewtonMatrix.
  void assemble(double alpha, std::span<const double> y, double regularisation);

  /// r <- L r, and z <- R z.
  void scale_rows(std::span<double> r) const;
  void unscale_unknowns(std::span<double> z) const;

  long evaluations() const { return evaluations_; }
  long updates() const { return updates_; }
  long residual_evaluations() const { return residuals_; }
  /// Residuals that one evaluation takes.
  int residuals_per_evaluation() const;

 private:
  struct Piece {  // J(block) += factor * values, or their transpose
    const double* values;
    int to, rows, columns;
    double sign;
    bool transposed;
  };
  struct Entry {  // of a column: the row of F, and the place among J's values
    int row, to;
  };
  struct Column {  // to be filled by differences
    int unknown, first, end;  // its entries_
  };
  struct Sensitivity {  // d(dF/dy)/dU_k of an excitation
    int excitation, derivative;
    std::vector<double> slope;
  };

  void add(const std::vector<Piece>& pieces, double factor, double* to) const;
  void fill(std::span<const math::Jet> u, std::span<const double> y,
            std::span<const double> y_rate, std::span<const double> F, std::span<double> out);
  bool is_kinematic(int row, int unknown) const;
  void find_columns(const std::vector<formulate::Term>& terms);
  /// Columns that share no row of the pattern, together.
  void make_groups();
  void difference(std::span<const math::Jet> u, std::span<const double> y,
                  std::span<const double> y_rate, std::span<const double> F,
                  std::span<const int> columns, std::span<double> out);
  /// Column by column, to slope_: what differs from zero is added to the pattern.
  void extend_pattern(std::span<const math::Jet> u, std::span<const double> y,
                      std::span<const double> y_rate, std::span<const double> F);
  void find_sensitivities(std::span<const math::Jet> u, std::span<const double> y,
                          std::span<const double> y_rate);
  void rescale(double alpha);
  void regularise(double relative);
  double increment(std::span<const double> y, int unknown) const;

  formulate::FirstOrder& form_;
  const formulate::Layout& layout_;
  JacobianSource source_;
  JacobianUpdate update_;
  Scaling scaling_;
  JacobianPattern pattern_;
  linear::BlockMatrix J_;
  ScaleFactors scale_;
  std::vector<Piece> rates_, kinematic_, others_;
  std::vector<double> slope_, base_;  // dF/dy but for its kinematic rows: now, and at evaluation
  std::vector<Entry> entries_;
  std::vector<char> present_, before_;  // those in the pattern, now and before it was extended
  bool any_present_ = false;
  std::vector<Column> columns_;
  std::vector<std::vector<int>> groups_;  // of columns_
  std::vector<double> y_, F_, F0_;
  std::vector<math::Jet> u_base_, u_;
  std::vector<Sensitivity> sensitivities_;
  bool has_sensitivities_ = false;
  std::vector<int> multiplier_diagonal_;
  long evaluations_ = 0, updates_ = 0, residuals_ = 0;
};

}  // namespace daedal::correct
