#include <fmt/format.h>

#include "commands.hpp"
#include "daedal/io/check_report.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/simulate/check.hpp"

namespace daedal::app {

int check(const CheckArguments& arguments) {
  const io::ModelFile file = io::read_model(find_model(arguments.model), arguments.set);
  const simulate::CheckReport report = simulate::check(file.model);
  if (arguments.format == Format::json) {
    fmt::print("{}\n", io::to_text(io::check_json(report)));
  } else {
    fmt::print("{}", io::check_text(report));
  }
  return report.sound() ? kDone : kFailed;
}

}  // namespace daedal::app
