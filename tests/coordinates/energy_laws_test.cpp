// Balances of energy and momentum, for accelerations that satisfy the equations of motion.
#include <gtest/gtest.h>

#include <map>

#include "support/dense_accelerations.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using Vector = std::vector<double>;

/// Moves a sample along q' = v, v' = a for a time, in place.
struct Moved {
  Moved(const Sample& s, const Vector& a, double time)
      : q(s.q.size()), v(s.v), x(s.x), u(s.u.size()) {
    Vector dq(v.size()), c(x.size());
    s.evaluator->move_to(s.at());
    s.evaluator->state_rates(c);
    for (std::size_t i = 0; i < v.size(); ++i) {
      dq[i] = time * (v[i] + 0.5 * time * a[i]);
      v[i] += time * a[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += time * c[i];
    s.structure.manifold.retract(s.q, dq, q);
    s.system.excitations(s.t + time, u);
    s.evaluator->move_to({q, v, x, u});
  }
  Vector q, v, x;
  std::vector<math::Jet> u;
};

class EnergyLaws : public ::testing::TestWithParam<std::tuple<bool, unsigned, View>> {};

TEST_P(EnergyLaws, EnergyChangesByDissipationAppliedForcesDrivesAndFriction) {
  for (const Contacts contacts : {Contacts::none, Contacts::few}) {
    Sample s(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()), contacts);
    EXPECT_EQ(s.structure.directed, contacts == Contacts::few);
    make_velocity_consistent(*s.evaluator, s.at(), s.structure, s.v);
    const Accelerations solution = dense_accelerations(*s.evaluator, s.structure);
    const system::Energy now = s.evaluator->energy();
    const double power = now.dissipation_power + now.applied_power +
                         s.evaluator->drive_power(solution.a, solution.lambda);
    constexpr double e = 1e-5;
    Moved after(s, solution.a, e);
    const double energy_after = s.evaluator->energy().total();
    Moved before(s, solution.a, -e);
    const double energy_before = s.evaluator->energy().total();
    const double expected = (energy_after - energy_before) / (2.0 * e);
    EXPECT_LT(now.dissipation_power, 0.0);
    EXPECT_NEAR(power, expected, 1e-6 * std::max(1.0, std::abs(expected)));
  }
}

TEST_P(EnergyLaws, MomentumChangesByTheForcesFromOutside) {
  if (std::get<2>(GetParam()) != View::absolute) return;  // forces on bodies are needed
  // Without constraints: the sum of forces and moments of generalised forces about the origin.
  Sample s(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()));
  linear::BlockMatrix M(s.structure.mass);
  s.evaluator->mass(M);
  Eigen::VectorXd f(s.structure.dof());
  s.evaluator->force({f.data(), static_cast<std::size_t>(f.size())});
  // Least squares: coordinates without mass get no acceleration, and have no momentum.
  const Eigen::VectorXd a = M.dense().completeOrthogonalDecomposition().solve(f);
  const Vector acceleration(a.data(), a.data() + a.size());

  constexpr double e = 1e-5;
  Moved after(s, acceleration, e);
  const system::Momentum p = s.evaluator->momentum();
  Moved before(s, acceleration, -e);
  const system::Momentum m = s.evaluator->momentum();

  // Internal forces cancel: what remains are weights, applied loads and elements to the ground.
  // They are summed from the generalised forces on each body.
  const bool planar = std::get<0>(GetParam());
  const int D = planar ? 2 : 3;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  s.mechanism.observer->move_to(s.at(), s.a, s.lambda);
  for (int i = 0; i < static_cast<int>(s.structure.coordinates.size()); ++i) {
    if (s.structure.massless(i)) continue;
    const system::Node& node = s.structure.coordinates[i];
    Vec3 F = Vec3::Zero(), c = Vec3::Zero();
    for (int k = 0; k < D; ++k) F[k] = f[node.offset + k];
    // Storage of a body starts with its centre of mass.
    int storage = 0;
    for (int k = 0; k < i; ++k) {
      const int size = s.structure.coordinates[k].size;
      storage += size == 6 ? 7 : size;
    }
    for (int k = 0; k < D; ++k) c[k] = s.q[storage + k];
    force += F;
    moment += c.cross(F);
    if (node.size == 3 && planar) {
      moment.z() += f[node.offset + 2];
    } else if (node.size == 6) {
      // The generalised torque lacks the gyroscopic one: f = T - omega x J omega.
      const Mat3 R = math::rotation_matrix({s.q[storage + 3], s.q[storage + 4], s.q[storage + 5],
                                            s.q[storage + 6]});
      const Vec3 omega(s.v[node.offset + 3], s.v[node.offset + 4], s.v[node.offset + 5]);
      const Eigen::Matrix3d J = M.dense().block(node.offset + 3, node.offset + 3, 3, 3);
      moment += R * (f.segment<3>(node.offset + 3) + omega.cross(J * omega));
    }
  }
  EXPECT_LT(((p.linear - m.linear) / (2.0 * e) - force).norm(), 1e-6 * (1.0 + force.norm()));
  EXPECT_LT(((p.angular - m.angular) / (2.0 * e) - moment).norm(), 1e-6 * (1.0 + moment.norm()));
}

