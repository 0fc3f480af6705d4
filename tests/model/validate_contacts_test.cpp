// What is wrong with contacts: the paths of the problems, and what no file can say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/build_model.hpp"

namespace daedal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using model::Contact;
using model::Freedom;
using model::JointType;
using model::Touch;
using model::TouchType;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Touch part(TouchType type, std::string body) {
  Touch touch;
  touch.type = type;
  touch.body = std::move(body);
  touch.radius = 0.5;
  touch.length = 2.0;
  touch.size = Vec3::Ones();
  if (type == TouchType::profile) touch.height = math::Expression::parse("0.1*x");
  return touch;
}

Contact between(Touch first, Touch second) {
  return {"c", model::Touching{{std::move(first)}, {std::move(second)}}};
}

Contact gap(std::string joint, std::vector<Freedom> of, std::string_view text) {
  return {"c", model::JointGap{std::move(joint), std::move(of), math::Expression::parse(text)}};
}

model::Model with(Contact contact, bool planar = false) {
  model::Model model;
  model.planar = planar;
  model.bodies.push_back(rigid("arm", 1.0, {1.0, 1.0, 1.5}, Vec3::Zero()));
  model.bodies.push_back(rigid("hand", 1.0, {1.0, 1.0, 1.5}, {1.0, 0.0, 0.0}));
  model.bodies.push_back(point_mass("dot", 1.0, {2.0, 0.0, 0.0}));
  add_joint(model, "hinge", JointType::revolute, "ground", "arm", Vec3::Zero());
  add_distance(model, "rope", "hand", Vec3::Zero(), "dot", Vec3::Zero(), 1.0);
  model.contacts.push_back(std::move(contact));
  return model;
}

void expect_only(const model::Model& model, const std::string& where, const std::string& message) {
  const std::vector<model::Problem> problems = model::validate(model);
  ASSERT_EQ(problems.size(), 1u) << model::ModelError(problems).what();
  EXPECT_EQ(problems[0].where, where);
  EXPECT_THAT(problems[0].message, HasSubstr(message));
}

std::vector<TouchType> types() {
  std::vector<TouchType> all;
  for (int k = 0; k <= static_cast<int>(TouchType::profile); ++k) {
    all.push_back(static_cast<TouchType>(k));
  }
  return all;
}

TEST(ValidateContacts, EveryPairOfPartsIsAcceptedIfItHasALaw) {
  int accepted = 0;
  for (const TouchType a : types()) {
    for (const TouchType b : types()) {
      const auto problems = model::validate(with(between(part(a, "arm"), part(b, "hand"))));
      if (model::can_touch(a, b)) {
        EXPECT_THAT(problems, IsEmpty()) << name_of(a) << " " << name_of(b);
        ++accepted;
      } else {
        ASSERT_EQ(problems.size(), 1u);
        EXPECT_EQ(problems[0].where, "contacts.c.between");
        EXPECT_THAT(problems[0].message, HasSubstr("there is no law for a " + std::string(name_of(a)) +
                                                   " that touches a " + std::string(name_of(b))));
      }
      EXPECT_EQ(model::can_touch(a, b), model::can_touch(b, a));
    }
  }
  EXPECT_EQ(accepted, 30);
}

TEST(ValidateContacts, AmongPartsOnlyThoseOfDifferentBodiesNeedALaw) {
  model::Touching pile;
  pile.first = {part(TouchType::plane, "ground"), part(TouchType::plane, "ground"),
                part(TouchType::sphere, "arm"), part(TouchType::sphere, "hand")};
  EXPECT_THAT(model::validate(with({"c", pile})), IsEmpty());
  pile.first[1].body = "arm";
  expect_only(with({"c", pile}), "contacts.c.among", "no law for a plane that touches a plane");
}

TEST(ValidateContacts, APartLeadsToItsPlaceInTheList) {
  model::Touching touching;
  touching.first = {part(TouchType::sphere, "arm"), part(TouchType::sphere, "arm")};
  touching.second = {part(TouchType::plane, "ground"), part(TouchType::sphere, "hand")};
  touching.first[1].radius = -2.0;
  expect_only(with({"c", touching}), "contacts.c.first.1.radius",
              "contact 'c': sphere of 'arm': radius is -2, it must be positive");
  touching.first[1].radius = 1.0;
  touching.second[1].body = "hands";
  expect_only(with({"c", touching}), "contacts.c.second.1.body", "did you mean 'hand'?");
}

