// Recursive descent, one function per rule of the grammar in expression.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numbers>
#include <utility>

#include "daedal/math/expression.hpp"
#include "daedal/math/text.hpp"

namespace daedal::math {
namespace {

struct Function {
  std::string_view name;
  Op op;
  int arguments;
  bool more;  // any further number of arguments
  std::string_view usage;
};

constexpr std::array kFunctions{
    Function{"sin", Op::sin, 1, false, "sin(x)"},
    Function{"cos", Op::cos, 1, false, "cos(x)"},
    Function{"tan", Op::tan, 1, false, "tan(x)"},
    Function{"asin", Op::asin, 1, false, "asin(x)"},
    Function{"acos", Op::acos, 1, false, "acos(x)"},
    Function{"atan", Op::atan, 1, false, "atan(x)"},
    Function{"atan2", Op::atan2, 2, false, "atan2(y, x)"},
    Function{"exp", Op::exp, 1, false, "exp(x)"},
    Function{"log", Op::log, 1, false, "log(x)"},
    Function{"sqrt", Op::sqrt, 1, false, "sqrt(x)"},
    Function{"abs", Op::abs, 1, false, "abs(x)"},
    Function{"min", Op::min, 2, true, "min(a, b)"},
    Function{"max", Op::max, 2, true, "max(a, b)"},
    Function{"pow", Op::power, 2, false, "pow(x, n)"},
    Function{"tanh", Op::tanh, 1, false, "tanh(x)"},
    Function{"step", Op::step, 1, false, "step(x)"},
};

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::find(kFunctions, name, &Function::name);
  return found == kFunctions.end() ? nullptr : &*found;
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_name_part(char c) {
  return is_letter(c) || is_digit(c);
}

// The beginning of a token, fit for a message: quoted, short and printable.
std::string in_quotes(std::string_view token) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (const char c : token.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + (token.size() > kLongest ? "...'" : "'");
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Program parse() {
    if (text_.size() > Expression::kMaxLength)
      fail(fmt::format("the expression is {} bytes long; at most {} are allowed", text_.size(),
                       Expression::kMaxLength),
           Expression::kMaxLength);
    skip_space();
    if (at_end()) fail("the expression is empty; give a number or a formula", 0);
    sum();
    if (!at_end()) fail_after_operand();
    sort_names();
    return std::move(program_);
  }

 private:
  void sum() {
    term();
    for (;;) {
      const std::size_t at = position_;
      if (accept('+'))
        term(), append(Op::add, at);
      else if (accept('-'))
        term(), append(Op::subtract, at);
      else
        return;
    }
  }

  void term() {
    sign();
    for (;;) {
      const std::size_t at = position_;
      if (accept('*'))
        sign(), append(Op::multiply, at);
      else if (accept('/'))
        sign(), append(Op::divide, at);
      else
        return;
    }
  }

  void sign() {
    const std::size_t at = position_;
    bool negative = false;
    for (;;) {
      if (accept('-'))
        negative = !negative;
      else if (!accept('+'))
        break;
    }
    power();
    if (negative) append(Op::negate, at);
  }

  void power() {
    primary();
    const std::size_t at = position_;
    if (!accept('^')) return;
    const Nesting nesting(*this, at);
    sign();
    append(Op::power, at);
  }

  void primary() {
    const std::size_t at = position_;
    const char c = peek();
    if (is_digit(c) || (c == '.' && position_ + 1 < text_.size() && is_digit(text_[position_ + 1])))
      return number();
    if (is_letter(c)) return name();
    if (!accept('(')) fail_before_operand();
    const Nesting nesting(*this, at);
    sum();
    close(at);
  }

  void number() {
    const std::size_t at = position_;
    double value = 0.0;
    const char* begin = text_.data() + at;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - begin);
    if (status != std::errc{})
      fail(fmt::format("the number {} is out of range; magnitudes from 1e-307 to 1e308 are allowed",
                       in_quotes(text_.substr(at, length))),
           at);
    position_ += length;
    skip_space();
    append(Op::constant, at, value);
  }

  void name() {
    const std::size_t at = position_;
    while (is_name_part(peek())) ++position_;
    const std::string word(text_.substr(at, position_ - at));
    skip_space();
    const Function* function = find_function(word);
    const std::size_t open = position_;
    if (accept('(')) {
      if (!function) fail_unknown_function(word, at);
      return arguments(*function, at, open);
    }
    if (function)
      fail(fmt::format("{0} is a function and needs an argument; write {1}", word, function->usage),
           at);
    if (word == "pi") return append(Op::constant, at, std::numbers::pi);
    const auto [entry, added] = names_.try_emplace(word, static_cast<std::uint32_t>(names_.size()));
    program_.append(
        {.op = Op::variable, .index = entry->second, .position = static_cast<std::uint32_t>(at)});
  }

  void arguments(const Function& function, std::size_t at, std::size_t open) {
    const Nesting nesting(*this, at);
    int count = 0;
    if (peek() != ')') {
      do {
        sum();
        ++count;
        if (function.more && count >= 2)
          append(function.op, at);
        else if (!function.more && count > function.arguments)
          fail_argument_count(function, at, open);
      } while (accept(','));
    }
    close(open);
    if (count < function.arguments) fail_argument_count(function, at, open);
    if (!function.more) append(function.op, at);
  }

