// The fuzzers' corpus, one test per file, for compilers without libFuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace daedal::fuzz {
namespace {

namespace fs = std::filesystem;

void replay(const fs::path& folder, void (*target)(std::string_view)) {
  using Clock = std::chrono::steady_clock;
  // Generous: it is the hang that is to be seen, also under sanitizers and on a busy machine.
  constexpr std::chrono::seconds kPatience{10};
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const auto start = Clock::now();
    EXPECT_NO_THROW(target(text.str()));
    EXPECT_LT(Clock::now() - start, kPatience);
    ++files;
  }
  EXPECT_GT(files, 0) << folder;
}

const fs::path kCorpus = fs::path(DAEDAL_SOURCE_DIR) / "tests" / "fuzz" / "corpus";

TEST(Corpus, ExpressionsAreReadOrRefused) { replay(kCorpus / "expression", expression); }
TEST(Corpus, ModelsAreReadOrRefused) { replay(kCorpus / "model", model); }
TEST(Corpus, StudiesAreReadOrRefused) { replay(kCorpus / "study", study); }

}  // namespace
}  // namespace daedal::fuzz
