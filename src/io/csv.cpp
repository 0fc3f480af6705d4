#include "daedal/io/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "daedal/io/text_file.hpp"

namespace daedal::io {
namespace {

constexpr std::size_t kMaxCsvBytes = std::size_t{1} << 30;

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), result.ptr);
}

std::string_view trim(std::string_view s) {
  const std::size_t first = s.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

/// Cuts one record after another from a text; a quoted field may span lines.
class Records {
 public:
  Records(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// False at the end. Skips empty lines and comments.
  bool next(std::vector<std::string>& fields) {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
      if (!trim(line).empty() && !line.starts_with('#')) break;
      at_ += line.size();
      end_line();
    }
    if (at_ >= text_.size()) return false;
    line_ = next_line_;
    fields.clear();
    do fields.push_back(field());
    while (at_ < text_.size() && text_[at_] == ',' && ++at_);
    end_line();
    return true;
  }

  Position position() const { return {std::string(name_), line_}; }

 private:
  std::string field() {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with('"')) {
      const std::string_view plain = rest.substr(0, rest.find_first_of(",\r\n"));
      at_ += plain.size();
      return std::string(trim(plain));
    }
    std::string value;
    for (++at_;; ++at_) {
      if (at_ >= text_.size()) {
        throw InputError(position(), "a quoted field is never closed; add the missing quote");
      }
      if (text_[at_] == '\n') ++next_line_;
      if (text_[at_] != '"') {
        value += text_[at_];
      } else if (text_.substr(at_ + 1, 1) == "\"") {
        value += text_[at_++];
      } else {
        break;
      }
    }
    ++at_;
    if (at_ < text_.size() &&
        std::string_view(",\r\n").find(text_[at_]) == std::string_view::npos) {
      throw InputError(position(), "text follows a closed quote; double the quotes inside a field");
    }
    return value;
  }

  void end_line() {
    if (text_.substr(at_).starts_with("\r\n")) ++at_;
    if (at_ < text_.size()) ++at_;
    ++next_line_;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  int line_ = 0;
  int next_line_ = 1;
};

double number(std::string_view field, const Position& at, std::string_view column) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::string_view digits = field.starts_with('+') ? field.substr(1) : field;
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
    throw InputError(at, fmt::format("column '{}': '{}' is not a number; use a point for decimals "
                                     "and commas between columns",
                                     column, field));
  }
  if (error == std::errc::result_out_of_range) {
    throw InputError(
        at, fmt::format("column '{}': '{}' is outside the range of double numbers", column, field));
  }
  return value;
}

}  // namespace

const std::vector<double>* Table::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &columns[std::size_t(found - names.begin())];
}

std::string shortest(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string csv_field(std::string_view text) {
  const bool is_plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                        trim(text) == text && !text.starts_with('#');
  if (is_plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_field(table.names[i]);
  }
  text += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) text += ',';
      append_number(text, table.columns[i].at(row));
    }
    text += '\n';
  }
  return text;
}

void write_csv(const std::filesystem::path& path, const Table& table) {
  write_text(path, csv(table));
}

Table read_csv(const std::filesystem::path& path) {
  return parse_csv(read_text(path, kMaxCsvBytes, "CSV file"), path.string());
}

Table parse_csv(std::string_view text, std::string_view name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Table table;
  Records records(text, name);
  if (!records.next(table.names)) {
    throw InputError({std::string(name)},
                     "file is empty; a header with the names of the columns "
                     "is expected");
  }
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const auto end = table.names.begin() + std::ptrdiff_t(i);
    if (std::find(table.names.begin(), end, table.names[i]) != end) {
      throw InputError(records.position(),
                       fmt::format("two columns are called '{}'; rename one", table.names[i]));
    }
  }
  table.columns.resize(table.names.size());
  std::vector<std::string> fields;
  while (records.next(fields)) {
    if (fields.size() != table.names.size()) {
      throw InputError(records.position(),
                       fmt::format("row has {} fields, but the header has {} columns",
                                   fields.size(), table.names.size()));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      table.columns[i].push_back(number(fields[i], records.position(), table.names[i]));
    }
  }
  return table;
}

}  // namespace daedal::io
