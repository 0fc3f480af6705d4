// A wrong model file and the exact message it earns.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "daedal/io/model_file.hpp"
#include "io/temporary_folder.hpp"

namespace daedal::io {

struct BadFile {
  std::string name;
  std::string text;
  std::string message;
};

inline void PrintTo(const BadFile& file, std::ostream* out) {
  *out << file.name;
}

class BadModelFile : public testing::TestWithParam<BadFile> {
 protected:
  void expect_message() const {
    const BadFile& file = GetParam();
    EXPECT_EQ(message_of<InputError>([&] { parse_model(file.text, "m.yaml"); }), file.message);
  }
};

inline std::string name_of_case(const testing::TestParamInfo<BadFile>& info) {
  return info.param.name;
}

}  // namespace daedal::io
