// Folders that cannot be written, full disks, and mechanisms that cannot move as asked.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cmath>

#include "program.hpp"

namespace daedal::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Files of at most so many bytes: what a full disk looks like to a program.
std::function<void()> file_limit(rlim_t bytes) {
  return [bytes] {
    const struct rlimit limit {bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
}

TEST(Disk, FullWhileRunningEndsTheRunAndKeepsWhatIsThere) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"run", "chain", "--format", "json"}, file_limit(3 << 20));
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const io::Json json = outcome.json();
  EXPECT_EQ(json["status"], "output_failed");
  EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("chain.h5"));
  const io::ResultReader reader(folder / "chain.h5");
  EXPECT_GT(reader.rows(), 10u);
  // With room again, the run goes on.
  const io::Json rest = run_json(folder, {"run", "--continue", "chain.h5"});
  EXPECT_EQ(rest["status"], "done");
  EXPECT_EQ(rest["time"], 2.0);
}

TEST(Disk, FullFromTheStartIsASentenceAndLeavesNothing) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"run", "pendulum"}, file_limit(4096));
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("pendulum.h5"));
  EXPECT_THAT(folder.files(), IsEmpty());
}

// Wherever room ends - in the structure, the first row, the rows or the summary - what is said to
// be in the file is there.
TEST(Disk, FullAtAnyMomentIsToldAsItIs) {
  int without_rows = 0, with_rows = 0;
  for (rlim_t kilobytes = 60; kilobytes < 700; kilobytes += kSanitized ? 80 : 16) {
    const Folder folder;
    const Outcome outcome = daedal(folder, {"run", "pendulum", "--format", "json"},
                                   file_limit(kilobytes << 10));
    ASSERT_EQ(outcome.signal, 0);
    if (outcome.code == 0) continue;
    const io::Json json = outcome.json();
    if (outcome.code == 2) {
      EXPECT_THAT(folder.files(), IsEmpty()) << kilobytes;
      continue;
    }
    EXPECT_EQ(json["status"], "output_failed");
    if (json["rows"] == 0) {
      ++without_rows;
      EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("no row could be written"));
      EXPECT_TRUE(json["result"].is_null());
      EXPECT_THAT(folder.files(), IsEmpty()) << kilobytes;
    } else {
      ++with_rows;
      EXPECT_EQ(io::ResultReader(folder / "pendulum.h5").rows(), json["rows"].get<std::size_t>());
      EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("in the file")) << kilobytes;
    }
  }
  std::printf("%d runs without rows, %d with some\n", without_rows, with_rows);
  EXPECT_GE(without_rows, 1);
  EXPECT_GE(with_rows, 1);
}

TEST(Disk, FullForTableAndPlotKeepsTheResult) {
  const Folder folder;
  run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.1"});
  // Room for the result, not for the table.
  fs::create_directory(folder / "full.csv");
  const io::Json json = run_json(
      folder, {"run", "pendulum", "--set", "simulate.until=0.1", "--csv", "full.csv"}, 1);
  EXPECT_EQ(json["status"], "output_failed");
  EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("full.csv"));
  EXPECT_EQ(io::ResultReader(folder / "pendulum.h5").rows(), 11u);
}

// What is said of the result is true, and what is advised works.
TEST(Disk, FullForTheTableAloneIsToldAsItIs) {
  const Folder folder;
  const io::Json json =
      run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.1", "--csv", "/dev/full"}, 1);
  EXPECT_THAT(json["message"].get<std::string>(),
              AllOf(HasSubstr("cannot write '/dev/full': No space left"),
                    HasSubstr("write it elsewhere; the result is complete")));
  EXPECT_THAT(json["advice"].get<std::string>(),
              AllOf(HasSubstr("'daedal run --continue RESULT'"), HasSubstr("--csv")));
  run_json(folder, {"run", "--continue", "pendulum.h5", "--csv", "table.csv"});
  const std::string table = text_of(folder / "table.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 11);
}

TEST(Disk, SmallFileSystemThatFillsUpEndsTheRun) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to mount";
  const Folder folder;
  fs::create_directory(folder / "disk");
  if (::mount("tmpfs", (folder / "disk").c_str(), "tmpfs", 0, "size=3m") != 0) {
    GTEST_SKIP() << "may not mount here";
  }
  const Outcome outcome = daedal(folder, {"run", "chain", "-o", "disk/chain.h5", "-q"});
  std::size_t rows = 0;
  EXPECT_NO_THROW(rows = io::ResultReader(folder / "disk" / "chain.h5").rows());
  ::umount((folder / "disk").c_str());
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("disk/chain.h5"));
  EXPECT_GT(rows, 10u);
}

