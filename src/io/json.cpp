#include "daedal/io/json.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace daedal::io {
namespace {

constexpr int kMaxLevels = 512;

/// nlohmann's parser is lenient about two things; its callback sees both.
class Strictness {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kMaxLevels) complaint = fmt::format("nested more than {} levels", kMaxLevels);
    }
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) complaint = fmt::format("key '{}' is given twice", key);
    }
    if (!complaint.empty()) throw std::length_error(complaint);
    return true;
  }
  std::string complaint;

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

std::string to_text(const Json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  // Controls of terminals that JSON allows raw: DEL, and U+0080 to U+009F.
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next < 0xA0;
    if (is_c1 || c == 0x7F) {
      safe += fmt::format("\\u{:04x}", is_c1 ? next : c);
      i += is_c1;
    } else {
      safe += text[i];
    }
  }
  return safe;
}

Json parse_json(std::string_view text, std::string_view name) {
  Strictness strictness;
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t event, Json& value) {
      return strictness(depth, event, value);
    });
  } catch (const Json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? std::min(error.byte - 1, text.size()) : 0;
    const std::string_view before = text.substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = offset - (before.find_last_of('\n') + 1) + 1;
    throw InputError({std::string(name), static_cast<int>(line), static_cast<int>(column)},
                     "not valid JSON: a value, ',' or closing bracket is expected here");
  } catch (const Json::exception&) {
    throw InputError({std::string(name)}, "not valid JSON: a number is out of range");
  } catch (const std::length_error& error) {
    throw InputError({std::string(name)}, fmt::format("not valid JSON: {}", error.what()));
  }
}

}  // namespace daedal::io