TEST(ValidateContacts, NumbersMustBeFinite) {
  Contact contact = between(part(TouchType::sphere, "arm"), part(TouchType::plane, "ground"));
  const auto sphere = [](Contact& c) -> Touch& {
    return std::get<model::Touching>(c.geometry).first[0];
  };
  Contact bad = contact;
  bad.restitution = kNan;
  expect_only(with(bad), "contacts.c.restitution", "restitution is nan");
  bad = contact;
  bad.friction = kNan;
  expect_only(with(bad), "contacts.c.friction", "friction is nan");
  bad = contact;
  sphere(bad).radius = kNan;
  expect_only(with(bad), "contacts.c.first.0.radius", "radius is nan");
  bad = contact;
  sphere(bad).center.y() = kNan;
  expect_only(with(bad), "contacts.c.first.0.center", "center is not finite");
  bad = contact;
  sphere(bad).frame(0, 0) = kNan;
  expect_only(with(bad), "contacts.c.first.0.rotation", "zero length");
  bad = between(part(TouchType::sphere, "arm"), part(TouchType::profile, "ground"));
  Touch& profile = std::get<model::Touching>(bad.geometry).second[0];
  profile.height.reset();
  profile.points = {{0.0, 0.0}, {1.0, kNan}};
  expect_only(with(bad), "contacts.c.second.0.points", "point 2 is not finite");
}

TEST(ValidateContacts, CylindersAreSpatial) {
  for (const TouchType type : types()) {
    const Contact contact = between(part(type, "arm"), part(TouchType::sphere, "hand"));
    if (type == TouchType::cylinder) {
      expect_only(with(contact, true), "contacts.c.first.0", "is a part of spatial models");
    } else {
      EXPECT_THAT(model::validate(with(contact, true)), IsEmpty()) << name_of(type);
    }
  }
}

TEST(ValidateContacts, PointMassesCarryPointsAndSpheres) {
  for (const TouchType type : types()) {
    const Contact contact = between(part(type, "dot"), part(TouchType::sphere, "hand"));
    if (type == TouchType::point || type == TouchType::sphere) {
      EXPECT_THAT(model::validate(with(contact)), IsEmpty()) << name_of(type);
    } else {
      expect_only(with(contact), "contacts.c.first.0.body", "point mass, which has no axes");
    }
  }
}

TEST(ValidateContacts, AHeightIsOfX) {
  Touch profile = part(TouchType::profile, "ground");
  profile.height = math::Expression::parse("x + z");
  expect_only(with(between(part(TouchType::sphere, "arm"), profile)), "contacts.c.second.0.height",
              "height depends on 'z'");
}

TEST(ValidateContacts, NamesDiffer) {
  model::Model m = with(gap("hinge", {Freedom::angle}, "1 - x"));
  EXPECT_THAT(model::validate(m), IsEmpty());
  m.contacts.push_back(m.contacts[0]);
  expect_only(m, "contacts.c", "another contact has the same name");
}

TEST(ValidateContacts, GapsAreOfFreedomsThatExist) {
  expect_only(with(gap("hings", {Freedom::angle}, "x")), "contacts.c.gap.joint",
              "did you mean 'hinge'?");
  expect_only(with(gap("hinge", {}, "x")), "contacts.c.gap", "say of which of its freedoms");
  expect_only(with(gap("hinge", {Freedom::angle, Freedom::angle}, "x")), "contacts.c.gap.of",
              "one or two different ones: it has angle");
  expect_only(with(gap("rope", {Freedom::direction}, "x")), "contacts.c.gap.of",
              "joint 'rope' is distance and has no direction in space; no single number");
  expect_only(with(gap("rope", {Freedom::direction}, "x"), true), "contacts.c.gap.of",
              "name the direction of its line first");
  model::Model named = with(gap("rope", {Freedom::direction}, "x"), true);
  named.joints[1].coordinates = {{"phi", Freedom::direction}};
  EXPECT_THAT(model::validate(named), IsEmpty());
  expect_only(with(gap("hinge", {Freedom::angle}, "x - y")), "contacts.c.gap.is",
              "its gap depends on 'y'; it is a function of x, the one freedom");
  expect_only(with(gap("hinge", {Freedom::angle}, "2")), "contacts.c.gap.is",
              "its gap is 2 whatever the joint does");
  Contact rough = gap("hinge", {Freedom::angle}, "x");
  rough.friction = 0.5;
  expect_only(with(rough), "contacts.c.friction", "has no surface to rub on");
}

TEST(ValidateContacts, OfAThousandMistakesTheFirstOnesAreTold) {
  model::Touching pile;
  for (int k = 0; k < 3000; ++k) {
    pile.first.push_back(part(TouchType::sphere, k % 2 ? "arm" : "hand"));
    pile.first.back().radius = -1.0;
  }
  EXPECT_EQ(model::validate(with({"c", pile})).size(), 1000u);
}

}  // namespace
}  // namespace daedal::testing
