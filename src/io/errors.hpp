#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace daedal::io {

/// A place in an input: `file:line:column`, `file:line` where the column is 0, `file` where the
/// line is 0 too. Lines and columns count from 1. For an override the file is `--set path=value`.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;

  std::string to_string() const;
  bool operator==(const Position&) const = default;
};

/// Input we refuse. what() is `file:line:column: message`; several refusals of one file are
/// reported together, one per line.
class InputError : public std::runtime_error {
 public:
  InputError(Position position, std::string_view message);
  /// `text` is the whole of what(): lines that already carry their positions. `first` is the
  /// position of the first of them.
  static InputError list(Position first, const std::string& text);

  const Position& position() const { return position_; }

 private:
  struct Whole {};
  InputError(Whole, Position position, const std::string& text);
  Position position_;
};

/// A file that cannot be written. what() is a sentence with the path, the reason and the remedy.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace daedal::io
