// Andrews' squeezing mechanism as the program runs it, against the quad-precision reference.
#include <cmath>
#include <map>

#include "program.hpp"

namespace daedal::testing {
namespace {

/// tests/data/andrews_t003.csv: variable and quad-precision value at t = 0.03.
std::map<std::string, double> reference() {
  std::ifstream in(std::string(DAEDAL_SOURCE_DIR) + "/tests/data/andrews_t003.csv");
  std::map<std::string, double> values;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string index, name, published, quad;
    std::getline(cells, index, ',');
    std::getline(cells, name, ',');
    std::getline(cells, published, ',');
    std::getline(cells, quad, ',');
    values[name] = std::stod(quad);
  }
  return values;
}

double angle_error(const io::Json& json) {
  const std::map<std::string, double> exact = reference();
  double worst = 0.0;
  for (const char* name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
    worst = std::max(worst, std::abs(json["final"][name].get<double>() - exact.at(name)));
  }
  return worst;
}

TEST(Squeezer, DefaultRunEndsNearTheReference) {
  const Folder folder;
  const io::Json json = run_json(folder, {"run", "squeezer"});
  EXPECT_EQ(json["time"], 0.03);
  EXPECT_LT(angle_error(json), 1e-4);
  const std::map<std::string, double> exact = reference();
  const std::vector<std::string> reactions{"P3_x", "P3_y", "P4_x", "P4_y", "P6_x", "P6_y"};
  for (int i = 0; i < 6; ++i) {
    const double lambda = exact.at("lambda" + std::to_string(i + 1));
    // The joints act on K2: the reactions are -lambda.
    EXPECT_NEAR(json["final"][reactions[i]].get<double>(), -lambda, 1e-3 * std::abs(lambda))
        << reactions[i];
  }
}

TEST(Squeezer, ErrorFallsAtSecondOrderToSmallValues) {
  const Folder folder;
  double before = 0.0, error = 0.0;
  const std::vector<double> steps = kSanitized ? std::vector<double>{1e-5, 5e-6}
                                               : std::vector<double>{2e-6, 1e-6, 5e-7, 2.5e-7};
  for (double h : steps) {
    error = angle_error(run_json(
        folder, {"run", "squeezer", "--set", "simulate.step=" + std::to_string(h * 1e9) + "e-9"}));
    const double slope = before > 0.0 ? std::log2(before / error) : 2.0;
    std::printf("h = %.1e  error %.3e  slope %.2f\n", h, error, slope);
    EXPECT_NEAR(slope, 2.0, 0.15) << h;
    before = error;
  }
  if (!kSanitized) {
    EXPECT_LT(error, 1e-7);
  }
}

TEST(Squeezer, Hem5ReachesTheAnglesInBothCoordinates) {
  const Folder folder;
  for (const char* coordinates : {"absolute", "joint"}) {
    const io::Json json = run_json(
        folder, {"run", "squeezer", "--set", "simulate.method=hem5", "--set", "simulate.steps=adaptive",
                 "--set", "simulate.tolerance=1e-8", "--set",
                 std::string("simulate.coordinates=") + coordinates});
    std::printf("%s: %ld steps, error %.1e\n", coordinates, json["steps"].get<long>(),
                angle_error(json));
    EXPECT_LT(angle_error(json), 1e-7) << coordinates;
  }
}

}  // namespace
}  // namespace daedal::testing
