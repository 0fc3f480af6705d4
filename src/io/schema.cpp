#include "daedal/io/schema.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/suggestion.hpp"

namespace daedal::io::schema {
namespace {

constexpr std::string_view kTypeKey = "type";

/// Gathers problems so that one error can report them all.
class Problems {
 public:
  void add(const Position& position, const std::string& message) {
    if (text_.empty()) first_ = position;
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : "\n", position.to_string(), message);
  }
  void report() const {
    if (!text_.empty()) throw InputError::list(first_, text_);
  }

 private:
  Position first_;
  std::string text_;
};

bool is_variant_list(const std::vector<Object>& objects) {
  return objects.size() > 1 || (objects.size() == 1 && !objects.front().variant_of.empty());
}

/// "body 'crank'", "simulate".
std::string title(std::string_view noun, std::string_view instance) {
  return instance.empty() ? std::string(noun) : fmt::format("{} '{}'", noun, instance);
}

std::vector<std::string> known_keys(const Object& object) {
  std::vector<std::string> keys;
  if (!object.variant_of.empty()) keys.emplace_back(kTypeKey);
  for (const Field& field : object.fields) keys.push_back(field.key);
  return keys;
}

void keys_of(const Node& map, const Object& object, std::string_view instance, Problems& problems) {
  const std::string who = title(object.noun(), instance);
  if (map.is_null()) {
    problems.add(map.position(),
                 fmt::format("{} has no value; give a map of keys, or remove it", who));
    return;
  }
  if (!map.is_map()) {
    problems.add(map.position(),
                 fmt::format("{} is {}, but a map is expected; write 'key: value', with a space "
                             "after the colon",
                             who, describe(map.kind())));
    return;
  }
  const std::vector<std::string> known = known_keys(object);
  for (const Node::Entry& entry : map.entries()) {
    if (object.open || std::ranges::find(known, entry.key) != known.end()) continue;
    const std::size_t colon = entry.key.find(':');
    const bool forgot_space = colon != std::string::npos &&
                              std::ranges::find(known, entry.key.substr(0, colon)) != known.end();
    problems.add(entry.position(), fmt::format("unknown key '{}' in {}; {}", entry.key, who,
                                               forgot_space ? "write a space after the colon"
                                                            : suggestion(entry.key, known)));
  }
  for (const Field& field : object.fields) {
    if (field.required && map.find(field.key) == nullptr) {
      problems.add(map.position(), fmt::format("{} has no '{}'; add it{}", who, field.key,
                                               field.help.empty() ? "" : ": " + field.help));
    }
  }
}

const Object* find_variant(const Node& map, const std::vector<Object>& objects,
                           std::string_view instance, Problems& problems) {
  const std::string& family = objects.front().variant_of;
  const std::string who = title(family.empty() ? "object" : family, instance);
  std::vector<std::string> names;
  for (const Object& object : objects) names.push_back(object.name);
  if (map.is_null()) {
    problems.add(map.position(),
                 fmt::format("{} has no value; give a map with the key 'type', or remove it", who));
    return nullptr;
  }
  if (!map.is_map()) {
    problems.add(map.position(), fmt::format("{} is {}, but a map with the key 'type' is expected",
                                             who, describe(map.kind())));
    return nullptr;
  }
  const Node* type = map.find(kTypeKey);
  if (type == nullptr || !type->is_scalar()) {
    problems.add(type == nullptr ? map.position() : type->position(),
                 fmt::format("{}; give one of: {}",
                             type && type->is_null() ? fmt::format("{}: 'type' has no value", who)
                                                     : fmt::format("{} has no 'type'", who),
                             fmt::join(names, ", ")));
    return nullptr;
  }
  const auto found = std::ranges::find(objects, type->text(), &Object::name);
  if (found == objects.end()) {
    problems.add(type->position(), fmt::format("{} has the unknown type '{}'; {}", who,
                                               type->text(), suggestion(type->text(), names)));
    return nullptr;
  }
  return &*found;
}

/// What a value of this type looks like, for messages and tables.
std::string expected(Type type, const Field& field) {
  switch (type) {
    case Type::number:
      return "number or expression";
    case Type::integer:
      return "integer";
    case Type::boolean:
      return "true or false";
    case Type::string:
      return "text";
    case Type::choice:
      return fmt::format("one of {}", fmt::join(field.choices, ", "));
    case Type::vector:
      return field.sizes.empty()
                 ? "list of numbers"
                 : fmt::format("list of {} numbers", fmt::join(field.sizes, " or "));
    case Type::matrix:
      return "matrix (list of rows)";
    case Type::reference:
      return field.refers_to.empty() ? "name" : fmt::format("name from '{}'", field.refers_to);
    case Type::object:
      return "map";
    case Type::map_of:
      return "map of names";
    case Type::list_of:
      return "list";
    case Type::free:
      return "any";
  }
  return "any";
}

std::string expected(const Field& field) {
  std::string text = expected(field.type, field);
  for (const Type type : field.also) text += " or " + expected(type, field);
  if (field.type != Type::choice && !field.choices.empty()) {
    text += fmt::format(" or {}", fmt::join(field.choices, ", "));
  }
  return text;
}

/// Checks values against the table, below the level of keys.
class Checker {
 public:
  Problems problems;

