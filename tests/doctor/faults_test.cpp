// Mechanisms with planted faults, and what the doctor says of each: by name, in its own words.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "daedal/io/check_report.hpp"
#include "daedal/io/errors.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/simulate/check.hpp"
#include "daedal/simulate/simulation.hpp"

namespace daedal::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Names = std::vector<std::string>;
using doctor::Kind;

const fs::path kFaults = fs::path(DAEDAL_SOURCE_DIR) / "tests/data/faults";
const fs::path kModels = fs::path(DAEDAL_SOURCE_DIR) / "models";

struct Verdict {
  std::string fault;
  int gruebler, freedom;
  std::vector<std::pair<Kind, Names>> groups;  // in the order of the report
  std::string sentence;  // in the report: sentences, message, warnings or notes
  simulate::Status status = simulate::Status::done;
  double residual = 0.0;  // of the first group
};

void PrintTo(const Verdict& v, std::ostream* out) { *out << v.fault; }

class Fault : public ::testing::TestWithParam<Verdict> {};

TEST_P(Fault, IsNamed) {
  const Verdict& expected = GetParam();
  const auto file = io::read_model(kFaults / (expected.fault + ".yaml"));
  const simulate::CheckReport report = simulate::check(file.model);
  const std::string text = io::check_text(report);
  EXPECT_EQ(report.assembly.status, expected.status) << text;
  EXPECT_EQ(report.dependence.gruebler(), expected.gruebler) << text;
  EXPECT_EQ(report.dependence.degrees_of_freedom(), expected.freedom) << text;
  std::vector<std::pair<Kind, Names>> groups;
  for (const doctor::Group& group : report.dependence.groups) {
    groups.push_back({group.kind, group.constraints});
  }
  EXPECT_EQ(groups, expected.groups) << text;
  EXPECT_THAT(text, HasSubstr(expected.sentence));
  if (expected.residual > 0.0) {
    ASSERT_FALSE(report.dependence.groups.empty());
    EXPECT_NEAR(report.dependence.groups[0].residual, expected.residual, 1e-3 * expected.residual);
  }
}

constexpr auto kRedundant = Kind::redundant, kSingular = Kind::singular, kOpen = Kind::open,
               kConflicting = Kind::conflicting;
constexpr auto kOpenLoop = simulate::Status::cannot_assemble;
constexpr auto kConflict = simulate::Status::conflicting_constraints;
const Names kLoop{"A", "B", "C", "D"}, kDoor{"lower", "upper"};

