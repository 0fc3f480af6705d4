// Every command and option of the program.
#include <gmock/gmock.h>

#include "program.hpp"
#include "xml.hpp"

namespace daedal::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::Not;
using ::testing::StartsWith;

/// What `run --format json` promises (docs: the command line).
const std::vector<std::string> kContract{"status",
                                         "message",
                                         "model",
                                         "coordinates",
                                         "formulation",
                                         "method",
                                         "time",
                                         "steps",
                                         "rejected_steps",
                                         "residual_evaluations",
                                         "jacobian_evaluations",
                                         "jacobian_residual_evaluations",
                                         "jacobian_updates",
                                         "factorizations",
                                         "newton_iterations",
                                         "wall_seconds",
                                         "max_position_violation",
                                         "max_velocity_violation",
                                         "relative_energy_error",
                                         "condition_number",
                                         "final",
                                         "result"};

class Gallery : public ::testing::TestWithParam<std::string> {};

TEST_P(Gallery, RunsAndWritesResultTableAndPlot) {
  const Folder folder;
  std::vector<std::string> arguments{"run", GetParam(), "--csv", "--plot"};
  if (kSanitized) arguments.insert(arguments.end(), {"--set", "simulate.until=0.01"});
  const io::Json json = run_json(folder, arguments);

  for (const std::string& key : kContract) EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["result"], GetParam() + ".h5");
  EXPECT_LT(json["max_position_violation"].get<double>(), 1e-8);
  // Under sanitizers runs are short: nothing may have moved yet.
  const auto& balance = json["relative_energy_error"];
  ASSERT_TRUE(balance.is_number() || (kSanitized && balance.is_null()));
  EXPECT_LT(balance.is_number() ? balance.get<double>() : 0.0, 1e-2);
  if (GetParam() == "n-four-bar" && !kSanitized) {
    ASSERT_THAT(json["warnings"], SizeIs(1));
    EXPECT_THAT(json["warnings"][0].get<std::string>(), HasSubstr("passes a singular position"));
  } else {
    EXPECT_THAT(json["warnings"], IsEmpty());
  }
  EXPECT_FALSE(json["final"].empty());

  const io::ResultReader result(folder / (GetParam() + ".h5"));
  EXPECT_FALSE(result.being_written());
  EXPECT_EQ(result.rows(), json["rows"].get<std::size_t>());
  const std::vector<double> time = result.read(*result.index("time"));
  EXPECT_EQ(time.front(), 0.0);
  EXPECT_EQ(time.back(), json["time"].get<double>());
  for (std::size_t i = 1; i < time.size(); ++i) ASSERT_LE(time[i - 1], time[i]);

  const std::string csv = text_of(folder / (GetParam() + ".csv"));
  EXPECT_THAT(csv, StartsWith("time,"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), time.size() + 1);
  for (const auto& [name, value] : json["final"].items()) {
    EXPECT_TRUE(value.is_number()) << name;
    EXPECT_THAT(csv.substr(0, csv.find('\n')), HasSubstr(name));
  }

  const std::string svg = text_of(folder / (GetParam() + ".svg"));
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, ::testing::AnyOf(HasSubstr("<path"), HasSubstr("<polyline")));
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
}

INSTANTIATE_TEST_SUITE_P(Models, Gallery, ::testing::ValuesIn(gallery_names()),
                         [](const auto& parameter) {
                           std::string name;
                           for (char c : parameter.param) name += c == '-' ? '_' : c;
                           return name;
                         });

TEST(Commands, ModelsListsTheGallery) {
  const Folder folder;
  const Outcome text = daedal(folder, {"models"});
  EXPECT_EQ(text.code, 0);
  const io::Json json = run_json(folder, {"models"});
  ASSERT_EQ(json.size(), gallery_names().size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    EXPECT_EQ(json[i]["name"], gallery_names()[i]);
    EXPECT_THAT(text.out, HasSubstr(gallery_names()[i]));
    EXPECT_FALSE(json[i]["title"].get<std::string>().empty());
    EXPECT_FALSE(json[i]["description"].get<std::string>().empty());
    EXPECT_TRUE(fs::exists(json[i]["file"].get<std::string>()));
  }
}

