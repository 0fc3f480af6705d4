#include "daedal/io/suggestion.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace daedal::io {
namespace {

/// Edits (insert, remove, replace, swap of neighbours) between two words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// The nearest word if it is near enough to be meant, else nullptr.
const std::string* nearest(std::string_view word, std::span<const std::string> known) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t d = distance(word, candidate);
    if (d < best_distance && d < std::max(word.size(), candidate.size())) {
      best = &candidate;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kMaxListed = 40;
  constexpr std::size_t kLongest = 64;  // nobody mistypes a longer word than this
  if (word.size() <= kLongest) {
    if (const std::string* near = nearest(word, known)) {
      return fmt::format("did you mean '{}'?", *near);
    }
  }
  if (known.empty()) return "nothing is allowed here";
  return fmt::format("known: {}{}",
                     fmt::join(known.first(std::min(known.size(), kMaxListed)), ", "),
                     known.size() > kMaxListed ? ", ..." : "");
}

}  // namespace daedal::io
