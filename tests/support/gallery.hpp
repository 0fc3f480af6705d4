#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace daedal::testing {

/// All files of models/, by name.
inline std::vector<std::filesystem::path> gallery() {
  std::vector<std::filesystem::path> paths;
  const auto folder = std::filesystem::path(DAEDAL_SOURCE_DIR) / "models";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace daedal::testing
