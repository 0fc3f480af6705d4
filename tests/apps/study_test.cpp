// `daedal study` as a user meets it.
#include <gmock/gmock.h>

#include <thread>

#include "program.hpp"
#include "xml.hpp"

namespace daedal::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The pendulum over two methods and some steps, ended by `h` and claims.
std::string study_text(const std::string& steps, const std::string& claims) {
  return "study: 1\ntitle: Test\nmodel: pendulum\nset: {simulate.until: 1}\naxes:\n"
         "  method: {key: simulate.method, values: [newmark, hht]}\n"
         "  h: {key: simulate.step, values: " +
         steps +
         "}\n"
         "measure:\n  steps: {field: steps}\n  energy: {field: relative_energy_error}\n"
         "plots:\n  energy: {x: h, y: energy}\n" +
         claims;
}

const std::string kTrue =
    "claims:\n  second: {type: slope, of: energy, over: h, expected: 2, within: "
    "0.2}\n";
const std::string kFalse = "claims:\n  tiny: {type: bound, of: energy, at_most: 1e-30}\n";

TEST(Study, WritesTablePlotAndReportAndExitsByItsClaims) {
  const Folder folder;
  folder.write("s.yaml", study_text("[0.02, 0.01]", kTrue));
  const Outcome outcome = daedal(folder, {"study", "s.yaml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("2 of 2 claims hold"));
  EXPECT_THAT(folder.files(), ElementsAre("s", "s.yaml"));
  for (const char* name : {"rows.jsonl", "table.csv", "energy.svg", "report.html"}) {
    EXPECT_TRUE(fs::exists(folder / "s" / name)) << name;
  }
  EXPECT_EQ(XmlCheck(text_of(folder / "s" / "energy.svg")).complaint(), "");

  folder.write("f.yaml", study_text("[0.02]", kFalse));
  const io::Json json = run_json(folder, {"study", "f.yaml", "-o", "out/deep"}, 1);
  EXPECT_EQ(json["claims"][0]["claim"], "tiny");
  EXPECT_EQ(json["claims"][0]["expected"], 1e-30);
  EXPECT_GT(json["claims"][0]["measured"].get<double>(), 0.0);
  EXPECT_EQ(json["claims"][0]["holds"], false);
  EXPECT_EQ(json["rows"].size(), 2u);
  EXPECT_EQ(json["columns"], io::Json({"method", "h", "status", "steps", "energy"}));
  EXPECT_TRUE(fs::exists(folder / "out/deep/report.html"));
}

TEST(Study, BadInputIsExitTwoAndWritesNothing) {
  const Folder folder;
  folder.write("s.yaml", study_text("[0.02, -1]", kTrue));
  const Outcome outcome = daedal(folder, {"study", "s.yaml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("s.yaml:7:6: simulate.step=-1"));
  EXPECT_THAT(folder.files(), ElementsAre("s.yaml"));
  EXPECT_EQ(daedal(folder, {"study", "none.yaml"}).code, 2);
  EXPECT_EQ(daedal(folder, {"study", "s.yaml", "--jobs", "0"}).code, 2);
  EXPECT_EQ(daedal(folder, {"study", "s.yaml", "--set", "axes.h.vales=[1]"}).code, 2);
  const io::Json json = run_json(folder, {"study", "s.yaml"}, 2);
  EXPECT_EQ(json["status"], "bad_input");
}

TEST(Study, OfTheProgramGoByNameAndAreListed) {
  const Folder folder;
  const std::vector<std::string> short_study{
      "study", "convergence-pendulum", "-q", "--set", "axes.h.values=[0.01]", "--set", "claims=~"};
  EXPECT_EQ(daedal(folder, short_study).code, 0);
  EXPECT_THAT(folder.files(), ElementsAre("convergence-pendulum"));
  EXPECT_EQ(daedal(folder, short_study).code, 0) << "again, beside the folder of its results";

  const Outcome wrong = daedal(folder, {"study", "convergence-pendulm"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err,
              HasSubstr("no such file, and no study of the program has this name (did you "
                        "mean 'convergence-pendulum'?); 'daedal studies' lists them"));

  const Outcome text = daedal(folder, {"studies"});
  EXPECT_EQ(text.code, 0);
  const io::Json json = run_json(folder, {"studies"});
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(DAEDAL_SOURCE_DIR) / "studies")) {
    files += entry.path().extension() == ".yaml" ? 1 : 0;
  }
  EXPECT_EQ(json.size(), files);
  for (const auto& item : json) {
    EXPECT_THAT(text.out, HasSubstr(item["name"].get<std::string>() + " "));
    EXPECT_THAT(text.out, HasSubstr(item["title"].get<std::string>()));
    EXPECT_TRUE(fs::exists(item["file"].get<std::string>()));
  }
}

TEST(Study, QuietSaysNothing) {
  const Folder folder;
  folder.write("s.yaml", study_text("[0.02]", ""));
  const Outcome outcome = daedal(folder, {"study", "s.yaml", "-q"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

/// Starts a study of long runs, and waits until some rows are there.
class LongStudy {
 public:
  LongStudy() {
    folder.write("s.yaml", study_text("[1e-3, 5e-4, 2e-4, 1e-6]", ""));
    process = std::make_unique<Process>(folder,
                                        std::vector<std::string>{"study", "s.yaml", "--jobs", "1"});
    const auto begin = std::chrono::steady_clock::now();
    while (rows() < 3 && process->running() &&
           std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  long rows() const {
    const std::string text = text_of(folder / "s/rows.jsonl");
    return std::count(text.begin(), text.end(), '\n');
  }
  Folder folder;
  std::unique_ptr<Process> process;
};

TEST(Study, ResumesAfterAKill) {
  LongStudy study;
  study.process->kill(SIGKILL);
  EXPECT_EQ(study.process->wait().signal, SIGKILL);
  const long rows = study.rows();
  ASSERT_GE(rows, 3);
  // The long runs are cut short by then; the finished ones are not run again.
  const io::Json json = run_json(
      study.folder, {"study", "s.yaml", "--resume", "--set", "axes.h.values=[1e-3, 5e-4, 2e-4]"});
  EXPECT_EQ(json["resumed"], rows);
  EXPECT_EQ(json["rows"].size(), 6u);
  for (const auto& row : json["rows"]) EXPECT_EQ(row["status"], "done");
}

TEST(Study, AnInterruptKeepsTheRowsAndSaysHowToGoOn) {
  LongStudy study;
  study.process->kill(SIGINT);
  const Outcome outcome = study.process->wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--resume"));
  EXPECT_THAT(outcome.out, HasSubstr("not_run"));
  EXPECT_GE(study.rows(), 3);
  EXPECT_TRUE(fs::exists(study.folder / "s/report.html"));
}

TEST(Study, SchemaOfStudiesIsPrinted) {
  const Folder folder;
  const io::Json schema = daedal(folder, {"schema", "--study"}).json();
  EXPECT_EQ(schema["title"], "Daedal study file");
  EXPECT_TRUE(schema["properties"].contains("claims"));
}

}  // namespace
}  // namespace daedal::testing
