// Near misses: "did you mean ...?".
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace daedal::math {

/// The number of insertions, deletions, replacements and swaps of neighbours that turn a into b
/// (optimal string alignment); upper and lower case count as equal.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`, the first one on a tie; none if nothing is close enough to be
/// a likely misspelling (more than a third of the letters differ). Words over 64 bytes have none,
/// and of very many candidates the first ten thousand are looked at.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// " (did you mean 'omega'?)" or, without a near miss, nothing: to be appended to a message.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace daedal::math
