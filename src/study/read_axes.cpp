#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "daedal/io/json.hpp"
#include "daedal/math/expression.hpp"
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

/// What stands for the number of a run, in the assignments of `repeat` alone.
constexpr std::string_view kRun = "run";

/// Every `{name}` must be an axis.
void check_marks(Reading& reading, const Node& root_axes, const Node& node,
                 const std::string& path) {
  for (const Node& element : node.elements()) check_marks(reading, root_axes, element, path);
  const std::string& text = node.text();
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::string name = text.substr(at + 1, text.find('}', at) - at - 1);
    if (!root_axes.find(name) && !(name == kRun && reading.has_runs)) {
      reading.complain(node, fmt::format("'{}'", path),
                       fmt::format("no axis is called '{}'", name));
    }
  }
}

/// `until: {h}`: YAML takes it for a map with the key h and no value.
bool is_bare_mark(const Node& root_axes, const Node& node) {
  return node.is_map() && node.size() == 1 && node.entries().front().value.is_null() &&
         root_axes.find(node.entries().front().key);
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
  if (*from == *to) {
    reading.complain(map, who, "its range begins and ends with the same value; give another 'to'");
    return {};
  }
  const double decades = linear ? 0.0 : std::abs(std::log10(*to / *from));
  const double intervals = count ? double(*count) - 1.0 : std::round(decades * double(*per_decade));
  if (intervals < 1.0 || intervals >= double(reading.limits.rows)) {
    reading.complain(map, who,
                     fmt::format("the range has {} value{}; give 2 to {}", intervals + 1.0,
                                 intervals == 0.0 ? "" : "s", reading.limits.rows));
    return {};
  }
  std::vector<double> values;
  for (double k = 0.0; k <= intervals; k += 1.0) {
    const double part = k / intervals;
    values.push_back(linear ? *from + part * (*to - *from) : *from * std::pow(*to / *from, part));
  }
  return values;
}

/// The number that a value means to the model, also one in quotes.
std::optional<double> amount(const Value& value) {
  if (value.number) return value.number;
  try {
    const math::Expression expression = math::Expression::parse(value.text);
    if (expression.is_constant()) return expression.value();
  } catch (const math::ExpressionError&) {  // a word
  }
  return std::nullopt;
}

/// Whether two values are the same to the model, however they are written.
bool alike(const Value& a, const Value& b) {
  Value one = a, other = b;
  one.number = amount(a);
  other.number = amount(b);
  return one == other;
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
  if (entry.key == kRun && reading.study.repeat.times > 1) {
    reading.problems.add(entry.position(), who + ": 'run' is what 'repeat' counts; rename the axis");
  }
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
    const auto same = std::find_if(axis.values.begin(), end,
                                   [&](const Value& other) { return alike(other, axis.values[i]); });
    if (same == end) continue;
    reading.complain(map, who,
                     fmt::format("the value '{}' is given twice{}", axis.values[i].text,
                                 same->text == axis.values[i].text
                                     ? ""
                                     : fmt::format(", also as '{}'", same->text)));
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

/// Whether one of two keys holds the other, or they are the same.
bool holds(const std::string& outer, const std::string& inner) {
  return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '.');
}

/// Two settings of one row must not set the same key: the later one would win without a word.
class Overlaps {
 public:
  explicit Overlaps(Reading& reading) : reading_(reading) {}

