#pragma once

#include <span>

#include "daedal/nonsmooth/cone_solver.hpp"
#include "daedal/nonsmooth/facet_solver.hpp"

namespace daedal::nonsmooth {

enum class FrictionMethod {
  automatic,
  cone,     // second-order cones by ConeSolver
  facets,   // polyhedral cones by FacetSolver
  siconos,  // second-order cones by Siconos' Gauss-Seidel; Coulomb's law alone
};

struct FrictionOptions {
  FrictionMethod method = FrictionMethod::automatic;
  int facets = 8;
  LcpOptions lcp = {};
  SweepOptions sweeps = {};
};

struct FrictionResult {
  Status status = Status::solved;
  double residual = 0.0;  // ConeSolver's, whatever the method; of facets in space the LCP's
  int iterations = 0;     // pivots and sweeps
};

/// u = W r + q with the law of friction_law.hpp for few contacts, W in full.
///
/// `automatic`: Lemke's method where it is exact, without friction, in the plane and where all
/// directions of sliding are known. Else sweeps over the cones; if they fail, again from the
/// solution with facets, whose ray makes it `no_solution`.
class FrictionSolver {
 public:
  explicit FrictionSolver(FrictionOptions options = {});
  void reserve(int contacts, int dimension);
  /// r is where sweeps begin.
  FrictionResult solve(int dimension, MatrixIn W, VectorIn q, std::span<const ContactLaw> laws,
                       VectorOut r, VectorOut u);

 private:
  FrictionResult by_sweeps(VectorIn q, std::span<const ContactLaw> laws, VectorOut r, VectorOut u);
  FrictionResult by_pivots(int dimension, MatrixIn W, VectorIn q, std::span<const ContactLaw> laws,
                           VectorOut r, VectorOut u, bool exact);

  FrictionOptions options_;
  ConeSolver cone_;
  FacetSolver facets_;
  ContactMatrix blocks_;
  std::vector<double> mu_;
};

}  // namespace daedal::nonsmooth
