// The table of keys as JSON Schema and as pages of the documentation.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "daedal/io/json.hpp"
#include "daedal/io/schema.hpp"

namespace daedal::io::schema {
namespace {

Json reference_to(const Object& object) {
  return {{"$ref", "#/$defs/" + object.noun()}};
}

/// One object, or whichever variant the key `type` selects.
Json objects_schema(const std::vector<Object>& objects) {
  if (objects.size() == 1) return reference_to(objects.front());
  Json variants = Json::array();
  for (const Object& object : objects) variants.push_back(reference_to(object));
  return {{"oneOf", variants}};
}

Json type_schema(Type type, const Field& field) {
  const Json expression{{"type", Json::array({"number", "string"})}};
  switch (type) {
    case Type::number:
      return expression;
    case Type::integer:
      return {{"type", Json::array({"integer", "string"})}};
    case Type::boolean:
      return {{"type", "boolean"}};
    case Type::string:
      return {{"type", Json::array({"string", "number", "boolean"})}};
    case Type::reference:
      return {{"type", "string"}};
    case Type::choice:
      return {{"enum", field.choices}};
    case Type::vector: {
      Json schema{{"type", "array"}, {"items", expression}};
      if (!field.sizes.empty()) {
        schema["minItems"] = std::ranges::min(field.sizes);
        schema["maxItems"] = std::ranges::max(field.sizes);
      }
      return schema;
    }
    case Type::matrix:
      return {{"type", "array"}, {"items", {{"type", "array"}, {"items", expression}}}};
    case Type::object:
      return field.objects.empty() ? Json{{"type", "object"}} : objects_schema(field.objects);
    case Type::map_of:
      return {{"type", "object"},
              {"additionalProperties", field.objects.empty() ? type_schema(field.item, field)
                                                             : objects_schema(field.objects)}};
    case Type::list_of: {
      const Json item = field.objects.empty() ? type_schema(field.item, field)
                                              : objects_schema(field.objects);
      if (!field.groups) return {{"type", "array"}, {"items", item}};
      const Json group{{"type", "array"}, {"items", item}};
      return {{"type", "array"}, {"items", {{"anyOf", Json::array({item, group})}}}};
    }
    case Type::free:
      break;
  }
  return Json::object();
}

Json field_schema(const Field& field) {
  Json schema = type_schema(field.type, field);
  const bool has_words = field.type != Type::choice && !field.choices.empty();
  if (!field.also.empty() || has_words) {
    Json any = Json::array({schema});
    for (const Type type : field.also) any.push_back(type_schema(type, field));
    if (has_words) any.push_back({{"enum", field.choices}});
    schema = Json{{"anyOf", any}};
  }
  std::string description = field.help;
  if (!field.unit.empty()) description += fmt::format(" [{}]", field.unit);
  if (!field.default_text.empty()) {
    description += fmt::format(" (default: {})", field.default_text);
  }
  if (!description.empty()) schema["description"] = description;
  return schema;
}

Json object_schema(const Object& object) {
  Json properties = Json::object();
  Json required = Json::array();
  if (!object.variant_of.empty()) {
    properties["type"] = {{"const", object.name}, {"description", object.help}};
    required.push_back("type");
  }
  for (const Field& field : object.fields) {
    properties[field.key] = field_schema(field);
    if (field.required) required.push_back(field.key);
  }
  Json schema{{"type", "object"}};
  if (!object.help.empty()) schema["description"] = object.help;
  schema["properties"] = properties;
  if (!required.empty()) schema["required"] = required;
  schema["additionalProperties"] = object.open;
  return schema;
}

/// Text inside a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : fmt::format("`{}`", cell(text));
}

}  // namespace

std::string json_schema(const Object& root, std::string_view title) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  if (!title.empty()) schema["title"] = title;
  schema.update(object_schema(root));
  Json definitions = Json::object();
  for (const Object* object : reachable(root)) {
    if (object != &root) definitions[object->noun()] = object_schema(*object);
  }
  if (!definitions.empty()) schema["$defs"] = definitions;
  return to_text(schema) + "\n";
}

std::string markdown_table(const Object& object) {
  std::string text =
      "| key | value | unit | default | meaning |\n"
      "|---|---|---|---|---|\n";
  for (const Field& field : object.fields) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", code(field.key), cell(type_text(field)),
                        cell(field.unit), field.required ? "required" : code(field.default_text),
                        cell(field.help));
  }
  return text;
}

}  // namespace daedal::io::schema
