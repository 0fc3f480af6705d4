#include "daedal/io/svg_pattern.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "daedal/io/markup.hpp"

namespace daedal::io {
namespace {

constexpr double kSide = 400.0;  // [px] of the matrix
constexpr double kLeft = 50.0;   // [px] margins, for the names of the parts and the title
constexpr double kTop = 52.0;
constexpr double kRight = 14.0;
constexpr double kBottom = 34.0;
constexpr double kWidth = kLeft + kSide + kRight;
constexpr double kHeight = kTop + kSide + kBottom;

int size_of(const PatternPlot& plot) {
  return std::accumulate(plot.parts.begin(), plot.parts.end(), 0,
                         [](int sum, const PatternPlot::Part& part) { return sum + part.size; });
}

std::string draw(const PatternPlot& plot, double left) {
  std::string text;
  const auto put = [&](auto format, auto... values) {
    fmt::format_to(std::back_inserter(text), fmt::runtime(format), values...);
  };
  const int size = size_of(plot);
  const double cell = kSide / std::max(1, size);
  put("<g transform=\"translate({:g} {:g})\">\n", left + kLeft, kTop);
  put("<text x=\"0\" y=\"-28\" font-size=\"13\" font-weight=\"600\" fill=\"#111\">{}</text>\n",
      escape_markup(plot.title));
  put("<text x=\"0\" y=\"{:g}\" font-size=\"11\" fill=\"#666\">{} rows, {} entries that differ from "
      "zero</text>\n",
      kSide + 20.0, size, plot.rows.size());
  put("<path fill=\"#0072b2\" d=\"");
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    put("M{:.2f} {:.2f}h{:.2f}v{:.2f}h-{:.2f}z", cell * plot.columns[i], cell * plot.rows[i], cell,
        cell, cell);
  }
  put("\"/>\n<path fill=\"none\" stroke=\"#999\" stroke-width=\"0.7\" d=\"");
  double at = 0.0;
  for (const PatternPlot::Part& part : plot.parts) {
    at += cell * part.size;
    put("M{:.2f} 0V{:g}M0 {:.2f}H{:g}", at, kSide, at, kSide);
  }
  put("M0 0H{:g}M0 0V{:g}\"/>\n", kSide, kSide);
  at = 0.0;
  for (const PatternPlot::Part& part : plot.parts) {
    const double middle = at + 0.5 * cell * part.size;
    at += cell * part.size;
    if (part.size == 0) continue;
    const std::string name = escape_markup(part.name);
    put("<text x=\"{:.2f}\" y=\"-7\" font-size=\"11\" text-anchor=\"middle\">{}</text>\n", middle,
        name);
    put("<text x=\"-6\" y=\"{:.2f}\" font-size=\"11\" text-anchor=\"end\">{}</text>\n", middle + 4.0,
        name);
  }
  return text + "</g>\n";
}

}  // namespace

std::string svg(std::span<const PatternPlot> panels) {
  const double width = kWidth * static_cast<double>(panels.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" font-family=\"Helvetica, Arial, sans-serif\" fill=\"#333\">\n"
      "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"white\"/>\n",
      width, kHeight);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    text += draw(panels[i], kWidth * static_cast<double>(i));
  }
  return text + "</svg>\n";
}

}  // namespace daedal::io
