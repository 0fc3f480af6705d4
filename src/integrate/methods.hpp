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
  std::unique_ptr<Integrator> (*make)(const system::ConstrainedSystem&, const Options&);
};

std::span<const Method> methods();
/// The row of a name, or null.
const Method* find_method(std::string_view name);

}  // namespace daedal::integrate
