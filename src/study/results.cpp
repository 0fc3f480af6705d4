#include "daedal/study/results.hpp"

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

}  // namespace

Line make_line(const Study& study, const Point& point, const Row& row) {
  Line line{point, row.status, row.message, {}};
  std::map<std::string, double> known;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    const Value& value = study.axes[a].values[point[a]];
    if (value.number) known[study.axes[a].name] = *value.number;
  }
  for (const Column& column : study.columns) {
    std::optional<double> value;
    if (column.kind == Column::Kind::paper) {
      value = paper_value(study, column.paper, point);
    } else if (row.done()) {
      switch (column.kind) {
        case Column::Kind::field:
          value = find(row, column.field);
          break;
        case Column::Kind::error:
          value = find(row, "error." + column.name);
          break;
        case Column::Kind::expression:
          value = evaluate(column.expression, known);
          break;
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
