#pragma once

#include <filesystem>

namespace daedal::io {

/// The mark of a running writer on its file: an advisory lock that vanishes with the process.
///
/// HDF5 has a lock of its own but gives it up in single-writer mode.
class FileLock {
 public:
  FileLock() = default;
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// False if another writer holds the file. A missing file is made if `create`, else it is free.
  /// Where the disk knows no locks, everything is free.
  bool acquire(const std::filesystem::path& path, bool create);

 private:
  int fd_ = -1;
};

/// True while a FileLock, of this process or another, holds the file.
bool is_locked(const std::filesystem::path& path);

}  // namespace daedal::io
