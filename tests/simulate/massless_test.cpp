// Relative motions of joints as coordinates without mass: the motion is what it is without them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "daedal/integrate/methods.hpp"
#include "daedal/linear/solver.hpp"
#include "simulate/kept_rows.hpp"

namespace daedal::testing {
namespace {

using simulate::Status;

/// Two bars in space on a hinge and a slide, with springs, dampers and loads on both.
model::Model arm(bool exposed, bool driven) {
  model::Model m;
  m.gravity = {0.0, 0.0, -9.81};
  m.bodies.push_back(rigid("upper", 1.0, {0.02, 0.03, 0.04}, {0.5, 0.0, 0.0}));
  m.bodies.push_back(rigid("lower", 0.5, {0.01, 0.02, 0.02}, {1.0, 0.2, 0.0}));
  const Vec3 tilted = Vec3(0.2, 1.0, 0.3).normalized();
  model::Joint& hinge = add_joint(m, "hinge", model::JointType::revolute, "ground", "upper",
                                  Vec3::Zero(), frame_with_z(tilted));
  if (exposed) hinge.coordinates = {{"phi", model::Freedom::angle}};
  model::Joint& sleeve = add_joint(m, "sleeve", model::JointType::cylindrical, "upper", "lower",
                                   {1.0, 0.0, 0.0}, frame_with_z(Vec3::UnitX()));
  if (exposed) {
    sleeve.coordinates = {{"turn", model::Freedom::angle}, {"slip", model::Freedom::displacement}};
  }
  if (driven) {
    m.joints[0].drive = drive(model::Drive::Kind::angle, "0.5*sin(4*t)");
  } else {
    m.forces.push_back(model::JointSpring{"clock", "hinge", 30.0, 0.4, 0.2});
    m.forces.push_back(
        model::JointLoad{"motor", "hinge", math::Expression::parse("3*cos(2*t)")});
  }
  m.forces.push_back(
      model::JointSpring{"coil", "sleeve", 2.0, 0.05, 0.1, model::Freedom::angle});
  m.forces.push_back(
      model::JointSpring{"buffer", "sleeve", 80.0, 1.0, 0.0, model::Freedom::displacement});
  m.outputs.push_back(output("angle", model::Quantity::angle, "hinge"));
  m.outputs.push_back(output("slip", model::Quantity::displacement, "sleeve"));
  m.outputs.push_back(output("torque", model::Quantity::reaction_torque, "hinge"));
  m.outputs.back().component = 1;
  m.outputs.push_back(output("energy", model::Quantity::energy, ""));
  return m;
}

class Massless : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Massless, CoordinatesLeaveTheMotionAsItIs) {
  for (const bool driven : {false, true}) {
    simulate::Settings s = settings(0.3, 1e-3);
    s.method = GetParam();
    s.tolerance = 1e-9;
    const simulate::Summary plain = simulate::run(arm(false, driven), s, {});
    ASSERT_EQ(plain.status, Status::done) << plain.message;
    for (const std::string_view solver : linear::solver_names()) {
      SCOPED_TRACE(fmt::format("{}{}", solver, driven ? ", driven" : ""));
      s.linear_solver = solver;
      const simulate::Summary exposed = simulate::run(arm(true, driven), s, {});
      ASSERT_EQ(exposed.status, Status::done) << exposed.message;
      EXPECT_EQ(exposed.unknowns, plain.unknowns + 3);
      EXPECT_EQ(exposed.constraints, plain.constraints + 3);
      for (std::size_t i = 0; i < plain.final.size(); ++i) {
        // Springs on coordinates are integrated as those between bodies; states that count turns
        // are not there, so that the schemes differ by their own error.
        const double size = std::max(1.0, std::abs(plain.final[i].second));
        EXPECT_NEAR(exposed.final[i].second, plain.final[i].second, 2e-5 * size)
            << plain.final[i].first;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Massless,
                         ::testing::Values("newmark", "hht", "generalized-alpha", "midpoint"),
                         [](const auto& p) {
                           return p.param == "generalized-alpha" ? std::string("generalized_alpha")
                                                                 : std::string(p.param);
                         });

/// [Bauchau2009], problem II.
model::Model pendulum_spring(double stiffness, double speed) {
  model::Model m;
  m.planar = true;
  m.bodies.push_back(point_mass("bob", 1.0, {0.0, -1.0, 0.0}));
  add_distance(m, "bar", "ground", Vec3::Zero(), "bob", Vec3::Zero(), 1.0).coordinates = {
      {"phi", model::Freedom::direction}};
  m.forces.push_back(model::JointSpring{"root", "bar", stiffness});
  m.initial.push_back(moving("bob", {speed, 0.0, 0.0}, Vec3::Zero()));
  m.initial.back().angular_velocity.reset();
  m.outputs.push_back(output("phi", model::Quantity::angle, "bar"));
  return m;
}

TEST(MasslessDirection, CarriesTheSpringOfAPendulum) {
  // phi'' = -k phi exactly, m = l = 1: phi = v/w sin(w t).
  const double k = 10.0, w = std::sqrt(k);
  for (const std::string_view solver : linear::solver_names()) {
    const auto error = [&](double h) {
      simulate::Settings s = settings(1.0, h);
      s.method = "midpoint";
      s.linear_solver = solver;
      const simulate::Summary summary = simulate::run(pendulum_spring(k, 1.0), s, {});
      EXPECT_EQ(summary.status, Status::done) << solver << ' ' << summary.message;
      return std::abs(summary.final[0].second - std::sin(w) / w);
    };
    const double coarse = error(1e-2), fine = error(5e-3);
    EXPECT_LT(fine, 1e-4) << solver;
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << solver;
  }
}

TEST(MasslessDirection, NeedsAugmentationWhereTheSolverDoesNotPivot) {
  // [Bauchau2009], section 7: from rest and without a spring the pivot of phi is zero.
  simulate::Settings s = settings(0.1, 1e-2);
  s.method = "midpoint";
  s.linear_solver = "skyline";
  s.augmentation = 0.0;
  const simulate::Summary without = simulate::run(pendulum_spring(0.0, 0.0), s, {});
  EXPECT_EQ(without.status, Status::singular_matrix);
  EXPECT_THAT(without.message, ::testing::HasSubstr("phi"));
  s.augmentation = 1.0;
  EXPECT_EQ(simulate::run(pendulum_spring(0.0, 0.0), s, {}).status, Status::done);
  s.augmentation.reset();
  EXPECT_EQ(simulate::run(pendulum_spring(0.0, 0.0), s, {}).status, Status::done);
}

}  // namespace
}  // namespace daedal::testing
