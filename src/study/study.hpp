#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daedal/io/errors.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/math/expression.hpp"

namespace daedal::study {

/// The value of an axis in a row: a word, or a number as it was written.
struct Value {
  std::string text;
  std::optional<double> number;

  explicit Value(std::string written = {});
  /// Numbers are equal to nine digits, words letter by letter.
  bool operator==(const Value& other) const;
};

/// `simulate.step=1e-3`, and where the study file says so. `{h}` in the value stands for the value
/// of the axis h.
struct Assignment {
  std::string path;
  std::string value;
  io::Position position;
};

/// What is varied. Value k makes the assignments set[k] to the model.
struct Axis {
  std::string name, label, unit;
  std::vector<Value> values;
  std::vector<std::vector<Assignment>> set;

  bool numeric() const { return word() == nullptr; }
  /// The first value that is no number; null if all are.
  const Value* word() const;
};

/// A trajectory to compare with: names of a run's rows, and their values at given times.
struct Reference {
  std::vector<double> times;                // [s], increasing
  std::vector<std::string> names;           // outputs; `multipliers.JOINT.0`, `scheme.JOINT.0`
  std::vector<std::vector<double>> values;  // of each name at each time
};

/// The largest difference from a reference over all of its names and times.
struct Comparison {
  std::string column;
  Reference reference;
  bool at_end = false;    // at the last time alone
  bool relative = false;  // each name by the largest magnitude of its reference
};

/// A value the literature gives for some of the rows. It stands beside ours and is never ours.
struct PaperEntry {
  std::vector<Value> at;  // of the axes PaperData::axes
  double value;
};
struct PaperData {
  std::string source;
  std::vector<std::size_t> axes;
  std::vector<PaperEntry> entries;
};

/// Every row stands for several runs, each with these assignments; `{run}` in a value stands for
/// 0, 1, ...
struct Repeat {
  int times = 1;
  std::vector<Assignment> set;
};

/// What a column takes of the runs of a row.
enum class Statistic { median, smallest, largest };

/// A column of the table beside the axes.
struct Column {
  enum class Kind { field, error, expression, against, paper };
  Kind kind = Kind::field;
  std::string name, label, unit;
  io::Position position;        // in the study file
  std::string field;            // of the run's summary: `steps`, `final.beta`
  std::size_t comparison = 0;   // of Study::comparisons
  math::Expression expression;  // of numeric axes and of columns before this one
  Statistic statistic = Statistic::median;
  // against: another column relative to its value in the row that has these values of some axes.
  std::size_t of = 0;
  std::vector<std::pair<std::size_t, std::size_t>> base;  // axis, and which of its values
  bool difference = false;                                // else their ratio
  PaperData paper;

  /// Its field is one that a run has with simulate.condition_number alone.
  bool needs_condition_number() const;
};

/// An axis or a column, by index.
struct Quantity {
  bool is_axis = false;
  std::size_t index = 0;
};

/// A choice of rows: for each named axis one of some values, or a number of a range.
struct Condition {
  std::size_t axis = 0;
  std::vector<Value> any;
  std::optional<double> from, to;
};
using Where = std::vector<Condition>;

struct PlotRequest {
  std::string name, title;
  Quantity x;
  std::vector<std::size_t> y;  // columns
  std::size_t along = 0;       // the axis a line runs along; every other combination is a line
  Where where;
  bool log_x = true, log_y = true;
  bool fit = true;  // slopes in the legend; of two logarithmic axes
};

/// What the steps of a run recorded over time: a panel for each admitted row, of its first run.
struct TraceRequest {
  enum class Panel { row, quantity };  // what has one; lines are those of the other

  std::string name, title;
  std::vector<std::string> of;
  Panel panel = Panel::row;
  bool log_y = false;
  Where where;
};

/// Where the Newton matrices of rows have entries: a panel for each admitted row, of its first run.
struct PatternRequest {
  std::string name, title;
  Where where;
};

/// A statement about the table that holds or does not. Which members count is said by the kind.
struct Claim {
  enum class Kind { slope, bound, ratio, order, agreement, status };
  Kind kind = Kind::bound;
  std::string name, text;
  std::size_t of = 0;    // column
  std::size_t with = 0;  // agreement: the other column
  std::size_t over = 0;  // slope, ratio, order: axis
  Where where;
  std::optional<double> expected, within;   // slope: absolute; ratio, agreement: relative
  std::optional<double> at_most, at_least;  // bound, ratio
  std::optional<double> factor;             // agreement: quotient of the two
  std::vector<Value> sequence;              // ratio: first and second; order: by rising column
  bool falling = false;                     // order without a sequence
  std::string status;                       // status
};

/// A study file, read: docs/studies.md describes its keys.
struct Study {
  std::string name;  // of the file, without its ending
  std::string title, description;
  std::string model;                   // as the file names it
  std::string model_name, model_text;  // its path, for messages, and what it holds
  std::vector<Assignment> set;
  std::optional<int> jobs;
  Repeat repeat;
  std::vector<Axis> axes;
  std::vector<Comparison> comparisons;
  std::vector<Column> columns;
  std::vector<std::size_t> table;  // columns shown in text, in their order
  std::vector<PlotRequest> plots;
  std::vector<TraceRequest> traces;
  std::vector<PatternRequest> patterns;
  std::vector<Claim> claims;
  std::string text;  // the YAML as read

  /// Whether a column rests on times, which differ from run to run.
  bool is_timed(std::size_t column) const;
};

/// What a study file may ask for: reading it reads its model once for every row.
struct Limits {
  std::size_t rows = 10'000;
  io::Limits model{};
};

}  // namespace daedal::study
