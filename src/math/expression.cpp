#include "daedal/math/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace daedal::math {

Expression::Expression(std::string text, Program program)
    : text_(std::move(text)), program_(std::move(program)) {}

Expression Expression::constant(double value) {
  if (!std::isfinite(value))
    throw ExpressionError(fmt::format("{} is not a finite number", value), 0);
  Program program;
  program.append({.op = Op::constant, .constant = value});
  return Expression(fmt::format("{}", value), std::move(program));
}

bool Expression::is_constant() const {
  return program_.code.size() == 1 && program_.code.front().op == Op::constant;
}

Expression Expression::bind(const std::map<std::string, double>& values) const {
  Program bound;
  std::vector<std::optional<double>> value(program_.names.size());
  std::vector<std::uint32_t> new_index(program_.names.size());
  for (std::size_t i = 0; i < program_.names.size(); ++i) {
    const std::string& name = program_.names[i];
    if (const auto found = values.find(name); found != values.end()) {
      value[i] = found->second;
    } else {
      new_index[i] = static_cast<std::uint32_t>(bound.names.size());
      bound.names.push_back(name);
    }
  }
  for (Instruction i : program_.code) {
    if (i.op == Op::variable) {
      if (const auto& number = value[i.index]) {
        if (!std::isfinite(*number))
          throw ExpressionError(fmt::format("the value of '{}' is {}; it must be finite",
                                            program_.names[i.index], *number),
                                i.position);
        i = {.op = Op::constant, .position = i.position, .constant = *number};
      } else {
        i.index = new_index[i.index];
      }
    }
    bound.append(i);
  }
  return Expression(text_, std::move(bound));
}

std::size_t Expression::position_of(std::string_view variable) const {
  for (const Instruction& i : program_.code)
    if (i.op == Op::variable && program_.names[i.index] == variable) return i.position;
  return 0;
}

double Expression::value() const {
  if (is_constant()) return program_.code.front().constant;
  require_only_time();
  throw ExpressionError("the expression depends on t; a constant is needed here", position_of("t"));
}

void Expression::require_only_time() const {
  for (const std::string& name : program_.names)
    if (name != "t")
      throw ExpressionError(fmt::format("'{}' has no value; define it as a parameter", name),
                            position_of(name));
}

void Expression::require_only_space() const {
  for (const std::string& name : program_.names)
    if (name != "x" && name != "y")
      throw ExpressionError(fmt::format("'{}' has no value; define it as a parameter", name),
                            position_of(name));
}

double Expression::evaluate(double t) const {
  if (is_constant()) return program_.code.front().constant;
  require_only_time();
  return program_.run<double>({&t, 1});
}

Jet Expression::evaluate_jet(double t) const {
  if (is_constant()) return Jet::constant(program_.code.front().constant);
  require_only_time();
  const Jet time = Jet::time(t);
  return program_.run<Jet>({&time, 1});
}

double Expression::evaluate_at(double x, double y) const {
  require_only_space();
  std::array<double, 2> values;
  const std::size_t count = program_.names.size();
  for (std::size_t k = 0; k < count; ++k) values[k] = program_.names[k] == "x" ? x : y;
  return program_.run<double>({values.data(), count});
}

Partials Expression::evaluate_partials(double x, double y) const {
  require_only_space();
  std::array<Partials, 2> values;
  const std::size_t count = program_.names.size();
  for (std::size_t k = 0; k < count; ++k) {
    values[k] = program_.names[k] == "x" ? Partials::of_x(x) : Partials::of_y(y);
  }
  return program_.run<Partials>({values.data(), count});
}

std::optional<Expression::Kink> Expression::kink() const {
  for (const Instruction& i : program_.code) {
    switch (i.op) {
      case Op::abs:
        return Kink{"abs", i.position};
      case Op::min:
        return Kink{"min", i.position};
      case Op::max:
        return Kink{"max", i.position};
      case Op::step:
        return Kink{"step", i.position};
      default:
        break;
    }
  }
  return std::nullopt;
}

std::vector<double> break_points(std::span<const Expression> functions, double t0, double t1) {
  std::vector<double> times;
  for (const Expression& u : functions) {
    const std::vector<double> own = u.break_points(t0, t1);
    times.insert(times.end(), own.begin(), own.end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace daedal::math
