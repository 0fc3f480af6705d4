#pragma once

#include <memory>
#include <optional>
#include <span>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/formulate/acceleration_level.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/choice.hpp"

namespace daedal::simulate {

/// A method that the table knows, of either kind.
struct AnyIntegrator {
  AnyIntegrator(const MethodChoice& choice, const system::ConstrainedSystem& system,
                const integrate::Options& options);
  integrate::Integrator* operator->() const {
    if (adaptive) return adaptive.get();
    return fixed.get();
  }
  std::unique_ptr<integrate::FixedStepIntegrator> fixed;
  std::unique_ptr<integrate::AdaptiveIntegrator> adaptive;
};

/// The equations of a time between events, in which the same contacts are closed, and what solves
/// them. A run without contacts has one.
struct Epoch {
  Epoch(const model::Model& model, const Settings& settings, const MethodChoice& choice,
        coordinates::Mechanism equations_of);
  Epoch(const Epoch&) = delete;
  Epoch& operator=(const Epoch&) = delete;

  const system::ConstrainedSystem& system() const { return *mechanism.system; }
  const system::Structure& structure() const { return system().structure(); }

  coordinates::Mechanism mechanism;
  integrate::Options options;
  formulate::AccelerationLevel equations;
  AnyIntegrator integrator;
};

}  // namespace daedal::simulate
