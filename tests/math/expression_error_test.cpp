#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "daedal/math/expression.hpp"

namespace daedal::math {
namespace {

struct Failure {
  std::string message;
  std::size_t position = 0;
  std::string parameter;
};

template <class Action>
Failure failure(Action&& action) {
  try {
    action();
  } catch (const ExpressionError& e) {
    return {e.what(), e.position, e.parameter};
  }
  return {"no error", 0, ""};
}

void expect_error(const std::string& text, const std::string& message, std::size_t position) {
  const Failure f = failure([&] { Expression::parse(text); });
  EXPECT_EQ(f.message, message) << "in: " << text.substr(0, 80);
  EXPECT_EQ(f.position, position) << "in: " << text.substr(0, 80);
}

TEST(ExpressionError, SaysWhatIsMissing) {
  expect_error("", "the expression is empty; give a number or a formula", 0);
  expect_error(" \t ", "the expression is empty; give a number or a formula", 0);
  expect_error("1 +", "the expression ends too early; a number, a name or '(' is missing", 3);
  expect_error("1 * / 2", "a number, a name or '(' is missing before '/'", 4);
  expect_error("()", "a number, a name or '(' is missing before ')'", 1);
  expect_error("max(1, )", "a number, a name or '(' is missing before ')'", 7);
  expect_error("2*(1 + 3", "this '(' is not closed; add a ')'", 2);
  expect_error("sin(t", "this '(' is not closed; add a ')'", 3);
  expect_error("2t", "an operator is missing before 't'; a product needs a '*'", 1);
  expect_error("a b", "an operator is missing before 'b'; a product needs a '*'", 2);
  expect_error("(1)(2)", "an operator is missing before '('; a product needs a '*'", 3);
  expect_error("1.2.3", "an operator is missing before '.'; a product needs a '*'", 3);
  expect_error("1e", "an operator is missing before 'e'; a product needs a '*'", 1);
}

TEST(ExpressionError, SaysWhatIsTooMuch) {
  expect_error("1)", "this ')' closes nothing; remove it or add a '('", 1);
  expect_error("1,5", "a ',' belongs between the arguments of a function; decimals take a point",
               1);
  expect_error("(1,5)", "a ',' belongs between the arguments of a function; decimals take a point",
               2);
  expect_error("t**2", "'**' is not an operator; write a power as ^", 1);
  const std::string tail = "; allowed are numbers, names, + - * / ^ ( ) and ','";
  expect_error("1 % 2", "unexpected character '%'" + tail, 2);
  expect_error("$a", "unexpected character '$'" + tail, 0);
  expect_error(".", "unexpected character '.'" + tail, 0);
  expect_error("1 \xe2\x88\x92 2", "unexpected character '\xe2\x88\x92'" + tail, 2);
  expect_error(std::string("1\0", 2), "unexpected character '\\x00'" + tail, 1);
}

TEST(ExpressionError, SuggestsTheNearestFunction) {
  expect_error("1 + sn(t)", "there is no function 'sn' (did you mean 'sin'?)", 4);
  expect_error("sqr(t)", "there is no function 'sqr' (did you mean 'sqrt'?)", 0);
  expect_error("arctan(t)", "there is no function 'arctan' (did you mean 'atan'?)", 0);
  expect_error("r(t)",
               "there is no function 'r'; known are sin, cos, tan, asin, acos, atan, atan2, exp, "
               "log, sqrt, abs, min, max, pow, tanh, step; a product needs a '*'",
               0);
  expect_error("2*sin", "sin is a function and needs an argument; write sin(x)", 2);
}

TEST(ExpressionError, CountsArguments) {
  expect_error("sin()", "sin takes 1 argument, not 0; write sin(x)", 0);
  expect_error("1+sin(1, max(2,3), 4)", "sin takes 1 argument, not 3; write sin(x)", 2);
  expect_error("atan2(t)", "atan2 takes 2 arguments, not 1; write atan2(y, x)", 0);
  expect_error("pow(1,2,3)", "pow takes 2 arguments, not 3; write pow(x, n)", 0);
  expect_error("min(1)", "min takes at least 2 arguments, not 1; write min(a, b)", 0);
}

TEST(ExpressionError, RefusesConstantsWithoutValue) {
  const std::string range = " is out of range; magnitudes from 1e-307 to 1e308 are allowed";
  expect_error("1e400", "the number '1e400'" + range, 0);
  expect_error("2*1e-400", "the number '1e-400'" + range, 2);
  expect_error("1/0", "division by zero; the divisor is constant and zero", 1);
  expect_error("t/(2-2)", "division by zero; the divisor is constant and zero", 1);
  expect_error("log(0)", "log(0) has no value; its argument must be positive", 0);
  expect_error("t*log(-2)", "log(-2) has no value; its argument must be positive", 2);
  expect_error("sqrt(-1)", "sqrt(-1) has no real value; its argument must not be negative", 0);
  expect_error("asin(2)", "asin(2) has no real value; its argument must lie between -1 and 1", 0);
  expect_error("acos(-3)", "acos(-3) has no real value; its argument must lie between -1 and 1", 0);
  expect_error("0^-1", "0 to the power -1 is a division by zero", 1);
  expect_error("(-8)^0.5",
               "-8 to the power 0.5 has no real value; a negative base needs a whole exponent", 4);
  const std::string large =
      "the value is too large for a floating-point number; check the magnitude of its terms";
  expect_error("exp(1000)", large, 0);
  expect_error("1e300*1e300", large, 5);
  expect_error("10^400", large, 2);
}

TEST(ExpressionError, IsRaisedByBindingToo) {
  const Failure f = failure([] { Expression::parse("1 + t/m").bind({{"m", 0.0}}); });
  EXPECT_EQ(f.message, "division by zero; the divisor is constant and zero");
  EXPECT_EQ(f.position, 5u);
  EXPECT_EQ(failure([] {
              Expression::parse("2*m").bind({{"m", INFINITY}});
            }).message,
            "the value of 'm' is inf; it must be finite");
}

TEST(ExpressionError, NamesWhatIsUnbound) {
  const Failure f = failure([] { Expression::parse("t*omega").evaluate(1.0); });
  EXPECT_EQ(f.message, "'omega' has no value; define it as a parameter");
  EXPECT_EQ(f.position, 2u);
  EXPECT_THROW(Expression::parse("r").evaluate_jet(0.0), ExpressionError);
  EXPECT_THROW(Expression::parse("abs(r)").break_points(0.0, 1.0), ExpressionError);
  EXPECT_EQ(failure([] { Expression::parse("2*t").value(); }).message,
            "the expression depends on t; a constant is needed here");
}

TEST(ExpressionError, HostileTextsEndInAnError) {
  const std::string deep =
      "the expression is nested more than 64 levels deep; split it by parameters";
  const auto repeat = [](const std::string& s, int n) {
    std::string result;
    for (int i = 0; i < n; ++i) result += s;
    return result;
  };
  expect_error(std::string(100'000, '('),
               "the expression is 100000 bytes long; at most 10000 are allowed", 10'000);
  expect_error(std::string(9'000, '('), deep, 64);
  expect_error(repeat("sin(", 2'000), deep, 64 * 4);
  expect_error(repeat("t^", 4'000) + "1", deep, 64 * 2);
  expect_error(repeat("t+t*(", 1'000), deep, 32 * 5);
  expect_error(std::string(9'000, '-'),
               "the expression ends too early; a number, a name or '(' is missing", 9'000);
  EXPECT_EQ(Expression::parse(std::string(9'000, '-') + "t").evaluate(2.0), 2.0);
  EXPECT_EQ(Expression::parse("0." + std::string(9'000, '0') + "1e9001").value(), 1.0);
  EXPECT_DOUBLE_EQ(Expression::parse("0." + std::string(9'000, '3')).value(), 1.0 / 3.0);
  expect_error(std::string(9'000, '9'),
               "the number '" + std::string(40, '9') + "...'" +
                   " is out of range; magnitudes from 1e-307 to 1e308 are allowed",
               0);
  EXPECT_EQ(Expression::parse(std::string(9'000, 'x')).variables().size(), 1u);
  EXPECT_EQ(Expression::parse(std::string(64, '(') + "t" + std::string(64, ')')).evaluate(3.0),
            3.0);
}

TEST(ExpressionError, RandomTextsParseOrSayWhyNot) {
  const std::vector<std::string> tokens = {
      "t",      "a",     "pi",   "1",     "2.5", "1e3",  "0",  ".",  "e",    "+",
      "-",      "*",     "/",    "^",     "(",   ")",    ",",  " ",  "sin(", "min(",
      "atan2(", "step(", "abs(", "sqrt(", "log", "\xff", "\n", "_x1"};
  std::mt19937 engine(17);
  int parsed = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (auto n = engine() % 12 + 1; n > 0; --n) text += tokens[engine() % tokens.size()];
    try {
      const auto e = Expression::parse(text).bind({{"a", 0.5}, {"e", 2.0}, {"_x1", -1.0}});
      if (e.variables().size() <= 1 && (e.is_constant() || e.variables().front() == "t")) {
        ++parsed;
        EXPECT_EQ(e.variables().empty(), e.is_constant()) << text;
        e.evaluate_jet(0.3);
        if (i % 100 == 0) e.break_points(0.0, 1.0);
      }
    } catch (const ExpressionError& error) {
      EXPECT_LE(error.position, text.size());
      EXPECT_GT(std::string(error.what()).size(), 10u);
    }
  }
  EXPECT_GT(parsed, 1'000);
}

TEST(ParameterError, CyclesAreNamed) {
  const Failure f = failure([] {
    resolve({{"a", Expression::parse("1+b")},
             {"b", Expression::parse("c")},
             {"c", Expression::parse("2*b")}});
  });
  EXPECT_EQ(f.message,
            "parameters refer to each other in a circle: b -> c -> b; give one of them "
            "a number");
  EXPECT_EQ(f.parameter, "c");
  EXPECT_EQ(f.position, 2u);
  EXPECT_EQ(failure([] {
              resolve({{"a", Expression::parse("a+1")}});
            }).message,
            "parameters refer to each other in a circle: a -> a; give one of them a number");
}

TEST(ParameterError, UnknownNamesComeWithTheNearest) {
  const Failure f = failure([] {
    resolve({{"omega", Expression::parse("2")}, {"phi", Expression::parse("1 + omgea")}});
  });
  EXPECT_EQ(f.message, "parameter 'phi': 'omgea' is not defined (did you mean 'omega'?)");
  EXPECT_EQ(f.parameter, "phi");
  EXPECT_EQ(f.position, 4u);
  EXPECT_EQ(failure([] {
              resolve({{"a", Expression::parse("zeta")}});
            }).message,
            "parameter 'a': 'zeta' is not defined; add it to the parameters");
}

TEST(ParameterError, ParametersAreConstantAndDecentlyNamed) {
  EXPECT_EQ(failure([] {
              resolve({{"a", Expression::parse("2*t")}});
            }).message,
            "parameter 'a' depends on t; parameters are constant, so write its expression where "
            "it is used");
  EXPECT_EQ(failure([] {
              resolve({{"t", Expression::parse("2")}});
            }).message,
            "'t' cannot name a parameter: it has a meaning of its own; choose another name");
  EXPECT_EQ(failure([] {
              resolve({{"2a", Expression::parse("2")}});
            }).message,
            "'2a' cannot name a parameter; use letters, digits and underscores, starting with a "
            "letter");
  EXPECT_EQ(failure([] {
              resolve({{"a", Expression::parse("1/b")}, {"b", Expression::parse("0")}});
            }).message,
            "parameter 'a': division by zero; the divisor is constant and zero");
}

}  // namespace
}  // namespace daedal::math
