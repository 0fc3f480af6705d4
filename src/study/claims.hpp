#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daedal/study/results.hpp"

namespace daedal::study {

/// A claim judged on one group of rows.
struct Verdict {
  std::string claim;  // its name
  std::string text;   // in words
  std::string kind;   // slope, bound, ...
  std::string where;  // the group, if the claim has several: "scaling = none"
  std::optional<double> expected, tolerance;
  std::optional<double> measured;  // nothing if it cannot be
  std::string expected_text, measured_text;
  std::string note;  // why it does not hold, where numbers do not say so
  bool holds = false;
  bool timed = false;  // it rests on times
};

/// Every claim on every group of its rows. A row without a value that a claim needs makes it fail:
/// it rests on all rows that `where` admits.
std::vector<Verdict> judge(const Study& study, const Results& results);

}  // namespace daedal::study
