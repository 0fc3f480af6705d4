// Keys of bodies, their shapes and their initial states.
#include <string>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/model_keys.hpp"

namespace daedal::io::keys {
namespace {

std::vector<Object> shapes() {
  const Field color{.key = "color", .type = Type::string, .help = "Name or `#rrggbb`"};
  const Field center{.key = "center",
                     .type = Type::vector,
                     .unit = "m",
                     .default_text = "origin",
                     .sizes = kVector,
                     .help = "Its middle in the body's frame"};
  const auto end = [](std::string key, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::vector,
                 .unit = "m",
                 .required = true,
                 .sizes = kVector,
                 .help = std::move(help)};
  };
  const Field radius{.key = "radius", .type = Type::number, .unit = "m", .required = true,
                     .help = "Radius"};
  return {
      {.name = "rod",
       .variant_of = "shape",
       .help = "A round bar between two points.",
       .fields = {end("from", "One end in the body's frame"), end("to", "The other end"),
                  {.key = "radius",
                   .type = Type::number,
                   .unit = "m",
                   .default_text = "length/40",
                   .help = "Radius"},
                  color}},
      {.name = "cylinder",
       .variant_of = "shape",
       .help = "A cylinder between the middles of its two ends.",
       .fields = {end("from", "Middle of one end in the body's frame"),
                  end("to", "Middle of the other end"), radius, color}},
      {.name = "box",
       .variant_of = "shape",
       .help = "A box along the body's axes.",
       .fields = {{.key = "size",
                   .type = Type::vector,
                   .unit = "m",
                   .required = true,
                   .sizes = kVector,
                   .help = "Lengths of its edges along x, y (and z)"},
                  center, color}},
      {.name = "sphere",
       .variant_of = "shape",
       .help = "A sphere.",
       .fields = {radius, center, color}},
      {.name = "polygon",
       .variant_of = "shape",
       .help = "A flat plate.",
       .fields = {{.key = "points",
                   .type = Type::matrix,
                   .unit = "m",
                   .required = true,
                   .help = "Its corners in order, at least 3, in the body's frame"},
                  color}},
  };
}

std::vector<Field> pose(const std::string& whose) {
  return {{.key = "position",
           .type = Type::vector,
           .unit = "m",
           .default_text = whose.empty() ? "origin" : "reference pose",
           .sizes = kVector,
           .help = "Origin of the body's frame in the world"},
          {.key = "angle",
           .type = Type::number,
           .unit = "rad",
           .default_text = whose.empty() ? "0" : "reference pose",
           .help = "Planar: angle of the body's frame"},
          {.key = "rotation",
           .type = Type::object,
           .default_text = whose.empty() ? "none" : "reference pose",
           .objects = {rotation()},
           .help = "Spatial: rotation of the body's frame"}};
}

}  // namespace

Object rotation() {
  const auto direction = [](std::string key) {
    return Field{.key = key,
                 .type = Type::vector,
                 .sizes = {3},
                 .help = fmt::format("Direction of the body's {} axis in the world", key)};
  };
  return {.name = "rotation",
          .help = "A rotation in space: `axis` and `angle`, or `quaternion`, or two perpendicular "
                  "ones of `x`, `y`, `z`.",
          .fields = {{.key = "axis",
                      .type = Type::vector,
                      .sizes = {3},
                      .help = "Axis, of any length; needs `angle`"},
                     {.key = "angle", .type = Type::number, .unit = "rad", .help = "About `axis`"},
                     {.key = "quaternion",
                      .type = Type::vector,
                      .sizes = {4},
                      .help = "Unit quaternion w, x, y, z"},
                     direction("x"), direction("y"), direction("z")}};
}

Object body() {
  return {
      .name = "body",
      .help = "A rigid body or a point mass, with its reference pose: the pose in which joints are "
              "placed.",
      .fields = join(
          join({{.key = "type",
                 .type = Type::choice,
                 .default_text = "rigid",
                 .choices = {"rigid", "point"},
                 .help = "Rigid body, or point mass at the origin of its frame"},
                {.key = "mass", .type = Type::number, .unit = "kg", .help = "Mass"},
                {.key = "inertia",
                 .type = Type::vector,
                 .unit = "kg m^2",
                 .sizes = {3, 6},
                 .also = {Type::number},
                 .help = "About the centre of mass in the body's axes: Ixx, Iyy, Izz(, Ixy, Ixz, "
                         "Iyz); planar: one number"},
                {.key = "center",
                 .type = Type::vector,
                 .unit = "m",
                 .default_text = "origin",
                 .sizes = kVector,
                 .help = "Centre of mass in the body's frame"},
                {.key = "density",
                 .type = Type::number,
                 .unit = "kg/m^3",
                 .help = "Spatial: instead of `mass`, `inertia` and `center`, which then follow "
                         "from the only shape"}},
               pose("")),
          {{.key = "shape",
            .type = Type::object,
            .objects = shapes(),
            .help = "What is drawn"},
           {.key = "shapes",
            .type = Type::list_of,
            .objects = shapes(),
            .help = "Several of them"},
           repeat()})};
}

Object initial_state() {
  return {.name = "initial state",
          .help = "Where a body starts. What is not given is found from the joints, starting at "
                  "the reference pose and at rest.",
          .fields = join(pose("body"), {{.key = "velocity",
                                         .type = Type::vector,
                                         .unit = "m/s",
                                         .default_text = "from the joints",
                                         .sizes = kVector,
                                         .help = "Of the origin of the body's frame, world axes"},
                                        {.key = "angular_velocity",
                                         .type = Type::vector,
                                         .unit = "rad/s",
                                         .default_text = "from the joints",
                                         .sizes = {3},
                                         .also = {Type::number},
                                         .help = "World axes; planar: one number"},
                                        {.key = "priority",
                                         .type = Type::choice,
                                         .default_text = "preferred if given, else free",
                                         .choices = {"fixed", "preferred", "free"},
                                         .help = "Of the body's place when the joints are closed: it "
                                                 "stays, moves least, or is only a guess"},
                                        repeat()})};
}

}  // namespace daedal::io::keys
