// The section `contacts` and the limits of joints: what is read of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/io/check_report.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/io/model_schema.hpp"
#include "io/temporary_folder.hpp"

namespace daedal::io {
namespace {

using math::Mat3;
using math::Vec3;
using model::Contact;
using model::Touch;
using model::TouchType;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSpace = R"(daedal: 1
parameters: {r: 0.1, N: 3}
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
  dot: {type: point, mass: 1}
joints:
  tube: {type: cylindrical, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  hinge: {type: revolute, between: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}
contacts:
)";

const std::string kPlane = R"(daedal: 1
planar: true
parameters: {r: 0.1}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
contacts:
)";

std::vector<Contact> contacts(const std::string& text) {
  return parse_model(text, "m.yaml").model.contacts;
}

/// A part that is read, against another.
Touch part(const std::string& model, const std::string& text,
           const std::string& other = "{type: sphere, body: b, radius: 1}") {
  const auto all = contacts(model + "  c: {between: [" + text + ", " + other + "]}\n");
  EXPECT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].touching()->first.size(), 1u);
  return all[0].touching()->first[0];
}

void expect_near(const Mat3& a, const Mat3& b) { EXPECT_LT((a - b).norm(), 1e-15) << a; }

Mat3 columns(const Vec3& x, const Vec3& y, const Vec3& z) {
  Mat3 m;
  m << x, y, z;
  return m;
}

