#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "daedal/io/model_file.hpp"
#include "daedal/simulate/recorder.hpp"

namespace daedal::study {

/// Entries of a Newton matrix that differ from zero; rows and columns by their unknowns.
struct Pattern {
  std::vector<int> parts;  // sizes of q, v, lambda, eta, x; empty if there is no such matrix
  std::vector<int> rows, columns;
};

/// Collects the entries that the Newton matrix of a first-order form (`bdf`) has at any recorded
/// row of a run, and hands the rows on.
class PatternCollector final : public simulate::Recorder {
 public:
  /// `next` may be null.
  PatternCollector(const io::ModelFile& file, simulate::Recorder* next);
  ~PatternCollector() override;

  void begin(const simulate::RowNames& names) override;
  void record(const simulate::Row& row) override;
  void end(const simulate::Summary& summary) override;
  long kept() const override { return next_ ? next_->kept() : 0; }

  Pattern pattern() const;

 private:
  struct Equations;

  simulate::Recorder* next_;
  std::unique_ptr<Equations> equations_;  // null for other methods
  std::set<std::pair<int, int>> entries_;
};

}  // namespace daedal::study