TEST(Disk, ReadOnlyFolderIsASentence) {
  const Folder folder;
  fs::create_directory(folder / "locked");
  const auto as_nobody = [] {
    if (::geteuid() == 0 && ::setgid(65534) == 0 && ::setuid(65534) != 0) ::_exit(125);
  };
  // The program itself must be reachable for nobody.
  ::chmod(folder.path().c_str(), 0755);
  ::chmod((folder / "locked").c_str(), 0555);
  const Outcome probe = daedal(folder, {"--version"}, as_nobody);
  if (probe.code != 0) GTEST_SKIP() << "the program cannot be started by another user";
  const Outcome outcome = daedal(folder, {"run", "pendulum", "-o", "locked/a.h5"}, as_nobody);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("locked/a.h5"), HasSubstr("ermission")));
  EXPECT_TRUE(fs::is_empty(folder / "locked"));
}

TEST(Disk, MissingFolderIsASentence) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"run", "pendulum", "-o", "no/such/folder/a.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no/such/folder"));
  EXPECT_THAT(folder.files(), IsEmpty());
}

io::Json run_text(const Folder& folder, const std::string& text, int code,
                  std::vector<std::string> more = {}) {
  folder.write("m.yaml", text);
  more.insert(more.begin(), {"run", "m.yaml"});
  return run_json(folder, more, code);
}

const std::string kShaft = R"(daedal: 1
bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}}
joints:
  first: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: 2*t}}
)";

TEST(Mechanism, TwoDrivesThatAgreeRun) {
  const Folder folder;
  const io::Json json = run_text(folder, kShaft + R"(
  second: {type: revolute, between: [ground, rotor], at: [0, 0, 1], axis: [0, 0, 1], drive: {angle: 2*t}}
outputs: {turned: {angle: first}}
simulate: {until: 1, step: 0.01}
)",
                                 0);
  EXPECT_EQ(json["redundant_constraints"], true);
  EXPECT_NEAR(json["final"]["turned"].get<double>(), 2.0, 1e-8);
}

TEST(Mechanism, TwoDrivesThatDisagreeConflict) {
  const Folder folder;
  for (const char* other : {"3*t", "0.5", "2*t + t^2"}) {
    const io::Json json = run_text(
        folder,
        kShaft + "  second: {type: revolute, between: [ground, rotor], at: [0, 0, 1], axis: [0, 0, "
                 "1], drive: {angle: " + other + "}}\nsimulate: {until: 1, step: 0.01}\n",
        1);
    EXPECT_EQ(json["status"], "conflicting_constraints") << other << json["message"];
    EXPECT_TRUE(json["result"].is_null());
    EXPECT_THAT(folder.files(), ElementsAre("m.yaml"));
  }
}

TEST(Mechanism, TwoRodsOfDifferentLengthConflict) {
  const Folder folder;
  const io::Json json = run_text(folder, R"(daedal: 1
bodies: {bob: {type: point, mass: 1, position: [1, 0, 0]}}
joints:
  short: {type: distance, between: [ground, bob], at: {ground: [0, 0, 0], bob: [0, 0, 0]}, length: 1}
  long: {type: distance, between: [ground, bob], at: {ground: [0, 0, 0], bob: [0, 0, 0]}, length: 1.5}
)",
                                 1);
  EXPECT_THAT(json["status"].get<std::string>(),
              AnyOf("conflicting_constraints", "cannot_assemble"));
  EXPECT_THAT(json["message"].get<std::string>(),
              AllOf(HasSubstr("'short'"), HasSubstr("'long'")));
}

