#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/correct/newton.hpp"
#include "daedal/correct/scaling.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/io/document.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/model_schema.hpp"
#include "daedal/linear/solver.hpp"
#include "daedal/math/text.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/study/study_schema.hpp"

namespace daedal::app {

namespace fs = std::filesystem;

namespace {

/// The files of one kind that come with the program and go by name.
struct Collection {
  const char* folder;   // also the command that lists them
  const char* noun;     // of one of them
  const char* example;  // what to do with one
};
constexpr Collection kModels{"models", "model of the gallery", "daedal run NAME --plot"};
constexpr Collection kStudies{"studies", "study of the program", "daedal study NAME"};

/// Beside the installed program, or in the source tree.
fs::path folder_of(const Collection& collection) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path() / DAEDAL_INSTALLED_DATA / collection.folder;
  if (fs::is_directory(installed, ignored)) return installed;
  return fs::path(DAEDAL_SOURCE_DATA) / collection.folder;
}

std::vector<fs::path> files_of(const Collection& collection) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_of(collection), ignored)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.stem() < b.stem(); });
  return files;
}

std::string text_of(const io::Node& root, std::string_view key) {
  const io::Node* node = root.find(key);
  return node ? node->text() : "";
}

/// A file by its path, or one of the collection by its name. A folder is none: that of a study's
/// results has the study's name.
fs::path find(const Collection& collection, const std::string& name) {
  std::error_code ignored;
  const bool is_there = fs::exists(name, ignored) && !fs::is_directory(name, ignored);
  if (is_there || name.find('/') != std::string::npos || fs::path(name).extension() == ".yaml") {
    return name;
  }
  std::vector<std::string> known;
  for (const fs::path& file : files_of(collection)) {
    if (file.stem() == name) return file;
    known.push_back(file.stem().string());
  }
  throw io::InputError(
      {name}, fmt::format("no such file, and no {} has this name{}; 'daedal {}' "
                          "lists them",
                          collection.noun, math::did_you_mean(name, known), collection.folder));
}

int list(const Collection& collection, Format format) {
  io::Json items = io::Json::array();
  std::size_t width = 16;
  for (const fs::path& file : files_of(collection)) {
    const io::Node root = io::load(file);
    io::Json item;
    item["name"] = file.stem().string();
    item["title"] = text_of(root, "title");
    item["description"] = text_of(root, "description");
    item["file"] = fs::weakly_canonical(file).string();
    width = std::max(width, file.stem().string().size());
    items.push_back(std::move(item));
  }
  if (format == Format::json) {
    fmt::print("{}\n", io::to_text(items));
    return kDone;
  }
  for (const auto& item : items) {
    say(stdout, fmt::format("{:<{}} {}\n", item["name"].get<std::string>(), width,
                            item["title"].get<std::string>()));
  }
  fmt::print("\nRun one with: {}\n", collection.example);
  return kDone;
}

}  // namespace

fs::path gallery() {
  return folder_of(kModels);
}

fs::path find_model(const std::string& name) {
  return name == "-" ? fs::path("/dev/stdin") : find(kModels, name);
}

fs::path find_study(const std::string& name) {
  if (name == "-") {
    throw io::InputError({name},
                         "a study is read from a file, since what it refers to stands beside "
                         "it; give its path or its name");
  }
  return find(kStudies, name);
}

int models(Format format) {
  return list(kModels, format);
}

int studies(Format format) {
  return list(kStudies, format);
}

int methods(Format format) {
  if (format == Format::json) {
    io::Json json;
    json["coordinates"] = simulate::coordinate_names();
    json["formulations"] = simulate::formulation_names();
    json["scalings"] = correct::scaling_names();
    json["jacobians"] = correct::jacobian_source_names();
    json["jacobian_updates"] = correct::jacobian_update_names();
    json["linear_solvers"] = linear::solver_names();
    for (const integrate::Method& m : integrate::methods()) {
      io::Json item;
      item["name"] = m.name;
      item["summary"] = m.summary;
      item["order"] = m.order;
      item["properties"] = m.properties;
      item["references"] = m.references;
      json["methods"].push_back(std::move(item));
    }
    for (const simulate::Combination& c : simulate::combinations()) {
      json["combinations"].push_back({{"coordinates", c.coordinates},
                                      {"formulation", c.formulation},
                                      {"method", c.method},
                                      {"steps", c.steps()}});
    }
    fmt::print("{}\n", io::to_text(json));
    return kDone;
  }
  fmt::print("Methods (simulate.method)\n");
  for (const integrate::Method& m : integrate::methods()) {
    fmt::print("  {:<18} order {}  {}\n  {:<18}          {}\n", m.name, m.order, m.summary, "",
               m.properties);
  }
  fmt::print("\nCombinations (simulate.coordinates, simulate.formulation, simulate.method, steps)\n");
  for (const simulate::Combination& c : simulate::combinations()) {
    fmt::print("  {:<10} {:<10} {:<18} {}\n", c.coordinates, c.formulation, c.method, c.steps());
  }
  fmt::print("\n  {:<24} {}\n", "simulate.scaling", fmt::join(correct::scaling_names(), ", "));
  fmt::print("  {:<24} {}\n", "simulate.jacobian",
             fmt::join(correct::jacobian_source_names(), ", "));
  fmt::print("  {:<24} {}\n", "simulate.jacobian_update",
             fmt::join(correct::jacobian_update_names(), ", "));
  fmt::print("  {:<24} auto, {}\n", "simulate.linear_solver",
             fmt::join(linear::solver_names(), ", "));
  return kDone;
}

int schema(bool of_studies) {
  fmt::print("{}\n", of_studies
                         ? io::schema::json_schema(study::study_schema(), "Daedal study file")
                         : io::schema::json_schema(io::model_schema(), "Daedal model file"));
  return kDone;
}

}  // namespace daedal::app
