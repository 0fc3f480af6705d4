#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/simulate/recorder.hpp"
#include "daedal/study/study.hpp"

namespace daedal::study {

/// What a run offers to a comparison: its outputs, then `multipliers.JOINT.0` and then
/// `scheme.JOINT.0` of each multiplier.
std::vector<std::string> comparable_names(const std::vector<std::string>& outputs,
                                          const std::vector<std::string>& multipliers);
/// Whether a name of a comparison is that of a multiplier.
bool names_multiplier(std::string_view name);

/// Compares the rows of a run with references while they come; keeps none of them.
///
/// A name is an output; `multipliers.JOINT.0` a multiplier from the acceleration level, as results
/// have it; `scheme.JOINT.0` the one the method itself carries.
class Comparer final : public simulate::Recorder {
 public:
  explicit Comparer(std::span<const Comparison> comparisons);

  /// Throws std::runtime_error if the run has not what it is compared by.
  void begin(const simulate::RowNames& names) override;
  void record(const simulate::Row& row) override;
  void end(const simulate::Summary&) override {}
  long kept() const override { return 0; }

  /// Of comparison k after a run that reached the time `until`; throws std::runtime_error with a
  /// sentence if a time of its reference is missing in the run.
  double error(std::size_t k, double until) const;

 private:
  struct Place {
    enum class Of { output, multiplier, scheme } of = Of::output;
    std::size_t index = 0;
  };
  struct Progress {
    std::vector<Place> places;
    std::size_t next = 0;        // time of the reference that comes next
    std::vector<double> all;     // largest difference of each name so far
    std::vector<double> latest;  // at the last time met
  };
  std::span<const Comparison> comparisons_;
  std::vector<Progress> progress_;
};

}  // namespace daedal::study
