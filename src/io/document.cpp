#include "daedal/io/document.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "daedal/io/document_text.hpp"
#include "daedal/io/text_file.hpp"

namespace daedal::io {

struct Node::Data {
  Kind kind = Kind::null;
  bool quoted = false;
  int line = 0;
  int column = 0;
  std::shared_ptr<const std::string> source;
  std::string text;
  std::vector<Node> elements;
  std::vector<Entry> entries;
};

Node::Node()
    : data_([] {
        static const auto empty = std::make_shared<const Data>();
        return empty;
      }()) {}
Node::Node(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Node::Kind Node::kind() const {
  return data_->kind;
}
const std::string& Node::text() const {
  return data_->text;
}
bool Node::quoted() const {
  return data_->quoted;
}
std::span<const Node::Entry> Node::entries() const {
  return data_->entries;
}
std::span<const Node> Node::elements() const {
  return data_->elements;
}
std::size_t Node::size() const {
  return data_->entries.size() + data_->elements.size();
}

const Node* Node::find(std::string_view key) const {
  const auto entry = std::ranges::find(data_->entries, key, &Entry::key);
  return entry == data_->entries.end() ? nullptr : &entry->value;
}

Position Node::position() const {
  return {data_->source ? *data_->source : std::string(), data_->line, data_->column};
}

std::string_view describe(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::map:
      return "a map";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::scalar:
      return "a scalar";
    case Node::Kind::null:
      break;
  }
  return "nothing";
}

/// Comment put behind every text. yaml-cpp takes a quote that is never closed for one that ends
/// with the file; then, and only then, this is part of a scalar.
constexpr std::string_view kEndOfText = "#\x7F end of text";

/// Builds nodes from yaml-cpp's events, and refuses what Node promises not to contain. Reading
/// events instead of yaml-cpp's own tree shows duplicate keys, anchors and depth while they come.
class NodeBuilder final : public YAML::EventHandler {
 public:
  NodeBuilder(std::shared_ptr<const std::string> source, bool has_lines)
      : source_(std::move(source)), has_lines_(has_lines) {}

  std::optional<Node> root;

  /// Where the innermost unfinished map or list begins.
  std::optional<Position> innermost() const {
    if (stack_.empty() || !has_lines_) return std::nullopt;
    return Position{*source_, stack_.back().data.line, stack_.back().data.column};
  }

  Position at(const YAML::Mark& mark) const {
    if (!has_lines_ || mark.is_null()) return {*source_};
    return {*source_, mark.line + 1, mark.column + 1};
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, "", anchor, make(mark, Node::Kind::null));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (value.find(kEndOfText) != std::string::npos) {
      throw InputError(at(mark), "a quoted text is never closed; add the missing quote");
    }
    Node::Data data = make(mark, Node::Kind::scalar);
    data.quoted = tag == "!";
    data.text = value;
    add(mark, tag, anchor, std::move(data));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::sequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { close(); }

  /// A copy of `root` with the node at `path` replaced; defined below.
  static Node replace(const Node& root, std::string_view path, std::string_view done, int depth,
                      const Node& value);
  static Node make_scalar(std::shared_ptr<const std::string> source, std::string_view text) {
    Node::Data data;
    data.source = std::move(source);
    data.kind = text == "~" || text == "null" ? Node::Kind::null : Node::Kind::scalar;
    if (data.kind == Node::Kind::scalar) data.text = text;
    return Node(std::make_shared<const Node::Data>(std::move(data)));
  }

 private:
  struct Frame {
    Node::Data data;
    std::optional<Node> key;                     // of a map, while its value is awaited
    std::unordered_map<std::string, int> lines;  // of the keys seen
  };

  Node::Data make(const YAML::Mark& mark, Node::Kind kind) const {
    const Position position = at(mark);
    Node::Data data;
    data.kind = kind;
    data.line = position.line;
    data.column = position.column;
    data.source = source_;
    return data;
  }

