#pragma once

#include <string>

#include "daedal/io/json.hpp"
#include "daedal/simulate/check.hpp"

namespace daedal::io {

/// The doctor's report as one JSON document.
Json check_json(const simulate::CheckReport& report);

/// The same for reading.
std::string check_text(const simulate::CheckReport& report);

}  // namespace daedal::io
