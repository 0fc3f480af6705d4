#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "daedal/integrate/integrator.hpp"

namespace daedal::integrate {

/// One row of the table of methods: what `daedal methods` prints, what settings are checked
/// against, and what the shared test suite runs over.
struct Method {
  std::string_view name;
  std::string_view summary;
  int order;
  std::string_view properties;
  std::span<const std::string_view> formulations;
  std::span<const std::string_view> references;  // keys in docs/references.bib
  /// With steps of given size, on index 3 and where Options say `stabilised`; and with steps of its
  /// own, on the other formulations. Null where a method does not do that.
  std::unique_ptr<FixedStepIntegrator> (*make)(const system::ConstrainedSystem&, const Options&);
  std::unique_ptr<AdaptiveIntegrator> (*make_adaptive)(const system::ConstrainedSystem&,
                                                       const Options&) = nullptr;
  bool is_explicit = false;  // no Newton iteration, no Jacobian
  bool contacts = false;     // its own steps may go from event to event, where contacts close and open

  /// Which kinds of steps it takes on one of its formulations.
  bool fixed_on(std::string_view formulation) const;
  bool adaptive_on(std::string_view formulation) const;
};

std::span<const Method> methods();
/// Those that can have fixed steps: the first of methods().
std::span<const Method> fixed_step_methods();
/// The row of a name, or null.
const Method* find_method(std::string_view name);

}  // namespace daedal::integrate
