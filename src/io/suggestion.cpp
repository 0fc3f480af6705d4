#include "daedal/io/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "daedal/math/text.hpp"

namespace daedal::io {

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kMaxListed = 40;
  if (const auto near = math::nearest(word, known)) {
    return fmt::format("did you mean '{}'?", *near);
  }
  if (known.empty()) return "nothing is allowed here";
  return fmt::format("known: {}{}",
                     fmt::join(known.first(std::min(known.size(), kMaxListed)), ", "),
                     known.size() > kMaxListed ? ", ..." : "");
}

}  // namespace daedal::io
