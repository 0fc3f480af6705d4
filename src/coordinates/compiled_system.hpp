#pragma once

#include <memory>
#include <utility>

#include "daedal/system/constrained_system.hpp"

namespace daedal::coordinates {

/// A compiled model as a system: whatever the coordinates, its elements are shared and never change.
template <class Compiled, class Evaluator>
class CompiledSystem final : public system::ConstrainedSystem {
 public:
  explicit CompiledSystem(std::shared_ptr<const Compiled> compiled)
      : compiled_(std::move(compiled)) {}

  const system::Structure& structure() const override { return compiled_->structure; }
  std::unique_ptr<system::Evaluator> evaluator() const override {
    return std::make_unique<Evaluator>(*compiled_);
  }
  std::unique_ptr<system::ImplicitDynamics> implicit_dynamics() const override {
    if constexpr (requires(const Compiled& compiled) { make_implicit_dynamics(compiled); }) {
      return make_implicit_dynamics(*compiled_);
    } else {
      return nullptr;
    }
  }
  void excitations(double t, std::span<math::Jet> u) const override {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = compiled_->excitations[i].evaluate_jet(t);
  }
  std::vector<double> break_points(double t0, double t1) const override {
    return math::break_points(compiled_->excitations, t0, t1);
  }

 private:
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace daedal::coordinates
