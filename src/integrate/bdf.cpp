#include "daedal/integrate/bdf.hpp"

#include "daedal/correct/first_order_core.hpp"

#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "daedal/integrate/error_weights.hpp"
#include "daedal/integrate/projection.hpp"

namespace daedal::integrate {

using correct::JacobianUpdate;
using formulate::Form;
using linear::BlockPattern;

namespace {

/// IDA sets the matrix up anew when alpha has changed by more than this factor or its inverse.
constexpr double kAlphaChange = 0.25;
/// Newton iterations that a good matrix may take: the second one shows that the first was enough.
constexpr long kUsualIterations = 2;
/// What an analytic Jacobian costs, in residuals.
constexpr int kAnalyticCost = 4;
/// Steps within which a Jacobian should still serve: if not, its estimated pattern is suspect.
constexpr long kRecent = 5;
/// Of the multipliers' pivots, where the matrix is singular in passing.
constexpr double kRegularisation = 1e-8;
/// Constraints of which less than this share is new depend on others.
constexpr double kIndependent = 1e-7;
/// Rows that were left out and are violated by this many tolerances do not depend on others.
constexpr double kStray = 1e3;
/// Share of the first step ahead of which accelerations are looked at.
constexpr double kAhead = 1e-3;
/// How often a tolerance below round-off is raised by ten in one step.
constexpr int kLoosenings = 4;

/// Whether the system may solve with its derivatives itself: blocks are needed for differences and
/// where their parts are from different points.
bool may_stay_unformed(const Options& options) {
  return options.linear_solver == "tree" &&
         options.newton.source == correct::JacobianSource::analytic &&
         options.formalism == formulate::Formalism::residual &&
         options.jacobian_update == JacobianUpdate::none;
}

bool finite(std::span<const double> values) {
  double sum = 0.0;
  for (double value : values) sum += std::abs(value);
  return std::isfinite(sum);
}

}  // namespace

struct Bdf::Solver {
  Solver(const system::ConstrainedSystem& system, const Options& options);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void start(const State& state, double h);
  StepReport advance(double t_stop, State& to);
  void extract(double t, State& out);
  bool project(State& state);
  int iterate(SUNNonlinearSolver s, N_Vector y0, N_Vector correction, N_Vector w, double tol,
              booleantype setup, void* memory);
  void project_correction(N_Vector correction);

  // What IDA calls.
  int residual(double t, N_Vector y, N_Vector y_rate, N_Vector F);
  int weights(N_Vector y, N_Vector weight);
  int jacobian(double t, double alpha, N_Vector y, N_Vector y_rate, N_Vector F);
  int factorise();
  int solve(N_Vector x, N_Vector b);

  std::span<double> view(N_Vector v) const {
    return {N_VGetArrayPointer(v), static_cast<std::size_t>(form.size())};
  }
  void make_ida();
  std::unique_ptr<linear::Solver> make_linear_solver();
  bool wants_full_jacobian() const;
  void leave_out_dependent_rows();
  double first_step(const State& state, double h);
  int call(double t_stop, double& t);

  const system::ConstrainedSystem& system;
  const system::Structure& structure;
  Options options;
  formulate::FirstOrder form;
  correct::FirstOrderMatrix matrix;
  correct::FirstOrderCore core;  // if the form leaves M, D and K unformed
  linear::BorderedSolver* bordered = nullptr;
  std::unique_ptr<linear::Solver> linear;
  formulate::AccelerationLevel equations;  // for projections
  std::unique_ptr<system::Evaluator> evaluator;
  Projection projection;
  system::Linearisation blocks;  // at the start
  correct::ReferenceQuantities reference;
  correct::NewtonCounters counters;

  SUNContext context = nullptr;
  void* ida = nullptr;
  N_Vector y = nullptr, y_rate = nullptr, id = nullptr, trial = nullptr;
  SUNMatrix sun_matrix = nullptr;
  SUNLinearSolver sun_solver = nullptr;
  SUNNonlinearSolver newton = nullptr;
  decltype(_generic_SUNNonlinearSolver_Ops::solve) plain_newton = nullptr;  // which ours wraps

