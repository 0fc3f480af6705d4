#include "daedal/study/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "daedal/io/json.hpp"
#include "daedal/io/text_file.hpp"

namespace daedal::study {

namespace {

constexpr std::size_t kMaxJournalBytes = std::size_t{1} << 30;

io::Json to_json(const std::string& key, const Row& row) {
  io::Json json;
  json["key"] = key;
  json["status"] = row.status;
  json["message"] = row.message;
  json["values"] = io::Json::object();
  for (const auto& [name, value] : row.values) json["values"][name] = value;
  for (const auto& [name, trace] : row.traces) {
    json["traces"][name] = {{"t", trace.t}, {"value", trace.value}};
  }
  if (const Pattern& p = row.pattern; !p.parts.empty()) {
    json["pattern"] = {{"parts", p.parts}, {"rows", p.rows}, {"columns", p.columns}};
  }
  return json;
}

/// A line that is no row of ours is dropped: its task is run again.
bool from_json(const std::string& line, std::string& key, Row& row) {
  try {
    const io::Json json = io::parse_json(line, "row");
    key = json.at("key").get<std::string>();
    row.status = json.at("status").get<std::string>();
    row.message = json.at("message").get<std::string>();
    for (const auto& [name, value] : json.at("values").items()) {
      if (value.is_number()) row.values[name] = value.get<double>();
    }
    if (json.contains("traces")) {
      for (const auto& [name, trace] : json.at("traces").items()) {
        row.traces[name] = {trace.at("t").get<std::vector<double>>(),
                            trace.at("value").get<std::vector<double>>()};
      }
    }
    if (json.contains("pattern")) {
      const io::Json& p = json.at("pattern");
      row.pattern = {p.at("parts").get<std::vector<int>>(), p.at("rows").get<std::vector<int>>(),
                     p.at("columns").get<std::vector<int>>()};
    }
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Journal::Journal(const std::filesystem::path& path, bool resume) : path_(path) {
  if (!lock_.acquire(path, true)) {
    throw io::OutputError(
        fmt::format("'{}' is being written by another study; wait for it, or name "
                    "another folder with -o",
                    path.string()));
  }
  file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw io::cannot_write(path, errno);
  if (resume) {
    read();
  } else if (::ftruncate(file_, 0) != 0) {
    throw io::cannot_write(path, errno);
  }
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::read() {
  const std::string text = io::read_text(path_, kMaxJournalBytes, "file of rows");
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    std::string key;
    Row row;
    if (from_json(text.substr(begin, end - begin), key, row)) rows_[key] = std::move(row);
    begin = end + 1;
  }
  // What a kill cut short.
  if (begin < text.size() && ::ftruncate(file_, static_cast<off_t>(begin)) != 0) {
    throw io::cannot_write(path_, errno);
  }
}

const Row* Journal::find(const std::string& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second;
}

void Journal::add(const std::string& key, const Row& row) {
  rows_[key] = row;
  const std::string line = io::to_text(to_json(key, row), -1) + "\n";
  const ssize_t written = ::write(file_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) {
    throw io::cannot_write(path_, written < 0 ? errno : ENOSPC);
  }
  if (::fdatasync(file_) != 0 && errno != EINVAL) throw io::cannot_write(path_, errno);
}

}  // namespace daedal::study
