#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "commands.hpp"
#include "daedal/io/csv.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/io/result_recorder.hpp"
#include "daedal/io/summary_json.hpp"
#include "daedal/io/svg_plot.hpp"
#include "daedal/io/text_file.hpp"
#include "daedal/simulate/choice.hpp"
#include "daedal/simulate/simulation.hpp"
#include "progress.hpp"

namespace daedal::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelText = "model";
constexpr std::string_view kModelName = "model_file";
constexpr std::string_view kOverrides = "overrides";

/// Model, settings and where to start: from a file, or from a result to be continued.
struct Task {
  io::ModelFile file;
  fs::path result;
  std::unique_ptr<io::ResultRecorder> recorder;
  simulate::RunOptions options;
};

/// A file beside the result, by its own name or the result's with another extension.
fs::path beside(const fs::path& result, const std::string& given, const char* extension) {
  return given.empty() ? fs::path(result).replace_extension(extension) : fs::path(given);
}

/// Refuses to write over the model, over another output of the same run, or over a file that is
/// no result.
void check_targets(const fs::path& model, const fs::path& result, const RunArguments& arguments) {
  std::vector<fs::path> taken{model, result};
  if (arguments.want_csv) taken.push_back(beside(result, arguments.csv, ".csv"));
  if (arguments.want_plot) taken.push_back(beside(result, arguments.plot, ".svg"));
  if (std::find(taken.begin() + 1, taken.end(), "-") != taken.end()) {
    throw io::InputError({"-"}, "outputs go to files; name one, or for a table or a picture "
                                "/dev/stdout, together with -q");
  }
  std::error_code ignored;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (fs::weakly_canonical(taken[i], ignored) == fs::weakly_canonical(taken[j], ignored) &&
          !fs::is_character_file(taken[i], ignored)) {
        throw io::InputError({taken[i].string()},
                             j == 0 ? "this output would overwrite the model; name another file"
                                    : "two outputs have this name; name another file");
      }
    }
  }
  for (std::size_t i = 2; i < taken.size(); ++i) {
    const fs::path folder = taken[i].parent_path();
    if (!folder.empty() && !fs::is_directory(folder, ignored)) {
      throw io::InputError({taken[i].string()},
                           "its folder does not exist; create it first or choose another");
    }
  }
  if (!fs::is_regular_file(result, ignored) || fs::file_size(result, ignored) == 0) return;
  std::ifstream file(result, std::ios::binary);
  std::array<char, 4> signature{};
  if (file.read(signature.data(), 4) && std::string_view(signature.data(), 4) != "\x89HDF") {
    throw io::InputError({result.string()},
                         "exists and is no result file; name another file with -o");
  }
}

/// A model without a title is called by its file.
void name_if_untitled(model::Model& model, const fs::path& file) {
  if (model.title.empty()) model.title = file.stem().string();
}

io::Texts options_of(const std::vector<std::string>& set) {
  return {{std::string(kOverrides), io::to_text(io::Json(set), -1)}, {"version", DAEDAL_VERSION}};
}

Task new_task(const RunArguments& arguments) {
  Task task;
  const fs::path path = find_model(arguments.model);
  task.file = io::read_model(path, arguments.set);
  name_if_untitled(task.file.model, path);
  task.result = arguments.result.empty() ? fs::path(path.stem().string() + ".h5")
                                         : fs::path(arguments.result);
  check_targets(path, task.result, arguments);
  io::Texts texts = options_of(arguments.set);
  texts.insert(texts.begin(), {{std::string(kModelText), task.file.text},
                               {std::string(kModelName), path.filename().string()}});
  task.recorder = std::make_unique<io::ResultRecorder>(task.result, std::move(texts));
  return task;
}

/// A result has the unknowns of one method, which is returned.
simulate::MethodChoice same_method(const io::ModelFile& before, const io::ModelFile& now) {
  const auto names = [](const simulate::MethodChoice& c) {
    return std::array{c.coordinates, c.formulation, c.method,
                      std::string(c.adaptive ? "adaptive steps" : "fixed steps")};
  };
  const simulate::MethodChoice choice = choose_method(before.model, before.settings);
  if (names(choice) == names(choose_method(now.model, now.settings))) return choice;
  throw io::InputError({"--set"}, fmt::format("the result was computed by {}; another method has "
                                              "other unknowns: start a new run instead",
                                              fmt::join(names(choice), ", ")));
}