  // Errors are measured with these.
  ErrorWeights sizes;
  double share = 1.0;           // corrects the mean over all entries of y to those that count
  double tolerance = 1e-6;      // in use: raised where round-off forbids what was asked for
  std::vector<double> mass_diagonal;
  linear::BlockMatrix G;        // last evaluated

  State projected;  // of a corrector, and ahead of a start
  std::vector<math::Jet> u;
  std::vector<double> rhs, point, dq;
  double alpha_set = 0.0;       // of the matrix factorised
  long evaluated_at = 0;        // step of the last full Jacobian
  long iterations_before = 0;   // of IDA's counters, which start anew
  bool valid = false;           // there is a Jacobian, evaluated or updated
  bool updated = false;         // it has been updated since it was evaluated,
  bool updated_now = false;     // and was so for the present iteration, which
  bool useless = false;         // did not converge all the same
  long slowness = 0;            // iterations beyond the usual since it was evaluated
  bool dependent = false;       // constraints, from the start on
  std::vector<char> left_out;   // rows, because of that
  double stray = 0.0;           // their violation
  bool met_singular = false;    // a matrix was, and passed with regularisation
  double regularisation = 0.0;  // of the matrix factorised
  int singular_equation = -1;
  bool not_finite = false;
  bool any_step = false;
};

// ---------------------------------------------------------------- what IDA calls

namespace {

template <class Solver>
Solver& of(void* data) {
  return *static_cast<Solver*>(data);
}

void silent(int, const char*, const char*, char*, void*) {}

}  // namespace

Bdf::Solver::Solver(const system::ConstrainedSystem& system_, const Options& o)
    : system(system_),
      structure(system_.structure()),
      options(o),
      form(system_, {o.form, o.baumgarte_alpha, o.baumgarte_beta,
                     o.max_step > 0.0 ? 1.0 / o.max_step : 1.0, o.formalism,
                     may_stay_unformed(o)}),
      matrix(form, o.newton.source, o.jacobian_update, o.scaling, o.jacobian_pattern),
      core(form, matrix),
      linear(make_linear_solver()),
      equations(system_, o.linear_solver),
      evaluator(system_.evaluator()),
      projection(system_, equations, *evaluator),
      blocks(structure, form.implicit_dynamics() ? system::Linearisation::Blocks::own
                                                 : system::Linearisation::Blocks::all),
      sizes(structure, o),
      tolerance(o.tolerance),
      mass_diagonal(structure.dof(), 0.0),
      G(structure.constraint),
      u(structure.excitations),
      rhs(form.layout().size),
      point(form.size()),
      dq(structure.dof()) {
  projected = State(structure);
  linear->analyse(matrix.matrix().shared_pattern(), form.layout().kinds());
  const int counted = structure.storage() + structure.dof() + structure.state_size;
  share = counted > 0 ? std::sqrt(static_cast<double>(form.size()) / counted) : 1.0;
  make_ida();
}

Bdf::Solver::~Solver() {
  if (ida) IDAFree(&ida);
  if (newton) SUNNonlinSolFree(newton);
  if (sun_solver) SUNLinSolFreeEmpty(sun_solver);
  if (sun_matrix) SUNMatFreeEmpty(sun_matrix);
  if (y) N_VDestroy(y);
  if (y_rate) N_VDestroy(y_rate);
  if (id) N_VDestroy(id);
  if (trial) N_VDestroy(trial);
  if (context) SUNContext_Free(&context);
}

std::unique_ptr<linear::Solver> Bdf::Solver::make_linear_solver() {
  if (!form.implicit_dynamics()) return linear::make_solver(options.linear_solver);
  auto solver = std::make_unique<linear::BorderedSolver>(core, core.nodes());
  bordered = solver.get();
  return solver;
}

void Bdf::Solver::make_ida() {
  const auto require = [](bool done, const char* what) {
    if (!done) throw std::runtime_error(std::string("IDA: ") + what + " failed");
  };
  require(SUNContext_Create(nullptr, &context) == 0, "making a context");
  y = N_VNew_Serial(form.size(), context);
  y_rate = N_VNew_Serial(form.size(), context);
  id = N_VNew_Serial(form.size(), context);
  trial = N_VNew_Serial(form.size(), context);
  ida = IDACreate(context);
  require(y && y_rate && id && trial && ida, "making vectors");
  N_VConst(0.0, y);
  N_VConst(0.0, y_rate);
  N_VConst(1.0, id);
  for (double& value : form.lambda(view(id))) value = 0.0;
  for (double& value : form.eta(view(id))) value = 0.0;
  IDASetErrHandlerFn(ida, silent, nullptr);
  IDASetUserData(ida, this);
  require(IDAInit(ida, [](double t, N_Vector a, N_Vector b, N_Vector r, void* data) {
            return of<Solver>(data).residual(t, a, b, r);
          }, 0.0, y, y_rate) == IDA_SUCCESS, "initialising");
  require(IDAWFtolerances(ida, [](N_Vector a, N_Vector w, void* data) {
            return of<Solver>(data).weights(a, w);
          }) == IDA_SUCCESS, "setting the weights");
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, SUNTRUE);

