// Runs that end before their time, by kill or Ctrl-C, and go on.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>
#include <thread>

#include "program.hpp"

namespace daedal::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Clock = std::chrono::steady_clock;

/// A chain of ten links: a fifth of a second, several flushes of the result.
const std::vector<std::string> kChain{"run", "chain", "--set",
                                      kSanitized ? "simulate.until=0.3" : "simulate.until=1.5"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Largest differences of two results, relative to the largest entry of each dataset.
struct Difference {
  double motion = 0.0;  // coordinates, velocities, reactions, outputs
  double scheme = 0.0;  // the scheme's own accelerations, multipliers and memory
};

Difference difference(const fs::path& a, const fs::path& b) {
  Difference worst;
  const auto rows_a = rows_of(a), rows_b = rows_of(b);
  EXPECT_EQ(rows_a.size(), rows_b.size());
  for (std::size_t i = 0; i < std::min(rows_a.size(), rows_b.size()); ++i) {
    const auto& [name, x] = rows_a[i];
    const auto& y = rows_b[i].second;
    EXPECT_EQ(x.size(), y.size()) << name;
    if (x.size() != y.size() || name == "diagnostics") continue;
    double size = 1e-300, off = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      size = std::max(size, std::abs(x[k]));
      if (!(std::abs(x[k] - y[k]) <= off)) off = std::abs(x[k] - y[k]);
    }
    double& kind = name.starts_with("method/") ? worst.scheme : worst.motion;
    kind = std::max(kind, off / size);
  }
  std::printf("differences: motion %.1e, scheme %.1e\n", worst.motion, worst.scheme);
  return worst;
}

class Killed : public ::testing::TestWithParam<int> {
 protected:
  /// Kills a run five times at random moments and finishes it.
  void interrupt(const std::vector<std::string>& arguments, const Folder& folder) {
    const auto begin = Clock::now();
    ASSERT_EQ(daedal(folder, with(arguments, {"-o", "whole.h5", "-q"})).code, 0);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();

    std::mt19937 random(static_cast<unsigned>(1234 + GetParam()));
    std::uniform_real_distribution<double> moment(0.0, 0.6);
    int opened = 0, killed = 0;
    for (int kills = 0; kills < 5; ++kills) {
      const fs::path file = folder / "cut.h5";
      const std::size_t before = fs::exists(file) ? io::ResultReader(file).rows() : 0;
      Process process(folder, before > 0
                                  ? std::vector<std::string>{"run", "--continue", "cut.h5", "-q"}
                                  : with(arguments, {"-o", "cut.h5", "-q"}));
      std::this_thread::sleep_for(std::chrono::duration<double>(moment(random) * seconds));
      process.kill(SIGKILL);
      killed += process.wait().signal == SIGKILL;
      if (!fs::exists(file)) continue;
      const io::ResultReader reader(file);  // throws if it cannot be read
      ++opened;
      EXPECT_GE(reader.rows(), before);
      EXPECT_FALSE(reader.being_written());
      const std::vector<double> time = reader.read(*reader.index("time"));
      for (std::size_t i = 1; i < time.size(); ++i) ASSERT_LT(time[i - 1], time[i]);
    }
    const bool has_rows =
        fs::exists(folder / "cut.h5") && io::ResultReader(folder / "cut.h5").rows() > 0;
    const Outcome last =
        daedal(folder, has_rows ? std::vector<std::string>{"run", "--continue", "cut.h5"}
                                : with(arguments, {"-o", "cut.h5"}));
    EXPECT_EQ(last.code, 0) << last.err;
    std::printf("%d of 5 runs killed, %d results opened\n", killed, opened);
    EXPECT_GE(killed, 1);
  }
};

// Where Newton's iteration remembers nothing, a continued run is the uninterrupted one, bit by bit.
TEST_P(Killed, RunGoesOnToTheSameBits) {
  const Folder folder;
  interrupt(with(kChain, {"--set", "simulate.jacobian_reuse=false"}), folder);
  const Difference d = difference(folder / "whole.h5", folder / "cut.h5");
  EXPECT_EQ(d.motion, 0.0);
  EXPECT_EQ(d.scheme, 0.0);
}

