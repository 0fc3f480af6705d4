// docs/model-file.md: its tables are the schema's, its examples are read.
//
// `DAEDAL_UPDATE_DOCS=1 test_io --gtest_filter=ModelDocumentation.*` rewrites the tables.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "daedal/io/model_file.hpp"
#include "daedal/io/model_schema.hpp"

namespace daedal::io {
namespace {

const std::filesystem::path kPage = std::filesystem::path(DAEDAL_SOURCE_DIR) / "docs/model-file.md";

std::string read_page() {
  std::ostringstream text;
  text << std::ifstream(kPage).rdbuf();
  return text.str();
}

/// The page with the table after each `<!-- table: noun -->` replaced by the schema's.
std::string with_tables(const std::string& page, std::vector<std::string>& without_place) {
  std::string result = page;
  for (const schema::Object* object : schema::reachable(model_schema())) {
    const std::string mark = "<!-- table: " + object->noun() + " -->\n";
    const std::size_t at = result.find(mark);
    if (at == std::string::npos) {
      without_place.push_back(object->noun());
      continue;
    }
    const std::size_t begin = at + mark.size();
    std::size_t end = begin;
    while (end < result.size() && result[end] == '|') end = result.find('\n', end) + 1;
    result.replace(begin, end - begin, schema::markdown_table(*object));
  }
  return result;
}

TEST(ModelDocumentation, TablesAreThoseOfTheSchema) {
  const std::string page = read_page();
  std::vector<std::string> without_place;
  const std::string expected = with_tables(page, without_place);
  EXPECT_EQ(without_place, std::vector<std::string>()) << "objects without a table";
  if (std::getenv("DAEDAL_UPDATE_DOCS")) std::ofstream(kPage) << expected;
  EXPECT_EQ(read_page(), expected);
}

TEST(ModelDocumentation, ExamplesAreRead) {
  const std::string page = read_page();
  const std::string fence = "```yaml\n";
  int count = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    std::string example = page.substr(at, page.find("```", at) - at);
    const auto complete = [&](const std::string& key, const std::string& text) {
      if (example.find(key) == std::string::npos) example += text;
    };
    complete("daedal:", "daedal: 1\n");
    complete("bodies:",
             "bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, slider: {mass: 1, inertia: [1, 1, 1]}}\n");
    EXPECT_NO_THROW(parse_model(example, "example.yaml")) << example;
    ++count;
  }
  EXPECT_EQ(count, 7);
}

}  // namespace
}  // namespace daedal::io