TEST(Commands, ModelsAreReadFromStandardInput) {
  const Folder folder;
  const fs::path model = fs::path(DAEDAL_SOURCE_DIR) / "models" / "pendulum.yaml";
  const auto give = [](const fs::path& file) {
    return [file] { ::dup2(::open(file.c_str(), O_RDONLY), STDIN_FILENO); };
  };
  const Outcome run =
      daedal(folder, {"run", "-", "--set", "simulate.until=0.1", "--format", "json"}, give(model));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json()["model"], "Simple pendulum");
  EXPECT_EQ(run.json()["result"], "stdin.h5");
  EXPECT_EQ(daedal(folder, {"check", "-"}, give(model)).code, 0);
  folder.write("bad.yaml", "daedal: 1\nbodes: {}\n");
  const Outcome bad = daedal(folder, {"run", "-"}, give(folder / "bad.yaml"));
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("/dev/stdin:2:1: unknown key 'bodes'"));
  const Outcome study = daedal(folder, {"study", "-"}, give(model));
  EXPECT_EQ(study.code, 2);
  EXPECT_THAT(study.err, HasSubstr("a study is read from a file"));
}

TEST(Commands, AFolderOfItsNameDoesNotHideAModel) {
  const Folder folder;
  fs::create_directory(folder / "pendulum");
  EXPECT_EQ(daedal(folder, {"run", "pendulum", "--set", "simulate.until=0.1", "-q"}).code, 0);
}

TEST(Commands, MethodsListsWhatGoesTogether) {
  const Folder folder;
  const Outcome text = daedal(folder, {"methods"});
  EXPECT_EQ(text.code, 0);
  const io::Json json = run_json(folder, {"methods"});
  for (const char* name : {"newmark", "hht", "generalized-alpha", "midpoint"}) {
    EXPECT_THAT(text.out, HasSubstr(name));
    bool found = false;
    for (const auto& row : json["combinations"]) found |= row["method"] == name;
    EXPECT_TRUE(found) << name;
  }
  for (const auto& method : json["methods"]) {
    EXPECT_TRUE(method["order"].is_number_integer());
    EXPECT_FALSE(method["references"].empty()) << method["name"];
  }
}

TEST(Commands, WhatDoesNotGoTogetherIsRefusedWithWhatIsOneChangeAway) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"run", "pendulum", "--set", "simulate.method=bdf",
                                          "--set", "simulate.formulation=index-3", "--set",
                                          "simulate.coordinates=absolute"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("absolute coordinates, index-3, bdf and auto steps do not go together"));
  EXPECT_THAT(outcome.err, HasSubstr("absolute + ggl + bdf"));
  EXPECT_THAT(outcome.err, HasSubstr("absolute + index-3 + midpoint"));
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("joint +")));
}

