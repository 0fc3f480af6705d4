#include "daedal/io/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "daedal/io/markup.hpp"
#include "daedal/io/plot_axis.hpp"
#include "daedal/io/svg_lines.hpp"

namespace daedal::io {
namespace {

constexpr double kRight = 22.0;  // [px] margins
constexpr double kTop = 14.0;
constexpr double kTitle = 24.0;  // [px] heights
constexpr double kLegendLine = 19.0;
constexpr double kFactorLine = 16.0;
constexpr double kNoteLine = 18.0;
constexpr double kTickLabels = 22.0;
constexpr double kAxisLabel = 22.0;
constexpr double kGap = 16.0;     // between panels
constexpr double kFrame = 96.0;   // of a panel's height: what is not plot
constexpr double kSwatch = 30.0;  // [px] line in the legend and its space

/// Width [px] of a text at font size 12, by the widest of the common fonts.
double text_width(std::string_view text) {
  double width = 0.0;
  for (const char c : text) {
    if ((c & 0xC0) == 0x80) continue;  // the rest of a character of several bytes
    const bool is_thin = std::string_view("ijltfr.,:;'|!()[] -").find(c) != std::string_view::npos;
    const bool is_wide = std::string_view("mwMW@%").find(c) != std::string_view::npos;
    const bool is_capital = c >= 'A' && c <= 'Z';
    width += is_thin ? 4.8 : is_wide ? 11.5 : is_capital ? 8.6 : 7.6;
  }
  return width;
}

/// `10` with a raised exponent; not all viewers know baseline-shift, all know dy.
std::string with_exponent(const std::string& text, const std::string& exponent) {
  if (exponent.empty()) return text;
  return fmt::format("{}<tspan dy=\"-4.5\" font-size=\"9\">{}</tspan>", text, exponent);
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

/// Where each entry of the legend stands, in lines as wide as the plot.
struct LegendEntry {
  std::size_t series;
  double x;
  int line;
};

std::vector<LegendEntry> arrange_legend(const Plot& plot, double width) {
  std::vector<LegendEntry> entries;
  // A single line needs none: its axis names it. A guide beside it tells of a slope in its label.
  if (plot.series.size() < 2) return entries;
  double x = 0.0;
  int line = 0;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const std::string& label = plot.series[i].label;
    if (label.empty() || plot.series[i].guide) continue;
    const double needed = kSwatch + text_width(label) + 14.0;
    if (x > 0.0 && x + needed > width) {
      x = 0.0;
      ++line;
    }
    entries.push_back({i, x, line});
    x += needed;
  }
  return entries;
}

Scale scale_of(const Range& range, bool logarithmic, int wanted, double pad) {
  if (range.empty())
    return make_scale(logarithmic ? 1.0 : 0.0, logarithmic ? 10.0 : 1.0, logarithmic, wanted, 0.0);
  // Halves of the largest number, so that the difference of the ends is a number too.
  const double most = 0.4 * std::numeric_limits<double>::max();
  return make_scale(std::clamp(range.low, -most, most), std::clamp(range.high, -most, most),
                    logarithmic, wanted, pad);
}

class Picture {
 public:
  Picture(std::span<const Plot> panels, const PlotSize& size) : panels_(panels), size_(size) {
    find_scales();
    double widest = 0.0;
    for (const Scale& scale : y_) {
      for (const Tick& tick : scale.ticks) {
        widest = std::max(widest, 0.9 * text_width(tick.label) + 0.7 * text_width(tick.exponent));
      }
    }
    left_ = widest + 14.0 + (has_y_label() ? 24.0 : 10.0);
    width_ = std::max(50.0, double(size.width) - left_ - kRight);
    plot_height_ = std::max(40.0, double(size.panel_height) - kFrame);
  }

