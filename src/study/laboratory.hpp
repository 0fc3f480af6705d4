#pragma once

#include <cstddef>
#include <string_view>

#include "daedal/study/executor.hpp"
#include "daedal/study/journal.hpp"
#include "daedal/study/results.hpp"

namespace daedal::study {

/// Progress of a whole study.
class Observer {
 public:
  virtual ~Observer() = default;
  /// `rows` of `total` are finished, `part` of all work is done. From any thread, one at a time;
  /// false ends the study, and its rows so far stay in the journal.
  virtual bool progress(double part, std::size_t rows, std::size_t total) = 0;
};

/// Runs what the journal does not have yet. `version` is that of the program: rows of another one
/// do not count.
Results conduct(const Study& study, Executor& executor, Journal& journal, Observer& observer,
                std::string_view version);

}  // namespace daedal::study
