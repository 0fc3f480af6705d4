#pragma once

#include <string>
#include <string_view>

namespace daedal::io {

/// Text for SVG and HTML: `<`, `>`, `&` and quotes as entities, control characters but line breaks
/// and tabs as spaces.
std::string escape_markup(std::string_view text);

}  // namespace daedal::io
