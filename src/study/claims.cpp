#include "daedal/study/claims.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daedal/study/fit.hpp"

namespace daedal::study {

namespace {

/// A number of a claim or a table, for people.
std::string shown(double value) {
  return fmt::format("{:.4g}", value);
}

/// The rows a claim looks at, and the verdict while it is made.
class Judge {
 public:
  Judge(const Study& study, const Results& results, const Claim& claim, std::vector<Verdict>& out)
      : study_(study), results_(results), claim_(claim), out_(out) {
    for (const Line& line : results.lines) points_.push_back(line.point);
  }

  void judge() {
    switch (claim_.kind) {
      case Claim::Kind::slope:
        return each_group("slope", &Judge::slope);
      case Claim::Kind::ratio:
        return each_group("ratio", &Judge::ratio);
      case Claim::Kind::order:
        return each_group("order", &Judge::order);
      case Claim::Kind::bound:
        return all_rows("bound", &Judge::bound);
      case Claim::Kind::agreement:
        return all_rows("agreement", &Judge::agreement);
      case Claim::Kind::status:
        return all_rows("status", &Judge::status);
    }
  }

 private:
  using Lines = std::vector<const Line*>;

  void each_group(const char* kind, void (Judge::*test)(const Lines&, Verdict&)) {
    const std::vector<Group> all = groups(study_, points_, claim_.where, claim_.over);
    for (const Group& group : all) {
      Lines lines;
      for (const std::size_t i : group.points) lines.push_back(&results_.lines[i]);
      add(kind, group.label, lines, test);
    }
    if (all.empty()) add(kind, "", {}, test);
  }

  void all_rows(const char* kind, void (Judge::*test)(const Lines&, Verdict&)) {
    Lines lines;
    for (const Line& line : results_.lines) {
      if (admits(study_, claim_.where, line.point)) lines.push_back(&line);
    }
    add(kind, "", lines, test);
  }

  void add(const char* kind, const std::string& where, const Lines& lines,
           void (Judge::*test)(const Lines&, Verdict&)) {
    Verdict v;
    v.claim = claim_.name;
    v.text = claim_.text;
    v.kind = kind;
    v.where = where;
    v.timed = claim_.kind != Claim::Kind::status &&
              (study_.is_timed(claim_.of) ||
               (claim_.kind == Claim::Kind::agreement && study_.is_timed(claim_.with)));
    if (lines.empty()) v.note = "no row is admitted";
    (this->*test)(lines, v);
    if (v.measured && v.measured_text.empty()) v.measured_text = shown(*v.measured);
    v.holds = v.holds && v.note.empty();
    out_.push_back(std::move(v));
  }