  void check() {
    const Study& study = reading_.study;
    within(study.set, "'set'");
    within(study.repeat.set, "'repeat'");
    for (const Assignment& own : study.repeat.set) {
      repeated(own, study.set, "'set'");
      for (std::size_t a = 0; a < study.axes.size(); ++a) {
        for (const auto& set : study.axes[a].set) repeated(own, set, name(a));
      }
    }
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      for (const auto& set : study.axes[a].set) within(set, name(a));
      for (std::size_t b = 0; b < a; ++b) between(a, b);
      with_set(a);
    }
  }

 private:
  std::string name(std::size_t axis) const {
    return fmt::format("axis '{}'", reading_.study.axes[axis].name);
  }

  void complain(const Assignment& later, const Assignment& earlier, const std::string& who,
                const std::string& other) {
    if (!seen_.insert({later.position.to_string(), later.path + "\n" + earlier.path}).second) return;
    reading_.problems.add(
        later.position,
        fmt::format("{}: {} sets '{}'{}; a key has one value in a row, so remove one", who, other,
                    earlier.path,
                    earlier.path == later.path ? ", too"
                                               : fmt::format(", and this sets '{}'", later.path)));
  }

  void within(const std::vector<Assignment>& set, const std::string& who) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (holds(set[i].path, set[j].path) || holds(set[j].path, set[i].path)) {
          complain(set[i], set[j], who, "it already");
        }
      }
    }
  }

  void repeated(const Assignment& own, const std::vector<Assignment>& others,
                const std::string& other) {
    for (const Assignment& earlier : others) {
      if (holds(own.path, earlier.path) || holds(earlier.path, own.path)) {
        complain(own, earlier, "'repeat'", other);
      }
    }
  }

  void between(std::size_t later, std::size_t earlier) {
    for (const auto& own : reading_.study.axes[later].set) {
      for (const Assignment& mine : own) {
        for (const auto& others : reading_.study.axes[earlier].set) {
          for (const Assignment& other : others) {
            if (holds(mine.path, other.path) || holds(other.path, mine.path)) {
              complain(mine, other, name(later), name(earlier));
            }
          }
        }
      }
    }
  }

  /// `set` may give what some cases change; what every value of an axis changes has no effect there.
  void with_set(std::size_t axis) {
    const auto& sets = reading_.study.axes[axis].set;
    if (sets.empty()) return;
    for (const Assignment& common : reading_.study.set) {
      const auto replaced_by = [&](const std::vector<Assignment>& set) {
        return std::find_if(set.begin(), set.end(), [&](const Assignment& own) {
          return holds(own.path, common.path);
        });
      };
      const bool always = std::all_of(sets.begin(), sets.end(), [&](const auto& set) {
        return replaced_by(set) != set.end();
      });
      if (always) complain(*replaced_by(sets.front()), common, name(axis), "'set'");
    }
  }

  Reading& reading_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

void read_assignments(Reading& reading, const Node& map, const std::string& prefix,
                      std::vector<Assignment>& out) {
  static const Node none;
  const Node* axes = reading.root.find("axes");
  for (const Node::Entry& entry : map.entries()) {
    const std::string path = prefix + entry.key;
    if (axes && is_bare_mark(*axes, entry.value)) {
      const std::string& name = entry.value.entries().front().key;
      reading.complain(entry.value, fmt::format("'{}'", path),
                       fmt::format("{{{0}}} without quotes is a map; write \"{{{0}}}\"", name));
      continue;
    }
    if (entry.value.is_map() && entry.value.size() > 0) {
      read_assignments(reading, entry.value, path + ".", out);
      continue;
    }
    check_marks(reading, axes ? *axes : none, entry.value, path);
    out.push_back({path, written(entry.value), entry.position()});
  }
}

void read_repeat(Reading& reading) {
  const Node* map = reading.root.find("repeat");
  if (!map) return;
  Repeat& repeat = reading.study.repeat;
  if (const auto times = reading.integer(*map, "times", "'repeat'")) {
    repeat.times = static_cast<int>(*times);
  }
  if (const Node* set = map->find("set")) {
    reading.has_runs = true;
    read_assignments(reading, *set, "", repeat.set);
    reading.has_runs = false;
  }
  if (repeat.times > 1 && repeat.set.empty()) {
    reading.complain(*map, "'repeat'",
                     "runs that do not differ have the same counts; give 'set', with {run} in a value");
  }
}

void read_axes(Reading& reading) {
  auto rows = static_cast<std::size_t>(reading.study.repeat.times);
  for (const Node::Entry& entry : entries(reading.root, "axes")) {
    read_axis(reading, entry);
    if (reading.study.axes.empty()) continue;
    rows *= std::max<std::size_t>(1, reading.study.axes.back().values.size());
    if (rows > reading.limits.rows) {
      reading.problems.add(entry.position(),
                           fmt::format("the study has more than {} {}; make its axes shorter",
                                       reading.limits.rows,
                                       reading.study.repeat.times > 1 ? "runs" : "rows"));
      return;
    }
  }
  Overlaps(reading).check();
}

}  // namespace daedal::study::reading
