// The command check from outside: its report, its document, its exit codes.
#include <gmock/gmock.h>

#include <cmath>

#include "program.hpp"

namespace daedal::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const fs::path kFaults = fs::path(DAEDAL_SOURCE_DIR) / "tests/data/faults";

TEST(Check, DocumentOfADoorHasTheContractsFields) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"check", "door", "--format", "json"});
  EXPECT_EQ(outcome.code, 0);
  const io::Json json = outcome.json();
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["bodies"], 1);
  EXPECT_EQ(json["joints"], 2);
  EXPECT_EQ(json["constraints"], 10);
  EXPECT_EQ(json["gruebler"], -4);
  EXPECT_EQ(json["degrees_of_freedom"], 1);
  ASSERT_EQ(json["dependent"].size(), 1u);
  EXPECT_THAT(json["dependent"][0], ElementsAre("lower", "upper"));
  EXPECT_THAT(json["conflicting"], IsEmpty());
  EXPECT_THAT(json["unique_reactions"], IsEmpty());
  EXPECT_THAT(json["non_unique_reactions"], ElementsAre("lower", "upper"));
  EXPECT_THAT(json["warnings"], IsEmpty());
  EXPECT_THAT(folder.files(), IsEmpty());
}

// The motion of the redundant door is that of its one degree of freedom.
TEST(Door, ClosesAsADampedOscillator) {
  const Folder folder;
  const io::Json json = run_json(folder, {"run", "door"});
  const double m = 600.0 * 0.9 * 0.04 * 2.0;
  const double J = m * (0.9 * 0.9 + 0.04 * 0.04) / 12.0 + m * 0.45 * 0.45;
  const double delta = 5.0 / (2.0 * J), omega = std::sqrt(20.0 / J - delta * delta), t = 5.0;
  EXPECT_NEAR(json["final"]["angle"].get<double>(),
              std::exp(-delta * t) * std::sin(omega * t) / omega, 1e-5);
  EXPECT_THAT(json["dependent"], ElementsAre("lower", "upper"));
}

// A driven parallelogram that lies flat at t = 1 s, where a step ends.
TEST(Run, SingularPositionIsReportedWithTimeAndJoints) {
  const Folder folder;
  folder.write("m.yaml", R"(daedal: 1
planar: true
bodies:
  left: {mass: 1, inertia: 1/12, center: [0.5, 0], angle: 1}
  coupler: {mass: 1, inertia: 1/12, center: [0.5, 0], position: [cos(1), sin(1)]}
  right: {mass: 1, inertia: 1/12, center: [0.5, 0], position: [1, 0], angle: 1}
joints:
  A: {type: revolute, between: [ground, left], at: [0, 0], drive: {angle: -t}}
  B: {type: revolute, between: [left, coupler], at: [cos(1), sin(1)]}
  C: {type: revolute, between: [coupler, right], at: [1 + cos(1), sin(1)]}
  D: {type: revolute, between: [ground, right], at: [1, 0]}
simulate: {until: 1.5, step: 0.01, linear_solver: tree}
)");
  const io::Json json = run_json(folder, {"run", "m.yaml"});
  EXPECT_THAT(json["warnings"], ::testing::Contains(HasSubstr(
                                    "Near t = 1 s the mechanism passes a singular position of A, B, "
                                    "C and D")));
}

TEST(Check, OverridesAreTakenAsInRun) {
  const Folder folder;
  const Outcome outcome =
      daedal(folder, {"check", "chain", "--set", "parameters.N=3", "--format", "json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.json()["degrees_of_freedom"], 3);
}

TEST(Check, ConflictsEndWithOneAndNameTheJoints) {
  const Folder folder;
  const std::string file = (kFaults / "hinges-apart.yaml").string();
  const Outcome text = daedal(folder, {"check", file});
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, AllOf(HasSubstr("conflicting_constraints"),
                              HasSubstr("upper: translation along z is contradicted by lower"),
                              HasSubstr("0.01 m remain")));
  const Outcome document = daedal(folder, {"check", file, "--format", "json"});
  EXPECT_EQ(document.code, 1);
  EXPECT_THAT(document.json()["conflicting"][0], ElementsAre("lower", "upper"));
}

TEST(Check, BadInputEndsWithTwoAndAPosition) {
  const Folder folder;
  EXPECT_EQ(daedal(folder, {"check"}).code, 2);
  EXPECT_EQ(daedal(folder, {"check", "no-such-model"}).code, 2);
  EXPECT_EQ(daedal(folder, {"check", "door", "--format", "xml"}).code, 2);
  EXPECT_EQ(daedal(folder, {"check", "door", "--set", "gravity"}).code, 2);
  const Outcome refused = daedal(folder, {"check", (kFaults / "massless-body.yaml").string()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("massless-body.yaml:4:22: body 'bar': mass is 0"));
  folder.write("m.yaml", "daedal: 1\nplanar: true\nbodies: {bar: {mass: 1, inertia: 1}}\n"
                         "initial: {bar: {priority: high}}\n");
  const Outcome word = daedal(folder, {"check", "m.yaml"});
  EXPECT_EQ(word.code, 2);
  EXPECT_THAT(word.err, AllOf(HasSubstr("m.yaml:4:"), HasSubstr("preferred")));
}

TEST(Check, VelocitiesThatJointsForbidAreBadInput) {
  const Folder folder;
  const Outcome outcome =
      daedal(folder, {"check", "door", "--set", "initial.door.velocity=[1, 0, 0]"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("velocity contradicts the joints and drives"));

  folder.write("m.yaml", "daedal: 1\nplanar: true\nbodies: {bar: {mass: 1, inertia: 1}}\n"
                         "joints: {pin: {type: revolute, between: [ground, bar], at: [0, 0], "
                         "drive: {angle: 2*t}}}\n"
                         "initial:\n  bar: {angular_velocity: 10}\n");
  const Outcome placed = daedal(folder, {"check", "m.yaml"});
  EXPECT_EQ(placed.code, 2);
  EXPECT_THAT(placed.err,
              HasSubstr("m.yaml:6:27: initial 'bar': angular_velocity contradicts the joints and "
                        "drives (given 10 rad/s, possible 2)"));

  // 0.5 m/s of the frame and 3 rad/s are 2 m/s of the centre of mass.
  folder.write("m.yaml", "daedal: 1\nplanar: true\n"
                         "bodies: {bar: {mass: 1, inertia: 1/12, center: [0.5, 0]}}\n"
                         "joints: {pin: {type: revolute, between: [ground, bar], at: [0, 0]}}\n"
                         "initial: {bar: {velocity: [0, 0.5], angular_velocity: 3}}\n");
  EXPECT_THAT(daedal(folder, {"check", "m.yaml"}).err,
              HasSubstr("drives (given 2 m/s at the centre of mass, possible 1.875)"));
}

}  // namespace
}  // namespace daedal::testing