  // A matrix that is only a name: ours stays with us.
  sun_matrix = SUNMatNewEmpty(context);
  sun_solver = SUNLinSolNewEmpty(context);
  require(sun_matrix && sun_solver, "making a linear solver");
  sun_matrix->content = this;
  sun_matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  sun_matrix->ops->zero = [](SUNMatrix) { return 0; };
  sun_solver->content = this;
  sun_solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  sun_solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  sun_solver->ops->initialize = [](SUNLinearSolver) { return 0; };
  sun_solver->ops->setup = [](SUNLinearSolver s, SUNMatrix) {
    return of<Solver>(s->content).factorise();
  };
  sun_solver->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, double) {
    return of<Solver>(s->content).solve(x, b);
  };
  require(IDASetLinearSolver(ida, sun_solver, sun_matrix) == IDA_SUCCESS,
          "attaching the linear solver");
  require(IDASetJacFn(ida, [](double t, double alpha, N_Vector a, N_Vector b, N_Vector r,
                              SUNMatrix, void* data, N_Vector, N_Vector, N_Vector) {
            return of<Solver>(data).jacobian(t, alpha, a, b, r);
          }) == IDA_SUCCESS, "attaching the Jacobian");
  newton = SUNNonlinSol_Newton(y, context);
  require(newton != nullptr, "making a nonlinear solver");
  plain_newton = newton->ops->solve;
  newton->ops->solve = [](SUNNonlinearSolver s, N_Vector y0, N_Vector correction, N_Vector w,
                          double tol, booleantype setup, void* memory) {
    void* data = nullptr;
    IDAGetUserData(memory, &data);
    return of<Solver>(data).iterate(s, y0, correction, w, tol, setup, memory);
  };
  require(IDASetNonlinearSolver(ida, newton) == IDA_SUCCESS, "attaching the nonlinear solver");
  IDASetDeltaCjLSetup(ida, options.newton.reuse ? kAlphaChange : 0.0);
  if (options.max_step > 0.0) IDASetMaxStep(ida, options.max_step);
  IDASetMaxOrd(ida, options.max_order);
}

int Bdf::Solver::residual(double t, N_Vector a, N_Vector b, N_Vector r) {
  ++counters.residual_evaluations;
  form.excitations(t, u);
  const std::span<double> F = view(r);
  form.residual(u, view(a), view(b), F);
  if (finite(F)) return 0;
  not_finite = true;
  singular_equation = static_cast<int>(
      std::find_if(F.begin(), F.end(), [](double f) { return !std::isfinite(f); }) - F.begin());
  return 1;
}

