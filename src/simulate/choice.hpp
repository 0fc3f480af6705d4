#pragma once

#include <string>

#include "daedal/model/model.hpp"
#include "daedal/simulate/settings.hpp"

namespace daedal::simulate {

/// What a run works with, where settings say `auto`, and why.
struct MethodChoice {
  std::string coordinates, formulation, method;
  bool adaptive = false;  // steps are the method's own
  std::string reason;
};

/// Chooses among the combinations that the settings leave open:
///
///   step given, nothing that asks for steps of its own    index-3, generalized-alpha, fixed steps
///   massless coordinates                                  ggl, generalized-alpha
///   stiff: the fastest vibration or decay at the start is far beyond the rates of the motion
///                                                         ggl, generalized-alpha
///   else                                                  index-2, hem5
///
/// and joint coordinates for trees of few bodies in a row, without drives, with adaptive steps;
/// absolute ones else. A model is looked at only as far as the choice needs it. Throws
/// model::ModelError if nothing is possible.
MethodChoice choose_method(const model::Model& model, const Settings& settings);

/// The settings with the choice in place of `auto`.
Settings with_choice(const Settings& settings, const MethodChoice& choice);

}  // namespace daedal::simulate
