#include <fmt/format.h>

#include <cstdio>

#include "commands.hpp"
#include "daedal/io/check_report.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/simulate/check.hpp"

namespace daedal::app {

namespace {

simulate::CheckReport report_on(const io::ModelFile& file) {
  try {
    return simulate::check(file.model);
  } catch (const model::ModelError& error) {
    refuse(file, error);
  }
}

}  // namespace

int check(const CheckArguments& arguments) {
  const io::ModelFile file = io::read_model(find_model(arguments.model), arguments.set);
  const simulate::CheckReport report = report_on(file);
  if (arguments.format == Format::json) {
    fmt::print("{}\n", io::to_text(io::check_json(report)));
  } else {
    fmt::print("{}", io::check_text(report));
  }
  // Velocities that cannot be are bad input, with a place in the file, as for a run.
  if (!report.assembly.contradictions.empty()) {
    std::fflush(stdout);
    refuse(file, model::ModelError(report.assembly.contradictions));
  }
  return report.sound() ? kDone : kFailed;
}

}  // namespace daedal::app
