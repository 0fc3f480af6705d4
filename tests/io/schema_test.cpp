#include "daedal/io/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daedal/io/json.hpp"
#include "daedal/io/suggestion.hpp"
#include "io/temporary_folder.hpp"

namespace daedal::io::schema {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// An invented garden of kites, with every type of field.
const Object& table() {
  static const std::vector<Field> knot{
      {.key = "between",
       .type = Type::list_of,
       .required = true,
       .item = Type::reference,
       .help = "Two kites"},
  };
  static const Object kite{
      .name = "kite",
      .help = "Something that flies",
      .fields = {
          {.key = "mass", .type = Type::number, .unit = "kg", .required = true, .help = "Mass"},
          {.key = "colour",
           .type = Type::choice,
           .default_text = "red",
           .choices = {"red", "green", "blue"},
           .help = "Colour"},
          {.key = "inertia",
           .type = Type::vector,
           .unit = "kg m^2",
           .sizes = {3, 6},
           .also = {Type::matrix},
           .help = "Principal | full"},
          {.key = "tails", .type = Type::integer, .default_text = "1", .help = "Number of tails"},
          {.key = "damping", .type = Type::number, .choices = {"auto"}, .help = "Damping"},
      }};
  static const Object reef{.name = "reef",
                           .variant_of = "knot",
                           .help = "Flat",
                           .fields = join(knot, {{.key = "turns", .type = Type::integer}})};
  static const Object bowline{.name = "bowline", .variant_of = "knot", .fields = knot};
  static const Object wind{.name = "wind",
                           .fields = {{.key = "speed", .type = Type::number, .unit = "m/s"},
                                      {.key = "gusts", .type = Type::boolean},
                                      {.key = "seeds", .type = Type::map_of, .item = Type::number},
                                      {.key = "anything"}}};
  static const Object root{
      .name = "model",
      .fields = {{.key = "title", .type = Type::string},
                 {.key = "kites", .type = Type::map_of, .required = true, .objects = {kite}},
                 {.key = "knots", .type = Type::map_of, .objects = {reef, bowline}},
                 {.key = "wind", .type = Type::object, .objects = {wind}},
                 {.key = "pilots", .type = Type::list_of, .objects = {{.name = "pilot"}}},
                 {.key = "crews",
                  .type = Type::list_of,
                  .objects = {{.name = "pilot"}},
                  .groups = true}}};
  return root;
}

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { check(parse(text, "m.yaml"), table()); });
}

TEST(Schema, AcceptsADocumentThatFollowsTheTable) {
  EXPECT_NO_THROW(check(parse(R"(
title: 7
kites:
  a: {mass: 2*r, colour: blue, inertia: [1, 2, c], tails: N, damping: auto}
  b: {mass: 1, inertia: [[1, 0], [0, 1]], damping: 0.1, tails: 3.0}
knots:
  k: {type: reef, between: [a, b], turns: 2}
  l: {type: bowline, between: [a, b]}
wind: {speed: 3, gusts: true, seeds: {a: 1}, anything: [{}]}
pilots: [{}, {}]
crews: [{}, [{}, {}], []]
)",
                              "m.yaml"),
                        table()));
}

TEST(Schema, UnknownKeysComeWithASuggestionOrTheKnownOnes) {
  EXPECT_EQ(refusal("kites:\n  crank: {mass: 1, mas: 2}\n"),
            "m.yaml:2:20: unknown key 'mas' in kite 'crank'; did you mean 'mass'?");
  EXPECT_EQ(refusal("kites: {a: {mass: 1, zzzzzz: 2}}"),
            "m.yaml:1:22: unknown key 'zzzzzz' in kite 'a'; known: mass, colour, inertia, tails, "
            "damping");
  EXPECT_EQ(refusal("kites: {}\nknots: {k: {type: reef, between: [a], turn: 1}}"),
            "m.yaml:2:39: unknown key 'turn' in reef knot 'k'; did you mean 'turns'?");
  EXPECT_EQ(refusal("kites: {}\nwind: {speed:3}"),
            "m.yaml:2:8: unknown key 'speed:3' in wind; write a space after the colon");
}

TEST(Schema, MissingKeysAreNamedWithTheirMeaning) {
  EXPECT_EQ(refusal("kites:\n  a: {}\n"), "m.yaml:2:6: kite 'a' has no 'mass'; add it: Mass");
  EXPECT_EQ(refusal("title: x"), "m.yaml:1:1: model has no 'kites'; add it");
}