/// With other parameters, the method starts anew.
bool same_parameters(const simulate::Settings& a, const simulate::Settings& b) {
  const auto key = [](const simulate::Settings& s) {
    return std::tie(s.rho_inf, s.alpha, s.beta, s.gamma);
  };
  return key(a) == key(b);
}

/// The certificate of the rows in a result.
simulate::Certificate certificate_of(const io::ResultReader& reader) {
  simulate::Certificate certificate;
  const auto set = reader.index("diagnostics");
  if (!set) return certificate;
  constexpr std::size_t kBlock = 10'000;  // rows
  for (std::size_t first = 0; first < reader.rows(); first += kBlock) {
    const std::size_t count = std::min(kBlock, reader.rows() - first);
    const std::vector<double> rows = reader.read(*set, first, count);
    const std::size_t width = rows.size() / count;
    for (std::size_t i = 0; i + width <= rows.size(); i += width) {
      certificate.add(simulate::StepDiagnostics::from({rows.data() + i, width}));
    }
  }
  return certificate;
}

/// What the rows in a result rest on; a run that was killed has not said it.
std::vector<std::string> references_of(const io::ResultReader& reader, const fs::path& path) {
  const std::string summary = reader.summary();
  if (summary.empty()) return {};
  return io::parse_json(summary, path.string())
      .value("references", std::vector<std::string>());
}

Task continued_task(const RunArguments& arguments) {
  Task task;
  task.result = arguments.model;
  if (!arguments.result.empty() && arguments.result != arguments.model) {
    throw io::InputError({"--output"}, "a continued run goes on in its own file; copy the result "
                                       "first to keep it as it is");
  }
  std::error_code ignored;
  if (const std::string partial = task.result.string() + ".partial";
      !fs::exists(task.result, ignored) && fs::exists(partial, ignored)) {
    throw io::InputError({task.result.string()},
                         fmt::format("the run ended before its first row and left '{}'; run the "
                                     "model again, that also clears it away",
                                     partial));
  }
  const io::ResultReader reader(task.result);
  const std::string *text = reader.text(kModelText), *name = reader.text(kModelName),
                    *overrides = reader.text(kOverrides);
  if (!text || !name || !overrides) {
    throw io::InputError({task.result.string()}, "holds no model; it cannot be continued");
  }
  if (reader.rows() == 0) {
    throw io::InputError({task.result.string()},
                         "has no rows to continue from; run the model again");
  }
  std::vector<std::string> set;
  for (const auto& item : io::parse_json(*overrides, task.result.string())) {
    set.push_back(item.get<std::string>());
  }
  for (const std::string& assignment : arguments.set) {
    if (!assignment.starts_with("simulate.")) {
      throw io::InputError({"--set " + assignment}, "a continued run keeps its model; only keys "
                                                    "under simulate can change, or start a new run");
    }
  }
  const io::ModelFile before = io::parse_model(*text, *name, set);
  set.insert(set.end(), arguments.set.begin(), arguments.set.end());
  task.file = io::parse_model(*text, *name, set);
  name_if_untitled(task.file.model, *name);
  const simulate::MethodChoice method = same_method(before, task.file);
  // A longer run keeps the step that followed from the shorter one, also if it is continued again.
  if (!method.adaptive && !task.file.settings.step && !before.settings.step &&
      task.file.settings.until != before.settings.until) {
    const double step = simulate::step_size(before.settings);
    task.file.settings.step = step;
    set.push_back("simulate.step=" + io::shortest(step));
  }
  io::LastRow last = io::last_row(reader);
  if (task.file.settings.until < last.state.t) {
    throw io::InputError({"--set"}, fmt::format("the result is at t = {:.6g} s already, past "
                                                "simulate.until = {:.6g} s",
                                                last.state.t, task.file.settings.until));
  }
  if (!same_parameters(before.settings, task.file.settings)) last.state.memory.clear();
  task.options.continue_from = {std::move(last.state), std::move(last.outputs),
                                certificate_of(reader), references_of(reader, task.result)};
  task.recorder = io::ResultRecorder::append_to(task.result, options_of(set));
  return task;
}

