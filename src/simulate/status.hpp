#pragma once

#include <string_view>

namespace daedal::simulate {

/// How a run ended.
enum class Status {
  done,
  interrupted,
  newton_diverged,
  singular_matrix,
  not_finite,
  step_too_small,
  unstable,
  conflicting_constraints,
  cannot_assemble,
  output_failed,
};

/// The word in results: `newton_diverged`.
std::string_view name_of(Status status);
/// One sentence: what happened and what to try.
std::string_view advice(Status status);

}  // namespace daedal::simulate
