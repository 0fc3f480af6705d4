#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "daedal/io/csv.hpp"
#include "daedal/io/suggestion.hpp"
#include "daedal/study/reading.hpp"
#include "daedal/study/task.hpp"

namespace daedal::study::reading {

namespace {

constexpr std::string_view kFinal = "final.";

struct ReferenceFile {
  io::Table table;
  const std::vector<double>* times = nullptr;
};
using ReferenceFiles = std::map<std::string, ReferenceFile>;

ReferenceFiles read_references(Reading& reading) {
  ReferenceFiles files;
  for (const Node::Entry& entry : entries(reading.root, "references")) {
    const std::string who = fmt::format("reference '{}'", entry.key);
    const Node& name = *entry.value.find("file");
    ReferenceFile& file = files[entry.key];
    try {
      file.table = io::read_csv(reading.folder / name.text());
    } catch (const io::InputError& error) {
      reading.complain(name, who, error.what());
      continue;
    }
    const std::string time = reading.text(entry.value, "time", "time");
    file.times = file.table.find(time);
    if (!file.times) {
      reading.complain(entry.value, who,
                       fmt::format("'{}' has no column '{}'; name its column of times with 'time'",
                                   name.text(), time));
    } else if (file.times->empty()) {
      reading.complain(
          name, who,
          fmt::format("'{}' has a header and no rows; there is nothing to compare with",
                      name.text()));
    } else if (std::ranges::adjacent_find(*file.times, std::greater_equal()) != file.times->end()) {
      reading.complain(name, who, "times must increase from row to row");
    }
  }
  return files;
}

/// The values of an expression of the file's columns in every row.
std::vector<double> evaluate(Reading& reading, const Node& node, const io::Table& table,
                             const std::string& who) {
  std::vector<double> values;
  try {
    const math::Expression expression = math::Expression::parse(node.text());
    for (const std::string& name : expression.variables()) {
      if (table.find(name)) continue;
      reading.complain(node, who,
                       fmt::format("the reference has no column '{}'; {}", name,
                                   io::suggestion(name, table.names)));
      return {};
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::map<std::string, double> bound;
      for (const std::string& name : expression.variables()) bound[name] = (*table.find(name))[row];
      values.push_back(expression.bind(bound).value());
    }
  } catch (const math::ExpressionError& error) {
    reading.complain(node, who, error.what());
    return {};
  }
  return values;
}

void read_comparison(Reading& reading, const ReferenceFiles& files, const Node::Entry& entry,
                     Column& column) {
  const std::string who = fmt::format("measure '{}'", entry.key);
  const Node& name = *entry.value.find("reference");
  const auto file = files.find(name.text());
  if (file == files.end()) {
    std::vector<std::string> known;
    for (const auto& [other, ignored] : files) known.push_back(other);
    reading.complain(name, who,
                     fmt::format("no reference is called '{}'; {}", name.text(),
                                 io::suggestion(name.text(), known)));
    return;
  }
  if (!file->second.times) return;
  Comparison comparison;
  comparison.column = entry.key;
  comparison.at_end = reading.text(entry.value, "at", "all") == "end";
  comparison.relative = reading.flag(entry.value, "relative", false);
  comparison.reference.times = *file->second.times;
  for (const Node::Entry& pair : entries(entry.value, "compare")) {
    comparison.reference.names.push_back(pair.key);
    comparison.reference.values.push_back(
        evaluate(reading, pair.value, file->second.table, who + ": '" + pair.key + "'"));
    const auto& values = comparison.reference.values.back();
    if (comparison.relative && !values.empty() &&
        std::ranges::all_of(values, [](double v) { return v == 0.0; })) {
      reading.complain(pair.value, who,
                       fmt::format("the reference of '{}' is zero throughout; "
                                   "relative to it nothing can be",
                                   pair.key));
    }
  }
  if (comparison.reference.names.empty()) {
    reading.complain(entry.value, who,
                     "'compare' is missing: which outputs, with which columns of "
                     "the reference");
  }
  column.comparison = reading.study.comparisons.size();
  reading.study.comparisons.push_back(std::move(comparison));
}

void read_expression(Reading& reading, const Node::Entry& entry, Column& column) {
  const std::string who = fmt::format("measure '{}'", entry.key);
  const Node& node = *entry.value.find("expression");
  try {
    column.expression = math::Expression::parse(node.text());
  } catch (const math::ExpressionError& error) {
    reading.problems.add(io::reading::position_in(node, error.position),
                         fmt::format("{}: {}", who, error.what()));
    return;
  }
  std::vector<std::string> known = reading.column_names();
  for (const Axis& axis : reading.study.axes) known.push_back(axis.name);
  for (const std::string& name : column.expression.variables()) {
    const auto axis = std::ranges::find(reading.study.axes, name, &Axis::name);
    if (axis != reading.study.axes.end()) {
      reading.check_numeric(*axis, node, who, "an expression");
    } else if (std::ranges::find(known, name) == known.end()) {
      reading.problems.add(io::reading::position_in(node, column.expression.position_of(name)),
                           fmt::format("{}: '{}' is no axis and no column above this one; {}", who,
                                       name, io::suggestion(name, known)));
    }
  }
}

/// A column relative to its value in another row.
void read_against(Reading& reading, const Node::Entry& entry, Column& column) {
  const std::string who = fmt::format("measure '{}'", entry.key);
  const auto of = reading.column(*entry.value.find("column"), who);
  if (of) column.of = *of;
  column.difference = reading.text(entry.value, "as", "ratio") == "difference";
  if (entries(entry.value, "against").empty()) {
    reading.complain(entry.value, who,
                     "'column' needs 'against': values of axes that name the row to measure by");
  }
  for (const Node::Entry& pair : entries(entry.value, "against")) {
    const std::vector<std::string> names = reading.axis_names();
    const auto axis = std::ranges::find(names, pair.key);
    if (axis == names.end()) {
      reading.problems.add(pair.position(), fmt::format("{}: no axis is called '{}'; {}", who,
                                                        pair.key, io::suggestion(pair.key, names)));
      continue;
    }
    const auto a = static_cast<std::size_t>(axis - names.begin());
    const Value value = reading.value(pair.value);
    const auto& values = reading.study.axes[a].values;
    if (!reading.known(reading.study.axes[a], value, pair.value, who)) continue;
    column.base.push_back(
        {a, static_cast<std::size_t>(std::ranges::find(values, value) - values.begin())});
  }
}

/// A run computes its condition number where it is asked to; to measure it is to ask.
void ask_for_condition_number(Study& study) {
  const auto asking = std::ranges::find_if(study.columns, &Column::needs_condition_number);
  if (asking == study.columns.end()) return;
  // Before what the study sets itself, which decides.
  study.set.insert(study.set.begin(), {std::string(kConditionNumberKey), "true", asking->position});
}

void read_measure(Reading& reading, const ReferenceFiles& files, const Node::Entry& entry) {
  const std::string who = fmt::format("measure '{}'", entry.key);
  const Node& map = entry.value;
  reading.check_name(entry, "measure");
  Column column;
  column.name = entry.key;
  column.position = entry.position();
  column.label = reading.text(map, "label", entry.key);
  column.unit = reading.text(map, "unit");
  const Node *field = map.find("field"), *reference = map.find("reference"),
             *expression = map.find("expression"), *other = map.find("column");
  if ((field != nullptr) + (reference != nullptr) + (expression != nullptr) + (other != nullptr) !=
      1) {
    reading.complain(map, who, "give one of 'field', 'reference' and 'expression', or "
                             "'column' with 'against'");
    return;
  }
  for (const char* key : {"against", "as"}) {
    if (map.find(key) && !other) {
      reading.complain(*map.find(key), who, fmt::format("'{}' goes with 'column' alone", key));
    }
  }
  if (const Node* of_runs = map.find("of_runs")) {
    if (reading.study.repeat.times == 1 || expression || other) {
      reading.complain(*of_runs, who,
                       "it goes with 'field' or 'reference', in a study with 'repeat'");
    }
    column.statistic = of_runs->text() == "smallest"  ? Statistic::smallest
                       : of_runs->text() == "largest" ? Statistic::largest
                                                      : Statistic::median;
  }
  for (const char* key : {"compare", "at", "relative"}) {
    if (map.find(key) && !reference) {
      reading.complain(*map.find(key), who, fmt::format("'{}' goes with 'reference' alone", key));
    }
  }
  if (field) {
    column.kind = Column::Kind::field;
    column.field = field->text();
    const std::vector<std::string> known = summary_fields();
    if (!column.field.starts_with(kFinal) &&
        std::ranges::find(known, column.field) == known.end()) {
      reading.complain(*field, who,
                       fmt::format("the summary has no number '{}'; {}", column.field,
                                   io::suggestion(column.field, known)));
    }
  } else if (reference) {
    column.kind = Column::Kind::error;
    read_comparison(reading, files, entry, column);
  } else if (other) {
    column.kind = Column::Kind::against;
    read_against(reading, entry, column);
  } else {
    column.kind = Column::Kind::expression;
    read_expression(reading, entry, column);
  }
  reading.study.columns.push_back(std::move(column));
}

void read_paper(Reading& reading, const Node::Entry& entry) {
  const std::string who = fmt::format("paper '{}'", entry.key);
  reading.check_name(entry, "paper");
  Column column;
  column.kind = Column::Kind::paper;
  column.name = entry.key;
  column.label = reading.text(entry.value, "label", entry.key);
  column.unit = reading.text(entry.value, "unit");
  column.paper.source = reading.text(entry.value, "source");
  for (const Node& node : entry.value.find("axes")->elements()) {
    const auto axis = reading.axis(node, who);
    if (axis && std::ranges::find(column.paper.axes, *axis) != column.paper.axes.end()) {
      reading.complain(node, who, fmt::format("axis '{}' is named twice", node.text()));
    }
    if (axis) column.paper.axes.push_back(*axis);
  }
  const std::size_t width = entry.value.find("axes")->size() + 1;
  for (const Node& row : entry.value.find("rows")->elements()) {
    if (row.size() != width || !row.is_sequence()) {
      reading.complain(row, who,
                       fmt::format("a row is a list of {} values: one of each axis, then "
                                   "the paper's number",
                                   width));
      continue;
    }
    if (column.paper.axes.size() + 1 != width) continue;  // an unknown axis was reported
    PaperEntry paper;
    for (std::size_t i = 0; i + 1 < width; ++i) {
      const Node& node = row.elements()[i];
      const Axis& axis = reading.study.axes[column.paper.axes[i]];
      paper.at.push_back(reading.value(node));
      // Numbers may lie where this study has no row; a word that nothing has is misspelt.
      if (!paper.at.back().number) reading.known(axis, paper.at.back(), node, who);
    }
    const Value value = reading.value(row.elements()[width - 1]);
    if (!value.number) {
      reading.complain(row.elements()[width - 1], who,
                       fmt::format("'{}' is no number", value.text));
      continue;
    }
    paper.value = *value.number;
    if (std::ranges::find(column.paper.entries, paper.at, &PaperEntry::at) !=
        column.paper.entries.end()) {
      reading.complain(row, who, "a row with these values of the axes is there already; remove one");
      continue;
    }
    column.paper.entries.push_back(std::move(paper));
  }
  reading.study.columns.push_back(std::move(column));
}

}  // namespace

void read_columns(Reading& reading) {
  const ReferenceFiles files = read_references(reading);
  for (const Node::Entry& entry : entries(reading.root, "measure")) {
    read_measure(reading, files, entry);
  }
  ask_for_condition_number(reading.study);
  for (const Node::Entry& entry : entries(reading.root, "paper")) read_paper(reading, entry);
  if (const Node* table = reading.root.find("table")) {
    for (const Node& node : table->elements()) {
      if (const auto column = reading.column(node, "table")) reading.study.table.push_back(*column);
    }
  } else {
    for (std::size_t k = 0; k < reading.study.columns.size(); ++k) reading.study.table.push_back(k);
  }
}

}  // namespace daedal::study::reading
