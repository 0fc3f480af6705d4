// Keys of joints and drives.
#include <string>
#include <utility>

#include "daedal/io/model_keys.hpp"

namespace daedal::io::keys {
namespace {

Object drive() {
  const auto kind = [](std::string key, std::string unit, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::number,
                 .unit = std::move(unit),
                 .help = std::move(help)};
  };
  return {.name = "drive",
          .help = "Prescribed motion of a joint's second body relative to the first: one of these "
                  "expressions of `t`.",
          .fields = {kind("angle", "rad", "Of a revolute, cylindrical, planar or screw joint"),
                     kind("displacement", "m",
                          "Of a prismatic or cylindrical joint; along x of a planar or surface "
                          "joint"),
                     kind("angular_speed", "rad/s", "Rate of the angle; the angle is free"),
                     kind("speed", "m/s", "Rate of the displacement, which is free")}};
}

Object coordinates() {
  const auto freedom = [](std::string key, std::string help) {
    return Field{.key = std::move(key), .type = Type::string, .help = std::move(help)};
  };
  return {.name = "coordinates",
          .help = "Names of relative motions that become unknowns of their own, without mass.",
          .fields = {freedom("angle",
                             "Of a revolute, cylindrical, universal, planar or screw joint"),
                     freedom("second_angle", "Of a universal joint, about its second axis"),
                     freedom("displacement", "Of a prismatic or cylindrical joint; along x of a "
                                             "planar or surface joint"),
                     freedom("direction", "Planar: of a distance joint's line, zero in the "
                                          "reference pose"),
                     freedom("second_displacement", "Along y of a planar or spatial surface "
                                                    "joint")}};
}

}  // namespace

std::vector<Object> joints() {
  const Field between{.key = "between",
                      .type = Type::list_of,
                      .required = true,
                      .refers_to = "bodies",
                      .item = Type::reference,
                      .help = "The two bodies, or `ground` and a body"};
  const Field at{.key = "at",
                 .type = Type::vector,
                 .unit = "m",
                 .required = true,
                 .sizes = kVector,
                 .also = {Type::map_of},
                 .help = "World point in the reference pose, or a map from each of the two bodies "
                         "to a point in its frame"};
  const Field axis{.key = "axis",
                   .type = Type::vector,
                   .sizes = kVector,
                   .also = {Type::map_of},
                   .help = "World direction in the reference pose, or a map from each of the two "
                           "bodies to a direction in its frame; planar: only of prismatic joints"};
  const Field driven{.key = "drive",
                     .type = Type::object,
                     .objects = {drive()},
                     .help = "Prescribed motion"};
  const Field exposed{.key = "coordinates",
                      .type = Type::object,
                      .objects = {coordinates()},
                      .help = "Relative motions as unknowns, by name"};
  const Field tree{.key = "tree",
                   .type = Type::boolean,
                   .default_text = "as found",
                   .help = "Joint coordinates: `true`, the joint carries a body; `false`, it closes "
                           "a loop"};
  const Field axes{.key = "axes",
                   .type = Type::matrix,
                   .help = "Instead of `axis`, two world directions in the reference pose, "
                           "perpendicular: the normal z, and x"};
  Field normal = axis;
  normal.help = "World direction in the reference pose, or a map from each of the two bodies to a "
                "direction in its frame: the normal z; x is the axis that follows the largest "
                "component of z, made normal to it";
  Field upward = axis;
  upward.help = "World direction in the reference pose, or a map from the first body to a direction "
                "in its frame: the normal z (planar: y) of the surface; x as of a planar joint";
  const auto joint = [&](std::string name, std::string help, std::vector<Field> more) {
    return Object{.name = std::move(name),
                  .variant_of = "joint",
                  .help = std::move(help),
                  .fields = join({between, at}, join(std::move(more), {tree, repeat()}))};
  };
  Object distance = joint("distance", "Two points keep their distance: a massless bar.",
                          {{.key = "length",
                            .type = Type::number,
                            .unit = "m",
                            .default_text = "as in the reference pose",
                            .help = "Distance of the points"},
                           exposed, limits()});
  distance.fields[1].required = false;
  distance.fields[1].default_text = "origins";
  distance.fields[1].type = Type::map_of;
  distance.fields[1].also.clear();
  distance.fields[1].item = Type::vector;
  distance.fields[1].help = "A map from the two bodies to points in their frames; a body that it does not name is held at "
      "its origin";
  Object free = joint("free", "No constraint: in joint coordinates the position and rotation of one "
                              "body are relative to the other.", {});
  free.fields[1] = distance.fields[1];
  free.fields[1].help = "A map from the two bodies to points in their frames, whose displacement is "
                        "the position; a body that it does not name is taken at its origin";
  free.fields[2].default_text = "true";
  return {
      joint("revolute", "A hinge: the bodies turn about a common axis.",
            {axis, driven, exposed, limits()}),
      joint("prismatic", "A slide: the bodies move along a common axis and do not turn.",
            {axis, driven, exposed, limits()}),
      joint("spherical", "A ball: two points coincide.", {}),
      joint("universal", "A cross: two points coincide, two axes stay perpendicular.",
            {{.key = "axes",
              .type = Type::matrix,
              .required = true,
              .help = "Two world directions in the reference pose, perpendicular: the first is "
                      "fixed in the first body, the second in the second"},
             exposed, limits()}),
      joint("cylindrical", "The bodies turn about a common axis and slide along it.",
            {axis, driven, exposed, limits()}),
      joint("fixed", "A weld: the bodies keep the relative pose of the reference pose.", {}),
      std::move(distance),
      std::move(free),
      joint("surface",
            "A point of the second body stays on the surface z = h(x, y) of the first, in the plane "
            "on the line y = h(x).",
            {upward, axes,
             {.key = "height",
              .type = Type::number,
              .unit = "m",
              .default_text = "0",
              .help = "h, an expression of `x`, `y` and parameters; planar: of `x`"},
             driven, exposed, limits()}),
      joint("planar", "A plane: the bodies move along x and y and turn about z.",
            {normal, axes, driven, exposed, limits()}),
      joint("screw", "The bodies turn about a common axis and move along it by `pitch` per turn.",
            {axis,
             {.key = "pitch",
              .type = Type::number,
              .unit = "m",
              .required = true,
              .help = "Displacement per turn; positive: a right-handed thread"},
             driven, exposed, limits()}),
  };
}

}  // namespace daedal::io::keys
