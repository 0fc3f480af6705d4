#include "daedal/nonsmooth/cone_solver.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace daedal::nonsmooth {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kPatience = 20;  // sweeps between looks at the residual while impulses still change

template <int D>
using Vector = Eigen::Matrix<double, D, 1>;
template <int D>
using Block = Eigen::Map<const Eigen::Matrix<double, D, D>>;

/// Velocity at a contact, by all impulses.
template <int D>
Vector<D> velocity(const ContactMatrix& W, VectorIn q, VectorIn r, int k) {
  Vector<D> u = q.segment<D>(k * D);
  for (int b = W.begin(k); b < W.end(k); ++b) {
    u.noalias() += Block<D>(W.values(b)) * r.segment<D>(W.column(b) * D);
  }
  return u;
}

template <int D>
double worst(const ContactMatrix& W, VectorIn q, const std::vector<LocalContact<D>>& locals,
             VectorIn r, VectorOut u) {
  double error = 0.0;
  for (int k = 0; k < W.contacts(); ++k) {
    const Vector<D> velocity_k = velocity<D>(W, q, r, k);
    u.segment<D>(k * D) = velocity_k;
    const double here = locals[k].error(r.segment<D>(k * D), velocity_k);
    if (!(here <= error)) error = here;
    if (std::isnan(error)) return kInfinite;
  }
  if (error == 0.0) return 0.0;
  const double size = q.size() ? q.cwiseAbs().maxCoeff() : 0.0;
  return size > 0.0 ? error / size : kInfinite;
}

}  // namespace

template <>
std::vector<LocalContact<1>>& ConeSolver::locals<1>() {
  return line_;
}
template <>
std::vector<LocalContact<2>>& ConeSolver::locals<2>() {
  return plane_;
}
template <>
std::vector<LocalContact<3>>& ConeSolver::locals<3>() {
  return space_;
}

void ConeSolver::reserve(int contacts, int dimension) {
  if (dimension == 1) line_.reserve(contacts);
  if (dimension == 2) plane_.reserve(contacts);
  if (dimension == 3) space_.reserve(contacts);
}

template <int D>
void ConeSolver::set_locals(const ContactMatrix& W, std::span<const ContactLaw> laws) {
  auto& local = locals<D>();
  local.resize(W.contacts());
  for (int k = 0; k < W.contacts(); ++k) {
    assert(W.diagonal(k) >= 0);
    local[k].set(Block<D>(W.values(W.diagonal(k))), laws[k]);
  }
}

template <int D>
SweepResult ConeSolver::iterate(const ContactMatrix& W, VectorIn q, VectorOut r, VectorOut u) {
  const auto& local = locals<D>();
  const int count = W.contacts();
  const double velocity_size = q.size() ? q.cwiseAbs().maxCoeff() : 0.0;
  SweepResult result;
  result.residual = worst<D>(W, q, local, r, u);
  int unlooked = 0;
  while (!(result.residual <= options_.tolerance) && result.sweeps < options_.max_sweeps) {
    double change = 0.0;  // as velocities
    bool possible = true;
    const bool forwards = result.sweeps % 2 == 0;
    for (int i = 0; i < count; ++i) {
      const int k = forwards ? i : count - 1 - i;
      const Block<D> diagonal(W.values(W.diagonal(k)));
      const Vector<D> before = r.segment<D>(k * D);
      const Vector<D> others = velocity<D>(W, q, r, k) - diagonal * before;
      Vector<D> now;
      if (!local[k].solve(others, now)) possible = false;
      r.segment<D>(k * D) = now;
      change = std::max(change, (diagonal * (now - before)).cwiseAbs().maxCoeff());
    }
    ++result.sweeps;
    ++unlooked;
    if (change > options_.tolerance * velocity_size && unlooked < kPatience) continue;
    unlooked = 0;
    result.residual = worst<D>(W, q, local, r, u);
    if (!possible && change == 0.0) break;
  }
  if (!(result.residual <= options_.tolerance)) {
    result.residual = worst<D>(W, q, local, r, u);
    if (!(result.residual <= options_.tolerance)) result.status = Status::not_converged;
  }
  return result;
}

SweepResult ConeSolver::solve(const ContactMatrix& W, VectorIn q, std::span<const ContactLaw> laws,
                              VectorOut r, VectorOut u) {
  assert(q.size() == W.contacts() * W.dimension() && r.size() == q.size() && u.size() == q.size());
  assert(static_cast<int>(laws.size()) == W.contacts());
  if (!q.allFinite() || !r.allFinite()) return {Status::not_converged, kInfinite, 0};
  if (q.isZero(0.0)) r.setZero();
  if (W.dimension() == 1) return set_locals<1>(W, laws), iterate<1>(W, q, r, u);
  if (W.dimension() == 2) return set_locals<2>(W, laws), iterate<2>(W, q, r, u);
  return set_locals<3>(W, laws), iterate<3>(W, q, r, u);
}

double ConeSolver::residual(const ContactMatrix& W, VectorIn q, std::span<const ContactLaw> laws,
                            VectorIn r, VectorOut u) {
  if (W.dimension() == 1) return set_locals<1>(W, laws), worst<1>(W, q, line_, r, u);
  if (W.dimension() == 2) return set_locals<2>(W, laws), worst<2>(W, q, plane_, r, u);
  return set_locals<3>(W, laws), worst<3>(W, q, space_, r, u);
}

}  // namespace daedal::nonsmooth
