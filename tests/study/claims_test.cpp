#include "daedal/study/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/study/fit.hpp"
#include "study/small_study.hpp"

namespace daedal::study {
namespace {

using testing::HasSubstr;

/// The small study with made-up rows: x = a(method) h^slope(method); `missing` has none.
class Made {
 public:
  explicit Made(const std::string& claims, int missing = -1)
      : study_(read(small_study("paper:\n  x_paper: {source: us, axes: [h], rows: [[0.02, 4e-4], "
                                "[0.01, 1.1e-4], [7, 7]]}\nclaims:\n" +
                                claims))) {
    int k = 0;
    for (const Point& point : grid(study_)) {
      Row row;
      row.status = k++ == missing ? "newton_diverged" : "done";
      const double h = *study_.axes[1].values[point[1]].number;
      row.values = {{"steps", 0.2 / h}, {"final.mass.x", point[0] == 0 ? h * h : 3.0 * h}};
      results_.lines.push_back(make_line(study_, point, row));
    }
  }
  std::vector<Verdict> judge() const { return study::judge(study_, results_); }
  Verdict only() const {
    const std::vector<Verdict> all = judge();
    EXPECT_EQ(all.size(), 1u);
    return all.front();
  }

 private:
  Study study_;
  Results results_;
};

TEST(PowerLaw, IsExactOnPowersAndRefusesWhatHasNoLogarithm) {
  const std::vector<double> x{1e-3, 1e-2, 1e-1};
  const auto law = fit_power_law(x, std::vector<double>{5e6, 5e4, 5e2});
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->slope, -2.0, 1e-12);
  EXPECT_NEAR(law->factor, 5.0, 1e-10);
  EXPECT_NEAR((*law)(2.0), 1.25, 1e-10);
  EXPECT_FALSE(fit_power_law(x, std::vector<double>{1, 0, 1}));
  EXPECT_FALSE(fit_power_law(x, std::vector<double>{1, -1, 1}));
  EXPECT_FALSE(fit_power_law(std::vector<double>{1, 1}, std::vector<double>{1, 2}));
  EXPECT_FALSE(fit_power_law(std::vector<double>{1}, std::vector<double>{1}));
}

TEST(Claims, SlopeIsJudgedForEveryCombinationOfTheOtherAxes) {
  const auto all = Made("  s: {type: slope, of: x, over: h, expected: 2, within: 0.1}").judge();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].where, "method = newmark");
  EXPECT_TRUE(all[0].holds);
  EXPECT_NEAR(*all[0].measured, 2.0, 1e-12);
  EXPECT_FALSE(all[1].holds);
  EXPECT_NEAR(*all[1].measured, 1.0, 1e-12);
  EXPECT_EQ(all[1].expected_text, "2 ± 0.1");
}

TEST(Claims, WhereChoosesRowsByValueListAndRange) {
  const std::string slope = "  s: {type: slope, of: x, over: h, expected: 1, within: 0.1, where: ";
  EXPECT_TRUE(Made(slope + "{method: midpoint}}").only().holds);
  EXPECT_TRUE(Made(slope + "{method: [midpoint], h: {from: 5e-3, to: 0.01}}}").only().holds);
  const Verdict one = Made(slope + "{method: midpoint, h: 0.01}}").only();
  EXPECT_FALSE(one.holds);
  EXPECT_THAT(one.note, HasSubstr("two rows"));
}

TEST(Claims, BoundTakesTheWorstRow) {
  const Verdict most = Made("  b: {type: bound, of: steps, at_most: 40}").only();
  EXPECT_TRUE(most.holds);
  EXPECT_EQ(*most.measured, 40.0);
  EXPECT_FALSE(Made("  b: {type: bound, of: steps, at_most: 39}").only().holds);
  const Verdict least = Made("  b: {type: bound, of: steps, at_least: 11}").only();
  EXPECT_FALSE(least.holds);
  EXPECT_EQ(*least.measured, 10.0);
}

