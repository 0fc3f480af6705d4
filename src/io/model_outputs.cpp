// Outputs: what is watched during a run.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "daedal/io/model_reader.hpp"

namespace daedal::io::reading {

using model::Output;
using model::Quantity;

namespace {

struct Kind {
  std::string_view key;
  Quantity quantity;
  std::string_view unit;
  bool is_vector;
};

constexpr std::array<Kind, 10> kKinds{{
    {"position", Quantity::position, "m", true},
    {"velocity", Quantity::velocity, "m/s", true},
    {"acceleration", Quantity::acceleration, "m/s^2", true},
    {"angle", Quantity::angle, "rad", false},
    {"angular_speed", Quantity::angular_speed, "rad/s", false},
    {"displacement", Quantity::displacement, "m", false},
    {"speed", Quantity::speed, "m/s", false},
    {"angular_velocity", Quantity::angular_velocity, "rad/s", true},
    {"reaction", Quantity::reaction_force, "N", true},
    {"energy", Quantity::energy, "J", false},
}};

/// Components that a quantity has, in order.
std::vector<std::string> components(Quantity quantity, bool planar) {
  if (quantity == Quantity::angle || quantity == Quantity::angular_speed) return {"first", "second"};
  if (quantity == Quantity::displacement || quantity == Quantity::speed) return {"x", "y"};
  if (quantity == Quantity::angular_velocity && planar) return {"z"};
  std::vector<std::string> all = planar ? std::vector<std::string>{"x", "y"}
                                        : std::vector<std::string>{"x", "y", "z"};
  if (quantity == Quantity::reaction_force) {
    const std::vector<std::string> torques =
        planar ? std::vector<std::string>{"mz"} : std::vector<std::string>{"mx", "my", "mz"};
    all.insert(all.end(), torques.begin(), torques.end());
  }
  return all;
}

const Kind* find_kind(Reading& reading, const Item& item) {
  const Kind* found = nullptr;
  for (const Kind& kind : kKinds) {
    const Node* node = item.find(kind.key);
    if (node == nullptr) continue;
    if (found != nullptr) {
      reading.scope.report(*node, item, kind.key,
                           fmt::format("is given beside '{}'; an output is one of them",
                                       found->key));
      return nullptr;
    }
    found = &kind;
  }
  if (found == nullptr) {
    std::vector<std::string_view> keys;
    for (const Kind& kind : kKinds) keys.push_back(kind.key);
    reading.scope.problems().add(item.node->position(),
                                 fmt::format("{} has no quantity; give one of {}", item.who(),
                                             fmt::join(keys, ", ")));
  }
  return found;
}

void set_component(Output& output, const std::string& component) {
  if (component == "first" || component == "second") {
    output.component = component == "second" ? 1 : 0;
    return;
  }
  output.component = component.back() - 'x';
  if (component.size() == 2) {
    output.quantity = Quantity::reaction_torque;
    output.unit = "N m";
  }
}

}  // namespace

void read_output(Reading& reading, const Item& item, const Node::Entry& entry) {
  Scope& scope = reading.scope;
  const Kind* kind = find_kind(reading, item);
  if (kind == nullptr) return;
  const Node& object = *item.find(kind->key);
  const Node* component = item.find("component");

  Output output;
  output.name = item.name;
  output.quantity = kind->quantity;
  output.unit = kind->unit;
  if (kind->quantity == Quantity::energy) {
    if (object.text() == "kinetic") output.quantity = Quantity::kinetic_energy;
    if (object.text() == "potential") output.quantity = Quantity::potential_energy;
  } else {
    output.object = scope.name(object, item, kind->key);
  }
  const auto joint = reading.joints.find(output.object);
  const bool of_joint = kind->quantity != Quantity::energy && joint != reading.joints.end();
  const auto is_a = [&](model::JointType type) {
    return of_joint && reading.model.joints[joint->second].type == type;
  };
  if (kind->quantity == Quantity::speed && is_a(model::JointType::revolute)) output.unit = "rad/s";
  const bool is_vector =
      kind->is_vector || ((kind->quantity == Quantity::angle ||
                           kind->quantity == Quantity::angular_speed) &&
                          is_a(model::JointType::universal)) ||
      ((kind->quantity == Quantity::displacement || kind->quantity == Quantity::speed) &&
       (is_a(model::JointType::planar) ||
        (is_a(model::JointType::surface) && !reading.planar())));
  if (const Node* point = item.find("point")) {
    const bool has_point = kind->quantity == Quantity::position ||
                           kind->quantity == Quantity::velocity ||
                           kind->quantity == Quantity::acceleration;
    if (!has_point) {
      scope.report(*point, item, "point", fmt::format("has no meaning for '{}'; remove it",
                                                      kind->key));
      return;
    }
    output.point = scope.vector(*point, item, "point");
  }

  auto& outputs = reading.model.outputs;
  if (!is_vector) {
    if (component) {
      scope.report(*component, item, "component",
                   fmt::format("is given, but '{}' is one number; remove it", kind->key));
      return;
    }
    outputs.push_back(std::move(output));
    return;
  }
  const std::vector<std::string> all = components(kind->quantity, reading.planar());
  if (component) {
    if (std::ranges::find(all, component->text()) == all.end()) {
      scope.report(*component, item, "component",
                   fmt::format("is '{}'; '{}' has {} here", component->text(), kind->key,
                               fmt::join(all, ", ")));
      return;
    }
    set_component(output, component->text());
    outputs.push_back(std::move(output));
  } else if (all.size() == 1) {
    set_component(output, all.front());
    outputs.push_back(std::move(output));
  } else {
    for (const std::string& name : all) {
      if (name.size() == 2) continue;  // the torques of a reaction come when asked for
      Output one = output;
      one.name = fmt::format("{}.{}", item.name, name);
      set_component(one, name);
      reading.places.add("outputs", one.name, entry);
      outputs.push_back(std::move(one));
    }
  }
}

}  // namespace daedal::io::reading
