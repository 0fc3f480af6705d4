#pragma once

#include <span>
#include <string>
#include <vector>

namespace daedal::io {

/// One line; a nan (or a value a logarithm has no place for) makes a gap.
struct Series {
  std::string label;
  std::vector<double> x;
  std::vector<double> y;
  bool markers = false;  // dots at the points, for few and measured ones
  bool guide = false;    // thin and dotted in the colour of the line before it, not in the legend
};

struct Axis {
  std::string label;
  bool logarithmic = false;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

struct PlotSize {
  int width = 760;         // [px]
  int panel_height = 340;  // [px] of each panel with its labels
};

/// What a plot cannot show, as a sentence without its point: "2 of 6 points are left out: ...".
/// Empty if there is room for all.
std::string left_out(const Plot& plot);

/// A line plot as a complete SVG document. Series longer than the plot has pixels are drawn by the
/// smallest and largest value of each pixel column, so that no peak is lost.
std::string svg(const Plot& plot, const PlotSize& size = {});
/// Panels stacked over one another with a shared x axis (that of the first panel).
std::string svg(std::span<const Plot> panels, const PlotSize& size = {});

}  // namespace daedal::io