TEST(Claims, RatioIsSpreadOrBetweenTwoValues) {
  const std::string where = ", where: {method: midpoint}}";
  const Verdict spread = Made("  r: {type: ratio, of: x, over: h, at_most: 4.1" + where).only();
  EXPECT_TRUE(spread.holds);
  EXPECT_NEAR(*spread.measured, 4.0, 1e-12);
  EXPECT_FALSE(Made("  r: {type: ratio, of: x, over: h, at_most: 3.9" + where).only().holds);
  const Verdict between = Made(
                              "  r: {type: ratio, of: x, over: h, between: [0.02, 0.01], expected: "
                              "0.5, within: 0.01" +
                              where)
                              .only();
  EXPECT_TRUE(between.holds);
  EXPECT_NEAR(*between.measured, 0.5, 1e-12);
}

TEST(Claims, RatioNeedsTwoRows) {
  const Verdict v =
      Made("  r: {type: ratio, of: x, over: h, at_most: 9, where: {method: midpoint, h: 0.01}}")
          .only();
  EXPECT_FALSE(v.holds);
  EXPECT_EQ(v.note, "two rows are needed");
}

TEST(Claims, OrderIsThatOfTheColumn) {
  const auto by_method = [](const std::string& sequence) {
    return Made("  o: {type: order, of: x, over: method, sequence: " + sequence +
                ", where: {h: 0.01}}")
        .only();
  };
  EXPECT_TRUE(by_method("[newmark, midpoint]").holds);
  EXPECT_FALSE(by_method("[midpoint, newmark]").holds);
  EXPECT_EQ(by_method("[newmark, midpoint]").expected_text, "newmark < midpoint");
  // The steps of this study are listed from large to small.
  EXPECT_TRUE(
      Made("  o: {type: order, of: steps, over: h, where: {method: newmark}}").only().holds);
  EXPECT_FALSE(Made("  o: {type: order, of: x, over: h, where: {method: newmark}}").only().holds);
  EXPECT_TRUE(Made("  o: {type: order, of: x, over: h, falling: true, where: {method: newmark}}")
                  .only()
                  .holds);
}

TEST(Claims, AgreementComparesEveryRowThatItAdmits) {
  const std::string pair =
      "  a: {type: agreement, of: x, with: x_paper, where: {method: newmark, h: {from: 0.01}}, ";
  const Verdict within = Made(pair + "within: 0.1}").only();
  EXPECT_TRUE(within.holds);
  EXPECT_NEAR(*within.measured, 0.1 / 1.1, 1e-9);
  EXPECT_FALSE(Made(pair + "within: 0.05}").only().holds);
  EXPECT_TRUE(Made(pair + "factor: 1.11}").only().holds);
  EXPECT_FALSE(Made(pair + "factor: 1.09}").only().holds);
}

TEST(Claims, AgreementFailsWhereTheOtherColumnHasNoValue) {
  const Verdict v =
      Made("  a: {type: agreement, of: x, with: steps, within: 1e9, where: {method: midpoint}}", 4)
          .only();
  EXPECT_FALSE(v.holds);
  EXPECT_THAT(v.note, HasSubstr("no value at method = midpoint, h = 0.01"));
}

TEST(Claims, ARunThatFailedMakesAClaimFailThatRestsOnIt) {
  const Verdict v = Made("  b: {type: bound, of: steps, at_most: 1000}", 3).only();
  EXPECT_FALSE(v.holds);
  EXPECT_THAT(v.note, HasSubstr("no value at method = midpoint, h = 0.02 (newton_diverged)"));
  EXPECT_TRUE(Made("  b: {type: bound, of: steps, at_most: 1000, where: {method: newmark}}", 3)
                  .only()
                  .holds);
  EXPECT_FALSE(
      Made(
          "  s: {type: slope, of: x, over: h, expected: 1, within: 0.1, where: {method: midpoint}}",
          3)
          .only()
          .holds);
}

TEST(Claims, StatusIsAClaimToo) {
  EXPECT_TRUE(Made("  s: {type: status, expected: done}").only().holds);
  const Verdict v = Made("  s: {type: status, expected: done}", 0).only();
  EXPECT_FALSE(v.holds);
  EXPECT_EQ(v.measured_text, "newton_diverged");
  EXPECT_TRUE(
      Made("  s: {type: status, expected: newton_diverged, where: {method: newmark, h: 0.02}}", 0)
          .only()
          .holds);
}

}  // namespace
}  // namespace daedal::study
