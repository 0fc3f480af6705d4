#pragma once

#include <span>
#include <vector>

#include "daedal/nonsmooth/friction_law.hpp"
#include "daedal/nonsmooth/lcp.hpp"

namespace daedal::nonsmooth {

/// u = W r + q with the law of friction_law.hpp, its cone replaced by a polyhedral one, as an LCP
/// [StewartTrinkle1996]. With directions d_i around the circle, r_T = sum_i beta_i d_i:
///
///     0 <= u_N                      _|_  r_N   >= 0
///     0 <= d_i . u_T + gamma        _|_  beta_i >= 0
///     0 <= mu r_N - sum_i beta_i    _|_  gamma >= 0
///
/// In the plane the two directions are exact. In space the polyhedron lies within the cone:
/// friction is too small by up to 1 - cos(pi/facets); the first direction opposes the tangent part
/// of q, so that a contact which slides on is exact. Contacts without friction or with a known
/// direction of sliding take one row each and are exact.
///
/// The LCP is copositive for positive semi-definite W without sliding contacts. With them a ray is
/// what Painleve's paradox looks like: `no_solution`.
class FacetSolver {
 public:
  explicit FacetSolver(int facets = 8, LcpOptions options = {});
  void reserve(int contacts, int dimension);
  LcpResult solve(int dimension, MatrixIn W, VectorIn q, std::span<const ContactLaw> laws,
                  VectorOut r, VectorOut u);

 private:
  using Vector3 = Eigen::Vector3d;
  struct Row {
    int contact;
    Vector3 test;     // the row of the problem is test . u
    Vector3 impulse;  // of a unit of its unknown
  };
  void add_rows(int contact, int dimension, VectorIn q, const ContactLaw& law);

  int facets_;
  LcpSolver lcp_;
  std::vector<Row> rows_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd q_, z_, w_;
};

}  // namespace daedal::nonsmooth