TEST(Schema, ReportsAllProblemsAtOnce) {
  EXPECT_EQ(refusal("kites:\n  a: {mas: 1}\n  b: 3\ntitel: x\n"),
            "m.yaml:4:1: unknown key 'titel' in model; did you mean 'title'?\n"
            "m.yaml:2:7: unknown key 'mas' in kite 'a'; did you mean 'mass'?\n"
            "m.yaml:2:6: kite 'a' has no 'mass'; add it: Mass\n"
            "m.yaml:3:6: kite 'b' is a scalar, but a map is expected; write 'key: value', with a "
            "space after the colon");
}

TEST(Schema, RefusesValuesOfAnotherKind) {
  const auto kite = [](const std::string& fields) {
    return refusal("kites: {a: {mass: 1, " + fields + "}}");
  };
  EXPECT_EQ(kite("colour: gren"),
            "m.yaml:1:30: kite 'a': 'colour' cannot be 'gren'; did you mean 'green'?");
  EXPECT_EQ(kite("colour: [red]"),
            "m.yaml:1:30: kite 'a': 'colour' is a list of 1 element; give one of red, green, blue");
  EXPECT_EQ(kite("inertia: [1, 2]"),
            "m.yaml:1:31: kite 'a': 'inertia' is a list of 2 elements; give a list of 3 or 6 "
            "numbers or matrix (list of rows)");
  EXPECT_THAT(kite("inertia: [[1, 2], [3]]"), HasSubstr("'inertia' is a list of 2 elements"));
  EXPECT_THAT(kite("inertia: [1,,2]"), HasSubstr("'inertia' is a list of 3 elements"));
  EXPECT_EQ(kite("tails: 1.5"), "m.yaml:1:29: kite 'a': 'tails' is '1.5'; give an integer");
  EXPECT_EQ(kite("damping: {}"),
            "m.yaml:1:31: kite 'a': 'damping' is a map; give a number or expression or auto");
  EXPECT_EQ(kite("tails: "),
            "m.yaml:1:22: kite 'a': 'tails' has no value; give an integer, or remove the key");
  EXPECT_THAT(refusal("kites: {}\nwind: {gusts: yes}"),
              HasSubstr("'gusts' is 'yes'; give true or f"));
  EXPECT_THAT(refusal("kites: {}\nwind: {speed: true}"),
              HasSubstr("'speed' is 'true'; give a num"));
  EXPECT_THAT(refusal("kites: {}\nwind: {seeds: {a: []}}"),
              HasSubstr("wind: 'a' of 'seeds' is a list of 0 elements; give a number"));
  EXPECT_THAT(
      refusal("kites: {}\nknots: {k: {type: reef, between: [a, [b]]}}"),
      HasSubstr("reef knot 'k': element 2 of 'between' is a list of 1 element; give a name"));
  EXPECT_THAT(refusal("kites: []"),
              HasSubstr("model: 'kites' is a list of 0 elements; give a map"));
  EXPECT_THAT(refusal("kites: {}\npilots: [1]"), HasSubstr("pilot '1' is a scalar"));
  EXPECT_THAT(refusal("kites: {}\npilots: [[{}]]"), HasSubstr("pilot '1' is a list"));
  EXPECT_EQ(refusal("kites: {}\ncrews: [{}, [{}, {age: 3}], [[{}]]]"),
            "m.yaml:2:19: unknown key 'age' in pilot '2.2'; nothing is allowed here\n"
            "m.yaml:2:30: pilot '3.1' is a list, but a map is expected; write 'key: value', with a "
            "space after the colon");
  EXPECT_THAT(refusal("a:1"), HasSubstr("model is a scalar, but a map is expected"));
}

TEST(Schema, RefusesUnknownAndMissingVariants) {
  EXPECT_EQ(refusal("kites: {}\nknots: {k: {type: ref}}"),
            "m.yaml:2:19: knot 'k' has the unknown type 'ref'; did you mean 'reef'?");
  EXPECT_EQ(refusal("kites: {}\nknots: {k: {between: [a]}}"),
            "m.yaml:2:12: knot 'k' has no 'type'; give one of: reef, bowline");
  EXPECT_THAT(refusal("kites: {}\nknots: {k: 1}"),
              HasSubstr("knot 'k' is a scalar, but a map with"));
  const auto& knots = table().fields[2].objects;
  EXPECT_EQ(variant(parse("type: bowline", "m.yaml"), knots).name, "bowline");
  EXPECT_THROW(variant(parse("type: granny", "m.yaml"), knots, "k"), InputError);
}