TEST(Commands, AnOutputWithoutAFolderIsRefusedBeforeTheRun) {
  const Folder folder;
  const fs::path result = folder / "r.h5";
  for (const char* option : {"--csv", "--plot"}) {
    const Outcome outcome = daedal(folder, {"run", "pendulum", option,
                                            (folder / "nowhere" / "table").string(), "-o",
                                            result.string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("its folder does not exist; create it first"));
    EXPECT_FALSE(fs::exists(result));
  }
}

TEST(Commands, ADashIsNoNameOfAnOutput) {
  const Folder folder;
  for (const char* option : {"--csv=-", "--plot=-", "--output=-"}) {
    const Outcome outcome = daedal(folder, {"run", "pendulum", option});
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_THAT(outcome.err, HasSubstr("/dev/stdout"));
  }
  EXPECT_THAT(folder.files(), ::testing::IsEmpty());
  const Outcome table = daedal(
      folder, {"run", "pendulum", "--set", "simulate.until=0.01", "--csv", "/dev/stdout", "-q"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, StartsWith("time,"));
}

TEST(Commands, EveryMethodListedRuns) {
  const Folder folder;
  const io::Json methods = run_json(folder, {"methods"});
  for (const auto& row : methods["combinations"]) {
    const io::Json json = run_json(
        folder, {"run", "pendulum", "--set", "simulate.until=0.1", "--set",
                 "simulate.coordinates=" + row["coordinates"].get<std::string>(), "--set",
                 "simulate.formulation=" + row["formulation"].get<std::string>(), "--set",
                 "simulate.method=" + row["method"].get<std::string>()});
    EXPECT_EQ(json["method"], row["method"]);
    EXPECT_EQ(json["coordinates"], row["coordinates"]);
    EXPECT_EQ(json["formulation"], row["formulation"]);
  }
}

TEST(Commands, CitePrintsTheReferencesOfAResult) {
  const Folder folder;
  const io::Json run = run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.01"});
  const Outcome text = daedal(folder, {"cite", "pendulum.h5"});
  EXPECT_EQ(text.code, 0);
  const io::Json json = run_json(folder, {"cite", "pendulum.h5"});
  ASSERT_FALSE(run["references"].empty());
  for (const auto& key : run["references"]) {
    ASSERT_TRUE(json.contains(key.get<std::string>())) << key;
    EXPECT_THAT(text.out, HasSubstr("{" + key.get<std::string>() + ","));
    EXPECT_THAT(json[key.get<std::string>()].get<std::string>(), HasSubstr("author"));
  }
}

TEST(Commands, ReferencesFollowWhatWasUsed) {
  const Folder folder;
  const auto references = [&](const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"run", "pendulum", "--set", "simulate.until=0.01"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    return run_json(folder, arguments)["references"].get<std::vector<std::string>>();
  };
  EXPECT_THAT(references({"simulate.method=newmark"}), ElementsAre("Newmark1959", "Bottasso2008"));
  EXPECT_THAT(references({"simulate.method=newmark", "simulate.scaling=physical"}),
              ElementsAre("Newmark1959", "Bauchau2009"));
  EXPECT_THAT(references({"simulate.method=midpoint", "simulate.scaling=none"}),
              ElementsAre("Hairer2006"));
  EXPECT_THAT(references({"simulate.augmentation=1e3", "simulate.scaling=time-step-right"}),
              AllOf(Contains("Chung1993"), Contains("Bottasso2008"), Contains("Bauchau2009")));
  EXPECT_THAT(references({"simulate.linear_solver=klu", "simulate.jacobian=grouped"}),
              AllOf(Contains("Davis2010"), Contains("Curtis1974")));
  EXPECT_THAT(references({"simulate.scaling=none", "simulate.unknowns=a"}), Contains("Bottasso2008"));
  const std::vector<std::string> bdf{"simulate.method=bdf", "simulate.scaling=none", "simulate.step=~",
                                     "simulate.linear_solver=dense"};
  const auto with_bdf = [&](std::vector<std::string> more) {
    more.insert(more.begin(), bdf.begin(), bdf.end());
    return references(more);
  };
  EXPECT_THAT(with_bdf({"simulate.formulation=ggl"}),
              ElementsAre("Hindmarsh2005", "Brenan1996", "Gear1985"));
  EXPECT_THAT(with_bdf({"simulate.formulation=index-1", "simulate.jacobian_update=partitioned"}),
              ElementsAre("Hindmarsh2005", "Brenan1996", "Eich1993", "Arnold2006"));
  EXPECT_THAT(with_bdf({"simulate.formulation=ggl", "simulate.coordinates=joint",
                        "simulate.formalism=explicit", "simulate.jacobian=grouped"}),
              ElementsAre("Hindmarsh2005", "Brenan1996", "Gear1985", "Brandl1988", "Curtis1974"));
  // Whatever is listed can be cited.
  const io::Json entries = run_json(folder, {"cite", "pendulum.h5"});
  for (const auto& [key, text] : entries.items()) EXPECT_THAT(text.get<std::string>(), HasSubstr(key));
}

TEST(Commands, CiteOfSomethingElseIsRefused) {
  const Folder folder;
  EXPECT_EQ(daedal(folder, {"cite", "nothing.h5"}).code, 2);
  folder.write("text.h5", "not a result");
  EXPECT_THAT(daedal(folder, {"cite", "text.h5"}).err, HasSubstr("text.h5"));
}

TEST(Commands, SchemaIsOneJsonDocument) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"schema"});
  EXPECT_EQ(outcome.code, 0);
  const io::Json json = outcome.json();
  EXPECT_TRUE(json.contains("$schema"));
  EXPECT_TRUE(json["properties"].contains("bodies"));
}

