#include "daedal/study/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/xml.hpp"
#include "io/temporary_folder.hpp"
#include "study/small_study.hpp"

namespace daedal::study {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Report : public ::testing::Test {
 protected:
  Study study_ = read(small_study(R"(paper:
  x_paper: {source: "A & B, 1999", axes: [h], rows: [[0.02, -0.8]]}
plots:
  one: {x: h, y: x, scale: linear}
  two: {x: h, y: [steps, hundred], title: "<steps>"}
claims:
  steps: {type: slope, of: steps, over: h, expected: -1, within: 0.01}
  "a < b & c": {type: bound, of: steps, at_most: 1}
)"));
  io::TemporaryFolder folder_;
  Results results_ = results_of(study_, folder_ / "rows");
  std::vector<Verdict> verdicts_ = judge(study_, results_);
};

TEST_F(Report, TextHasTheTableAndTheVerdicts) {
  const std::string text = text_report(study_, results_, verdicts_);
  EXPECT_THAT(text, HasSubstr("\n  method       h  steps        x  hundred  x_paper\n"));
  EXPECT_THAT(text, HasSubstr("holds  steps [method = newmark]"));
  EXPECT_THAT(text, HasSubstr("expected -1 ± 0.01, measured -1.000"));
  EXPECT_THAT(text, HasSubstr("FAILS  a < b & c"));
  EXPECT_THAT(text, HasSubstr("2 of 3 claims hold"));
  EXPECT_THAT(text, HasSubstr("x_paper: values from A & B, 1999."));
}

TEST_F(Report, CsvHasEveryRowAndEmptyFieldsForWhatIsMissing) {
  const std::string text = csv_report(study_, results_);
  EXPECT_THAT(text, ::testing::StartsWith("method,h,status,steps,x,hundred,x_paper\n"
                                          "newmark,0.02,done,10,"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
  EXPECT_THAT(text, HasSubstr(",20,\n"));
  EXPECT_THAT(text, HasSubstr(",20,-0.8\n"));
}

TEST_F(Report, JsonHasColumnsRowsAndClaims) {
  const io::Json json = json_report(study_, results_, verdicts_);
  EXPECT_EQ(json["columns"].size(), 7u);
  ASSERT_EQ(json["rows"].size(), 6u);
  EXPECT_EQ(json["rows"][0]["method"], "newmark");
  EXPECT_EQ(json["rows"][0]["h"], 0.02);
  EXPECT_EQ(json["rows"][0]["steps"], 10.0);
  EXPECT_TRUE(json["rows"][1]["x_paper"].is_null());
  ASSERT_EQ(json["claims"].size(), 3u);
  EXPECT_EQ(json["claims"][0]["claim"], "steps");
  EXPECT_EQ(json["claims"][0]["expected"], -1.0);
  EXPECT_NEAR(json["claims"][0]["measured"].get<double>(), -1.0, 1e-12);
  EXPECT_EQ(json["claims"][0]["holds"], true);
  EXPECT_EQ(json["claims"][2]["holds"], false);
}

TEST_F(Report, HtmlIsWellFormedAndNeedsNothingElse) {
  const std::string page = html_report(study_, results_, verdicts_, "1.2");
  const std::string doctype = "<!DOCTYPE html>\n";
  ASSERT_THAT(page, ::testing::StartsWith(doctype));
  EXPECT_EQ(daedal::testing::XmlCheck(std::string_view(page).substr(doctype.size())).complaint(),
            "");
  EXPECT_THAT(page, HasSubstr("Small &amp; &lt;quick&gt;"));
  EXPECT_THAT(page, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(page, HasSubstr("daedal 1.2"));
  for (const char* foreign : {"src=", "href=", "@import", "url(", "<script", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  }
  // The only addresses are names of namespaces.
  for (std::size_t at = page.find("http"); at != page.npos; at = page.find("http", at + 1)) {
    EXPECT_EQ(page.substr(at, 26), "http://www.w3.org/2000/svg");
  }
}

TEST_F(Report, PlotsHaveALinePerCombinationAndSlopesInTheLegend) {
  const io::Plot linear = make_plot(study_, results_, study_.plots[0]);
  ASSERT_EQ(linear.series.size(), 2u);
  EXPECT_EQ(linear.series[0].label, "method = newmark");
  EXPECT_EQ(linear.series[0].x, (std::vector<double>{5e-3, 0.01, 0.02}));
  const io::Plot fitted = make_plot(study_, results_, study_.plots[1]);
  ASSERT_EQ(fitted.series.size(), 8u);
  EXPECT_EQ(fitted.series[0].label, "steps, method = newmark (slope \u22121.00)");
  EXPECT_TRUE(fitted.series[1].guide);
  EXPECT_NEAR(fitted.series[1].y[0], 40.0, 1e-9);
}

TEST_F(Report, SaysWhatLogarithmicPlotsLeaveOut) {
  const Study study =
      read(small_study("plots:\n  log: {x: h, y: x}\n  half: {x: h, y: [x, steps]}\n"
                       "  flat: {x: h, y: x, scale: log-x}\n"));
  const Results results = results_of(study, folder_ / "log");  // x is negative throughout
  EXPECT_THAT(
      remarks(study, results),
      ::testing::ElementsAre(HasSubstr("Plot log: 6 of 6 points are left out: zero and negative "
                                       "values have no place on a logarithmic axis"),
                             HasSubstr("Plot half: 6 of 12 points")));
  EXPECT_THAT(io::svg(make_plot(study, results, study.plots[1])),
              HasSubstr("6 of 12 points are left out"));
  EXPECT_THAT(io::svg(make_plot(study, results, study.plots[2])), Not(HasSubstr("left out")));
  EXPECT_EQ(json_report(study, results, {})["remarks"].size(), 2u);
}

TEST_F(Report, SaysWhichColumnsHaveEmptyCells) {
  const Study study =
      read(small_study("  root: {expression: x^0.5}\n  steps2: {expression: steps}\n"));
  EXPECT_THAT(remarks(study, results_of(study, folder_ / "empty")),
              ::testing::ElementsAre(HasSubstr("root: 6 of 6 finished runs have no value; the "
                                               "expression is not finite there")));
}

TEST_F(Report, RowsThatWereNotRunHaveNotFailed) {
  const Study study = read(small_study());
  Results results = results_of(study, folder_ / "interrupted");
  results.interrupted = true;
  results.lines[3].status = "newton_diverged";
  for (const int i : {4, 5}) results.lines[i].status = kNotRun;
  EXPECT_THAT(remarks(study, results),
              ::testing::ElementsAre(HasSubstr("1 of 4 runs did not end well"),
                                     HasSubstr("2 of 6 rows have not been run yet")));
}

TEST_F(Report, FailuresInTheSameWordsAreToldOnce) {
  const Study study = read(small_study());
  Results results = results_of(study, folder_ / "failures");
  for (const int i : {0, 2, 3}) {
    results.lines[i].status = "singular_matrix";
    results.lines[i].message = i == 2 ? "at t = 1 s" : "at t = 0 s";
  }
  const std::string text = text_report(study, results, {});
  EXPECT_THAT(text, HasSubstr("\nsingular_matrix: at t = 0 s (2 runs)\n"
                              "singular_matrix: at t = 1 s\n"));
  EXPECT_THAT(html_report(study, results, {}, "1"),
              HasSubstr("<b>singular_matrix</b>: at t = 0 s (2 runs)</p>\n"
                        "<p class=\"soft\"><b>singular_matrix</b>: at t = 1 s</p>"));
}

TEST_F(Report, TimesOfRunsSideBySideComeWithAWarning) {
  const Study timed = read(small_study("  seconds: {field: wall_seconds}\n"));
  Results results = results_of(timed, folder_ / "timed", false, 2);
  EXPECT_THAT(remarks(timed, results), ::testing::ElementsAre(HasSubstr("2 runs side by side")));
  results.jobs = 1;
  EXPECT_THAT(remarks(timed, results), ::testing::IsEmpty());
}

}  // namespace
}  // namespace daedal::study