  std::string place(const Line& line) const {
    std::vector<std::string> parts;
    for (std::size_t a = 0; a < study_.axes.size(); ++a) {
      parts.push_back(
          fmt::format("{} = {}", study_.axes[a].name, study_.axes[a].values[line.point[a]].text));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  /// The values of the claim's column; a note if one is missing.
  std::vector<double> values(const Lines& lines, Verdict& v) const {
    std::vector<double> all;
    for (const Line* line : lines) {
      if (const auto value = line->values[claim_.of]) {
        all.push_back(*value);
      } else if (v.note.empty()) {
        v.note = fmt::format("no value at {} ({})", place(*line), line->status);
      }
    }
    return all;
  }

  /// Judges the measured value by whichever limits the claim has.
  void compare(Verdict& v, bool relative_tolerance) const {
    if (claim_.at_most) {
      v.expected = claim_.at_most;
      v.expected_text = "≤ " + shown(*claim_.at_most);
      v.holds = v.measured && *v.measured <= *claim_.at_most;
    } else if (claim_.at_least) {
      v.expected = claim_.at_least;
      v.expected_text = "≥ " + shown(*claim_.at_least);
      v.holds = v.measured && *v.measured >= *claim_.at_least;
    } else {
      const double expected = claim_.expected.value();
      const double scale = relative_tolerance ? std::abs(expected) : 1.0;
      v.expected = expected;
      v.tolerance = *claim_.within * scale;
      v.expected_text = fmt::format("{} ± {}", shown(expected), shown(*v.tolerance));
      v.holds = v.measured && std::abs(*v.measured - expected) <= *v.tolerance;
    }
  }

  void slope(const Lines& lines, Verdict& v) {
    const std::vector<double> y = values(lines, v);
    if (y.size() == lines.size()) {
      std::vector<double> x;
      for (const Line* line : lines) x.push_back(*value_of(study_, *line, {true, claim_.over}));
      if (const auto law = fit_power_law(x, y)) {
        v.measured = law->slope;
        v.measured_text = fmt::format("{:.3f}", law->slope);
      } else if (v.note.empty()) {
        v.note = "a slope needs two rows or more, and positive values";
      }
    }
    compare(v, false);
  }

  void bound(const Lines& lines, Verdict& v) {
    const std::vector<double> all = values(lines, v);
    if (!all.empty()) v.measured = claim_.at_most ? std::ranges::max(all) : std::ranges::min(all);
    compare(v, false);
  }

  void ratio(const Lines& lines, Verdict& v) {
    const std::vector<double> all = values(in_sequence(lines), v);
    const bool one_sign = std::ranges::all_of(all, [&](double x) { return x * all.front() > 0.0; });
    if (all.size() < 2) {
      if (v.note.empty()) v.note = "two rows are needed";
    } else if (!one_sign) {
      v.note = "a ratio needs values of one sign, none of them zero";
    } else if (!claim_.sequence.empty()) {
      v.measured = all[1] / all[0];
    } else {
      const auto [low, high] = std::ranges::minmax(all, {}, [](double x) { return std::abs(x); });
      v.measured = high / low;
    }
    compare(v, true);
  }

  /// The lines of the claim's sequence, in its order, as far as they are there.
  Lines in_sequence(const Lines& lines) const {
    if (claim_.sequence.empty()) return lines;
    Lines sorted;
    for (const Value& value : claim_.sequence) {
      for (const Line* line : lines) {
        const std::size_t at = line->point[claim_.over];
        if (study_.axes[claim_.over].values[at] == value) sorted.push_back(line);
      }
    }
    return sorted;
  }

  void order(const Lines& lines, Verdict& v) {
    const Lines sorted = in_sequence(lines);
    const std::vector<double> all = values(sorted, v);
    const bool falling = claim_.sequence.empty() && claim_.falling;
    std::vector<std::string> names, numbers;
    for (const Line* line : sorted) {
      names.push_back(study_.axes[claim_.over].values[line->point[claim_.over]].text);
    }
    for (const double value : all) numbers.push_back(shown(value));
    const char* sign = falling ? " > " : " < ";
    v.expected_text = fmt::format("{}", fmt::join(names, sign));
    v.measured_text = fmt::format("{}", fmt::join(numbers, ", "));
    const auto out_of_place = [falling](double a, double b) { return falling ? a <= b : a >= b; };
    if (all.size() < 2 && v.note.empty()) v.note = "two rows are needed";
    v.holds = std::ranges::adjacent_find(all, out_of_place) == all.end();
  }

  void agreement(const Lines& lines, Verdict& v) {
    std::size_t compared = 0;
    for (const Line* line : lines) {
      const auto ours = line->values[claim_.of], other = line->values[claim_.with];
      if (!ours || !other) {
        if (v.note.empty()) v.note = fmt::format("no value at {} ({})", place(*line), line->status);
        continue;
      }
      ++compared;
      const double quotient = std::abs(*ours / *other);
      const double difference = claim_.factor     ? std::max(quotient, 1.0 / quotient)
                                : *ours == *other ? 0.0
                                                  : std::abs(*ours - *other) / std::abs(*other);
      if (!v.measured || !(difference <= *v.measured)) v.measured = difference;
    }
    if (compared == 0 && v.note.empty()) v.note = "no row has both values";
    v.expected = claim_.factor ? claim_.factor : claim_.within;
    v.expected_text = (claim_.factor ? "factor ≤ " : "difference ≤ ") + shown(*v.expected);
    v.holds = v.measured && *v.measured <= *v.expected;
  }

  void status(const Lines& lines, Verdict& v) {
    v.expected_text = claim_.status;
    v.measured_text = claim_.status;
    v.holds = true;
    for (const Line* line : lines) {
      if (line->status == claim_.status) continue;
      v.measured_text = line->status;
      v.note = fmt::format("{} at {}", line->status, place(*line));
      break;
    }
  }

  const Study& study_;
  const Results& results_;
  const Claim& claim_;
  std::vector<Verdict>& out_;
  std::vector<Point> points_;
};

}  // namespace

std::vector<Verdict> judge(const Study& study, const Results& results) {
  std::vector<Verdict> verdicts;
  for (const Claim& claim : study.claims) Judge(study, results, claim, verdicts).judge();
  return verdicts;
}

}  // namespace daedal::study