  void object(const Node& map, const Object& object, std::string_view instance) {
    keys_of(map, object, instance, problems);
    if (!map.is_map()) return;
    const std::string who = title(object.noun(), instance);
    for (const Field& field : object.fields) {
      if (const Node* node = map.find(field.key)) value(*node, field, who);
    }
  }

 private:
  void value(const Node& node, const Field& field, const std::string& owner) {
    if (node.is_null()) {
      problems.add(node.position(), fmt::format("{}: '{}' has no value; give {}, or remove the key",
                                                owner, field.key, article(expected(field))));
      return;
    }
    const bool is_word =
        node.is_scalar() && std::ranges::find(field.choices, node.text()) != field.choices.end();
    if (is_word) return;
    if (std::ranges::any_of(field.also, [&](Type type) { return fits(node, type, field); })) return;
    if (field.type == Type::choice && node.is_scalar()) {
      problems.add(node.position(),
                   fmt::format("{}: '{}' cannot be '{}'; {}", owner, field.key, node.text(),
                               suggestion(node.text(), field.choices)));
    } else if (!fits(node, field.type, field)) {
      problems.add(node.position(), fmt::format("{}: '{}' is {}; give {}", owner, field.key,
                                                shown(node), article(expected(field))));
    } else if (!field.objects.empty()) {
      nested(node, field);
    } else if (field.type == Type::map_of || field.type == Type::list_of) {
      items(node, field, owner);
    }
  }

  void nested(const Node& node, const Field& field) {
    if (field.type == Type::object) any_of(node, field.objects, {});
    for (const Node::Entry& entry : field.type == Type::map_of ? node.entries() : no_entries()) {
      any_of(entry.value, field.objects, entry.key);
    }
    if (field.type == Type::list_of) listed(node, field, {});
  }