int Bdf::Solver::weights(N_Vector at, N_Vector weight) {
  const std::span<const double> value = view(at);
  const std::span<double> w = view(weight);
  const std::span<double> wq = form.q(w), wv = form.v(w), wx = form.x(w);
  const auto q = form.q(value), v = form.v(value), x = form.x(value);
  const double tol = tolerance / share;
  // Absolute, and raised as the relative one is; where none is given the sizes make one.
  const double given = options.absolute_tolerance * (tol / options.tolerance);
  const double least = given > 0.0 ? given : tol * sizes.length();
  for (std::size_t i = 0; i < q.size(); ++i) wq[i] = 1.0 / (tol * std::abs(q[i]) + least);
  for (const system::Manifold::Rotation& r : structure.manifold.rotations()) {
    for (int i = 0; i < 4; ++i) wq[r.storage + i] = 2.0 / (tol + given);
  }
  sizes.of_velocities(tol, given, v, wv);
  sizes.of_states(tol, given, x, wx);
  // Multipliers by what they cause within a step.
  double h = 0.0;
  IDAGetCurrentStep(ida, &h);
  if (!(h > 0.0)) h = options.max_step;
  const std::span<double> wl = form.lambda(w), we = form.eta(w);
  std::fill(wl.begin(), wl.end(), 0.0);
  std::fill(we.begin(), we.end(), 0.0);
  if (regularisation > 0.0) return 0;  // some of them may cause nothing
  const BlockPattern& p = G.pattern();
  int eta = 0;
  for (int i = 0; i < p.row_nodes(); ++i) {
    const bool corrected = form.form() == Form::ggl &&
                           structure.constraints[i].level == system::Level::position;
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
      const auto block = G.block(k);
      const int column = p.column_offset(p.column_node(k));
      for (int r = 0; r < block.rows(); ++r) {
        for (int c = 0; c < block.cols(); ++c) {
          const double size = h * std::abs(block(r, c)) * wv[column + c];
          const double mass = mass_diagonal[column + c];
          double& to = wl[p.row_offset(i) + r];
          if (mass > 0.0) to = std::max(to, size / mass);
          // h times a velocity is a displacement, measured by the length alone.
          if (corrected) {
            we[eta + r] = std::max(we[eta + r], h * std::abs(block(r, c)) / least);
          }
        }
      }
    }
    if (corrected) eta += p.row_size(i);
  }
  return 0;
}

int Bdf::Solver::iterate(SUNNonlinearSolver s, N_Vector y0, N_Vector correction, N_Vector w,
                         double tol, booleantype setup, void* memory) {
  const auto solve = [&](booleantype with_setup) {
    updated_now = false;
    const int flag = plain_newton(s, y0, correction, w, tol, with_setup, memory);
    long count = 0;
    SUNNonlinSolGetNumIters(s, &count);
    if (updated) slowness += std::max(0L, count - kUsualIterations);
    return std::pair(flag, count);
  };
  auto [flag, count] = solve(setup);
  if (flag > 0 && updated_now) {
    // The cheap matrix was tried first. IDA would now shorten the step.
    iterations_before += count;
    useless = true;
    N_VConst(0.0, correction);
    flag = solve(SUNTRUE).first;
  }
  // Forms that hold one level alone are projected on the others, as part of the corrector: so the
  // past of y, from which the next steps are made, satisfies the constraints [Eich1993].
  if (flag == SUN_NLS_SUCCESS && form.form() != Form::ggl) project_correction(correction);
  return flag;
}

bool Bdf::Solver::wants_full_jacobian() const {
  if (!valid || useless || matrix.update_kind() == JacobianUpdate::none) return true;
  // IDA asks when alpha has changed, and after a failure: what is cheap is tried first in either
  // case. Updates go on until what they cost in iterations would have paid an evaluation.
  const int residuals = matrix.residuals_per_evaluation();
  return slowness > (residuals > 0 ? residuals : kAnalyticCost);
}

int Bdf::Solver::jacobian(double t, double alpha, N_Vector a, N_Vector b, N_Vector r) {
  form.excitations(t, u);
  if (wants_full_jacobian()) {
    long steps = 0;
    IDAGetNumSteps(ida, &steps);
    matrix.evaluate(u, view(a), view(b), view(r), valid && steps - evaluated_at < kRecent);
    evaluated_at = steps;
    valid = true;
    updated = updated_now = useless = false;
    slowness = 0;
  } else {
    matrix.update(u, view(a));
    updated = updated_now = true;
  }
  alpha_set = alpha;
  std::copy_n(view(a).begin(), form.size(), point.begin());
  const std::span<const double> values = form.constraint_matrix().values();
  std::copy(values.begin(), values.end(), G.values().begin());
  regularisation = 0.0;
  matrix.assemble(alpha, point, 0.0);
  return finite(matrix.matrix().values()) ? 0 : 1;
}

int Bdf::Solver::factorise() {
  ++counters.factorizations;
  linear::FactorStatus status = linear->factorise(matrix.matrix());
  if (!status) {
    met_singular = true;
    regularisation = kRegularisation;
    matrix.assemble(alpha_set, point, regularisation);
    ++counters.factorizations;
    status = linear->factorise(matrix.matrix());
  }
  singular_equation = status ? -1 : status.equation;
  return status ? 0 : 1;
}

