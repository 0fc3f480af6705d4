#pragma once

#include <array>
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
  no_contact_forces,
  events_accumulate,
  cannot_assemble,
  output_failed,
};

inline constexpr std::array kStatuses{Status::done,
                                      Status::interrupted,
                                      Status::newton_diverged,
                                      Status::singular_matrix,
                                      Status::not_finite,
                                      Status::step_too_small,
                                      Status::unstable,
                                      Status::conflicting_constraints,
                                      Status::no_contact_forces,
                                      Status::events_accumulate,
                                      Status::cannot_assemble,
                                      Status::output_failed};

/// The word in results: `newton_diverged`.
std::string_view name_of(Status status);
/// One sentence: what happened and what to try.
std::string_view advice(Status status);

}  // namespace daedal::simulate
