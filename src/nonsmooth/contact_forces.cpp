#include "daedal/nonsmooth/contact_forces.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace daedal::nonsmooth {

ContactForceSolver::ContactForceSolver(ForceOptions options)
    : at_rest_(options.at_rest), friction_(options.friction) {}

void ContactForceSolver::reserve(int contacts, int dimension) {
  friction_.reserve(contacts, dimension);
}

ContactMotion ContactForceSolver::motion(int contact, int dimension, MatrixIn W, VectorIn b,
                                         const ContactLaw& law, VectorIn lambda, VectorIn a) const {
  const int first = contact * dimension;
  double terms = 0.0;
  for (int i = first; i < first + dimension; ++i) {
    double sum = std::abs(b[i]);
    for (Eigen::Index j = 0; j < lambda.size(); ++j) sum += std::abs(W(i, j) * lambda[j]);
    terms = std::max(terms, sum);
  }
  const double at_rest = at_rest_ * terms;
  if (!(lambda[first] > 0.0) && a[first] > at_rest) return {Motion::separates, {}};
  if (dimension == 1 || law.mu == 0.0) return {Motion::stays, {}};
  if (law.sliding) return {Motion::slides, law.direction};
  const double x = a[first + 1], y = dimension == 3 ? a[first + 2] : 0.0, size = std::hypot(x, y);
  if (size <= at_rest) return {Motion::sticks, {}};
  return {Motion::slides, {x / size, y / size}};
}

FrictionResult ContactForceSolver::solve(int dimension, MatrixIn W, VectorIn b,
                                         std::span<const ContactLaw> laws, VectorOut lambda,
                                         VectorOut a, std::span<ContactMotion> motions) {
  assert(laws.size() == motions.size());
  const FrictionResult result = friction_.solve(dimension, W, b, laws, lambda, a);
  if (result.status == Status::no_solution) {
    lambda.setZero();
    a = b;
  }
  for (std::size_t k = 0; k < laws.size(); ++k) {
    motions[k] = motion(static_cast<int>(k), dimension, W, b, laws[k], lambda, a);
  }
  return result;
}

}  // namespace daedal::nonsmooth
