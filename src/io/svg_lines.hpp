#pragma once

// Private to the plots: colours, and the path of a line.

#include <string>
#include <vector>

#include "daedal/io/plot_axis.hpp"
#include "daedal/io/svg_plot.hpp"

namespace daedal::io {

/// Colour and dashes of the line with number `style`; an empty text is a solid line.
const char* colour_of(std::size_t style);
const char* dash_of(std::size_t style);
/// The number of each line's style; a guide has that of the line before it.
std::vector<std::size_t> styles_of(const std::vector<Series>& series);

/// False for nan, and for what a logarithm has no place for.
bool has_place(double value, bool logarithmic);
std::size_t length(const Series& series);

struct Box {
  double left, top, width, height;
};

/// Draws the lines of one panel into its box.
class Lines {
 public:
  Lines(const Box& box, const Scale& x, const Scale& y) : box_(box), x_(x), y_(y) {}

  std::string draw(const Series& series, std::size_t style);

 private:
  void draw_columns(const Series& series, std::size_t n);
  void point(const Series& series, std::size_t i);

  const Box& box_;
  const Scale& x_;
  const Scale& y_;
  std::string path_;
  std::string dots_;
  bool pen_is_down_ = false;
  long last_x_ = 0;
  long last_y_ = 0;
};

}  // namespace daedal::io
