#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <thread>

#include "commands.hpp"
#include "daedal/io/text_file.hpp"
#include "daedal/study/claims.hpp"
#include "daedal/study/laboratory.hpp"
#include "daedal/study/report.hpp"
#include "daedal/study/study_reader.hpp"
#include "progress.hpp"

namespace daedal::app {

namespace {

namespace fs = std::filesystem;

class StudyProgress final : public study::Observer {
 public:
  explicit StudyProgress(bool wanted) : bar_(wanted) {}
  bool progress(double part, std::size_t rows, std::size_t total) override {
    return bar_(part, fmt::format("{} of {} rows", rows, total));
  }

 private:
  ProgressBar bar_;
};

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw io::cannot_write(folder, error.value());
}

int processors() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

int study(const StudyArguments& arguments) {
  const study::Study plan =
      study::read_study(find_study(arguments.study), gallery(), arguments.set);
  const fs::path folder =
      arguments.folder.empty() ? fs::path(plan.name) : fs::path(arguments.folder);
  make_folder(folder);

  study::ThreadExecutor executor(arguments.jobs > 0 ? arguments.jobs
                                                    : plan.jobs.value_or(processors()));
  study::Journal journal(folder / "rows.jsonl", arguments.resume);
  study::Results results;
  {
    StudyProgress progress(arguments.format == Format::text && !arguments.quiet);
    results = study::conduct(plan, executor, journal, progress, DAEDAL_VERSION);
  }
  results.jobs = executor.threads();
  const std::vector<study::Verdict> verdicts = study::judge(plan, results);

  io::write_text(folder / "table.csv", study::csv_report(plan, results));
  for (const study::PlotRequest& plot : plan.plots) {
    io::write_text(folder / (plot.name + ".svg"), io::svg(study::make_plot(plan, results, plot),
                                                          {.width = 860, .panel_height = 460}));
  }
  for (const study::TraceRequest& trace : plan.traces) {
    const std::vector<io::Plot> panels = study::make_traces(plan, results, trace);
    if (panels.empty()) continue;
    io::write_text(folder / (trace.name + ".svg"),
                   io::svg(panels, {.width = 860, .panel_height = 300}));
  }
  for (const study::PatternRequest& pattern : plan.patterns) {
    const std::vector<io::PatternPlot> panels = study::make_patterns(plan, results, pattern);
    if (!panels.empty()) io::write_text(folder / (pattern.name + ".svg"), io::svg(panels));
  }
  const fs::path report = folder / "report.html";
  io::write_text(report, study::html_report(plan, results, verdicts, DAEDAL_VERSION));

  if (arguments.format == Format::json) {
    io::Json json = study::json_report(plan, results, verdicts);
    json["report"] = report.string();
    fmt::print("{}\n", io::to_text(json));
  } else if (!arguments.quiet) {
    say(stdout, fmt::format("{}Report: {}\n", study::text_report(plan, results, verdicts),
                            report.string()));
  }
  if (results.interrupted) {
    say(stderr, fmt::format("daedal: interrupted; finished rows are in '{}', --resume goes on with "
                            "them\n",
                            folder.string()));
    return kFailed;
  }
  return std::ranges::all_of(verdicts, &study::Verdict::holds) ? kDone : kFailed;
}

}  // namespace daedal::app
