#include "daedal/study/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daedal/study/report.hpp"
#include "io/temporary_folder.hpp"
#include "study/small_study.hpp"

namespace daedal::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kPendulum = R"(study: 1
title: Pendulum
model: pendulum-chain
set: {parameters.N: 0, simulate.until: 1, simulate.output_step: 0.5}
axes:
  method: {key: simulate.method, values: [bdf, generalized-alpha]}
measure:
  steps: {field: steps}
patterns:
  jacobian: {title: Newton matrix}
)";

// One angle that swings: q' = v reads q and v, and so does the dynamic row under an accelerated
// suspension, whose damping alone is missing.
TEST(Patterns, AreThoseOfTheNewtonMatrixAlsoAfterResuming) {
  const io::TemporaryFolder folder;
  const Study study = read(kPendulum);
  for (const bool resume : {false, true}) {
    const Results results = results_of(study, folder / "rows", resume);
    ASSERT_EQ(results.lines.size(), 2u);
    const Pattern& pattern = results.lines[0].pattern;
    EXPECT_THAT(pattern.parts, ElementsAre(1, 1, 0, 0, 0));
    EXPECT_THAT(pattern.rows, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(pattern.columns, ElementsAre(0, 1, 0, 1));
    EXPECT_TRUE(results.lines[1].pattern.parts.empty());  // no first-order form
    const auto panels = make_patterns(study, results, study.patterns.front());
    ASSERT_EQ(panels.size(), 1u);
    EXPECT_EQ(panels[0].title, "Newton matrix: method = bdf");
    const std::string picture = io::svg(panels);
    EXPECT_THAT(picture, HasSubstr("2 rows, 4 entries"));
    EXPECT_THAT(picture, HasSubstr("M200.00 200.00h200.00"));  // the last of four squares
  }
}

TEST(Patterns, HaveNamesOfTheirOwn) {
  EXPECT_THAT(
      [] {
        read(std::string(kPendulum) + "traces:\n  jacobian: {of: step_size}\n");
      },
      testing::Throws<io::InputError>(testing::Property(
          &std::exception::what, HasSubstr("pattern 'jacobian': a plot or trace has this name"))));
}

}  // namespace
}  // namespace daedal::study
