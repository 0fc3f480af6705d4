#include "daedal/nonsmooth/friction_solver.hpp"

#include <algorithm>
#include <limits>

#include "daedal/nonsmooth/siconos.hpp"

namespace daedal::nonsmooth {

FrictionSolver::FrictionSolver(FrictionOptions options)
    : options_(options), cone_(options.sweeps), facets_(options.facets, options.lcp) {}

void FrictionSolver::reserve(int contacts, int dimension) {
  cone_.reserve(contacts, dimension);
  blocks_.reserve(contacts, contacts * contacts);
  mu_.reserve(contacts);
  facets_.reserve(contacts, dimension);
}

FrictionResult FrictionSolver::by_sweeps(VectorIn q, std::span<const ContactLaw> laws, VectorOut r,
                                         VectorOut u) {
  const SweepResult result = cone_.solve(blocks_, q, laws, r, u);
  return {result.status, result.residual, result.sweeps};
}

FrictionResult FrictionSolver::by_pivots(int dimension, MatrixIn W, VectorIn q,
                                         std::span<const ContactLaw> laws, VectorOut r, VectorOut u,
                                         bool exact) {
  const LcpResult lcp = facets_.solve(dimension, W, q, laws, r, u);
  FrictionResult result{lcp.status, lcp.residual, lcp.pivots};
  if (lcp.status != Status::solved || !exact) return result;
  result.residual = cone_.residual(blocks_, q, laws, r, u);
  if (!(result.residual <= options_.sweeps.tolerance)) result.status = Status::not_converged;
  return result;
}

FrictionResult FrictionSolver::solve(int dimension, MatrixIn W, VectorIn q,
                                     std::span<const ContactLaw> laws, VectorOut r, VectorOut u) {
  if (!W.allFinite() || !q.allFinite()) {
    r.setZero();
    u = q;
    return {Status::not_converged, std::numeric_limits<double>::infinity(), 0};
  }
  blocks_.assign(W, dimension);
  const bool exact = dimension < 3 || std::all_of(laws.begin(), laws.end(), [](const auto& law) {
                       return law.sliding || law.mu == 0.0;
                     });
  FrictionResult result;
  switch (options_.method) {
    case FrictionMethod::cone:
      return by_sweeps(q, laws, r, u);
    case FrictionMethod::facets:
      return by_pivots(dimension, W, q, laws, r, u, exact);
    case FrictionMethod::siconos:
      mu_.clear();
      for (const ContactLaw& law : laws) mu_.push_back(law.mu);
      // Its measure of error knows no W; ours decides.
      siconos::friction(blocks_, q, mu_, 0.01 * options_.sweeps.tolerance,
                        options_.sweeps.max_sweeps, r, result.iterations);
      result.residual = cone_.residual(blocks_, q, laws, r, u);
      result.status =
          result.residual <= options_.sweeps.tolerance ? Status::solved : Status::not_converged;
      return result;
    case FrictionMethod::automatic:
      break;
  }
  if (exact) {
    result = by_pivots(dimension, W, q, laws, r, u, true);
    if (result.status != Status::not_converged) return result;
  } else {
    result = by_sweeps(q, laws, r, u);
    if (result.status == Status::solved) return result;
    const int sweeps = result.iterations;
    result = by_pivots(dimension, W, q, laws, r, u, false);
    result.iterations += sweeps;
    if (result.status == Status::no_solution) return result;
  }
  const int before = result.iterations;
  result = by_sweeps(q, laws, r, u);
  result.iterations += before;
  return result;
}

}  // namespace daedal::nonsmooth
