#include "daedal/io/model_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/document.hpp"
#include "daedal/io/model_reader.hpp"
#include "daedal/io/suggestion.hpp"
#include "daedal/io/text_file.hpp"

namespace daedal::io {
namespace {

using namespace reading;

constexpr std::string_view kVersion = "1";
constexpr std::array<std::string_view, 6> kSections{"bodies",   "joints",  "forces",
                                                    "contacts", "initial", "outputs"};

std::vector<std::string> keys_of(const Node* map) {
  std::vector<std::string> keys;
  for (const Node::Entry& entry : map ? map->entries() : std::span<const Node::Entry>()) {
    keys.push_back(entry.key);
  }
  return keys;
}

/// An override must change the file, not add to it what nothing looks at: a parameter that no
/// expression knows, or a part of an object that a repeat makes.
void check_override(const Node& file, const Node& changed, std::string_view assignment) {
  const Position at{fmt::format("--set {}", assignment)};
  const std::vector<std::string> known = keys_of(file.find("parameters"));
  for (const std::string& name : keys_of(changed.find("parameters"))) {
    if (std::ranges::find(known, name) == known.end()) {
      throw InputError(at, fmt::format("the file has no parameter '{}'; {}", name,
                                       suggestion(name, known)));
    }
  }
  for (const std::string_view section : kSections) {
    const std::vector<std::string> before = keys_of(file.find(section));
    for (const std::string& name : keys_of(changed.find(section))) {
      if (std::ranges::find(before, name) != before.end()) continue;
      const std::string stem = name.substr(0, name.find('['));
      for (const Node::Entry& entry : file.find(section) ? file.find(section)->entries()
                                                         : std::span<const Node::Entry>()) {
        if (!entry.value.find("repeat") || entry.key.substr(0, entry.key.find('[')) != stem) {
          continue;
        }
        throw InputError(at, fmt::format("'{}' is made by the repeat of '{}'; set a key of the "
                                         "template: {}.{}.KEY=VALUE",
                                         name, entry.key, section, entry.key));
      }
    }
  }
}

void check_version(const Node& root) {
  const Node& version = *root.find("daedal");
  if (version.text() == kVersion) return;
  throw InputError(version.position(), fmt::format("the file has version '{}'; this program reads "
                                                   "version {}",
                                                   version.text(), kVersion));
}

std::map<std::string, double> read_parameters(const Node& root) {
  Problems problems;
  std::map<std::string, math::Expression> expressions;
  const Node* section = root.find("parameters");
  if (section == nullptr) return {};
  for (const Node::Entry& entry : section->entries()) {
    if (is_not_finite(entry.value.text())) {
      problems.add(entry.value.position(), fmt::format("parameter '{}' is '{}'; give a finite number",
                                                       entry.key, entry.value.text()));
      continue;
    }
    try {
      expressions.emplace(entry.key, math::Expression::parse(entry.value.text()));
    } catch (const math::ExpressionError& error) {
      problems.add(position_in(entry.value, error.position),
                   fmt::format("parameter '{}': {}", entry.key, error.what()));
    }
  }
  problems.report();
  try {
    return math::resolve(expressions);
  } catch (const math::ExpressionError& error) {
    const auto entry = std::ranges::find(section->entries(), error.parameter, &Node::Entry::key);
    if (entry == section->entries().end()) throw InputError(section->position(), error.what());
    const bool is_name = !math::is_identifier(entry->key) || math::is_reserved(entry->key);
    throw InputError(is_name ? entry->position() : position_in(entry->value, error.position),
                     error.what());
  }
}

void read_header(const Node& root, Scope& scope, model::Model& model) {
  const Item file{{}, {}, &root};
  if (const Node* title = root.find("title")) model.title = title->text();
  if (const Node* description = root.find("description")) model.description = description->text();
  model.planar = scope.planar();
  if (const Node* gravity = root.find("gravity")) {
    model.gravity = scope.vector(*gravity, file, "gravity");
  }
}

void read_sections(const Node& root, Reading& reading) {
  Section bodies(root, "bodies", "body", reading.scope);
  Section joints(root, "joints", "joint", reading.scope);
  Section forces(root, "forces", "force", reading.scope);
  Section contacts(root, "contacts", "contact", reading.scope);
  Section initial(root, "initial", "initial state", reading.scope);
  Section outputs(root, "outputs", "output", reading.scope);

  for (Section* section : {&bodies, &joints, &forces, &contacts, &initial, &outputs}) {
    section->plan(reading.repeated);
  }
  reading.scope.problems().report();

  const auto with = [&](void (*read)(Reading&, const Item&)) {
    return [&reading, read](const Item& item, const Node::Entry&) { read(reading, item); };
  };
  bodies.expand(reading.places, with(read_body));
  joints.expand(reading.places, with(read_joint));
  forces.expand(reading.places, with(read_force));
  contacts.expand(reading.places, with(read_contact));
  initial.expand(reading.places, with(read_initial));
  outputs.expand(reading.places, [&](const Item& item, const Node::Entry& entry) {
    read_output(reading, item, entry);
  });
}

/// `outputs.tip` of `outputs.tip.x`, nothing of other paths.
std::string output_of(const std::string& where) {
  constexpr std::string_view kPrefix = "outputs.";
  if (!where.starts_with(kPrefix)) return {};
  return where.substr(0, where.find('.', kPrefix.size()));
}

void check_mechanics(const ModelFile& file, const Places& places) {
  Problems problems;
  std::string last_output;
  const auto add = [&](const std::vector<model::Problem>& found) {
    for (const model::Problem& problem : found) {
      // The components of one output share its problem.
      const std::string output = output_of(problem.where);
      if (!output.empty() && output == last_output) continue;
      last_output = output;
      problems.add(places.position(problem.where), problem.message);
    }
  };
  add(model::validate(file.model));
  add(simulate::validate(file.settings));
  problems.report();
}

}  // namespace

struct ModelSource {
  explicit ModelSource(Node node) : root(std::move(node)) {}
  ModelSource(const ModelSource&) = delete;
  ModelSource& operator=(const ModelSource&) = delete;