TEST(Schema, ChecksTheKeysOfOneMapAlone) {
  const Object& kite = table().fields[1].objects.front();
  EXPECT_NO_THROW(check_keys(parse("{mass: []}", "m.yaml"), kite, "a"));
  EXPECT_EQ(message_of<InputError>([&] { check_keys(parse("{mas: 1}", "m.yaml"), kite, "a"); }),
            "m.yaml:1:2: unknown key 'mas' in kite 'a'; did you mean 'mass'?\n"
            "m.yaml:1:1: kite 'a' has no 'mass'; add it: Mass");
  Object open = kite;
  open.open = true;
  EXPECT_NO_THROW(check_keys(parse("{mass: 1, zzz: 2}", "m.yaml"), open));
}

TEST(Schema, ErrorsPointAtTheOverrideThatCausedThem) {
  const Node root = with_override(parse("kites: {a: {mass: 1}}", "m.yaml"), "kites.a.tials=2");
  EXPECT_EQ(message_of<InputError>([&] { check(root, table()); }),
            "--set kites.a.tials=2: unknown key 'tials' in kite 'a'; did you mean 'tails'?");
}

TEST(Schema, ExportsJsonSchema) {
  const Json schema = parse_json(json_schema(table(), "Kites"), "schema");
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["title"], "Kites");
  EXPECT_EQ(schema["required"], Json::array({"kites"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["kites"]["additionalProperties"]["$ref"], "#/$defs/kite");
  EXPECT_EQ(schema["properties"]["knots"]["additionalProperties"]["oneOf"][0]["$ref"],
            "#/$defs/reef knot");
  EXPECT_EQ(schema["properties"]["pilots"]["items"]["$ref"], "#/$defs/pilot");
  const Json& crew = schema["properties"]["crews"]["items"]["anyOf"];
  EXPECT_EQ(crew[0]["$ref"], "#/$defs/pilot");
  EXPECT_EQ(crew[1]["items"]["$ref"], "#/$defs/pilot");
  const Json& kite = schema["$defs"]["kite"];
  EXPECT_EQ(kite["properties"]["mass"]["description"], "Mass [kg]");
  EXPECT_EQ(kite["properties"]["colour"]["enum"], Json::array({"red", "green", "blue"}));
  EXPECT_EQ(kite["properties"]["colour"]["description"], "Colour (default: red)");
  EXPECT_EQ(kite["properties"]["inertia"]["anyOf"][0]["maxItems"], 6);
  EXPECT_EQ(kite["properties"]["damping"]["anyOf"][1]["enum"], Json::array({"auto"}));
  EXPECT_EQ(schema["$defs"]["reef knot"]["properties"]["type"]["const"], "reef");
  EXPECT_EQ(schema["$defs"]["reef knot"]["required"], Json::array({"type", "between"}));
}

TEST(Schema, ExportsMarkdown) {
  const Object& kite = table().fields[1].objects.front();
  EXPECT_THAT(
      markdown_table(kite),
      StartsWith("| key | value | unit | default | meaning |\n|---|---|---|---|---|\n"
                 "| `mass` | number or expression | kg | required | Mass |\n"
                 "| `colour` | one of red, green, blue |  | `red` | Colour |\n"
                 "| `inertia` | list of 3 or 6 numbers or matrix (list of rows) | kg m^2 |  "
                 "| Principal \\| full |\n"));
  std::vector<std::string> names;
  for (const Object* object : reachable(table())) names.push_back(object->noun());
  EXPECT_THAT(names,
              testing::ElementsAre("model", "kite", "reef knot", "bowline knot", "wind", "pilot"));
}

TEST(Suggestion, IsMadeOnlyForNearWords) {
  const std::vector<std::string> known{"mass", "inertia", "until", "step"};
  EXPECT_EQ(suggestion("msas", known), "did you mean 'mass'?");
  EXPECT_EQ(suggestion("intertia", known), "did you mean 'inertia'?");
  EXPECT_EQ(suggestion("x", known), "known: mass, inertia, until, step");
  EXPECT_EQ(suggestion(std::string(100000, 'm'), known), "known: mass, inertia, until, step");
  EXPECT_EQ(suggestion("x", {}), "nothing is allowed here");
}

}  // namespace
}  // namespace daedal::io::schema
