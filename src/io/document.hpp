#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "daedal/io/errors.hpp"

namespace daedal::io {

/// A node of a parsed YAML document: an immutable value, cheap to copy, with its position.
///
/// Scalars are kept as text (`1e-4`, `omega*t`): the reader of a key knows what it wants. The
/// subset of YAML is the one whose meaning is plain: no anchors, aliases, merge keys or tags, keys
/// are scalars and unique, one document, at most kMaxDepth levels.
class Node {
 public:
  enum class Kind { map, sequence, scalar, null };
  struct Entry;

  /// A null node without a position.
  Node();

  Kind kind() const;
  bool is_map() const { return kind() == Kind::map; }
  bool is_sequence() const { return kind() == Kind::sequence; }
  bool is_scalar() const { return kind() == Kind::scalar; }
  bool is_null() const { return kind() == Kind::null; }

  /// The text of a scalar; empty for other kinds.
  const std::string& text() const;
  /// True for a scalar in quotes or of block style, which is never a number.
  bool quoted() const;

  /// The entries of a map in the order of the file; empty for other kinds.
  std::span<const Entry> entries() const;
  /// The elements of a sequence; empty for other kinds.
  std::span<const Node> elements() const;
  /// Number of entries or elements.
  std::size_t size() const;
  /// The value of a key, or nullptr if this is no map or has no such key.
  const Node* find(std::string_view key) const;

  /// Where it begins; of a value that is missing, where its key begins.
  Position position() const;

 private:
  friend class NodeBuilder;
  struct Data;
  explicit Node(std::shared_ptr<const Data> data);
  std::shared_ptr<const Data> data_;
};

struct Node::Entry {
  std::string key;
  Node value;
  int line = 0;  // of the key
  int column = 0;

  Position position() const { return {value.position().file, line, column}; }
};

/// "a map", "a list", "a scalar", "nothing": for messages.
std::string_view describe(Node::Kind kind);

inline constexpr std::size_t kMaxDocumentBytes = 16u << 20;
inline constexpr int kMaxDepth = 64;

/// Reads a YAML file; throws InputError with the position of whatever it refuses.
Node load(const std::filesystem::path& path);
/// The same for text; `name` stands for the file in positions.
Node parse(std::string_view text, std::string_view name);

/// The document with one value replaced, added or removed: `simulate.step=1e-4`,
/// `bodies.link[3].mass=2`, `gravity.2=0` (element 2 of a list, counted from 0),
/// `gravity=[0, 0, -9.81]`, `simulate.step=~`.
///
/// Missing keys are made on the way. The value `~` (or `null`) removes the key, which must be
/// there. A value that opens with `[ { " '` is read as YAML, anything else is taken literally as
/// one scalar. New nodes have the position `--set path=value`.
Node with_override(const Node& root, std::string_view assignment);

}  // namespace daedal::io
