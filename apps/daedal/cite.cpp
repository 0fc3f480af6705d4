#include <fmt/format.h>

#include <string>
#include <string_view>

#include "commands.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/result_file.hpp"
#include "references.hpp"

namespace daedal::app {

namespace {

/// The entry of a key in docs/references.bib, or nothing.
std::string_view entry(std::string_view key) {
  const std::string_view all = kReferences;
  const std::size_t at = all.find(fmt::format("{{{},", key));
  if (at == std::string_view::npos) return {};
  const std::size_t begin = all.rfind('@', at);
  const std::size_t next = all.find("\n@", at);
  std::string_view text = all.substr(begin, next == std::string_view::npos ? next : next - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

int cite(const std::string& path, Format format) {
  const io::ResultReader reader(path);
  const std::string summary = reader.summary();
  if (summary.empty()) {
    throw io::InputError({path}, "the run did not end, so it has no list of references; continue "
                                 "it with 'daedal run --continue'");
  }
  const io::Json json = io::parse_json(summary, path);
  io::Json entries = io::Json::object();
  for (const auto& key : json["references"]) {
    const std::string name = key.get<std::string>();
    entries[name] = entry(name);
  }
  if (format == Format::json) {
    fmt::print("{}\n", io::to_text(entries));
    return kDone;
  }
  for (const auto& [name, text] : entries.items()) {
    say(stdout, fmt::format("{}\n\n", text.get<std::string>()));
  }
  return kDone;
}

}  // namespace daedal::app
