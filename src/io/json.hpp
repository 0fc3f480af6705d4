#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "daedal/io/errors.hpp"

namespace daedal::io {

/// JSON whose objects keep the order of insertion.
using Json = nlohmann::ordered_json;

/// Numbers read back as the same numbers; nan and infinities become null, bytes that are no UTF-8
/// become U+FFFD; control characters are escaped. `indent` < 0 puts everything on one line.
std::string to_text(const Json& json, int indent = 2);

/// Strict: no comments, no text after the value, no repeated keys, at most 512 levels.
/// Throws InputError with line and column.
Json parse_json(std::string_view text, std::string_view name);

}  // namespace daedal::io
