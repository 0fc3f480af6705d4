#include <filesystem>
#include <string>

#include "daedal/study/study_reader.hpp"
#include "fuzz/require.hpp"
#include "fuzz/targets.hpp"

namespace daedal::fuzz {

void study(std::string_view text) {
  // A study may name any file; a mutant shall not wait for a device.
  if (text.find("/dev") != text.npos || text.find("/proc") != text.npos) return;
  static const std::filesystem::path root = DAEDAL_SOURCE_DIR;
  static const std::filesystem::path path = root / "studies" / "mutant.yaml";
  // Reading a study reads its model for every row.
  constexpr study::Limits kLimits{.rows = 8, .model = {.repeated = 500}};
  try {
    study::parse_study(text, path, root / "models", {}, kLimits);
  } catch (const io::InputError& error) {
    require(*error.what() != '\0', "an error says something");
  }
}

}  // namespace daedal::fuzz
