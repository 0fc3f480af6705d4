#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/io/json.hpp"
#include "daedal/io/svg_pattern.hpp"
#include "daedal/io/svg_plot.hpp"
#include "daedal/study/claims.hpp"
#include "daedal/study/results.hpp"

namespace daedal::study {

/// The table of a study as texts: axes, the status if a run failed, and the columns asked for.
struct TextTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;  // columns of numbers
};
TextTable text_table(const Study& study, const Results& results);

/// Table and verdicts for a terminal.
std::string text_report(const Study& study, const Results& results,
                        std::span<const Verdict> verdicts);

/// All rows and columns with round-trip precision; missing values are empty.
std::string csv_report(const Study& study, const Results& results);

/// The document of `study --format json`.
io::Json json_report(const Study& study, const Results& results, std::span<const Verdict> verdicts);

/// A plot with its lines, and the fitted slopes in its legend.
io::Plot make_plot(const Study& study, const Results& results, const PlotRequest& request);

/// A panel for each row that a request admits and that has what it asks for, or for each quantity.
std::vector<io::Plot> make_traces(const Study& study, const Results& results,
                                  const TraceRequest& request);

/// The same for Newton matrices.
std::vector<io::PatternPlot> make_patterns(const Study& study, const Results& results,
                                           const PatternRequest& request);

/// One page that needs nothing else: verdicts, plots, table, settings. `version` is the program's.
std::string html_report(const Study& study, const Results& results,
                        std::span<const Verdict> verdicts, std::string_view version);

/// How runs failed, and how many did so in the same words.
struct Failure {
  std::string status, message;
  int runs = 0;

  std::string words() const;
};
std::vector<Failure> failures(const Results& results);

/// What a reader of the table should know about its runs; a sentence each.
std::vector<std::string> remarks(const Study& study, const Results& results);

}  // namespace daedal::study
