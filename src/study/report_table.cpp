// The table and the verdicts as text, CSV and JSON.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "daedal/io/csv.hpp"
#include "daedal/study/report.hpp"

namespace daedal::study {

namespace {

/// Counts in full, other numbers to four digits.
std::string cell(const std::optional<double>& value) {
  if (!value) return {};
  const bool is_count = *value == std::floor(*value) && std::abs(*value) < 1e7;
  return is_count ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

/// Characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool right) {
  const std::string space(to - std::min(to, width(text)), ' ');
  return right ? space + text : text + space;
}

bool has_failures(const Results& results) {
  return !std::ranges::all_of(results.lines, &Line::done);
}

std::size_t count_failures(const Results& results) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results.lines, [](const Line& line) {
        return !line.done() && line.status != kNotRun;
      }));
}

std::size_t count_not_run(const Results& results) {
  return static_cast<std::size_t>(std::ranges::count(results.lines, kNotRun, &Line::status));
}

io::Json number(const std::optional<double>& value) {
  return value ? io::Json(*value) : io::Json(nullptr);
}

io::Json value_json(const Value& value) {
  return value.number ? io::Json(*value.number) : io::Json(value.text);
}

}  // namespace

TextTable text_table(const Study& study, const Results& results) {
  TextTable table;
  const bool with_status = has_failures(results);
  for (const Axis& axis : study.axes) {
    table.head.push_back(axis.name);
    table.right.push_back(axis.numeric());
  }
  if (with_status) {
    table.head.emplace_back("status");
    table.right.push_back(false);
  }
  for (const std::size_t k : study.table) {
    table.head.push_back(study.columns[k].name);
    table.right.push_back(true);
  }
  for (const Line& line : results.lines) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      row.push_back(study.axes[a].values[line.point[a]].text);
    }
    if (with_status) row.push_back(line.status);
    for (const std::size_t k : study.table) row.push_back(cell(line.values[k]));
  }
  return table;
}

std::string Failure::words() const {
  return runs == 1 ? message : fmt::format("{} ({} runs)", message, runs);
}

std::vector<Failure> failures(const Results& results) {
  std::vector<Failure> out;
  for (const Line& line : results.lines) {
    if (line.message.empty()) continue;
    const auto found = std::ranges::find_if(out, [&](const Failure& f) {
      return f.status == line.status && f.message == line.message;
    });
    if (found == out.end()) {
      out.push_back({line.status, line.message, 1});
    } else {
      ++found->runs;
    }
  }
  return out;
}

std::vector<std::string> remarks(const Study& study, const Results& results) {
  std::vector<std::string> sentences;
  bool timed = false;
  for (std::size_t k = 0; k < study.columns.size(); ++k) timed |= study.is_timed(k);
  if (timed && results.jobs > 1) {
    sentences.push_back(
        fmt::format("Times were taken with {} runs side by side and are less "
                    "reliable; run with --jobs 1 to compare them.",
                    results.jobs));
  }
  if (const std::size_t failures = count_failures(results); failures > 0) {
    sentences.push_back(
        fmt::format("{} of {} runs did not end well; their rows have a status and no "
                    "values.",
                    failures, results.lines.size() - count_not_run(results)));
  }
  if (const std::size_t left = count_not_run(results); left > 0) {
    sentences.push_back(
        fmt::format("{} of {} rows have not been run yet; --resume goes on with them.", left,
                    results.lines.size()));
  }
  const auto done = std::ranges::count_if(results.lines, &Line::done);
  for (std::size_t k = 0; k < study.columns.size(); ++k) {
    const Column& column = study.columns[k];
    if (column.kind == Column::Kind::paper) {
      sentences.push_back(fmt::format("{}: values from {}.", column.name, column.paper.source));
      continue;
    }
    const auto empty = std::ranges::count_if(
        results.lines, [k](const Line& line) { return line.done() && !line.values[k]; });
    if (empty == 0) continue;
    sentences.push_back(fmt::format("{}: {} of {} finished runs have no value; {}.", column.name,
                                    empty, done,
                                    column.kind == Column::Kind::expression
                                        ? "the expression is not finite there, or needs one that "
                                          "is missing"
                                        : "their summaries have none"));
  }
  for (const PlotRequest& request : study.plots) {
    const std::string note = io::left_out(make_plot(study, results, request));
    if (note.empty()) continue;
    sentences.push_back(fmt::format("Plot {}: {}; choose another 'scale'.", request.name, note));
  }
  return sentences;
}

