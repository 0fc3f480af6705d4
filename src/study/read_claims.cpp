#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daedal/io/suggestion.hpp"
#include "daedal/study/reading.hpp"
#include "daedal/study/results.hpp"
#include "daedal/study/trace.hpp"

namespace daedal::study::reading {

namespace {

constexpr std::pair<std::string_view, Claim::Kind> kKinds[] = {
    {"slope", Claim::Kind::slope},         {"bound", Claim::Kind::bound},
    {"ratio", Claim::Kind::ratio},         {"order", Claim::Kind::order},
    {"agreement", Claim::Kind::agreement}, {"status", Claim::Kind::status}};

/// A sentence on the value of a key, if no table could satisfy the claim because of it.
struct Impossible {
  const char* key;
  std::string why;
};

/// Where the largest ratio is meant it is never below 1, and between two values never negative.
std::optional<Impossible> impossible_ratio(const Claim& claim) {
  const bool between = !claim.sequence.empty();
  const auto below = [between](double bound) { return between ? !(bound > 0.0) : !(bound >= 1.0); };
  const std::string why = between ? "values of one sign have a ratio above 0; give a positive number"
                                  : "the largest over the smallest is never below 1; give 1 or more";
  if (claim.at_most && below(*claim.at_most)) return Impossible{"at_most", why};
  if (claim.expected && claim.within &&
      below(*claim.expected + *claim.within * std::abs(*claim.expected))) {
    return Impossible{"expected", why};
  }
  return std::nullopt;
}

std::optional<Impossible> impossible(const Claim& claim) {
  if (claim.within && !(*claim.within >= 0.0)) {
    return Impossible{"within", "a deviation is never negative; give 0 or more"};
  }
  if (claim.factor && !(*claim.factor >= 1.0)) {
    return Impossible{"factor", "the larger over the smaller is never below 1; give 1 or more"};
  }
  for (std::size_t i = 1; i < claim.sequence.size(); ++i) {
    const auto end = claim.sequence.begin() + std::ptrdiff_t(i);
    if (std::find(claim.sequence.begin(), end, claim.sequence[i]) == end) continue;
    return Impossible{claim.kind == Claim::Kind::ratio ? "between" : "sequence",
                      fmt::format("'{}' is in it twice", claim.sequence[i].text)};
  }
  if (claim.kind == Claim::Kind::ratio) return impossible_ratio(claim);
  return std::nullopt;
}

/// A claim rests on all rows it admits: the paper must have them.
void check_paper(Reading& reading, const Node& node, const Claim& claim, std::size_t column,
                 const std::string& who) {
  const Study& study = reading.study;
  if (study.columns[column].kind != Column::Kind::paper) return;
  for (const Point& point : grid(study)) {
    if (!admits(study, claim.where, point)) continue;
    if (paper_value(study, study.columns[column].paper, point)) continue;
    std::vector<std::string> place;
    for (const std::size_t a : study.columns[column].paper.axes) {
      place.push_back(fmt::format("{} = {}", study.axes[a].name, study.axes[a].values[point[a]].text));
    }
    reading.complain(node, who,
                     fmt::format("'{}' has no value at {}; leave that row out with 'where'",
                                 study.columns[column].name, fmt::join(place, ", ")));
    return;
  }
}

/// What a kind asks for beyond its required keys.
void check_claim(Reading& reading, const Node& map, const Claim& claim, const std::string& who) {
  const bool bounded = claim.at_most.has_value() != claim.at_least.has_value();
  const bool any_bound = claim.at_most || claim.at_least;
  switch (claim.kind) {
    case Claim::Kind::slope:
      reading.check_numeric(reading.study.axes[claim.over], map, who, "a slope");
      break;
    case Claim::Kind::bound:
      if (!bounded) reading.complain(map, who, "give one of 'at_most' and 'at_least'");
      break;
    case Claim::Kind::ratio:
      if (!(claim.expected && claim.within && !any_bound) &&
          !(bounded && !claim.expected && !claim.within)) {
        reading.complain(map, who,
                         "give 'expected' and 'within', or one of 'at_most' and 'at_least'");
      }
      if (!claim.sequence.empty() && claim.sequence.size() != 2) {
        reading.complain(*map.find("between"), who, "'between' has two values");
      }
      break;
    case Claim::Kind::order:
      if (map.find("sequence") && claim.sequence.size() < 2) {
        reading.complain(*map.find("sequence"), who, "'sequence' has at least two values");
      }
      if (map.find("sequence") && map.find("falling")) {
        reading.complain(*map.find("falling"), who,
                         "a sequence has its own direction; remove this");
      }
      break;
    case Claim::Kind::agreement:
      if (claim.within.has_value() == claim.factor.has_value()) {
        reading.complain(map, who, "give one of 'within' and 'factor'");
      }
      if (claim.of == claim.with) {
        reading.complain(*map.find("with"), who, "a column agrees with itself; name another one");
      }
      check_paper(reading, *map.find("of"), claim, claim.of, who);
      check_paper(reading, *map.find("with"), claim, claim.with, who);
      break;
    case Claim::Kind::status:
      break;
  }
  if (const auto found = impossible(claim)) {
    reading.complain(*map.find(found->key), who,
                     fmt::format("it can never hold with this '{}': {}", found->key, found->why));
  }
}

void read_claim(Reading& reading, const Node::Entry& entry) {
  const Node& map = entry.value;
  const std::string who = fmt::format("claim '{}'", entry.key);
  Claim claim;
  claim.name = entry.key;
  claim.text = reading.text(map, "text", entry.key);
  for (const auto& [word, kind] : kKinds) {
    if (map.find("type")->text() == word) claim.kind = kind;
  }
  bool complete = true;
  const auto take = [&](std::string_view key, std::size_t& out, auto look_up) {
    const Node* node = map.find(key);
    if (!node) return;
    const auto found = (reading.*look_up)(*node, who);
    complete &= found.has_value();
    out = found.value_or(0);
  };
  take("of", claim.of, &Reading::column);
  take("with", claim.with, &Reading::column);
  take("over", claim.over, &Reading::axis);
  claim.where = reading.where(map, who);
  if (claim.kind == Claim::Kind::status) {
    claim.status = reading.text(map, "expected");
  } else {
    claim.expected = reading.number(map, "expected", who);
  }
  claim.within = reading.number(map, "within", who);
  claim.at_most = reading.number(map, "at_most", who);
  claim.at_least = reading.number(map, "at_least", who);
  claim.factor = reading.number(map, "factor", who);
  claim.falling = reading.flag(map, "falling", false);
  for (const char* key : {"between", "sequence"}) {
    const Node* list = map.find(key);
    if (!list || !complete) continue;
    for (const Node& node : list->elements()) {
      if (reading.known(reading.study.axes[claim.over], reading.value(node), node, who)) {
        claim.sequence.push_back(reading.value(node));
      }
    }
  }
  if (!complete) return;
  if (reading.problems.empty()) check_claim(reading, map, claim, who);
  reading.study.claims.push_back(std::move(claim));
}

void check_file_name(Reading& reading, const Node::Entry& entry, const std::string& who) {
  if (entry.key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-") != std::string::npos) {
    reading.problems.add(entry.position(), fmt::format("{}: its name becomes that of a file; take "
                                                       "letters, digits, '-' and '_'",
                                                       who));
  }
}

void read_trace(Reading& reading, const Node::Entry& entry) {
  const Node& map = entry.value;
  const std::string who = fmt::format("trace '{}'", entry.key);
  TraceRequest trace;
  trace.name = entry.key;
  trace.title = reading.text(map, "title");
  check_file_name(reading, entry, who);
  if (std::ranges::find(reading.study.plots, entry.key, &PlotRequest::name) !=
      reading.study.plots.end()) {
    reading.problems.add(entry.position(), who + ": a plot has this name; rename one");
  }
  const std::vector<std::string> known = traceable_names();
  const Node& of = *map.find("of");
  for (const Node& node : of.is_sequence() ? of.elements() : std::span(&of, 1)) {
    trace.of.push_back(node.text());
    if (std::ranges::find(known, node.text()) != known.end()) continue;
    reading.complain(node, who, fmt::format("steps record no '{}'; {}", node.text(),
                                            io::suggestion(node.text(), known)));
  }
  if (trace.of.empty()) reading.complain(of, who, "'of' is empty; name what to draw");
  using Panel = TraceRequest::Panel;
  trace.panel = reading.text(map, "panel", "row") == "row" ? Panel::row : Panel::quantity;
  trace.log_y = reading.text(map, "scale", "linear") == "log-y";
  trace.where = reading.where(map, who);
  reading.study.traces.push_back(std::move(trace));
}

void read_pattern(Reading& reading, const Node::Entry& entry) {
  const std::string who = fmt::format("pattern '{}'", entry.key);
  check_file_name(reading, entry, who);
  const Study& study = reading.study;
  const auto taken = [&](const auto& others, auto name) {
    return std::ranges::find(others, entry.key, name) != others.end();
  };
  if (taken(study.plots, &PlotRequest::name) || taken(study.traces, &TraceRequest::name)) {
    reading.problems.add(entry.position(), who + ": a plot or trace has this name; rename one");
  }
  reading.study.patterns.push_back(
      {entry.key, reading.text(entry.value, "title"), reading.where(entry.value, who)});
}

void read_plot(Reading& reading, const Node::Entry& entry) {
  const Node& map = entry.value;
  const std::string who = fmt::format("plot '{}'", entry.key);
  PlotRequest plot;
  plot.name = entry.key;
  plot.title = reading.text(map, "title", reading.study.title);
  check_file_name(reading, entry, who);
  const auto x = reading.quantity(*map.find("x"), who);
  const Node& y = *map.find("y");
  for (const Node& node : y.is_sequence() ? y.elements() : std::span(&y, 1)) {
    if (const auto column = reading.column(node, who)) plot.y.push_back(*column);
  }
  if (y.size() == 0 && y.is_sequence()) reading.complain(y, who, "'y' is empty; name a column");
  const Node* along = map.find("along");
  if (along) {
    plot.along = reading.axis(*along, who).value_or(0);
  } else if (x && x->is_axis) {
    plot.along = x->index;
  } else if (x) {
    reading.complain(map, who, "'x' is a column; say along which axis a line runs with 'along'");
  }
  plot.where = reading.where(map, who);
  const std::string scale = reading.text(map, "scale", "log-log");
  plot.log_x = scale == "log-log" || scale == "log-x";
  plot.log_y = scale == "log-log" || scale == "log-y";
  plot.fit = reading.flag(map, "fit", true) && plot.log_x && plot.log_y;
  if (!x) return;
  plot.x = *x;
  if (x->is_axis) reading.check_numeric(reading.study.axes[x->index], *map.find("x"), who, "'x'");
  reading.study.plots.push_back(std::move(plot));
}

}  // namespace

void read_claims(Reading& reading) {
  for (const Node::Entry& entry : entries(reading.root, "claims")) read_claim(reading, entry);
}

void read_plots(Reading& reading) {
  for (const Node::Entry& entry : entries(reading.root, "plots")) read_plot(reading, entry);
}

void read_patterns(Reading& reading) {
  for (const Node::Entry& entry : entries(reading.root, "patterns")) read_pattern(reading, entry);
}

void read_traces(Reading& reading) {
  for (const Node::Entry& entry : entries(reading.root, "traces")) read_trace(reading, entry);
}

}  // namespace daedal::study::reading
