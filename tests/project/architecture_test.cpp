// The diagram of the modules, read off the #include lines: link visibility enforces it for headers
// in include paths, this test also for what a relative path would reach, and for the vocabulary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kRoot = DAEDAL_SOURCE_DIR;

/// What a module may include beside itself.
const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::set<std::string> below{"math", "linear", "system"};
  static const auto with = [](std::set<std::string> more) {
    more.insert(below.begin(), below.end());
    return more;
  };
  static const std::map<std::string, std::set<std::string>> table{
      {"math", {}},
      {"linear", {"math"}},
      {"system", {"math", "linear"}},
      // physics
      {"model", {"math"}},
      {"coordinates", with({"model"})},
      // numerics
      {"formulate", with({})},
      {"correct", with({"formulate"})},
      {"integrate", with({"formulate", "correct"})},
      // both columns
      {"simulate", with({"model", "coordinates", "formulate", "correct", "integrate"})},
      {"io", with({"model", "coordinates", "formulate", "correct", "integrate", "simulate"})},
      {"apps", with({"model", "coordinates", "formulate", "correct", "integrate", "simulate", "io"})},
  };
  return table;
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".hpp" || extension == ".cpp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Line {
  int number;
  std::string text;
};

std::vector<Line> lines_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<Line> lines;
  for (std::string text; std::getline(stream, text);) {
    lines.push_back({static_cast<int>(lines.size()) + 1, text});
  }
  return lines;
}

std::string place(const fs::path& file, const Line& line) {
  return fs::relative(file, kRoot).string() + ":" + std::to_string(line.number);
}

/// Violations of the table by one folder.
std::vector<std::string> forbidden_includes(const std::string& module, const fs::path& folder) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<std::string> found;
  for (const fs::path& file : sources_in(folder)) {
    for (const Line& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line.text, match, include)) continue;
      const std::string path = match[1];
      if (path.find("..") != std::string::npos || path.starts_with("src/")) {
        found.push_back(place(file, line) + ": leaves its folder by a relative path: " + path);
      }
      if (!path.starts_with("daedal/")) continue;
      const std::string other = path.substr(7, path.find('/', 7) - 7);
      if (other != module && !allowed().at(module).contains(other)) {
        found.push_back(place(file, line) + ": " + module + " may not include " + path);
      }
    }
  }
  return found;
}

/// Lines of a module that contain a word, in identifiers or comments.
std::vector<std::string> lines_with(const std::string& module, const std::string& expression) {
  const std::regex word(expression, std::regex::icase);
  std::vector<std::string> found;
  for (const fs::path& file : sources_in(kRoot / "src" / module)) {
    for (const Line& line : lines_of(file)) {
      if (std::regex_search(line.text, word)) found.push_back(place(file, line) + ": " + line.text);
    }
  }
  return found;
}

TEST(Architecture, EveryFolderOfSrcIsInTheDiagram) {
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    if (entry.is_directory()) {
      EXPECT_TRUE(allowed().contains(entry.path().filename().string())) << entry.path();
    }
  }
}

TEST(Architecture, ModulesIncludeOnlyWhatIsBelowThem) {
  for (const auto& [module, others] : allowed()) {
    const fs::path folder = module == "apps" ? kRoot / "apps" : kRoot / "src" / module;
    EXPECT_THAT(forbidden_includes(module, folder), IsEmpty()) << module;
  }
}

TEST(Architecture, LinkedModulesAreThoseOfTheDiagram) {
  static const std::regex call(R"(daedal_module\((\w+)\s*(?:PUBLIC((?:\s+[a-z]\w*)+))?)");
  std::ifstream stream(kRoot / "src" / "CMakeLists.txt");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  int modules = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it, ++modules) {
    const std::string module = (*it)[1], linked = (*it)[2];
    ASSERT_TRUE(allowed().contains(module)) << module;
    std::istringstream words(linked);
    for (std::string other; words >> other;) {
      EXPECT_TRUE(allowed().at(module).contains(other)) << module << " links " << other;
    }
  }
  EXPECT_EQ(modules, static_cast<int>(allowed().size()) - 1);
}

TEST(Architecture, NumericsNeverHearsOfJoints) {
  for (const char* module : {"formulate", "correct", "integrate"}) {
    EXPECT_THAT(lines_with(module, R"((^|[^a-z])joints?([^a-z]|$))"), IsEmpty()) << module;
  }
}

TEST(Architecture, PhysicsNeverHearsOfSteps) {
  for (const char* module : {"model", "coordinates"}) {
    EXPECT_THAT(lines_with(module, R"((^|[^a-z])(time_?)?steps?([^a-z]|$))"), IsEmpty()) << module;
    EXPECT_THAT(lines_with(module, R"((^|[^a-z])(newmark|integrators?)([^a-z]|$))"), IsEmpty())
        << module;
  }
}

}  // namespace
