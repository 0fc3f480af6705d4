#pragma once

#include <span>
#include <string>
#include <string_view>

namespace daedal::io {

/// What to say after "unknown key 'mas'": "did you mean 'mass'?" if a known word is near,
/// else "known: mass, inertia" (no more than the first 40 words).
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace daedal::io
