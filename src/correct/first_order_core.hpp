#pragma once

#include <vector>

#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/linear/bordered.hpp"

namespace daedal::correct {

/// The rows and unknowns of q and v of a FirstOrderMatrix whose M, D and K stay unformed, scaled as
/// the matrix was last assembled.
class FirstOrderCore final : public linear::Core {
 public:
  FirstOrderCore(formulate::FirstOrder& form, const FirstOrderMatrix& matrix)
      : form_(form), matrix_(matrix), n_(form.structure().dof()) {}

  /// The nodes of q and v.
  int nodes() const { return 2 * of_v(); }

  linear::FactorStatus factorise() override {
    linear::FactorStatus status = form_.factorise_core();
    if (!status && status.equation >= 0) status.equation += n_;
    return status;
  }
  void solve(std::span<double> b) override {
    const ScaleFactors& scale = matrix_.scale();
    for (int i = 0; i < n_; ++i) b[i] /= scale.row[0], b[n_ + i] /= scale.row[of_v()];
    form_.solve_core(b);
    for (int i = 0; i < n_; ++i) b[i] /= scale.unknown[0], b[n_ + i] /= scale.unknown[of_v()];
  }
  void multiply_add(std::span<const double> x, std::span<double> y) override {
    const ScaleFactors& scale = matrix_.scale();
    std::vector<double> z(x.begin(), x.end()), r(2 * n_, 0.0);
    for (int i = 0; i < n_; ++i) z[i] *= scale.unknown[0], z[n_ + i] *= scale.unknown[of_v()];
    form_.multiply_core(z, r);
    for (int i = 0; i < n_; ++i) {
      y[i] += scale.row[0] * r[i];
      y[n_ + i] += scale.row[of_v()] * r[n_ + i];
    }
  }

 private:
  int of_v() const { return static_cast<int>(form_.structure().coordinates.size()); }

  formulate::FirstOrder& form_;
  const FirstOrderMatrix& matrix_;
  int n_;
};

}  // namespace daedal::correct
