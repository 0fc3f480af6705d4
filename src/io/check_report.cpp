#include "daedal/io/check_report.hpp"

#include <fmt/format.h>

#include "daedal/doctor/words.hpp"

namespace daedal::io {

namespace {

using doctor::Dependence;
using doctor::Group;
using doctor::Kind;
using simulate::CheckReport;

/// Groups and sentences that are printed; the JSON document has all of them.
constexpr std::size_t kShown = 12;

bool contradicts(const Group& group) { return group.kind >= Kind::open; }

Json group_json(const Group& group) {
  Json json;
  json["kind"] = doctor::name_of(group.kind);
  json["constraints"] = group.constraints;
  json["rows"] = group.rows;
  json["residual"] = group.residual;
  json["unit"] = group.unit;
  json["sentences"] = group.sentences;
  return json;
}

std::string counted(int count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string freedom_text(const Dependence& d) {
  std::string text = fmt::format("{} (Gruebler's count: {})", d.degrees_of_freedom(), d.gruebler());
  if (d.has(Kind::singular)) {
    text += fmt::format("; {} next to this position", d.degrees_of_freedom_nearby());
  }
  return text;
}

std::string kind_text(const Group& group) {
  switch (group.kind) {
    case Kind::redundant:
      return fmt::format("redundant, {} too many",
                         counted(group.rows, "equation", "equations"));
    case Kind::singular: return "dependent at this position only";
    case Kind::open:
    case Kind::conflicting:
      return fmt::format("conflicting, {:.3g} {} remain", group.residual, group.unit);
  }
  return "";
}

}  // namespace

Json check_json(const CheckReport& report) {
  const Dependence& d = report.dependence;
  Json json;
  json["status"] = simulate::name_of(report.assembly.status);
  json["message"] = report.assembly.message;
  json["model"] = report.title;
  json["bodies"] = report.bodies;
  json["joints"] = report.joints;
  json["contacts"] = report.contacts;
  const auto examined = [&](int count) { return report.examined() ? Json(count) : Json(); };
  json["coordinates"] = examined(d.coordinates);
  json["constraints"] = examined(d.rows);
  json["rank"] = examined(d.rank);
  json["gruebler"] = examined(d.gruebler());
  json["degrees_of_freedom"] = examined(d.degrees_of_freedom());
  json["degrees_of_freedom_nearby"] = examined(d.degrees_of_freedom_nearby());
  Json dependent = Json::array(), conflicting = Json::array(), groups = Json::array();
  for (const Group& group : d.groups) {
    dependent.push_back(group.constraints);
    if (contradicts(group)) conflicting.push_back(group.constraints);
    groups.push_back(group_json(group));
  }
  json["dependent"] = std::move(dependent);
  json["conflicting"] = std::move(conflicting);
  json["groups"] = std::move(groups);
  json["unique_reactions"] = d.unique;
  json["non_unique_reactions"] = d.not_unique;
  Json moved;
  moved["largest_move"] = report.assembly.largest_move;
  moved["attempts"] = report.assembly.attempts;
  moved["moved"] = report.assembly.moved;
  json["assembly"] = std::move(moved);
  json["warnings"] = report.warnings();
  json["notes"] = report.inspection.notes;
  return json;
}

std::string check_text(const CheckReport& report) {
  const Dependence& d = report.dependence;
  std::string text = fmt::format("{}\n", report.title.empty() ? "Model" : report.title);
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<22} {}\n", name, value);
  };
  const auto list = [&](const std::vector<std::string>& items, std::string_view indent) {
    for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i) {
      text += fmt::format("{}{}\n", indent, items[i]);
    }
    if (items.size() > kShown) text += fmt::format("{}... {} more\n", indent, items.size() - kShown);
  };
  line("verdict", report.verdict());
  if (!report.sound()) {
    line("what", report.assembly.message);
    line("try", std::string(simulate::advice(report.assembly.status)));
  }
  std::string size = fmt::format("{}, {}", counted(report.bodies, "body", "bodies"),
                                 counted(report.joints, "joint", "joints"));
  if (report.examined()) {
    size += fmt::format(", {}, {}", counted(d.coordinates, "coordinate", "coordinates"),
                        counted(d.rows, "constraint", "constraints"));
  }
  if (report.contacts > 0) size += ", " + counted(report.contacts, "contact", "contacts");
  line("size", size);
  if (report.examined()) line("degrees of freedom", freedom_text(d));
  std::string moved = !report.assembly.moved.empty() ? report.assembly.moved.front()
                      : report.assembly.closed       ? "nothing had to be moved"
                                                     : "could not be closed";
  if (report.assembly.moved.size() > 1) {
    moved += fmt::format(", and {} more", report.assembly.moved.size() - 1);
  }
  if (report.assembly.attempts > 1) {
    moved += fmt::format("; {} starts were tried", report.assembly.attempts);
  }
  line("assembly", moved);
  if (report.examined()) {
    line("reactions", d.not_unique.empty() ? std::string("all are unique")
                      : d.unique.empty()   ? std::string("none is unique")
                                           : "not unique: " + doctor::listed(d.not_unique));
  }
  if (!d.groups.empty()) text += "Dependent constraints\n";
  for (std::size_t i = 0; i < std::min(d.groups.size(), kShown); ++i) {
    text += fmt::format("  {}: {}\n", doctor::listed(d.groups[i].constraints), kind_text(d.groups[i]));
    list(d.groups[i].sentences, "    ");
  }
  if (d.groups.size() > kShown) text += fmt::format("  ... {} more\n", d.groups.size() - kShown);
  const std::vector<std::string> warnings = report.warnings();
  if (!warnings.empty()) text += "Warnings\n";
  list(warnings, "  ");
  if (!report.inspection.notes.empty()) text += "Notes\n";
  list(report.inspection.notes, "  ");
  return text;
}

}  // namespace daedal::io
