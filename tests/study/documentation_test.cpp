// docs/studies.md: its tables are the schema's, its examples are read.
//
// `DAEDAL_UPDATE_DOCS=1 test_study --gtest_filter=StudyDocumentation.*` rewrites the tables.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "daedal/study/study_reader.hpp"
#include "daedal/study/study_schema.hpp"
#include "study/small_study.hpp"

namespace daedal::study {
namespace {

const std::filesystem::path kPage = std::filesystem::path(DAEDAL_SOURCE_DIR) / "docs/studies.md";

std::string read_page() {
  std::ostringstream text;
  text << std::ifstream(kPage).rdbuf();
  return text.str();
}

TEST(StudyDocumentation, TablesAreThoseOfTheSchema) {
  std::string expected = read_page();
  for (const io::schema::Object* object : io::schema::reachable(study_schema())) {
    const std::string mark = "<!-- table: " + object->noun() + " -->\n";
    const std::size_t at = expected.find(mark);
    ASSERT_NE(at, std::string::npos) << object->noun();
    const std::size_t begin = at + mark.size();
    std::size_t end = begin;
    while (end < expected.size() && expected[end] == '|') end = expected.find('\n', end) + 1;
    expected.replace(begin, end - begin, io::schema::markdown_table(*object));
  }
  if (std::getenv("DAEDAL_UPDATE_DOCS")) std::ofstream(kPage) << expected;
  EXPECT_EQ(read_page(), expected);
}

TEST(StudyDocumentation, ExamplesAreRead) {
  const std::string page = read_page(), fence = "```yaml\n";
  int count = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    const std::string example = page.substr(at, page.find("```", at) - at);
    EXPECT_NO_THROW(read(example)) << example;
    ++count;
  }
  EXPECT_GE(count, 1);
}

}  // namespace
}  // namespace daedal::study
