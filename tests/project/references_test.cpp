// Keys of the literature: `[Newmark1959]` in texts and comments, "Newmark1959" in code, each one
// entry of docs/references.bib.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kRoot = DAEDAL_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The first group of every match.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

std::vector<std::string> entries() {
  return matches(text_of(kRoot / "docs" / "references.bib"), R"(@\w+\{([^,\s]+),)");
}

TEST(References, HaveOneEntryEach) {
  std::set<std::string> once;
  std::vector<std::string> again;
  for (const std::string& key : entries()) {
    if (!once.insert(key).second) again.push_back(key);
  }
  EXPECT_GT(once.size(), 30u);
  EXPECT_THAT(again, IsEmpty());
}

TEST(References, ThatAreNamedHaveAnEntry) {
  const std::vector<std::string> all = entries();
  const std::set<std::string> known(all.begin(), all.end());
  std::vector<std::string> unknown;
  std::size_t named = 0;
  const auto look = [&](const fs::path& file) {
    for (const std::string& key :
         matches(text_of(file), R"(["\[, ]([A-Z][A-Za-z]+(?:19|20)\d\d)["\],])")) {
      ++named;
      if (!known.contains(key)) unknown.push_back(fs::relative(file, kRoot).string() + ": " + key);
    }
  };
  look(kRoot / "README.md");
  for (const char* folder : {"src", "apps", "docs", "models", "studies", "examples", "bench"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".hpp" || extension == ".cpp" || extension == ".md" ||
          extension == ".yaml") {
        look(entry.path());
      }
    }
  }
  EXPECT_GT(named, 100u);
  EXPECT_THAT(unknown, IsEmpty());
}

}  // namespace
