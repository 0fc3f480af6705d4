// The gallery in joint coordinates: the same motion as in absolute ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "daedal/io/model_file.hpp"
#include "daedal/simulate/simulation.hpp"
#include "support/gallery.hpp"

namespace daedal::io {
namespace {

namespace fs = std::filesystem;

using daedal::testing::gallery;

class GalleryInJointCoordinates : public ::testing::TestWithParam<fs::path> {
 protected:
  static simulate::Summary run(const ModelFile& file, const char* coordinates, double refinement) {
    simulate::Settings settings = file.settings;
    settings.coordinates = coordinates;
    const double step = simulate::step_size(file.settings);
    settings.until = std::min(file.settings.until, 100.0 * step);
    settings.step = step / refinement;
    settings.tolerance = 1e-10;
    if (settings.method == "bdf") {  // its errors do not follow a given step
      settings.method = "generalized-alpha";
      settings.formulation = "index-3";
    }
    return simulate::run(file.model, settings, {});
  }
  /// Largest difference of outputs, relative to their size.
  static double difference(const simulate::Summary& a, const simulate::Summary& b) {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.final.size(); ++k) {
      const double x = a.final[k].second, y = b.final[k].second;
      largest = std::max(largest, std::abs(x - y) / (1.0 + std::abs(x)));
    }
    return largest;
  }
};

// Both are methods of second order for the same equations: they differ by an error of theirs.
TEST_P(GalleryInJointCoordinates, MovesAsInAbsoluteOnes) {
  const ModelFile file = read_model(GetParam());
  const simulate::Summary coarse = run(file, "joint", 1.0), fine = run(file, "joint", 4.0);
  ASSERT_EQ(coarse.status, simulate::Status::done) << coarse.message;
  ASSERT_EQ(fine.status, simulate::Status::done) << fine.message;
  ASSERT_FALSE(coarse.final.empty());
  const double at_step = difference(coarse, run(file, "absolute", 1.0));
  const double at_quarter = difference(fine, run(file, "absolute", 4.0));
  EXPECT_LT(at_step, 2e-2);
  EXPECT_LT(at_quarter, 0.15 * at_step + 1e-8);
  EXPECT_LT(fine.max_position_violation, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Models, GalleryInJointCoordinates, ::testing::ValuesIn(gallery()),
                         [](const auto& model) {
                           std::string name = model.param.stem().string();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace daedal::io