void write_outputs(const Task& task, const RunArguments& arguments) {
  if (!arguments.want_csv && !arguments.want_plot) return;
  const io::OutputTable outputs = io::read_outputs(io::ResultReader(task.result));
  if (arguments.want_csv) {
    io::Table table;
    table.names = outputs.names;
    table.names.insert(table.names.begin(), "time");
    table.columns = outputs.columns;
    table.columns.insert(table.columns.begin(), outputs.time);
    io::write_csv(beside(task.result, arguments.csv, ".csv"), table);
  }
  if (arguments.want_plot) {
    // One panel per unit, in the order of the outputs.
    std::vector<io::Plot> panels;
    for (std::size_t k = 0; k < outputs.names.size(); ++k) {
      auto panel = std::find_if(panels.begin(), panels.end(), [&](const io::Plot& p) {
        return p.y.label == "[" + outputs.units[k] + "]";
      });
      if (panel == panels.end()) {
        panels.push_back({panels.empty() ? task.file.model.title : "",
                          {"time [s]", false},
                          {"[" + outputs.units[k] + "]", false},
                          {}});
        panel = std::prev(panels.end());
      }
      panel->series.push_back({outputs.names[k], outputs.time, outputs.columns[k]});
    }
    // A panel with one curve has no legend: its axis names the output.
    for (io::Plot& panel : panels) {
      if (panel.series.size() == 1) {
        panel.y.label = fmt::format("{} {}", panel.series.front().label, panel.y.label);
      }
    }
    io::write_text(beside(task.result, arguments.plot, ".svg"), io::svg(panels));
  }
}

}  // namespace

void refuse(const io::ModelFile& file, const model::ModelError& error) {
  std::string text;
  for (const model::Problem& problem : error.problems()) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n",
                        file.position(problem.where).to_string(), problem.message);
  }
  throw io::InputError::list(file.position(error.problems().front().where), text);
}

int run(const RunArguments& arguments) {
  Task task = arguments.continued ? continued_task(arguments) : new_task(arguments);
  simulate::Summary summary;
  try {
    ProgressBar progress(arguments.format == Format::text && !arguments.quiet);
    task.options.recorder = task.recorder.get();
    task.options.progress = [&](const simulate::Progress& p) { return progress(p); };
    summary = simulate::run(task.file.model, task.file.settings, task.options);
  } catch (const model::ModelError& error) {
    refuse(task.file, error);
  }
  task.recorder.reset();

  // A run that could not start has left no result.
  std::error_code ignored;
  const bool has_result =
      (arguments.continued || summary.rows > 0) && fs::exists(task.result, ignored);
  if (!has_result && summary.status == simulate::Status::done) {
    summary.status = simulate::Status::output_failed;
    summary.message = fmt::format("'{}' was removed while it was written", task.result.string());
  }
  if (has_result && summary.status != simulate::Status::output_failed) {
    try {
      write_outputs(task, arguments);
    } catch (const io::OutputError& error) {
      // The result is there all the same, and says how the run went.
      if (summary.status == simulate::Status::done) {
        summary.status = simulate::Status::output_failed;
        summary.message = fmt::format("{}; the result is complete", error.what());
      }
      say(stderr, fmt::format("daedal: {}\n", error.what()));
    }
  }
  const fs::path result = has_result ? task.result : fs::path();
  if (arguments.format == Format::json) {
    fmt::print("{}\n", io::to_text(io::summary_json(summary, result)));
  } else if (!arguments.quiet) {
    say(stdout, io::summary_text(summary, result));
  } else if (summary.status != simulate::Status::done) {
    say(stderr,
        fmt::format("daedal: {}: {}\n", simulate::name_of(summary.status), summary.message));
  }
  return summary.status == simulate::Status::done ? kDone : kFailed;
}

}  // namespace daedal::app