INSTANTIATE_TEST_SUITE_P(
    Table, Fault,
    ::testing::Values(
        Verdict{"door-two-hinges", -4, 1, {{kRedundant, {"hinge_left", "hinge_right"}}},
                "hinge_right: translation along x, y and z and rotation about y and x are already "
                "prevented by hinge_left"},
        Verdict{"weld-beside-hinge", -5, 0, {{kRedundant, {"weld", "hinge"}}},
                "are already prevented by weld"},
        Verdict{"parallelogram-three-cranks", 0, 1,
                {{kRedundant, {"A", "B", "C", "D", "E", "F"}}},
                "F: translation along y is already prevented by A, B, C, D and E"},
        Verdict{"four-bar-in-space", -2, 1, {{kRedundant, kLoop}}, "redundant, 3 equations too many"},
        Verdict{"four-bar-wrong-axis", -2, 0, {{kRedundant, kLoop}},
                "the axis of C may be wrong"},
        Verdict{"slides-parallel", -4, 1, {{kRedundant, {"rail_1", "rail_2"}}},
                "translation along y and z are already prevented by rail_1"},
        Verdict{"slides-crossed", -4, 0, {{kRedundant, {"rail_1", "rail_2"}}},
                "the axis of rail_1 or rail_2 may be wrong"},
        Verdict{"bar-twice", 0, 1, {{kRedundant, {"bar", "copy"}}},
                "copy: change of length along x is already prevented by bar"},
        Verdict{"three-bars-one-point", -1, 0, {{kRedundant, {"left", "right", "middle"}}},
                "middle: change of length along y is already prevented by left and right"},
        Verdict{"drives-agree", -6, 0, {{kRedundant, kDoor}}, "driven rotation about z"},
        Verdict{"drives-disagree", -3, 0,
                {{kConflicting, {"motor.drive", "brake.drive"}}, {kRedundant, {"motor", "brake"}}},
                "brake.drive: driven rotation about z is in velocity contradicted by motor.drive",
                kConflict, 1.0},
        Verdict{"drives-of-two-kinds", -6, 0,
                {{kConflicting, {"motor", "brake.drive"}}, {kRedundant, {"motor", "brake"}}},
                "brake.drive: driven rotation about z is in velocity contradicted by motor, 1 rad/s "
                "remain",
                kConflict, 1.0},
        Verdict{"drives-apart", -3, 0,
                {{kConflicting, {"motor", "brake"}}, {kRedundant, {"motor", "brake"}}},
                "brake: driven rotation about z is contradicted by motor, 0.1 rad remain", kConflict,
                0.1},
        Verdict{"hinges-apart", -4, 1, {{kConflicting, kDoor}, {kRedundant, kDoor}},
                "upper: translation along z is contradicted by lower, 0.01 m remain", kConflict, 0.01},
        Verdict{"hinges-a-hair-apart", -4, 1, {{kConflicting, kDoor}, {kRedundant, kDoor}},
                "upper: translation along x is contradicted by lower, 1e-07 m remain", kConflict,
                1e-7},
        Verdict{"hinges-apart-by-round-off", -4, 1, {{kRedundant, kDoor}},
                "redundant, 5 equations too many"},
        Verdict{"hinges-tilted", -4, 0, {{kConflicting, kDoor}, {kRedundant, kDoor}},
                "rotation about y are contradicted by lower", kConflict, 0.0999},
        Verdict{"welds-apart", -6, 0, {{kConflicting, {"one", "two"}}, {kRedundant, {"one", "two"}}},
                "two: translation along x is contradicted by one, 0.2 m remain", kConflict, 0.2},
        Verdict{"hinges-nearly-parallel", -4, 0, {{kRedundant, kDoor}},
                "lower and upper are nearly dependent, to 1.0e-05"},
        Verdict{"hinges-out-of-line", -4, 0, {{kRedundant, kDoor}},
                "lower and upper are nearly dependent, to 2.6e-04"},
        Verdict{"four-bar-flat", 1, 2, {{kSingular, kLoop}},
                "D: translation along x is at this position already prevented by A, B and C"},
        Verdict{"piston-dead-centre", 0, 1, {{kSingular, {"main", "pin", "wrist", "bore"}}},
                "0 next to this position"},
        Verdict{"four-bar-stretched", 1, 2, {{kSingular, kLoop}},
                "it is locked: A, B, C and D hold together in this position and in none next to it"},
        Verdict{"bars-too-short", 0, 1, {{kOpen, {"left", "right"}}},
                "the loop of left and right cannot close, 1 m remain", kOpenLoop, 1.0},
        Verdict{"four-bar-too-short", 2, 3, {{kOpen, kLoop}},
                "the loop of A, B, C and D cannot close, 0.5 m remain", kOpenLoop, 0.5},
        Verdict{"four-bar-far-too-short", 1, 2, {{kOpen, kLoop}},
                "the loop of A, B, C and D cannot close, 997 m remain", kOpenLoop, 997.0},
        Verdict{"crank-too-long", 1, 2, {{kOpen, {"main", "guide", "rod"}}},
                "the loop of main, guide and rod cannot close, 0.3 m remain", kOpenLoop, 0.3},
        Verdict{"guess-on-the-line", 0, 0, {}, "9 starts were tried"},
        Verdict{"fixed-blocks", 0, 0, {}, "'block', which is fixed, moves by 0.05 m", kOpenLoop},
        Verdict{"no-ground", 4, 4, {}, "no joint connects upper and lower to the ground"},
        Verdict{"body-forgotten", 7, 7, {}, "no joint connects weight to the ground"},
        Verdict{"mass-ratio", 2, 2, {}, "masses differ by a factor of 1e+12: 'ring'"},
        Verdict{"inertia-in-gram-millimetres", 1, 1, {}, "body 'bar' has an inertia of 8.33e+04"},
        Verdict{"massless-coordinate", 1, 1, {}, "coordinate 'phi' has no mass"},
        Verdict{"millimetres", 1, 1, {}, "body 'crank' reaches 1.5e+03 m"},
        Verdict{"gravity-in-millimetres", 1, 1, {}, "it looks like mm/s^2"},
        Verdict{"density-in-gram-centimetres", 1, 1, {}, "'bar' has a density of 7.85e-06 kg/m^3"},
        Verdict{"angle-in-degrees", 1, 1, {}, "body 'bar' stands at an angle of 45 rad"},
        Verdict{"rotation-in-degrees", 1, 1, {}, "body 'bar' stands at an angle of 45 rad"},
        Verdict{"start-in-degrees", 1, 1, {}, "body 'bar' stands at an angle of 30 rad"},
        Verdict{"points-mirrored", 0, 0, {}, "body 'beam' was turned by 165 degrees"}),
    [](const auto& instance) {
      std::string name = instance.param.fault;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// Faults that the reader refuses before the doctor sees them.
struct Refusal {
  std::string fault, message;
};
class RefusedFault : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedFault, HasAPositionAndARemedy) {
  const fs::path path = kFaults / (GetParam().fault + ".yaml");
  try {
    io::read_model(path);
    FAIL() << "was read";
  } catch (const io::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), HasSubstr(path.filename().string() + ":"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedFault,
    ::testing::Values(Refusal{"inertia-unreal", "no real body has the principal moments 1, 1, 5"},
                      Refusal{"massless-body", "body 'bar': mass is 0"},
                      Refusal{"axis-reversed", "180 degrees apart"}));

TEST(Faults, AreAllInTheTables) {
  const auto files = std::distance(fs::directory_iterator(kFaults), fs::directory_iterator());
  EXPECT_EQ(files, 44);
}

simulate::CheckReport check_fault(const std::string& name, std::vector<std::string> set = {}) {
  return simulate::check(io::read_model(kFaults / (name + ".yaml"), set).model);
}

TEST(NearlyDependent, AreHingesAMillimetreOutOfLineAndNotACentimetre) {
  const auto warnings = [](const std::string& offset) {
    return check_fault("hinges-out-of-line", {"joints.upper.at=[" + offset + ", 0, 1.8]"}).warnings();
  };
  EXPECT_THAT(warnings("1e-3"), Contains(HasSubstr("lower and upper are nearly dependent")));
  EXPECT_THAT(warnings("1e-2"), ::testing::IsEmpty());
}

// Whatever the gap, it is closed or contradicts.
TEST(Gaps, AreToleratedOrContradict) {
  for (const char* gap : {"1e-11", "1e-9", "4e-9", "6e-9", "1e-8", "1e-7", "1e-6", "1e-4", "1e-2"}) {
    const auto report = check_fault("hinges-a-hair-apart",
                                    {fmt::format("joints.upper.at.door=[{}, 0, 1.8]", gap)});
    EXPECT_EQ(report.sound(), !report.dependence.contradicts()) << gap;
    EXPECT_EQ(report.sound(), std::stod(gap) < 8e-9) << gap;
  }
}

// A stretched loop is locked, a folded parallelogram is not: it has two ways out.
TEST(SingularPositions, AreLockedWhereNoMotionLeavesThem) {
  const auto stretched = check_fault("four-bar-stretched");
  EXPECT_TRUE(stretched.dependence.locked());
  EXPECT_EQ(stretched.dependence.degrees_of_freedom_nearby(), 0);
  EXPECT_THAT(stretched.verdict(), HasSubstr("which is locked: no motion leaves it"));
  const auto flat = check_fault("four-bar-flat");
  EXPECT_FALSE(flat.dependence.locked());
  EXPECT_EQ(flat.dependence.degrees_of_freedom_nearby(), 1);
}

TEST(SingularPositions, AreToldByARunThatStartsThere) {
  const auto file = io::read_model(kFaults / "four-bar-stretched.yaml");
  const simulate::Summary summary = simulate::run(file.model, file.settings);
  EXPECT_THAT(summary.warnings,
              Contains(HasSubstr("At t = 0 s the mechanism stands in a singular position of A, B, C "
                                 "and D: it is locked")));
  EXPECT_THAT(summary.constraint_verdict, HasSubstr("locked"));
  ASSERT_NE(summary.status, simulate::Status::done);
  EXPECT_THAT(summary.message, HasSubstr("a load across it has no finite reaction"));
}

// Nothing is said of turns that have closed nothing, and velocities do not open positions.
TEST(Reports, BlameWhatIsWrong) {
  EXPECT_THAT(check_fault("four-bar-far-too-short").warnings(), ::testing::IsEmpty());
  const std::string speeds = io::check_text(check_fault("drives-of-two-kinds"));
  EXPECT_THAT(speeds, HasSubstr("no velocities satisfy all constraints"));
  EXPECT_THAT(speeds, ::testing::Not(HasSubstr("could not be closed")));
}

simulate::CheckReport gallery(const std::string& name, std::vector<std::string> set = {}) {
  return simulate::check(io::read_model(kModels / (name + ".yaml"), set).model);
}

TEST(Gallery, HasNothingToWarnOf) {
  for (const auto& entry : fs::directory_iterator(kModels)) {
    const auto report = simulate::check(io::read_model(entry.path()).model);
    EXPECT_TRUE(report.sound()) << entry.path();
    EXPECT_THAT(report.warnings(), ::testing::IsEmpty()) << entry.path();
    EXPECT_FALSE(report.dependence.has(Kind::singular)) << entry.path();
  }
}

/// A planar four-bar of links 1, 1.5 and 1 m between supports 1.5 m apart, placed by `initial`.
model::Model four_bar(const std::string& initial) {
  return io::parse_model(R"(
daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 0.1, center: [0.5, 0]}
  b: {mass: 1, inertia: 0.1, center: [0.75, 0]}
  c: {mass: 1, inertia: 0.1, center: [0.5, 0]}
joints:
  A: {type: revolute, between: [ground, a], at: {ground: [0, 0], a: [0, 0]}}
  B: {type: revolute, between: [a, b], at: {a: [1, 0], b: [0, 0]}}
  C: {type: revolute, between: [b, c], at: {b: [1.5, 0], c: [1, 0]}}
  D: {type: revolute, between: [ground, c], at: {ground: [1.5, 0], c: [0, 0]}}
initial: )" + initial + "\n", "four-bar.yaml").model;
}

TEST(Fixed, StaysExactlyWherePreferredPlacesYield) {
  const auto report = simulate::check(four_bar(
      "{c: {position: [1.5, 0], angle: 0.3, priority: fixed}, a: {angle: 1.2, priority: preferred}}"));
  EXPECT_TRUE(report.sound()) << report.assembly.message;
  for (const std::string& move : report.assembly.moved) EXPECT_THAT(move, Not(HasSubstr("'c'")));
}

TEST(Fixed, OnBothSidesMovesTheCouplerAlone) {
  for (const char* b : {"position: [-2, 3], angle: 2.5", "position: [9, -4], angle: -3"}) {
    const auto report = simulate::check(four_bar(fmt::format(
        "{{a: {{position: [0, 0], angle: 0.8, priority: fixed}}, c: {{position: [1.5, 0], angle: 0.8, "
        "priority: fixed}}, b: {{{}, priority: free}}}}", b)));
    EXPECT_TRUE(report.sound()) << report.assembly.message;
    EXPECT_THAT(report.assembly.moved, ElementsAre(HasSubstr("'b' was moved")));
  }
}

// The joint D holds c at x = 1.5.
TEST(Fixed, InAPlaceThatCannotBeIsNamedWithItsMove) {
  const auto report = simulate::check(
      four_bar("{c: {position: [1.6, 0], angle: 0.3, priority: fixed}, a: {angle: 0.3}}"));
  EXPECT_EQ(report.assembly.status, kOpenLoop);
  EXPECT_THAT(report.assembly.message, HasSubstr("only if 'c', which is fixed, moves by 0.0"));
}

// G has a zero row where the points of a distance coincide.
TEST(Distance, ClosesFromPointsThatCoincide) {
  const auto check = [](const std::string& header, const std::string& rest) {
    return simulate::check(io::parse_model("daedal: 1\n" + header + rest, "bar.yaml").model);
  };
  const std::string bob = "bodies: {bob: {type: point, mass: 1, position: [0, 0]}}\n";
  const std::string bar = "joints: {bar: {type: distance, between: [ground, bob], length: 1";
  const auto plane = check("planar: true\n", bob + bar + "}}\n");
  EXPECT_TRUE(plane.sound()) << plane.assembly.message;
  EXPECT_EQ(plane.assembly.attempts, 9);
  const auto angle = check("planar: true\n", bob + bar + ", coordinates: {direction: phi}}}\n");
  EXPECT_TRUE(angle.sound()) << angle.assembly.message;
  const auto space = check("", "bodies: {bob: {type: point, mass: 1, position: [0, 0, 0]}}\n" + bar + "}}\n");
  EXPECT_TRUE(space.sound()) << space.assembly.message;
  const auto given = check("planar: true\n", "bodies: {bob: {type: point, mass: 1, position: [0, -1]}}\n" +
                                                 bar + "}}\ninitial: {bob: {position: [0, 0]}}\n");
  EXPECT_TRUE(given.sound()) << given.assembly.message;
  const auto spring = gallery("pendulum-spring", {"initial.bob={position: [0, 0]}"});
  EXPECT_TRUE(spring.sound()) << spring.assembly.message;
}

TEST(Drives, ThatPartInAccelerationAreNamed) {
  const auto report =
      gallery("door", {"joints.lower.drive={angle: t}", "joints.upper.drive={angle: t+t^2}"});
  EXPECT_EQ(report.assembly.status, kConflict);
  ASSERT_FALSE(report.dependence.groups.empty());
  const doctor::Group& group = report.dependence.groups[0];
  EXPECT_EQ(group.kind, Kind::conflicting);
  EXPECT_EQ(group.constraints, kDoor);
  EXPECT_NEAR(group.residual, 2.0, 1e-9);
  EXPECT_EQ(group.unit, "rad/s^2");
  EXPECT_THAT(report.assembly.message,
              HasSubstr("upper: driven rotation about z is in acceleration contradicted by lower"));
  EXPECT_EQ(io::check_json(report)["conflicting"].size(), 1u);
}

// Two rails almost parallel, alone and beside a loop that cannot close.
TEST(Parts, AreJudgedByThemselves) {
  const std::string rails = R"(
  F: {type: prismatic, between: [ground, d], at: [6, 0], axis: [1, 0]}
  G: {type: prismatic, between: [ground, d], at: [6, 1], axis: [1, 1e-4]}
)";
  const auto alone = simulate::check(io::parse_model(
      "daedal: 1\nplanar: true\nbodies:\n  d: {mass: 1, inertia: 0.1, position: [6, 0]}\njoints:" + rails,
      "alone.yaml").model);
  const auto beside = simulate::check(io::parse_model(R"(
daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 0.1}
  b: {mass: 1, inertia: 0.1, position: [1, 0]}
  d: {mass: 1, inertia: 0.1, position: [6, 0]}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0]}
  B: {type: revolute, between: [a, b], at: [1, 0]}
  C: {type: distance, between: [ground, b], at: {ground: [10, 0]}, length: 1})" + rails,
      "beside.yaml").model);
  ASSERT_EQ(alone.dependence.groups.size(), 1u);
  ASSERT_EQ(beside.dependence.groups.size(), 2u);
  EXPECT_EQ(beside.dependence.groups[0].kind, Kind::open);
  EXPECT_EQ(beside.dependence.groups[1].sentences, alone.dependence.groups[0].sentences);
  EXPECT_EQ(beside.dependence.groups[1].kind, alone.dependence.groups[0].kind);
  EXPECT_EQ(beside.warnings(), alone.warnings());
}