// A Jacobian kept over steps is not in the result: the continued run starts with a fresh one and
// differs by what Newton's iteration leaves.
TEST_P(Killed, RunWithKeptJacobianGoesOnWithinNewtonsTolerance) {
  const Folder folder;
  interrupt(kChain, folder);
  const Difference d = difference(folder / "whole.h5", folder / "cut.h5");
  EXPECT_LT(d.motion, 1e-10);
  EXPECT_LT(d.scheme, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Killed, ::testing::Range(0, kSanitized ? 1 : 2));

/// Waits until the result has rows, so that an interruption meets a run under way.
void wait_for_rows(Process& process, const fs::path& file) {
  while (process.running() && !fs::exists(file)) std::this_thread::sleep_for(1ms);
}

TEST(Interrupted, RunEndsInOrderAndGoesOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    const std::vector<std::string> arguments = with(kChain, {"--set", "simulate.step=1e-4"});
    Process process(folder, with(arguments, {"-o", "cut.h5", "--format", "json"}));
    wait_for_rows(process, folder / "cut.h5");
    std::this_thread::sleep_for(50ms);
    process.kill(signal);
    const Outcome outcome = process.wait();
    ASSERT_EQ(outcome.code, 1) << outcome.err;
    const io::Json json = outcome.json();
    EXPECT_EQ(json["status"], "interrupted");
    EXPECT_THAT(json["advice"].get<std::string>(), HasSubstr("--continue"));
    const double reached = json["time"].get<double>();
    const io::ResultReader reader(folder / "cut.h5");
    EXPECT_EQ(reader.read(*reader.index("time")).back(), reached);
    EXPECT_EQ(reader.rows(), json["rows"].get<std::size_t>());
    EXPECT_THAT(reader.summary(), HasSubstr("interrupted"));

    const io::Json rest = run_json(folder, {"run", "--continue", "cut.h5", "--set",
                                            "simulate.until=" + std::to_string(reached + 0.01)});
    EXPECT_EQ(rest["status"], "done");
    EXPECT_NEAR(rest["time"].get<double>(), reached + 0.01, 1e-6);
  }
}

TEST(Interrupted, RunWithOutputStepKeepsItsLastStateAndItsGrid) {
  const Folder folder;
  std::vector<std::string> arguments =
      with(kChain, {"--set", "simulate.step=1e-4", "--set", "simulate.output_step=0.01"});
  Process process(folder, with(arguments, {"-o", "cut.h5", "--format", "json"}));
  wait_for_rows(process, folder / "cut.h5");
  std::this_thread::sleep_for(100ms);
  process.kill(SIGINT);
  const Outcome outcome = process.wait();
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const double reached = outcome.json()["time"].get<double>();
  const std::string until = std::to_string(std::ceil(reached * 50.0) / 50.0 + 0.02);
  run_json(folder, {"run", "--continue", "cut.h5", "--set", "simulate.until=" + until});
  const io::ResultReader reader(folder / "cut.h5");
  const std::vector<double> time = reader.read(*reader.index("time"));
  int off_grid = 0;
  for (std::size_t i = 1; i < time.size(); ++i) {
    ASSERT_LT(time[i - 1], time[i]);
    off_grid += std::abs(std::remainder(time[i], 0.01)) > 1e-9;
  }
  EXPECT_LE(off_grid, 1) << "only the state at the interruption";
}

TEST(Continued, FinishedRunIsExtendedAndKeepsItsStep) {
  const Folder folder;
  const std::vector<std::string> base{"run", "heavy-top", "--set", "simulate.jacobian_reuse=false",
                                      "--set", "simulate.tolerance=1e-9"};
  run_json(folder, with(base, {"--set", "simulate.until=0.4", "-o", "whole.h5"}));
  run_json(folder, with(base, {"--set", "simulate.until=0.2", "-o", "part.h5"}));
  const io::Json json =
      run_json(folder, {"run", "--continue", "part.h5", "--set", "simulate.until=0.4"});
  EXPECT_EQ(json["time"], 0.4);
  EXPECT_EQ(json["steps"], 400);
  // Newton's tolerance per step follows from the run's length: not the same bits.
  EXPECT_LT(difference(folder / "whole.h5", folder / "part.h5").motion, 1e-11);
}

