#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"

namespace daedal::doctor {

/// What looks wrong in a model that could be simulated all the same.
struct Inspection {
  std::vector<std::string> warnings;  // sentences: object, value, what is odd, what to do
  std::vector<std::string> notes;     // worth knowing, and often meant so
};

/// Looks at the numbers of a model at a configuration: units, masses, inertias, connections and, if
/// the joints are closed there, how far bodies had to turn.
Inspection inspect(const model::Model& model, const coordinates::Mechanism& mechanism,
                   std::span<const double> q, bool closed);

}  // namespace daedal::doctor
