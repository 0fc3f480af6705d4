#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "daedal/io/csv.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/io/result_recorder.hpp"
#include "daedal/io/summary_json.hpp"
#include "daedal/io/svg_plot.hpp"
#include "daedal/io/text_file.hpp"
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

Task new_task(const RunArguments& arguments) {
  Task task;
  const fs::path path = find_model(arguments.model);
  task.file = io::read_model(path, arguments.set);
  task.result = arguments.result.empty() ? fs::path(path.stem().string() + ".h5")
                                         : fs::path(arguments.result);
  task.recorder = std::make_unique<io::ResultRecorder>(
      task.result,
      io::Texts{{std::string(kModelText), task.file.text},
                {std::string(kModelName), path.filename().string()},
                {std::string(kOverrides), io::to_text(io::Json(arguments.set), -1)},
                {"version", DAEDAL_VERSION}});
  return task;
}

Task continued_task(const RunArguments& arguments) {
  Task task;
  task.result = arguments.model;
  const io::ResultReader reader(task.result);
  const std::string *text = reader.text(kModelText), *name = reader.text(kModelName),
                    *overrides = reader.text(kOverrides);
  if (!text || !name || !overrides) {
    throw io::InputError({task.result.string()}, "holds no model; it cannot be continued");
  }
  std::vector<std::string> set;
  for (const auto& item : io::parse_json(*overrides, task.result.string())) {
    set.push_back(item.get<std::string>());
  }
  set.insert(set.end(), arguments.set.begin(), arguments.set.end());
  task.file = io::parse_model(*text, *name, set);
  io::LastRow last = io::last_row(reader);
  task.options.continue_from = std::move(last.state);
  task.options.continue_outputs = std::move(last.outputs);
  task.recorder = io::ResultRecorder::append_to(task.result);
  return task;
}

void write_outputs(const Task& task, const RunArguments& arguments) {
  if (!arguments.want_csv && !arguments.want_plot) return;
  const io::OutputTable outputs = io::read_outputs(io::ResultReader(task.result));
  const auto beside = [&](const std::string& given, const char* extension) {
    return given.empty() ? fs::path(task.result).replace_extension(extension) : fs::path(given);
  };
  if (arguments.want_csv) {
    io::Table table;
    table.names = outputs.names;
    table.names.insert(table.names.begin(), "time");
    table.columns = outputs.columns;
    table.columns.insert(table.columns.begin(), outputs.time);
    io::write_csv(beside(arguments.csv, ".csv"), table);
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
    io::write_text(beside(arguments.plot, ".svg"), io::svg(panels));
  }
}

}  // namespace

int run(const RunArguments& arguments) {
  Task task = arguments.continued ? continued_task(arguments) : new_task(arguments);
  simulate::Summary summary;
  try {
    ProgressBar progress(arguments.format == Format::text && !arguments.quiet);
    task.options.recorder = task.recorder.get();
    task.options.progress = [&](const simulate::Progress& p) { return progress(p); };
    summary = simulate::run(task.file.model, task.file.settings, task.options);
  } catch (const model::ModelError& error) {
    // Found only while assembling: the positions are those of the file.
    throw io::InputError({arguments.model}, error.what());
  }
  task.recorder.reset();
  if (summary.status != simulate::Status::output_failed) write_outputs(task, arguments);
  if (arguments.format == Format::json) {
    fmt::print("{}\n", io::to_text(io::summary_json(summary, task.result)));
  } else if (!arguments.quiet) {
    fmt::print("{}", io::summary_text(summary, task.result));
  }
  return summary.status == simulate::Status::done ? kDone : kFailed;
}

}  // namespace daedal::app