TEST(Continued, DefaultStepOfAnExtendedRunIsThatOfTheFirst) {
  const Folder folder;
  folder.write("fall.yaml",
               "daedal: 1\ngravity: [0, 0, -10]\nbodies: {stone: {type: point, mass: 1}}\n"
               "outputs: {z: {position: stone, component: z}}\nsimulate: {until: 1, steps: fixed}\n");
  EXPECT_EQ(run_json(folder, {"run", "fall.yaml"})["steps"], 1000);
  const io::Json json =
      run_json(folder, {"run", "--continue", "fall.h5", "--set", "simulate.until=2"});
  EXPECT_EQ(json["steps"], 1000);
  EXPECT_NEAR(json["final"]["z"].get<double>(), -20.0, 1e-9);
}

TEST(Continued, OptionsAreKeptForTheNextContinuation) {
  const Folder folder;
  folder.write("fall.yaml",
               "daedal: 1\ngravity: [0, 0, -10]\nbodies: {stone: {type: point, mass: 1}}\n"
               "outputs: {z: {position: stone, component: z}}\nsimulate: {until: 1, steps: fixed}\n");
  run_json(folder, {"run", "fall.yaml", "--set", "simulate.tolerance=1e-7"});
  run_json(folder, {"run", "--continue", "fall.h5", "--set", "simulate.until=2"});
  {
    const io::ResultReader reader(folder / "fall.h5");
    EXPECT_EQ(*reader.text("overrides"),
              R"(["simulate.tolerance=1e-7","simulate.until=2","simulate.step=0.001"])");
    EXPECT_THAT(*reader.text("model"), HasSubstr("until: 1"));
  }
  // It knows its end, and keeps the step of the first run.
  EXPECT_EQ(run_json(folder, {"run", "--continue", "fall.h5"})["steps"], 0);
  const io::Json json =
      run_json(folder, {"run", "--continue", "fall.h5", "--set", "simulate.until=3"});
  EXPECT_EQ(json["steps"], 1000);
  EXPECT_NEAR(json["final"]["z"].get<double>(), -45.0, 1e-9);
}

