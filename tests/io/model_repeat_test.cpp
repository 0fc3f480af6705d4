#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "daedal/io/model_file.hpp"
#include "io/temporary_folder.hpp"

namespace daedal::io {
namespace {

using testing::ElementsAre;

constexpr std::string_view kRow = R"(daedal: 1
planar: true
parameters: {N: 3, L: 2}
bodies:
  "link[i]": {repeat: {i: [1, N]}, mass: i, inertia: 1, position: ["(i - 1)*L", 0]}
joints:
  "pin[1]": {type: revolute, between: [ground, "link[1]"], at: [0, 0]}
  "pin[i]":
    repeat: {i: [2, N]}
    type: revolute
    between: ["link[i-1]", "link[i]"]
    at: {"link[i-1]": [L, 0], "link[i]": [0, 0]}
initial:
  "link[N]": {angle: 1}
outputs:
  "angle[i]": {repeat: {i: [1, N]}, angle: "pin[i]"}
  tip: {position: "link[N]"}
)";

template <class Items>
std::vector<std::string> names(const Items& items) {
  std::vector<std::string> result;
  for (const auto& item : items) result.push_back(item.name);
  return result;
}

TEST(Repeat, MakesObjectsWithIndicesInNamesAndExpressions) {
  const model::Model model = parse_model(kRow, "m.yaml").model;
  EXPECT_THAT(names(model.bodies), ElementsAre("link[1]", "link[2]", "link[3]"));
  EXPECT_THAT(names(model.joints), ElementsAre("pin[1]", "pin[2]", "pin[3]"));
  EXPECT_EQ(model.bodies[2].mass, 3.0);
  EXPECT_EQ(model.bodies[2].pose.position.x(), 4.0);
  EXPECT_EQ(model.joints[2].on[0].body, "link[2]");
  EXPECT_EQ(model.joints[2].on[0].point.x(), 2.0);
  EXPECT_EQ(model.initial[0].body, "link[3]");
  EXPECT_THAT(names(model.outputs),
              ElementsAre("angle[1]", "angle[2]", "angle[3]", "tip.x", "tip.y"));
}

TEST(Repeat, FollowsAnOverriddenParameter) {
  const std::vector<std::string> overrides{"parameters.N=40"};
  const model::Model model = parse_model(kRow, "m.yaml", overrides).model;
  EXPECT_EQ(model.bodies.size(), 40u);
  EXPECT_EQ(model.joints.back().name, "pin[40]");
}

TEST(Repeat, IsEmptyIfTheLastIndexIsBeforeTheFirst) {
  const std::vector<std::string> overrides{"parameters.N=1"};
  const model::Model model = parse_model(kRow, "m.yaml", overrides).model;
  EXPECT_THAT(names(model.joints), ElementsAre("pin[1]"));
}

TEST(Repeat, TakesTwoIndices) {
  const model::Model model = parse_model(R"(daedal: 1
planar: true
bodies:
  "cell[i][2*j]": {repeat: {i: [0, 1], j: [-1, 0]}, mass: 1 + i, inertia: 2 + j}
)", "m.yaml").model;
  EXPECT_THAT(names(model.bodies),
              ElementsAre("cell[0][-2]", "cell[0][0]", "cell[1][-2]", "cell[1][0]"));
  EXPECT_EQ(model.bodies[2].mass, 2.0);
  EXPECT_EQ(model.bodies[2].inertia(2, 2), 1.0);
}

TEST(Repeat, OfABillionIsRefusedAtOnce) {
  const std::vector<std::string> overrides{"parameters.N=1e9"};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(message_of<InputError>([&] { parse_model(kRow, "m.yaml", overrides); }),
            "m.yaml:5:23: body 'link[i]': repeat makes 1000000000 objects; a file may make "
            "1000000 in total, lower the bounds");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(Repeat, StaysWithinTheLimitsOfTheCaller) {
  EXPECT_NO_THROW(parse_model(kRow, "m.yaml", {}, {.repeated = 200}));
  const std::vector<std::string> overrides{"parameters.N=201"};
  EXPECT_THAT(message_of<InputError>([&] {
                parse_model(kRow, "m.yaml", overrides, {.repeated = 200});
              }),
              testing::HasSubstr("repeat makes 201 objects; a file may make 200 in total"));
}

TEST(Overrides, OfATemplateChangeAllItMakes) {
  const std::vector<std::string> overrides{"bodies.link[i].mass=7"};
  for (const model::Body& body : parse_model(kRow, "m.yaml", overrides).model.bodies) {
    EXPECT_EQ(body.mass, 7.0);
  }
}

TEST(Overrides, OfOneRepeatedObjectAreRefused) {
  const std::vector<std::string> overrides{"bodies.link[3].mass=2"};
  EXPECT_EQ(message_of<InputError>([&] { parse_model(kRow, "m.yaml", overrides); }),
            "--set bodies.link[3].mass=2: 'link[3]' is made by the repeat of 'link[i]'; set a key "
            "of the template: bodies.link[i].KEY=VALUE");
}

TEST(Overrides, OfAnUnknownParameterAreRefused) {
  const std::vector<std::string> overrides{"parameters.n=40"};
  EXPECT_EQ(message_of<InputError>([&] { parse_model(kRow, "m.yaml", overrides); }),
            "--set parameters.n=40: the file has no parameter 'n'; did you mean 'N'?");
}

TEST(Overrides, AreNamedWhereTheirValueIsWrong) {
  const std::vector<std::string> overrides{"bodies.link[i].mass=-1", "parameters.N=1",
                                           "simulate.until=-2"};
  EXPECT_EQ(message_of<InputError>([&] { parse_model(kRow, "m.yaml", overrides); }),
            "--set bodies.link[i].mass=-1: body 'link[1]': mass is -1, it must be positive and "
            "finite; give its mass in kg\n"
            "--set simulate.until=-2: simulate: until is -2, it must be positive and finite [s]");
}

}  // namespace
}  // namespace daedal::io
