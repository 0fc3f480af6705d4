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
                      .choices = {"angle", "second_angle", "displacement", "direction"},
                      .help = "Which relative motion of a joint that has several"};
  const Field frame{.key = "frame",
                    .type = Type::choice,
                    .default_text = "world",
                    .choices = {"world", "body"},
                    .help = "Axes of `value`: those of the world, or those of the body, turning "
                            "with it"};
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
  };
}

}  // namespace daedal::io::keys
