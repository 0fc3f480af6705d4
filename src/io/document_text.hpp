#pragma once

// Private to the document's adapter: what is refused before YAML is read, and how YAML's own
// complaints are worded.

#include <string>
#include <string_view>

namespace daedal::io {

/// Refuses text that is too long, binary, not UTF-8, indented with tabs, or has directives.
void check_text(std::string_view text, std::string_view name);

/// yaml-cpp's complaint as a sentence with a remedy.
std::string sentence(const std::string& complaint);

}  // namespace daedal::io
