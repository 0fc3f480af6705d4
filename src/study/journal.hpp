#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "daedal/io/file_lock.hpp"
#include "daedal/study/task.hpp"

namespace daedal::study {

/// Finished rows on disk, one JSON document per line, written as they come.
///
/// Lines are only appended, each by one write: a kill at any moment costs at most the line it
/// interrupts, which the next reader drops.
class Journal {
 public:
  /// With `resume` the rows that are there count; without, they are removed. Throws
  /// io::OutputError if the file cannot be written or another study writes it.
  Journal(const std::filesystem::path& path, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The row of a task, or nullptr.
  const Row* find(const std::string& key) const;
  /// Keeps a row; it is on disk when this returns.
  void add(const std::string& key, const Row& row);
  std::size_t size() const { return rows_.size(); }

 private:
  void read();

  std::filesystem::path path_;
  io::FileLock lock_;
  std::map<std::string, Row> rows_;
  int file_ = -1;
};

}  // namespace daedal::study
