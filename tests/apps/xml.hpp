#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace daedal::testing {

/// What is not well-formed about an XML text: tags that do not match, attributes without quotes or
/// given twice, bare `<` and `&`. Empty if it is well-formed. For tests; no DTDs.
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : rest_(text) {}

  std::string complaint() {
    while (!rest_.empty() && fault_.empty()) {
      if (take("<?")) {
        skip_past("?>");
      } else if (take("<!--")) {
        skip_past("-->");
      } else if (take("</")) {
        close_tag();
      } else if (take("<")) {
        open_tag();
      } else {
        content();
      }
    }
    if (fault_.empty() && !open_.empty()) fault_ = "never closed: " + open_.back();
    if (fault_.empty() && roots_ != 1) fault_ = "not exactly one root element";
    return fault_;
  }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void skip_past(std::string_view token) {
    const std::size_t at = rest_.find(token);
    if (at == rest_.npos) return fail("no " + std::string(token));
    rest_.remove_prefix(at + token.size());
  }
  void spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) {
      rest_.remove_prefix(1);
    }
  }
  std::string name() {
    std::size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) ||
                                std::string_view("-_:.").find(rest_[n]) != std::string_view::npos)) {
      ++n;
    }
    if (n == 0) fail("a name is missing");
    const std::string word(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return word;
  }
  void entities(std::string_view text) {
    for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
      const std::string_view tail = text.substr(at);
      bool known = tail.starts_with("&#");
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
        known |= tail.starts_with(entity);
      }
      if (!known) fail("a bare &");
    }
  }
  void open_tag() {
    const std::string tag = name();
    if (open_.empty()) ++roots_;
    std::vector<std::string> seen;
    while (fault_.empty()) {
      spaces();
      if (take("/>")) return;
      if (take(">")) {
        open_.push_back(tag);
        return;
      }
      const std::string attribute = name();
      for (const std::string& other : seen) {
        if (other == attribute) fail(tag + " has twice " + attribute);
      }
      seen.push_back(attribute);
      if (!take("=") || rest_.empty() || (rest_.front() != '"' && rest_.front() != '\'')) {
        return fail(tag + " " + attribute + " has no quoted value");
      }
      const std::size_t end = rest_.find(rest_.front(), 1);
      if (end == rest_.npos) return fail("a quote never closed");
      const std::string_view value = rest_.substr(1, end - 1);
      if (value.find('<') != value.npos) fail("< in an attribute");
      entities(value);
      rest_.remove_prefix(end + 1);
    }
  }
  void close_tag() {
    const std::string tag = name();
    spaces();
    if (!take(">")) return fail("</" + tag + " has no end");
    if (open_.empty() || open_.back() != tag) return fail("</" + tag + "> closes nothing");
    open_.pop_back();
  }
  void content() {
    const std::size_t end = std::min(rest_.find('<'), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    entities(text);
    if (open_.empty() && text.find_first_not_of(" \n\r\t") != text.npos) fail("text outside");
    rest_.remove_prefix(end);
  }
  void fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  int roots_ = 0;
  std::string fault_;
};

}  // namespace daedal::testing
