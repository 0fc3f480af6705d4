#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <vector>

#include "commands.hpp"
#include "daedal/io/errors.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/printable.hpp"
#include "daedal/math/text.hpp"
#include "daedal/model/model.hpp"

namespace {

using namespace daedal;

int report(app::Format format, const std::string& message) {
  app::say(stderr, fmt::format("daedal: {}\n", message));
  if (format == app::Format::json) {
    io::Json json;
    json["status"] = "bad_input";
    json["message"] = message;
    fmt::print("{}\n", io::to_text(json));
  }
  return app::kBadInput;
}

/// The format asked for in a command line that cannot be parsed.
app::Format format_in(std::span<char* const> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    const bool is_next = word == "--format" && i + 1 < words.size();
    if (word == "--format=json" || (is_next && std::string_view(words[i + 1]) == "json")) {
      return app::Format::json;
    }
  }
  return app::Format::text;
}

/// A wrong command line, in one sentence with the help to ask for. `first` is its first word.
int refuse(const CLI::App& cli, const CLI::ParseError& error, const char* first,
           app::Format format) {
  std::string command = cli.get_name();
  for (const CLI::App* sub : cli.get_subcommands()) command += ' ' + sub->get_name();
  std::string message = error.what();
  if (cli.get_subcommands().empty() && first && *first != '-') {
    std::vector<std::string> known;
    for (const CLI::App* sub : cli.get_subcommands({})) known.push_back(sub->get_name());
    message = fmt::format("there is no command '{}'{}", first, math::did_you_mean(first, known));
  }
  return report(format, fmt::format("{}; see '{} --help'", message, command));
}

/// `--plot` and `--csv` take a file or nothing, so in `run --plot pendulum` the model is taken for
/// the plot's file: it is given back. A name with the option's own extension, or written as
/// `--plot=FILE`, is a file.
void give_back_model(app::RunArguments& run, std::span<char* const> words) {
  const auto give_back = [&](const char* option, std::string& value, const char* extension) {
    const auto is_joined = [&](const char* word) {
      return word == fmt::format("{}={}", option, value);
    };
    if (!run.model.empty() || value.empty() || std::ranges::any_of(words, is_joined) ||
        std::filesystem::path(value).extension() == extension) {
      return;
    }
    run.model.swap(value);
  };
  give_back("--plot", run.plot, ".svg");
  give_back("--csv", run.csv, ".csv");
  if (run.model.empty()) throw CLI::RequiredError("a model");
}

