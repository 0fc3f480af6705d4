#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "daedal/study/fit.hpp"
#include "daedal/study/report.hpp"

namespace daedal::study {

namespace {

/// Points of a line that have both values, by x.
io::Series line_of(const Study& study, const Results& results, const PlotRequest& request,
                   const Group& group, std::size_t column) {
  std::vector<std::pair<double, double>> points;
  for (const std::size_t i : group.points) {
    const Line& line = results.lines[i];
    const auto x = value_of(study, line, request.x), y = line.values[column];
    if (x && y) points.emplace_back(*x, *y);
  }
  if (request.x.is_axis) std::ranges::sort(points);
  io::Series series;
  series.markers = true;
  for (const auto& [x, y] : points) {
    series.x.push_back(x);
    series.y.push_back(y);
  }
  return series;
}

/// Up to so many changes each has its mark.
constexpr std::size_t kMarked = 200;

/// "method = hem5, h = 0.1"
std::string row_name(const Study& study, const Point& point) {
  std::string name;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", study.axes[a].name,
                        study.axes[a].values[point[a]].text);
  }
  return name;
}

/// `title: name`
std::string titled(const std::string& title, const std::string& name) {
  return title.empty() ? name : title + ": " + name;
}

std::string slope_text(double slope) {
  const double rounded = std::round(100.0 * slope) / 100.0;
  return fmt::format("{}{:.2f}", rounded < 0.0 ? "\u2212" : "", std::abs(rounded));
}

}  // namespace

io::Plot make_plot(const Study& study, const Results& results, const PlotRequest& request) {
  std::vector<Point> points;
  for (const Line& line : results.lines) points.push_back(line.point);
  io::Plot plot;
  plot.title = request.title;
  plot.x = {label_of(study, request.x), request.log_x};
  if (request.y.size() == 1) plot.y.label = label_of(study, {false, request.y.front()});
  plot.y.logarithmic = request.log_y;
  for (const std::size_t column : request.y) {
    for (const Group& group : groups(study, points, request.where, request.along)) {
      io::Series series = line_of(study, results, request, group, column);
      const std::string name = request.y.size() > 1 ? study.columns[column].label : "";
      series.label = name + (name.empty() || group.label.empty() ? "" : ", ") + group.label;
      if (series.label.empty()) series.label = study.columns[column].label;
      std::optional<PowerLaw> law;
      if (request.fit && series.x.size() >= 3) law = fit_power_law(series.x, series.y);
      if (law) series.label += fmt::format(" (slope {})", slope_text(law->slope));
      plot.series.push_back(series);
      if (!law) continue;
      const auto [low, high] = std::ranges::minmax(series.x);
      io::Series guide;
      guide.guide = true;
      guide.x = {low, high};
      guide.y = {(*law)(low), (*law)(high)};
      plot.series.push_back(std::move(guide));
    }
  }
  return plot;
}

std::vector<io::Plot> make_traces(const Study& study, const Results& results,
                                  const TraceRequest& request) {
  // One panel per line of the table or per quantity; the others are its curves.
  const bool by_row = request.panel == TraceRequest::Panel::row;
  std::vector<io::Plot> panels;
  const auto add_panel = [&](const std::string& title) -> io::Plot& {
    io::Plot panel;
    panel.title = titled(request.title, title);
    panel.x.label = "t [s]";
    panel.y.logarithmic = request.log_y;
    return panels.emplace_back(std::move(panel));
  };
  const auto add_series = [](io::Plot& panel, const std::string& label, const Trace& trace) {
    const bool markers = trace.t.size() <= kMarked;
    panel.series.push_back({.label = label, .x = trace.t, .y = trace.value, .markers = markers});
  };
  if (!by_row) {
    for (const std::string& name : request.of) add_panel(name);
  }
  for (const Line& line : results.lines) {
    if (line.traces.empty() || !admits(study, request.where, line.point)) continue;
    const std::string row = row_name(study, line.point);
    if (by_row) add_panel(row);
    for (std::size_t i = 0; i < request.of.size(); ++i) {
      const std::string& name = request.of[i];
      const auto trace = line.traces.find(name);
      if (trace == line.traces.end()) continue;
      add_series(by_row ? panels.back() : panels[i], by_row ? name : row, trace->second);
    }
  }
  return panels;
}

std::vector<io::PatternPlot> make_patterns(const Study& study, const Results& results,
                                           const PatternRequest& request) {
  constexpr std::array<const char*, 5> kParts{"q", "v", "λ", "η", "x"};
  std::vector<io::PatternPlot> panels;
  for (const Line& line : results.lines) {
    if (line.pattern.parts.empty() || !admits(study, request.where, line.point)) continue;
    io::PatternPlot panel{titled(request.title, row_name(study, line.point)), {}, line.pattern.rows,
                          line.pattern.columns};
    for (std::size_t i = 0; i < std::min(kParts.size(), line.pattern.parts.size()); ++i) {
      panel.parts.push_back({kParts[i], line.pattern.parts[i]});
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace daedal::study
