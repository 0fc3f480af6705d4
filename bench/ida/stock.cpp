#include "ida/stock.hpp"

#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <ctime>

namespace daedal::bench {

namespace {

constexpr double kAnySize = 1e10;  // absolute tolerance of what is not to count

}  // namespace

StockRun run_stock(const StockProblem& problem, double rtol, double atol, Multipliers multipliers) {
  const auto n = static_cast<sunindextype>(problem.y.size());
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(n, context), y_rate = N_VClone(y), id = N_VClone(y);
  N_Vector tolerances = N_VClone(y);
  std::copy(problem.y.begin(), problem.y.end(), N_VGetArrayPointer(y));
  std::copy(problem.y_rate.begin(), problem.y_rate.end(), N_VGetArrayPointer(y_rate));
  N_VConst(1.0, id);
  std::fill_n(N_VGetArrayPointer(id) + n - problem.algebraic, problem.algebraic, 0.0);

  void* ida = IDACreate(context);
  IDASetErrHandlerFn(ida, [](int, const char*, const char*, char*, void*) {}, nullptr);
  IDASetUserData(ida, const_cast<StockProblem*>(&problem));
  IDAInit(ida, [](double t, N_Vector a, N_Vector b, N_Vector r, void* data) {
    const auto size = static_cast<std::size_t>(N_VGetLength(a));
    static_cast<const StockProblem*>(data)->residual(
        t, {N_VGetArrayPointer(a), size}, {N_VGetArrayPointer(b), size},
        {N_VGetArrayPointer(r), size});
    return 0;
  }, 0.0, y, y_rate);
  N_VConst(atol, tolerances);
  if (multipliers == Multipliers::free) {
    std::fill_n(N_VGetArrayPointer(tolerances) + n - problem.algebraic, problem.algebraic,
                kAnySize);
  }
  IDASVtolerances(ida, rtol, tolerances);
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, multipliers != Multipliers::counted);
  IDASetMaxNumSteps(ida, 10'000'000);
  IDASetStopTime(ida, problem.until);
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  IDASetLinearSolver(ida, solver, matrix);

  StockRun run;
  const std::clock_t begin = std::clock();
  double t = 0.0;
  run.done = IDASolve(ida, problem.until, &t, y, y_rate, IDA_NORMAL) >= 0;
  run.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  IDAGetNumSteps(ida, &run.steps);
  IDAGetNumResEvals(ida, &run.residuals);
  IDAGetNumLinResEvals(ida, &run.jacobian_residuals);
  IDAGetNumJacEvals(ida, &run.jacobians);
  run.y.assign(N_VGetArrayPointer(y), N_VGetArrayPointer(y) + n);

  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  for (N_Vector v : {y, y_rate, id, tolerances}) N_VDestroy(v);
  SUNContext_Free(&context);
  return run;
}

}  // namespace daedal::bench
