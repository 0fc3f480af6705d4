#include "daedal/io/document_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/document.hpp"

namespace daedal::io {
namespace {

/// Line and column, in characters, of a byte of a text.
Position position_of(std::string_view text, std::size_t offset, std::string_view name) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::string_view start = before.substr(before.find_last_of('\n') + 1);
  const auto column = std::ranges::count_if(start, [](char c) { return (c & 0xC0) != 0x80; }) + 1;
  return {std::string(name), static_cast<int>(line), static_cast<int>(column)};
}

/// Length of the UTF-8 sequence at the start of `s`, or 0 if there is none (RFC 3629: shortest
/// form only, no surrogates, nothing above U+10FFFF).
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
  };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

void check_text(std::string_view text, std::string_view name) {
  if (text.size() > kMaxDocumentBytes) {
    throw InputError({std::string(name)}, fmt::format("text is larger than {} MB; split it up",
                                                      kMaxDocumentBytes >> 20));
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw InputError({std::string(name)}, "file is UTF-16; save it as UTF-8");
  }
  bool at_indentation = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      throw InputError(position_of(text, i, name),
                       fmt::format("byte 0x{:02X} is not UTF-8; this seems to be a binary file or "
                                   "another encoding: save it as UTF-8",
                                   static_cast<unsigned char>(c)));
    }
    if (c == '\r' && text.substr(i, 2) != "\r\n") {
      throw InputError(position_of(text, i, name),
                       "carriage return without line feed; save the file with Unix or Windows "
                       "line ends");
    }
    if (c == '%' && (i == 0 || text[i - 1] == '\n')) {
      throw InputError(position_of(text, i, name), "directives (%...) are not allowed; remove it");
    }
    if ((static_cast<unsigned char>(c) < 0x20 || c == '\x7F') && c != '\n' && c != '\r' &&
        c != '\t') {
      throw InputError(position_of(text, i, name),
                       fmt::format("control character 0x{:02X} found; this seems to be a binary "
                                   "file, a model is text",
                                   static_cast<unsigned char>(c)));
    }
    if (c == '\t' && at_indentation) {
      throw InputError(position_of(text, i, name),
                       "line is indented with a tab; indent with spaces");
    }
    at_indentation = c == '\n' || (at_indentation && c == ' ');
    i += length;
  }
}

std::string sentence(const std::string& complaint) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kSentences{{
      {"end of map not found",
       "this does not fit the map it stands in; indent all keys of a map by the same number of "
       "spaces, and write nothing behind a quoted text"},
      {"end of sequence not found",
       "indentation does not fit the list this line belongs to; start each element with '- ' in "
       "the same column"},
      {"end of map flow not found",
       "'{' is never closed, or a ',' is missing between its keys; close it with '}'"},
      {"end of sequence flow not found",
       "'[' is never closed, or a ',' is missing between its elements; close it with ']'"},
      {"illegal EOF in scalar", "a quoted text is never closed; add the missing quote"},
      {"illegal document indicator in scalar",
       "a quoted text is never closed; add the missing quote"},
      {"illegal flow end", "']' or '}' without its opening bracket; remove it or add the other"},
      {"illegal block entry", "'- ' cannot start a list here; begin it on a line of its own"},
      {"illegal map key", "a key cannot stand here; begin it on a line of its own"},
      {"illegal map value",
       "':' cannot stand here, the value before it goes on; indent all keys of a map alike, and "
       "put text that contains ': ' in quotes"},
      {"unknown token", "this character cannot start a value; put the text in quotes"},
      {"illegal character in scalar",
       "this character cannot stand in plain text; put the text in quotes"},
      {"illegal tab when looking for indentation",
       "line is indented with a tab; indent with spaces"},
      {"unexpected character in block scalar",
       "only '+', '-', a digit or a comment may follow '|' or '>'; start the text on the next "
       "line"},
      {"cannot set zero indentation for a block scalar",
       "0 is no indentation for a text after '|' or '>'; remove it"},
      {"bad character found while scanning hex number",
       "an escape \\x, \\u or \\U needs hexadecimal digits; write \\\\ for a backslash"},
      {"the referenced anchor is not defined",
       "'*' starts an alias, which is not allowed; put the text in quotes"},
      {"alias not found after *", "'*' cannot start a value; put the text in quotes"},
      {"anchor not found after &", "'&' cannot start a value; put the text in quotes"},
      {"deep recursion", "lists and maps are nested too deep; flatten them"},
  }};
  for (const auto& [yaml, ours] : kSentences) {
    if (complaint.starts_with(yaml)) return std::string(ours);
  }
  if (complaint.starts_with("unknown escape character")) {
    return fmt::format("{} in a quoted text; write \\\\ for a backslash, or use single quotes",
                       complaint);
  }
  return fmt::format("not valid YAML: {}", complaint);
}

}  // namespace daedal::io
