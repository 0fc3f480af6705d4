#include "daedal/io/svg_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace daedal::io {
namespace {

// Okabe and Ito's colours without the yellow, which white swallows; after the sixth line they
// return with dashes.
constexpr std::array<const char*, 6> kColours{"#0072b2", "#d55e00", "#009e73",
                                              "#cc79a7", "#56b4e9", "#e69f00"};
constexpr std::array<const char*, 3> kDashes{"", "7 3.5", "1.5 3.5"};

}  // namespace

const char* colour_of(std::size_t style) {
  return kColours[style % kColours.size()];
}
const char* dash_of(std::size_t style) {
  return kDashes[style / kColours.size() % kDashes.size()];
}

std::vector<std::size_t> styles_of(const std::vector<Series>& series) {
  std::vector<std::size_t> styles;
  std::size_t lines = 0;
  for (const Series& one : series) {
    if (!one.guide) ++lines;
    styles.push_back(lines > 0 ? lines - 1 : 0);
  }
  return styles;
}

bool has_place(double value, bool logarithmic) {
  return std::isfinite(value) && (!logarithmic || value > 0.0);
}

std::size_t length(const Series& series) {
  return std::min(series.x.size(), series.y.size());
}

std::string Lines::draw(const Series& series, std::size_t style) {
  path_.clear();
  dots_.clear();
  pen_is_down_ = false;
  const std::size_t n = length(series);
  const bool is_long = static_cast<double>(n) > 4.0 * box_.width;
  if (is_long && std::is_sorted(series.x.begin(), series.x.begin() + std::ptrdiff_t(n))) {
    draw_columns(series, n);
  } else {
    for (std::size_t i = 0; i < n; ++i) point(series, i);
  }
  if (series.guide) {
    return fmt::format(
        "<path d=\"{}\" stroke=\"{}\" stroke-width=\"1\" stroke-dasharray=\"1 4\"/>\n", path_,
        colour_of(style));
  }
  const char* dash = dash_of(style);
  std::string text =
      fmt::format("<path d=\"{}\" stroke=\"{}\"{}/>\n", path_, colour_of(style),
                  *dash != '\0' ? fmt::format(" stroke-dasharray=\"{}\"", dash) : std::string());
  if ((series.markers && !is_long) || n == 1) {
    text +=
        fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"6\"/>\n", dots_, colour_of(style));
  }
  return text;
}

/// Of each pixel column the first, lowest, highest and last point, in their order.
void Lines::draw_columns(const Series& series, std::size_t n) {
  const auto usable = [&](std::size_t i) {
    return has_place(series.x[i], x_.logarithmic) && has_place(series.y[i], y_.logarithmic);
  };
  const auto column = [&](std::size_t i) {
    return std::floor(x_.fraction(series.x[i]) * box_.width);
  };
  for (std::size_t i = 0; i < n;) {
    if (!usable(i)) {
      pen_is_down_ = false;
      ++i;
      continue;
    }
    std::size_t lowest = i, highest = i, last = i;
    const double here = column(i);
    for (std::size_t j = i + 1; j < n && usable(j) && column(j) == here; ++j) {
      if (series.y[j] < series.y[lowest]) lowest = j;
      if (series.y[j] > series.y[highest]) highest = j;
      last = j;
    }
    for (const std::size_t k : {i, std::min(lowest, highest), std::max(lowest, highest), last}) {
      point(series, k);
    }
    i = last + 1;
  }
}

void Lines::point(const Series& series, std::size_t i) {
  if (!has_place(series.x[i], x_.logarithmic) || !has_place(series.y[i], y_.logarithmic)) {
    pen_is_down_ = false;
    return;
  }
  // Hundredths of a pixel; a point on the last one is left out.
  const long px = std::lround(100.0 * (box_.left + box_.width * x_.fraction(series.x[i])));
  const long py = std::lround(100.0 * (box_.top + box_.height * (1.0 - y_.fraction(series.y[i]))));
  if (pen_is_down_ && px == last_x_ && py == last_y_) return;
  const std::string place = fmt::format("{:g} {:g}", double(px) / 100.0, double(py) / 100.0);
  if (pen_is_down_) {
    path_ += "L" + place;
  } else {
    path_ += "M" + place + "h0";  // alone between gaps, the round cap makes a dot of it
  }
  dots_ += "M" + place + "h0";
  pen_is_down_ = true;
  last_x_ = px;
  last_y_ = py;
}

}  // namespace daedal::io
