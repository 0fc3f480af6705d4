// What an expression is parsed into: a flat list of instructions for a stack machine.
//
// Each instruction takes its operands from the stack and pushes one result, so that an operand is
// the unbroken run of instructions before its operator. run() is a template over the scalar:
// double, Jet, and any type with + - * / and the functions below, found by its namespace.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/math/jet.hpp"

namespace daedal::math {

inline constexpr std::size_t kMaxDepth = 64;  // nesting of an expression, and size of the stack

// clang-format off
enum class Op : std::uint8_t {
  constant, variable,
  negate, sin, cos, tan, asin, acos, atan, exp, log, sqrt, abs, tanh, step,  // of one operand
  add, subtract, multiply, divide, power, atan2, min, max                    // of two
};
// clang-format on

struct Instruction {
  Op op;
  std::uint32_t index = 0;     // of a variable in Program::names
  std::uint32_t position = 0;  // in the text, for messages
  double constant = 0.0;
};

/// The number of operands: 0, 1 or 2.
constexpr int operand_count(Op op) {
  return op < Op::negate ? 0 : op < Op::add ? 1 : 2;
}

struct Program {
  std::vector<Instruction> code;
  std::vector<std::string> names;  // of the variables, sorted

  /// Appends an operation, folding it if its operands are constants. Throws ExpressionError if the
  /// result of folding has no finite value, or the stack would overflow.
  void append(const Instruction& instruction);

  /// The value of each variable, in the order of names.
  template <class Scalar>
  Scalar run(std::span<const Scalar> values) const;

  /// The operands of code[i], in order.
  std::array<std::span<const Instruction>, 2> operands(std::size_t i) const;

 private:
  static constexpr std::size_t kUsualDepth = 8;
  std::size_t depth_ = 0;    // of the stack after the last instruction
  std::size_t deepest_ = 0;  // so far
};

namespace detail {

template <class Scalar>
Scalar apply(Op op, const Scalar& a) {
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::exp, std::log,
      std::sqrt, std::abs, std::tanh;
  switch (op) {
    case Op::negate:
      return -a;
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sqrt:
      return sqrt(a);
    case Op::abs:
      return abs(a);
    case Op::tanh:
      return tanh(a);
    default:
      return step(a);
  }
}

template <class Scalar>
Scalar apply(Op op, const Scalar& a, const Scalar& b) {
  using std::atan2, std::pow, std::min, std::max;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return pow(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::min:
      return min(a, b);
    default:
      return max(a, b);
  }
}

}  // namespace detail

/// Runs part of a program, for instance one operand, whose stack holds at most `Depth` entries.
template <class Scalar, std::size_t Depth = kMaxDepth>
Scalar run(std::span<const Instruction> code, std::span<const Scalar> values) {
  std::array<Scalar, Depth> stack;
  std::size_t top = 0;  // one past the last entry
  for (const Instruction& i : code) {
    switch (operand_count(i.op)) {
      case 0:
        stack[top++] = i.op == Op::constant ? Scalar{i.constant} : values[i.index];
        break;
      case 1:
        stack[top - 1] = detail::apply(i.op, stack[top - 1]);
        break;
      default:
        stack[top - 2] = detail::apply(i.op, stack[top - 2], stack[top - 1]);
        --top;
    }
  }
  return stack[0];
}

template <class Scalar>
Scalar Program::run(std::span<const Scalar> values) const {
  // To clear a small stack takes less time than to run most programs.
  return deepest_ <= kUsualDepth ? math::run<Scalar, kUsualDepth>(code, values)
                                 : math::run<Scalar>(code, values);
}

}  // namespace daedal::math