TEST(Velocities, ThatCannotBeAreAFindingBesideTheDiagnosis) {
  const auto report = check_fault("four-bar-wrong-axis", {"initial={crank: {angular_velocity: [0, 0, 1]}}"});
  EXPECT_THAT(report.warnings(), Contains(HasSubstr("angular_velocity contradicts the joints")));
  EXPECT_THAT(report.verdict(), HasSubstr("not with the velocities given"));
  EXPECT_THAT(io::check_text(report), HasSubstr("the axis of C may be wrong"));
}

TEST(Drives, ToAConstantAngleOfNinetyLookLikeDegrees) {
  const auto warnings = [](const std::string& angle) {
    return gallery("door", {"initial={}", "joints.lower.drive={angle: " + angle + "}"}).warnings();
  };
  EXPECT_THAT(warnings("90"), Contains(HasSubstr("joint 'lower' is driven to an angle of 90 rad: that "
                                                 "looks like degrees; write 90*pi/180")));
  EXPECT_THAT(warnings("90*pi/180"), Not(Contains(HasSubstr("degrees; write"))));
  EXPECT_THAT(warnings("90*t"), Not(Contains(HasSubstr("degrees; write"))));
}

TEST(WrongAxis, IsNotSaidOfASphericalJoint) {
  const auto report = simulate::check(io::parse_model(R"(
daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
joints:
  H: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  S: {type: spherical, between: [ground, a], at: [1, 0, 0]}
)", "held.yaml").model);
  const std::string text = io::check_text(report);
  EXPECT_THAT(text, HasSubstr("nothing can move"));
  EXPECT_THAT(text, Not(HasSubstr("the axis of S")));
  EXPECT_THAT(text, Not(HasSubstr("or S")));
}

TEST(Bricard, HasOneDegreeOfFreedomAndOneRedundantEquation) {
  const auto report = gallery("bricard");
  const doctor::Dependence& d = report.dependence;
  EXPECT_EQ(d.gruebler(), 0);
  EXPECT_EQ(d.degrees_of_freedom(), 1);
  ASSERT_EQ(d.groups.size(), 1u);
  EXPECT_EQ(d.groups[0].kind, Kind::redundant);
  EXPECT_EQ(d.groups[0].rows, 1);
  EXPECT_EQ(d.groups[0].constraints, (Names{"P1", "P2", "P3", "P4", "P5", "P6"}));
}

TEST(Ring, OfManyLinksClosesFromARoughGuess) {
  const auto file = io::parse_model(R"(
daedal: 1
planar: true
parameters: {N: 200, R: N/(2*pi)}
bodies:
  "link[i]":
    repeat: {i: [1, N]}
    mass: 1
    inertia: 1/12
    center: [0.5, 0]
    position: [R*cos(2*pi*i/N) + 0.2*sin(7*i), R*sin(2*pi*i/N) + 0.2*sin(11*i)]
    angle: 2*pi*i/N + pi/2 + 0.3*sin(5*i)
joints:
  base: {type: revolute, between: [ground, "link[1]"], at: {ground: [0, 0], "link[1]": [0, 0]}}
  "pin[i]": {repeat: {i: [2, N]}, type: revolute, between: ["link[i-1]", "link[i]"], at: {"link[i-1]": [1, 0], "link[i]": [0, 0]}}
  last: {type: revolute, between: ["link[N]", "link[1]"], at: {"link[N]": [1, 0], "link[1]": [0, 0]}}
)", "ring.yaml");
  const auto report = simulate::check(file.model);
  EXPECT_TRUE(report.sound()) << report.assembly.message;
  EXPECT_EQ(report.dependence.degrees_of_freedom(), 198);
  EXPECT_THAT(report.warnings(), ::testing::IsEmpty());
}

// A perturbed start closes it a turn off; a spring at O would be wound up by that.
TEST(FullTurns, AreTakenBackUnlessADriveAsksForThem) {
  const auto angle = [](std::string_view drive) {
    const auto file = io::parse_model(fmt::format(R"(
daedal: 1
planar: true
bodies:
  crank: {{mass: 1, inertia: 0.1}}
  rod: {{mass: 2, inertia: 0.2}}
  rocker: {{mass: 1, inertia: 0.1}}
joints:
  O: {{type: revolute, between: [ground, crank], at: {{ground: [0, 0], crank: [0, 0]}}{}}}
  A: {{type: revolute, between: [crank, rod], at: {{crank: [1, 0], rod: [0, 0]}}}}
  B: {{type: revolute, between: [rod, rocker], at: {{rod: [3, 0], rocker: [2, 0]}}}}
  C: {{type: revolute, between: [ground, rocker], at: {{ground: [3, 0], rocker: [0, 0]}}}}
initial:
  crank: {{angle: 1, priority: free}}
  rod: {{position: [5, -7], angle: 2, priority: free}}
  rocker: {{position: [-3, 4], angle: 4}}
outputs: {{angle: {{angle: O}}}}
simulate: {{until: 1e-6, step: 1e-6}}
)",
                                                  drive),
                                      "four-bar.yaml");
    const auto summary = simulate::run(file.model, file.settings);
    EXPECT_EQ(summary.status, simulate::Status::done) << summary.message;
    return summary.final.at(0).second;
  };
  EXPECT_NEAR(angle(""), 1.5177, 1e-3);
  EXPECT_NEAR(angle(", drive: {angle: 7}"), 7.0, 1e-9);
}

