#include "daedal/study/study_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/io/document.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/io/suggestion.hpp"
#include "daedal/io/text_file.hpp"
#include "daedal/math/text.hpp"
#include "daedal/simulate/watch.hpp"
#include "daedal/study/comparison.hpp"
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

/// `--set simulate.stp=1: message` of the model's reader, with the place in the study instead. With
/// `values` or without: a key that is misspelt is one problem whatever its values are.
std::string relocated(std::string text, const std::vector<Assignment>& all, bool values) {
  for (const Assignment& a : all) {
    const std::string mark = fmt::format("--set {}={}", a.path, a.value);
    const std::string place = fmt::format("{}: {}", a.position.to_string(), a.path);
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
      if (at > 0 && text[at - 1] != '\n') continue;
      text.replace(at, mark.size(), values ? fmt::format("{}={}", place, a.value) : place);
    }
  }
  return text;
}

/// Names of all that a run could be compared by.
std::vector<std::string> comparable(const Study& study, const model::Model& model,
                                    const std::vector<std::string>& outputs) {
  const bool wants_multipliers =
      std::ranges::any_of(study.comparisons, [](const Comparison& comparison) {
        return std::ranges::any_of(comparison.reference.names, names_multiplier);
      });
  if (!wants_multipliers) return outputs;
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  return comparable_names(outputs, simulate::multiplier_names(mechanism.system->structure()));
}

/// Whether a run will have what the study measures.
void check_columns(const Study& study, const io::ModelFile& file) {
  std::vector<std::string> outputs;
  for (const model::Output& output : file.model.outputs) outputs.push_back(output.name);
  const std::vector<std::string> names = comparable(study, file.model, outputs);
  for (const Column& column : study.columns) {
    const auto refuse = [&](const std::string& message) {
      throw io::InputError(column.position, fmt::format("measure '{}': {}", column.name, message));
    };
    const auto check = [&](std::string_view what, const std::string& name,
                           const std::vector<std::string>& known) {
      if (std::ranges::find(known, name) != known.end()) return;
      refuse(fmt::format("the model has no {} '{}'; {}", what, name, io::suggestion(name, known)));
    };
    constexpr std::string_view kFinal = "final.";
    if (column.field.starts_with(kFinal)) {
      check("output", column.field.substr(kFinal.size()), outputs);
    }
    if (column.needs_condition_number() && !file.settings.condition_number) {
      refuse(
          fmt::format("'{}' needs {}, which is set to false; remove that setting or this "
                      "measure",
                      column.field, reading::kConditionNumberKey));
    }
    if (column.kind != Column::Kind::error) continue;
    const Reference& reference = study.comparisons[column.comparison].reference;
    for (const std::string& name : reference.names) {
      check(names_multiplier(name) ? "multiplier" : "output", name, names);
    }
    if (reference.times.front() > file.settings.until) {
      refuse(
          fmt::format("a run ends at {:g} s, before the reference begins at {:g} s; change "
                      "simulate.until",
                      file.settings.until, reference.times.front()));
    }
  }
}

/// Reads the model as every run will; a problem of many runs is reported once.
void check_runs(const Study& study, const io::Limits& limits) {
  std::set<std::string> seen;
  std::string text;
  io::Position first;
  for (const Point& point : grid(study)) {
    const std::vector<Assignment> all = assignments(study, point);
    try {
      const io::ModelFile file =
          io::parse_model(study.model_text, study.model_name, overrides(all), limits);
      check_columns(study, file);
    } catch (const io::InputError& error) {
      if (!seen.insert(relocated(error.what(), all, false)).second) continue;
      if (text.empty()) first = error.position();
      text += (text.empty() ? "" : "\n") + relocated(error.what(), all, true);
      if (seen.size() >= io::reading::Problems::kMaxShown) break;
    }
  }
  if (!text.empty()) throw io::InputError::list(first, text);
}

void refuse_empty_sections(Reading& reading) {
  for (const char* key : {"axes", "measure", "references", "paper", "table", "plots", "traces",
                          "patterns", "claims"}) {
    const io::Node* section = reading.root.find(key);
    if (section && section->size() == 0) {
      reading.complain(*section, fmt::format("'{}'", key),
                       "it is empty; give an entry or leave the key out");
    }
  }
}

}  // namespace

Study parse_study(std::string_view text, const fs::path& path, const fs::path& gallery,
                  std::span<const std::string> overrides, const Limits& limits) {
  io::Node root = io::parse(text, path.string());
  for (const std::string& assignment : overrides) root = io::with_override(root, assignment);
  if (const io::Node* model = root.find("daedal"); model && !root.find("study")) {
    throw io::InputError(model->position(),
                         "this is a model file, not a study; simulate it with 'daedal run', or name "
                         "it under 'model' in a study");
  }
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
  refuse_empty_sections(reading);
  reading.problems.report();
  read_model_text(reading, gallery);
  if (const io::Node* set = root.find("set"))
    reading::read_assignments(reading, *set, "", study.set);
  reading::read_repeat(reading);
  reading::read_axes(reading);
  reading.problems.report();
  reading::read_columns(reading);
  reading.problems.report();
  reading::read_plots(reading);
  reading::read_traces(reading);
  reading::read_patterns(reading);
  reading::read_claims(reading);
  reading.problems.report();
  check_runs(study, limits.model);
  return std::move(reading.study);
}

Study read_study(const fs::path& path, const fs::path& gallery,
                 std::span<const std::string> overrides) {
  return parse_study(io::read_text(path, io::kMaxDocumentBytes, "study file"), path, gallery,
                     overrides);
}

}  // namespace daedal::study
