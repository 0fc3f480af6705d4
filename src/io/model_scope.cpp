#include "daedal/io/model_scope.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "daedal/math/text.hpp"

namespace daedal::io::reading {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestIndex = 1e9;

/// A plain number: what most values are, without the cost of an expression.
std::optional<double> literal(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || (c & 0x80) != 0;
}

}  // namespace

bool is_not_finite(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c == '.' || c == '+' || c == '-') continue;
    word += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  }
  return word == "nan" || word == "inf" || word == "infinity";
}

void Problems::add(const Position& position, const std::string& message) {
  if (count_ == 0) first_ = position;
  if (count_ < kMaxShown) {
    text_ += fmt::format("{}{}: {}", count_ == 0 ? "" : "\n", position.to_string(), message);
  }
  ++count_;
}

void Problems::report() const {
  if (count_ == 0) return;
  std::string text = text_;
  if (count_ > kMaxShown) {
    text += fmt::format("\n... and {}{} more problems", enough() ? "at least " : "",
                        std::min(count_, kMaxCounted) - kMaxShown);
  }
  throw InputError::list(first_, text);
}

std::string Item::who() const {
  if (kind.empty()) return name;
  return name.empty() ? kind : fmt::format("{} '{}'", kind, name);
}

std::string Item::label(std::string_view key) const {
  const std::string owner = who();
  if (owner.empty()) return std::string(key);
  return key.empty() ? owner : fmt::format("{}: {}", owner, key);
}

Position position_in(const Node& node, std::size_t offset) {
  Position position = node.position();
  if (position.column > 0 && offset < node.text().size()) {
    position.column += static_cast<int>(offset) + (node.quoted() ? 1 : 0);
  }
  return position;
}

Scope::Scope(Values parameters, Problems& problems, bool planar)
    : parameters_(std::move(parameters)), problems_(problems), planar_(planar) {}

void Scope::report(const Node& node, const Item& item, std::string_view key,
                   std::string_view message) {
  problems_.add(node.position(), fmt::format("{} {}", item.label(key), message));
}

void Scope::report(const Node& node, const Item& item, std::string_view key,
                   const math::ExpressionError& error) {
  problems_.add(position_in(node, error.position),
                fmt::format("{}: {}", item.label(key), error.what()));
}

math::Expression Scope::bound(const std::string& text) {
  auto found = parsed_.find(text);
  if (found == parsed_.end()) {
    found = parsed_.emplace(text, math::Expression::parse(text).bind(parameters_)).first;
  }
  return indices_.empty() ? found->second : found->second.bind(indices_);
}

void Scope::refuse_names(const math::Expression& expression) const {
  std::vector<std::string> known;
  for (const auto& [name, value] : parameters_) known.push_back(name);
  for (const auto& [name, value] : indices_) known.push_back(name);
  for (const std::string& name : expression.variables()) {
    if (name == "t") continue;
    const auto near = math::nearest(name, known);
    throw math::ExpressionError(
        near ? fmt::format("unknown name '{}'; did you mean '{}'?", name, *near)
             : fmt::format("unknown name '{}'; define it under 'parameters'", name),
        expression.position_of(name));
  }
  throw math::ExpressionError("the expression depends on t; only drives, forces and torques may be "
                              "functions of time",
                              expression.position_of("t"));
}

double Scope::number(const Node& node, const Item& item, std::string_view key) {
  if (!node.is_scalar()) {
    report(node, item, key, fmt::format("is {}; give a number", describe(node.kind())));
    return kNaN;
  }
  const std::string& text = node.text();
  if (const auto value = literal(text); value && std::isfinite(*value)) return *value;
  if (is_not_finite(text)) {
    report(node, item, key, fmt::format("is '{}'; give a finite number", text));
    return kNaN;
  }
  try {
    const math::Expression expression = bound(text);
    if (!expression.is_constant()) refuse_names(expression);
    return expression.value();
  } catch (const math::ExpressionError& error) {
    report(node, item, key, error);
    return kNaN;
  }
}

math::Expression Scope::function(const Node& node, const Item& item, std::string_view key) {
  const bool is_function = node.is_scalar() && !is_not_finite(node.text());
  if (is_function && !literal(node.text())) {
    try {
      math::Expression expression = bound(node.text());
      const auto names = expression.variables();
      if (std::ranges::any_of(names, [](const std::string& name) { return name != "t"; })) {
        refuse_names(expression);
      }
      return expression;
    } catch (const math::ExpressionError& error) {
      report(node, item, key, error);
      return {};
    }
  }
  const double value = number(node, item, key);
  return std::isfinite(value) ? math::Expression::constant(value) : math::Expression();
}

