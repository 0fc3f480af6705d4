#include "daedal/io/model_schema.hpp"

#include <string>
#include <utility>
#include <vector>

#include "daedal/io/model_keys.hpp"

namespace daedal::io {
namespace keys {

Field repeat() {
  return {.key = "repeat",
          .type = Type::map_of,
          .sizes = {2},
          .item = Type::vector,
          .help = "Index and its first and last value; the name contains the index in brackets"};
}

}  // namespace keys

namespace {

using namespace keys;

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
          section("contacts", {contact()}, "Where bodies may touch, by name"),
          section("initial", {initial_state()}, "Initial states by the names of bodies"),
          section("outputs", {output()}, "Quantities to watch, by name"),
          {.key = "simulate",
           .type = Type::object,
           .objects = {settings()},
           .help = "How long, how fine and by which method"}}};
}

}  // namespace

const schema::Object& model_schema() {
  static const Object object = make_schema();
  return object;
}

}  // namespace daedal::io