int Bdf::Solver::solve(N_Vector x, N_Vector b) {
  form.reduce(view(b), rhs);
  matrix.scale_rows(rhs);
  linear->solve(rhs);
  ++counters.linear_solves;
  matrix.unscale_unknowns(rhs);
  form.expand(rhs, view(b), view(x));
  return 0;
}

// ---------------------------------------------------------------- start and steps

double Bdf::Solver::first_step(const State& state, double h) {
  // The error of a step of order 1 is h^2 |y''| / 2: half of what counts as 1, and not above what is
  // asked for. q'' is a; v'' and x'' come from accelerations a little ahead. IDA's own estimate, from
  // y' alone, makes steps at tight tolerances that drown in round-off.
  const double speed = std::max(largest(state.v), std::sqrt(sizes.length() * largest(state.a)));
  const double ahead = kAhead * std::min(h, speed > 0.0 ? sizes.length() / speed : h);
  State& next = projected;
  for (std::size_t i = 0; i < dq.size(); ++i) {
    dq[i] = ahead * (state.v[i] + 0.5 * ahead * state.a[i]);
    next.v[i] = state.v[i] + ahead * state.a[i];
  }
  for (std::size_t i = 0; i < next.x.size(); ++i) next.x[i] = state.x[i] + ahead * state.x_rate[i];
  structure.manifold.retract(state.q, dq, next.q);
  form.excitations(state.t + ahead, u);
  evaluator->move_to({next.q, next.v, next.x, u});
  const bool known = static_cast<bool>(equations.accelerations(*evaluator, next.a, next.lambda));
  evaluator->state_rates(next.x_rate);

  weights(y, trial);
  const std::span<const double> w = view(trial);
  const auto wq = form.q(w), wv = form.v(w), wx = form.x(w);
  double curvature = 0.0;
  const auto add = [&](double value) { curvature = std::max(curvature, std::abs(value)); };
  for (std::size_t i = 0; i < dq.size(); ++i) {
    if (structure.manifold.is_linear()) add(state.a[i] * wq[i]);
    if (known) add((next.a[i] - state.a[i]) / ahead * wv[i]);
  }
  if (!structure.manifold.is_linear()) add(largest(state.a) * 2.0 / (tolerance * sizes.length()));
  for (std::size_t i = 0; i < wx.size(); ++i) add((next.x_rate[i] - state.x_rate[i]) / ahead * wx[i]);
  return curvature * h * h > 1.0 ? 1.0 / std::sqrt(curvature) : h;
}

void Bdf::Solver::start(const State& state, double h) {
  const std::span<double> to = view(y);
  std::fill(to.begin(), to.end(), 0.0);
  std::copy(state.q.begin(), state.q.end(), form.q(to).begin());
  std::copy(state.v.begin(), state.v.end(), form.v(to).begin());
  std::copy(state.lambda.begin(), state.lambda.end(), form.lambda(to).begin());
  std::copy(state.x.begin(), state.x.end(), form.x(to).begin());
  form.rates(to, state.a, state.x_rate, view(y_rate));

  form.excitations(state.t, u);
  evaluator->move_to({state.q, state.v, state.x, u});
  if (form.implicit_dynamics()) {
    form.implicit_dynamics()->linearise(*evaluator, state.a, state.lambda, blocks);
  } else {
    evaluator->linearise(state.a, state.lambda, blocks);
  }
  std::copy(blocks.G.values().begin(), blocks.G.values().end(), G.values().begin());
  const BlockPattern& M = blocks.M.pattern();
  for (int i = 0; i < M.row_nodes(); ++i) {
    const int k = M.find(i, i);
    for (int c = 0; k >= 0 && c < M.row_size(i); ++c) {
      mass_diagonal[M.row_offset(i) + c] = blocks.M.block(k)(c, c);
    }
  }
  if (dependent) leave_out_dependent_rows();
  if (!any_step) {
    reference = correct::reference_quantities(blocks);
    const correct::ReferenceOverrides& given = options.reference;
    reference.mass = given.mass.value_or(reference.mass);
    reference.damping = given.damping.value_or(reference.damping);
    reference.stiffness = given.stiffness.value_or(reference.stiffness);
    reference.length = given.length.value_or(0.0);
    matrix.reference_mass = reference.mass > 0.0 ? reference.mass : 1.0;
  }
  sizes.start(state);
  long before = 0;
  if (any_step) IDAGetNumNonlinSolvIters(ida, &before);
  iterations_before += before;
  IDAReInit(ida, state.t, y, y_rate);
  valid = false;
  IDASetInitStep(ida, first_step(state, h));
}

