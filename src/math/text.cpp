#include "daedal/math/text.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace daedal::math {
namespace {

constexpr std::size_t kMaxWord = 64;
constexpr std::size_t kMaxCandidates = 10'000;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the table of distances between the first i letters of a and j of b.
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(b.size() + 1));
  auto& [before, previous, current] = rows;
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (x != y)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = kMaxWord;
  if (word.size() > kMaxWord) return best;
  for (const std::string& candidate :
       candidates.first(std::min(candidates.size(), kMaxCandidates))) {
    if (candidate.size() > kMaxWord) continue;
    const std::size_t length = std::max(word.size(), candidate.size());
    const std::size_t allowed = (length + 2) / 3;
    if (length - std::min(word.size(), candidate.size()) > allowed) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < length && distance <= allowed) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto candidate = nearest(word, candidates);
  return candidate ? " (did you mean '" + *candidate + "'?)" : "";
}

}  // namespace daedal::math
