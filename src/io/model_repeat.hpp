// Sections of a model file, with `repeat` expanded.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
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
  /// Position of the deepest existing node of a path.
  Position position(std::string_view path) const;

 private:
  const Node& root_;
  std::unordered_map<std::string, std::unordered_map<std::string, const Node::Entry*>> sections_;
};

/// One section, `bodies` say, entry by entry.
class Section {
 public:
  Section(const Node& root, std::string_view key, std::string_view kind, Scope& scope);

  /// Evaluates the bounds of the repeats and adds up what they make, `limit` at most; to be called
  /// once for all sections before the first is expanded.
  void plan(double& total, double limit);

  /// Calls `read` for every object, with its indices set in the scope.
  void expand(Places& places, const std::function<void(const Item&, const Node::Entry&)>& read);

 private:
  struct Index {
    std::string name;
    long long first = 0;
    long long last = -1;
  };
  struct Plan {
    const Node::Entry* entry;
    std::vector<Index> indices;
  };

  std::vector<Index> read_repeat(const Node::Entry& entry, const Item& item);
  void make(const Plan& plan, std::size_t depth, Scope::Values& values, Places& places,
            const std::function<void(const Item&, const Node::Entry&)>& read);

  std::string key_, kind_;
  Scope& scope_;
  std::vector<Plan> plans_;
  const Node* node_;
};

}  // namespace daedal::io::reading
