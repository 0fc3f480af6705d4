#include "daedal/io/model_schema.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "daedal/correct/newton.hpp"
#include "daedal/correct/scaling.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/linear/solver.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/settings.hpp"

namespace daedal::io {
namespace {

using schema::Field;
using schema::join;
using schema::Object;
using schema::Type;

const std::vector<std::size_t> kVector{2, 3};  // planar, spatial

Field repeat() {
  return {.key = "repeat",
          .type = Type::map_of,
          .sizes = {2},
          .item = Type::vector,
          .help = "Index and its first and last value; the name contains the index in brackets"};
}

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
                            .help = "Distance of the points"}});
  distance.fields[1].type = Type::map_of;
  distance.fields[1].also.clear();
  distance.fields[1].item = Type::vector;
  distance.fields[1].help = "A map from each of the two bodies to a point in its frame";
  return {
      joint("revolute", "A hinge: the bodies turn about a common axis.", {axis, driven}),
      joint("prismatic", "A slide: the bodies move along a common axis and do not turn.",
            {axis, driven}),
      joint("spherical", "A ball: two points coincide.", {}),
      joint("universal", "A cross: two points coincide, two axes stay perpendicular.",
            {{.key = "axes",
              .type = Type::matrix,
              .required = true,
              .help = "Two world directions in the reference pose, perpendicular: the first is "
                      "fixed in the first body, the second in the second"}}),
      joint("cylindrical", "The bodies turn about a common axis and slide along it.",
            {axis, driven}),
      joint("fixed", "A weld: the bodies keep the relative pose of the reference pose.", {}),
      std::move(distance),
  };
}

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
                       .help = "A revolute or prismatic joint"};
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
       .fields = {on_joint, per_joint(stiffness, "N m/rad or N/m"),
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
       .fields = {on_joint,
                  {.key = "value",
                   .type = Type::number,
                   .unit = "N m or N",
                   .required = true,
                   .help = "Expression of `t`; positive turns or moves the second body forward"},
                  repeat()}},
  };
}

Object initial() {
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
                                        repeat()})};
}

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
      .help = "A quantity to watch: exactly one of the first nine keys.",
      .fields = {
          of("position", "m", "bodies", "Of a point of a body, world axes"),
          of("velocity", "m/s", "bodies", "Of a point of a body, world axes"),
          of("acceleration", "m/s^2", "bodies", "Of a point of a body, world axes"),
          of("angle", "rad", "joints", "Of a joint since the reference pose, or of a planar body"),
          of("speed", "rad/s or m/s", "joints", "Rate of the angle of a revolute or cylindrical, of the displacement of a "
             "prismatic joint"),
          of("displacement", "m", "joints", "Of a prismatic or cylindrical joint"),
          of("angular_velocity", "rad/s", "bodies", "Of a body, world axes"),
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
           .choices = {"x", "y", "z", "mx", "my", "mz"},
           .help = "Of a vector; `mx`, `my`, `mz` are the torques of a reaction. Without it the "
                   "output `name` becomes `name.x`, `name.y`(, `name.z`)"},
          repeat()}};
}

template <class Names>
std::vector<std::string> words(std::vector<std::string> first, const Names& names) {
  for (const std::string_view name : names) first.emplace_back(name);
  return first;
}

