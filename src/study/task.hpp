#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "daedal/study/pattern.hpp"
#include "daedal/study/study.hpp"
#include "daedal/study/trace.hpp"

namespace daedal::study {

/// What all runs of a study share.
struct Subject {
  std::string model_text, model_name;
  std::vector<Comparison> comparisons;
};

/// One run as data: all that its row depends on.
struct Task {
  std::shared_ptr<const Subject> subject;
  std::vector<std::string> overrides;
  std::vector<std::string> traces{};  // what to keep over time, by name
  bool pattern = false;               // whether to keep that of the Newton matrix
};

/// How a run ended and what was measured: the numbers of its summary by their names, and
/// `error.COLUMN` of each comparison.
struct Row {
  std::string status;   // `done`; else nothing of it enters a claim or a plot
  std::string message;  // of a failure
  std::map<std::string, double> values;
  std::map<std::string, Trace> traces{};
  Pattern pattern{};

  bool done() const { return status == "done"; }
};

/// Words of a row beside those of simulate::Status.
inline constexpr const char* kRefused = "refused";  // the model cannot be assembled so
inline constexpr const char* kOutOfMemory = "out_of_memory";
inline constexpr const char* kInterrupted = "interrupted";

/// What the status of a finished row may be.
std::vector<std::string> row_statuses();

/// Runs a task: a pure function of it but for times. `progress` gets the part done, and stops the
/// run by returning false.
Row execute(const Task& task, const std::function<bool(double)>& progress = {});

/// Names of the numbers in a summary, beside `final.OUTPUT`.
std::vector<std::string> summary_fields();

/// 16 digits that differ where tasks differ, for rows kept on disk.
std::string key_of(const Task& task, std::string_view version);

}  // namespace daedal::study
