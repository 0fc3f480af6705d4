#include "daedal/math/text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace daedal::math {
namespace {

TEST(Text, EditDistanceCountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("omega", "omega"), 0u);
  EXPECT_EQ(edit_distance("omega", "Omega"), 0u);
  EXPECT_EQ(edit_distance("omgea", "omega"), 1u);
  EXPECT_EQ(edit_distance("omga", "omega"), 1u);
  EXPECT_EQ(edit_distance("omeega", "omega"), 1u);
  EXPECT_EQ(edit_distance("onega", "omega"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
}

TEST(Text, NearestFindsLikelyMisspellingsOnly) {
  const std::vector<std::string> names = {"mass", "inertia", "stiffness", "r"};
  EXPECT_EQ(nearest("mas", names), "mass");
  EXPECT_EQ(nearest("intertia", names), "inertia");
  EXPECT_EQ(nearest("Stifness", names), "stiffness");
  EXPECT_EQ(nearest("damping", names), std::nullopt);
  EXPECT_EQ(nearest("q", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'm'), names), std::nullopt);
  EXPECT_EQ(did_you_mean("mas", names), " (did you mean 'mass'?)");
  EXPECT_EQ(did_you_mean("damping", names), "");
}

}  // namespace
}  // namespace daedal::math
