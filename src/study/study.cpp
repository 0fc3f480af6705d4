#include "daedal/study/study.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace daedal::study {

namespace {

constexpr double kSameNumber = 1e-9;  // relative

std::optional<double> as_number(const std::string& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

Value::Value(std::string written) : text(std::move(written)), number(as_number(text)) {}

bool Value::operator==(const Value& other) const {
  if (!number || !other.number) return text == other.text;
  const double largest = std::max(std::abs(*number), std::abs(*other.number));
  return std::abs(*number - *other.number) <= kSameNumber * largest;
}

const Value* Axis::word() const {
  const auto found =
      std::ranges::find_if(values, [](const Value& v) { return !v.number.has_value(); });
  return found == values.end() ? nullptr : &*found;
}

bool Column::needs_condition_number() const {
  return field == "condition_number" || field == "solver_error";
}

bool Study::is_timed(std::size_t column) const {
  const Column& c = columns[column];
  if (c.kind == Column::Kind::against) return is_timed(c.of);
  if (c.kind != Column::Kind::expression)
    return c.field == "wall_seconds" || c.field == "cpu_seconds";
  const auto names = c.expression.variables();
  for (std::size_t k = 0; k < column; ++k) {
    if (std::ranges::find(names, columns[k].name) != names.end() && is_timed(k)) return true;
  }
  return false;
}

}  // namespace daedal::study
