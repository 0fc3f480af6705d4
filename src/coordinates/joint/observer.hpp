#pragma once

#include <memory>

#include "daedal/coordinates/absolute/observer.hpp"
#include "daedal/coordinates/joint/evaluator.hpp"
#include "daedal/coordinates/mechanism.hpp"

namespace daedal::coordinates::joint {

/// The absolute coordinates of all bodies, for those who know how to read them.
template <int D>
class BodyState {
 public:
  explicit BodyState(const Compiled<D>& compiled);

  /// Of an evaluator's present point; accelerations of its last residual.
  void read(const JointEvaluator<D>& evaluator, const system::Point& point);

  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }
  const std::vector<double>& a() const { return a_; }

 private:
  const Compiled<D>& compiled_;
  std::vector<double> q_, v_, a_;
};

/// Reads poses, joint coordinates and reactions off joint coordinates.
template <int D>
class JointObserver final : public Observer {
 public:
  /// `whole`: the model in absolute coordinates, all joints included.
  JointObserver(std::shared_ptr<const Compiled<D>> compiled,
                std::shared_ptr<const absolute::Compiled<D>> whole);

  void move_to(const system::Point& point, std::span<const double> a,
               std::span<const double> lambda) override;
  model::Pose pose(int body) const override { return bodies_.pose(body); }
  math::Vec3 position(int body, const math::Vec3& point) const override {
    return bodies_.position(body, point);
  }
  math::Vec3 velocity(int body, const math::Vec3& point) const override {
    return bodies_.velocity(body, point);
  }
  math::Vec3 acceleration(int body, const math::Vec3& point) const override {
    return bodies_.acceleration(body, point);
  }
  math::Vec3 angular_velocity(int body) const override { return bodies_.angular_velocity(body); }
  double joint_coordinate(int joint, model::Freedom freedom) const override;
  double joint_rate(int joint, model::Freedom freedom) const override;
  math::Vec3 relative_angular_velocity(int joint) const override {
    return bodies_.relative_angular_velocity(joint);
  }
  Wrench reaction(int joint) const override;
  std::vector<Restriction> restrictions() const override;

 private:
  int link_of(int joint, model::Freedom freedom) const {
    return compiled_->joints[joint].link[static_cast<std::size_t>(freedom)];
  }

  std::shared_ptr<const Compiled<D>> compiled_;
  std::shared_ptr<const absolute::Compiled<D>> whole_;
  std::shared_ptr<const absolute::Compiled<D>> rest_;
  JointEvaluator<D> evaluator_;
  BodyState<D> state_;
  absolute::AbsoluteObserver<D> bodies_, loops_;
  std::vector<int> cut_index_;  // of a joint in the rest, or -1
  std::vector<double> scratch_, no_multipliers_;
  system::Point point_;
};

}  // namespace daedal::coordinates::joint