TEST(Commands, HelpExplainsEveryCommand) {
  const Folder folder;
  const Outcome all = daedal(folder, {"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.err, IsEmpty());
  for (const char* command : {"run", "study", "models", "studies", "methods", "cite", "schema"}) {
    EXPECT_THAT(all.out, HasSubstr(command));
    const Outcome one = daedal(folder, {command, "--help"});
    EXPECT_EQ(one.code, 0) << command;
    EXPECT_THAT(one.out, HasSubstr("--help")) << command;
    EXPECT_THAT(one.err, IsEmpty()) << command;
  }
  for (const char* option : {"--set", "--format", "--csv", "--plot", "--continue", "--output"}) {
    EXPECT_THAT(daedal(folder, {"run", "--help"}).out, HasSubstr(option));
  }
  const std::string help = daedal(folder, {"run", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("--format text|json"));
  EXPECT_THAT(help, HasSubstr("--plot [FILE]"));
  for (const char* internal : {"ENUM", "TEXT", "value in"}) {
    EXPECT_THAT(help, Not(HasSubstr(internal)));
  }
  EXPECT_THAT(daedal(folder, {"--version"}).out, StartsWith("daedal "));
}

TEST(Commands, WrongUsageIsExitCodeTwoAndSaysSo) {
  const Folder folder;
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"dance"},
      {"run"},
      {"run", "pendulum", "--fast"},
      {"run", "pendulum", "--format", "xml"},
      {"run", "pendulum", "extra"},
      {"run", "pendulum", "--set"},
      {"cite"},
      {"models", "--set", "a=b"}};
  for (const auto& arguments : wrong) {
    const Outcome outcome = daedal(folder, arguments);
    EXPECT_EQ(outcome.code, 2) << ::testing::PrintToString(arguments);
    EXPECT_FALSE(outcome.err.empty()) << ::testing::PrintToString(arguments);
  }
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Commands, WrongUsageIsAJsonDocumentWhereJsonIsAskedFor) {
  const Folder folder;
  const std::vector<std::vector<std::string>> wrong{
      {"run", "--format", "json"},
      {"run", "--format=json", "pendulum", "--fast"},
      {"run", "pendulum", "--format", "json", "--set"},
      {"run", "missing.yaml", "--format", "json"},
      {"run", "--continue", "missing.h5", "--format", "json"},
      {"cite", "--format", "json"},
      {"models", "--fast", "--format", "json"},
      {"dance", "--format", "json"}};
  for (const auto& arguments : wrong) {
    const Outcome outcome = daedal(folder, arguments);
    EXPECT_EQ(outcome.code, 2) << ::testing::PrintToString(arguments);
    const io::Json json = outcome.json();
    EXPECT_EQ(json["status"], "bad_input");
    EXPECT_FALSE(json["message"].get<std::string>().empty());
    EXPECT_EQ(outcome.err, "daedal: " + json["message"].get<std::string>() + "\n");
  }
  EXPECT_THAT(daedal(folder, {"run", "pendulum", "--fast"}).err,
              AllOf(HasSubstr("--fast"), HasSubstr("see 'daedal run --help'")));
  EXPECT_THAT(daedal(folder, {"runn", "pendulum"}).err,
              AllOf(HasSubstr("no command 'runn'"), HasSubstr("did you mean 'run'")));
  EXPECT_THAT(daedal(folder, {"run", "pendulum", "--format", "xml"}).err,
              HasSubstr("'xml' is neither text nor json"));
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Commands, ModelBehindAnOptionWithoutFileIsTheModel) {
  const Folder folder;
  for (const char* option : {"--plot", "--csv"}) {
    const io::Json json =
        run_json(folder, {"run", "--set", "simulate.until=0.01", option, "pendulum"});
    EXPECT_EQ(json["result"], "pendulum.h5");
  }
  EXPECT_THAT(folder.files(), ElementsAre("pendulum.csv", "pendulum.h5", "pendulum.svg"));
  run_json(folder, {"run", "--set", "simulate.until=0.01", "--plot", "pendulum", "--csv", "t.csv"});
  EXPECT_TRUE(fs::exists(folder / "t.csv"));
  // A file by its extension, or by the way it is written.
  for (const char* option : {"--plot=pendulum", "--csv=pendulum"}) {
    EXPECT_THAT(daedal(folder, {"run", option}).err, HasSubstr("model is required"));
  }
  EXPECT_THAT(daedal(folder, {"run", "--plot", "p.svg"}).err, HasSubstr("model is required"));
  run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.01", "--plot=picture"});
  EXPECT_TRUE(fs::exists(folder / "picture"));
}

TEST(Commands, SetOverridesModelAndSettings) {
  const Folder folder;
  const io::Json json = run_json(
      folder, {"run", "chain", "--set", "parameters.N=3", "--set", "simulate.until=0.05", "--set",
               "simulate.step=1e-3", "--set", "simulate.method=midpoint", "-o", "short.h5"});
  EXPECT_EQ(json["bodies"], 3);
  EXPECT_EQ(json["method"], "midpoint");
  EXPECT_EQ(json["steps"], 50);
  EXPECT_EQ(json["result"], "short.h5");
  EXPECT_THAT(folder.files(), ElementsAre("short.h5"));
}

TEST(Commands, WrongOverridesAreRefused) {
  const Folder folder;
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"simulate.stepp=1e-3", "step"},
      {"simulate.step", "="},
      {"simulate.step=-1", "positive"},
      {"simulate.step=abc", "abc"},
      {"parameters.M=3", "M"},
      {"simulate.method=euler", "known"},
      {"simulate.tolerance=2", "0.1"}};
  for (const auto& [assignment, hint] : wrong) {
    const Outcome outcome = daedal(folder, {"run", "chain", "--set", assignment});
    EXPECT_EQ(outcome.code, 2) << assignment;
    EXPECT_THAT(outcome.err, HasSubstr(hint)) << assignment;
    EXPECT_THAT(outcome.err, HasSubstr("--set")) << assignment;
  }
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Commands, ABadModelIsRefusedAndNothingIsWritten) {
  const Folder folder;
  folder.write("bad.yaml", "daedal: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n");
  const Outcome outcome = daedal(folder, {"run", "bad.yaml", "--csv", "--plot"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:3:"));
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(folder.files(), ElementsAre("bad.yaml"));

  const io::Json json = run_json(folder, {"run", "bad.yaml"}, 2);
  EXPECT_EQ(json["status"], "bad_input");
  EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("bad.yaml:3:"));
}

TEST(Commands, ABadModelLeavesAnEarlierResultAlone) {
  const Folder folder;
  run_json(folder, {"run", "pendulum", "--set", "simulate.until=0.01", "-o", "kept.h5"});
  const std::string before = text_of(folder / "kept.h5");
  EXPECT_EQ(daedal(folder, {"run", "pendulum", "--set", "simulate.step=-1", "-o", "kept.h5"}).code,
            2);
  EXPECT_EQ(text_of(folder / "kept.h5"), before);
}

TEST(Commands, UnknownNamesAreRefusedWithASuggestion) {
  const Folder folder;
  const Outcome name = daedal(folder, {"run", "pendulums"});
  EXPECT_EQ(name.code, 2);
  EXPECT_THAT(name.err, HasSubstr("pendulum"));
  EXPECT_THAT(name.err, HasSubstr("daedal models"));
  const Outcome file = daedal(folder, {"run", "nowhere/pendulum.yaml"});
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.err, HasSubstr("nowhere/pendulum.yaml"));
}

