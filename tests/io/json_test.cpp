#include "daedal/io/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io/temporary_folder.hpp"

namespace daedal::io {
namespace {

using testing::HasSubstr;

TEST(Json, ShowsNoControlCharactersOfTerminals) {
  const Json json = "a\x1b[1m\x7f\xc2\x9bz \xc2\xa0";
  EXPECT_EQ(to_text(json), "\"a\\u001b[1m\\u007f\\u009bz \xc2\xa0\"");
  EXPECT_EQ(parse_json(to_text(json), "j"), json);
}

TEST(Json, KeepsTheOrderOfInsertion) {
  Json json;
  json["status"] = "done";
  json["a"] = {1, true, nullptr};
  EXPECT_EQ(to_text(json, -1), R"({"status":"done","a":[1,true,null]})");
}

TEST(Json, NumbersRoundTripAndInfinitiesBecomeNull) {
  const double third = 1.0 / 3.0;
  EXPECT_EQ(parse_json(to_text(third), "s").get<double>(), third);
  EXPECT_EQ(to_text(Json{std::numeric_limits<double>::quiet_NaN(),
                         -std::numeric_limits<double>::infinity()},
                    -1),
            "[null,null]");
}

TEST(Json, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(to_text("a\xFF"), "\"a\xEF\xBF\xBD\"");
}

TEST(Json, ParserIsStrictAndKnowsPositions) {
  const auto refusal = [](const std::string& text) {
    return message_of<InputError>([&] { parse_json(text, "s.json"); });
  };
  EXPECT_EQ(refusal("{\n  \"a\": 1,\n}"),
            "s.json:3:1: not valid JSON: a value, ',' or closing bracket is expected here");
  EXPECT_THAT(refusal("{\"a\": 1} x"), HasSubstr("s.json:1:10"));
  EXPECT_THAT(refusal("// c\n1"), HasSubstr("s.json:1:"));
  EXPECT_THAT(refusal(""), HasSubstr("s.json:1:1"));
  EXPECT_THAT(refusal("[1e999]"), HasSubstr("number is out of range"));
  EXPECT_THAT(refusal("{\"a\": {\"b\": 1, \"b\": 2}}"), HasSubstr("key 'b' is given twice"));
  EXPECT_THAT(refusal(std::string(1000000, '[')), HasSubstr("nested more than 512 levels"));
}

}  // namespace
}  // namespace daedal::io