  std::string draw() {
    double top = kTop;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      top = panel(i, top) + (i + 1 < panels_.size() ? kGap : 0.0);
    }
    const double height = std::ceil(top + kTickLabels + (x_label().empty() ? 4.0 : kAxisLabel));
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:g}\" "
        "viewBox=\"0 0 {0} {1:g}\" font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', "
        "'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#333\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}</svg>\n",
        size_.width, height, body_);
  }

 private:
  void find_scales() {
    Range x;
    const bool log_x = !panels_.empty() && panels_.front().x.logarithmic;
    for (const Plot& plot : panels_) {
      Range y;
      for (const Series& series : plot.series) {
        for (std::size_t i = 0; i < length(series); ++i) {
          if (!has_place(series.x[i], log_x) || !has_place(series.y[i], plot.y.logarithmic)) {
            continue;
          }
          x.add(series.x[i]);
          y.add(series.y[i]);
        }
      }
      is_empty_.push_back(y.empty());
      y_.push_back(scale_of(y, plot.y.logarithmic, 5, 0.05));
    }
    // Time runs from edge to edge; the few points of a measured line do not.
    bool has_markers = false;
    for (const Plot& plot : panels_) {
      has_markers |= std::ranges::any_of(plot.series, &Series::markers);
    }
    x_ = scale_of(x, log_x, std::max(3, size_.width / 95), has_markers ? 0.04 : 0.0);
  }

  bool has_y_label() const {
    return std::ranges::any_of(panels_, [](const Plot& plot) { return !plot.y.label.empty(); });
  }
  std::string x_label() const {
    for (const Plot& plot : panels_) {
      if (!plot.x.label.empty()) return plot.x.label;
    }
    return {};
  }

  template <class... Args>
  void put(fmt::format_string<Args...> pattern, Args&&... args) {
    body_ += fmt::format(pattern, std::forward<Args>(args)...);
  }

  /// Draws one panel from `top` down; returns the lower edge of its plot.
  double panel(std::size_t index, double top) {
    const Plot& plot = panels_[index];
    const Scale& y = y_[index];
    if (!plot.title.empty()) {
      put("<text x=\"{:g}\" y=\"{:g}\" font-size=\"14\" font-weight=\"600\" fill=\"#111\">{}"
          "</text>\n",
          left_, top + 13.0, escape_markup(plot.title));
      top += kTitle;
    }
    top = legend(plot, top);
    if (!y.factor.empty() || !y.offset.empty()) {
      put("<text x=\"{:g}\" y=\"{:g}\" font-size=\"11\" fill=\"#666\">{}</text>\n", left_,
          top + 10.0,
          (y.factor.empty() ? "" : with_exponent(y.factor, y.factor_exponent)) +
              (y.factor.empty() || y.offset.empty() ? "" : "<tspan dy=\"4.5\">&#160;</tspan>") +
              y.offset);
      top += kFactorLine;
    }
    if (const std::string note = left_out(plot); !note.empty()) {
      put("<text x=\"{:g}\" y=\"{:g}\" font-size=\"11\" fill=\"#666\">{}</text>\n", left_,
          top + 10.0, escape_markup(note));
      top += kNoteLine;
    }
    const Box box{left_, top, width_, plot_height_};
    grid(box, y, index + 1 == panels_.size());
    if (!plot.y.label.empty()) {
      put("<text transform=\"translate(16 {:g}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
          box.top + box.height / 2.0, escape_markup(plot.y.label));
    }
    put("<g fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\">\n");
    Lines lines(box, x_, y);
    const std::vector<std::size_t> styles = styles_of(plot.series);
    for (std::size_t i = 0; i < styles.size(); ++i) body_ += lines.draw(plot.series[i], styles[i]);
    put("</g>\n");
    if (is_empty_[index]) {
      put("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\" fill=\"#999\">no data</text>\n",
          box.left + box.width / 2.0, box.top + box.height / 2.0);
    }
    return box.top + box.height;
  }

  double legend(const Plot& plot, double top) {
    const std::vector<LegendEntry> entries = arrange_legend(plot, width_);
    const std::vector<std::size_t> styles = styles_of(plot.series);
    for (const LegendEntry& entry : entries) {
      const double x = left_ + entry.x;
      const double y = top + kLegendLine * entry.line + 7.0;
      const char* dash = dash_of(styles[entry.series]);
      put("<path d=\"M{:g} {:g}h22\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" "
          "stroke-linecap=\"round\"/><text x=\"{:g}\" y=\"{:g}\">{}</text>\n",
          x, y, colour_of(styles[entry.series]), *dash != '\0' ? dash : "none",
          x + kSwatch, y + 4.0, escape_markup(plot.series[entry.series].label));
    }
    return entries.empty() ? top : top + kLegendLine * (entries.back().line + 1) + 5.0;
  }

  void grid(const Box& box, const Scale& y, bool is_last) {
    std::string minor, major;
    const auto vertical = [&](double value) {
      return fmt::format("M{:.2f} {:g}v{:g}", box.left + box.width * x_.fraction(value), box.top,
                         box.height);
    };
    const auto horizontal = [&](double value) {
      return fmt::format("M{:g} {:.2f}h{:g}", box.left,
                         box.top + box.height * (1.0 - y.fraction(value)), box.width);
    };
    for (const double value : x_.minor) minor += vertical(value);
    for (const double value : y.minor) minor += horizontal(value);
    for (const Tick& tick : x_.ticks) major += vertical(tick.value);
    for (const Tick& tick : y.ticks) major += horizontal(tick.value);
    put("<path d=\"{}\" stroke=\"#f2f2f2\"/>\n<path d=\"{}\" stroke=\"#e0e0e0\"/>\n", minor, major);
    put("<path d=\"M{:g} {:g}v{:g}h{:g}\" fill=\"none\" stroke=\"#888\"/>\n", box.left, box.top,
        box.height, box.width);
    for (const Tick& tick : y.ticks) {
      put("<text x=\"{:g}\" y=\"{:.2f}\" text-anchor=\"end\" font-size=\"11\">{}</text>\n",
          box.left - 7.0, box.top + box.height * (1.0 - y.fraction(tick.value)) + 4.0,
          with_exponent(tick.label, tick.exponent));
    }
    if (is_last) x_labels(box);
  }

  void x_labels(const Box& box) {
    const double base = box.top + box.height;
    for (const Tick& tick : x_.ticks) {
      put("<text x=\"{:.2f}\" y=\"{:g}\" text-anchor=\"middle\" font-size=\"11\">{}</text>\n",
          box.left + box.width * x_.fraction(tick.value), base + 17.0,
          with_exponent(tick.label, tick.exponent));
    }
    std::string label = escape_markup(x_label());
    if (!x_.factor.empty()) {
      label += (label.empty() ? "" : "  ") + with_exponent(x_.factor, x_.factor_exponent) +
               "<tspan dy=\"4.5\"> </tspan>";
    }
    label += x_.offset;
    put("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
        box.left + box.width / 2.0, base + kTickLabels + 15.0, label);
  }

  std::span<const Plot> panels_;
  PlotSize size_;
  Scale x_;
  std::vector<Scale> y_;
  std::vector<bool> is_empty_;
  double left_ = 0.0;
  double width_ = 0.0;
  double plot_height_ = 0.0;
  std::string body_;
};

}  // namespace

std::string left_out(const Plot& plot) {
  std::size_t points = 0, without_place = 0;
  for (const Series& series : plot.series) {
    if (series.guide) continue;
    for (std::size_t i = 0; i < length(series); ++i) {
      if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
      ++points;
      if (!has_place(series.x[i], plot.x.logarithmic) ||
          !has_place(series.y[i], plot.y.logarithmic)) {
        ++without_place;
      }
    }
  }
  if (without_place == 0) return {};
  return fmt::format(
      "{} of {} points {} left out: zero and negative values have no place on a "
      "logarithmic axis",
      without_place, points, without_place == 1 ? "is" : "are");
}

std::string svg(std::span<const Plot> panels, const PlotSize& size) {
  return Picture(panels, size).draw();
}

std::string svg(const Plot& plot, const PlotSize& size) {
  return svg(std::span(&plot, 1), size);
}

}  // namespace daedal::io