std::string text_report(const Study& study, const Results& results,
                        std::span<const Verdict> verdicts) {
  const TextTable table = text_table(study, results);
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.head.size(); ++c) {
    widths.push_back(width(table.head[c]));
    for (const auto& row : table.rows) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string text = study.title + "\n\n";
  const auto put = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += "  " + padded(row[c], widths[c], table.right[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  put(table.head);
  for (const auto& row : table.rows) put(row);
  std::string notes;
  for (const std::string& sentence : remarks(study, results)) notes += sentence + "\n";
  for (const Failure& f : failures(results)) notes += fmt::format("{}: {}\n", f.status, f.words());
  if (!notes.empty()) text += "\n" + notes;
  if (verdicts.empty()) return text;
  text += "\nClaims\n";
  for (const Verdict& v : verdicts) {
    text += fmt::format("  {:<6} {}{}\n         expected {}, measured {}{}\n",
                        v.holds ? "holds" : "FAILS", v.text,
                        v.where.empty() ? "" : fmt::format(" [{}]", v.where), v.expected_text,
                        v.measured_text.empty() ? "nothing" : v.measured_text,
                        v.note.empty() ? "" : fmt::format("; {}", v.note));
  }
  const auto held = std::ranges::count_if(verdicts, &Verdict::holds);
  text += fmt::format("{} of {} claims hold\n", held, verdicts.size());
  return text;
}

std::string csv_report(const Study& study, const Results& results) {
  std::string text;
  const auto put = [&](const std::string& field) { text += io::csv_field(field) + ","; };
  const auto end_row = [&] { text.back() = '\n'; };
  for (const Axis& axis : study.axes) put(axis.name);
  put("status");
  for (const Column& column : study.columns) put(column.name);
  end_row();
  for (const Line& line : results.lines) {
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      put(study.axes[a].values[line.point[a]].text);
    }
    put(line.status);
    for (const auto& value : line.values) put(value ? io::shortest(*value) : "");
    end_row();
  }
  return text;
}

io::Json json_report(const Study& study, const Results& results,
                     std::span<const Verdict> verdicts) {
  io::Json json;
  json["status"] = results.interrupted ? "interrupted" : "done";
  json["study"] = study.title;
  json["model"] = study.model;
  json["jobs"] = results.jobs;
  json["resumed"] = results.resumed;
  json["columns"] = io::Json::array();
  json["units"] = io::Json::object();
  const auto column = [&](const std::string& name, const std::string& unit) {
    json["columns"].push_back(name);
    if (!unit.empty()) json["units"][name] = unit;
  };
  for (const Axis& axis : study.axes) column(axis.name, axis.unit);
  column("status", "");
  for (const Column& c : study.columns) column(c.name, c.unit);
  json["remarks"] = remarks(study, results);
  json["rows"] = io::Json::array();
  for (const Line& line : results.lines) {
    io::Json row;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      row[study.axes[a].name] = value_json(study.axes[a].values[line.point[a]]);
    }
    row["status"] = line.status;
    if (!line.message.empty()) row["message"] = line.message;
    for (std::size_t k = 0; k < study.columns.size(); ++k) {
      row[study.columns[k].name] = number(line.values[k]);
    }
    json["rows"].push_back(std::move(row));
  }
  json["claims"] = io::Json::array();
  for (const Verdict& v : verdicts) {
    io::Json claim;
    claim["claim"] = v.claim;
    claim["text"] = v.text;
    claim["kind"] = v.kind;
    claim["where"] = v.where;
    claim["expected"] = v.expected ? io::Json(*v.expected) : io::Json(v.expected_text);
    claim["tolerance"] = number(v.tolerance);
    claim["relation"] = v.expected_text;
    claim["measured"] = v.measured                ? io::Json(*v.measured)
                        : v.measured_text.empty() ? io::Json(nullptr)
                                                  : io::Json(v.measured_text);
    claim["holds"] = v.holds;
    claim["note"] = v.note;
    claim["timed"] = v.timed;
    json["claims"].push_back(std::move(claim));
  }
  return json;
}

}  // namespace daedal::study
