#pragma once

#include <span>
#include <vector>

#include "daedal/nonsmooth/contact_matrix.hpp"
#include "daedal/nonsmooth/friction_law.hpp"
#include "daedal/nonsmooth/local_contact.hpp"
#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

struct SweepOptions {
  double tolerance = 1e-8;  // of the residual
  int max_sweeps = 20000;
};

struct SweepResult {
  Status status = Status::solved;
  double residual = 0.0;
  int sweeps = 0;
};

/// u = W r + q with the law of friction_law.hpp at every contact, by block Gauss-Seidel: each
/// contact in turn is solved exactly with the others held (nonsmooth Gauss-Seidel, contact dynamics
/// [JeanMoreau1992]), forwards and backwards by turns.
///
/// For hundreds to thousands of contacts: a sweep costs one product with W. Redundant contacts are
/// no obstacle. Sweeps grow with the length of chains and stacks, and with mass ratios across them.
/// Convergence is proved without friction only; what is called solved has been checked:
///
///     residual = max over contacts of LocalContact::error / max |q|.
///
/// Nothing allocates once reserve() or an earlier problem was that large.
class ConeSolver {
 public:
  explicit ConeSolver(SweepOptions options = {}) : options_(options) {}
  void reserve(int contacts, int dimension);
  /// r is where it begins, zero or the impulses of the step before.
  SweepResult solve(const ContactMatrix& W, VectorIn q, std::span<const ContactLaw> laws,
                    VectorOut r, VectorOut u);
  /// The residual of some r, and u.
  double residual(const ContactMatrix& W, VectorIn q, std::span<const ContactLaw> laws, VectorIn r,
                  VectorOut u);

 private:
  template <int D>
  std::vector<LocalContact<D>>& locals();
  template <int D>
  void set_locals(const ContactMatrix& W, std::span<const ContactLaw> laws);
  template <int D>
  SweepResult iterate(const ContactMatrix& W, VectorIn q, VectorOut r, VectorOut u);

  SweepOptions options_;
  std::vector<LocalContact<1>> line_;
  std::vector<LocalContact<2>> plane_;
  std::vector<LocalContact<3>> space_;
};

}  // namespace daedal::nonsmooth