TEST_P(EnergyLaws, ObserverVelocitiesAndAccelerationsAreTimeDerivatives) {
  Sample s(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()));
  const bool planar = std::get<0>(GetParam());
  coordinates::Observer& observer = *s.mechanism.observer;
  constexpr double e = 1e-5;
  const Vec3 point(0.3, -0.4, planar ? 0.0 : 0.7);
  const Moved after(s, s.a, e), before(s, s.a, -e);
  const system::Point points[2] = {{before.q, before.v, before.x, before.u},
                                   {after.q, after.v, after.x, after.u}};
  constexpr int bodies = 4;
  std::array<Vec3, 2> position[bodies], velocity[bodies];
  const model::Model model = RandomModel(planar, std::get<1>(GetParam())).model();
  std::map<std::pair<int, model::Freedom>, std::array<double, 2>> coordinates;
  for (int k = 0; k < 2; ++k) {
    observer.move_to(points[k], s.a, s.lambda);
    for (int i = 0; i < bodies; ++i) {
      position[i][k] = observer.position(i, point);
      velocity[i][k] = observer.velocity(i, point);
    }
    for (int i = 0; i < static_cast<int>(model.joints.size()); ++i) {
      for (const model::Freedom freedom : model::freedoms(model.joints[i].type)) {
        coordinates[{i, freedom}][k] = observer.joint_coordinate(i, freedom);
      }
    }
  }
  observer.move_to(s.at(), s.a, s.lambda);
  for (int i = 0; i < bodies; ++i) {
    EXPECT_LT((observer.velocity(i, point) - (position[i][1] - position[i][0]) / (2 * e)).norm(),
              1e-7);
    EXPECT_LT(
        (observer.acceleration(i, point) - (velocity[i][1] - velocity[i][0]) / (2 * e)).norm(),
        1e-7);
  }
  for (const auto& [which, value] : coordinates) {
    EXPECT_NEAR(observer.joint_rate(which.first, which.second), (value[1] - value[0]) / (2 * e),
                1e-6)
        << model.joints[which.first].name;
  }
  EXPECT_EQ(observer.position(-1, point), point);
  EXPECT_EQ(observer.velocity(-1, point), Vec3(Vec3::Zero()));
}

TEST_P(EnergyLaws, ReferencePoseHasZeroJointCoordinates) {
  RandomModel random(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const coordinates::Mechanism mechanism =
      make_mechanism(random.model(), std::get<2>(GetParam()));
  const system::Structure& s = mechanism.system->structure();
  std::vector<math::Jet> u(s.excitations);
  const Vector a(s.dof()), lambda(s.constraint_rows);
  mechanism.observer->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, u}, a,
                              lambda);
  const model::Model& model = random.model();
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (model.joints[i].type == model::JointType::distance) continue;
    if (model.joints[i].name.starts_with("pin")) continue;  // of points that are elsewhere
    const int joint = static_cast<int>(i);
    for (const auto freedom : {model::Freedom::angle, model::Freedom::second_angle,
                               model::Freedom::displacement, model::Freedom::second_displacement}) {
      EXPECT_NEAR(mechanism.observer->joint_coordinate(joint, freedom), 0.0, 1e-12)
          << model.joints[i].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, EnergyLaws,
                         ::testing::Combine(::testing::Bool(), ::testing::Range(1u, 5u),
                                            ::testing::Values(View::absolute, View::joint)),
                         [](const auto& p) {
                           return fmt::format("{}{}{}", name_of(std::get<2>(p.param)),
                                              std::get<0>(p.param) ? "Plane" : "Space",
                                              std::get<1>(p.param));
                         });

}  // namespace
}  // namespace daedal::testing