TEST(Mechanism, LinksThatAreTooShortCannotBeAssembled) {
  const Folder folder;
  const io::Json json = run_text(folder, R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1, position: [1, 0]}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0]}
  B: {type: revolute, between: [a, b], at: [1, 0]}
  C: {type: revolute, between: [b, ground], at: {b: [1, 0], ground: [5, 0]}}
)",
                                 1, {"--csv", "--plot"});
  EXPECT_THAT(json["status"].get<std::string>(),
              AnyOf("conflicting_constraints", "cannot_assemble"));
  EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("'C'"));
  EXPECT_FALSE(json["advice"].get<std::string>().empty());
  EXPECT_THAT(folder.files(), ElementsAre("m.yaml"));
}

TEST(Mechanism, RoughGuessIsClosedAndSaidSo) {
  const Folder folder;
  const io::Json json = run_text(folder, R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1, position: [1, 0], angle: 0.3}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0]}
  B: {type: revolute, between: [a, b], at: {a: [1, 0], b: [0, 0]}}
  C: {type: revolute, between: [b, ground], at: {b: [1, 0], ground: [1.4, 0.8]}}
simulate: {until: 0.01, step: 1e-3}
)",
                                 0);
  EXPECT_GT(json["assembly"]["largest_move"].get<double>(), 0.1);
  EXPECT_LT(json["assembly"]["position_violation"].get<double>(), 1e-12);
  EXPECT_THAT(json["assembly"]["moved"][0].get<std::string>(), HasSubstr("was moved by"));
}

TEST(Mechanism, FreeBodyFliesOnAParabola) {
  const Folder folder;
  for (const char* method : {"newmark", "hht", "generalized-alpha", "midpoint"}) {
    const io::Json json = run_text(folder, R"(daedal: 1
gravity: [0, 0, -10]
bodies: {stone: {mass: 2, inertia: [1, 2, 3]}}
initial: {stone: {velocity: [3, 0, 5], angular_velocity: [0, 0, 4]}}
outputs: {at: {position: stone}, spin: {angular_velocity: stone, component: z}}
simulate: {until: 1, step: 0.01}
)",
                                   0, {"--set", std::string("simulate.method=") + method});
    EXPECT_NEAR(json["final"]["at.x"].get<double>(), 3.0, 1e-9) << method;
    EXPECT_NEAR(json["final"]["at.z"].get<double>(), 0.0, 1e-9) << method;
    EXPECT_NEAR(json["final"]["spin"].get<double>(), 4.0, 1e-9) << method;
    EXPECT_EQ(json["constraints"], 0);
    EXPECT_LT(json["relative_energy_error"].get<double>(), 1e-10) << method;
  }
}

TEST(Mechanism, LockedBodyStandsStillAndItsReactionCarriesIt) {
  const Folder folder;
  const io::Json json = run_text(folder, R"(daedal: 1
gravity: [0, 0, -10]
bodies: {block: {mass: 3, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {weld: {type: fixed, between: [ground, block], at: [0, 0, 0]}}
outputs: {force: {reaction: weld, component: z}, torque: {reaction: weld, component: my}}
simulate: {until: 0.1, step: 0.01}
)",
                                 0);
  EXPECT_NEAR(json["final"]["force"].get<double>(), 30.0, 1e-9);
  EXPECT_NEAR(std::abs(json["final"]["torque"].get<double>()), 30.0, 1e-9);
  EXPECT_TRUE(json["relative_energy_error"].is_null() ||
              json["relative_energy_error"].get<double>() < 1e-9);
}

TEST(Mechanism, DoorOnTwoHingesRunsAndSaysWhichReactionsAreNotUnique) {
  const Folder folder;
  const std::string door = R"(daedal: 1
gravity: [0, 0, -9.81]
bodies: {door: {mass: 20, inertia: [7, 8, 1.5], center: [0.4, 0, 1]}}
joints:
  lower: {type: revolute, between: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1]}
  upper: {type: revolute, between: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1]}