TEST(Contacts, HaveRestitutionFrictionAndALaw) {
  const std::string parts = "between: [{type: sphere, body: a, radius: r}, {type: plane}]";
  const auto all = contacts(kSpace + "  floor: {" + parts +
                            ", restitution: 8*r, friction: 3*r, law: poisson}\n  plain: {" + parts +
                            "}\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "floor");
  EXPECT_DOUBLE_EQ(all[0].restitution, 0.8);
  EXPECT_DOUBLE_EQ(all[0].friction, 0.3);
  EXPECT_EQ(all[0].law, model::ImpactLaw::poisson);
  EXPECT_EQ(all[1].restitution, 0.0);
  EXPECT_EQ(all[1].friction, 0.0);
  EXPECT_EQ(all[1].law, model::ImpactLaw::newton);
  ASSERT_EQ(all[0].touching()->second.size(), 1u);
  EXPECT_EQ(all[0].touching()->second[0].body, "ground");
}

TEST(Contacts, PointsAndSpheresAreReadInSpace) {
  const Touch point = part(kSpace, "{type: point, body: a, at: [r, 2, 3]}");
  EXPECT_EQ(point.type, TouchType::point);
  EXPECT_EQ(point.body, "a");
  EXPECT_EQ(point.center, Vec3(0.1, 2.0, 3.0));
  const Touch sphere = part(kSpace, "{type: sphere, body: a, radius: 2*r, center: [1, 2, 3]}");
  EXPECT_EQ(sphere.type, TouchType::sphere);
  EXPECT_DOUBLE_EQ(sphere.radius, 0.2);
  EXPECT_EQ(sphere.center, Vec3(1.0, 2.0, 3.0));
  EXPECT_EQ(part(kSpace, "{type: point, body: dot}").center, Vec3(Vec3::Zero()));
}

TEST(Contacts, CapsulesAreReadInSpace) {
  const Touch capsule =
      part(kSpace, "{type: capsule, body: a, from: [1, 2, 0], to: [1, 6, 0], radius: r}");
  EXPECT_EQ(capsule.type, TouchType::capsule);
  EXPECT_EQ(capsule.center, Vec3(1.0, 4.0, 0.0));
  EXPECT_DOUBLE_EQ(capsule.length, 4.0);
  EXPECT_DOUBLE_EQ(capsule.radius, 0.1);
  EXPECT_EQ(Vec3(capsule.frame.col(2)), Vec3(Vec3::UnitY()));
  EXPECT_NEAR(capsule.frame.determinant(), 1.0, 1e-15);
}

TEST(Contacts, BoxesAreReadInSpace) {
  const Touch box = part(kSpace,
                         "{type: box, body: a, size: [1, 2, 3], center: [4, 5, r], rotation: {x: [0, "
                         "1, 0], y: [0, 0, 1]}}");
  EXPECT_EQ(box.type, TouchType::box);
  EXPECT_EQ(box.size, Vec3(1.0, 2.0, 3.0));
  EXPECT_EQ(box.center, Vec3(4.0, 5.0, 0.1));
  expect_near(box.frame, columns(Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()));
  EXPECT_EQ(part(kSpace, "{type: box, body: a, size: [1, 2, 3]}").frame, Mat3(Mat3::Identity()));
}

TEST(Contacts, PlanesAreReadInSpace) {
  const Touch plain = part(kSpace, "{type: plane}");
  EXPECT_EQ(plain.type, TouchType::plane);
  EXPECT_EQ(plain.body, "ground");
  EXPECT_EQ(plain.frame, Mat3(Mat3::Identity()));
  const Touch plane = part(kSpace, "{type: plane, body: a, at: [0, 0, 1], normal: [3, 0, 4]}");
  EXPECT_EQ(plane.body, "a");
  EXPECT_EQ(plane.center, Vec3(0.0, 0.0, 1.0));
  EXPECT_LT((plane.frame.col(2) - Vec3(0.6, 0.0, 0.8)).norm(), 1e-15);
  EXPECT_NEAR(plane.frame.determinant(), 1.0, 1e-15);
}

TEST(Contacts, CylindersAreReadInSpace) {
  const Touch cylinder =
      part(kSpace, "{type: cylinder, body: a, radius: r, at: [0, 1, 0], axis: [-2, 0, 0]}");
  EXPECT_EQ(cylinder.type, TouchType::cylinder);
  EXPECT_DOUBLE_EQ(cylinder.radius, 0.1);
  EXPECT_EQ(cylinder.center, Vec3(0.0, 1.0, 0.0));
  EXPECT_EQ(Vec3(cylinder.frame.col(2)), Vec3(-Vec3::UnitX()));
}

TEST(Contacts, ProfilesAreReadInSpace) {
  const Touch graph = part(kSpace,
                           "{type: profile, at: [0, 0, 1], height: \"r*max(x, 0)^2\", rotation: {x: "
                           "[0, 1, 0], z: [0, 0, 1]}}");
  EXPECT_EQ(graph.type, TouchType::profile);
  EXPECT_EQ(graph.body, "ground");
  EXPECT_EQ(graph.center, Vec3(0.0, 0.0, 1.0));
  expect_near(graph.frame, columns(Vec3::UnitY(), -Vec3::UnitX(), Vec3::UnitZ()));
  ASSERT_TRUE(graph.height);
  EXPECT_DOUBLE_EQ(graph.height->evaluate_at(3.0, 0.0), 0.9);
  EXPECT_DOUBLE_EQ(graph.height->evaluate_at(-3.0, 0.0), 0.0);
  EXPECT_TRUE(graph.points.empty());

  const Touch line =
      part(kSpace, "{type: profile, body: a, points: [[-1, r], [0, 0], [2, 10*r]], smooth: true}");
  EXPECT_EQ(line.body, "a");
  EXPECT_FALSE(line.height);
  EXPECT_THAT(line.points, ElementsAre(std::array{-1.0, 0.1}, std::array{0.0, 0.0},
                                       std::array{2.0, 1.0}));
  EXPECT_TRUE(line.smooth);
  EXPECT_FALSE(part(kSpace, "{type: profile, points: [[0, 0], [1, 1]]}").smooth);
}

TEST(Contacts, PartsAreReadInThePlane) {
  EXPECT_EQ(part(kPlane, "{type: point, body: a, at: [r, 2]}").center, Vec3(0.1, 2.0, 0.0));
  const Touch disk = part(kPlane, "{type: sphere, body: a, radius: r, center: [1, 2]}");
  EXPECT_EQ(disk.center, Vec3(1.0, 2.0, 0.0));
  EXPECT_DOUBLE_EQ(disk.radius, 0.1);

  const Touch rod =
      part(kPlane, "{type: capsule, body: a, from: [1, 1], to: [1, 4], radius: r}");
  EXPECT_EQ(rod.center, Vec3(1.0, 2.5, 0.0));
  EXPECT_DOUBLE_EQ(rod.length, 3.0);
  expect_near(rod.frame, columns(Vec3::UnitY(), -Vec3::UnitX(), Vec3::UnitZ()));

  EXPECT_EQ(part(kPlane, "{type: plane}").frame, Mat3(Mat3::Identity()));
  const Touch wall = part(kPlane, "{type: plane, at: [5, 0], normal: [-2, 0]}");
  EXPECT_EQ(wall.center, Vec3(5.0, 0.0, 0.0));
  expect_near(wall.frame, columns(Vec3::UnitY(), -Vec3::UnitX(), Vec3::UnitZ()));

  const Touch hill = part(kPlane, "{type: profile, at: [1, 0], angle: pi/2, height: r*x}");
  EXPECT_EQ(hill.center, Vec3(1.0, 0.0, 0.0));
  expect_near(hill.frame, columns(Vec3::UnitY(), -Vec3::UnitX(), Vec3::UnitZ()));
  EXPECT_DOUBLE_EQ(hill.height->evaluate_at(2.0, 0.0), 0.2);
}

TEST(Contacts, SidesMayBeListsAndPartsMayRepeat) {
  const std::string text = R"(daedal: 1
parameters: {r: 0.1, N: 3}
bodies:
  "ball[i]": {repeat: {i: [1, N]}, mass: 1, inertia: [1, 1, 1]}
contacts:
  pile:
    among:
      - {type: sphere, body: "ball[i]", radius: i*r, repeat: {i: [1, N]}}
      - {type: plane}
  "floor[i]":
    repeat: {i: [1, N]}
    between:
      - - {type: point, body: "ball[i]"}
        - {type: sphere, body: "ball[i]", radius: r, center: [j, k, i], repeat: {j: [1, 2], k: [1, i]}}
      - {type: plane, at: [0, 0, -i]}
  none:
    between:
      - - {type: point, body: "ball[1]"}
        - {type: point, body: "ball[2]", repeat: {j: [1, N - 3]}}
      - {type: plane}
)";
  const auto all = contacts(text);
  ASSERT_EQ(all.size(), 5u);
  const model::Touching& pile = *all[0].touching();
  ASSERT_EQ(pile.first.size(), 4u);
  EXPECT_TRUE(pile.second.empty());
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(pile.first[i - 1].body, "ball[" + std::to_string(i) + "]");
    EXPECT_DOUBLE_EQ(pile.first[i - 1].radius, 0.1 * i);
    EXPECT_EQ(all[i].name, "floor[" + std::to_string(i) + "]");
    EXPECT_EQ(all[i].touching()->first.size(), 1u + 2u * i);
    EXPECT_EQ(all[i].touching()->second[0].center, Vec3(0.0, 0.0, -i));
  }
  EXPECT_EQ(pile.first[3].type, TouchType::plane);
  std::vector<Vec3> centers;
  for (const Touch& touch : all[2].touching()->first) centers.push_back(touch.center);
  EXPECT_THAT(centers, ElementsAre(Vec3(0, 0, 0), Vec3(1, 1, 2), Vec3(1, 2, 2), Vec3(2, 1, 2),
                                   Vec3(2, 2, 2)));
  EXPECT_EQ(all[4].touching()->first.size(), 1u);
}