TEST(Continued, RemainsOfARunKilledAtItsVeryStartAreNamedAndClearedAway) {
  const Folder folder;
  folder.write("pendulum.h5.partial", "cut");
  const Outcome outcome = daedal(folder, {"run", "--continue", "pendulum.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, ::testing::ContainsRegex("pendulum.h5.partial.*run the model again"));
  run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.01"});
  EXPECT_THAT(folder.files(), ElementsAre("pendulum.h5"));
}

TEST(Continued, FinishedRunHasNothingToDo) {
  const Folder folder;
  const io::Json first = run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.1"});
  const io::Json again = run_json(folder, {"run", "--continue", "pendulum.h5"});
  EXPECT_EQ(again["steps"], 0);
  EXPECT_EQ(again["rows"], 0);
  EXPECT_EQ(again["time"], first["time"]);
  EXPECT_EQ(again["relative_energy_error"], first["relative_energy_error"]);
  for (const auto& [name, value] : first["final"].items()) {
    EXPECT_NEAR(again["final"][name].get<double>(), value.get<double>(), 1e-12) << name;
  }
}

TEST(Continued, CertificateCoversThePast) {
  const Folder folder;
  const std::vector<std::string> base{"run", "slider-crank", "--set", "simulate.step=1e-3",
                                      "--set", "simulate.output_step=1e-3"};
  const io::Json whole =
      run_json(folder, with(base, {"--set", "simulate.until=2", "-o", "whole.h5"}));
  run_json(folder, with(base, {"--set", "simulate.until=1.5", "-o", "part.h5"}));
  const io::Json rest =
      run_json(folder, {"run", "--continue", "part.h5", "--set", "simulate.until=2"});
  EXPECT_NEAR(rest["relative_energy_error"].get<double>(),
              whole["relative_energy_error"].get<double>(),
              1e-3 * whole["relative_energy_error"].get<double>());
  EXPECT_NEAR(rest["max_velocity_violation"].get<double>(),
              whole["max_velocity_violation"].get<double>(),
              1e-3 * whole["max_velocity_violation"].get<double>());
}

TEST(Continued, AnglesGoOnOverManyTurns) {
  const Folder folder;
  folder.write("wheel.yaml", R"(daedal: 1
bodies: {wheel: {mass: 1, inertia: [1, 1, 2]}}
joints: {hub: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}
initial: {wheel: {angular_velocity: [0, 0, 20]}}
outputs: {turned: {angle: hub}}
simulate: {until: 1, step: 1e-2}
)");
  run_json(folder, {"run", "wheel.yaml"});
  const io::Json json =
      run_json(folder, {"run", "--continue", "wheel.h5", "--set", "simulate.until=3"});
  EXPECT_NEAR(json["final"]["turned"].get<double>(), 60.0, 1e-8);
}

TEST(Continued, OtherParametersOfTheSchemeStartItAnew) {
  const Folder folder;
  run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.5"});
  const io::Json json = run_json(folder, {"run", "--continue", "pendulum.h5", "--set",
                                          "simulate.until=1", "--set", "simulate.rho_inf=0.5"});
  EXPECT_EQ(json["status"], "done");
  EXPECT_LT(json["relative_energy_error"].get<double>(), 1e-4);
}

TEST(Continued, ReferencesOfAllItsPartsStay) {
  const Folder folder;
  run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.1"});
  const io::Json json = run_json(folder, {"run", "--continue", "pendulum.h5", "--set",
                                          "simulate.until=0.2", "--set", "simulate.scaling=physical"});
  const auto references = json["references"].get<std::vector<std::string>>();
  EXPECT_THAT(references, ::testing::Contains("Bauchau2009"));
  EXPECT_THAT(references, ::testing::Contains("Bottasso2008"));
  EXPECT_TRUE(run_json(folder, {"cite", "pendulum.h5"}).contains("Bottasso2008"));
}

TEST(Continued, AnotherModelOrMethodIsRefusedAndTheResultStays) {
  const Folder folder;
  run_json(folder, {"run", "chain", "--set", "simulate.until=0.01"});
  const std::string before = text_of(folder / "chain.h5");
  const std::vector<std::pair<const char*, const char*>> changes{
      {"parameters.N=4", "keeps its model.*start a new run"},
      {"simulate.method=midpoint", "other unknowns.*start a new run"}};
  for (const auto& [change, reason] : changes) {
    const Outcome outcome = daedal(
        folder, {"run", "--continue", "chain.h5", "--set", "simulate.until=1", "--set", change});
    EXPECT_EQ(outcome.code, 2) << change;
    EXPECT_THAT(outcome.err, ::testing::ContainsRegex(reason)) << change;
    EXPECT_EQ(text_of(folder / "chain.h5"), before) << change;
    EXPECT_THAT(folder.files(), ElementsAre("chain.h5")) << change;
  }
}

TEST(Continued, WhatIsNoResultIsRefused) {
  const Folder folder;
  folder.write("text.h5", "daedal: 1\n");
  folder.write("empty.h5", "");
  for (const char* name : {"text.h5", "empty.h5", "missing.h5", ".", "pendulum"}) {
    const Outcome outcome = daedal(folder, {"run", "--continue", name});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_THAT(outcome.err, HasSubstr(name));
  }
  EXPECT_THAT(folder.files(), ElementsAre("empty.h5", "text.h5"));
}

TEST(Continued, ARunUnderWayIsNotContinued) {
  const Folder folder;
  Process process(folder, with(kChain, {"--set", "simulate.step=1e-4", "-q"}));
  wait_for_rows(process, folder / "chain.h5");
  const Outcome second = daedal(folder, {"run", "--continue", "chain.h5", "-q"});
  EXPECT_NE(second.code, 0);
  EXPECT_THAT(second.err, HasSubstr("chain.h5"));
  process.kill(SIGINT);
  EXPECT_EQ(process.wait().code, 1);
}

}  // namespace
}  // namespace daedal::testing
