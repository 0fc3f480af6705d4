#include "daedal/math/expression_program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "daedal/math/expression.hpp"

namespace daedal::math {
namespace {

// Why an operation on constants has no finite value.
std::string no_value(Op op, double a, double b) {
  switch (op) {
    case Op::log:
      return fmt::format("log({}) has no value; its argument must be positive", a);
    case Op::sqrt:
      return fmt::format("sqrt({}) has no real value; its argument must not be negative", a);
    case Op::asin:
    case Op::acos:
      return fmt::format("{}({}) has no real value; its argument must lie between -1 and 1",
                         op == Op::asin ? "asin" : "acos", a);
    case Op::power:
      if (a == 0.0) return fmt::format("0 to the power {} is a division by zero", b);
      if (a < 0.0 && b != std::floor(b))
        return fmt::format(
            "{} to the power {} has no real value; a negative base needs a whole exponent", a, b);
      [[fallthrough]];
    default:
      return "the value is too large for a floating-point number; check the magnitude of its terms";
  }
}

}  // namespace

void Program::append(const Instruction& instruction) {
  const Op op = instruction.op;
  const auto constant_at = [&](std::size_t from_end) {
    return code.size() >= from_end && code[code.size() - from_end].op == Op::constant;
  };
  const auto fold = [&](std::size_t operands, double a, double b, double value) {
    if (!std::isfinite(value)) throw ExpressionError(no_value(op, a, b), instruction.position);
    code.resize(code.size() - operands + 1);
    code.back().constant = value;
  };

  switch (operand_count(op)) {
    case 0:
      if (++depth_ > kMaxDepth)
        throw ExpressionError(
            fmt::format("the expression is nested more than {} levels deep; split it by parameters",
                        kMaxDepth),
            instruction.position);
      deepest_ = std::max(deepest_, depth_);
      break;
    case 1:
      if (!constant_at(1)) break;
      {
        const double a = code.back().constant;
        return fold(1, a, 0.0, detail::apply(op, a));
      }
    default:
      --depth_;
      if (op == Op::divide && constant_at(1) && code.back().constant == 0.0)
        throw ExpressionError("division by zero; the divisor is constant and zero",
                              instruction.position);
      if (!constant_at(1) || !constant_at(2)) break;
      {
        const double a = code[code.size() - 2].constant, b = code.back().constant;
        return fold(2, a, b, detail::apply(op, a, b));
      }
  }
  code.push_back(instruction);
}

std::array<std::span<const Instruction>, 2> Program::operands(std::size_t i) const {
  std::array<std::span<const Instruction>, 2> result;
  std::size_t end = i;
  for (int k = operand_count(code[i].op) - 1; k >= 0; --k) {
    std::size_t begin = end;
    for (int missing = 1; missing > 0; missing += operand_count(code[begin].op) - 1) --begin;
    result[k] = {code.data() + begin, end - begin};
    end = begin;
  }
  return result;
}

}  // namespace daedal::math