  [[noreturn]] void refuse_anchor(const YAML::Mark& mark) const {
    throw InputError(at(mark),
                     "anchors (&name) and aliases (*name) are not allowed; write the value out, or "
                     "use 'parameters' for numbers");
  }

  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) refuse_anchor(mark);
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw InputError(at(mark), fmt::format("tag '{}' is not allowed; remove it: the key decides "
                                             "how a value is read",
                                             tag));
    }
  }

  bool awaits_key() const {
    return !stack_.empty() && stack_.back().data.kind == Node::Kind::map && !stack_.back().key;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Node::Kind kind) {
    check(mark, tag, anchor);
    if (awaits_key()) refuse_key(at(mark), kind);
    if (static_cast<int>(stack_.size()) >= kMaxDepth) {
      throw InputError(at(mark), fmt::format("lists and maps are nested more than {} levels deep; "
                                             "flatten them",
                                             kMaxDepth));
    }
    stack_.push_back({make(mark, kind), {}, {}});
  }

  void close() {
    Node::Data data = std::move(stack_.back().data);
    stack_.pop_back();
    attach(std::move(data));
  }

  void add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Data data) {
    check(mark, tag, anchor);
    attach(std::move(data));
  }

  void attach(Node::Data data) {
    // yaml-cpp finds a missing value at the next token, which may be lines away: it is missing at
    // its key.
    if (data.kind == Node::Kind::null && !stack_.empty() && stack_.back().key) {
      data.line = stack_.back().key->position().line;
      data.column = stack_.back().key->position().column;
    }
    Node node(std::make_shared<const Node::Data>(std::move(data)));
    if (stack_.empty()) {
      root = std::move(node);
    } else if (Frame& frame = stack_.back(); frame.data.kind == Node::Kind::sequence) {
      frame.data.elements.push_back(std::move(node));
    } else if (!frame.key) {
      check_key(frame, node);
      frame.key = std::move(node);
    } else {
      frame.data.entries.push_back({frame.key->text(), std::move(node), frame.key->position().line,
                                    frame.key->position().column});
      frame.key.reset();
    }
  }

  [[noreturn]] static void refuse_key(const Position& position, Node::Kind kind) {
    throw InputError(
        position,
        fmt::format("a key must be plain text, not {}; give a name before the colon, or close "
                    "the bracket",
                    describe(kind)));
  }

  static void check_key(Frame& frame, const Node& key) {
    if (!key.is_scalar()) refuse_key(key.position(), key.kind());
    if (key.text() == "<<" && !key.quoted()) {
      throw InputError(key.position(), "merge keys (<<) are not allowed; write the keys out");
    }
    const auto [first, is_new] = frame.lines.emplace(key.text(), key.position().line);
    if (!is_new) {
      throw InputError(
          key.position(),
          fmt::format("key '{}' is given twice{}; remove one of them", key.text(),
                      first->second > 0 ? fmt::format(", first on line {}", first->second)
                                        : std::string()));
    }
  }

  std::shared_ptr<const std::string> source_;
  bool has_lines_;
  std::vector<Frame> stack_;
};

namespace {

Node build(std::string_view text, std::string_view name, bool has_lines) {
  check_text(text, name);
  NodeBuilder builder(std::make_shared<const std::string>(name), has_lines);
  try {
    std::string closed(text);
    if (!closed.ends_with('\n')) closed += '\n';
    closed += kEndOfText;
    closed += '\n';
    std::istringstream stream{closed};
    YAML::Parser parser(stream);
    const bool found = parser.HandleNextDocument(builder);
    if (!found || !builder.root || builder.root->is_null()) {
      throw InputError({std::string(name)}, "file is empty; a map of keys is expected");
    }
    // A second document, or text that does not belong to the first.
    struct Rest final : YAML::EventHandler {
      explicit Rest(const NodeBuilder& b) : first(b) {}
      void refuse(const YAML::Mark& mark) {
        throw InputError(first.at(mark),
                         "text after the end of the document; only one document per file is "
                         "allowed, and its keys all start in the same column");
      }
      void OnDocumentStart(const YAML::Mark& mark) override { refuse(mark); }
      void OnDocumentEnd() override {}
      void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
      void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
      void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    const std::string&) override {}
      void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                           YAML::EmitterStyle::value) override {}
      void OnSequenceEnd() override {}
      void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                      YAML::EmitterStyle::value) override {}
      void OnMapEnd() override {}
      const NodeBuilder& first;
    } rest(builder);
    parser.HandleNextDocument(rest);
  } catch (const YAML::Exception& error) {
    // A bracket that is never closed is noticed far away: point at the bracket.
    const bool is_open = error.msg.find("flow not found") != std::string::npos;
    const Position at = builder.at(error.mark);
    throw InputError(is_open ? builder.innermost().value_or(at) : at, sentence(error.msg));
  }
  return *std::move(builder.root);
}

}  // namespace

