#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/io/errors.hpp"

namespace daedal::io {

/// A table of numbers by columns.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// A column by name, or nullptr.
  const std::vector<double>* find(std::string_view name) const;
};

/// The shortest text that reads back as the same number; `nan`, `inf`, `-inf`.
std::string shortest(double value);
/// A field after the rules of RFC 4180: quoted if it holds a comma, a quote, a break or outer
/// space.
std::string csv_field(std::string_view text);

/// Header and rows with round-trip precision.
std::string csv(const Table& table);
/// Writes through a temporary file that is renamed, so that the file is old or whole.
void write_csv(const std::filesystem::path& path, const Table& table);

/// Reads numbers under a header. Empty lines and lines opening with `#` are skipped. An empty
/// field is nan. Throws InputError with the line.
Table read_csv(const std::filesystem::path& path);
Table parse_csv(std::string_view text, std::string_view name);

}  // namespace daedal::io
