#include "daedal/study/study_schema.hpp"

#include <utility>

#include "daedal/study/task.hpp"

namespace daedal::study {

namespace {

using io::schema::Field;
using io::schema::join;
using io::schema::Object;
using io::schema::Type;

Field text(std::string key, std::string help) {
  return {.key = std::move(key), .type = Type::string, .help = std::move(help)};
}
Field number(std::string key, std::string help) {
  return {.key = std::move(key), .type = Type::number, .help = std::move(help)};
}
Field list(std::string key, std::string help) {
  return {
      .key = std::move(key), .type = Type::list_of, .item = Type::string, .help = std::move(help)};
}
Field map(std::string key, Type item, std::string help) {
  return {.key = std::move(key), .type = Type::map_of, .item = item, .help = std::move(help)};
}
Field flag(std::string key, bool value, std::string help) {
  return {.key = std::move(key),
          .type = Type::boolean,
          .default_text = value ? "true" : "false",
          .help = std::move(help)};
}
Field required(Field field) {
  field.required = true;
  return field;
}

Field where() {
  return map("where", Type::free,
             "Rows that count: for an axis a value, a list of values, or `{from: A, to: B}`");
}
Field label() {
  return text("label", "For plots and tables; default: the name");
}
Field unit() {
  return text("unit", "For plots and tables");
}

Object axis() {
  return {
      .name = "axis",
      .help = "What is varied: `key` with `values` or a range, or `cases`.",
      .fields = {text("key", "Key of the model file that takes the values: `simulate.step`"),
                 list("values", "Numbers or words"),
                 number("from", "First value of a range, instead of `values`"),
                 number("to", "Last value of a range"),
                 {.key = "count", .type = Type::integer, .help = "Values of a range"},
                 {.key = "per_decade",
                  .type = Type::integer,
                  .help = "Values of a logarithmic range in each decade, instead of `count`"},
                 {.key = "spacing",
                  .type = Type::choice,
                  .default_text = "log",
                  .choices = {"log", "linear"},
                  .help = "Of a range"},
                 map("cases", Type::object,
                     "Named values, each with the keys it sets: `{stiff: {parameters.k: 1e9}}`; "
                     "with `values` not allowed"),
                 label(),
                 unit()}};
}

Object repeat() {
  return {.name = "repeat",
          .help = "Every row stands for several runs.",
          .fields = {required({.key = "times", .type = Type::integer, .help = "Runs of each row"}),
                     map("set", Type::free,
                         "Keys of the model file and their values; `{run}` in a value stands for 0, "
                         "1, ...: `{parameters.omega: \"2*pi*(1 + {run}*1e-9)\"}`")}};
}

Object reference() {
  return {.name = "reference",
          .help = "A trajectory to compare with.",
          .fields = {required(text("file", "CSV file, relative to the study")),
                     {.key = "time",
                      .type = Type::string,
                      .default_text = "time",
                      .help = "Its column of times [s]"},
                     required(text("source", "Where the numbers come from"))}};
}

Object measure() {
  return {.name = "measure",
          .help = "A column: exactly one of `field`, `reference`, `expression` and `column`.",
          .fields = {text("field",
                          "Number of the run's summary: `steps`, `condition_number`, "
                          "`final.OUTPUT`"),
                     text("reference",
                          "Name from `references`: the column is the largest "
                          "difference from it"),
                     map("compare", Type::string,
                         "With `reference`: for each name of the run an expression of the "
                         "reference's columns"),
                     {.key = "at",
                      .type = Type::choice,
                      .default_text = "all",
                      .choices = {"all", "end"},
                      .help = "With `reference`: all its times up to the run's end, or the last"},
                     flag("relative", false,
                          "With `reference`: differences divided by the largest magnitude of the "
                          "reference"),
                     text("expression", "Of numeric axes and of columns above"),
                     text("column", "A column above: its value relative to that in another row"),
                     map("against", Type::free,
                         "With `column`: the other row, by values of axes; in all others it is the "
                         "same"),
                     {.key = "as",
                      .type = Type::choice,
                      .default_text = "ratio",
                      .choices = {"ratio", "difference"},
                      .help = "With `column`: its quotient, or the magnitude of its difference"},
                     {.key = "of_runs",
                      .type = Type::choice,
                      .default_text = "median",
                      .choices = {"median", "smallest", "largest"},
                      .help = "With `field` or `reference`, and `repeat`: what it takes of a row's "
                              "runs"},
                     label(),
                     unit()}};
}

Object paper() {
  return {
      .name = "paper",
      .help = "Values from the literature, shown beside ours.",
      .fields = {required(text("source", "Author, year, table")),
                 required(list("axes", "Axes whose values open each of `rows`")),
                 required({.key = "rows",
                           .type = Type::list_of,
                           .item = Type::free,
                           .help = "Lists: a value of each of `axes`, then the paper's number"}),
                 label(), unit()}};
}

Object plot() {
  return {.name = "plot",
          .help = "A picture NAME.svg, also in the report.",
          .fields = {text("title", "Default: the study's title"),
                     required(text("x", "An axis or a column")),
                     required({.key = "y",
                               .type = Type::list_of,
                               .item = Type::string,
                               .also = {Type::string},
                               .help = "A column, or several"}),
                     text("along",
                          "Axis a line runs along; default: `x`. Each combination of the "
                          "other axes is a line"),
                     where(),
                     {.key = "scale",
                      .type = Type::choice,
                      .default_text = "log-log",
                      .choices = {"log-log", "log-x", "log-y", "linear"},
                      .help = "Which axes are logarithmic"},
                     flag("fit", true, "Slope of each line in the legend; of `log-log`")}};
}

Object trace() {
  return {.name = "trace",
          .help = "A picture NAME.svg of what the steps recorded.",
          .fields = {text("title", "Before the row's values of the axes"),
                     required({.key = "of",
                               .type = Type::list_of,
                               .item = Type::string,
                               .also = {Type::string},
                               .help = "Names of `/diagnostics` in a result: `step_size`, "
                                       "`position_violation`, `jacobian_updates`"}),
                     {.key = "panel",
                      .type = Type::choice,
                      .default_text = "row",
                      .choices = {"row", "quantity"},
                      .help = "What has one, with a line for each of the others"},
                     {.key = "scale",
                      .type = Type::choice,
                      .default_text = "linear",
                      .choices = {"log-y", "linear"},
                      .help = "Whether the values' axis is logarithmic"},
                     where()}};
}

Object pattern() {
  return {.name = "pattern",
          .help = "A picture NAME.svg of where the Newton matrix of `bdf` has entries, a panel for "
                  "each row.",
          .fields = {text("title", "Before the row's values of the axes"), where()}};
}

/// What the kinds of claims share, then their own.
Object claim(std::string name, std::string help, std::vector<Field> own) {
  return {.name = std::move(name),
          .variant_of = "claim",
          .help = std::move(help),
          .fields = join({text("text", "The statement in words; default: its name")},
                         join(std::move(own), {where()}))};
}

std::vector<Object> claims() {
  const Field of = required(text("of", "Column"));
  const Field over = required(text("over", "Axis; every combination of the others is judged"));
  return {
      claim("slope", "The slope of log(column) over log(axis), by least squares.",
            {of, over, required(number("expected", "Slope")),
             required(number("within", "Largest deviation from it"))}),
      claim("bound", "Every value is bounded: one of `at_most` and `at_least`.",
            {of, number("at_most", "Largest value"), number("at_least", "Smallest value")}),
      claim("ratio",
            "Largest over smallest value along an axis, or the second of two over the first.",
            {of, over, list("between", "Two values of the axis; default: largest over smallest"),
             number("expected", "Ratio"), number("within", "Largest relative deviation from it"),
             number("at_most", "Largest ratio, instead of `expected`"),
             number("at_least", "Smallest ratio, instead of `expected`")}),
      claim("order", "The column rises along the axis, or along a list of its values.",
            {of, over, list("sequence", "Values of the axis by rising column"),
             flag("falling", false, "Without `sequence`: it falls instead")}),
      claim("agreement",
            "Two columns agree in every row: one of `within` and `factor`.",
            {of, required(text("with", "The other column")),
             number("within", "Largest difference relative to `with`"),
             number("factor", "Largest quotient, either way")}),
      claim("status", "Every run ends with a status.",
            {required({.key = "expected",
                       .type = Type::choice,
                       .choices = row_statuses(),
                       .help = "How they end; `refused`: the model cannot be simulated so"})})};
}

Object make_schema() {
  const auto section = [](std::string key, std::vector<Object> objects, std::string help) {
    return Field{.key = std::move(key),
                 .type = Type::map_of,
                 .objects = std::move(objects),
                 .help = std::move(help)};
  };
  return {
      .name = "study",
      .help = "A study file.",
      .fields = {{.key = "study",
                  .type = Type::integer,
                  .required = true,
                  .help = "Version of the file format: 1"},
                 required(text("title", "One line")),
                 text("description", "Some lines"),
                 required(text("model",
                               "Model file, relative to the study, or the name of a "
                               "gallery model")),
                 map("set", Type::free,
                     "Keys of the model file and their values, for all runs: `{simulate.method: "
                     "newmark}`; `{h}` in a value stands for the value of axis h"),
                 {.key = "jobs",
                  .type = Type::integer,
                  .help = "Runs side by side; default: one per processor. 1 where times are "
                          "measured"},
                 {.key = "repeat",
                  .type = Type::object,
                  .objects = {repeat()},
                  .help = "Runs of each row that differ a little; the table has their medians"},
                 required(section("axes", {axis()}, "What is varied; all combinations are run")),
                 section("references", {reference()}, "Trajectories to compare with, by name"),
                 required(section("measure", {measure()}, "Columns of the table, by name")),
                 section("paper", {paper()}, "Columns with values of the literature, by name"),
                 list("table", "Columns to print, in their order; default: all"),
                 section("plots", {plot()}, "Pictures by name"),
                 section("traces", {trace()}, "Pictures of the steps over time, by name"),
                 section("patterns", {pattern()}, "Pictures of Newton matrices, by name"),
                 section("claims", claims(), "Statements to check, by name")}};
}

}  // namespace

const io::schema::Object& study_schema() {
  static const Object object = make_schema();
  return object;
}

}  // namespace daedal::study
