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
          .fields = {kind("angle", "rad", "Of a revolute or cylindrical joint"),
                     kind("displacement", "m", "Of a prismatic or cylindrical joint"),
                     kind("angular_speed", "rad/s", "Rate of the angle; the angle is free"),
                     kind("speed", "m/s", "Rate of the displacement, which is free")}};
}

Object coordinates() {
  const auto freedom = [](std::string key, std::string help) {
    return Field{.key = std::move(key), .type = Type::string, .help = std::move(help)};
  };
  return {.name = "coordinates",
          .help = "Names of relative motions that become unknowns of their own, without mass.",
          .fields = {freedom("angle", "Of a revolute, cylindrical or universal joint"),
                     freedom("second_angle", "Of a universal joint, about its second axis"),
                     freedom("displacement", "Of a prismatic or cylindrical joint"),
                     freedom("direction", "Planar: of a distance joint's line, zero in the "
                                          "reference pose")}};
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
  const auto joint = [&](std::string name, std::string help, std::vector<Field> more) {
    return Object{.name = std::move(name),
                  .variant_of = "joint",
                  .help = std::move(help),
                  .fields = join({between, at}, join(std::move(more), {repeat()}))};
  };
  Object distance = joint("distance", "Two points keep their distance: a massless bar.",
                          {{.key = "length",
                            .type = Type::number,
                            .unit = "m",
                            .default_text = "as in the reference pose",
                            .help = "Distance of the points"},
                           exposed});
  distance.fields[1].required = false;
  distance.fields[1].default_text = "origins";
  distance.fields[1].type = Type::map_of;
  distance.fields[1].also.clear();
  distance.fields[1].item = Type::vector;
  distance.fields[1].help = "A map from the two bodies to points in their frames; a body that it does not name is held at "
      "its origin";
  return {
      joint("revolute", "A hinge: the bodies turn about a common axis.",
            {axis, driven, exposed}),
      joint("prismatic", "A slide: the bodies move along a common axis and do not turn.",
            {axis, driven, exposed}),
      joint("spherical", "A ball: two points coincide.", {}),
      joint("universal", "A cross: two points coincide, two axes stay perpendicular.",
            {{.key = "axes",
              .type = Type::matrix,
              .required = true,
              .help = "Two world directions in the reference pose, perpendicular: the first is "
                      "fixed in the first body, the second in the second"},
             exposed}),
      joint("cylindrical", "The bodies turn about a common axis and slide along it.",
            {axis, driven, exposed}),
      joint("fixed", "A weld: the bodies keep the relative pose of the reference pose.", {}),
      std::move(distance),
  };
}

}  // namespace daedal::io::keys