TEST(Contacts, GapsAreOfFreedomsOfAJoint) {
  const auto all = contacts(kSpace + R"(  stop: {gap: {joint: hinge, is: 12*r - x}, restitution: 1}
  slot: {gap: {joint: tube, of: displacement, is: x + r}}
  "helix[i]": {repeat: {i: [1, 2]}, gap: {joint: tube, of: [angle, displacement], is: i*x - y}}
)");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].touching(), nullptr);
  EXPECT_EQ(all[0].gap()->joint, "hinge");
  EXPECT_THAT(all[0].gap()->of, ElementsAre(model::Freedom::angle));
  EXPECT_NEAR(all[0].gap()->gap.evaluate_at(1.0, 0.0), 0.2, 1e-15);
  EXPECT_EQ(all[0].restitution, 1.0);
  EXPECT_THAT(all[1].gap()->of, ElementsAre(model::Freedom::displacement));
  EXPECT_THAT(all[3].gap()->of,
              ElementsAre(model::Freedom::angle, model::Freedom::displacement));
  EXPECT_EQ(all[3].name, "helix[2]");
  EXPECT_DOUBLE_EQ(all[3].gap()->gap.evaluate_at(3.0, 1.0), 5.0);
}

TEST(Contacts, LimitsOfAJointAreTwoGaps) {
  const auto all = contacts(R"(daedal: 1
parameters: {N: 2}
bodies: {"a[i]": {repeat: {i: [1, N]}, mass: 1, inertia: [1, 1, 1]}}
joints:
  "hinge[i]": {repeat: {i: [1, N]}, type: revolute, between: [ground, "a[i]"], at: [0, 0, 0], axis: [0, 0, 1],
    limits: {angle: [-1, i/2], restitution: 0.4, law: poisson}}
  tube: {type: cylindrical, between: ["a[1]", "a[2]"], at: [0, 0, 0], axis: [0, 0, 1],
    limits: {displacement: [0.5, 1], angle: [-pi, pi]}}
)");
  std::vector<std::string> names;
  for (const Contact& contact : all) names.push_back(contact.name);
  EXPECT_THAT(names, ElementsAre("hinge[1].lower", "hinge[1].upper", "hinge[2].lower",
                                 "hinge[2].upper", "tube.angle.lower", "tube.angle.upper",
                                 "tube.displacement.lower", "tube.displacement.upper"));
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(all[k].restitution, 0.4);
    EXPECT_EQ(all[k].law, model::ImpactLaw::poisson);
    EXPECT_EQ(all[k].gap()->joint, k < 2 ? "hinge[1]" : "hinge[2]");
  }
  const auto gap = [&](std::size_t k, double x) { return all[k].gap()->gap.evaluate_at(x, 0.0); };
  EXPECT_DOUBLE_EQ(gap(0, 0.25), 1.25);
  EXPECT_DOUBLE_EQ(gap(1, 0.25), 0.25);
  EXPECT_DOUBLE_EQ(gap(3, 0.25), 0.75);
  EXPECT_DOUBLE_EQ(gap(4, 0.0), M_PI);
  EXPECT_DOUBLE_EQ(gap(6, 0.75), 0.25);
  EXPECT_DOUBLE_EQ(gap(7, 0.75), 0.25);
  EXPECT_THAT(all[7].gap()->of, ElementsAre(model::Freedom::displacement));
}

