#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <map>

#include "commands.hpp"
#include "daedal/io/errors.hpp"
#include "daedal/io/json.hpp"
#include "daedal/model/model.hpp"

namespace {

using namespace daedal;

int report(app::Format format, const std::string& message) {
  fmt::print(stderr, "daedal: {}\n", message);
  if (format == app::Format::json) {
    io::Json json;
    json["status"] = "bad_input";
    json["message"] = message;
    fmt::print("{}\n", io::to_text(json));
  }
  return app::kBadInput;
}

int command(int argc, char** argv) {
  CLI::App cli{
      "Daedal simulates constrained mechanical systems: mechanisms, machines, linkages.\n"
      "Start with: daedal models; daedal run pendulum --plot"};
  cli.name("daedal");
  cli.require_subcommand(1);
  cli.set_version_flag("--version", "daedal " DAEDAL_VERSION);
  cli.failure_message(CLI::FailureMessage::help);

  app::Format format = app::Format::text;
  const std::map<std::string, app::Format> formats{{"text", app::Format::text},
                                                   {"json", app::Format::json}};
  const auto add_format = [&](CLI::App* command) {
    command->add_option("--format", format, "text, or json: one document on standard output")
        ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case))
        ->default_str("text");
  };

  app::RunArguments run;
  CLI::App* run_command = cli.add_subcommand(
      "run", "Simulate a model; print summary and certificate; write a result file");
  run_command->add_option("model", run.model,
                          "Model file, or name of a gallery model; with --continue a result file")
      ->required();
  run_command->add_option("-o,--output", run.result,
                          "Result file (HDF5); default: the model's name with .h5");
  run_command
      ->add_option("--set", run.set,
                   "Override any key of the file: --set simulate.step=1e-4 --set parameters.N=40")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  run_command->add_option("--csv", run.csv, "Write the outputs as CSV; default: the result's name")
      ->expected(0, 1)
      ->type_name("[FILE]");
  run_command->add_option("--plot", run.plot, "Write the outputs as SVG; default: the result's name")
      ->expected(0, 1)
      ->type_name("[FILE]");
  run_command->add_flag("--continue", run.continued, "Go on with an interrupted result");
  run_command->add_flag("-q,--quiet", run.quiet, "No progress, no summary");
  run_command->footer(
      "Exit codes: 0 done, 1 simulation failed (the result holds what was computed), 2 bad input.\n"
      "Examples:\n"
      "  daedal run models/squeezer.yaml --plot\n"
      "  daedal run chain --set parameters.N=100 --set simulate.method=midpoint --format json\n"
      "  daedal run --continue chain.h5");
  add_format(run_command);

  CLI::App* models_command = cli.add_subcommand("models", "List the gallery of example models");
  add_format(models_command);
  CLI::App* methods_command = cli.add_subcommand(
      "methods", "List coordinates, formulations and methods, and which go together");
  add_format(methods_command);
  std::string cited;
  CLI::App* cite_command =
      cli.add_subcommand("cite", "Print the references of the methods a result used");
  cite_command->add_option("result", cited, "Result file")->required();
  add_format(cite_command);
  CLI::App* schema_command =
      cli.add_subcommand("schema", "Print the JSON Schema of model files, for editors");

  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = cli.exit(error);
    return code == 0 ? app::kDone : app::kBadInput;
  }

  try {
    if (run_command->parsed()) {
      run.format = format;
      run.want_csv = run_command->count("--csv") > 0;
      run.want_plot = run_command->count("--plot") > 0;
      return app::run(run);
    }
    if (models_command->parsed()) return app::models(format);
    if (methods_command->parsed()) return app::methods(format);
    if (cite_command->parsed()) return app::cite(cited, format);
    if (schema_command->parsed()) return app::schema();
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

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // a file that gets too large is a failed write, with a sentence
  const int code = command(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    fmt::print(stderr, "daedal: standard output cannot be written; what it held is lost\n");
    return code == app::kDone ? app::kFailed : code;
  }
  return code;
}
