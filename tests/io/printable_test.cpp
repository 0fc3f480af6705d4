#include "daedal/io/printable.hpp"

#include <gtest/gtest.h>

namespace daedal::io {
namespace {

TEST(Printable, ShowsControlCharactersInsteadOfObeyingThem) {
  EXPECT_EQ(printable("a\x1b[31mb\r\b\x7f"), "a\\x1b[31mb\\x0d\\x08\\x7f");
  EXPECT_EQ(printable("\xc2\x9b" "31m"), "\\u009b31m");
}

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable("B\xc3\xbc" "cher\n\t5 \xc2\xb5m"), "B\xc3\xbc" "cher\n\t5 \xc2\xb5m");
  EXPECT_EQ(printable("\xc2"), "\xc2");
  EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace daedal::io
