// Every study of the repository, as a user runs it: all its claims hold.
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace daedal::testing {
namespace {

std::vector<std::string> study_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(DAEDAL_SOURCE_DIR) / "studies")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Studies : public ::testing::TestWithParam<std::string> {};

TEST_P(Studies, EveryClaimHolds) {
  if (kSanitized) GTEST_SKIP() << "runs for minutes under a sanitizer";
  const Folder folder;
  const fs::path file = fs::path(DAEDAL_SOURCE_DIR) / "studies" / (GetParam() + ".yaml");
  std::vector<std::string> arguments{"study", file.string(), "-o", (folder / "out").string(),
                                     "--format", "json"};
  if (GetParam() == "corrector-chain") {  // minutes with all of its repeats
    arguments.insert(arguments.end(), {"--set", "repeat.times=3"});
  }
  if (GetParam() == "corrector-chain-growth") {
    arguments.insert(arguments.end(), {"--set", "axes.N.values=[16, 32]"});
  }
  const Outcome outcome = daedal(folder, arguments);
  EXPECT_LE(outcome.code, 1) << outcome.err;
  const io::Json json = io::Json::parse(outcome.out);
  EXPECT_EQ(json["status"], "done");
  EXPECT_FALSE(json["rows"].empty());
  EXPECT_FALSE(json["claims"].empty());
  for (const io::Json& claim : json["claims"]) {
    if (claim["timed"].get<bool>()) continue;  // a busy machine may fail it
    EXPECT_TRUE(claim["holds"].get<bool>())
        << claim["claim"] << ": expected " << claim["expected"] << ", measured "
        << claim["measured"];
  }
  EXPECT_TRUE(fs::exists(folder / "out" / "report.html"));
}

INSTANTIATE_TEST_SUITE_P(Repository, Studies, ::testing::ValuesIn(study_names()),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace daedal::testing
