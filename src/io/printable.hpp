#pragma once

#include <string>
#include <string_view>

namespace daedal::io {

/// Text for a terminal: control characters other than line feed and tab are shown (`\x1b`,
/// `\u009b`) instead of being obeyed. Titles and names come from files of others.
std::string printable(std::string_view text);

}  // namespace daedal::io