int command(int argc, char** argv) {
  CLI::App cli{
      "Daedal simulates constrained mechanical systems: mechanisms, machines, linkages.\n"
      "Start with: daedal models; daedal run pendulum --plot"};
  cli.name("daedal");
  cli.require_subcommand(1);
  cli.set_version_flag("--version", "daedal " DAEDAL_VERSION);
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));

  app::Format format = app::Format::text;
  const auto add_format = [&](CLI::App* command) {
    const auto set_format = [&](const std::string& word) {
      if (word != "text" && word != "json") {
        throw CLI::ValidationError("--format", fmt::format("'{}' is neither text nor json", word));
      }
      format = word == "json" ? app::Format::json : app::Format::text;
    };
    command
        ->add_option_function<std::string>("--format", set_format,
                                           "json: one document on standard output, nothing else")
        ->option_text("text|json");
  };

  app::RunArguments run;
  CLI::App* run_command = cli.add_subcommand(
      "run", "Simulate a model; print summary and certificate; write a result file");
  CLI::Option* model = run_command->add_option("model", run.model,
                                               "Model file, - for standard input, or name of a "
                                               "gallery model; with --continue a result file");
  model->option_text(" ");
  run_command
      ->add_option("-o,--output", run.result,
                   "Result file (HDF5); default: the model's name with .h5")
      ->option_text("FILE");
  run_command
      ->add_option("--set", run.set,
                   "Override a key of the file, e.g. simulate.step=1e-4; '~' unsets it")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  run_command
      ->add_option("--csv", run.csv, "Write the outputs as CSV; default: the result's name with .csv")
      ->expected(0, 1)
      ->option_text("[FILE]");
  run_command
      ->add_option("--plot", run.plot,
                   "Write the outputs as SVG; default: the result's name with .svg")
      ->expected(0, 1)
      ->option_text("[FILE]");
  run_command->add_flag("--continue", run.continued, "Go on with an interrupted result");
  run_command->add_flag("-q,--quiet", run.quiet, "No progress, no summary");
  run_command->footer(
      "Exit codes: 0 done, 1 simulation failed (the result holds what was computed), 2 bad input.\n"
      "Examples:\n"
      "  daedal run models/squeezer.yaml --plot\n"
      "  daedal run chain --set parameters.N=100 --set simulate.method=midpoint --format json\n"
      "  daedal run --continue chain.h5");
  add_format(run_command);

  app::StudyArguments study;
  CLI::App* study_command = cli.add_subcommand(
      "study", "Run a model over a grid of settings; print a table; check claims");
  study_command
      ->add_option("study", study.study, "Study file, or name of one that 'daedal studies' lists")
      ->required()
      ->option_text(" ");
  study_command
      ->add_option("-o,--output", study.folder,
                   "Folder for rows, table, plots and report; default: the study's name")
      ->option_text("DIR");
  study_command
      ->add_option("--set", study.set,
                   "Override a key of the study, e.g. set.simulate.until=1; '~' unsets it")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  study_command->add_option("--jobs", study.jobs, "Runs side by side; default: one per processor")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  study_command->add_flag("--resume", study.resume, "Keep the rows that are finished already");
  study_command->add_flag("-q,--quiet", study.quiet, "No progress, no table");
  study_command->footer(
      "Writes rows.jsonl (each row as it is finished), table.csv, a picture per plot and\n"
      "report.html, which needs nothing else.\n"
      "Exit codes: 0 every claim holds, 1 one does not or the study was interrupted, 2 bad input.\n"
      "Examples:\n"
      "  daedal study convergence-pendulum\n"
      "  daedal study preconditioning-squeezer --resume --format json\n"
      "  daedal study mine.yaml --set axes.h.values=[1e-3,1e-4]");
  add_format(study_command);

  app::CheckArguments check;
  CLI::App* check_command = cli.add_subcommand(
      "check", "Assemble a model and say what is wrong with it; nothing is simulated");
  check_command->add_option("model", check.model, "Model file, or name of a gallery model")
      ->required()
      ->option_text(" ");
  check_command->add_option("--set", check.set, "Override any key of the file, as in run")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  check_command->footer(
      "Prints degrees of freedom, dependent constraints by joint and direction, which reactions are\n"
      "unique, and what looks wrong: units, masses, inertias, axes.\n"
      "Exit codes: 0 the mechanism can be assembled (redundant constraints are no fault), 1 its\n"
      "constraints conflict or its joints cannot be closed, 2 bad input.\n"
      "Examples:\n"
      "  daedal check door\n"
      "  daedal check n-four-bar --set parameters.N=3000 --format json");
  add_format(check_command);

  CLI::App* models_command = cli.add_subcommand("models", "List the gallery of example models");
  add_format(models_command);
  CLI::App* studies_command =
      cli.add_subcommand("studies", "List the studies that come with the program");
  add_format(studies_command);
  CLI::App* methods_command = cli.add_subcommand(
      "methods", "List coordinates, formulations and methods, and which go together");
  add_format(methods_command);
  std::string cited;
  CLI::App* cite_command =
      cli.add_subcommand("cite", "Print the references of the methods a result used");
  cite_command->add_option("result", cited, "Result file")->required()->option_text(" ");
  add_format(cite_command);
  CLI::App* schema_command =
      cli.add_subcommand("schema", "Print the JSON Schema of model files, for editors");
  bool schema_of_studies = false;
  schema_command->add_flag("--study", schema_of_studies, "That of study files instead");

  try {
    cli.parse(argc, argv);
    if (run_command->parsed()) give_back_model(run, words);
  } catch (const CLI::Success& help) {
    model->required();  // for the line of usage; give_back_model() asks for it
    cli.exit(help);
    return app::kDone;
  } catch (const CLI::ParseError& error) {
    if (argc < 2) fmt::print(stderr, "{}\n", cli.help());
    return refuse(cli, error, argc > 1 ? argv[1] : nullptr, format_in(words));
  }

  try {
    if (run_command->parsed()) {
      run.format = format;
      run.want_csv = run_command->count("--csv") > 0;
      run.want_plot = run_command->count("--plot") > 0;
      return app::run(run);
    }
    if (study_command->parsed()) {
      study.format = format;
      return app::study(study);
    }
    if (check_command->parsed()) {
      check.format = format;
      return app::check(check);
    }
    if (models_command->parsed()) return app::models(format);
    if (studies_command->parsed()) return app::studies(format);
    if (methods_command->parsed()) return app::methods(format);
    if (cite_command->parsed()) return app::cite(cited, format);
    if (schema_command->parsed()) return app::schema(schema_of_studies);
  } catch (const io::InputError& error) {
    return report(format, error.what());
  } catch (const io::OutputError& error) {
    return report(format, error.what());
  } catch (const model::ModelError& error) {
    return report(format, error.what());
  } catch (const std::bad_alloc&) {
    return report(format, "the model needs more memory than there is; make it smaller");
  } catch (const std::exception& error) {
    return report(format, fmt::format("internal error: {}; please report it", error.what()));
  }
  return app::kBadInput;
}

}  // namespace

void daedal::app::say(std::FILE* stream, std::string_view text) {
  fmt::print(stream, "{}", io::printable(text));
}

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // a file that gets too large is a failed write, with a sentence
  const int code = command(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    fmt::print(stderr, "daedal: standard output cannot be written; what it held is lost\n");
    return code == app::kDone ? app::kFailed : code;
  }
  return code;
}
