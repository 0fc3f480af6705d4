#include "daedal/nonsmooth/siconos.hpp"

#ifndef DAEDAL_HAVE_SICONOS

namespace daedal::nonsmooth::siconos {

bool available() {
  return false;
}
Status lemke(MatrixIn, VectorIn, VectorOut, int, int&) {
  return Status::not_converged;
}
Status friction(const ContactMatrix&, VectorIn, std::span<const double>, double, int, VectorOut,
                int&) {
  return Status::not_converged;
}

}  // namespace daedal::nonsmooth::siconos

#else

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace daedal::nonsmooth::siconos {

namespace {

/// Siconos' own function lets go of what they hold, not of themselves, nor of those of inner solvers.
void free_options(SolverOptions* options) {
  const std::vector<SolverOptions*> inner(
      options->internalSolvers, options->internalSolvers + options->numberOfInternalSolvers);
  solver_options_delete(options);
  for (SolverOptions* of : inner) std::free(of);
  std::free(options);
}

using Options = std::unique_ptr<SolverOptions, decltype(&free_options)>;

Options make_options(int solver, int max_iterations) {
  numerics_set_verbose(0);
  Options options(solver_options_create(solver), &free_options);
  options->filterOn = false;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
  return options;
}

}  // namespace

bool available() {
  return true;
}

Status lemke(MatrixIn M, VectorIn q, VectorOut z, int max_pivots, int& pivots) {
  Eigen::MatrixXd matrix = M;  // contiguous
  Eigen::VectorXd right = q, w = Eigen::VectorXd::Zero(q.size());
  NumericsMatrix storage;
  NM_null(&storage);
  storage.storageType = NM_DENSE;
  storage.size0 = storage.size1 = static_cast<int>(q.size());
  storage.matrix0 = matrix.data();
  LinearComplementarityProblem problem{static_cast<int>(q.size()), &storage, right.data()};
  const Options options = make_options(SICONOS_LCP_LEMKE, max_pivots);
  int info = 1;
  z.setZero();
  lcp_lexicolemke(&problem, z.data(), w.data(), &info, options.get());
  pivots = options->iparam[SICONOS_IPARAM_ITER_DONE];
  return info == 0 ? Status::solved : Status::not_converged;
}

Status friction(const ContactMatrix& W, VectorIn q, std::span<const double> mu, double tolerance,
                int max_sweeps, VectorOut r, int& sweeps) {
  const int count = W.contacts(), d = W.dimension();
  sweeps = 0;
  if (count == 0) return Status::solved;
  if (d == 1) return Status::not_converged;
  std::vector<double*> blocks(W.blocks());
  std::vector<std::size_t> row_begin(count + 1), column(W.blocks());
  std::vector<unsigned> size_sums(count);
  for (int b = 0; b < W.blocks(); ++b) {
    blocks[b] = const_cast<double*>(W.values(b));  // it only reads them
    column[b] = W.column(b);
  }
  for (int k = 0; k < count; ++k) {
    row_begin[k + 1] = W.end(k);
    size_sums[k] = static_cast<unsigned>(d * (k + 1));
  }
  SparseBlockStructuredMatrix sparse;
  SBM_null(&sparse);
  sparse.nbblocks = static_cast<unsigned>(W.blocks());
  sparse.block = blocks.data();
  sparse.blocknumber0 = sparse.blocknumber1 = static_cast<unsigned>(count);
  sparse.blocksize0 = sparse.blocksize1 = size_sums.data();
  sparse.filled1 = row_begin.size();
  sparse.filled2 = column.size();
  sparse.index1_data = row_begin.data();
  sparse.index2_data = column.data();
  NumericsMatrix storage;
  NM_null(&storage);
  storage.storageType = NM_SPARSE_BLOCK;
  storage.size0 = storage.size1 = count * d;
  storage.matrix1 = &sparse;

  Eigen::VectorXd right = q, u = Eigen::VectorXd::Zero(q.size());
  std::vector<double> coefficients(mu.begin(), mu.end());
  FrictionContactProblem problem{d, count, &storage, right.data(), coefficients.data()};
  const Options options =
      make_options(d == 2 ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS, max_sweeps);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  const int info = d == 2 ? fc2d_driver(&problem, r.data(), u.data(), options.get())
                          : fc3d_driver(&problem, r.data(), u.data(), options.get());
  sweeps = options->iparam[SICONOS_IPARAM_ITER_DONE];
  std::free(sparse.diagonal_blocks);
  return info == 0 ? Status::solved : Status::not_converged;
}

}  // namespace daedal::nonsmooth::siconos

#endif
