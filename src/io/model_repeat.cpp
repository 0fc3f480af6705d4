#include "daedal/io/model_repeat.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace daedal::io::reading {
namespace {

constexpr std::size_t kMaxIndices = 2;

/// True if a word occurs inside brackets of a name: `i` in `link[i-1]`.
bool has_index(std::string_view text, const std::string& index) {
  for (std::size_t open = text.find('['); open != std::string_view::npos;
       open = text.find('[', open + 1)) {
    const std::string_view inside = text.substr(open + 1, text.find(']', open) - open - 1);
    try {
      const auto names = math::Expression::parse(inside).variables();
      if (std::ranges::find(names, index) != names.end()) return true;
    } catch (const math::ExpressionError&) {
      return true;  // reported where the name is evaluated
    }
  }
  return false;
}

}  // namespace

bool Places::add(std::string_view section, const std::string& name, const Node::Entry& entry) {
  return sections_[std::string(section)].emplace(name, &entry).second;
}

const Node::Entry* Places::find(std::string_view section, const std::string& name) const {
  const auto found = sections_.find(std::string(section));
  if (found == sections_.end()) return nullptr;
  const auto entry = found->second.find(name);
  return entry == found->second.end() ? nullptr : entry->second;
}

Position Places::position(std::string_view path) const {
  Position position{root_.position().file};
  const Node* node = &root_;
  bool is_object = false;  // the next part is the name of an object
  while (!path.empty() && node != nullptr) {
    std::size_t size = std::min(path.find('.'), path.size());
    const Node* next = nullptr;
    if (is_object) {
      const std::string section(path.substr(0, size));
      const std::string_view rest = path.substr(std::min(size + 1, path.size()));
      // Names of outputs contain dots (`tip.x`): the longest that is known.
      for (std::size_t end = rest.size(); end > 0; end = rest.find_last_of('.', end - 1)) {
        if (const Node::Entry* entry = find(section, std::string(rest.substr(0, end)))) {
          position = entry->position();
          next = &entry->value;
          size += 1 + end;
          break;
        }
        if (rest.find_last_of('.', end - 1) == std::string_view::npos) break;
      }
      is_object = false;
    } else {
      const std::string_view part = path.substr(0, size);
      if (node == &root_ && sections_.contains(std::string(part)) && size < path.size()) {
        for (const Node::Entry& entry : node->entries()) {
          if (entry.key == part) position = entry.position();
        }
        is_object = true;
        continue;
      }
      if (node->is_sequence()) {
        std::size_t index = 0;
        std::from_chars(part.data(), part.data() + part.size(), index);
        if (index < node->size()) next = &node->elements()[index];
      } else {
        next = node->find(part);
      }
      if (next != nullptr) position = next->position();
    }
    path.remove_prefix(std::min(size + 1, path.size()));
    node = next;
  }
  return position;
}

Section::Section(const Node& root, std::string_view key, std::string_view kind, Scope& scope)
    : key_(key), kind_(kind), scope_(scope), node_(root.find(key)) {}

void Section::plan(double& total, double limit) {
  if (node_ == nullptr) return;
  for (const Node::Entry& entry : node_->entries()) {
    const Item item{kind_, entry.key, &entry.value};
    Plan plan{&entry, {}};
    if (const Node* repeat = item.find("repeat")) {
      plan.indices = read_repeat(entry, item);
      double count = plan.indices.empty() ? 0.0 : 1.0;
      for (const Index& index : plan.indices) {
        count *= static_cast<double>(std::max(0LL, index.last - index.first + 1));
      }
      const bool fits = total <= limit;
      total += count;
      if (fits && total > limit) {
        scope_.report(*repeat, item, "repeat",
                      fmt::format("makes {:.0f} objects{}; a file may make {:.0f} in total, lower "
                                  "the bounds",
                                  count,
                                  total > count ? fmt::format(", {:.0f} with those before", total)
                                                : std::string(),
                                  limit));
      }
    }
    plans_.push_back(std::move(plan));
  }
}

std::vector<Section::Index> Section::read_repeat(const Node::Entry& entry, const Item& item) {
  const Node& repeat = *item.find("repeat");
  std::vector<Index> indices;
  if (repeat.size() == 0 || repeat.size() > kMaxIndices) {
    scope_.report(repeat, item, "repeat",
                  fmt::format("has {} indices; give one or two, as in {{i: [1, 10]}}",
                              repeat.size()));
  }
  for (const Node::Entry& range : repeat.entries()) {
    Index index{range.key, 0, -1};
    const auto refuse = [&](std::string_view reason) {
      scope_.problems().add(range.position(), fmt::format("{}: repeat: index '{}' {}", item.who(),
                                                          range.key, reason));
    };
    if (!math::is_identifier(range.key) || math::is_reserved(range.key)) {
      refuse("cannot name an index; use a word such as 'i'");
    } else if (scope_.parameters().contains(range.key)) {
      refuse("is also a parameter; rename one of them");
    } else if (!has_index(entry.key, range.key)) {
      refuse(fmt::format("does not occur in the name; write it as '{}[{}]'",
                         entry.key.substr(0, entry.key.find('[')), range.key));
    }
    const std::string label = fmt::format("repeat: '{}'", range.key);
    const std::span<const Node> bounds = range.value.elements();
    const bool has_first = scope_.integer(bounds[0], item, label, index.first);
    const bool has_last = scope_.integer(bounds[1], item, label, index.last);
    if (!has_first || !has_last) index.last = index.first - 1;
    indices.push_back(std::move(index));
  }
  return indices;
}

void Section::expand(Places& places,
                     const std::function<void(const Item&, const Node::Entry&)>& read) {
  for (const Plan& plan : plans_) {
    Scope::Values values;
    make(plan, 0, values, places, read);
  }
}

void Section::make(const Plan& plan, std::size_t depth, Scope::Values& values, Places& places,
                   const std::function<void(const Item&, const Node::Entry&)>& read) {
  if (depth < plan.indices.size()) {
    const Index& index = plan.indices[depth];
    for (long long i = index.first; i <= index.last && !scope_.problems().enough(); ++i) {
      values[index.name] = static_cast<double>(i);
      make(plan, depth + 1, values, places, read);
    }
    return;
  }
  const Node::Entry& entry = *plan.entry;
  scope_.set_indices(values);
  std::string name = scope_.name(entry.key, entry.position(), {{}, kind_, nullptr}, {});
  if (!name.empty()) {
    if (!places.add(key_, name, entry)) {
      const Node::Entry* first = places.find(key_, name);
      scope_.problems().add(entry.position(),
                            fmt::format("{} '{}' is made twice, first at {}; rename one of them",
                                        kind_, name, first->position().to_string()));
    } else {
      read({kind_, std::move(name), &entry.value}, entry);
    }
  }
  scope_.set_indices({});
}

}  // namespace daedal::io::reading