initial: {door: {angular_velocity: [0, 0, 1]}}
outputs: {angle: {angle: lower}, lift_lower: {reaction: lower, component: z}, lift_upper: {reaction: upper, component: z}}
simulate: {until: 1, step: 0.01}
)";
  const io::Json json = run_text(folder, door, 0);
  EXPECT_EQ(json["redundant_constraints"], true);
  EXPECT_THAT(json["dependent"], ::testing::UnorderedElementsAre("lower", "upper"));
  EXPECT_NEAR(json["final"]["angle"].get<double>(), 1.0, 1e-4);
  EXPECT_NEAR(json["final"]["lift_lower"].get<double>() + json["final"]["lift_upper"].get<double>(),
              20 * 9.81, 1e-6);
  EXPECT_THAT(daedal(folder, {"run", "m.yaml"}).out, HasSubstr("dependent"));
  // Continuing keeps it.
  const io::Json rest =
      run_json(folder, {"run", "--continue", "m.h5", "--set", "simulate.until=2"});
  EXPECT_EQ(rest["redundant_constraints"], true);
  EXPECT_NEAR(rest["final"]["angle"].get<double>(), 2.0, 1e-4);
}

TEST(Mechanism, VelocitiesThatContradictJointsPointIntoTheFile) {
  const Folder folder;
  const std::string text = R"(daedal: 1
bodies:
  rotor: {mass: 1, inertia: [1, 1, 1]}
joints:
  hub: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1]}
initial:
  rotor: {velocity: [1, 0, 0]}
)";
  folder.write("m.yaml", text);
  const Outcome outcome = daedal(folder, {"run", "m.yaml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("m.yaml:7:21: "), HasSubstr("contradicts")));
  EXPECT_THAT(folder.files(), ElementsAre("m.yaml"));
}

TEST(Mechanism, ContradictingVelocitiesOfRepeatedBodiesPointToTheTemplate) {
  const Folder folder;
  folder.write("m.yaml", R"(daedal: 1
bodies:
  "rotor[i]": {repeat: {i: [1, 3]}, mass: 1, inertia: [1, 1, 1], position: [i, 0, 0]}
joints:
  "hub[i]": {repeat: {i: [1, 3]}, type: revolute, between: [ground, "rotor[i]"], at: [i, 0, 0], axis: [0, 0, 1]}
initial:
  "rotor[i]": {repeat: {i: [2, 3]}, velocity: [0, i, 0]}
)");
  const Outcome outcome = daedal(folder, {"run", "m.yaml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("m.yaml:7:47: "), HasSubstr("rotor[2]"), HasSubstr("rotor[3]")));
}

TEST(Mechanism, DriveThatJumpsEndsTheRunWithASentence) {
  const Folder folder;
  const io::Json json = run_text(folder, R"(daedal: 1
bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}}
joints:
  hub: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: step(t - 0.5)}}
simulate: {until: 1, step: 0.01}
)",
                                 1);
  EXPECT_EQ(json["status"], "conflicting_constraints");
  EXPECT_THAT(json["message"].get<std::string>(), AllOf(HasSubstr("jumps"), HasSubstr("0.5")));
  const io::ResultReader reader(folder / "m.h5");
  EXPECT_GE(reader.rows(), 50u);
}

