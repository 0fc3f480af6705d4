// The diagram of the modules, read off the #include lines: link visibility enforces it for headers
// in include paths, this test also for what a relative path would reach, and for the vocabulary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
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
      {"nonsmooth", {"math"}},
      {"formulate", with({})},
      {"correct", with({"formulate"})},
      {"integrate", with({"nonsmooth", "formulate", "correct"})},
      // both columns
      {"doctor", with({"model", "coordinates", "formulate"})},
      {"simulate",
       with({"model", "coordinates", "nonsmooth", "formulate", "correct", "integrate", "doctor"})},
      {"io", with({"model", "coordinates", "nonsmooth", "formulate", "correct", "integrate",
                   "doctor", "simulate"})},
      {"study", with({"model", "coordinates", "nonsmooth", "formulate", "correct", "integrate",
                      "doctor", "simulate", "io"})},
      {"apps", with({"model", "coordinates", "nonsmooth", "formulate", "correct", "integrate",
                     "doctor", "simulate", "io", "study"})},
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

/// The path of an #include line, or nothing.
std::string included(const std::string& line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == line.npos || line[at] != '#') return {};
  at = line.find_first_not_of(" \t", at + 1);
  if (at == line.npos || line.compare(at, 7, "include") != 0) return {};
  const std::size_t begin = line.find_first_of("\"<", at);
  if (begin == line.npos) return {};
  return line.substr(begin + 1, line.find_first_of("\">", begin + 1) - begin - 1);
}

/// Violations of the table by one folder.
std::vector<std::string> forbidden_includes(const std::string& module, const fs::path& folder) {
  std::vector<std::string> found;
  for (const fs::path& file : sources_in(folder)) {
    for (const Line& line : lines_of(file)) {
      const std::string path = included(line.text);
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

/// The words of a line, in lower case: `time_step` and `TimeStep` are time and step.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool hump =
        std::isupper(c) && i > 0 && std::islower(static_cast<unsigned char>(line[i - 1]));
    if (!std::isalpha(c) || hump) words.emplace_back();
    if (std::isalpha(c)) words.back() += static_cast<char>(std::tolower(c));
  }
  return words;
}

/// Lines of a module that contain one of some words, in identifiers or comments.
std::vector<std::string> lines_with(const std::string& module, const std::set<std::string>& words) {
  std::vector<std::string> found;
  for (const fs::path& file : sources_in(kRoot / "src" / module)) {
    for (const Line& line : lines_of(file)) {
      for (const std::string& word : words_of(line.text)) {
        if (words.contains(word)) found.push_back(place(file, line) + ": " + line.text);
      }
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
  std::ifstream stream(kRoot / "src" / "CMakeLists.txt");
  int modules = 0;
  bool linking = false;
  std::string module;
  for (std::string word; stream >> word;) {
    if (word.starts_with("daedal_module(")) {
      module = word.substr(word.find('(') + 1);
      ASSERT_TRUE(allowed().contains(module)) << module;
      ++modules;
      linking = false;
      continue;
    }
    const bool closes = word.ends_with(')');
    if (closes) word.pop_back();
    if (std::isupper(static_cast<unsigned char>(word.front()))) {
      linking = word == "PUBLIC";
    } else if (linking) {
      EXPECT_TRUE(allowed().at(module).contains(word)) << module << " links " << word;
    }
    if (closes) linking = false;
  }
  EXPECT_EQ(modules, static_cast<int>(allowed().size()) - 1);
}

TEST(Architecture, NumericsNeverHearsOfJoints) {
  for (const char* module : {"nonsmooth", "formulate", "correct", "integrate"}) {
    EXPECT_THAT(lines_with(module, {"joint", "joints"}), IsEmpty()) << module;
  }
}

TEST(Architecture, PhysicsNeverHearsOfSteps) {
  for (const char* module : {"model", "coordinates"}) {
    EXPECT_THAT(lines_with(module, {"step", "steps", "newmark", "integrator", "integrators"}),
                IsEmpty())
        << module;
  }
}

// The test itself: these lines would be found.
TEST(Architecture, ForbiddenLinesAreSeen) {
  EXPECT_EQ(included("  #  include \"daedal/io/csv.hpp\"  // why"), "daedal/io/csv.hpp");
  EXPECT_EQ(included("#include <cmath>"), "cmath");
  EXPECT_EQ(included("// #include <cmath>"), "");
  EXPECT_THAT(words_of("double time_step = TimeStep{h};"), ::testing::Contains("step").Times(2));
  EXPECT_THAT(words_of("a disjointed stepper"), ::testing::Not(::testing::Contains("step")));
}

}  // namespace
