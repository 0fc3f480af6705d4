#include "daedal/math/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

namespace daedal::math {
namespace {

using std::numbers::pi;

double value(const char* text) {
  return Expression::parse(text).value();
}
double at(const char* text, double t) {
  return Expression::parse(text).evaluate(t);
}

TEST(Expression, NumbersTakeAnyUsualForm) {
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5.0);
  EXPECT_EQ(value("  12.25E+2\n"), 1225.0);
  EXPECT_EQ(value("pi"), pi);
  EXPECT_EQ(value("0.1"), 0.1);
}

TEST(Expression, OperatorsBindAsInMathematics) {
  EXPECT_EQ(value("1+2*3"), 7.0);
  EXPECT_EQ(value("(1+2)*3"), 9.0);
  EXPECT_EQ(value("8-3-2"), 3.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("(-2)^2"), 4.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-2^2"), 0.0625);
  EXPECT_EQ(value("2*-3"), -6.0);
  EXPECT_EQ(value("1 - -1"), 2.0);
  EXPECT_EQ(value("--+-2"), -2.0);
  EXPECT_EQ(value("-2*3^2/6+1"), -2.0);
  EXPECT_DOUBLE_EQ(at("-t^2", 3.0), -9.0);
  EXPECT_DOUBLE_EQ(at("2*t^-1", 4.0), 0.5);
}

TEST(Expression, FunctionsAreTheUsualOnes) {
  const double t = 0.4;
  EXPECT_EQ(at("sin(t)", t), std::sin(t));
  EXPECT_EQ(at("cos(t)", t), std::cos(t));
  EXPECT_EQ(at("tan(t)", t), std::tan(t));
  EXPECT_EQ(at("asin(t)", t), std::asin(t));
  EXPECT_EQ(at("acos(t)", t), std::acos(t));
  EXPECT_EQ(at("atan(t)", t), std::atan(t));
  EXPECT_EQ(at("atan2(t, -1)", t), std::atan2(t, -1.0));
  EXPECT_EQ(at("exp(t)", t), std::exp(t));
  EXPECT_EQ(at("log(t)", t), std::log(t));
  EXPECT_EQ(at("sqrt(t)", t), std::sqrt(t));
  EXPECT_EQ(at("abs(-t)", t), t);
  EXPECT_EQ(at("min(t, 1, 0.3)", t), 0.3);
  EXPECT_EQ(at("max(t, 0.1)", t), t);
  EXPECT_EQ(at("pow(t, 3)", t), std::pow(t, 3));
  EXPECT_EQ(at("tanh (t)", t), std::tanh(t));
  EXPECT_EQ(at("step(t - 0.4)", t), 1.0);
  EXPECT_EQ(at("step(t - 0.41)", t), 0.0);
}

TEST(Expression, VariablesAreReportedSortedAndOnce) {
  const auto e = Expression::parse("b_2*sin(omega*t) + _a*b_2");
  EXPECT_EQ(e.variables(), (std::vector<std::string>{"_a", "b_2", "omega", "t"}));
  EXPECT_EQ(e.text(), "b_2*sin(omega*t) + _a*b_2");
  EXPECT_EQ(e.position_of("omega"), 8u);
  EXPECT_FALSE(e.is_constant());
}

TEST(Expression, BindSubstitutesAndFoldsAndLeavesTheRest) {
  const auto e = Expression::parse("a*b + c*t");
  const auto partly = e.bind({{"a", 2.0}, {"c", 5.0}, {"unused", 1.0}});
  EXPECT_EQ(partly.variables(), (std::vector<std::string>{"b", "t"}));
  const auto bound = partly.bind({{"b", 3.0}});
  EXPECT_EQ(bound.variables(), (std::vector<std::string>{"t"}));
  EXPECT_EQ(bound.evaluate(10.0), 56.0);
  const auto constant = bound.bind({{"t", 1.0}});
  EXPECT_TRUE(constant.is_constant());
  EXPECT_EQ(constant.value(), 11.0);
  EXPECT_EQ(constant.evaluate(7.0), 11.0);
  EXPECT_EQ(constant.text(), "a*b + c*t");
}

TEST(Expression, ConstantsAreExpressionsToo) {
  EXPECT_EQ(Expression().value(), 0.0);
  EXPECT_EQ(Expression::constant(-0.1).value(), -0.1);
  EXPECT_EQ(Expression::constant(0.1).text(), "0.1");
  EXPECT_EQ(Expression::constant(2.0).evaluate_jet(3.0).first, 0.0);
  EXPECT_THROW(Expression::constant(std::nan("")), ExpressionError);
}

TEST(Expression, LongSumsNeedNoDepth) {
  std::string text = "t";
  for (int i = 0; i < 3000; ++i) text += "+1";
  EXPECT_EQ(Expression::parse(text).evaluate(0.5), 3000.5);
}

TEST(Parameters, ResolveInAnyOrder) {
  const auto values = resolve({{"a", Expression::parse("2*b")},
                               {"b", Expression::parse("c + 1")},
                               {"c", Expression::parse("3")},
                               {"d", Expression::parse("a*b*c*pi")}});
  EXPECT_EQ(values.at("a"), 8.0);
  EXPECT_EQ(values.at("b"), 4.0);
  EXPECT_EQ(values.at("c"), 3.0);
  EXPECT_DOUBLE_EQ(values.at("d"), 96.0 * pi);
}

TEST(Parameters, ChainsMayBeOfAnyLength) {
  std::map<std::string, Expression> chain{{"p0", Expression::constant(1.0)}};
  for (int i = 1; i < 20'000; ++i)
    chain.emplace(fmt::format("p{}", i), Expression::parse(fmt::format("p{}+1", i - 1)));
  EXPECT_EQ(resolve(chain).at("p19999"), 20'000.0);
}

}  // namespace
}  // namespace daedal::math
