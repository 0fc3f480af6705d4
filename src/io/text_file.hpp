#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "daedal/io/errors.hpp"

namespace daedal::io {

/// The whole of a file of at most `limit` bytes; throws InputError for a missing, unreadable or
/// larger file, or a folder. `what` names the kind of file wanted in messages: "model file".
std::string read_text(const std::filesystem::path& path, std::size_t limit, std::string_view what);

/// The sentence for a file that cannot be written because of `error`, a value of errno. `remark`
/// stands at its end.
OutputError cannot_write(const std::filesystem::path& path, int error,
                         std::string_view remark = {});

/// The file that a path leads to, through symbolic links; the path itself if there is none yet.
std::filesystem::path link_target(const std::filesystem::path& path);

/// Replaces a file by way of `<path>.partial` and a rename, so that it is always the old or the
/// new one, whole; a device or pipe is written directly. Throws OutputError.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace daedal::io
