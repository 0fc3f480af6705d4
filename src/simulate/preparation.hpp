#pragma once

#include <optional>
#include <span>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/integrate/integrator.hpp"
#include "daedal/simulate/assembly.hpp"
#include "daedal/simulate/settings.hpp"

/// From a model and its settings to what a run works with.
namespace daedal::simulate {

/// Newton's tolerance: where round-off stops the iteration early, this share of the run's tolerance in
/// one step will do.
inline constexpr double kAcceptableShare = 0.1;
/// What steps can be solved to, and what tolerance of a run that makes.
inline constexpr double kSmallestNewtonTolerance = 1e-13;
inline constexpr double kSmallestTolerance = kSmallestNewtonTolerance / kAcceptableShare;

/// Whether neither the settings nor the model say how large the mechanism is.
bool without_length(const model::Model& model, const Settings& settings);

/// The characteristic length in use [m].
double mechanism_length(const model::Model& model, const Settings& settings);

/// `settings` say `auto` of nothing that choose_method() chooses.
integrate::Options integrator_options(const model::Model& model, const Settings& settings,
                                      const system::Structure& structure);

/// The model in the coordinates asked for. Joint coordinates start from what absolute ones were
/// assembled to; `assembly` says what that took, and the run finds out again if it failed.
coordinates::Mechanism make_mechanism(const model::Model& model, const Settings& settings,
                                      std::optional<AssemblyReport>& assembly);

/// The same with some contacts closed, from the model in absolute coordinates. Its initial values mean
/// nothing.
coordinates::Mechanism make_mechanism(const model::Model& model, const Settings& settings,
                                      coordinates::Mechanism& absolute,
                                      std::span<const coordinates::ContactState> contacts);

}  // namespace daedal::simulate
