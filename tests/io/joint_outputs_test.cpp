// Outputs of joints: every relative motion and its rate, from the model file to the recorded row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/io/model_file.hpp"
#include "simulate/kept_rows.hpp"

namespace daedal::io {
namespace {

using ::testing::ElementsAre;
using daedal::testing::KeptRows;

KeptRows rows_of(const std::string& text) {
  const ModelFile file = parse_model("daedal: 1\n" + text, "m.yaml");
  KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  EXPECT_EQ(simulate::run(file.model, file.settings, options).status, simulate::Status::done);
  return rows;
}

TEST(JointOutputs, ACylindricalJointTurnsAndSlidesAtOnce) {
  const KeptRows rows = rows_of(R"(
bodies: {sleeve: {mass: 2, inertia: [1, 1, 0.5]}}
joints: {shaft: {type: cylindrical, between: [ground, sleeve], at: [0, 0, 0], axis: [0, 0, 1]}}
initial: {sleeve: {velocity: [0, 0, 0.5], angular_velocity: [0, 0, 20]}}
outputs:
  angle: {angle: shaft}
  angular_speed: {angular_speed: shaft}
  displacement: {displacement: shaft}
  speed: {speed: shaft}
  relative: {angular_velocity: shaft, component: z}
simulate: {until: 1, step: 0.01}
)");
  for (std::size_t k = 0; k < rows.time.size(); ++k) {
    EXPECT_NEAR(rows.outputs.at("angle")[k], 20.0 * rows.time[k], 1e-9);  // over three turns
    EXPECT_NEAR(rows.outputs.at("angular_speed")[k], 20.0, 1e-9);
    EXPECT_NEAR(rows.outputs.at("displacement")[k], 0.5 * rows.time[k], 1e-12);
    EXPECT_NEAR(rows.outputs.at("speed")[k], 0.5, 1e-12);
    EXPECT_NEAR(rows.outputs.at("relative")[k], 20.0, 1e-9);
  }
}

TEST(JointOutputs, AUniversalJointHasTwoAngles) {
  // R = Rz(0.4) Rx(0.7), omega = 3 z + 5 Rz(0.4) x: about the first axis, then about the second.
  const KeptRows rows = rows_of(R"(
parameters: {a: 0.4, b: 0.7, c: cos(b/2)*cos(a/2)}
bodies: {fork: {mass: 2, inertia: [1, 2, 2.5]}}
joints:
  cross: {type: universal, between: [ground, fork], at: [0, 0, 0], axes: [[0, 0, 1], [1, 0, 0]]}
initial:
  fork:
    rotation:
      quaternion: [c, cos(a/2)*sin(b/2), sin(a/2)*sin(b/2), sin(a/2)*cos(b/2)]
    angular_velocity: [5*cos(a), 5*sin(a), 3]
outputs:
  angle: {angle: cross}
  rate: {angular_speed: cross}
  second: {angle: cross, component: second}
  first_rate: {angular_speed: cross, component: first}
simulate: {until: 2, step: 1e-3}
)");
  EXPECT_NEAR(rows.outputs.at("angle.first")[0], 0.4, 1e-14);
  EXPECT_NEAR(rows.outputs.at("angle.second")[0], 0.7, 1e-14);
  EXPECT_NEAR(rows.outputs.at("rate.first")[0], 3.0, 1e-13);
  EXPECT_NEAR(rows.outputs.at("rate.second")[0], 5.0, 1e-13);
  EXPECT_EQ(rows.outputs.at("second"), rows.outputs.at("angle.second"));
  EXPECT_EQ(rows.outputs.at("first_rate"), rows.outputs.at("rate.first"));
  // The rates are those of the angles, and the second goes on beyond a full turn.
  for (std::size_t k = 1; k + 1 < rows.time.size(); ++k) {
    for (const char* which : {"first", "second"}) {
      const auto& angle = rows.outputs.at(std::string("angle.") + which);
      const double rate = (angle[k + 1] - angle[k - 1]) / (rows.time[k + 1] - rows.time[k - 1]);
      EXPECT_NEAR(rows.outputs.at(std::string("rate.") + which)[k], rate, 1e-3) << which;
    }
  }
  EXPECT_GT(std::abs(rows.outputs.at("angle.second").back()), 6.3);
}

TEST(JointOutputs, UnitsFollowTheJoint) {
  const ModelFile file = parse_model(R"(
daedal: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  slide: {type: prismatic, between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}
outputs:
  a: {speed: hinge}
  b: {angular_speed: hinge}
  c: {speed: slide}
  d: {displacement: slide}
)",
                                     "m.yaml");
  std::vector<std::string> units;
  for (const model::Output& output : file.model.outputs) units.push_back(output.unit);
  EXPECT_THAT(units, ElementsAre("rad/s", "rad/s", "m/s", "m"));
}

}  // namespace
}  // namespace daedal::io
