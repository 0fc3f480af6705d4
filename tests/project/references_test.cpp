// Keys of the literature: `[Newmark1959]` in texts and comments, "Newmark1959" in code, each one
// entry of docs/references.bib.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
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

/// What stands between `@type{` and a comma.
std::vector<std::string> entries() {
  std::istringstream lines(text_of(kRoot / "docs" / "references.bib"));
  std::vector<std::string> keys;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find('{'), comma = line.find(',');
    if (line.starts_with('@') && open < comma) keys.push_back(line.substr(open + 1, comma - open - 1));
  }
  return keys;
}

/// Words of letters and a year that stand alone in quotes or in a list in brackets.
std::vector<std::string> named_in(const std::string& text) {
  constexpr std::string_view kBefore = "\"[, ", kAfter = "\"],", kDigits = "0123456789";
  std::vector<std::string> keys;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] < 'A' || text[i] > 'Z' || kBefore.find(text[i - 1]) == kBefore.npos) continue;
    std::size_t year = i;
    while (year < text.size() && std::isalpha(static_cast<unsigned char>(text[year]))) ++year;
    const std::size_t end = std::min(text.find_first_not_of(kDigits, year), text.size());
    const std::string_view digits(text.data() + year, end - year);
    const bool is_year = digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    if (year > i + 1 && is_year && end < text.size() && kAfter.find(text[end]) != kAfter.npos) {
      keys.push_back(text.substr(i, end - i));
    }
  }
  return keys;
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
    for (const std::string& key : named_in(text_of(file))) {
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
