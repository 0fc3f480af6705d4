// Keys of contacts, of the parts of bodies that touch, and of the limits of joints.
#include <string>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/model_keys.hpp"

namespace daedal::io::keys {
namespace {

const std::vector<std::string> kFreedomNames{"angle", "second_angle", "displacement", "direction",
                                             "second_displacement"};

std::vector<Field> impact() {
  const Field restitution{
      .key = "restitution",
      .type = Type::number,
      .default_text = "0",
      .help = "How much of the speed, or of the impulse, an impact gives back, 0 to 1"};
  const Field law{.key = "law",
                  .type = Type::choice,
                  .default_text = "newton",
                  .choices = {"newton", "poisson"},
                  .help = "What restitution is of: of the speed at which a contact closes, or of "
                          "the impulse that stops it"};
  return {restitution, law};
}

std::vector<Object> parts() {
  const Field body{.key = "body",
                   .type = Type::reference,
                   .required = true,
                   .refers_to = "bodies",
                   .help = "The body it is part of, or `ground`"};
  Field base = body;
  base.required = false;
  base.default_text = "ground";
  const auto place = [](std::string key, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::vector,
                 .unit = "m",
                 .default_text = "origin",
                 .sizes = kVector,
                 .help = std::move(help)};
  };
  const auto end = [](std::string key, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::vector,
                 .unit = "m",
                 .required = true,
                 .sizes = kVector,
                 .help = std::move(help)};
  };
  const Field radius{
      .key = "radius", .type = Type::number, .unit = "m", .required = true, .help = "Radius"};
  const Field turned{.key = "rotation",
                     .type = Type::object,
                     .default_text = "none",
                     .objects = {rotation()},
                     .help = "Spatial: of its axes in those of the body"};
  Field several = repeat();
  several.help = "Index and its first and last value: a part for each";
  const auto part = [&](std::string name, std::string help, std::vector<Field> fields) {
    return Object{.name = std::move(name),
                  .variant_of = "part",
                  .help = std::move(help),
                  .fields = join(std::move(fields), {several})};
  };
  return {
      part("point", "A point: a corner, a tip.", {body, place("at", "In the body's frame")}),
      part("sphere", "A ball; in the plane a disk.",
           {body, radius, place("center", "Its middle in the body's frame")}),
      part("capsule", "A rod with round ends.",
           {body, end("from", "Centre of one end in the body's frame"),
            end("to", "Centre of the other end"), radius}),
      part("box", "A box; in the plane a rectangle.",
           {body,
            {.key = "size",
             .type = Type::vector,
             .unit = "m",
             .required = true,
             .sizes = kVector,
             .help = "Lengths of its edges along x, y and, in space, z"},
            place("center", "Its middle in the body's frame"),
            turned}),
      part("plane", "A plane, in the plane a straight line: solid below.",
           {base,
            place("at", "Any of its points, in the body's frame"),
            {.key = "normal",
             .type = Type::vector,
             .default_text = "z; planar: y",
             .sizes = kVector,
             .help = "Direction in the body's frame that points out of it"}}),
      part("cylinder", "A round bar without ends, in space alone.",
           {body,
            radius,
            place("at", "Any point of its axis, in the body's frame"),
            {.key = "axis",
             .type = Type::vector,
             .required = true,
             .sizes = {3},
             .help = "Direction in the body's frame"}}),
      part("profile", "A height over x, the same for all y: solid below.",
           {base,
            place("at", "Its origin in the body's frame"),
            turned,
            {.key = "angle",
             .type = Type::number,
             .unit = "rad",
             .default_text = "0",
             .help = "Planar: of its axes in those of the body"},
            {.key = "height",
             .type = Type::number,
             .unit = "m",
             .help = "Along z (planar: y), an expression of `x` and parameters"},
            {.key = "points",
             .type = Type::matrix,
             .unit = "m",
             .help = "Instead of `height`, pairs `[x, height]`, x ascending; beyond its ends the "
                     "profile goes on straight"},
            {.key = "smooth",
             .type = Type::boolean,
             .default_text = "false",
             .help = "A spline through `points`, instead of straight lines"}}),
  };
}

Object gap() {
  return {.name = "gap",
          .help = "A distance that the freedoms of a joint determine.",
          .fields = {{.key = "joint",
                      .type = Type::reference,
                      .required = true,
                      .refers_to = "joints",
                      .help = "The joint"},
                     {.key = "of",
                      .type = Type::choice,
                      .default_text = "the joint's own",
                      .choices = kFreedomNames,
                      .item = Type::choice,
                      .also = {Type::list_of},
                      .help = "The relative motion that is x, or two of them, x and y"},
                     {.key = "is",
                      .type = Type::number,
                      .unit = "m or rad",
                      .required = true,
                      .help = "The gap, an expression of `x`(, `y`) and parameters that must not "
                              "become negative"}}};
}

}  // namespace

Object contact() {
  return {
      .name = "contact",
      .help =
          "Parts of bodies that may touch but not enter each other, or a gap of a joint: one of "
          "`between`, `among` and `gap`.",
      .fields =
          join({{.key = "between",
                 .type = Type::list_of,
                 .objects = parts(),
                 .groups = true,
                 .help = "Two parts, or two lists of parts: each of the first may touch each "
                         "of the second"},
                {.key = "among",
                 .type = Type::list_of,
                 .objects = parts(),
                 .help = "A list of parts: each may touch each of another body"},
                {.key = "gap", .type = Type::object, .objects = {gap()}, .help = "Of a joint"},
                {.key = "friction",
                 .type = Type::number,
                 .default_text = "0",
                 .help = "Coulomb's coefficient, of parts that touch"}},
               join(impact(), {repeat()}))};
}

Field limits() {
  std::vector<Field> bounds;
  for (const std::string& name : kFreedomNames) {
    const bool turns = name.find("displacement") == std::string::npos;
    bounds.push_back(Field{.key = name,
                           .type = Type::vector,
                           .unit = turns ? "rad" : "m",
                           .sizes = {2},
                           .help = "Its lower and upper bound"});
  }
  const Object object{.name = "limits",
                      .help = "Bounds of a joint's freedoms, with stops there.",
                      .fields = join(std::move(bounds), impact())};
  return {.key = "limits",
          .type = Type::object,
          .objects = {object},
          .help = "Stops: lower and upper bounds of relative motions"};
}

}  // namespace daedal::io::keys
