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
  for (std::size_t end = path.size(); end != std::string_view::npos && !marks_.empty();
       end = end == 0 ? std::string_view::npos : path.find_last_of('.', end - 1)) {
    const auto mark = marks_.find(std::string(path.substr(0, end)));
    if (mark == marks_.end()) continue;
    node = &mark->second;
    position = node->position();
    path.remove_prefix(std::min(end + 1, path.size()));
    break;
  }
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

std::vector<Index> read_indices(Scope& scope, const Item& item,
                                const std::function<std::string(const std::string&)>& refusal) {
  const Node& repeat = *item.find("repeat");
  std::vector<Index> indices;
  if (repeat.size() == 0 || repeat.size() > kMaxIndices) {
    scope.report(repeat, item, "repeat",
                 fmt::format("has {} indices; give one or two, as in {{i: [1, 10]}}",
                             repeat.size()));
  }
  for (const Node::Entry& range : repeat.entries()) {
    Index index{range.key, 0, -1};
    const auto refuse = [&](std::string_view reason) {
      scope.problems().add(range.position(), fmt::format("{}: repeat: index '{}' {}", item.who(),
                                                         range.key, reason));
    };
    if (!math::is_identifier(range.key) || math::is_reserved(range.key)) {
      refuse("cannot name an index; use a word such as 'i'");
    } else if (scope.parameters().contains(range.key)) {
      refuse("is also a parameter; rename one of them");
    } else if (const std::string reason = refusal(range.key); !reason.empty()) {
      refuse(reason);
    }
    const std::string label = fmt::format("repeat: '{}'", range.key);
    const std::span<const Node> bounds = range.value.elements();
    const bool has_first = scope.integer(bounds[0], item, label, index.first);
    const bool has_last = scope.integer(bounds[1], item, label, index.last);
    if (!has_first || !has_last) index.last = index.first - 1;
    indices.push_back(std::move(index));
  }
  return indices;
}

double count_of(std::span<const Index> indices) {
  double count = 1.0;
  for (const Index& index : indices) {
    count *= static_cast<double>(std::max(0LL, index.last - index.first + 1));
  }
  return count;
}

void for_each(Scope& scope, std::span<const Index> indices, const std::function<void()>& make) {
  if (indices.empty()) return make();
  const Scope::Values outer = scope.indices();
  const Index& index = indices.front();
  for (long long i = index.first; i <= index.last && !scope.problems().enough(); ++i) {
    Scope::Values values = outer;
    values[index.name] = static_cast<double>(i);
    scope.set_indices(std::move(values));
    for_each(scope, indices.subspan(1), make);
  }
  scope.set_indices(outer);
}

bool Repeated::add(double count, Scope& scope, const Item& item) {
  if (total > limit) return false;
  total += count;
  if (total <= limit) return true;
  const Node* repeat = item.find("repeat");
  scope.report(repeat ? *repeat : *item.node, item, repeat ? "repeat" : "",
               fmt::format("makes {:.0f} object{}{}; a file may make {:.0f} in total, lower the "
                           "bounds",
                           count, count == 1.0 ? "" : "s",
                           total > count ? fmt::format(", {:.0f} with those before", total)
                                         : std::string(),
                           limit));
  return false;
}

Section::Section(const Node& root, std::string_view key, std::string_view kind, Scope& scope)
    : key_(key), kind_(kind), scope_(scope), node_(root.find(key)) {}

void Section::plan(Repeated& repeated) {
  if (node_ == nullptr) return;
  for (const Node::Entry& entry : node_->entries()) {
    const Item item{kind_, entry.key, &entry.value};
    Plan plan{&entry, {}};
    if (item.find("repeat")) {
      plan.indices = read_indices(scope_, item, [&](const std::string& index) {
        return has_index(entry.key, index)
                   ? std::string()
                   : fmt::format("does not occur in the name; write it as '{}[{}]'",
                                 entry.key.substr(0, entry.key.find('[')), index);
      });
      repeated.add(plan.indices.empty() ? 0.0 : count_of(plan.indices), scope_, item);
    }
    plans_.push_back(std::move(plan));
  }
}

void Section::expand(Places& places,
                     const std::function<void(const Item&, const Node::Entry&)>& read) {
  for (const Plan& plan : plans_) {
    for_each(scope_, plan.indices, [&] { make(*plan.entry, places, read); });
  }
}

void Section::make(const Node::Entry& entry, Places& places,
                   const std::function<void(const Item&, const Node::Entry&)>& read) {
  std::string name = scope_.name(entry.key, entry.position(), {{}, kind_, nullptr}, {});
  if (name.empty()) return;
  if (!places.add(key_, name, entry)) {
    const Node::Entry* first = places.find(key_, name);
    scope_.problems().add(entry.position(),
                          fmt::format("{} '{}' is made twice, first at {}; rename one of them",
                                      kind_, name, first->position().to_string()));
    return;
  }
  read({kind_, std::move(name), &entry.value}, entry);
}

}  // namespace daedal::io::reading