void Bdf::Solver::leave_out_dependent_rows() {
  // A maximal independent set of rows of G M^-1/2, by QR with column pivoting of its transpose.
  Eigen::MatrixXd A = G.dense().transpose();
  double mean = 0.0;
  int count = 0;
  for (double m : mass_diagonal) mean += m, count += m > 0.0;
  mean = count > 0 ? mean / count : 1.0;
  for (int i = 0; i < A.rows(); ++i) {
    A.row(i) /= std::sqrt(mass_diagonal[i] > 0.0 ? mass_diagonal[i] : mean);
  }
  for (int j = 0; j < A.cols(); ++j) {
    if (const double size = A.col(j).norm(); size > 0.0) A.col(j) /= size;
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A.rows(), A.cols());
  qr.setThreshold(kIndependent);
  qr.compute(A);
  left_out.assign(structure.constraint_rows, 1);
  for (int k = 0; k < qr.rank(); ++k) left_out[qr.colsPermutation().indices()[k]] = 0;
  form.leave_out(left_out);
  const std::span<double> lambda = form.lambda(view(y));
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    if (left_out[i]) lambda[i] = 0.0;
  }
}

int Bdf::Solver::call(double t_stop, double& t) {
  for (int k = 0;; ++k) {
    const int flag = IDASolve(ida, t_stop, &t, y, y_rate, IDA_ONE_STEP);
    if (flag != IDA_TOO_MUCH_ACC || k == kLoosenings) return flag;
    tolerance *= 10.0;
  }
}

StepReport Bdf::Solver::advance(double t_stop, State& to) {
  StepReport report;
  long errors_before = 0, fails_before = 0, iterations = 0, steps_before = 0;
  const auto statistics = [&](long& errors, long& fails, long& count) {
    IDAGetNumErrTestFails(ida, &errors);
    IDAGetNumStepSolveFails(ida, &fails);
    IDAGetNumNonlinSolvIters(ida, &count);
  };
  statistics(errors_before, fails_before, iterations);
  IDAGetNumSteps(ida, &steps_before);
  const long before = iterations;
  IDASetStopTime(ida, t_stop);
  double t = 0.0;
  not_finite = false;
  singular_equation = -1;
  const int flag = call(t_stop, t);
  any_step = true;
  long errors = 0, fails = 0;
  statistics(errors, fails, iterations);
  report.rejected = static_cast<int>(errors - errors_before + fails - fails_before);
  report.newton.iterations = static_cast<int>(iterations - before);
  counters.iterations = iterations_before + iterations;
  counters.jacobian_evaluations = matrix.evaluations();
  counters.jacobian_updates = matrix.updates();
  counters.jacobian_residual_evaluations = matrix.residual_evaluations();
  if (flag >= 0) {
    stray = 0.0;
    extract(t, to);
    project(to);
    if (stray > kStray * tolerance * sizes.length()) {  // the choice of rows is no longer right
      report.status = StepStatus::newton_diverged;
      report.where = "constraints taken for dependent";
      return report;
    }
    report.newton.at_round_off = tolerance > options.tolerance;
    report.newton.correction = tolerance;
    return report;
  }
  switch (flag) {
    case IDA_ERR_FAIL:
    case IDA_TOO_MUCH_WORK:
    case IDA_TOO_MUCH_ACC:
      report.status = StepStatus::step_too_small;
      break;
    default:
      report.status = StepStatus::newton_diverged;
  }
  if (singular_equation >= 0) report.status = StepStatus::singular_matrix;
  if (not_finite) report.status = StepStatus::not_finite;
  // Where it is worst: the row with the largest weighted residual is not known; the largest local
  // error is.
  N_Vector local = N_VClone(y);
  int worst = std::max(singular_equation, 0);
  if (singular_equation < 0 && IDAGetEstLocalErrors(ida, local) == IDA_SUCCESS) {
    const std::span<const double> e = view(local);
    const auto v = form.v(e);
    worst = structure.dof() +
            static_cast<int>(std::max_element(v.begin(), v.end(), [](double a, double b) {
                               return std::abs(a) < std::abs(b);
                             }) - v.begin());
  }
  N_VDestroy(local);
  if (not_finite) worst = std::max(0, singular_equation - structure.storage() + structure.dof());
  if (worst < form.layout().size) report.where = form.equation_name(worst);
  return report;
}

