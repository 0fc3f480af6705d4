#include "daedal/coordinates/absolute/observer.hpp"

#include <unordered_map>

#include "daedal/coordinates/absolute/evaluator.hpp"
#include "daedal/coordinates/absolute/restriction.hpp"

namespace daedal::coordinates::absolute {

template <int D>
AbsoluteObserver<D>::AbsoluteObserver(std::shared_ptr<const Compiled<D>> compiled)
    : compiled_(std::move(compiled)),
      evaluator_(std::make_unique<AbsoluteEvaluator<D>>(*compiled_)),
      frames_(compiled_->bodies.size() + 1),
      a_(compiled_->structure.dof()),
      lambda_(compiled_->structure.constraint_rows) {}

template <int D>
void AbsoluteObserver<D>::move_to(const system::Point& point, std::span<const double> a,
                                  std::span<const double> lambda) {
  update_frames(compiled_->bodies, point.q, point.v, frames_);
  evaluator_->move_to(point);
  point_ = point;
  std::copy(a.begin(), a.end(), a_.begin());
  std::copy(lambda.begin(), lambda.end(), lambda_.begin());
}

template <int D>
auto AbsoluteObserver<D>::local(int body, const math::Vec3& point) const -> Vector {
  return body < 0 ? reduced<D>(point) : Vector(reduced<D>(point) - compiled_->bodies[body].center);
}

template <int D>
model::Pose AbsoluteObserver<D>::pose(int body) const {
  const Frame<D>& frame = frames_[frame_of(body)];
  model::Pose pose;
  pose.position = position(body, math::Vec3::Zero());
  pose.angle = frame.angle;
  math::Mat3 R = math::Mat3::Identity();
  R.topLeftCorner<D, D>() = frame.R;
  pose.rotation = math::quaternion_from_matrix(R);
  return pose;
}

template <int D>
math::Vec3 AbsoluteObserver<D>::position(int body, const math::Vec3& point) const {
  return spatial<D>(point_position(frames_[frame_of(body)], local(body, point)));
}

template <int D>
math::Vec3 AbsoluteObserver<D>::velocity(int body, const math::Vec3& point) const {
  return spatial<D>(point_velocity(frames_[frame_of(body)], local(body, point)));
}

template <int D>
math::Vec3 AbsoluteObserver<D>::acceleration(int body, const math::Vec3& point) const {
  if (body < 0) return math::Vec3::Zero();
  const BodyElement<D>& element = compiled_->bodies[body];
  const Frame<D>& frame = frames_[body];
  const Vector at = local(body, point);
  Vector a = Eigen::Map<const Vector>(a_.data() + element.dof) + centripetal(frame, at);
  if (element.rotates()) {
    a += lever(frame, at) * Eigen::Map<const Spin>(a_.data() + element.dof + D);
  }
  return spatial<D>(a);
}

template <int D>
math::Vec3 AbsoluteObserver<D>::angular_velocity(int body) const {
  const Frame<D>& frame = frames_[frame_of(body)];
  if constexpr (D == 3) {
    return frame.R * frame.omega;
  } else {
    return {0.0, 0.0, frame.omega[0]};
  }
}

template <int D>
math::Vec3 AbsoluteObserver<D>::relative_angular_velocity(int joint) const {
  const auto& [first, second] = compiled_->joints[joint].links.frame;
  const auto of = [&](int frame) { return angular_velocity(frame == compiled_->ground() ? -1 : frame); };
  return of(second) - of(first);
}

template <int D>
Eigen::Matrix<double, 1, Geometry<D>::kDof> measure_row(const JointElement<D>& joint,
                                                        model::Freedom freedom, const Frame<D>& A,
                                                        const Frame<D>& B) {
  PartJacobian<D, 1> S;
  joint.with_part(freedom, [&](const auto& part) { part.jacobian(A, B, S); });
  return S[1];
}

template Eigen::Matrix<double, 1, 3> measure_row<2>(const JointElement<2>&, model::Freedom,
                                                    const Frame<2>&, const Frame<2>&);
template Eigen::Matrix<double, 1, 6> measure_row<3>(const JointElement<3>&, model::Freedom,
                                                    const Frame<3>&, const Frame<3>&);

template <int D>
double AbsoluteObserver<D>::joint_coordinate(int joint, model::Freedom freedom) const {
  const JointElement<D>& j = compiled_->joints[joint];
  const ScalarCoordinate& phi = j.coordinate[static_cast<std::size_t>(freedom)];
  if (phi.node >= 0) return point_.q[phi.storage];
  const Frame<D>&A = frames_[j.links.frame[0]], &B = frames_[j.links.frame[1]];
  return j.value(freedom, A, B);
}

template <int D>
double AbsoluteObserver<D>::joint_rate(int joint, model::Freedom freedom) const {
  const JointElement<D>& j = compiled_->joints[joint];
  const ScalarCoordinate& phi = j.coordinate[static_cast<std::size_t>(freedom)];
  if (phi.node >= 0) return point_.v[phi.dof];
  const Frame<D>&A = frames_[j.links.frame[0]], &B = frames_[j.links.frame[1]];
  PartJacobian<D, 1> S;
  j.with_part(freedom, [&](const auto& part) { part.jacobian(A, B, S); });
  const auto rate = [&](int k, const Frame<D>& F) {
    return S[k].template head<D>().dot(F.v.transpose()) +
           S[k].template tail<Geometry<D>::kRotations>().dot(F.omega.transpose());
  };
  return rate(0, A) + rate(1, B);
}

template <int D>
Wrench AbsoluteObserver<D>::reaction(int joint) const {
  // The load -G_k^T lambda on body k, moved from its centre of mass to the joint's point. It is
  // read from the second body, or from the first with the sign reversed if the second is ground.
  const JointElement<D>& j = compiled_->joints[joint];
  const int k = j.links.present(1) ? 1 : 0;
  const Frame<D>& frame = frames_[j.links.frame[k]];
  const linear::BlockMatrix& G = evaluator_->G();
  Eigen::Matrix<double, Geometry<D>::kDof, 1> load = Eigen::Matrix<double, Geometry<D>::kDof, 1>::Zero();
  for (int node : j.nodes) {
    const int block = G.pattern().find(node, j.links.frame[k]);
    const auto rows = G.block(block);
    const int offset = compiled_->structure.constraints[node].offset;
    for (int r = 0; r < rows.rows(); ++r) {
      for (int c = 0; c < rows.cols(); ++c) load[c] -= rows(r, c) * lambda_[offset + r];
    }
  }
  if (k == 0) load = -load;
  Wrench w;
  w.force = spatial<D>(load.template head<D>());
  if constexpr (D == 3) {
    w.torque = frame.R * load.template tail<3>();
  } else {
    w.torque.z() = load[2];
  }
  const math::Vec3 center = spatial<D>(frame.p);
  const math::Vec3 point =
      spatial<D>(point_position(frames_[j.links.frame[1]], j.point_b));
  w.torque -= (point - center).cross(w.force);
  return w;
}

template <int D>
std::vector<Restriction> AbsoluteObserver<D>::restrictions() const {
  const system::Structure& structure = compiled_->structure;
  std::vector<Restriction> rows(structure.constraint_rows);
  std::unordered_map<int, int> row_of;  // by the coordinate that it ties to the bodies
  compiled_->for_each_constraint([&](const auto& c) {
    const Frame<D>&A = frames_[c.links.frame[0]], &B = frames_[c.links.frame[1]];
    for (int i = 0; i < std::decay_t<decltype(c.part)>::kRows; ++i) {
      rows[c.row + i] = restriction(c.part, A, B, i);
      rows[c.row + i].driven = c.excitation >= 0;
    }
    if (c.phi.node >= 0) row_of[c.phi.node] = c.row;
  });
  for (const DirectionRow& d : compiled_->coordinates.directions) {
    rows[d.row] = {Restriction::Kind::rotation, math::Vec3::UnitZ()};
    row_of[d.phi.node] = d.row;
  }
  for (const CoordinateDrive& drive : compiled_->coordinates.drives) {
    rows[drive.row] = rows[row_of.at(drive.phi.node)];
    rows[drive.row].driven = true;
  }
  // A joint's rows are neighbours, those of its own name first.
  const auto first_row = [&](std::size_t joint) {
    while (joint < compiled_->joints.size() && compiled_->joints[joint].nodes.empty()) ++joint;
    return joint < compiled_->joints.size()
               ? structure.constraints[compiled_->joints[joint].nodes.front()].offset
               : compiled_->joint_rows;
  };
  for (std::size_t j = 0; j < compiled_->joints.size(); ++j) {
    for (int i = first_row(j); i < first_row(j + 1); ++i) rows[i].joint = static_cast<int>(j);
  }
  return rows;
}

template class AbsoluteObserver<2>;
template class AbsoluteObserver<3>;

}  // namespace daedal::coordinates::absolute
