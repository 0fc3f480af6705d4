#pragma once

#include <filesystem>

#include "daedal/io/json.hpp"
#include "daedal/simulate/summary.hpp"

namespace daedal::io {

/// The document of `run --format json`, also stored in the result. Without a result its path is
/// empty, and null in the document.
Json summary_json(const simulate::Summary& summary, const std::filesystem::path& result);

/// Summary and certificate as text for a terminal.
std::string summary_text(const simulate::Summary& summary, const std::filesystem::path& result);

}  // namespace daedal::io
