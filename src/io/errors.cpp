#include "daedal/io/errors.hpp"

#include <utility>

#include <fmt/format.h>

namespace daedal::io {

std::string Position::to_string() const {
  if (line <= 0) return file;
  if (column <= 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

InputError::InputError(Position position, std::string_view message)
    : std::runtime_error(fmt::format("{}: {}", position.to_string(), message)),
      position_(std::move(position)) {}

InputError::InputError(Whole, Position position, const std::string& text)
    : std::runtime_error(text), position_(std::move(position)) {}

InputError InputError::list(Position first, const std::string& text) {
  return InputError(Whole{}, std::move(first), text);
}

}  // namespace daedal::io