  void listed(const Node& list, const Field& field, const std::string& group) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Node& element = list.elements()[i];
      const std::string instance = group + std::to_string(i + 1);
      if (field.groups && group.empty() && element.is_sequence()) {
        listed(element, field, instance + ".");
      } else {
        any_of(element, field.objects, instance);
      }
    }
  }

  void any_of(const Node& map, const std::vector<Object>& objects, std::string_view instance) {
    if (!is_variant_list(objects)) {
      object(map, objects.front(), instance);
    } else if (const Object* chosen = find_variant(map, objects, instance, problems)) {
      object(map, *chosen, instance);
    }
  }

  void items(const Node& node, const Field& field, const std::string& owner) {
    const auto item = [&](const Node& child, const std::string& name) {
      if (fits(child, field.item, field)) return;
      problems.add(child.position(),
                   fmt::format("{}: {} of '{}' {}; give {}", owner, name, field.key,
                               child.is_null() ? "has no value" : "is " + shown(child), article(expected(field.item, field))));
    };
    for (const Node::Entry& entry : node.entries()) {
      item(entry.value, fmt::format("'{}'", entry.key));
    }
    for (std::size_t i = 0; i < node.elements().size(); ++i) {
      item(node.elements()[i], fmt::format("element {}", i + 1));
    }
  }

  static bool fits(const Node& node, Type type, const Field& field) {
    const auto is_number = [](const Node& n) {
      return n.is_scalar() && !n.text().empty() && n.text() != "true" && n.text() != "false";
    };
    switch (type) {
      case Type::number:
        return is_number(node);
      case Type::integer:
        return is_number(node) && !has_fraction(node.text());
      case Type::boolean:
        return node.is_scalar() && (node.text() == "true" || node.text() == "false");
      case Type::string:
      case Type::reference:
        return node.is_scalar();
      case Type::choice:
        return node.is_scalar() &&
               std::ranges::find(field.choices, node.text()) != field.choices.end();
      case Type::vector:
        return node.is_sequence() && std::ranges::all_of(node.elements(), is_number) &&
               (field.sizes.empty() ||
                std::ranges::find(field.sizes, node.size()) != field.sizes.end());
      case Type::matrix:
        return node.is_sequence() && node.size() > 0 &&
               std::ranges::all_of(node.elements(), [&](const Node& row) {
                 return row.is_sequence() && row.size() == node.elements()[0].size() &&
                        std::ranges::all_of(row.elements(), is_number);
               });
      case Type::object:
      case Type::map_of:
        return node.is_map();
      case Type::list_of:
        return node.is_sequence();
      case Type::free:
        return true;
    }
    return true;
  }

  /// A literal number that is not whole; an expression is judged by its reader.
  static bool has_fraction(const std::string& text) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    return !(number >= -1e15 && number <= 1e15) || number != double(static_cast<long long>(number));
  }

  static std::string shown(const Node& node) {
    if (node.is_scalar()) return fmt::format("'{}'", node.text().substr(0, 60));
    if (node.is_sequence()) {
      return fmt::format("a list of {} element{}", node.size(), node.size() == 1 ? "" : "s");
    }
    return std::string(describe(node.kind()));
  }

  static std::string article(const std::string& noun) {
    const bool is_bare = noun.starts_with("one of") || noun.starts_with("true") ||
                         noun.starts_with("text") || noun.starts_with("any");
    if (is_bare) return noun;
    return (std::string_view("aeiou").find(noun.front()) != std::string_view::npos ? "an " : "a ") +
           noun;
  }

  static std::span<const Node::Entry> no_entries() { return {}; }
};

}  // namespace

std::string Object::noun() const {
  return variant_of.empty() ? name : fmt::format("{} {}", name, variant_of);
}

std::vector<Field> join(std::vector<Field> base, std::vector<Field> more) {
  std::ranges::move(more, std::back_inserter(base));
  return base;
}

void check_keys(const Node& map, const Object& object, std::string_view instance) {
  Problems problems;
  keys_of(map, object, instance, problems);
  problems.report();
}

void check(const Node& map, const Object& object) {
  Checker checker;
  checker.object(map, object, {});
  checker.problems.report();
}

const Object& variant(const Node& map, const std::vector<Object>& objects,
                      std::string_view instance) {
  Problems problems;
  const Object* found = find_variant(map, objects, instance, problems);
  problems.report();
  return *found;
}

std::string type_text(const Field& field) {
  return expected(field);
}

std::vector<const Object*> reachable(const Object& root) {
  std::vector<const Object*> found{&root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Field& field : found[i]->fields) {
      for (const Object& object : field.objects) {
        const bool is_new = std::ranges::none_of(
            found, [&](const Object* other) { return other->noun() == object.noun(); });
        if (is_new) found.push_back(&object);
      }
    }
  }
  return found;
}

}  // namespace daedal::io::schema
