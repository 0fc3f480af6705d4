#include "daedal/nonsmooth/impact.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace daedal::nonsmooth {

namespace {

constexpr double kRoundOff = 1e-8;  // of energies, relative to the work of each impulse
constexpr double kAtRest = 1e-13;   // of velocities in a sequence of impacts, relative to the first

ImpactResult finished(Status status, double residual, VectorIn u_before, VectorOut P,
                      VectorOut u_after) {
  if (status == Status::no_solution) {
    P.setZero();
    u_after = u_before;
  }
  ImpactResult result{status, residual};
  double size = 0.0;
  for (Eigen::Index i = 0; i < P.size(); ++i) {
    result.energy_change += 0.5 * P[i] * (u_after[i] + u_before[i]);
    size += 0.5 * std::abs(P[i]) * (std::abs(u_after[i]) + std::abs(u_before[i]));
  }
  result.gains_energy = result.energy_change > kRoundOff * size;
  return result;
}

}  // namespace

ImpactSolver::ImpactSolver(FrictionOptions options) : lcp_(0, options.lcp), friction_(options) {}

void ImpactSolver::reserve(int contacts, int dimension) {
  const int size = contacts * dimension;
  lcp_.reserve(contacts);
  if (dimension > 1) friction_.reserve(contacts, dimension);
  if (size <= q_.size()) return;
  for (Eigen::VectorXd* vector : {&q_, &w_, &compression_}) vector->resize(size);
}

ImpactResult ImpactSolver::newton(MatrixIn W, VectorIn u_before, std::span<const double> e,
                                  VectorOut P, VectorOut u_after) {
  const int n = static_cast<int>(u_before.size());
  reserve(n);
  auto q = q_.head(n), w = w_.head(n);
  for (int k = 0; k < n; ++k) q[k] = (1.0 + e[k]) * u_before[k];
  const LcpResult lcp = lcp_.solve(W, q, P, w);
  for (int k = 0; k < n; ++k) u_after[k] = w[k] - e[k] * u_before[k];
  return finished(lcp.status, lcp.residual, u_before, P, u_after);
}

ImpactResult ImpactSolver::poisson(MatrixIn W, VectorIn u_before, std::span<const double> e,
                                   VectorOut P, VectorOut u_after) {
  const int n = static_cast<int>(u_before.size());
  reserve(n);
  auto q = q_.head(n), w = w_.head(n), compression = compression_.head(n);
  const LcpResult first = lcp_.solve(W, u_before, compression, w);
  if (first.status != Status::solved) {
    P = compression;
    u_after = w;
    return finished(first.status, first.residual, u_before, P, u_after);
  }
  // The impulses that expansion has in any case, and what is needed beyond them.
  for (int k = 0; k < n; ++k) q[k] = (1.0 + e[k]) * compression[k];
  P = q;
  q = u_before;
  q.noalias() += W.lazyProduct(P);
  const LcpResult second = lcp_.solve(W, q, compression, u_after);
  P += compression;
  return finished(second.status, std::max(first.residual, second.residual), u_before, P, u_after);
}

ImpactResult ImpactSolver::in_sequence(MatrixIn W, VectorIn u_before, std::span<const double> e,
                                       VectorOut P, VectorOut u_after, int max_impacts) {
  P.setZero();
  u_after = u_before;
  if (u_before.size() == 0) return {};
  const double closing = -kAtRest * u_before.cwiseAbs().maxCoeff();
  for (int impact = 0; impact < max_impacts; ++impact) {
    int k = 0;
    const double u = u_after.minCoeff(&k);
    if (u >= closing) return finished(Status::solved, 0.0, u_before, P, u_after);
    if (!(W(k, k) > 0.0)) break;
    const double impulse = -(1.0 + e[k]) * u / W(k, k);
    P[k] += impulse;
    u_after += impulse * W.col(k);
  }
  const double residual = u_after.minCoeff() / (closing / kAtRest);
  return finished(Status::not_converged, residual, u_before, P, u_after);
}

ImpactResult ImpactSolver::newton_with_friction(int dimension, MatrixIn W, VectorIn u_before,
                                                std::span<const double> e,
                                                std::span<const ContactLaw> laws, VectorOut P,
                                                VectorOut u_after) {
  const int contacts = static_cast<int>(laws.size()), n = contacts * dimension;
  assert(u_before.size() == n && static_cast<int>(e.size()) == contacts);
  reserve(contacts, dimension);
  auto q = q_.head(n);
  q = u_before;
  for (int k = 0; k < contacts; ++k) q[k * dimension] *= 1.0 + e[k];
  P.setZero();
  const FrictionResult result = friction_.solve(dimension, W, q, laws, P, u_after);
  for (int k = 0; k < contacts; ++k) u_after[k * dimension] -= e[k] * u_before[k * dimension];
  return finished(result.status, result.residual, u_before, P, u_after);
}

}  // namespace daedal::nonsmooth