TEST(Commands, JsonIsAloneOnStandardOutput) {
  const Folder folder;
  const Outcome outcome =
      daedal(folder, {"run", "pendulum", "--set", "simulate.until=0.01", "--format", "json"});
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_NO_THROW(outcome.json());
}

TEST(Commands, QuietSaysNothing) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"run", "pendulum", "--set", "simulate.until=0.01", "-q"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Commands, SummaryAndCertificateAreReadable) {
  const Folder folder;
  const Outcome outcome = daedal(folder, {"run", "squeezer", "--set", "simulate.until=1e-3"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* word : {"Andrews", "Certificate", "position violation", "energy balance",
                           "Outputs at the end", "beta", "Result: squeezer.h5"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

/// A stone that falls; `head` are lines of the file.
fs::path write_stone(const Folder& folder, const std::string& head) {
  return folder.write("stone.yaml", "daedal: 1\n" + head +
                                        "gravity: [0, 0, -10]\n"
                                        "bodies: {stone: {type: point, mass: 1}}\n"
                                        "outputs: {z: {position: stone, component: z}}\n"
                                        "simulate: {until: 0.1, step: 0.1, tolerance: 1e-7}\n");
}

TEST(Commands, SummaryCountsInWordsAndNamesAnUntitledModelByItsFile) {
  const Folder folder;
  write_stone(folder, "");
  const std::string text = daedal(folder, {"run", "stone.yaml"}).out;
  EXPECT_THAT(text, StartsWith("stone\n"));
  EXPECT_THAT(text, HasSubstr("1 body, 0 joints, 3 unknowns, 0 constraints"));
  EXPECT_THAT(text, HasSubstr("in 1 step of"));
  const io::Json json = run_json(folder, {"run", "stone.yaml"});
  EXPECT_EQ(json["model"], "stone");
  EXPECT_EQ(json["advice"], "");
}

TEST(Commands, TheSummaryInTheResultIsTheOnePrinted) {
  const Folder folder;
  const io::Json json = run_json(folder, {"run", "pendulum", "--set", "simulate.step=0.1", "--set",
                                          "simulate.rho_inf=0.2"});
  EXPECT_FALSE(json["warnings"].empty());
  const io::ResultReader reader(folder / "pendulum.h5");
  EXPECT_EQ(io::parse_json(reader.summary(), "summary"), json);
}

TEST(Commands, ResultNamesItsCoordinates) {
  const Folder folder;
  write_stone(folder, "");
  const auto components = [&](const char* result, const char* dataset) {
    const io::ResultReader reader(folder / result);
    return reader.layout()[*reader.index(dataset)].components;
  };
  run_json(folder, {"run", "stone.yaml"});
  EXPECT_THAT(components("stone.h5", "coordinates"), ElementsAre("stone.x", "stone.y", "stone.z"));
  run_json(folder, {"run", "heavy-top", "--set", "simulate.until=0.01"});
  const auto q = components("heavy-top.h5", "coordinates");
  const auto v = components("heavy-top.h5", "velocities");
  ASSERT_EQ(q.size(), 7u);
  ASSERT_EQ(v.size(), 6u);
  EXPECT_THAT(q[2], ::testing::EndsWith(".z"));
  EXPECT_THAT(q[3], ::testing::EndsWith(".qw"));
  EXPECT_THAT(v[5], ::testing::EndsWith(".wz"));
  run_json(folder, {"run", "squeezer", "--set", "simulate.until=1e-4"});
  EXPECT_THAT(components("squeezer.h5", "coordinates")[2], ::testing::EndsWith(".angle"));
  EXPECT_THAT(components("squeezer.h5", "velocities")[2], ::testing::EndsWith(".omega"));
}

TEST(Commands, TitlesAndNamesDoNotControlTheTerminal) {
  const Folder folder;
  write_stone(folder, "title: \"red \\e[31m \\u009b31m \\a\"\n");
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"run", "stone.yaml"},
           {"run", "stone.yaml", "--format", "json"},
           {"run", "\x1b[31m.yaml"},
           {"run", "stone.yaml", "--set", "bodies.stone.mass=\"\\e[31m\""},
           {"run", "stone.yaml", "--\x1b[31m"}}) {
    const Outcome outcome = daedal(folder, arguments);
    for (const char* control : {"\x1b", "\xc2\x9b", "\a"}) {
      EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(control)));
    }
  }
  EXPECT_THAT(daedal(folder, {"run", "stone.yaml"}).out, StartsWith("red \\x1b[31m \\u009b31m"));
  EXPECT_EQ(run_json(folder, {"run", "stone.yaml"})["model"], "red \x1b[31m \xc2\x9b" "31m \a");
}

TEST(Commands, SetToNothingRestoresTheDefault) {
  const Folder folder;
  write_stone(folder, "");
  EXPECT_EQ(run_json(folder, {"run", "stone.yaml"})["steps"], 1);
  EXPECT_EQ(run_json(folder, {"run", "stone.yaml", "--set", "simulate.step=~", "--set",
                              "simulate.steps=fixed"})["steps"],
            1000);
  EXPECT_THAT(daedal(folder, {"run", "stone.yaml", "--set", "simulate.stepp=~"}).err,
              HasSubstr("there is no 'simulate.stepp' to unset"));
}

TEST(Commands, TheSameRunTwiceGivesTheSameNumbers) {
  const Folder folder;
  for (const char* name : {"a.h5", "b.h5"}) {
    run_json(folder, {"run", "bricard", "--set", "simulate.until=0.2", "-o", name});
  }
  EXPECT_EQ(rows_of(folder / "a.h5"), rows_of(folder / "b.h5"));
}

}  // namespace
}  // namespace daedal::testing