math::Expression Scope::function_of(std::string_view variables, std::string_view meaning,
                                    const Node& node, const Item& item, std::string_view key) {
  if (!node.is_scalar() || is_not_finite(node.text()) || literal(node.text())) {
    const double value = number(node, item, key);
    return std::isfinite(value) ? math::Expression::constant(value) : math::Expression();
  }
  const auto is_variable = [&](const std::string& name) {
    return name.size() == 1 && variables.find(name) != std::string_view::npos;
  };
  try {
    for (const std::string& name : math::Expression::parse(node.text()).variables()) {
      if (!is_variable(name)) continue;
      if (!parameters_.contains(name) && !indices_.contains(name)) continue;
      report(node, item, key,
             fmt::format("depends on {0}, which is {1} here and a parameter elsewhere; rename the "
                         "parameter '{0}'",
                         name, meaning));
      return {};
    }
    math::Expression expression = bound(node.text());
    std::vector<std::string> known;
    for (const char variable : variables) known.emplace_back(1, variable);
    for (const auto& [name, value] : parameters_) known.push_back(name);
    for (const auto& [name, value] : indices_) known.push_back(name);
    for (const std::string& name : expression.variables()) {
      if (is_variable(name)) continue;
      const auto near = name == "t" ? std::nullopt : math::nearest(name, known);
      report(node, item, key,
             math::ExpressionError(
                 near ? fmt::format("unknown name '{}'; did you mean '{}'?", name, *near)
                      : fmt::format("'{}' is unknown here; {} is a function of {} and of parameters",
                                    name, key == "is" ? "a gap" : fmt::format("a {}", key),
                                    variables == "xy" ? "x and y" : variables),
                 expression.position_of(name)));
      return {};
    }
    return expression;
  } catch (const math::ExpressionError& error) {
    report(node, item, key, error);
    return {};
  }
}

math::Expression Scope::height(const Node& node, const Item& item, std::string_view key,
                               std::string_view variables) {
  if (variables.empty()) variables = planar_ ? "x" : "xy";
  const bool is_height = key == "height";
  math::Expression expression =
      function_of(variables,
                  fmt::format("the coordinate along the {}", is_height ? "surface" : "track"), node,
                  item, key);
  if (const auto kink = expression.kink()) {
    report(node, item, key,
           math::ExpressionError(fmt::format("{} has kinks or jumps, and a {} needs second "
                                             "derivatives; use smooth functions, as sqrt(x^2 + "
                                             "1e-6) for abs(x)",
                                             kink->function, is_height ? "surface" : key),
                                 kink->position));
    return {};
  }
  return expression;
}

bool Scope::integer(const Node& node, const Item& item, std::string_view key, long long& value) {
  const double x = number(node, item, key);
  if (!std::isfinite(x)) return false;
  if (x != std::floor(x) || std::abs(x) > kLargestIndex) {
    report(node, item, key,
           fmt::format("is {}; give a whole number from -{:g} to {:g}", x, kLargestIndex,
                       kLargestIndex));
    return false;
  }
  value = static_cast<long long>(x);
  return true;
}

bool Scope::is_list(const Node& node, std::size_t size, const Item& item, std::string_view key,
                    std::string_view of) {
  if (node.is_sequence() && node.size() == size) return true;
  report(node, item, key,
         node.is_sequence() ? fmt::format("has {} element{}; give {} {}", node.size(),
                                          node.size() == 1 ? "" : "s", size, of)
                            : fmt::format("is {}; give a list of {} {}", describe(node.kind()),
                                          size, of));
  return false;
}

std::vector<double> Scope::list(const Node& node, const Item& item, std::string_view key) {
  std::vector<double> values;
  for (const Node& element : node.elements()) values.push_back(number(element, item, key));
  return values;
}

math::Vec3 Scope::vector(const Node& node, const Item& item, std::string_view key) {
  const std::size_t size = planar_ ? 2 : 3;
  if (!is_list(node, size, item, key, planar_ ? "numbers: the model is planar" : "numbers")) {
    return math::Vec3::Constant(kNaN);
  }
  math::Vec3 value = math::Vec3::Zero();
  for (std::size_t i = 0; i < size; ++i) {
    value[static_cast<Eigen::Index>(i)] = number(node.elements()[i], item, key);
  }
  return value;
}

std::string Scope::name(const Node& node, const Item& item, std::string_view key) {
  if (!node.is_scalar() || node.text().empty()) {
    report(node, item, key, fmt::format("is {}; give a name", describe(node.kind())));
    return {};
  }
  return name(node.text(), node.position(), item, key);
}

std::string Scope::name(std::string_view text, const Position& position, const Item& item,
                        std::string_view key) {
  const auto fail = [&](const std::string& message) {
    problems_.add(position, fmt::format("{}: name '{}': {}", item.label(key), text, message));
    return std::string();
  };
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '[') {
      if (!is_name_part(text[i]) || (!result.empty() && result.back() == ']')) {
        return fail("use letters, digits, '_' and '-', and indices in brackets at the end");
      }
      result += text[i++];
      continue;
    }
    const std::size_t close = text.find(']', i);
    if (close == std::string_view::npos) return fail("'[' is never closed; add a ']'");
    if (result.empty()) return fail("begin with letters, then the index in brackets");
    try {
      const math::Expression index = bound(std::string(text.substr(i + 1, close - i - 1)));
      if (!index.is_constant()) refuse_names(index);
      const double value = index.value();
      if (value != std::floor(value) || std::abs(value) > kLargestIndex) {
        return fail(fmt::format("the index is {}; it must be a whole number", value));
      }
      result += fmt::format("[{}]", static_cast<long long>(value));
    } catch (const math::ExpressionError& error) {
      const std::string message = error.what();
      return fail(message.ends_with("'parameters'") ? message + " or by 'repeat'" : message);
    }
    i = close + 1;
  }
  return result;
}

}  // namespace daedal::io::reading
