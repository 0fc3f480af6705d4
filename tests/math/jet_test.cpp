#include "daedal/math/jet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "daedal/math/expression.hpp"

namespace daedal::math {
namespace {

Jet jet(const char* text, double t) {
  return Expression::parse(text).evaluate_jet(t);
}

void expect_jet(const char* text, double t, const Jet& expected) {
  const Jet x = jet(text, t);
  const auto close = [](double a, double b) {
    return std::abs(a - b) <= 4e-15 * std::max(1.0, std::abs(b));
  };
  EXPECT_TRUE(close(x.value, expected.value)) << text << ": " << x.value;
  EXPECT_TRUE(close(x.first, expected.first)) << text << "': " << x.first;
  EXPECT_TRUE(close(x.second, expected.second)) << text << "'': " << x.second;
}

TEST(Jet, AgreesWithHandDerivedDerivatives) {
  for (double t : {0.15, 0.4, 0.85}) {
    const double s = std::sin(t), c = std::cos(t), e = std::exp(t), l = std::log(t);
    const double r = 1.0 / std::sqrt(1.0 - t * t), a = 1.0 / (1.0 + t * t);
    expect_jet("t", t, {t, 1.0, 0.0});
    expect_jet("3*t^2 - 2*t + 1", t, {3 * t * t - 2 * t + 1, 6 * t - 2, 6.0});
    expect_jet("sin(3*t)", t, {std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)});
    expect_jet("cos(t)^2", t, {c * c, -2 * c * s, 2 * (s * s - c * c)});
    expect_jet("tan(t)", t, {s / c, 1 / (c * c), 2 * s / (c * c * c)});
    expect_jet("asin(t)", t, {std::asin(t), r, t * r * r * r});
    expect_jet("acos(t)", t, {std::acos(t), -r, -t * r * r * r});
    expect_jet("atan(t)", t, {std::atan(t), a, -2 * t * a * a});
    expect_jet("atan2(sin(t), cos(t))", t, {t, 1.0, 0.0});
    expect_jet("atan2(t, 2)", t,
               {std::atan(t / 2), 2 / (4 + t * t), -4 * t / ((4 + t * t) * (4 + t * t))});
    expect_jet("exp(-t^2)", t,
               {std::exp(-t * t), -2 * t * std::exp(-t * t), (4 * t * t - 2) * std::exp(-t * t)});
    expect_jet("log(t)", t, {l, 1 / t, -1 / (t * t)});
    expect_jet("sqrt(1 + t)", t,
               {std::sqrt(1 + t), 0.5 / std::sqrt(1 + t), -0.25 / std::pow(1 + t, 1.5)});
    expect_jet("1/t", t, {1 / t, -1 / (t * t), 2 / (t * t * t)});
    expect_jet("t*exp(t)", t, {t * e, (1 + t) * e, (2 + t) * e});
    expect_jet("tanh(t)", t,
               {std::tanh(t), 1 / std::pow(std::cosh(t), 2),
                -2 * std::tanh(t) / std::pow(std::cosh(t), 2)});
    expect_jet("pow(t, 2.5)", t, {std::pow(t, 2.5), 2.5 * std::pow(t, 1.5), 3.75 * std::sqrt(t)});
    expect_jet("2^t", t,
               {std::exp2(t), std::numbers::ln2 * std::exp2(t),
                std::numbers::ln2 * std::numbers::ln2 * std::exp2(t)});
    const double tt = std::pow(t, t);
    expect_jet("t^t", t, {tt, tt * (l + 1), tt * ((l + 1) * (l + 1) + 1 / t)});
    expect_jet("max(t, 2*t, -1) + abs(-t^2) + step(t)", t, {2 * t + t * t + 1, 2 + 2 * t, 2.0});
  }
}

// The second derivative is checked against differences of the first.
TEST(Jet, AgreesWithDifferences) {
  const double h = 1e-4;
  for (const char* text :
       {"sin(t^2)/(1+t)", "exp(-t)*cos(10*t)", "atan2(t^3, 1+sin(t))", "sqrt(2+cos(t))^3",
        "log(1+t^2)*tanh(3*t-1)", "pow(1+t, sin(t))", "asin(0.5*sin(t))*acos(0.3*t)",
        "0.5*(1+tanh((t-0.5)/0.1))", "(t-3)^5/(2-t)", "abs(t-2)^3*max(t, t^2)", "tan(0.5*t)^-2",
        "step(t-0.2)*(t-0.2)^3", "min(sin(t), cos(t))*atan(t)"}) {
    const auto e = Expression::parse(text);
    for (double t : {0.33, 0.61, 1.27}) {
      const Jet x = e.evaluate_jet(t);
      const Jet plus = e.evaluate_jet(t + h), minus = e.evaluate_jet(t - h);
      EXPECT_EQ(x.value, e.evaluate(t)) << text;
      const double first = (plus.value - minus.value) / (2 * h);
      const double second = (plus.first - minus.first) / (2 * h);
      EXPECT_NEAR(x.first, first, 1e-5 * std::max(1.0, std::abs(x.first))) << text;
      EXPECT_NEAR(x.second, second, 1e-5 * std::max(1.0, std::abs(x.second))) << text;
    }
  }
}

TEST(Jet, WholePowersAreExactAtZeroAndForNegativeBases) {
  expect_jet("t^0", 0.0, {1, 0, 0});
  expect_jet("t^1", 0.0, {0, 1, 0});
  expect_jet("t^2", 0.0, {0, 0, 2});
  expect_jet("t^3", 0.0, {0, 0, 0});
  expect_jet("t^3", -2.0, {-8, 12, -12});
  expect_jet("t^-2", -2.0, {0.25, 0.25, 0.375});
  expect_jet("sqrt(0*t)", 1.0, {0, 0, 0});
}

TEST(Jet, DerivativesAtKinksAreThoseJustAfter) {
  expect_jet("abs(t)", 0.0, {0, 1, 0});
  expect_jet("abs(-t)", 0.0, {0, 1, 0});
  expect_jet("abs(-t^2)", 0.0, {0, 0, 2});
  expect_jet("max(0, t)", 0.0, {0, 1, 0});
  expect_jet("max(t, 0)", 0.0, {0, 1, 0});
  expect_jet("max(-t, 0)", 0.0, {0, 0, 0});
  expect_jet("min(t, 0)", 0.0, {0, 0, 0});
  expect_jet("min(0, -t)", 0.0, {0, -1, 0});
  expect_jet("max(t, t + t^2)", 0.0, {0, 1, 2});
  expect_jet("step(t)", 0.0, {1, 0, 0});
  expect_jet("step(-t)", 0.0, {0, 0, 0});
  expect_jet("step(-t^2)", 0.0, {0, 0, 0});
  EXPECT_EQ(Expression::parse("step(-t)").evaluate(0.0), 1.0);
}

TEST(Partials, AgreeWithHandDerivedDerivatives) {
  const double x = 0.4, y = -0.7, s = std::sin(2.0 * x + y), c = std::cos(2.0 * x + y);
  const Partials f = Expression::parse("sin(2*x + y) + x^2*y^3").evaluate_partials(x, y);
  EXPECT_DOUBLE_EQ(f.value, s + x * x * y * y * y);
  EXPECT_DOUBLE_EQ(f.x, 2.0 * c + 2.0 * x * y * y * y);
  EXPECT_DOUBLE_EQ(f.y, c + 3.0 * x * x * y * y);
  EXPECT_NEAR(f.xx, -4.0 * s + 2.0 * y * y * y, 1e-14);
  EXPECT_NEAR(f.xy, -2.0 * s + 6.0 * x * y * y, 1e-14);
  EXPECT_NEAR(f.yy, -s + 6.0 * x * x * y, 1e-14);
}

/// A text with X and Y replaced.
std::string with(std::string text, const std::string& x, const std::string& y) {
  for (std::size_t at; (at = text.find_first_of("XY")) != std::string::npos;) {
    text.replace(at, 1, text[at] == 'X' ? x : y);
  }
  return text;
}

TEST(Partials, AgreeWithJetsAlongLinesForEveryFunction) {
  for (const char* text :
       {"sin(X*Y)",    "cos(X - Y^2)",  "tan(X + Y)",   "asin(X*Y)",        "acos(X*Y)",
        "atan(X/Y)",   "exp(X*Y)",      "log(X + Y)",   "sqrt(X*Y)",        "tanh(X*X - Y)",
        "atan2(X, Y)", "atan2(2*Y, X)", "atan2(X, -Y)", "(X + Y)^(X*Y)",    "(X - Y)^3",
        "(X*Y)^-1.5",  "X/(X + Y^2)",   "abs(X - Y)",   "min(X*Y, Y^2, 1)", "max(X*Y, Y^2)",
        "X*step(Y)"}) {
    const Partials p = Expression::parse(with(text, "x", "y")).evaluate_partials(0.375, 0.625);
    const auto along = [&](const char* x, const char* y) {
      return Expression::parse(with(text, x, y)).evaluate_jet(0.0);
    };
    const Jet by_x = along("(0.375 + t)", "0.625"), by_y = along("0.375", "(0.625 + t)"),
              by_both = along("(0.375 + t)", "(0.625 + t)");
    const auto expect = [&](double value, double expected) {
      EXPECT_NEAR(value, expected, 1e-13 * (1.0 + std::abs(expected))) << text;
    };
    expect(p.value, by_x.value);
    expect(p.x, by_x.first);
    expect(p.y, by_y.first);
    expect(p.xx, by_x.second);
    expect(p.yy, by_y.second);
    expect(p.xy, 0.5 * (by_both.second - by_x.second - by_y.second));
  }
}

TEST(Partials, AreZeroByWhatDoesNotOccur) {
  const Partials by_x = Expression::parse("x^3").evaluate_partials(2.0, 5.0);
  EXPECT_EQ(by_x.value, 8.0);
  EXPECT_EQ(by_x.x, 12.0);
  EXPECT_EQ(by_x.xx, 12.0);
  EXPECT_EQ(by_x.y, 0.0);
  EXPECT_EQ(by_x.xy, 0.0);
  const Partials by_y = Expression::parse("y^2").evaluate_partials(2.0, 5.0);
  EXPECT_EQ(by_y.x, 0.0);
  EXPECT_EQ(by_y.xx, 0.0);
  EXPECT_EQ(by_y.y, 10.0);
  EXPECT_EQ(by_y.yy, 2.0);
  EXPECT_EQ(Expression::constant(3.0).evaluate_partials(1.0, 1.0).value, 3.0);
  EXPECT_THROW(Expression::parse("x + a").evaluate_partials(1.0, 1.0), ExpressionError);
}

TEST(Partials, AreThereForFunctionsWithoutKinks) {
  EXPECT_FALSE(Expression::parse("tanh(x)*sqrt(1 + y^2) + abs(-2)").kink());
  for (const char* name : {"abs(x)", "step(x)", "min(x, y)", "max(x, y)"}) {
    const auto kink = Expression::parse(std::string("1 + ") + name).kink();
    ASSERT_TRUE(kink) << name;
    EXPECT_TRUE(std::string(name).starts_with(kink->function)) << kink->function;
    EXPECT_EQ(kink->position, 4u);
  }
}

}  // namespace
}  // namespace daedal::math