Object simulate_section() {
  const simulate::Settings defaults;
  std::vector<std::string> methods{"auto"};
  for (const integrate::Method& method : integrate::methods()) methods.emplace_back(method.name);
  const auto number = [](std::string key, double value, std::string unit, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::number,
                 .unit = std::move(unit),
                 .default_text = fmt::format("{}", value),
                 .help = std::move(help)};
  };
  const auto automatic = [](std::string key, std::string unit, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::number,
                 .unit = std::move(unit),
                 .default_text = "auto",
                 .choices = {"auto"},
                 .help = std::move(help)};
  };
  const auto word = [](std::string key, const std::string& value,
                       std::vector<std::string> choices, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::choice,
                 .default_text = value,
                 .choices = std::move(choices),
                 .help = std::move(help)};
  };
  const auto flag = [](std::string key, bool value, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::boolean,
                 .default_text = value ? "true" : "false",
                 .help = std::move(help)};
  };
  return {
      .name = "simulate",
      .help = "How long, how fine and by which method.",
      .fields = {
          number("until", defaults.until, "s", "End time; the start is 0"),
          automatic("step", "s", "Step size; auto: `until`/1000"),
          number("tolerance", defaults.tolerance, "",
                 "Relative tolerance; each step's equations are solved to 1 % of it"),
          automatic("output_step", "s", "Interval of recorded rows; auto: every step"),
          word("coordinates", defaults.coordinates, words({}, simulate::coordinate_names()),
               "Unknowns of a body"),
          word("formulation", defaults.formulation, words({}, simulate::formulation_names()),
               "Form of the equations that is integrated"),
          word("method", defaults.method, methods, "Integration method"),
          number("rho_inf", defaults.rho_inf, "",
                 "`generalized-alpha`: spectral radius at infinite frequency, 0 to 1"),
          number("alpha", defaults.alpha, "", "`hht`: -1/3 to 0"),
          number("beta", defaults.beta, "", "`newmark`: its beta"),
          number("gamma", defaults.gamma, "", "`newmark`: its gamma"),
          word("scaling", defaults.scaling, words({}, correct::scaling_names()),
               "Scaling of equations and unknowns"),
          automatic("scaling_factor", "", "Factor s of `physical` scaling; auto: from the model"),
          number("augmentation", defaults.augmentation, "",
                 "Factor rho of the augmented Lagrangian"),
          word("jacobian", defaults.jacobian, words({}, correct::jacobian_source_names()),
               "Source of the Newton matrix"),
          flag("jacobian_reuse", defaults.jacobian_reuse,
               "Keep the Newton matrix while it serves"),
          word("linear_solver", defaults.linear_solver, words({"auto"}, linear::solver_names()),
               "Solver of the linear equations"),
          {.key = "max_iterations",
           .type = Type::integer,
           .default_text = fmt::format("{}", defaults.max_iterations),
           .help = "Limit of Newton's iteration in a step"},
          flag("condition_number", defaults.condition_number,
               "Compute the Newton matrix's condition number at the last step")}};
}

Object make_schema() {
  const auto section = [](std::string key, std::vector<Object> objects, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::map_of,
                 .objects = std::move(objects),
                 .help = std::move(help)};
  };
  Field bodies = section("bodies", {body()}, "Bodies by name");
  bodies.required = true;
  return {
      .name = "model",
      .help = "A model file.",
      .fields = {
          {.key = "daedal",
           .type = Type::integer,
           .required = true,
           .help = "Version of the file format: 1"},
          {.key = "title", .type = Type::string, .help = "One line"},
          {.key = "description", .type = Type::string, .help = "Some lines"},
          {.key = "planar",
           .type = Type::boolean,
           .default_text = "false",
           .help = "The mechanism moves in the x-y plane and vectors have two components"},
          {.key = "gravity",
           .type = Type::vector,
           .unit = "m/s^2",
           .default_text = "none",
           .sizes = kVector,
           .help = "Acceleration of gravity"},
          {.key = "parameters",
           .type = Type::map_of,
           .item = Type::number,
           .help = "Numbers by name, for expressions; they may refer to each other in any order"},
          bodies, section("joints", joints(), "Joints by name"),
          section("forces", forces(), "Springs, loads and motors by name"),
          section("initial", {initial()}, "Initial states by the names of bodies"),
          section("outputs", {output()}, "Quantities to watch, by name"),
          {.key = "simulate",
           .type = Type::object,
           .objects = {simulate_section()},
           .help = "How long, how fine and by which method"}}};
}

}  // namespace

const schema::Object& model_schema() {
  static const Object object = make_schema();
  return object;
}

}  // namespace daedal::io
