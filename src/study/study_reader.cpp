#include "daedal/study/study_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "daedal/io/document.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/io/suggestion.hpp"
#include "daedal/io/text_file.hpp"
#include "daedal/math/text.hpp"
#include "daedal/study/reading.hpp"
#include "daedal/study/study_schema.hpp"
#include "daedal/study/sweep.hpp"

namespace daedal::study {

namespace {

namespace fs = std::filesystem;
using reading::Reading;

constexpr std::string_view kVersion = "1";

/// The model file that a study names.
fs::path find_model(const io::Node& node, const fs::path& folder, const fs::path& gallery) {
  const std::string& name = node.text();
  std::error_code ignored;
  const bool is_path = name.find('/') != std::string::npos || fs::path(name).extension() == ".yaml";
  if (is_path || fs::exists(folder / name, ignored)) return folder / name;
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(gallery, ignored)) {
    if (entry.path().stem() == name) return entry.path();
    known.push_back(entry.path().stem().string());
  }
  std::ranges::sort(known);
  throw io::InputError(node.position(),
                       fmt::format("model: no such file, and no model of the gallery is called "
                                   "'{}'{}",
                                   name, math::did_you_mean(name, known)));
}

void read_model_text(Reading& reading, const fs::path& gallery) {
  const io::Node& node = *reading.root.find("model");
  const fs::path path = find_model(node, reading.folder, gallery);
  reading.study.model = node.text();
  reading.study.model_name = path.lexically_normal().string();
  try {
    reading.study.model_text = io::read_text(path, io::kMaxDocumentBytes, "model file");
  } catch (const io::InputError& error) {
    throw io::InputError(node.position(), fmt::format("model: {}", error.what()));
  }
}

/// `--set simulate.stp=1: message` of the model's reader, with the place in the study instead.
std::string relocated(std::string text, const std::vector<Assignment>& all) {
  for (const Assignment& a : all) {
    const std::string mark = fmt::format("--set {}={}", a.path, a.value);
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
      if (at > 0 && text[at - 1] != '\n') continue;
      text.replace(at, mark.size(),
                   fmt::format("{}: {}={}", a.position.to_string(), a.path, a.value));
    }
  }
  return text;
}

/// Outputs of the model that the study asks for.
void check_outputs(const Study& study, const model::Model& model, const io::Position& where) {
  std::vector<std::string> known;
  for (const model::Output& output : model.outputs) known.push_back(output.name);
  const auto check = [&](const std::string& owner, const std::string& name) {
    if (std::ranges::find(known, name) != known.end()) return;
    throw io::InputError(where, fmt::format("measure '{}': the model has no output '{}'; {}", owner,
                                            name, io::suggestion(name, known)));
  };
  constexpr std::string_view kFinal = "final.";
  for (const Column& column : study.columns) {
    if (column.field.starts_with(kFinal)) check(column.name, column.field.substr(kFinal.size()));
  }
  for (const Comparison& comparison : study.comparisons) {
    for (const std::string& name : comparison.reference.names) {
      if (!name.starts_with("multipliers.") && !name.starts_with("scheme.")) {
        check(comparison.column, name);
      }
    }
  }
}

/// Reads the model as every run will; a problem of many runs is reported once.
void check_runs(const Study& study, const io::Position& measures, const io::Limits& limits) {
  std::set<std::string> seen;
  std::string text;
  io::Position first;
  for (const Point& point : grid(study)) {
    const std::vector<Assignment> all = assignments(study, point);
    try {
      const io::ModelFile file =
          io::parse_model(study.model_text, study.model_name, overrides(all), limits);
      check_outputs(study, file.model, measures);
    } catch (const io::InputError& error) {
      const std::string message = relocated(error.what(), all);
      if (!seen.insert(message).second) continue;
      if (text.empty()) first = error.position();
      text += (text.empty() ? "" : "\n") + message;
      if (seen.size() >= io::reading::Problems::kMaxShown) break;
    }
  }
  if (!text.empty()) throw io::InputError::list(first, text);
}

}  // namespace

Study parse_study(std::string_view text, const fs::path& path, const fs::path& gallery,
                  std::span<const std::string> overrides, const Limits& limits) {
  io::Node root = io::parse(text, path.string());
  for (const std::string& assignment : overrides) root = io::with_override(root, assignment);
  io::schema::check(root, study_schema());
  const io::Node& version = *root.find("study");
  if (version.text() != kVersion) {
    throw io::InputError(version.position(), fmt::format("the file has version '{}'; this program "
                                                         "reads version {}",
                                                         version.text(), kVersion));
  }
  Reading reading{.root = root, .folder = path.parent_path(), .limits = limits};
  Study& study = reading.study;
  study.name = path.stem().string();
  study.text = text;
  study.title = reading.text(root, "title");
  study.description = reading.text(root, "description");
  if (const auto jobs = reading.integer(root, "jobs", "study"))
    study.jobs = static_cast<int>(*jobs);
  read_model_text(reading, gallery);
  if (const io::Node* set = root.find("set"))
    reading::read_assignments(reading, *set, "", study.set);
  reading::read_axes(reading);
  reading.problems.report();
  reading::read_columns(reading);
  reading.problems.report();
  reading::read_plots(reading);
  reading::read_claims(reading);
  reading.problems.report();
  check_runs(study, root.find("measure")->position(), limits.model);
  return std::move(reading.study);
}

Study read_study(const fs::path& path, const fs::path& gallery,
                 std::span<const std::string> overrides) {
  return parse_study(io::read_text(path, io::kMaxDocumentBytes, "study file"), path, gallery,
                     overrides);
}

}  // namespace daedal::study
