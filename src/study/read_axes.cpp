#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "daedal/io/json.hpp"
#include "daedal/study/reading.hpp"

namespace daedal::study::reading {

namespace {

/// A value as --set takes it: what could be mistaken for YAML is quoted.
std::string written(const Node& node) {
  if (node.is_null()) return "~";
  if (node.is_sequence()) {
    std::string text = "[";
    for (const Node& element : node.elements()) {
      if (text.size() > 1) text += ", ";
      text += written(element);
    }
    return text + "]";
  }
  if (node.is_map()) {
    std::string text = "{";
    for (const Node::Entry& entry : node.entries()) {
      if (text.size() > 1) text += ", ";
      text += io::to_text(io::Json(entry.key)) + ": " + written(entry.value);
    }
    return text + "}";
  }
  const std::string& text = node.text();
  const bool is_plain =
      !text.empty() && !node.quoted() && text.find_first_of("[]{},\"'#:") == std::string::npos;
  // An axis in braces is put in later, and then is a plain word or number.
  const bool is_pattern = text.find('{') != std::string::npos;
  return is_plain || is_pattern ? text : io::to_text(io::Json(text));
}

/// Every `{name}` must be an axis.
void check_marks(Reading& reading, const Node& root_axes, const Node& node,
                 const std::string& path) {
  for (const Node& element : node.elements()) check_marks(reading, root_axes, element, path);
  const std::string& text = node.text();
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::string name = text.substr(at + 1, text.find('}', at) - at - 1);
    if (!root_axes.find(name)) {
      reading.complain(node, fmt::format("'{}'", path),
                       fmt::format("no axis is called '{}'", name));
    }
  }
}

/// Nothing after a problem has been reported.
std::vector<double> range(Reading& reading, const Node& map, const std::string& who) {
  if (!map.find("from") || !map.find("to") || !map.find("count") == !map.find("per_decade")) {
    reading.complain(map, who, "a range has 'from', 'to' and one of 'count' and 'per_decade'");
    return {};
  }
  const auto from = reading.number(map, "from", who), to = reading.number(map, "to", who);
  const auto count = reading.integer(map, "count", who);
  const auto per_decade = reading.integer(map, "per_decade", who);
  if (!from || !to || (!count && !per_decade)) return {};
  const bool linear = reading.text(map, "spacing", "log") == "linear";
  if (!linear && !(*from > 0.0 && *to > 0.0)) {
    reading.complain(map, who, "a logarithmic range has positive ends; or give 'spacing: linear'");
    return {};
  }
  if (linear && per_decade) {
    reading.complain(map, who, "a linear range has no decades; give 'count'");
    return {};
  }
  const double decades = linear ? 0.0 : std::abs(std::log10(*to / *from));
  const double intervals = count ? double(*count) - 1.0 : std::round(decades * double(*per_decade));
  if (intervals < 1.0 || intervals >= double(reading.limits.rows)) {
    reading.complain(map, who,
                     fmt::format("the range has {} values; give 2 to {}", intervals + 1.0,
                                 reading.limits.rows));
    return {};
  }
  std::vector<double> values;
  for (double k = 0.0; k <= intervals; k += 1.0) {
    const double part = k / intervals;
    values.push_back(linear ? *from + part * (*to - *from) : *from * std::pow(*to / *from, part));
  }
  return values;
}

void read_cases(Reading& reading, const Node& cases, Axis& axis) {
  for (const Node::Entry& entry : cases.entries()) {
    Value value(entry.key);
    axis.values.push_back(value);
    axis.set.emplace_back();
    read_assignments(reading, entry.value, "", axis.set.back());
  }
}

void read_axis(Reading& reading, const Node::Entry& entry) {
  const Node& map = entry.value;
  const std::string who = fmt::format("axis '{}'", entry.key);
  reading.check_name(entry, "axis");
  Axis axis;
  axis.name = entry.key;
  axis.label = reading.text(map, "label", entry.key);
  axis.unit = reading.text(map, "unit");
  const Node *key = map.find("key"), *values = map.find("values"), *cases = map.find("cases");
  const bool ranged = map.find("from") || map.find("to") || map.find("count") ||
                      map.find("per_decade") || map.find("spacing");
  if ((values != nullptr) + (cases != nullptr) + ranged != 1) {
    reading.complain(map, who, "give one of 'values', a range ('from', 'to', 'count') and 'cases'");
    return;
  }
  if (cases && key) reading.complain(*key, who, "'cases' set their own keys; remove 'key'");
  if (values) {
    for (const Node& node : values->elements()) axis.values.push_back(reading.value(node));
  } else if (ranged) {
    for (const double number : range(reading, map, who)) {
      axis.values.emplace_back(fmt::format("{:.10g}", number));
    }
  } else {
    read_cases(reading, *cases, axis);
  }
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const auto end = axis.values.begin() + std::ptrdiff_t(i);
    if (std::find(axis.values.begin(), end, axis.values[i]) != end) {
      reading.complain(map, who, fmt::format("the value '{}' is given twice", axis.values[i].text));
    }
  }
  if (axis.values.empty() && !ranged) reading.complain(map, who, "it has no values");
  if (!cases) {
    axis.set.resize(axis.values.size());
    if (key) {
      for (auto& set : axis.set) {
        set.push_back({key->text(), fmt::format("{{{}}}", axis.name), map.position()});
      }
    }
  }
  reading.study.axes.push_back(std::move(axis));
}

}  // namespace

void read_assignments(Reading& reading, const Node& map, const std::string& prefix,
                      std::vector<Assignment>& out) {
  static const Node none;
  const Node* axes = reading.root.find("axes");
  for (const Node::Entry& entry : map.entries()) {
    const std::string path = prefix + entry.key;
    if (entry.value.is_map() && entry.value.size() > 0) {
      read_assignments(reading, entry.value, path + ".", out);
      continue;
    }
    check_marks(reading, axes ? *axes : none, entry.value, path);
    out.push_back({path, written(entry.value), entry.position()});
  }
}

void read_axes(Reading& reading) {
  std::size_t rows = 1;
  for (const Node::Entry& entry : entries(reading.root, "axes")) {
    read_axis(reading, entry);
    if (reading.study.axes.empty()) continue;
    rows *= std::max<std::size_t>(1, reading.study.axes.back().values.size());
    if (rows > reading.limits.rows) {
      reading.problems.add(entry.position(),
                           fmt::format("the study has more than {} rows; make its axes shorter",
                                       reading.limits.rows));
      return;
    }
  }
}

}  // namespace daedal::study::reading
