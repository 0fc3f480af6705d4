// What `auto` stands for, on models whose answer is known.
#include "daedal/simulate/choice.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/assembly.hpp"
#include "daedal/simulate/simulation.hpp"
#include "daedal/simulate/stiffness.hpp"
#include "simulate/kept_rows.hpp"
#include "support/problems.hpp"

namespace daedal::testing {
namespace {

using ::testing::HasSubstr;
using simulate::choose_method;
using simulate::MethodChoice;
using simulate::Settings;

model::Model with_spring(double stiffness, double damping) {
  model::Model model = double_pendulum();
  model.forces.push_back(model::JointSpring{"spring", "elbow", stiffness, damping, 0.0});
  return model;
}

/// Two bars on hinges, and a third from the end of the second back to the ground.
model::Model loop() {
  model::Model model = double_pendulum();
  add_distance(model, "stay", "ground", Vec3(0.5, -1.0, 0.0), "lower", Vec3(0.0, -0.25, 0.0), 0.5);
  return model;
}

TEST(MethodChoice, AGivenStepMeansFixedSteps) {
  Settings s;
  s.step = 1e-3;
  const MethodChoice choice = choose_method(double_pendulum(), s);
  EXPECT_EQ(choice.coordinates, "absolute");
  EXPECT_EQ(choice.formulation, "index-3");
  EXPECT_EQ(choice.method, "generalized-alpha");
  EXPECT_FALSE(choice.adaptive);
  EXPECT_THAT(choice.reason, HasSubstr("second order"));
  EXPECT_THAT(choose_method(with_spring(0.0, 1.0), s).reason, HasSubstr("damping"));
}

TEST(MethodChoice, WithoutAStepItIsAdaptive) {
  const MethodChoice choice = choose_method(double_pendulum(), Settings{});
  EXPECT_EQ(choice.formulation, "index-2");
  EXPECT_EQ(choice.method, "hem5");
  EXPECT_TRUE(choice.adaptive);
  EXPECT_THAT(choice.reason, HasSubstr("not stiff"));
}

TEST(MethodChoice, StiffnessAsksForGeneralizedAlpha) {
  for (const auto& [stiffness, damping, word] :
       {std::tuple(1e6, 0.0, "vibrations"), std::tuple(0.0, 1e4, "decays")}) {
    const MethodChoice choice = choose_method(with_spring(stiffness, damping), Settings{});
    EXPECT_EQ(choice.method, "generalized-alpha");
    EXPECT_EQ(choice.formulation, "ggl");
    EXPECT_TRUE(choice.adaptive);
    EXPECT_THAT(choice.reason, HasSubstr(word));
  }
  EXPECT_EQ(choose_method(with_spring(1.0, 0.1), Settings{}).method, "hem5");
}

TEST(MethodChoice, RelativeMotionsWithoutMassAskForGeneralizedAlpha) {
  model::Model model = loop();
  model.joints[1].coordinates = {{"phi", model::Freedom::angle}};
  const MethodChoice choice = choose_method(model, Settings{});
  EXPECT_EQ(choice.method, "generalized-alpha");
  EXPECT_THAT(choice.reason, HasSubstr("without mass"));
}

TEST(MethodChoice, ShortTreesHaveJointCoordinatesLoopsAndLongOnesAbsolute) {
  const MethodChoice tree = choose_method(double_pendulum(), Settings{});
  EXPECT_EQ(tree.coordinates, "joint");
  EXPECT_THAT(tree.reason, HasSubstr("tree"));
  EXPECT_EQ(choose_method(loop(), Settings{}).coordinates, "absolute");
  EXPECT_EQ(choose_method(spatial_chain_model(60), Settings{}).coordinates, "absolute");
}

TEST(MethodChoice, WordsThatAreGivenRestrictIt) {
  const model::Model model = double_pendulum();
  struct Case {
    void (*give)(Settings&);
    const char *coordinates, *formulation, *method;
    bool adaptive;
  };
  const Case cases[] = {
      {[](Settings& s) { s.method = "midpoint"; }, "absolute", "index-3", "midpoint", false},
      {[](Settings& s) { s.method = "generalized-alpha"; }, "joint", "ggl", "generalized-alpha", true},
      {[](Settings& s) { s.method = "generalized-alpha", s.steps = "fixed"; }, "absolute", "index-3",
       "generalized-alpha", false},
      {[](Settings& s) { s.formulation = "index-3"; }, "absolute", "index-3", "generalized-alpha",
       false},
      {[](Settings& s) { s.formulation = "index-2"; }, "joint", "index-2", "hem5", true},
      {[](Settings& s) { s.formulation = "ggl", s.steps = "fixed"; }, "absolute", "ggl",
       "generalized-alpha", false},
      {[](Settings& s) { s.step = 0.01, s.steps = "adaptive"; }, "joint", "index-2", "hem5", true},
      {[](Settings& s) { s.step = 0.01, s.formulation = "ggl"; }, "joint", "ggl", "bdf", true},
      {[](Settings& s) { s.coordinates = "joint", s.step = 0.01; }, "joint", "index-3",
       "generalized-alpha", false},
      {[](Settings& s) { s.coordinates = "absolute"; }, "absolute", "index-2", "hem5", true},
      {[](Settings& s) { s.unknowns = "a"; }, "joint", "ggl", "generalized-alpha", true},
      {[](Settings& s) { s.formalism = "explicit"; }, "joint", "ggl", "bdf", true},
      {[](Settings& s) { s.drift_tolerance = 1e-8; }, "joint", "index-2", "hem5", true},
      {[](Settings& s) { s.projection = false, s.formulation = "index-1"; }, "joint", "index-1",
       "rkf45", true},
      {[](Settings& s) { s.local_extrapolation = false; }, "joint", "index-1", "rkf45", true},
      {[](Settings& s) { s.formulation = "index-2", s.steps = "fixed"; }, "absolute", "index-2",
       "hem5", false},
  };
  for (const Case& c : cases) {
    Settings s;
    c.give(s);
    const MethodChoice choice = choose_method(model, s);
    SCOPED_TRACE(&c - cases);
    EXPECT_EQ(choice.coordinates, c.coordinates);
    EXPECT_EQ(choice.formulation, c.formulation);
    EXPECT_EQ(choice.method, c.method);
    EXPECT_EQ(choice.adaptive, c.adaptive);
    EXPECT_FALSE(choice.reason.empty());
  }
}

TEST(MethodChoice, WhatDoesNotGoTogetherIsRefusedWithTheTable) {
  Settings s;
  s.method = "midpoint";
  s.steps = "adaptive";
  try {
    choose_method(double_pendulum(), s);
    FAIL();
  } catch (const model::ModelError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("midpoint and adaptive steps do not go together"));
    EXPECT_THAT(std::string(error.what()), HasSubstr("absolute + ggl + generalized-alpha (fixed or adaptive steps)"));
  }
}

TEST(MethodChoice, ContactsAreRefusedByMethodsThatDoNotTreatThem) {
  model::Model model = double_pendulum();
  model.title = "Pendulum with a stop";
  model::JointGap gap;
  gap.joint = model.joints[0].name;
  gap.of = {model::Freedom::angle};
  gap.gap = math::Expression::parse("1 - x");
  model.contacts.push_back({"stop", gap});
  ASSERT_TRUE(model::validate(model).empty());
  for (const integrate::Method& method : integrate::methods()) {
    if (method.contacts) continue;
    Settings s;
    s.method = method.name;
    try {
      simulate::run(model, s);
      ADD_FAILURE() << method.name;
    } catch (const model::ModelError& error) {
      ASSERT_EQ(error.problems().size(), 1u);
      EXPECT_EQ(error.problems()[0].where, "contacts");
      EXPECT_THAT(error.problems()[0].message,
                  HasSubstr("model 'Pendulum with a stop' has contacts, which " +
                            std::string(method.name) + " does not treat"));
    }
  }
}

TEST(MethodChoice, SettingsOfOneFamilyAreNamedWhereTheyLeaveNothing) {
  Settings s;
  s.method = "bdf";
  s.formulation = "index-1";
  s.projection = false;
  try {
    choose_method(double_pendulum(), s);
    FAIL();
  } catch (const model::ModelError& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr("projection: false ask for hem5 or rkf45"));
    EXPECT_THAT(text, HasSubstr("joint + index-1 + rkf45"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("+ bdf")));
  }
}

TEST(FastestRates, AreThoseOfASpringAndADamper) {
  // A mass on a rail between springs, another one between dampers.
  model::Model model;
  model.planar = true;
  model.bodies.push_back(point_mass("light", 0.5, {0.0, 0.0, 0.0}));
  model.bodies.push_back(point_mass("heavy", 2.0, {0.0, 1.0, 0.0}));
  const auto tie = [&](const char* name, const char* body, double y, double k, double d) {
    model.forces.push_back(model::Spring{
        name, {{{"ground", Vec3(-1.0, y, 0.0)}, {body, Vec3::Zero()}}}, k, d, 1.0});
  };
  tie("spring", "light", 0.0, 200.0, 0.0);
  tie("damper", "heavy", 1.0, 0.0, 60.0);
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  formulate::AccelerationLevel equations(*mechanism.system, "dense");
  integrate::State state(mechanism.system->structure());
  simulate::assemble(mechanism, equations, state);
  const simulate::FastestRates rates = simulate::fastest_rates(mechanism, equations, state);
  EXPECT_NEAR(rates.vibration, 20.0, 1e-6);
  EXPECT_NEAR(rates.decay, 30.0, 1e-6);
}

}  // namespace
}  // namespace daedal::testing
