#include "daedal/study/laboratory.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <set>

namespace daedal::study {

namespace {

class Progress final : public Monitor {
 public:
  Progress(std::vector<std::string> keys, std::size_t total, Journal& journal, Observer& observer)
      : keys_(std::move(keys)),
        part_(keys_.size(), 0.0),
        total_(total),
        journal_(journal),
        observer_(observer) {}

  bool running(std::size_t task, double part) override {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return !stopped_;
    part_[task] = part;
    return tell();
  }

  void finished(std::size_t task, const Row& row) override {
    const std::lock_guard lock(mutex_);
    journal_.add(keys_[task], row);
    ++rows_;
    part_[task] = 1.0;
    tell();
  }

 private:
  bool tell() {
    const double before = static_cast<double>(total_ - keys_.size());
    const double done = std::accumulate(part_.begin(), part_.end(), before);
    if (!observer_.progress(done / static_cast<double>(total_), total_ - keys_.size() + rows_,
                            total_)) {
      stopped_ = true;
    }
    return !stopped_;
  }

  std::vector<std::string> keys_;
  std::vector<double> part_;
  std::size_t total_, rows_ = 0;
  Journal& journal_;
  Observer& observer_;
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;
};

/// What plots over time want of a point.
std::vector<std::string> traced(const Study& study, const Point& point) {
  std::set<std::string> names;
  for (const TraceRequest& request : study.traces) {
    if (admits(study, request.where, point)) names.insert(request.of.begin(), request.of.end());
  }
  return {names.begin(), names.end()};
}

}  // namespace

Results conduct(const Study& study, Executor& executor, Journal& journal, Observer& observer,
                std::string_view version) {
  const std::vector<Point> points = grid(study);
  const auto subject = std::make_shared<const Subject>(
      Subject{study.model_text, study.model_name, study.comparisons});
  std::vector<std::string> keys, missing_keys;
  std::vector<Task> missing;
  const auto times = static_cast<std::size_t>(study.repeat.times);
  for (const Point& point : points) {
    for (int run = 0; run < study.repeat.times; ++run) {
      Task task{subject, overrides(assignments(study, point, run)), {}};
      if (run == 0) {
        task.traces = traced(study, point);
        task.pattern = std::ranges::any_of(study.patterns, [&](const PatternRequest& request) {
          return admits(study, request.where, point);
        });
      }
      keys.push_back(key_of(task, version));
      if (journal.find(keys.back())) continue;
      missing_keys.push_back(keys.back());
      missing.push_back(std::move(task));
    }
  }
  Results results;
  results.resumed = keys.size() - missing.size();
  Progress progress(missing_keys, keys.size(), journal, observer);
  executor.run(missing, progress);
  const Row none{kNotRun, {}, {}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<const Row*> runs;
    for (std::size_t k = i * times; k < (i + 1) * times; ++k) {
      const Row* row = journal.find(keys[k]);
      results.interrupted |= row == nullptr;
      runs.push_back(row ? row : &none);
    }
    results.lines.push_back(make_line(study, points[i], merged(runs)));
  }
  relate(study, results.lines);
  return results;
}

}  // namespace daedal::study
