#include "daedal/io/svg_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "daedal/io/plot_axis.hpp"

namespace daedal::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> all;
  for (const Tick& tick : scale.ticks) {
    all.push_back(tick.exponent.empty() ? tick.label : tick.label + "^" + tick.exponent);
  }
  return all;
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(PlotAxis, TicksAreRoundNumbers) {
  EXPECT_THAT(labels(make_scale(0, 2, false, 5, 0)),
              ElementsAre("0.0", "0.5", "1.0", "1.5", "2.0"));
  EXPECT_THAT(labels(make_scale(-1, 1, false, 4, 0)),
              ElementsAre("\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"));
  EXPECT_THAT(labels(make_scale(0, 70, false, 4, 0)), ElementsAre("0", "20", "40", "60"));
}

TEST(PlotAxis, LargeAndSmallNumbersShareAPowerOfTen) {
  const Scale scale = make_scale(0, 4e-9, false, 4, 0);
  EXPECT_THAT(labels(scale), ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_EQ(scale.factor_exponent, "\u22129");
  EXPECT_EQ(make_scale(0, 4e7, false, 4, 0).factor_exponent, "7");
}

TEST(PlotAxis, NearlyConstantValuesShareAnOffset) {
  const Scale scale = make_scale(9.80665, 9.80665 + 4e-6, false, 4, 0);
  EXPECT_EQ(scale.offset, "+ 9.80665");
  EXPECT_THAT(labels(scale), ElementsAre("0", "1", "2", "3", "4"));
}

TEST(PlotAxis, LogarithmicTicksAreDecades) {
  EXPECT_THAT(labels(make_scale(1e-3, 10, true, 5, 0)),
              ElementsAre("10^\u22123", "10^\u22122", "10^\u22121", "10^0", "10^1"));
  EXPECT_THAT(labels(make_scale(2, 5, true, 5, 0)), Not(testing::IsEmpty()));
  EXPECT_LE(make_scale(1e-300, 1e300, true, 5, 0).ticks.size(), 6u);
}

TEST(PlotAxis, AnyFiniteRangeHasAFewDistinctTicks) {
  for (const double low : {-1e300, -1.0, 0.0, 1e-300, 1.0, 1e15}) {
    for (const double span : {0.0, 1e-320, 1e-12, 1.0, 1e300}) {
      const Scale scale = make_scale(low, low + span, false, 5, 0.05);
      EXPECT_GT(scale.high, scale.low);
      EXPECT_GE(scale.ticks.size(), 2u) << low << " " << span;
      EXPECT_LE(scale.ticks.size(), 21u) << low << " " << span;
      for (const Tick& tick : scale.ticks) {
        EXPECT_TRUE(std::isfinite(scale.fraction(tick.value))) << low << " " << span;
      }
    }
  }
}

TEST(SvgPlot, ContainsTitleLabelsAndLegend) {
  const Plot plot{
      "A & B <1>", {"time [s]"}, {"x [m]"}, {{"one", {0, 1}, {0, 1}}, {"two", {0, 1}, {1, 0}}}};
  const std::string text = svg(plot);
  EXPECT_THAT(text, HasSubstr("A &amp; B &lt;1&gt;"));
  EXPECT_THAT(text, HasSubstr("time [s]"));
  EXPECT_THAT(text, HasSubstr(">one</text>"));
  EXPECT_THAT(text, HasSubstr(">two</text>"));
}

TEST(SvgPlot, AGuideHasTheColourOfItsLineAndNoLegend) {
  const Series guide{.label = "hidden", .x = {0, 1}, .y = {0, 1}, .guide = true};
  const Plot plot{"", {}, {}, {{"one", {0, 1}, {0, 1}}, guide, {"two", {0, 1}, {1, 0}}, guide}};
  const std::string text = svg(plot);
  EXPECT_THAT(text, Not(HasSubstr("hidden")));
  // Legend, line, guide.
  EXPECT_EQ(count(text, "#0072b2"), 3);
  EXPECT_EQ(count(text, "#d55e00"), 3);
  EXPECT_EQ(count(text, "stroke-dasharray=\"1 4\""), 2);
}

TEST(SvgPlot, LongSeriesKeepTheirPeaks) {
  Series series{"", {}, {}};
  for (int i = 0; i < 200000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 123456 ? 1.0 : 0.0);
  }
  const Plot plot{"", {}, {}, {series}};
  const std::string text = svg(plot);
  EXPECT_LT(text.size(), 100000u);
  // The lowest and highest place of the curve are 1/1.1 of the plot apart.
  double top = 1e9, bottom = 0.0;
  const std::size_t start = text.find("<path d=\"M", text.find("<g fill=\"none\""));
  std::istringstream curve(text.substr(start + 9, text.find('"', start + 9) - start - 9));
  for (std::string point; std::getline(curve, point, 'L');) {
    const double y = std::stod(point.substr(point.find(' ')));
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  EXPECT_NEAR((bottom - top) * 1.1, 340.0 - 96.0, 0.1);
}

TEST(SvgPlot, NanAndWhatALogarithmHasNoPlaceForMakeGaps) {
  const Plot gap{"", {}, {}, {{"", {0, 1, 2, 3, 4}, {1, 2, kNaN, 3, 4}}}};
  EXPECT_EQ(count(svg(gap), "h0"), 2);
  const Plot log{"", {}, {"", true}, {{"", {0, 1, 2, 3}, {1, 0, -1, 2}}}};
  EXPECT_EQ(count(svg(log), "h0"), 2);
  EXPECT_THAT(svg(log), Not(HasSubstr("nan")));
  EXPECT_THAT(left_out(log), testing::StartsWith("2 of 4 points are left out"));
  EXPECT_THAT(svg(log), HasSubstr(left_out(log)));
  const Plot one{"", {"", true}, {"", true}, {{"", {0, 1, 2, NAN}, {1, 1, 2, 1}}}};
  EXPECT_THAT(left_out(one), testing::StartsWith("1 of 3 points is left out"));
  const Plot linear{"", {}, {}, {{"", {0, 1, 2}, {1, 0, -1}}}};
  EXPECT_EQ(left_out(linear), "");
}

TEST(SvgPlot, StackedPanelsShareTheirTimeAxis) {
  const Plot a{"first", {"time [s]"}, {}, {{"", {0, 1}, {0, 1}}}};
  const Plot b{"second", {"time [s]"}, {}, {{"", {0, 3}, {0, 1}}}};
  const std::vector<Plot> panels{a, b};
  const std::string text = svg(panels);
  EXPECT_EQ(count(text, "time [s]"), 1);
  EXPECT_THAT(text, HasSubstr("first"));
  EXPECT_THAT(text, HasSubstr("second"));
}

TEST(SvgPlot, DegenerateDataIsDrawnWithoutNan) {
  const double huge = std::numeric_limits<double>::max();
  for (const Plot& plot :
       {Plot{}, Plot{"", {}, {}, {{"", {}, {}}}}, Plot{"", {}, {}, {{"", {1}, {kNaN}}}},
        Plot{"", {}, {}, {{"", {1}, {2}}}}, Plot{"", {"", true}, {"", true}, {{"", {1}, {2}}}},
        Plot{"", {}, {}, {{"", {1, 2}, {-huge, huge}}}},
        Plot{"", {}, {}, {{"", {1, 2, 3}, {1, 2}}}}, Plot{"", {}, {}, {{"", {0, 0}, {0, 0}}}}}) {
    const std::string text = svg(plot);
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("inf")));
  }
  EXPECT_THAT(svg(Plot{"", {}, {}, {{"", {1}, {kNaN}}}}), HasSubstr("no data"));
  EXPECT_THAT(svg(std::span<const Plot>()), HasSubstr("<svg"));
}

}  // namespace
}  // namespace daedal::io
