#include "daedal/study/sweep.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace daedal::study {

namespace {

constexpr std::string_view kRun = "{run}";

/// The text with `{axis}` and `{run}` replaced. What is put in is not searched again: axes that name each other
/// would double the text with every axis.
std::string with_values(std::string_view text, const Study& study, const Point& point, int run) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    result += text.substr(0, open);
    text.remove_prefix(open);
    const std::size_t close = text.find('}');
    const auto axis = close == text.npos
                          ? study.axes.end()
                          : std::ranges::find(study.axes, text.substr(1, close - 1), &Axis::name);
    if (text.substr(0, close + 1) == kRun) {
      result += fmt::format("{}", run);
      text.remove_prefix(close + 1);
    } else if (axis != study.axes.end()) {
      const auto a = static_cast<std::size_t>(axis - study.axes.begin());
      result += axis->values[point[a]].text;
      text.remove_prefix(close + 1);
    } else if (!text.empty()) {  // a brace of the value's own
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace

std::vector<Point> grid(const Study& study) {
  std::vector<Point> points{Point{}};
  for (const Axis& axis : study.axes) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (std::size_t k = 0; k < axis.values.size(); ++k) {
        longer.push_back(point);
        longer.back().push_back(k);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<Assignment> assignments(const Study& study, const Point& point, int run) {
  std::vector<Assignment> all = study.set;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    const std::vector<Assignment>& own = study.axes[a].set[point[a]];
    all.insert(all.end(), own.begin(), own.end());
  }
  all.insert(all.end(), study.repeat.set.begin(), study.repeat.set.end());
  for (Assignment& assignment : all) {
    assignment.value = with_values(assignment.value, study, point, run);
  }
  return all;
}

std::vector<std::string> overrides(std::span<const Assignment> assignments) {
  std::vector<std::string> all;
  for (const Assignment& a : assignments) all.push_back(fmt::format("{}={}", a.path, a.value));
  return all;
}

bool admits(const Study& study, const Where& where, const Point& point) {
  return std::ranges::all_of(where, [&](const Condition& condition) {
    const Value& value = study.axes[condition.axis].values[point[condition.axis]];
    if (!condition.any.empty())
      return std::ranges::find(condition.any, value) != condition.any.end();
    constexpr double kEdge = 1e-9;  // relative
    if (!value.number) return false;
    const double edge = kEdge * std::abs(*value.number);
    return (!condition.from || *value.number >= *condition.from - edge) &&
           (!condition.to || *value.number <= *condition.to + edge);
  });
}

std::vector<Group> groups(const Study& study, std::span<const Point> points, const Where& where,
                          std::size_t along) {
  std::map<Point, Group> by_rest;  // key: the point without its value on `along`
  std::vector<std::set<std::size_t>> seen(study.axes.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!admits(study, where, points[i])) continue;
    Point rest = points[i];
    rest[along] = 0;
    by_rest[rest].points.push_back(i);
    for (std::size_t a = 0; a < seen.size(); ++a) seen[a].insert(points[i][a]);
  }
  std::vector<Group> all;
  for (auto& [rest, group] : by_rest) {
    std::vector<std::string> shared;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      if (a == along || seen[a].size() < 2) continue;
      shared.push_back(
          fmt::format("{} = {}", study.axes[a].name, study.axes[a].values[rest[a]].text));
    }
    group.label = fmt::format("{}", fmt::join(shared, ", "));
    all.push_back(std::move(group));
  }
  return all;
}

}  // namespace daedal::study