// 3000 loops in a row, upright and lying flat: the groups are those of single loops.
TEST(NFourBar, IsRegularUprightAndSingularWhenItLiesFlat) {
  const auto upright = gallery("n-four-bar", {"parameters.N=3000"});
  EXPECT_TRUE(upright.dependence.independent());
  EXPECT_EQ(upright.dependence.degrees_of_freedom(), 1);
  EXPECT_EQ(upright.dependence.unique.size(), 9001u);

  const auto flat = gallery("n-four-bar", {"parameters.N=3000", "initial.link[k].angle=-pi/2",
                                           "initial.coupler[k].position=[k*L, 0]",
                                           "parameters.v0=0"});
  const doctor::Dependence& d = flat.dependence;
  EXPECT_TRUE(flat.sound());
  EXPECT_EQ(d.degrees_of_freedom(), 3001);
  EXPECT_EQ(d.degrees_of_freedom_nearby(), 1);
  ASSERT_EQ(d.groups.size(), 3000u);
  EXPECT_EQ(d.groups[0].constraints, (Names{"A[0]", "A[1]", "B[1]", "C[1]"}));
  for (const doctor::Group& group : d.groups) {
    EXPECT_EQ(group.kind, Kind::singular);
    EXPECT_EQ(group.constraints.size(), 4u);
  }
}

}  // namespace
}  // namespace daedal::testing
