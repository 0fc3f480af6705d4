#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/io/document.hpp"

namespace daedal::io::schema {

/// What the value of a key may be.
enum class Type {
  number,     // a number or an expression of parameters (and of t where it makes sense)
  integer,    // a whole number or an expression
  boolean,    // true or false
  string,     // any text
  choice,     // one of Field::choices
  vector,     // a list of numbers or expressions, as long as one of Field::sizes
  matrix,     // a list of such lists
  reference,  // the name of an object in the map Field::refers_to
  object,     // a map with the keys of Field::objects
  map_of,     // name: object, for any names
  list_of,    // a list of objects, or of Field::item where there are no objects
  free,       // checked by whoever reads it
};

/// One key of an object. Made to be written as a table:
///
///     {.key = "mass", .type = Type::number, .unit = "kg", .required = true, .help = "Mass"},
///     {.key = "shape", .type = Type::object, .objects = {rod, box}, .help = "For pictures"},
///
/// Several `objects` are variants: the key `type` of the map selects one by its name.
///
/// A template because fields and objects contain each other, and the default of a vector asks for
/// the whole type of its elements: so it is looked at when Object is complete.
template <class Object>
struct FieldOf {
  std::string key;
  Type type = Type::free;
  std::string unit{};
  std::string default_text{};
  bool required = false;
  std::vector<std::string> choices{};  // of a choice; else words allowed beside the type: `auto`
  std::vector<std::size_t> sizes{};    // allowed lengths of a vector; empty: any
  std::string refers_to{};             // the key of the map that a reference names
  Type item = Type::free;              // of a list_of or map_of without objects
  std::vector<Object> objects{};       // of object, map_of, list_of
  bool groups = false;                 // of a list_of: lists of objects may stand for objects
  std::vector<Type> also{};            // simpler types accepted instead, e.g. a number
  std::string help{};                  // one sentence
};

/// The keys of one kind of map.
struct Object {
  std::string name;          // "body", or the value of `type`: "revolute"
  std::string variant_of{};  // "joint": then the key `type` is understood
  std::string help{};
  std::vector<FieldOf<Object>> fields{};
  bool open = false;  // other keys are allowed: their reader checks them

  /// "body", "revolute joint".
  std::string noun() const;
};

using Field = FieldOf<Object>;

/// The fields of `base` followed by those of `more`: variants share keys this way.
std::vector<Field> join(std::vector<Field> base, std::vector<Field> more);

/// Unknown and missing keys of one map. `instance` is its name in messages: "body 'crank'".
/// Throws one InputError with all of them.
void check_keys(const Node& map, const Object& object, std::string_view instance = {});

/// The whole tree under `map`: keys, and the kind of every value as far as the table knows it.
/// References and expressions are left to their readers. Throws one InputError with all problems.
void check(const Node& map, const Object& object);

/// The variant a map selects by its key `type`; throws InputError if there is none such.
const Object& variant(const Node& map, const std::vector<Object>& objects,
                      std::string_view instance = {});

/// JSON Schema, draft 2020-12.
std::string json_schema(const Object& root, std::string_view title = {});

/// `| key | type | unit | default | meaning |` for one object.
std::string markdown_table(const Object& object);

/// What a field accepts, in words: "number or expression", "list of 2 or 3 numbers or auto".
std::string type_text(const Field& field);

/// The object and everything reachable from it, each once, in order of appearance.
std::vector<const Object*> reachable(const Object& root);

}  // namespace daedal::io::schema
