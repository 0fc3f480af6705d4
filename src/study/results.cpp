#include "daedal/study/results.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace daedal::study {

std::optional<double> paper_value(const Study& study, const PaperData& paper, const Point& point) {
  for (const PaperEntry& entry : paper.entries) {
    bool here = true;
    for (std::size_t i = 0; i < paper.axes.size(); ++i) {
      here = here && study.axes[paper.axes[i]].values[point[paper.axes[i]]] == entry.at[i];
    }
    if (here) return entry.value;
  }
  return std::nullopt;
}

namespace {

std::optional<double> find(const Row& row, const std::string& name) {
  const auto found = row.values.find(name);
  if (found == row.values.end() || !std::isfinite(found->second)) return std::nullopt;
  return found->second;
}

/// Nothing where a column it needs has no value, or where the result is not finite.
std::optional<double> evaluate(const math::Expression& expression,
                               const std::map<std::string, double>& values) {
  try {
    const double value = expression.bind(values).value();
    if (std::isfinite(value)) return value;
  } catch (const math::ExpressionError&) {
  }
  return std::nullopt;
}

/// Numeric axes of a line by their names.
std::map<std::string, double> numbers_of(const Study& study, const Point& point) {
  std::map<std::string, double> known;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    const Value& value = study.axes[a].values[point[a]];
    if (value.number) known[study.axes[a].name] = *value.number;
  }
  return known;
}

/// Where a merged row has the value of a column.
std::string name_in_row(const Column& column, const std::string& name) {
  switch (column.statistic) {
    case Statistic::smallest:
      return "smallest." + name;
    case Statistic::largest:
      return "largest." + name;
    case Statistic::median:
      break;
  }
  return name;
}

/// Of a column against its value in the row it is measured by.
std::optional<double> against(const Column& column, const std::vector<Line>& lines,
                              const Line& line) {
  Point base = line.point;
  for (const auto& [axis, value] : column.base) base[axis] = value;
  const auto found = std::ranges::find(lines, base, &Line::point);
  if (found == lines.end() || !found->values[column.of] || !line.values[column.of]) {
    return std::nullopt;
  }
  const double ours = *line.values[column.of], other = *found->values[column.of];
  const double value = column.difference ? std::abs(ours - other) : ours / other;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

Row merged(std::span<const Row* const> runs) {
  for (const Row* run : runs) {
    if (!run->done()) return *run;
  }
  if (runs.size() == 1) return *runs.front();
  Row all = *runs.front();
  for (const auto& [name, first] : runs.front()->values) {
    std::vector<double> values;
    for (const Row* run : runs) {
      if (const auto value = find(*run, name)) values.push_back(*value);
    }
    if (values.size() != runs.size()) {
      all.values.erase(name);
      continue;
    }
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    all.values[name] = values.size() % 2 == 1 ? values[middle]
                                              : 0.5 * (values[middle - 1] + values[middle]);
    all.values["smallest." + name] = values.front();
    all.values["largest." + name] = values.back();
  }
  return all;
}

void relate(const Study& study, std::vector<Line>& lines) {
  for (std::size_t k = 0; k < study.columns.size(); ++k) {
    const Column& column = study.columns[k];
    for (Line& line : lines) {
      if (!line.done() || line.values[k]) continue;
      if (column.kind == Column::Kind::against) line.values[k] = against(column, lines, line);
      if (column.kind != Column::Kind::expression) continue;
      std::map<std::string, double> known = numbers_of(study, line.point);
      for (std::size_t i = 0; i < k; ++i) {
        if (line.values[i]) known[study.columns[i].name] = *line.values[i];
      }
      line.values[k] = evaluate(column.expression, known);
    }
  }
}

Line make_line(const Study& study, const Point& point, const Row& row) {
  Line line{point, row.status, row.message, {}, row.traces, row.pattern};
  std::map<std::string, double> known = numbers_of(study, point);
  for (const Column& column : study.columns) {
    std::optional<double> value;
    if (column.kind == Column::Kind::paper) {
      value = paper_value(study, column.paper, point);
    } else if (row.done()) {
      switch (column.kind) {
        case Column::Kind::field:
          value = find(row, name_in_row(column, column.field));
          break;
        case Column::Kind::error:
          value = find(row, name_in_row(column, "error." + column.name));
          break;
        case Column::Kind::expression:
          value = evaluate(column.expression, known);
          break;
        case Column::Kind::against:
        case Column::Kind::paper:
          break;
      }
    }
    if (value) known[column.name] = *value;
    line.values.push_back(value);
  }
  return line;
}

std::optional<double> value_of(const Study& study, const Line& line, const Quantity& quantity) {
  if (!quantity.is_axis) return line.values[quantity.index];
  return study.axes[quantity.index].values[line.point[quantity.index]].number;
}

std::string label_of(const Study& study, const Quantity& quantity) {
  const auto with_unit = [](const auto& named) {
    return named.unit.empty() ? named.label : fmt::format("{} [{}]", named.label, named.unit);
  };
  return quantity.is_axis ? with_unit(study.axes[quantity.index])
                          : with_unit(study.columns[quantity.index]);
}

}  // namespace daedal::study
