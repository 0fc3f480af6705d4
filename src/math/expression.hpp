// Expressions of model files: numbers, parameters, functions of time and of two coordinates.
//
//   sum     = term  { ("+" | "-") term }            1e-3   .5   pi   omega_1
//   term    = sign  { ("*" | "/") sign }            -a^2 is -(a^2)
//   sign    = { "+" | "-" } power                   a^b^c is a^(b^c),  a^-b is a^(-b)
//   power   = primary [ "^" sign ]
//   primary = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//
// Functions: sin cos tan asin acos atan atan2 exp log sqrt abs min max pow tanh step; min and max
// take two or more arguments; step(x) is 0 for x < 0 and 1 for x >= 0. Angles are in radians.
//
// Properties: time derivatives are exact (forward Taylor arithmetic). Evaluating neither allocates
// nor changes the expression. Constant parts are folded by parse() and bind(), and a constant part
// without a finite value (1/0, log(-1), exp(1000)) is an error there.
// Limits: texts of kMaxLength bytes, nesting of kMaxDepth. Where a function of time has no finite
// value (1/t at 0), evaluation returns inf or NaN.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daedal/math/expression_program.hpp"
#include "daedal/math/jet.hpp"
#include "daedal/math/partials.hpp"

namespace daedal::math {

/// A sentence about what is wrong with an expression, and where.
class ExpressionError : public std::invalid_argument {
 public:
  ExpressionError(const std::string& message, std::size_t at, std::string parameter_name = {})
      : std::invalid_argument(message), position(at), parameter(std::move(parameter_name)) {}

  std::size_t position;   // offset in bytes into the text of the expression
  std::string parameter;  // set by resolve(): whose expression it is
};

class Expression {
 public:
  static constexpr std::size_t kMaxLength = 10'000;  // bytes

  Expression() : Expression(constant(0.0)) {}
  static Expression parse(std::string_view text);
  static Expression constant(double value);

  const std::string& text() const { return text_; }                      // as it was parsed
  std::vector<std::string> variables() const { return program_.names; }  // unbound, sorted; also t
  std::size_t position_of(std::string_view variable) const;  // its first use in the text
  bool is_constant() const;

  /// Substitutes values and folds constants; names without a value stay, values without a name
  /// are ignored.
  Expression bind(const std::map<std::string, double>& values) const;

  double value() const;              // of a constant, else an ExpressionError
  double evaluate(double t) const;   // no variable but t may remain, else an ExpressionError
  Jet evaluate_jet(double t) const;  // value, first and second derivative with respect to t

  /// Of a function of x and y, with no variable but these: its value alone, or its derivatives too.
  double evaluate_at(double x, double y) const;
  Partials evaluate_partials(double x, double y) const;

  /// The first function of the expression that has kinks or jumps: abs, min, max or step.
  struct Kink {
    std::string function;
    std::size_t position = 0;  // in the text
  };
  std::optional<Kink> kink() const;

  /// The times in (t0, t1) where the argument of a step or abs, or the difference of the arguments
  /// of a min or max, changes sign: integrators restart there. Sorted and unique. At such a time a
  /// jet has the new sign already. Exact if the argument is affine in t; otherwise found by
  /// sampling at kBreakPointSamples times (fewer for thousands of terms) and bisection to the last
  /// digit (of the first thousands), so that several sign changes between two samples may be missed.
  std::vector<double> break_points(double t0, double t1) const;
  static constexpr int kBreakPointSamples = 4096;

 private:
  explicit Expression(std::string text, Program program);
  void require_only_time() const;
  void require_only_space() const;

  std::string text_;
  Program program_;
};

/// Letters, digits and underscores, not starting with a digit.
bool is_identifier(std::string_view name);

/// Names that no parameter may have: t, pi and the functions.
bool is_reserved(std::string_view name);

/// The break points of several functions, ascending and each once.
std::vector<double> break_points(std::span<const Expression> functions, double t0, double t1);

/// The values of parameters that may refer to each other, in any order.
/// Errors: a cycle (named: a -> b -> a), an unknown name, a parameter that depends on t, a name
/// that is reserved or no identifier.
std::map<std::string, double> resolve(const std::map<std::string, Expression>& parameters);

}  // namespace daedal::math
