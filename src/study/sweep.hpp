#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/study/study.hpp"

namespace daedal::study {

/// One point of the grid of axes: the index of the value of each axis.
using Point = std::vector<std::size_t>;

/// Every combination of the axes' values; the last axis runs fastest.
std::vector<Point> grid(const Study& study);

/// The assignments of a point with `{axis}` replaced: those of the study, then those of its axes,
/// then those of one of its runs.
std::vector<Assignment> assignments(const Study& study, const Point& point, int run = 0);
/// The same as `path=value`, for io::parse_model.
std::vector<std::string> overrides(std::span<const Assignment> assignments);

bool admits(const Study& study, const Where& where, const Point& point);

/// Indices of points that differ in one axis alone, in the order of that axis.
struct Group {
  std::vector<std::size_t> points;
  std::string label;  // "scaling = none": what they share and others do not
};
/// The admitted points, in groups along an axis.
std::vector<Group> groups(const Study& study, std::span<const Point> points, const Where& where,
                          std::size_t along);

}  // namespace daedal::study
