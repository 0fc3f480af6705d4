// Keys of outputs.
#include <string>
#include <utility>

#include "daedal/io/model_keys.hpp"

namespace daedal::io::keys {

Object output() {
  const auto of = [](std::string key, std::string unit, std::string map, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::reference,
                 .unit = std::move(unit),
                 .refers_to = std::move(map),
                 .help = std::move(help)};
  };
  return {
      .name = "output",
      .help = "A quantity to watch: exactly one of the first ten keys.",
      .fields = {
          of("position", "m", "bodies", "Of a point of a body, world axes"),
          of("velocity", "m/s", "bodies", "Of a point of a body, world axes"),
          of("acceleration", "m/s^2", "bodies", "Of a point of a body, world axes"),
          of("angle", "rad", "joints",
             "Of a revolute, cylindrical, universal, planar or screw joint since the reference "
             "pose, or of a planar body"),
          of("angular_speed", "rad/s", "joints", "Rate of that angle of a joint"),
          of("displacement", "m", "joints",
             "Of a prismatic, cylindrical, planar, surface or screw joint since the reference "
             "pose"),
          of("speed", "m/s or rad/s", "joints",
             "Rate of the displacement; of a revolute joint, which has none, of the angle"),
          of("angular_velocity", "rad/s", "bodies",
             "Of a body, or of a joint's second body relative to its first; world axes"),
          of("reaction", "N or N m", "joints",
             "What a joint exerts on its second body, world axes, torque about the joint's point"),
          {.key = "energy",
           .type = Type::choice,
           .unit = "J",
           .choices = {"total", "kinetic", "potential"},
           .help = "Of the whole mechanism"},
          {.key = "point",
           .type = Type::vector,
           .unit = "m",
           .default_text = "origin",
           .sizes = kVector,
           .help = "Of a position, velocity or acceleration: the point in the body's frame"},
          {.key = "component",
           .type = Type::choice,
           .default_text = "all",
           .choices = {"x", "y", "z", "mx", "my", "mz", "first", "second"},
           .help = "Of a vector; `mx`, `my`, `mz` are the torques of a reaction, `first` and "
                   "`second` the two angles of a universal joint. Without it the output `name` "
                   "becomes `name.x`, `name.y`(, `name.z`), or `name.first`, `name.second`"},
          repeat()}};
}

}  // namespace daedal::io::keys