Node load(const std::filesystem::path& path) {
  const std::string text = read_text(path, kMaxDocumentBytes, "model file");
  return parse(text, path.string());
}

Node parse(std::string_view text, std::string_view name) {
  return build(text, name, true);
}

/// `path` is what is left to go, `done` the part before it, for messages.
Node NodeBuilder::replace(const Node& root, std::string_view path, std::string_view done, int depth,
                          const Node& value) {
  const Position at = value.position();
  if (depth > kMaxDepth) {
    throw InputError(at, fmt::format("path is more than {} levels deep; shorten it", kMaxDepth));
  }
  // A key may itself contain dots: the longest existing key that fits wins.
  std::string_view key = path.substr(0, path.find('.'));
  if (key.empty()) throw InputError(at, "path has an empty part; write it as 'simulate.step'");
  for (const Node::Entry& entry : root.entries()) {
    const bool fits = path.starts_with(entry.key) &&
                      (path.size() == entry.key.size() || path[entry.key.size()] == '.');
    if (fits && entry.key.size() > key.size()) key = path.substr(0, entry.key.size());
  }
  const bool is_last = key.size() == path.size();
  const std::string_view rest = is_last ? std::string_view() : path.substr(key.size() + 1);
  const std::string here = done.empty() ? std::string(key) : fmt::format("{}.{}", done, key);
  const auto next = [&](const Node& old) {
    if (is_last) return value;
    return replace(old, rest, here, depth + 1, value);
  };

  Node::Data data = *root.data_;
  if (root.is_sequence()) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc() || end != key.data() + key.size() || index >= data.elements.size()) {
      throw InputError(at, fmt::format("'{}' is a list of {} elements; use an index from 0 to {} "
                                       "instead of '{}'",
                                       done, data.elements.size(),
                                       data.elements.empty() ? 0 : data.elements.size() - 1, key));
    }
    if (is_last && value.is_null()) {
      throw InputError(at, fmt::format("an element of the list '{}' cannot be unset; give the whole "
                                       "list",
                                       done));
    }
    data.elements[index] = next(data.elements[index]);
  } else if (root.is_scalar()) {
    throw InputError(at, fmt::format("'{}' is the value '{}', not a map; it has no key '{}'", done,
                                     root.text(), key));
  } else {
    if (root.is_null()) data.source = value.data_->source;
    data.kind = Node::Kind::map;
    auto entry = std::ranges::find(data.entries, key, &Node::Entry::key);
    const bool is_missing = entry == data.entries.end();
    if (value.is_null() && is_missing) {
      throw InputError(at, fmt::format("there is no '{}' to unset", here));
    }
    if (value.is_null() && is_last) {
      data.entries.erase(entry);
    } else if (is_missing) {
      Node fresh = next(Node());
      data.entries.push_back({std::string(key), std::move(fresh), 0, 0});
    } else {
      entry->value = next(entry->value);
      if (is_last) entry->line = entry->column = 0;
    }
  }
  return Node(std::make_shared<const Node::Data>(std::move(data)));
}

Node with_override(const Node& root, std::string_view assignment) {
  const std::string name = fmt::format("--set {}", assignment);
  const std::size_t equals = assignment.find('=');
  const auto trim = [](std::string_view s) {
    const std::size_t first = s.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::string_view();
    return s.substr(first, s.find_last_not_of(" \t\r\n") - first + 1);
  };
  if (equals == std::string_view::npos) {
    throw InputError({name}, "no '=' found; write it as 'simulate.step=1e-4'");
  }
  const std::string_view path = trim(assignment.substr(0, equals));
  const std::string_view text = trim(assignment.substr(equals + 1));
  if (path.empty()) throw InputError({name}, "no key before '='; write it as 'simulate.step=1e-4'");
  if (text.empty()) {
    throw InputError({name},
                     "no value after '='; write '~' to unset a key or '\"\"' for an empty "
                     "text");
  }
  const bool is_yaml = std::string_view("[{\"'").find(text.front()) != std::string_view::npos;
  if (!is_yaml) check_text(text, name);
  const Node value =
      is_yaml ? build(text, name, false)
              : NodeBuilder::make_scalar(std::make_shared<const std::string>(name), text);
  return NodeBuilder::replace(root, path, {}, 1, value);
}

}  // namespace daedal::io
