#include "daedal/study/reading.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/suggestion.hpp"
#include "daedal/math/expression.hpp"

namespace daedal::study::reading {

std::span<const Node::Entry> entries(const Node& root, std::string_view key) {
  const Node* section = root.find(key);
  return section ? section->entries() : std::span<const Node::Entry>();
}

void Reading::complain(const Node& node, std::string_view who, std::string_view message) {
  problems.add(node.position(), fmt::format("{}: {}", who, message));
}

std::optional<double> Reading::number(const Node& map, std::string_view key, std::string_view who) {
  const Node* node = map.find(key);
  if (!node) return std::nullopt;
  try {
    return math::Expression::parse(node->text()).value();
  } catch (const math::ExpressionError& error) {
    problems.add(io::reading::position_in(*node, error.position),
                 fmt::format("{}: '{}': {}", who, key, error.what()));
    return std::nullopt;
  }
}

std::optional<long> Reading::integer(const Node& map, std::string_view key, std::string_view who) {
  const std::optional<double> value = number(map, key, who);
  if (!value) return std::nullopt;
  constexpr double kLargest = 1e9;
  if (*value != std::floor(*value) || std::abs(*value) > kLargest || *value < 1.0) {
    complain(*map.find(key), who,
             fmt::format("'{}' is {:g}; give a whole number from 1", key, *value));
    return std::nullopt;
  }
  return static_cast<long>(*value);
}

bool Reading::flag(const Node& map, std::string_view key, bool otherwise) const {
  const Node* node = map.find(key);
  return node ? node->text() == "true" : otherwise;
}

std::string Reading::text(const Node& map, std::string_view key, std::string_view otherwise) const {
  const Node* node = map.find(key);
  return node ? node->text() : std::string(otherwise);
}

Value Reading::value(const Node& node) const {
  Value value(node.text());
  if (node.quoted()) value.number.reset();
  if (value.number || node.quoted()) return value;
  try {
    const math::Expression expression = math::Expression::parse(node.text());
    if (expression.is_constant()) value.number = expression.value();
  } catch (const math::ExpressionError&) {  // a word then
  }
  return value;
}

std::vector<std::string> Reading::axis_names() const {
  std::vector<std::string> names;
  for (const Axis& axis : study.axes) names.push_back(axis.name);
  return names;
}

std::vector<std::string> Reading::column_names() const {
  std::vector<std::string> names;
  for (const Column& column : study.columns) names.push_back(column.name);
  return names;
}

namespace {

std::optional<std::size_t> index_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// `{from: A, to: B}` of a condition. One field at a time: as a list, g++ 12 fails internally.
io::schema::Object range_schema() {
  using io::schema::Field, io::schema::Type;
  Field from{.key = "from", .type = Type::number};
  Field to{.key = "to", .type = Type::number};
  return {.name = "range", .fields = {std::move(from), std::move(to)}};
}

}  // namespace

std::optional<std::size_t> Reading::axis(const Node& node, std::string_view who) {
  const std::vector<std::string> names = axis_names();
  const auto found = index_of(names, node.text());
  if (!found) {
    complain(
        node, who,
        fmt::format("no axis is called '{}'; {}", node.text(), io::suggestion(node.text(), names)));
  }
  return found;
}

std::optional<std::size_t> Reading::column(const Node& node, std::string_view who) {
  const std::vector<std::string> names = column_names();
  const auto found = index_of(names, node.text());
  if (!found) {
    complain(node, who,
             fmt::format("no column is called '{}'; {}", node.text(),
                         io::suggestion(node.text(), names)));
  }
  return found;
}

std::optional<Quantity> Reading::quantity(const Node& node, std::string_view who) {
  std::vector<std::string> names = axis_names();
  if (const auto found = index_of(names, node.text())) return Quantity{true, *found};
  const std::vector<std::string> columns = column_names();
  if (const auto found = index_of(columns, node.text())) return Quantity{false, *found};
  names.insert(names.end(), columns.begin(), columns.end());
  complain(node, who,
           fmt::format("no axis or column is called '{}'; {}", node.text(),
                       io::suggestion(node.text(), names)));
  return std::nullopt;
}

bool Reading::known(const Axis& axis, const Value& value, const Node& node, std::string_view who) {
  if (std::ranges::find(axis.values, value) != axis.values.end()) return true;
  std::vector<std::string> texts;
  for (const Value& other : axis.values) texts.push_back(other.text);
  complain(node, who,
           fmt::format("axis '{}' has no value '{}'; {}", axis.name, value.text,
                       io::suggestion(value.text, texts)));
  return false;
}

Where Reading::where(const Node& map, std::string_view who) {
  Where where;
  for (const Node::Entry& entry : entries(map, "where")) {
    const auto names = axis_names();
    const auto found = index_of(names, entry.key);
    if (!found) {
      problems.add(entry.position(), fmt::format("{}: no axis is called '{}'; {}", who, entry.key,
                                                 io::suggestion(entry.key, names)));
      continue;
    }
    Condition condition;
    condition.axis = *found;
    if (entry.value.is_map()) {
      io::schema::check(entry.value, range_schema());
      condition.from = number(entry.value, "from", who);
      condition.to = number(entry.value, "to", who);
      if (!study.axes[*found].numeric()) {
        complain(entry.value, who,
                 fmt::format("axis '{}' has words for values; list those that "
                             "count",
                             entry.key));
      }
    } else {
      const std::span<const Node> nodes =
          entry.value.is_sequence() ? entry.value.elements() : std::span(&entry.value, 1);
      for (const Node& node : nodes) {
        if (known(study.axes[*found], value(node), node, who)) condition.any.push_back(value(node));
      }
      if (nodes.empty()) complain(entry.value, who, "an empty list admits no row; give values");
    }
    where.push_back(std::move(condition));
  }
  return where;
}

void Reading::check_numeric(const Axis& axis, const Node& node, std::string_view who,
                            std::string_view what) {
  const Value* word = axis.word();
  if (!word) return;
  complain(node, who,
           fmt::format("{} needs an axis of numbers; '{}' of axis '{}' is none", what, word->text,
                       axis.name));
}

void Reading::check_name(const Node::Entry& entry, std::string_view noun) {
  const auto axes = axis_names(), columns = column_names();
  if (!math::is_identifier(entry.key) || math::is_reserved(entry.key) || entry.key == "status") {
    problems.add(entry.position(),
                 fmt::format("{} '{}' has a name that expressions cannot use; take letters, digits "
                             "and underscores, and none of t, pi, status or a function",
                             noun, entry.key));
  } else if (index_of(axes, entry.key) || index_of(columns, entry.key)) {
    problems.add(entry.position(),
                 fmt::format("{} '{}': the name is taken; rename one", noun, entry.key));
  }
}

}  // namespace daedal::study::reading
