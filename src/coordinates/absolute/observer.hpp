#pragma once

#include <memory>

#include "daedal/coordinates/absolute/elements.hpp"
#include "daedal/coordinates/mechanism.hpp"

namespace daedal::coordinates::absolute {

/// How a joint's coordinate changes with the motion of its second body.
template <int D>
Eigen::Matrix<double, 1, Geometry<D>::kDof> measure_row(const JointElement<D>& joint,
                                                        model::Freedom freedom, const Frame<D>& A,
                                                        const Frame<D>& B);

/// Reads poses, joint coordinates and reactions off absolute coordinates.
template <int D>
class AbsoluteObserver final : public Observer {
 public:
  explicit AbsoluteObserver(std::shared_ptr<const Compiled<D>> compiled);

  void move_to(const system::Point& point, std::span<const double> a,
               std::span<const double> lambda) override;
  model::Pose pose(int body) const override;
  math::Vec3 position(int body, const math::Vec3& point) const override;
  math::Vec3 velocity(int body, const math::Vec3& point) const override;
  math::Vec3 acceleration(int body, const math::Vec3& point) const override;
  math::Vec3 angular_velocity(int body) const override;
  double joint_coordinate(int joint, model::Freedom freedom) const override;
  double joint_rate(int joint, model::Freedom freedom) const override;
  math::Vec3 relative_angular_velocity(int joint) const override;
  Wrench reaction(int joint) const override;
  std::vector<Restriction> restrictions() const override;

  const std::vector<Frame<D>>& frames() const { return frames_; }

 private:
  using Vector = typename Geometry<D>::Vector;
  using Spin = typename Geometry<D>::Spin;
  int frame_of(int body) const { return body < 0 ? compiled_->ground() : body; }
  Vector local(int body, const math::Vec3& point) const;

  std::shared_ptr<const Compiled<D>> compiled_;
  std::unique_ptr<system::Evaluator> evaluator_;
  system::Point point_;
  std::vector<Frame<D>> frames_;
  std::vector<double> a_, lambda_;
};

}  // namespace daedal::coordinates::absolute
