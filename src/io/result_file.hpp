#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daedal/io/errors.hpp"

namespace daedal::io {

/// A quantity recorded once per row: rows x components, or one number per row.
struct Dataset {
  std::string name;                       // a path such as "time" or "outputs/stroke"
  std::vector<std::string> components{};  // empty: one-dimensional
  std::string unit{};
  std::string description{};

  /// Numbers per row.
  std::size_t width() const { return components.empty() ? 1 : components.size(); }
  bool operator==(const Dataset&) const = default;
};

using Layout = std::vector<Dataset>;
/// Named texts stored beside the numbers: the model, the options, the version.
using Texts = std::vector<std::pair<std::string, std::string>>;

struct ResultOptions {
  std::size_t buffer_bytes = 1u << 20;                // rows kept in memory before a flush
  std::chrono::duration<double> flush_interval{0.5};  // [s] oldest a row may get unflushed
  std::size_t chunk_bytes = 32u << 10;                // of one HDF5 chunk
  std::size_t summary_bytes = 64u << 10;              // reserved for the summary
  /// What happens between rows: the first component is the time. Without components there is none.
  Dataset events{};
};

/// Writes one run to one HDF5 file that is readable after a kill at any moment.
///
/// The structure is made in `<path>.partial`, put into HDF5's single-writer mode and then renamed,
/// so that a file called `path` is always whole. From then on only rows are appended; a row exists
/// once the counter `committed_rows`, written after all datasets are flushed, includes it. A write
/// that fails (disk full, quota) throws OutputError and leaves the file as a kill would have:
/// what was flushed before stays readable, and closing is quiet. If no row was flushed before,
/// there is nothing to keep and the file is removed; the error says either.
class ResultWriter {
 public:
  ResultWriter(const std::filesystem::path& path, const Layout& layout, const Texts& texts,
               const ResultOptions& options = {});
  /// Goes on with an existing file after its first `rows` rows (all that are there if not given).
  /// `replaced` are texts that take the place of those of the same name, or are added.
  ///
  /// The rows are copied to a new file which then takes the place of the old one: HDF5 cannot
  /// shorten a dataset in a way that survives a kill.
  static ResultWriter append_to(const std::filesystem::path& path,
                                std::optional<std::size_t> rows = std::nullopt,
                                const Texts& replaced = {}, const ResultOptions& options = {});
  ResultWriter(ResultWriter&&) noexcept;
  ResultWriter& operator=(ResultWriter&&) noexcept;
  /// Closes as close() does, but keeps a failure to itself.
  ~ResultWriter();

  const std::filesystem::path& path() const;
  const Layout& layout() const;
  /// Rows appended so far, with those already in a continued file; after a failure those that are
  /// in the file.
  std::size_t rows() const;

  /// Appends one row: a span for each dataset, in the order of the layout. Does not allocate.
  void append(std::span<const std::span<const double>> row);
  /// Appends an event, to come to the file with the next rows. Does not allocate once room for the
  /// events between two flushes is made.
  void append_event(std::span<const double> event);
  /// Brings everything appended so far to the file.
  void flush();
  /// Replaces the summary (JSON), in place.
  void write_summary(std::string_view json);
  /// Flushes and closes; appending is over.
  void close();

 private:
  struct File;
  explicit ResultWriter(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// Reads a result file: finished, killed, or still being written by another process.
class ResultReader {
 public:
  /// Throws InputError if there is no such file or it is no result of ours.
  explicit ResultReader(const std::filesystem::path& path);
  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;
  ~ResultReader();

  const Layout& layout() const;
  const Texts& texts() const;
  /// A text by name, or nullptr.
  const std::string* text(std::string_view name) const;
  /// Index of a dataset in the layout, if there is one of that name.
  std::optional<std::size_t> index(std::string_view name) const;

  /// Rows present in all datasets.
  std::size_t rows() const;
  /// Looks again at a file that is being written; returns rows().
  std::size_t refresh();
  /// True while a writer has the file open.
  bool being_written() const;

  /// Rows [first, first + count) of a dataset, row by row.
  std::vector<double> read(std::size_t dataset, std::size_t first, std::size_t count) const;
  std::vector<double> read(std::size_t dataset) const { return read(dataset, 0, rows()); }
  /// What happens between rows; without components if there is none. All of them, one after another.
  const Dataset& events() const;
  std::vector<double> read_events() const;
  /// One component over all rows.
  std::vector<double> column(std::size_t dataset, std::size_t component) const;
  /// The summary (JSON); empty if none was written.
  std::string summary() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace daedal::io
