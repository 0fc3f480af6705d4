#include "daedal/io/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "io/temporary_folder.hpp"

namespace daedal::io {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { parse_csv(text, "t.csv"); });
}

TEST(Csv, NumbersReadBackBitByBit) {
  std::mt19937_64 random(5);
  Table table{
      {"x"},
      {{0.0, -0.0, 0.1, 1e-320, 1.7976931348623157e308, std::numeric_limits<double>::infinity()}}};
  while (table.rows() < 5000) {
    const std::uint64_t bits = random();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isnan(value)) table.columns[0].push_back(value);
  }
  const Table back = parse_csv(csv(table), "t.csv");
  ASSERT_EQ(back.rows(), table.rows());
  EXPECT_EQ(std::memcmp(back.columns[0].data(), table.columns[0].data(), 8 * table.rows()), 0);
}

TEST(Csv, QuotesNamesOnlyWhereNeeded) {
  const Table table{{"time", "a,b", "say \"x\"", " wide ", "two\nlines", "#c"},
                    {{1}, {2}, {3}, {4}, {5}, {kNaN}}};
  EXPECT_EQ(csv(table),
            "time,\"a,b\",\"say \"\"x\"\"\",\" wide \",\"two\nlines\",\"#c\"\n1,2,3,4,5,nan\n");
  const Table back = parse_csv(csv(table), "t.csv");
  EXPECT_EQ(back.names, table.names);
  EXPECT_TRUE(std::isnan(back.columns[5][0]));
  EXPECT_EQ(back.find("a,b")->front(), 2.0);
  EXPECT_EQ(back.find("nothing"), nullptr);
}

TEST(Csv, ReadsCommentsBlanksAndBothLineEnds) {
  const Table table =
      parse_csv("\xEF\xBB\xBF# reference\r\nt, x\r\n\r\n0, 1e-3\r\n# c\n 1 ,+2\n2,", "t.csv");
  EXPECT_EQ(table.names, (std::vector<std::string>{"t", "x"}));
  EXPECT_EQ(table.columns[0], (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(table.columns[1][1], 2.0);
  EXPECT_TRUE(std::isnan(table.columns[1][2]));
}

TEST(Csv, ErrorsNameTheLine) {
  EXPECT_EQ(
      refusal("t,x\n0,1\n\n# c\n1,two\n"),
      "t.csv:5: column 'x': 'two' is not a number; use a point for decimals and commas between "
      "columns");
  EXPECT_EQ(refusal("t,x\n0,1,2\n"), "t.csv:2: row has 3 fields, but the header has 2 columns");
  EXPECT_THAT(refusal("t,x\n0,1e999\n"), HasSubstr("outside the range of double numbers"));
  EXPECT_THAT(refusal("t,x\n0,0x1F\n"), HasSubstr("'0x1F' is not a number"));
  EXPECT_THAT(refusal("t,t\n"), HasSubstr("t.csv:1: two columns are called 't'"));
  EXPECT_THAT(refusal(""), HasSubstr("t.csv: file is empty; a header"));
  EXPECT_THAT(refusal("\"t,x\n1"), HasSubstr("t.csv:1: a quoted field is never closed"));
  EXPECT_THAT(refusal("\"t\"x\n"), HasSubstr("text follows a closed quote"));
}

TEST(Csv, WritesWholeFilesOrNone) {
  const TemporaryFolder folder;
  const Table table{{"x"}, {{1.5}}};
  write_csv(folder / "t.csv", table);
  EXPECT_EQ(folder.read("t.csv"), "x\n1.5\n");
  EXPECT_EQ(read_csv(folder / "t.csv").columns[0][0], 1.5);
  EXPECT_FALSE(std::filesystem::exists(folder / "t.csv.partial"));
  EXPECT_THAT(message_of<OutputError>([&] { write_csv(folder / "none" / "t.csv", table); }),
              HasSubstr("t.csv': No such file or directory; create the folder first"));
  EXPECT_THAT(message_of<OutputError>([&] { write_csv(folder.path(), table); }),
              HasSubstr("Is a directory; give the name of a file"));
  EXPECT_THAT(message_of<OutputError>([&] { write_csv("/dev/full", table); }),
              HasSubstr("No space left on device; free some space"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace daedal::io
