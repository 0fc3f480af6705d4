// Keys of forces.
#include <string>
#include <utility>

#include "daedal/io/model_keys.hpp"

namespace daedal::io::keys {

std::vector<Object> forces() {
  const Field stiffness{.key = "stiffness",
                        .type = Type::number,
                        .unit = "N/m",
                        .default_text = "0",
                        .help = "Stiffness"};
  const Field damping{.key = "damping",
                      .type = Type::number,
                      .unit = "N s/m",
                      .default_text = "0",
                      .help = "Viscous damping"};
  const Field on_body{.key = "body",
                      .type = Type::reference,
                      .required = true,
                      .refers_to = "bodies",
                      .help = "The body it acts on"};
  const Field on_joint{.key = "joint",
                       .type = Type::reference,
                       .required = true,
                       .refers_to = "joints",
                       .help = "A joint with an angle or a displacement"};
  const Field freedom{.key = "freedom",
                      .type = Type::choice,
                      .default_text = "the joint's own",
                      .choices = {"angle", "second_angle", "displacement", "direction",
                                  "second_displacement"},
                      .help = "Which relative motion of a joint that has several"};
  const Field frame{.key = "frame",
                    .type = Type::choice,
                    .default_text = "world",
                    .choices = {"world", "body"},
                    .help = "Axes of `value`: those of the world, or those of the body, turning "
                            "with it"};
  const auto vector = [](std::string key, std::string unit, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::vector,
                 .unit = std::move(unit),
                 .default_text = "0",
                 .sizes = kVector,
                 .help = std::move(help)};
  };
  const auto rotational = [&](std::string key, std::string unit, std::string help) {
    Field field = vector(std::move(key), std::move(unit), std::move(help));
    field.sizes = {3};
    field.also = {Type::number};
    return field;
  };
  const auto number = [](std::string key, std::string unit, std::string otherwise,
                         std::string help) {
    Field field{.key = std::move(key),
                .type = Type::number,
                .unit = std::move(unit),
                .help = std::move(help)};
    field.required = otherwise.empty();
    field.default_text = std::move(otherwise);
    return field;
  };
  const std::vector<Field> wheel{
      on_body,
      {.key = "at",
       .type = Type::vector,
       .unit = "m",
       .default_text = "origin",
       .sizes = {3},
       .help = "Centre of the wheel in the body's frame"},
      {.key = "axis",
       .type = Type::vector,
       .default_text = "[0, 1, 0]",
       .sizes = {3},
       .help = "Of the wheel, in the body's frame; it points to the left of one that rolls forward"}};
  const auto per_joint = [](Field field, std::string unit) {
    field.unit = std::move(unit);
    return field;
  };
  return {
      {.name = "spring",
       .variant_of = "element",
       .help = "Spring and damper between two points; its tension is stiffness (l - length) + "
               "damping l', with l the distance of the points.",
       .fields = {{.key = "between",
                   .type = Type::list_of,
                   .required = true,
                   .item = Type::free,
                   .help = "Two pairs `[body, point]`, each point in its body's frame"},
                  stiffness, damping,
                  {.key = "length",
                   .type = Type::number,
                   .unit = "m",
                   .default_text = "as in the reference pose",
                   .help = "Free length"},
                  repeat()}},
      {.name = "joint-spring",
       .variant_of = "element",
       .help = "Spring and damper on the angle or displacement s of a joint: load = -stiffness (s "
               "- rest) - damping s'. On a revolute joint it is a torsional spring.",
       .fields = {on_joint, freedom, per_joint(stiffness, "N m/rad or N/m"),
                  per_joint(damping, "N m s/rad or N s/m"),
                  {.key = "rest",
                   .type = Type::number,
                   .unit = "rad or m",
                   .default_text = "0",
                   .help = "Value of s without load"},
                  repeat()}},
      {.name = "force",
       .variant_of = "element",
       .help = "A force on a body.",
       .fields = {on_body,
                  {.key = "at",
                   .type = Type::vector,
                   .unit = "m",
                   .default_text = "origin",
                   .sizes = kVector,
                   .help = "Where it acts, in the body's frame"},
                  {.key = "value",
                   .type = Type::vector,
                   .unit = "N",
                   .required = true,
                   .sizes = kVector,
                   .help = "Its components, expressions of `t`"},
                  frame, repeat()}},
      {.name = "torque",
       .variant_of = "element",
       .help = "A torque on a body.",
       .fields = {on_body,
                  {.key = "value",
                   .type = Type::vector,
                   .unit = "N m",
                   .required = true,
                   .sizes = {3},
                   .also = {Type::number},
                   .help = "Its components, expressions of `t`; planar: one expression"},
                  frame, repeat()}},
      {.name = "joint-load",
       .variant_of = "element",
       .help = "A motor: a torque or force along a joint's free coordinate.",
       .fields = {on_joint, freedom,
                  {.key = "value",
                   .type = Type::number,
                   .unit = "N m or N",
                   .required = true,
                   .help = "Expression of `t`; positive turns or moves the second body forward"},
                  repeat()}},
      {.name = "bushing",
       .variant_of = "element",
       .help = "Springs and dampers between two points, in the axes of the first body, on their "
               "displacement d and on the rotation vector of the bodies since the reference pose: "
               "force on the second = preload - stiffness d - damping d'.",
       .fields = {{.key = "between",
                   .type = Type::list_of,
                   .required = true,
                   .refers_to = "bodies",
                   .item = Type::reference,
                   .help = "The two bodies, or `ground` and a body"},
                  {.key = "at",
                   .type = Type::vector,
                   .unit = "m",
                   .required = true,
                   .sizes = kVector,
                   .also = {Type::map_of},
                   .help = "World point in the reference pose, or a map from each of the two bodies "
                           "to a point in its frame"},
                  vector("stiffness", "N/m", "Along the axes of the first body"),
                  vector("damping", "N s/m", "Along these axes"),
                  vector("preload", "N", "Force on the second body where the points coincide"),
                  rotational("rotational_stiffness", "N m/rad",
                             "About these axes; planar: one number"),
                  rotational("rotational_damping", "N m s/rad",
                             "About these axes; planar: one number"),
                  repeat()}},
      {.name = "tyre",
       .variant_of = "element",
       .help = "A tyre on horizontal ground: a radial spring and damper, and slip forces.",
       .fields = join(wheel,
                      {number("radius", "m", "", "Without load"),
                       number("height", "m", "0", "Of the ground, world z"),
                       number("stiffness", "N/m", "", "Radial"),
                       number("damping", "N s/m", "0", "Radial"),
                       number("longitudinal_stiffness", "N", "0", "Force per longitudinal slip"),
                       number("lateral_stiffness", "N/rad", "0", "Force per slip angle"),
                       number("friction", "", "1", "Largest slip force per wheel load"),
                       number("magic_shape", "", "1.3",
                              "C of the Magic Formula, 1 to 2: how far the force falls at large slip"),
                       number("slow_speed", "m/s", "0.1",
                              "Below it, slip velocities count instead of slips"),
                       repeat()})},
      {.name = "creep",
       .variant_of = "element",
       .help = "Creep forces of a railway wheel on a track along x, for a given normal load.",
       .fields = join(wheel,
                      {number("radius", "m", "",
                              "Rolling radius; an expression of `y`, the contact's distance from the "
                              "centre line of the track to the left"),
                       number("track", "m", "0",
                              "y of the centre line of the track; an expression of `x`"),
                       number("load", "N", "", "Normal load"),
                       number("friction", "", "0.3", "Largest creep force per normal load"),
                       number("f11", "N", "", "Longitudinal creep coefficient"),
                       number("f22", "N", "", "Lateral creep coefficient"),
                       number("f23", "N m", "0", "Lateral creep coefficient of the spin"),
                       number("f33", "N m^2", "0", "Creep coefficient of the spin"),
                       number("spin", "rad/s", "0",
                              "Nominal spin about the axis, for a body that does not roll itself"),
                       number("slow_speed", "m/s", "0.1",
                              "Below it, creep velocities count instead of creepages"),
                       repeat()})},
  };
}

}  // namespace daedal::io::keys
