// The gallery in models/: every file reads, compiles and fits together at its start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/io/model_file.hpp"
#include "daedal/simulate/simulation.hpp"
#include "support/gallery.hpp"

namespace daedal::io {
namespace {

namespace fs = std::filesystem;

using daedal::testing::gallery;

class Gallery : public ::testing::TestWithParam<fs::path> {};

TEST_P(Gallery, HasATitleADescriptionShapesAndOutputs) {
  const ModelFile file = read_model(GetParam());
  EXPECT_FALSE(file.model.title.empty());
  EXPECT_FALSE(file.model.description.empty());
  EXPECT_FALSE(file.model.outputs.empty());
  for (const model::Body& body : file.model.bodies) EXPECT_FALSE(body.shapes.empty()) << body.name;
}

TEST_P(Gallery, IsAssembledAtItsInitialGuess) {
  const ModelFile file = read_model(GetParam());
  const coordinates::Mechanism mechanism = coordinates::make_absolute(file.model);
  const auto& structure = mechanism.system->structure();
  std::vector<math::Jet> u(structure.excitations);
  mechanism.system->excitations(0.0, u);
  const auto evaluator = mechanism.system->evaluator();
  evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, u});
  std::vector<double> g(structure.constraint_rows);
  evaluator->constraints(g);
  for (int row = 0; row < structure.constraint_rows; ++row) {
    EXPECT_NEAR(g[row], 0.0, 1e-12) << structure.row_name(row);
  }
}

TEST_P(Gallery, RunsWithBdf) {
  for (const char* formulation : {"ggl", "index-2", "index-1"}) {
    const ModelFile file = read_model(
        GetParam(), std::vector<std::string>{"simulate.method=bdf", "simulate.jacobian=analytic",
                                             fmt::format("simulate.formulation={}", formulation)});
    const simulate::Summary summary = simulate::run(file.model, file.settings);
    EXPECT_EQ(summary.status, simulate::Status::done) << formulation << ": " << summary.message;
    EXPECT_LT(summary.max_position_violation, 1e-12) << formulation;
    EXPECT_LT(summary.max_velocity_violation, 1e-10) << formulation;
    EXPECT_LT(summary.relative_energy_error.value_or(0.0), 2e-3) << formulation;
    EXPECT_LT(summary.steps, 20000) << formulation;
  }
}

TEST_P(Gallery, RunsWithAdaptiveSteps) {
  // By the method that is chosen where no step is given, and by generalized-alpha.
  for (const char* method : {"auto", "generalized-alpha"}) {
    const ModelFile file = read_model(
        GetParam(),
        std::vector<std::string>{"simulate.step=auto", fmt::format("simulate.method={}", method)});
    const bool is_told = !file.model.contacts.empty() && method != std::string_view("auto");
    if (is_told) continue;  // it does not treat contacts
    const simulate::Summary summary = simulate::run(file.model, file.settings);
    EXPECT_EQ(summary.status, simulate::Status::done) << method << ": " << summary.message;
    EXPECT_TRUE(summary.adaptive);
    const bool half_explicit = summary.method == "hem5";  // positions may drift a little
    EXPECT_EQ(summary.formulation, half_explicit ? "index-2" : "ggl");
    EXPECT_LT(summary.max_position_violation, half_explicit ? 1e-9 : 1e-11) << summary.method;
    EXPECT_LT(summary.max_velocity_violation, 1e-7) << summary.method;
    EXPECT_LT(summary.relative_energy_error.value_or(0.0), 1e-2) << summary.method;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Gallery, ::testing::ValuesIn(gallery()), [](const auto& model) {
  std::string name = model.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Squeezer, CoordinatesAreThoseOfTheIvpTestSet) {
  const ModelFile file = read_model(fs::path(DAEDAL_SOURCE_DIR) / "models" / "squeezer.yaml");
  const coordinates::Mechanism mechanism = coordinates::make_absolute(file.model);
  const auto& structure = mechanism.system->structure();
  EXPECT_EQ(structure.dof() - structure.constraint_rows, 1);
  mechanism.observer->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}},
                              std::vector<double>(structure.dof()),
                              std::vector<double>(structure.constraint_rows));
  for (const auto& [joint, name] : {std::pair("O", "beta0"), std::pair("F", "Theta0"),
                                    std::pair("B", "gamma0"), std::pair("H", "Phi0"),
                                    std::pair("A5", "delta0"), std::pair("G", "Omega0"),
                                    std::pair("A7", "epsilon0")}) {
    EXPECT_NEAR(mechanism.observer->joint_coordinate(file.model.find_joint(joint),
                                                     model::Freedom::angle),
                file.parameters.at(name), 1e-15)
        << name;
  }
}

TEST(NFourBar, HasTwoNPlusOneLinks) {
  const std::vector<std::string> overrides{"parameters.N=40"};
  const ModelFile file =
      read_model(fs::path(DAEDAL_SOURCE_DIR) / "models" / "n-four-bar.yaml", overrides);
  EXPECT_EQ(file.model.bodies.size(), 81u);
  EXPECT_EQ(file.model.joints.size(), 121u);
}

}  // namespace
}  // namespace daedal::io
