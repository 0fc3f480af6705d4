// Whatever a file contains, it is read or refused with an InputError: seeded mutations of the
// gallery.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "daedal/io/model_file.hpp"

namespace daedal::io {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string operator()(std::string text) {
    static const std::vector<std::string> kPieces{
        "~",  "[",   "]",    "{",       "}",       ":",    ", ",     "\n",      "'",     "\"",
        "0",  "-1",  "1e99", ".nan",    "t",       "i",    "ground", "[]",      "{}",    "[0, 0]",
        "a",  "2.5", "true", "link[i]", "link[9]", "K2",   "- ",     "  ",      "#",     "1/0",
        "[[", "N",   "auto", "point",   "sphere",  "axis", "fixed",  "between", "at: 1", "^"};
    const std::size_t edits = 1 + below(3);
    for (std::size_t k = 0; k < edits && !text.empty(); ++k) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min<std::size_t>(below(8), text.size() - at);
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, kPieces[below(kPieces.size())]);
          break;
        case 2:
          replace_word(text, at, kPieces[below(kPieces.size())]);
          break;
        default:
          delete_line(text, at);
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  static void replace_word(std::string& text, std::size_t at, const std::string& piece) {
    constexpr std::string_view kEnds = " \n,[]{}";
    const std::size_t begin = text.find_last_of(kEnds, at) + 1;
    const std::size_t end = std::min(text.find_first_of(kEnds, begin), text.size());
    text.replace(begin, end - begin, piece);
  }
  static void delete_line(std::string& text, std::size_t at) {
    const std::size_t begin = text.find_last_of('\n', at) + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    text.erase(begin, end - begin);
  }
  std::mt19937 random_;
};

TEST(ModelMutations, AreReadOrRefusedWithAPosition) {
  int read = 0, refused = 0;
  unsigned seed = 1;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DAEDAL_SOURCE_DIR) / "models")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    for (int k = 0; k < 300; ++k) {
      const std::string mutant = Mutator(seed++)(text.str());
      try {
        parse_model(mutant, "mutant.yaml");
        ++read;
      } catch (const InputError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("mutant.yaml")) << error.what();
        ++refused;
      } catch (const std::exception& error) {
        ADD_FAILURE() << "seed " << seed - 1 << ": " << error.what() << "\n" << mutant;
      }
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace daedal::io