TEST(Mechanism, ForceThatIsNotFiniteEndsTheRunWithASentence) {
  const Folder folder;
  const io::Json json = run_text(folder, R"(daedal: 1
bodies: {stone: {type: point, mass: 1}}
forces: {push: {type: force, body: stone, value: ["1/(0.5 - t)^0.5", 0, 0]}}
simulate: {until: 1, step: 0.01}
)",
                                 1);
  EXPECT_EQ(json["status"], "step_too_small");
  EXPECT_THAT(json["message"].get<std::string>(),
              AllOf(HasSubstr("at t = 0.5 s"), HasSubstr("'stone[0]'"),
                    HasSubstr("the last one tried ended with not_finite")));
  EXPECT_THAT(json["advice"].get<std::string>(),
              AllOf(HasSubstr("force or drive that grows without bound"), HasSubstr("--plot")));
  EXPECT_NEAR(json["time"].get<double>(), 0.5, 0.011);
  EXPECT_GE(io::ResultReader(folder / "m.h5").rows(), 45u);
}

TEST(Mechanism, DriveThatIsNotSmoothAtTheStartIsNotFinite) {
  const Folder folder;
  for (const auto& [angle, message] :
       {std::pair{"log(t)", "a constraint is not finite at the start: 'pin' by inf m or rad"},
        std::pair{"t^0.5", "the rate of a constraint at t = 0 s is not finite: 'pin' by inf m/s"},
        std::pair{"t^1.5", "an acceleration at t = 0 s is not finite"}}) {
    const io::Json json = run_text(folder, fmt::format(R"(daedal: 1
planar: true
bodies: {{bar: {{mass: 1, inertia: 1}}}}
joints: {{pin: {{type: revolute, between: [ground, bar], at: [0, 0], drive: {{angle: {}}}}}}}
simulate: {{until: 1, step: 0.01}}
)",
                                                       angle),
                                   1);
    EXPECT_EQ(json["status"], "not_finite") << angle;
    EXPECT_THAT(json["message"].get<std::string>(), HasSubstr(message));
    // Nothing is said of constraints that could not be examined.
    const Outcome report = daedal(folder, {"check", "m.yaml"});
    EXPECT_EQ(report.code, 1);
    EXPECT_THAT(report.out, AllOf(HasSubstr(message), Not(HasSubstr("degrees of freedom")),
                                  Not(HasSubstr("all are unique"))));
    const Outcome document = daedal(folder, {"check", "m.yaml", "--format", "json"});
    EXPECT_TRUE(document.json()["degrees_of_freedom"].is_null()) << angle;
  }
  const io::Json later = run_text(folder, R"(daedal: 1
planar: true
bodies: {bar: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, bar], at: [0, 0], drive: {angle: "max(0, t - 0.5)^0.5"}}}
simulate: {until: 1, step: 0.01}
)",
                                  1);
  EXPECT_EQ(later["status"], "not_finite");
  EXPECT_NEAR(later["time"].get<double>(), 0.5, 1e-9);
}

TEST(Tolerance, BelowRoundOffRunsAndSaysWhatWasReached) {
  const Folder folder;
  const io::Json json = run_json(folder, {"run", "squeezer", "--set", "simulate.until=1e-3", "--set",
                                          "simulate.tolerance=1e-16"});
  EXPECT_EQ(json["status"], "done");
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_THAT(json["warnings"][0].get<std::string>(),
              AllOf(HasSubstr("1.0e-16"), HasSubstr("double precision")));
  const Outcome text = daedal(folder, {"run", "squeezer", "--set", "simulate.until=1e-3", "--set",
                                       "simulate.tolerance=1e-16"});
  EXPECT_THAT(text.out, HasSubstr("Warning: A tolerance of 1.0e-16"));
}

TEST(Tolerance, UnresolvedMotionIsWarnedOf) {
  const Folder folder;
  const io::Json json = run_json(folder, {"run", "pendulum", "--set", "simulate.step=0.1", "--set",
                                          "simulate.rho_inf=0.2"});
  ASSERT_GT(json["relative_energy_error"].get<double>(), 1e-2);
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_THAT(json["warnings"][0].get<std::string>(),
              AllOf(HasSubstr("energy"), HasSubstr("simulate.step=0.05")));
}

}  // namespace
}  // namespace daedal::testing