  void close(std::size_t open) {
    if (accept(')')) return;
    if (at_end()) fail("this '(' is not closed; add a ')'", open);
    fail_after_operand();
  }

  // Names are numbered as they come; the program wants them sorted.
  void sort_names() {
    std::vector<std::uint32_t> rank(names_.size());
    for (const auto& [word, index] : names_) {
      rank[index] = static_cast<std::uint32_t>(program_.names.size());
      program_.names.push_back(word);
    }
    for (Instruction& i : program_.code)
      if (i.op == Op::variable) i.index = rank[i.index];
  }

  [[noreturn]] void fail(const std::string& message, std::size_t at) const {
    throw ExpressionError(message, at);
  }

  [[noreturn]] void fail_unknown_function(const std::string& word, std::size_t at) const {
    std::vector<std::string> known;
    for (const Function& f : kFunctions) known.emplace_back(f.name);
    if (nearest(word, known))
      fail(fmt::format("there is no function {}{}", in_quotes(word), did_you_mean(word, known)), at);
    fail(fmt::format("there is no function {}; known are {}; a product needs a '*'", in_quotes(word),
                     fmt::join(known, ", ")),
         at);
  }

  [[noreturn]] void fail_argument_count(const Function& function, std::size_t at,
                                        std::size_t open) const {
    const int given = count_arguments(open);
    fail(fmt::format("{} takes {}{} argument{}, not {}; write {}", function.name,
                     function.more ? "at least " : "", function.arguments,
                     function.arguments == 1 ? "" : "s", given, function.usage),
         at);
  }

  // How many arguments were meant, for a message: commas up to the matching ')'.
  int count_arguments(std::size_t open) const {
    int depth = 0, commas = 0;
    bool any = false;
    for (std::size_t i = open; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '(')
        ++depth;
      else if (c == ')' && --depth == 0)
        break;
      if (c == ',' && depth == 1) ++commas;
      if (i > open && c != ' ') any = true;
    }
    return any ? commas + 1 : 0;
  }

  // Where an operand should begin, none does.
  [[noreturn]] void fail_before_operand() const {
    if (at_end())
      fail("the expression ends too early; a number, a name or '(' is missing", text_.size());
    if (peek() == '*' && position_ > 0 && text_[position_ - 1] == '*')
      fail("'**' is not an operator; write a power as ^", position_ - 1);
    if (peek() == ')' || peek() == ',' || is_operator(peek()))
      fail(fmt::format("a number, a name or '(' is missing before {}", in_quotes(character())),
           position_);
    fail_character();
  }

  // An operand is complete, but neither an operator nor the end follows.
  [[noreturn]] void fail_after_operand() const {
    const char c = peek();
    if (c == ')') fail("this ')' closes nothing; remove it or add a '('", position_);
    if (c == ',')
      fail("a ',' belongs between the arguments of a function; decimals take a point", position_);
    if (is_name_part(c) || c == '(' || c == '.')
      fail(fmt::format("an operator is missing before {}; a product needs a '*'",
                       in_quotes(character())),
           position_);
    fail_character();
  }

  [[noreturn]] void fail_character() const {
    fail(fmt::format("unexpected character {}; allowed are numbers, names, + - * / ^ ( ) and ','",
                     in_quotes(character())),
         position_);
  }

  static bool is_operator(char c) {
    return std::string_view("+-*/^").find(c) != std::string_view::npos;
  }

  // The character at the current position, all bytes of it if it is not ASCII.
  std::string_view character() const {
    std::size_t length = 1;
    if (static_cast<unsigned char>(text_[position_]) >= 0x80)
      while (length < 4 && position_ + length < text_.size() &&
             (static_cast<unsigned char>(text_[position_ + length]) & 0xc0) == 0x80)
        ++length;
    return text_.substr(position_, length);
  }

  // Counts open parentheses, calls and exponents, whose recursion must stay bounded.
  struct Nesting {
    Nesting(Parser& owner, std::size_t at) : parser(owner) {
      if (++parser.nesting_ > kMaxDepth)
        parser.fail(fmt::format("the expression is nested more than {} levels deep; split it by "
                                "parameters",
                                kMaxDepth),
                    at);
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  void append(Op op, std::size_t at, double constant = 0.0) {
    program_.append({.op = op, .position = static_cast<std::uint32_t>(at), .constant = constant});
  }

  bool at_end() const { return position_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }

  bool accept(char c) {
    if (at_end() || text_[position_] != c) return false;
    ++position_;
    skip_space();
    return true;
  }

  void skip_space() {
    while (!at_end() &&
           std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos)
      ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t nesting_ = 0;
  Program program_;
  std::map<std::string, std::uint32_t> names_;
};

}  // namespace

Expression Expression::parse(std::string_view text) {
  Program program = Parser(text).parse();
  return Expression(std::string(text), std::move(program));
}

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_name_part);
}

bool is_reserved(std::string_view name) {
  return name == "t" || name == "pi" || find_function(name) != nullptr;
}

}  // namespace daedal::math
