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

}  // namespace
}  // namespace daedal::math
