#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daedal/io/result_file.hpp"
#include "daedal/simulate/recorder.hpp"

namespace daedal::io {

/// Writes the rows of a run to a result file.
///
/// Datasets: time, coordinates, velocities, accelerations, multipliers, states, poses, reactions,
/// outputs, diagnostics, and under method/ what a continued run needs. Accelerations, multipliers
/// and reactions are those of the acceleration level; method/multipliers are the scheme's own.
class ResultRecorder final : public simulate::Recorder {
 public:
  /// A new file. `texts` are stored beside the numbers.
  ResultRecorder(std::filesystem::path path, Texts texts);
  /// Goes on with an existing file. `texts` replace those of the same name: the options have
  /// changed if the run goes on in another way.
  static std::unique_ptr<ResultRecorder> append_to(const std::filesystem::path& path,
                                                   Texts texts = {});

  void begin(const simulate::RowNames& names) override;
  void record(const simulate::Row& row) override;
  void event(const simulate::ContactEvent& event) override;
  void end(const simulate::Summary& summary) override;
  long kept() const override;

 private:
  std::filesystem::path path_;
  Texts texts_;
  std::optional<ResultWriter> writer_;
  bool continued_ = false;
  std::size_t first_ = 0;     // rows of the file that are not of this run
  std::vector<int> present_;  // which of the possible datasets have components
  std::vector<std::span<const double>> row_;
  std::vector<simulate::ContactEvent> early_;  // from before begin()
  long events_ = 0;                            // in the file
};

/// The last row of a result as a state to continue from.
struct LastRow {
  integrate::State state;
  std::vector<double> outputs;
};
LastRow last_row(const ResultReader& reader);

/// Columns time and outputs of a result, for CSV files and plots.
struct OutputTable {
  std::vector<double> time;
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;
};
OutputTable read_outputs(const ResultReader& reader);

}  // namespace daedal::io
