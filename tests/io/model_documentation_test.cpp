// docs/model-file.md: its tables are the schema's, its examples are read. Models in any page run.
//
// `DAEDAL_UPDATE_DOCS=1 test_io --gtest_filter=ModelDocumentation.*` rewrites the tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "daedal/io/model_file.hpp"
#include "daedal/io/model_schema.hpp"
#include "daedal/simulate/simulation.hpp"

namespace daedal::io {
namespace {

const std::filesystem::path kPage = std::filesystem::path(DAEDAL_SOURCE_DIR) / "docs/model-file.md";

std::string read_page(const std::filesystem::path& page = kPage) {
  std::ostringstream text;
  text << std::ifstream(page).rdbuf();
  return text.str();
}

/// The fenced YAML blocks of a page.
std::vector<std::string> examples(const std::string& page) {
  const std::string fence = "```yaml\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    blocks.push_back(page.substr(at, page.find("```", at) - at));
  }
  return blocks;
}

bool has_key(const std::string& example, const std::string& key) {
  return example.starts_with(key) || example.find("\n" + key) != std::string::npos;
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

TEST(ModelDocumentation, TellsWhichPartsCanTouch) {
  using model::TouchType;
  std::string table;
  for (int i = 0; i <= static_cast<int>(TouchType::profile); ++i) {
    table += "| **" + std::string(model::name_of(static_cast<TouchType>(i))) + "** |";
    for (int j = 0; j <= static_cast<int>(TouchType::profile); ++j) {
      const bool can = model::can_touch(static_cast<TouchType>(i), static_cast<TouchType>(j));
      table += can ? " yes |" : "  |";
    }
    table += "\n";
  }
  EXPECT_NE(read_page().find(table), std::string::npos) << table;
}

TEST(ModelDocumentation, ExamplesAreRead) {
  int count = 0;
  for (std::string example : examples(read_page())) {
    const auto complete = [&](const std::string& key, const std::string& text) {
      if (!has_key(example, key)) example += text;
    };
    complete("daedal:", "daedal: 1\n");
    complete("bodies:",
             "bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, slider: {mass: 1, inertia: [1, 1, 1]}}\n");
    EXPECT_NO_THROW(parse_model(example, "example.yaml")) << example;
    ++count;
  }
  EXPECT_EQ(count, 11);
}

TEST(ModelDocumentation, EveryExampleWithBodiesRuns) {
  const std::filesystem::path root = DAEDAL_SOURCE_DIR;
  std::vector<std::filesystem::path> pages{root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  int count = 0;
  for (const std::filesystem::path& page : pages) {
    for (std::string example : examples(read_page(page))) {
      if (!has_key(example, "bodies:")) continue;
      if (!has_key(example, "daedal:")) example += "daedal: 1\n";
      const ModelFile file = parse_model(example, page.filename().string());
      simulate::Settings settings = file.settings;
      settings.step = simulate::step_size(settings);
      settings.until = std::min(settings.until, 20.0 * *settings.step);
      const simulate::Summary summary = simulate::run(file.model, settings);
      EXPECT_EQ(summary.status, simulate::Status::done) << page << "\n" << example;
      EXPECT_FALSE(summary.redundant) << page << "\n" << example;
      ++count;
    }
  }
  EXPECT_GE(count, 4);
}

TEST(ModelDocumentation, TheFirstExampleIsTheSliderCrankItShows) {
  const ModelFile file = parse_model(examples(read_page()).front(), "example.yaml");
  const double r = file.parameters.at("r"), l = file.parameters.at("l");
  const double phi = file.parameters.at("omega") * file.settings.until;
  const simulate::Summary summary = simulate::run(file.model, file.settings);
  EXPECT_EQ(summary.unknowns, summary.constraints);
  ASSERT_EQ(summary.final.size(), 1u);
  EXPECT_NEAR(summary.final.begin()->second,
              r * std::cos(phi) + std::sqrt(l * l - std::pow(r * std::sin(phi), 2)), 1e-12);
}

}  // namespace
}  // namespace daedal::io
