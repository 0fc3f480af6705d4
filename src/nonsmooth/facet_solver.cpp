#include "daedal/nonsmooth/facet_solver.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace daedal::nonsmooth {

namespace {

bool has_cone(const ContactLaw& law, int dimension) {
  return dimension > 1 && law.mu > 0.0 && !law.sliding;
}

}  // namespace

FacetSolver::FacetSolver(int facets, LcpOptions options) : facets_(facets), lcp_(0, options) {
  assert(facets >= 3);
}

void FacetSolver::reserve(int contacts, int dimension) {
  const int per_contact = dimension == 1 ? 1 : 2 + (dimension == 2 ? 2 : facets_);
  const int size = contacts * per_contact;
  if (size <= q_.size()) return;
  lcp_.reserve(size);
  rows_.reserve(size);
  M_.resize(size, size);
  for (Eigen::VectorXd* vector : {&q_, &z_, &w_}) vector->resize(size);
}

void FacetSolver::add_rows(int contact, int dimension, VectorIn q, const ContactLaw& law) {
  Row normal{contact, Vector3::UnitX(), Vector3::UnitX()};
  if (law.sliding && dimension > 1) {
    normal.impulse -= law.mu * Vector3(0.0, law.direction[0], law.direction[1]);
  }
  rows_.push_back(normal);
  if (!has_cone(law, dimension)) return;
  if (dimension == 2) {
    for (const double side : {1.0, -1.0}) {
      rows_.push_back({contact, side * Vector3::UnitY(), side * Vector3::UnitY()});
    }
  } else {
    const double x = q[contact * 3 + 1], y = q[contact * 3 + 2];
    const double first = std::hypot(x, y) > 0.0 ? std::atan2(-y, -x) : 0.0;
    for (int i = 0; i < facets_; ++i) {
      const double angle = first + 2.0 * std::numbers::pi * i / facets_;
      const Vector3 d(0.0, std::cos(angle), std::sin(angle));
      rows_.push_back({contact, d, d});
    }
  }
  rows_.push_back({contact, Vector3::Zero(), Vector3::Zero()});  // gamma
}

LcpResult FacetSolver::solve(int dimension, MatrixIn W, VectorIn q,
                             std::span<const ContactLaw> laws, VectorOut r, VectorOut u) {
  const int d = dimension, contacts = static_cast<int>(laws.size());
  assert(W.rows() == contacts * d && q.size() == W.rows());
  reserve(contacts, d);
  rows_.clear();
  for (int k = 0; k < contacts; ++k) add_rows(k, d, q, laws[k]);

  const int n = static_cast<int>(rows_.size());
  auto M = M_.topLeftCorner(n, n);
  auto right = q_.head(n);
  for (int i = 0; i < n; ++i) {
    const Row& row = rows_[i];
    right[i] = row.test.head(d).dot(q.segment(row.contact * d, d));
    for (int j = 0; j < n; ++j) {
      const Row& column = rows_[j];
      double sum = 0.0;
      for (int b = 0; b < d; ++b) {
        for (int a = 0; a < d; ++a) {
          sum += row.test[a] * W(row.contact * d + a, column.contact * d + b) * column.impulse[b];
        }
      }
      M(i, j) = sum;
    }
  }
  for (int first = 0; first < n;) {
    const ContactLaw& law = laws[rows_[first].contact];
    if (!has_cone(law, d)) {
      ++first;
      continue;
    }
    const int directions = d == 2 ? 2 : facets_, gamma = first + directions + 1;
    M(gamma, first) = law.mu;
    for (int i = first + 1; i < gamma; ++i) {
      M(i, gamma) = 1.0;
      M(gamma, i) = -1.0;
    }
    first = gamma + 1;
  }

  auto z = z_.head(n), w = w_.head(n);
  const LcpResult result = lcp_.solve(M, right, z, w);
  r.setZero();
  for (int i = 0; i < n; ++i) r.segment(rows_[i].contact * d, d) += z[i] * rows_[i].impulse.head(d);
  u = q;
  u.noalias() += W.lazyProduct(r);
  return result;
}

}  // namespace daedal::nonsmooth
