#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "daedal/study/laboratory.hpp"
#include "daedal/study/study_reader.hpp"

namespace daedal::study {

inline const std::filesystem::path kGallery = std::filesystem::path(DAEDAL_SOURCE_DIR) / "models";

/// The pendulum over two methods and three steps; `more` is appended.
inline std::string small_study(const std::string& more = "") {
  return R"(study: 1
title: Small & <quick>
model: pendulum
set: {simulate.until: 0.2, simulate.output_step: 0.1}
axes:
  method: {key: simulate.method, values: [newmark, midpoint]}
  h: {key: simulate.step, values: [0.02, 0.01, 5e-3], unit: s}
measure:
  steps: {field: steps}
  x: {field: final.mass.x, unit: m}
  hundred: {expression: steps*h*100}
)" + more;
}

inline Study read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_study(text, "small.yaml", kGallery, overrides);
}

/// Says yes until it has been asked `limit` times.
class PatientObserver final : public Observer {
 public:
  explicit PatientObserver(std::size_t limit = std::size_t(-1)) : limit_(limit) {}
  bool progress(double part, std::size_t rows, std::size_t total) override {
    last_part = part;
    last_rows = rows;
    last_total = total;
    return ++calls_ < limit_;
  }
  double last_part = 0.0;
  std::size_t last_rows = 0, last_total = 0;

 private:
  std::size_t limit_, calls_ = 0;
};

inline Results results_of(const Study& study, const std::filesystem::path& rows,
                          bool resume = false, int threads = 2) {
  ThreadExecutor executor(threads);
  Journal journal(rows, resume);
  PatientObserver observer;
  Results results = conduct(study, executor, journal, observer, "test");
  results.jobs = threads;
  return results;
}

}  // namespace daedal::study
