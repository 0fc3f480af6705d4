#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/simulate/recorder.hpp"

namespace daedal::study {

/// A recorded quantity over time, where it changes.
struct Trace {
  std::vector<double> t, value;
};

/// Names of what a run records of its steps, which is what can be traced.
std::vector<std::string> traceable_names();

/// Keeps some of what is recorded of each step, and hands the rows on.
class Tracer final : public simulate::Recorder {
 public:
  /// `next` may be null.
  Tracer(std::span<const std::string> names, simulate::Recorder* next);

  void begin(const simulate::RowNames& names) override;
  void record(const simulate::Row& row) override;
  void end(const simulate::Summary& summary) override;
  long kept() const override { return next_ ? next_->kept() : 0; }

  /// In the order of the names.
  const std::vector<Trace>& traces() const { return traces_; }

 private:
  simulate::Recorder* next_;
  std::vector<std::size_t> places_;
  std::vector<Trace> traces_;
  double last_ = 0.0;
};

}  // namespace daedal::study