  const Node root;
  Places places{root};
};

Position ModelFile::position(std::string_view where) const {
  return source ? source->places.position(where) : Position{};
}

ModelFile parse_model(std::string_view text, std::string_view name,
                      std::span<const std::string> overrides, const Limits& limits) {
  ModelFile file;
  file.text = text;
  file.overrides.assign(overrides.begin(), overrides.end());

  Node root = parse(text, name);
  for (const std::string& assignment : overrides) {
    const Node changed = with_override(root, assignment);
    check_override(root, changed, assignment);
    root = changed;
  }
  const auto source = std::make_shared<ModelSource>(std::move(root));
  root = source->root;
  if (const Node* study = root.find("study"); study && !root.find("daedal")) {
    throw InputError(study->position(),
                     "this is a study, not a model file; run it with 'daedal study'");
  }
  schema::check(root, model_schema());
  check_version(root);
  file.parameters = read_parameters(root);

  Problems problems;
  const Node* planar = root.find("planar");
  Scope scope(file.parameters, problems, planar && planar->text() == "true");
  Places& places = source->places;
  Repeated repeated{limits.repeated};
  Reading reading{scope, places, file.model, repeated};
  read_header(root, scope, file.model);
  read_sections(root, reading);
  if (const Node* section = root.find("simulate")) {
    file.settings = read_settings(*section, scope);
  }
  problems.report();
  check_mechanics(file, places);
  file.source = source;
  return file;
}

ModelFile read_model(const std::filesystem::path& path, std::span<const std::string> overrides) {
  return parse_model(read_text(path, kMaxDocumentBytes, "model file"), path.string(), overrides);
}

}  // namespace daedal::io
