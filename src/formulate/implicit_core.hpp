#pragma once

#include "daedal/linear/bordered.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::formulate {

/// L S R, S = K P + D V + M A, as the core of a bordered matrix. L and R are numbers: coordinates all
/// have one order in time.
class ImplicitCore final : public linear::Core {
 public:
  using Part = system::ImplicitDynamics::Part;

  ImplicitCore(system::ImplicitDynamics& dynamics, const system::Manifold& manifold)
      : dynamics_(dynamics), manifold_(manifold) {}

  Part P, V, A;
  double left = 1.0, right = 1.0;

  linear::FactorStatus factorise() override { return dynamics_.factorise(P, V, A); }
  void solve(std::span<double> b) override {
    for (double& value : b) value /= left;
    dynamics_.solve(b);
    for (double& value : b) value /= right;
  }
  void multiply_add(std::span<const double> x, std::span<double> y) override {
    const std::vector<double> q = moved(P, x), v = moved(V, x), a = moved(A, x);
    dynamics_.multiply_add(q, v, a, y, left * right);
  }

 private:
  std::vector<double> moved(const Part& part, std::span<const double> x) const {
    std::vector<double> out(x.begin(), x.end());
    if (!part.rotations.empty()) manifold_.apply(part.rotations, out);
    for (double& value : out) value *= part.factor;
    return out;
  }

  system::ImplicitDynamics& dynamics_;
  const system::Manifold& manifold_;
};

}  // namespace daedal::formulate
