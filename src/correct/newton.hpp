#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "daedal/correct/newton_matrix.hpp"
#include "daedal/linear/bordered.hpp"

namespace daedal::correct {

/// Where the corrector's Jacobian comes from.
enum class JacobianSource { analytic, differences, grouped };

std::optional<JacobianSource> jacobian_source_from(std::string_view name);
std::string_view name_of(JacobianSource source);
std::span<const std::string_view> jacobian_source_names();

/// The nonlinear equations of one time step, F(trial) = 0, as an integrator states them.
class StepEquations {
 public:
  virtual ~StepEquations() = default;

  /// Puts the trial where the iteration starts.
  virtual void predict() = 0;
  /// Sets the multipliers of the trial to zero.
  virtual void forget_multipliers() = 0;
  /// F at the present trial, unscaled.
  virtual void residual(std::span<double> F) = 0;
  /// Evaluates the derivative blocks at the present trial.
  virtual void linearise() = 0;
  /// Combines the blocks evaluated last, with the present step's factors.
  virtual void assemble(NewtonMatrix& J, double regularisation) = 0;
  /// Moves the trial by unscaled increments of the unknowns.
  virtual void move(std::span<const double> dy) = 0;
  /// The same as a step of the iteration, with what a method corrects besides; that in displacements.
  virtual double correct(std::span<const double> dy) {
    move(dy);
    return 0.0;
  }
  /// Keeps the trial, or goes back to it (for difference quotients).
  virtual void save() = 0;
  virtual void restore() = 0;

  /// Size of the step's increment and of the configuration, in units of displacement.
  virtual double increment_size() const = 0;
  virtual double mechanism_size() const = 0;
  virtual double configuration_size() const = 0;
  /// What turns a multiplier into a displacement: 1 / (beta' m_r).
  virtual double multiplier_to_displacement() const = 0;
};

struct NewtonOptions {
  // Of a correction, relative to the step's increment. Velocities inherit this error in every step,
  // undamped schemes sum it up twice: 1e-8 is too much for ten thousand steps.
  double tolerance = 1e-10;
  double acceptable = 1e-8;  // where round-off stops the iteration, what is still good enough
  int max_iterations = 12;
  JacobianSource source = JacobianSource::analytic;
  bool reuse = true;  // keep a factorised Jacobian while it contracts well; else one per iteration
};

enum class NewtonStatus { converged, diverged, singular, not_finite };

struct NewtonReport {
  NewtonStatus status = NewtonStatus::converged;
  int iterations = 0;
  double contraction = 0.0;            // last ratio of corrections
  double correction = 0.0;             // last correction relative to the increment
  bool at_round_off = false;           // stopped there, above what is acceptable
  int equation = -1;                   // singular: the pivot; diverged: largest residual
  double last_displacement = 0.0;      // last decreasing corrections, infinity norm
  double last_multiplier = 0.0;
  double last_scaled_multiplier = 0.0;
};

/// What a Newton matrix is like.
struct MatrixQuality {
  /// Infinity norm. It may be beyond the inverse of round-off: it is computed through the factors of
  /// the well scaled matrix, J^-1 = R (L J R)^-1 L, whatever scaling and solver are in use.
  double condition_number = 0.0;
  /// Largest error with which the solver in use finds x from J x, for some x with entries between 1
  /// and 3; infinity if it cannot.
  double solver_error = 0.0;
};

struct NewtonCounters {
  long residual_evaluations = 0;
  long jacobian_evaluations = 0;
  long jacobian_residual_evaluations = 0;
  long jacobian_updates = 0;
  long factorizations = 0;
  long linear_solves = 0;
  long function_evaluations = 0;  // explicit methods: of f, of rows of constraints, of gamma
  long iterations = 0;
};

/// Newton's iteration for the equations of a step, in scaled unknowns:
///
///     (L J R) z = -L F,      dy = R z,
///
/// stopped when theta/(1-theta) |dy| is below the tolerance, theta the observed contraction.
/// Multipliers are measured by the displacement they cause. A factorised Jacobian serves until a
/// step takes more iterations than the average step since it was made, its own cost included: the
/// rule that minimises the average; it is renewed at once where the contraction is slow. An
/// iteration that fails is repeated once from its start with a fresh one, and without multipliers. Corrections that stagnate
/// above the tolerance are accepted at the level of round-off alone.
class Newton {
 public:
  Newton(const formulate::Layout& layout, std::unique_ptr<linear::Solver> solver,
         NewtonOptions options);

  /// Must be called before the first solve: the matrix the equations assemble into.
  void use(NewtonMatrix& matrix);
  NewtonReport solve(StepEquations& equations);

  /// Forget the Jacobian (new step size, new epoch).
  void invalidate() { valid_ = false; }
  /// The step's factors changed but its blocks did not: reassemble without evaluating.
  void refactorise() { stale_factors_ = true; }

  bool regularised() const { return regularisation_ > 0.0; }
  void regularise();
  /// Examines the scaled matrix at the present trial. Forgets the Jacobian.
  MatrixQuality examine(StepEquations& equations, const ScaleFactors& well_scaled);
  const NewtonCounters& counters() const { return counters_; }
  linear::Solver& solver() { return *solver_; }

 private:
  /// Largest entries of the correction z_, unscaled and scaled.
  struct CorrectionSizes {
    double displacement = 0.0, multiplier = 0.0, scaled_multiplier = 0.0;
  };
  CorrectionSizes correction_sizes() const;
  /// Displacement caused by the corrections of the multipliers, blind to those that exert nothing.
  double displacement_by_multipliers();
  /// Largest residual of a constraint, unscaled, where F_ was last evaluated.
  double constraint_residual() const;
  void place_reactions();
  /// The smallest of the largest entries of the constraints' rows, at most one.
  double shortest_lever();
  NewtonReport iterate(StepEquations& equations);
  bool lower_regularisation();
  void judge_jacobian(int iterations);
  linear::FactorStatus refresh(StepEquations& equations);
  void fill_by_differences(StepEquations& equations);

  const formulate::Layout& layout_;
  std::unique_ptr<linear::Solver> solver_;
  const linear::BorderedSolver* bordered_ = nullptr;  // solver_, if it is one
  NewtonOptions options_;
  NewtonMatrix* matrix_ = nullptr;
  NewtonCounters counters_;
  std::vector<double> F_, z_, F0_, column_;
  struct Reaction {  // a block of J in rows of coordinates and columns of multipliers
    int at, row, column, rows, columns;
  };
  struct Row {  // a block of J in rows of position constraints and columns of coordinates
    int at, row, rows, columns, row_node, unknown_node;
  };
  struct Diagonal {  // a diagonal block of coordinates
    int at, row, size, node;
  };
  std::vector<Reaction> reactions_;
  std::vector<Row> rows_;
  double lever_ = 1.0;
  std::vector<Diagonal> diagonals_;
  std::vector<int> colour_;  // per node, for grouped differences
  int colours_ = 0;
  double regularisation_ = 0.0;
  bool valid_ = false;
  bool stale_factors_ = false;
  double floor_ = 0.0;               // corrections at which the last iterations stagnated
  bool renew_ = false;               // before the next step
  double cost_since_renewal_ = 0.0;  // in iterations
  long steps_since_renewal_ = 0;
};

}  // namespace daedal::correct
