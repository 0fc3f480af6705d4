// Sections of a model file, with `repeat` expanded.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daedal/io/model_scope.hpp"

namespace daedal::io::reading {

/// The objects of a file by section and name, and which entry each comes from: the way back from
/// a path such as `bodies.link[3].mass` to a place in the file.
class Places {
 public:
  explicit Places(const Node& root) : root_(root) {}

  /// False if the section has the name already.
  bool add(std::string_view section, const std::string& name, const Node::Entry& entry);
  const Node::Entry* find(std::string_view section, const std::string& name) const;
  /// Says that a path which the file does not have leads to a node of it: `contacts.pile.first.7`.
  void mark(std::string path, const Node& node) { marks_.emplace(std::move(path), node); }
  /// Position of the deepest existing node of a path.
  Position position(std::string_view path) const;

 private:
  const Node& root_;
  std::unordered_map<std::string, Node> marks_;
  std::unordered_map<std::string, std::unordered_map<std::string, const Node::Entry*>> sections_;
};

/// The index of a repeat.
struct Index {
  std::string name;
  long long first = 0;
  long long last = -1;
};

/// The indices of an item's key `repeat`. `refusal` says what is wrong with one, beside what may be
/// wrong with any.
std::vector<Index> read_indices(Scope& scope, const Item& item,
                                const std::function<std::string(const std::string&)>& refusal);

/// How many objects they make.
double count_of(std::span<const Index> indices);

/// Calls `make` for each of their values, set in the scope beside those that it has.
void for_each(Scope& scope, std::span<const Index> indices, const std::function<void()>& make);

/// What all repeats of a file make together.
struct Repeated {
  double limit = 1e6;
  double total = 0.0;

  /// False if it is too much, which is reported once.
  bool add(double count, Scope& scope, const Item& item);
};

/// One section, `bodies` say, entry by entry.
class Section {
 public:
  Section(const Node& root, std::string_view key, std::string_view kind, Scope& scope);

  /// Evaluates the bounds of the repeats and adds up what they make; to be called once for all
  /// sections before the first is expanded.
  void plan(Repeated& repeated);

  /// Calls `read` for every object, with its indices set in the scope.
  void expand(Places& places, const std::function<void(const Item&, const Node::Entry&)>& read);

 private:
  struct Plan {
    const Node::Entry* entry;
    std::vector<Index> indices;
  };

  void make(const Node::Entry& entry, Places& places,
            const std::function<void(const Item&, const Node::Entry&)>& read);

  std::string key_, kind_;
  Scope& scope_;
  std::vector<Plan> plans_;
  const Node* node_;
};

}  // namespace daedal::io::reading
