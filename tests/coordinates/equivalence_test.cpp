// A mechanism moves alike in absolute and in joint coordinates.
#include <gtest/gtest.h>

#include "support/dense_accelerations.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using Vector = std::vector<double>;

/// The bodies of a point in joint coordinates, as absolute coordinates have them.
class SameBodies : public ::testing::TestWithParam<std::tuple<bool, unsigned>> {
 protected:
  // Even seeds: joints without coordinates of their own, which joint coordinates have no need of.
  SameBodies()
      : planar_(std::get<0>(GetParam())),
        random_(planar_, 2 * std::get<1>(GetParam())),
        joint_(planar_, 2 * std::get<1>(GetParam()), View::joint),
        absolute_(coordinates::make_absolute(random_.model())),
        structure_(absolute_.system->structure()),
        q_(absolute_.initial.q),
        v_(structure_.dof()),
        x_(absolute_.initial.x),
        u_(structure_.excitations) {
    joint_.evaluator->move_to(joint_.at());
    const Accelerations own = dense_accelerations(*joint_.evaluator, joint_.structure);
    joint_.mechanism.observer->move_to(joint_.at(), own.a, own.lambda);
    copy_bodies();
    absolute_.system->excitations(joint_.t, u_);
    // Turn counters of springs stand where the joint's coordinate is.
    evaluator_ = absolute_.system->evaluator();
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = counted(static_cast<int>(k));
    evaluator_->move_to({q_, v_, x_, u_});
    const Accelerations theirs = dense_accelerations(*evaluator_, structure_);
    absolute_.observer->move_to({q_, v_, x_, u_}, theirs.a, theirs.lambda);
  }

  void copy_bodies() {
    const coordinates::Observer& observer = *joint_.mechanism.observer;
    std::size_t at = 0, dof = 0;
    for (int b = 0; b < static_cast<int>(random_.model().bodies.size()); ++b) {
      const model::Body& body = random_.model().bodies[b];
      const Vec3 p = observer.position(b, body.center), v = observer.velocity(b, body.center);
      const int D = planar_ ? 2 : 3;
      for (int k = 0; k < D; ++k) q_[at++] = p[k], v_[dof++] = v[k];
      if (body.kind == model::BodyKind::point) continue;
      const model::Pose pose = observer.pose(b);
      const Vec3 w = observer.angular_velocity(b);
      if (planar_) {
        q_[at++] = pose.angle, v_[dof++] = w.z();
        continue;
      }
      const Vec3 own = math::rotation_matrix(pose.rotation).transpose() * w;
      for (double value : {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}) {
        q_[at++] = value;
      }
      for (int k = 0; k < 3; ++k) v_[dof++] = own[k];
    }
  }

  /// The joint coordinate that a state of absolute coordinates counts: states are springs on
  /// joints.
  double counted(int state) const {
    const std::string& name = structure_.states[state].name;
    for (const model::Force& force : random_.model().forces) {
      const auto* spring = std::get_if<model::JointSpring>(&force);
      if (!spring || spring->name != name) continue;
      return joint_.mechanism.observer->joint_coordinate(random_.model().find_joint(spring->joint),
                                                         *spring->freedom);
    }
    ADD_FAILURE() << name;
    return 0.0;
  }

  bool planar_;
  RandomModel random_;
  Sample joint_;
  coordinates::Mechanism absolute_;
  const system::Structure& structure_;
  std::unique_ptr<system::Evaluator> evaluator_;
  Vector q_, v_, x_;
  std::vector<math::Jet> u_;
};

TEST_P(SameBodies, AccelerateAlike) {
  const Vec3 point(0.3, -0.2, planar_ ? 0.0 : 0.5);
  for (int b = 0; b < static_cast<int>(random_.model().bodies.size()); ++b) {
    const bool is_point = random_.model().bodies[b].kind == model::BodyKind::point;
    const Vec3 at = is_point ? Vec3(Vec3::Zero()) : point;
    const Vec3 expected = absolute_.observer->acceleration(b, at);
    EXPECT_LT((joint_.mechanism.observer->acceleration(b, at) - expected).norm(),
              1e-9 * (1.0 + expected.norm()))
        << random_.model().bodies[b].name;
  }
}

TEST_P(SameBodies, FeelTheSameReactions) {
  for (int j = 0; j < static_cast<int>(random_.model().joints.size()); ++j) {
    const coordinates::Wrench expected = absolute_.observer->reaction(j);
    const coordinates::Wrench own = joint_.mechanism.observer->reaction(j);
    const double size = 1.0 + expected.force.norm() + expected.torque.norm();
    EXPECT_LT((own.force - expected.force).norm(), 1e-9 * size) << random_.model().joints[j].name;
    EXPECT_LT((own.torque - expected.torque).norm(), 1e-9 * size) << random_.model().joints[j].name;
  }
}

TEST_P(SameBodies, HaveTheSameEnergyPowerAndMomentum) {
  evaluator_->move_to({q_, v_, x_, u_});
  joint_.evaluator->move_to(joint_.at());
  const system::Energy e = evaluator_->energy(), own = joint_.evaluator->energy();
  EXPECT_NEAR(own.kinetic, e.kinetic, 1e-11 * (1.0 + e.kinetic));
  EXPECT_NEAR(own.potential, e.potential, 1e-11 * (1.0 + std::abs(e.potential)));
  EXPECT_NEAR(own.dissipation_power, e.dissipation_power, 1e-10 * (1.0 - e.dissipation_power));
  EXPECT_NEAR(own.applied_power, e.applied_power, 1e-10 * (1.0 + std::abs(e.applied_power)));
  const Accelerations theirs = dense_accelerations(*evaluator_, structure_);
  const double power = evaluator_->drive_power(theirs.a, theirs.lambda);
  const Accelerations mine = dense_accelerations(*joint_.evaluator, joint_.structure);
  EXPECT_NEAR(joint_.evaluator->drive_power(mine.a, mine.lambda), power,
              1e-8 * (1.0 + std::abs(power)));
  const system::Momentum p = evaluator_->momentum(), own_p = joint_.evaluator->momentum();
  EXPECT_LT((own_p.linear - p.linear).norm(), 1e-11 * (1.0 + p.linear.norm()));
  EXPECT_LT((own_p.angular - p.angular).norm(), 1e-11 * (1.0 + p.angular.norm()));
}

INSTANTIATE_TEST_SUITE_P(Random, SameBodies,
                         ::testing::Combine(::testing::Bool(), ::testing::Range(1u, 7u)),
                         [](const auto& p) {
                           return fmt::format("{}{}", std::get<0>(p.param) ? "Plane" : "Space",
                                              std::get<1>(p.param));
                         });

}  // namespace
}  // namespace daedal::testing
