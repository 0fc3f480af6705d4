#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daedal/study/study.hpp"
#include "daedal/study/sweep.hpp"
#include "daedal/study/task.hpp"

namespace daedal::study {

/// One line of a study's table.
struct Line {
  Point point;
  std::string status, message;
  std::vector<std::optional<double>> values;  // of Study::columns; nothing where there is none
  std::map<std::string, Trace> traces{};
  Pattern pattern{};

  bool done() const { return status == "done"; }
};

/// What the literature gives for a point, if anything.
std::optional<double> paper_value(const Study& study, const PaperData& paper, const Point& point);

/// One row for the runs of a point: the median of each value, and with `smallest.` or `largest.`
/// before its name its extremes. The first run that is not done stands for all.
Row merged(std::span<const Row* const> runs);

/// The values of all columns of a point. A run that is not done has none but the paper's.
Line make_line(const Study& study, const Point& point, const Row& row);
/// Fills in what needs other lines.
void relate(const Study& study, std::vector<Line>& lines);

struct Results {
  std::vector<Line> lines;
  int jobs = 1;
  std::size_t resumed = 0;  // rows taken from an earlier, unfinished study
  bool interrupted = false;
};

/// Why `status` is not that of a run: it has not been started.
inline constexpr const char* kNotRun = "not_run";

std::optional<double> value_of(const Study& study, const Line& line, const Quantity& quantity);
/// An axis' or column's label with its unit: "step size [s]".
std::string label_of(const Study& study, const Quantity& quantity);

}  // namespace daedal::study
