#include "daedal/io/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace daedal::io {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// Closes a descriptor on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

[[noreturn]] void refuse_size(const Position& at, std::size_t limit, std::string_view what,
                              std::string_view size) {
  throw InputError(at, fmt::format("file is {}, more than the {} MB allowed for a {}; is it the "
                                   "right file?",
                                   size, limit >> 20, what));
}

}  // namespace

std::string read_text(const std::filesystem::path& path, std::size_t limit, std::string_view what) {
  const Position at{path.string()};
  const auto fail = [&](int error) {
    throw InputError(at, error == ENOENT
                             ? fmt::format("no such file; check the path of the {}", what)
                             : fmt::format("cannot read the {}: {}; check the path and its "
                                           "permissions",
                                           what, reason(error)));
  };
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) {
    throw InputError(at, fmt::format("this is a folder; give the path of a {}", what));
  }
  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > limit) {
    refuse_size(at, limit, what, fmt::format("{:.1f} MB", double(status.st_size) / (1 << 20)));
  }

  std::string text;
  std::size_t used = 0;
  while (true) {  // a pipe has no size to ask for
    text.resize(used + (1u << 16));
    const ssize_t n = ::read(file.get(), text.data() + used, text.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    used += static_cast<std::size_t>(n);
    if (used > limit) refuse_size(at, limit, what, "endless or growing");
    if (n == 0) break;
  }
  text.resize(used);
  return text;
}

OutputError cannot_write(const std::filesystem::path& path, int error, std::string_view remark) {
  const auto remedy = [error]() -> std::string_view {
    switch (error) {
      case ENOENT:
      case ENOTDIR:
        return "create the folder first or choose another";
      case EACCES:
      case EPERM:
      case EROFS:
        return "choose a folder that may be written";
      case ENOSPC:
      case EDQUOT:
        return "free some space or write it elsewhere";
      case EFBIG:
        return "the limit of file sizes is reached, raise it with 'ulimit -f'";
      case EISDIR:
        return "give the name of a file";
      default:
        return "choose another place";
    }
  };
  return OutputError(fmt::format("cannot write '{}': {}; {}{}{}", path.string(), reason(error),
                                 remedy(), remark.empty() ? "" : "; ", remark));
}

std::filesystem::path link_target(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target;
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  const bool is_stream = exists(status) && !is_regular_file(status) && !is_directory(status);
  const std::filesystem::path target = is_stream ? path : link_target(path);
  std::filesystem::path partial = target;
  if (!is_stream) partial += ".partial";
  const auto fail = [&] {
    const int error = errno;
    if (!is_stream) ::unlink(partial.c_str());
    throw cannot_write(path, error);
  };
  Descriptor file(::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) fail();
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (file.close() != 0) fail();
  if (!is_stream && ::rename(partial.c_str(), target.c_str()) != 0) fail();
}

}  // namespace daedal::io