TEST(Contacts, OverridesReachPartsAndPositionsLeadToThem) {
  const std::string text =
      kSpace + "  floor: {among: [{type: sphere, body: a, radius: r}, {type: plane}]}\n";
  const ModelFile file = parse_model(text, "m.yaml", std::vector<std::string>{
                                                         "contacts.floor.among.0.radius=4*r"});
  EXPECT_DOUBLE_EQ(file.model.contacts[0].touching()->first[0].radius, 0.4);
  const ModelFile plain = parse_model(text, "m.yaml");
  EXPECT_EQ(plain.position("contacts.floor.first.0.radius").to_string(), "m.yaml:11:51");
  EXPECT_EQ(plain.position("contacts.floor.first.1").to_string(), "m.yaml:11:55");
  EXPECT_EQ(plain.position("contacts.floor.friction").to_string(), "m.yaml:11:3");
}

TEST(Contacts, AreInTheSchemaForEditors) {
  const Json schema = parse_json(schema::json_schema(model_schema(), "Model"), "schema");
  EXPECT_EQ(schema["properties"]["contacts"]["additionalProperties"]["$ref"], "#/$defs/contact");
  const Json& contact = schema["$defs"]["contact"]["properties"];
  for (const char* key : {"between", "among", "gap", "restitution", "friction", "law", "repeat"}) {
    EXPECT_TRUE(contact.contains(key)) << key;
  }
  const Json& sides = contact["between"]["items"]["anyOf"];
  EXPECT_EQ(sides[0], contact["among"]["items"]);
  EXPECT_EQ(sides[1]["items"], contact["among"]["items"]);
  std::vector<std::string> parts;
  for (const Json& part : sides[0]["oneOf"]) parts.push_back(part["$ref"]);
  EXPECT_THAT(parts, ElementsAre("#/$defs/point part", "#/$defs/sphere part",
                                 "#/$defs/capsule part", "#/$defs/box part", "#/$defs/plane part",
                                 "#/$defs/cylinder part", "#/$defs/profile part"));
  EXPECT_EQ(schema["$defs"]["sphere part"]["required"], Json::array({"type", "body", "radius"}));
  EXPECT_EQ(schema["$defs"]["gap"]["required"], Json::array({"joint", "is"}));
  EXPECT_TRUE(schema["$defs"]["revolute joint"]["properties"].contains("limits"));
  EXPECT_FALSE(schema["$defs"]["fixed joint"]["properties"].contains("limits"));
}

TEST(Contacts, AreCountedByCheck) {
  const std::string floor = "  floor: {between: [{type: sphere, body: a, radius: r}, {type: plane}]}\n";
  const ModelFile one = parse_model(kSpace + floor, "m.yaml");
  EXPECT_EQ(check_json(simulate::check(one.model))["contacts"], 1);
  EXPECT_THAT(check_text(simulate::check(one.model)), HasSubstr("constraints, 1 contact\n"));
  const ModelFile none = parse_model(kSpace + "  {}\n", "m.yaml");
  EXPECT_EQ(check_json(simulate::check(none.model))["contacts"], 0);
  EXPECT_THAT(check_text(simulate::check(none.model)), HasSubstr("constraints\n"));
}

TEST(Contacts, PartsCountAmongWhatRepeatsMake) {
  const std::string text = kSpace + R"(  "c[i]":
    repeat: {i: [1, 50]}
    between: [{type: point, body: a, repeat: {j: [1, 10]}}, {type: plane}]
)";
  EXPECT_NO_THROW(parse_model(text, "m.yaml", {}, {.repeated = 600}));
  EXPECT_EQ(message_of<InputError>([&] { parse_model(text, "m.yaml", {}, {.repeated = 599}); }),
            "m.yaml:13:61: contact 'c[50]': plane makes 1 object, 600 with those before; a file may "
            "make 599 in total, lower the bounds");
  EXPECT_THAT(message_of<InputError>([&] { parse_model(text, "m.yaml", {}, {.repeated = 594}); }),
              HasSubstr("contact 'c[50]': point: repeat makes 10 objects, 599 with those before"));
}

}  // namespace
}  // namespace daedal::io
