// The report as one page without scripts or foreign resources.
#include <algorithm>

#include <fmt/format.h>

#include "daedal/io/markup.hpp"
#include "daedal/io/svg_plot.hpp"
#include "daedal/study/report.hpp"

namespace daedal::study {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1f23; --soft: #626a73; --line: #dfe3e8;
  --band: #f6f7f9; --good: #14713d; --good-back: #e3f4ea; --bad: #a5201f; --bad-back: #fbe6e5; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181c; --ink: #e4e7eb; --soft: #98a2ad; --line: #323841; --band: #1c2026;
    --good: #6bd699; --good-back: #16301f; --bad: #ff8d88; --bad-back: #3b1b1b; }
  .plot svg { filter: invert(0.91) hue-rotate(180deg); } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", "Helvetica Neue", sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .8rem; }
p { margin: .4rem 0; max-width: 46rem; }
.soft, figcaption, footer { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .32rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; }
td.words { white-space: normal; min-width: 16rem; }
thead th { border-bottom: 2px solid var(--line); font-weight: 600; }
tbody tr:nth-child(even) { background: var(--band); }
.number { text-align: right; }
.paper { font-style: italic; color: var(--soft); }
.mark { display: inline-block; min-width: 3.6rem; padding: .05rem .55rem; border-radius: 1rem;
  font-weight: 600; text-align: center; }
.holds { color: var(--good); background: var(--good-back); }
.fails { color: var(--bad); background: var(--bad-back); }
.plot { margin: 1rem 0 1.6rem; }
.plot svg { display: block; max-width: 100%; height: auto; border-radius: .4rem; }
pre { background: var(--band); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem;
  overflow-x: auto; font: .82rem/1.5 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
summary { cursor: pointer; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; }
)";

std::string escape(std::string_view text) {
  return io::escape_markup(text);
}

std::string claims_section(std::span<const Verdict> verdicts) {
  if (verdicts.empty()) return {};
  const auto held = std::ranges::count_if(verdicts, &Verdict::holds);
  std::string text = fmt::format(
      "<h2>Claims: {} of {} hold</h2>\n<div class=\"wide\"><table class=\"claims\">\n<thead><tr>"
      "<th></th><th>claim</th><th>expected</th><th>measured</th></tr></thead>\n<tbody>\n",
      held, verdicts.size());
  for (const Verdict& v : verdicts) {
    std::string words = escape(v.text);
    if (!v.where.empty())
      words += fmt::format(" <span class=\"soft\">[{}]</span>", escape(v.where));
    if (!v.note.empty())
      words += fmt::format("<br/><span class=\"soft\">{}</span>", escape(v.note));
    text += fmt::format(
        "<tr><td><span class=\"mark {}\">{}</span></td><td class=\"words\">{}</td><td>{}</td><td>{}"
        "</td></tr>\n",
        v.holds ? "holds" : "fails", v.holds ? "holds" : "fails", words, escape(v.expected_text),
        v.measured_text.empty() ? "nothing" : escape(v.measured_text));
  }
  return text + "</tbody></table></div>\n";
}

std::string plots_section(const Study& study, const Results& results) {
  std::string text;
  for (const PlotRequest& request : study.plots) {
    text += fmt::format(
        "<figure class=\"plot\">\n{}</figure>\n",
        io::svg(make_plot(study, results, request), {.width = 860, .panel_height = 460}));
  }
  for (const TraceRequest& request : study.traces) {
    const std::vector<io::Plot> panels = make_traces(study, results, request);
    if (panels.empty()) continue;
    text += fmt::format("<figure class=\"plot\">\n{}</figure>\n",
                        io::svg(panels, {.width = 860, .panel_height = 300}));
  }
  for (const PatternRequest& request : study.patterns) {
    const std::vector<io::PatternPlot> panels = make_patterns(study, results, request);
    if (panels.empty()) continue;
    text += fmt::format("<figure class=\"plot\">\n{}</figure>\n", io::svg(panels));
  }
  return text.empty() ? text : "<h2>Plots</h2>\n" + text;
}

std::string table_section(const Study& study, const Results& results) {
  const TextTable table = text_table(study, results);
  const std::size_t first = table.head.size() - study.table.size();
  const auto is_paper = [&](std::size_t c) {
    return c >= first && study.columns[study.table[c - first]].kind == Column::Kind::paper;
  };
  const auto unit = [&](std::size_t c) {
    const std::string& name = c < study.axes.size() ? study.axes[c].unit
                              : c >= first          ? study.columns[study.table[c - first]].unit
                                                    : std::string();
    return name.empty() ? std::string()
                        : fmt::format(" <span class=\"soft\">[{}]</span>", escape(name));
  };
  const auto attribute = [&](std::size_t c) {
    return fmt::format("{}{}", table.right[c] ? "number" : "text", is_paper(c) ? " paper" : "");
  };
  std::string text = "<h2>Table</h2>\n<div class=\"wide\"><table>\n<thead><tr>";
  for (std::size_t c = 0; c < table.head.size(); ++c) {
    text += fmt::format("<th class=\"{}\">{}{}</th>", attribute(c), escape(table.head[c]), unit(c));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += fmt::format("<td class=\"{}\">{}</td>", attribute(c), escape(row[c]));
    }
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  for (const std::string& sentence : remarks(study, results)) {
    text += fmt::format("<p class=\"soft\">{}</p>\n", escape(sentence));
  }
  for (const Failure& f : failures(results)) {
    text += fmt::format("<p class=\"soft\"><b>{}</b>: {}</p>\n", escape(f.status),
                        escape(f.words()));
  }
  return text;
}

}  // namespace

std::string html_report(const Study& study, const Results& results,
                        std::span<const Verdict> verdicts, std::string_view version) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}"
      "<p class=\"soft\">Model {3}, {4} runs, {5} side by side.</p>\n{6}{7}{8}"
      "<h2>Settings</h2>\n<details><summary>The study file</summary>\n<pre>{9}</pre></details>\n"
      "<footer>Made by daedal {10}.</footer>\n</body>\n</html>\n",
      escape(study.title), kStyle,
      study.description.empty() ? "" : fmt::format("<p>{}</p>\n", escape(study.description)),
      escape(study.model), results.lines.size(), results.jobs, claims_section(verdicts),
      plots_section(study, results), table_section(study, results), escape(study.text),
      escape(version));
}

}  // namespace daedal::study