void Bdf::Solver::extract(double t, State& out) {
  const std::span<const double> value = view(y), rate = view(y_rate);
  out.t = t;
  form.normalise(form.q(value), out.q);
  const auto copy = [](std::span<const double> from, std::vector<double>& to) {
    std::copy(from.begin(), from.end(), to.begin());
  };
  copy(form.v(value), out.v);
  copy(form.v(rate), out.a);
  copy(form.lambda(value), out.lambda);
  copy(form.x(value), out.x);
  copy(form.x(rate), out.x_rate);
}

void Bdf::Solver::project_correction(N_Vector correction) {
  IDAComputeY(ida, correction, trial);
  IDAGetCurrentTime(ida, &projected.t);
  const std::span<const double> value = view(trial);
  form.normalise(form.q(value), projected.q);
  const auto v = form.v(value), x = form.x(value);
  std::copy(v.begin(), v.end(), projected.v.begin());
  std::copy(x.begin(), x.end(), projected.x.begin());
  if (!project(projected)) return;
  const std::span<double> to = view(correction), q_to = form.q(to), v_to = form.v(to);
  for (std::size_t i = 0; i < q_to.size(); ++i) q_to[i] += projected.q[i] - value[i];
  for (std::size_t i = 0; i < v_to.size(); ++i) v_to[i] += projected.v[i] - v[i];
}

bool Bdf::Solver::project(State& state) {
  const bool done = projection.project(state, sizes.length(), sizes.speed_floor());
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    if (left_out[i]) stray = std::max(stray, std::abs(projection.violation()[i]));
  }
  return done;
}

// ---------------------------------------------------------------- the integrator

Bdf::Bdf(const system::ConstrainedSystem& system, const Options& options)
    : solver_(std::make_unique<Solver>(system, options)) {}
Bdf::~Bdf() = default;

void Bdf::start(State& state, double h) { solver_->start(state, h); }

StepReport Bdf::advance(double t_stop, State& to) { return solver_->advance(t_stop, to); }

void Bdf::interpolate(double t, State& out) {
  approximate(t, out);
  solver_->project(out);
}

void Bdf::approximate(double t, State& out) {
  Solver& s = *solver_;
  IDAGetDky(s.ida, t, 0, s.y);
  IDAGetDky(s.ida, t, 1, s.y_rate);
  s.extract(t, out);
}

const correct::NewtonCounters& Bdf::counters() const { return solver_->counters; }
const correct::ReferenceQuantities& Bdf::reference() const { return solver_->reference; }
double Bdf::scaling_factor() const { return solver_->matrix.reference_mass; }
bool Bdf::regularised() const { return solver_->dependent || solver_->met_singular; }

void Bdf::regularise() {
  solver_->dependent = true;
  solver_->equations.regularise();
}

correct::MatrixQuality Bdf::matrix_quality() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  correct::MatrixQuality quality{kInfinite, kInfinite};
  const linear::BorderedSolver* bordered = solver_->bordered;
  const linear::BlockMatrix J =
      bordered ? bordered->complete(solver_->matrix.matrix()) : solver_->matrix.matrix();
  const int size = solver_->form.layout().size;
  std::vector<linear::NodeKind> kinds = solver_->form.layout().kinds();
  if (bordered) kinds.resize(1);  // all in one block
  const bool dense = bordered || size <= linear::kExactConditionSize;
  const auto other = linear::make_solver(dense ? "dense" : "klu");
  other->analyse(J.shared_pattern(), kinds);
  if (other->factorise(J)) quality.condition_number = linear::condition_number(J, *other);
  if (solver_->linear->factorise(solver_->matrix.matrix())) {
    quality.solver_error = linear::solver_error(J, *solver_->linear);
  }
  return quality;
}

}  // namespace daedal::integrate
