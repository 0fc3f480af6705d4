// Private to the reader of study files: what its parts share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/io/document.hpp"
#include "daedal/io/model_scope.hpp"
#include "daedal/io/schema.hpp"
#include "daedal/study/study.hpp"

namespace daedal::study::reading {

using io::Node;

inline constexpr std::string_view kConditionNumberKey = "simulate.condition_number";

/// The study as far as it is read, and what is wrong with it. Whoever asks for a value gets
/// nothing after a problem has been added.
struct Reading {
  const Node& root;
  std::filesystem::path folder;  // of the study file
  Limits limits{};
  Study study{};
  bool has_runs = false;  // `{run}` may stand in what is being read
  io::reading::Problems problems{};

  void complain(const Node& node, std::string_view who, std::string_view message);

  /// A constant, written as a number or an expression.
  std::optional<double> number(const Node& map, std::string_view key, std::string_view who);
  std::optional<long> integer(const Node& map, std::string_view key, std::string_view who);
  bool flag(const Node& map, std::string_view key, bool otherwise) const;
  std::string text(const Node& map, std::string_view key, std::string_view otherwise = {}) const;
  Value value(const Node& node) const;

  /// An axis or a column by name; a problem with the near miss if there is none such.
  std::optional<std::size_t> axis(const Node& node, std::string_view who);
  std::optional<std::size_t> column(const Node& node, std::string_view who);
  std::optional<Quantity> quantity(const Node& node, std::string_view who);
  Where where(const Node& map, std::string_view who);
  /// A value that the axis has.
  bool known(const Axis& axis, const Value& value, const Node& node, std::string_view who);
  /// Complains if the axis has a word among its values; `what` needs numbers.
  void check_numeric(const Axis& axis, const Node& node, std::string_view who,
                     std::string_view what);
  /// Complains about a name that is taken, reserved, or that expressions could not use.
  void check_name(const Node::Entry& entry, std::string_view noun);

  std::vector<std::string> axis_names() const;
  std::vector<std::string> column_names() const;
};

/// `simulate: {step: 1}` and `simulate.step: 1` alike become assignments.
void read_assignments(Reading& reading, const Node& map, const std::string& prefix,
                      std::vector<Assignment>& out);
void read_axes(Reading& reading);
void read_repeat(Reading& reading);
void read_columns(Reading& reading);
void read_plots(Reading& reading);
void read_traces(Reading& reading);
void read_patterns(Reading& reading);
void read_claims(Reading& reading);

/// The entries of a section that may be missing.
std::span<const Node::Entry> entries(const Node& root, std::string_view key);

}  // namespace daedal::study::reading
