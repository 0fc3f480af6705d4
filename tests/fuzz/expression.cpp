#include "daedal/math/expression.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "fuzz/require.hpp"
#include "fuzz/targets.hpp"

namespace daedal::fuzz {
namespace {

using math::Expression;

/// The parts behind the first semicolon: `a=2*b; b=1`.
std::map<std::string, double> parameters(std::string_view text) {
  std::map<std::string, Expression> expressions;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == part.npos) continue;
    expressions.emplace(part.substr(0, equals), Expression::parse(part.substr(equals + 1)));
  }
  return math::resolve(expressions);
}

void use(const Expression& expression) {
  if (expression.is_constant())
    require(std::isfinite(expression.value()), "a constant is finite");
  constexpr double kFrom = -1.0, kTo = 2.0;
  for (const double t : {kFrom, -0.0, 0.5, 1.0, kTo, 1e300}) {
    expression.evaluate(t);
    expression.evaluate_jet(t);
  }
  const std::vector<double> breaks = expression.break_points(kFrom, kTo);
  require(std::ranges::is_sorted(breaks, std::less_equal()) || breaks.size() < 2,
          "break points rise");
  require(breaks.empty() || (breaks.front() > kFrom && breaks.back() < kTo),
          "break points lie inside the interval");
}

}  // namespace

void expression(std::string_view text) {
  const std::size_t end = std::min(text.find(';'), text.size());
  try {
    Expression expression = Expression::parse(text.substr(0, end));
    require(expression.text() == text.substr(0, end), "an expression keeps its text");
    for (const std::string& name : expression.variables()) {
      require(expression.position_of(name) < end, "a variable stands in the text");
    }
    expression = expression.bind(parameters(text.substr(std::min(end + 1, text.size()))));
    std::map<std::string, double> rest;
    for (const std::string& name : expression.variables()) {
      if (name != "t") rest[name] = 0.75;
    }
    use(expression.bind(rest));
  } catch (const math::ExpressionError& error) {
    require(error.position <= text.size(), "an error points into the text");
  }
}

}  // namespace daedal::fuzz
