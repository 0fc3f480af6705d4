#include "daedal/coordinates/joint/observer.hpp"

#include <algorithm>

namespace daedal::coordinates::joint {

template <int D>
BodyState<D>::BodyState(const Compiled<D>& compiled)
    : compiled_(compiled),
      q_(compiled.rest.structure.storage()),
      v_(compiled.rest.structure.dof()),
      a_(compiled.rest.structure.dof()) {}

template <int D>
void BodyState<D>::read(const JointEvaluator<D>& evaluator, const system::Point& point) {
  using Vector = typename Geometry<D>::Vector;
  for (int b = 0; b < compiled_.ground(); ++b) {
    const BodyOnLink<D>& body = compiled_.tree.bodies[b];
    const absolute::BodyElement<D>& element = compiled_.rest.bodies[b];
    const LinkMotion<D>& m = evaluator.recursion().motion(body.link);
    const Vector c = m.R * body.c;
    Eigen::Map<Vector>(q_.data() + element.storage) = m.p + c;
    Eigen::Map<Vector>(v_.data() + element.dof) = m.v + cross(m.omega, c);
    if (!body.rotates) continue;
    if constexpr (D == 3) {
      const math::Mat3 R = m.R * body.axes;
      const math::Quaternion r = math::quaternion_from_matrix(R);
      double* at = q_.data() + element.storage + 3;
      at[0] = r.w, at[1] = r.x, at[2] = r.y, at[3] = r.z;
      Eigen::Map<math::Vec3>(v_.data() + element.dof + 3) = R.transpose() * m.omega;
    } else {
      q_[element.storage + 2] = m.angle;
      v_[element.dof + 2] = m.omega[0];
    }
  }
  const auto& coordinates = compiled_.rest.coordinates.all;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto& here = compiled_.rest_nodes[compiled_.rest.bodies.size() + k];
    q_[coordinates[k].storage] = point.q[here.storage];
    v_[coordinates[k].dof] = point.v[here.dof];
  }
  evaluator.body_accelerations(a_);
}

template <int D>
JointObserver<D>::JointObserver(std::shared_ptr<const Compiled<D>> compiled,
                                std::shared_ptr<const absolute::Compiled<D>> whole)
    : compiled_(std::move(compiled)),
      whole_(std::move(whole)),
      rest_(compiled_, &compiled_->rest),
      evaluator_(*compiled_),
      state_(*compiled_),
      bodies_(whole_),
      loops_(rest_),
      cut_index_(compiled_->joints.size(), -1),
      scratch_(compiled_->structure.dof()),
      no_multipliers_(whole_->structure.constraint_rows) {
  for (std::size_t k = 0; k < compiled_->cut.size(); ++k) {
    cut_index_[compiled_->cut[k]] = static_cast<int>(k);
  }
}

template <int D>
void JointObserver<D>::move_to(const system::Point& point, std::span<const double> a,
                               std::span<const double> lambda) {
  point_ = point;
  evaluator_.move_to(point);
  evaluator_.residual(a, lambda, scratch_);
  state_.read(evaluator_, point);
  const system::Point bodies{state_.q(), state_.v(), point.x, point.u};
  bodies_.move_to(bodies, state_.a(), no_multipliers_);
  loops_.move_to(bodies, state_.a(), lambda.first(compiled_->rest.structure.constraint_rows));
}

template <int D>
double JointObserver<D>::joint_coordinate(int joint, model::Freedom freedom) const {
  const int i = link_of(joint, freedom);
  if (i < 0) return bodies_.joint_coordinate(joint, freedom);
  const Link<D>& link = compiled_->tree.links[i];
  return link.excitation >= 0 ? point_.u[link.excitation].value : point_.q[link.storage];
}

template <int D>
double JointObserver<D>::joint_rate(int joint, model::Freedom freedom) const {
  const int i = link_of(joint, freedom);
  if (i < 0) return bodies_.joint_rate(joint, freedom);
  const Link<D>& link = compiled_->tree.links[i];
  return link.excitation >= 0 ? point_.u[link.excitation].first : point_.v[link.dof];
}

template <int D>
Wrench JointObserver<D>::reaction(int joint) const {
  if (cut_index_[joint] >= 0) return loops_.reaction(cut_index_[joint]);
  // What passes through the last link, stated for the second body's point.
  const JointPlace& place = compiled_->joints[joint];
  const absolute::JointElement<D>& element = whole_->joints[joint];
  const std::vector<absolute::Frame<D>>& frames = bodies_.frames();
  const absolute::Frame<D>&A = frames[element.links.frame[0]], &B = frames[element.links.frame[1]];
  const math::Vec3 point_b = absolute::spatial<D>(point_position(B, element.point_b));
  const LinkMotion<D>& last = evaluator_.recursion().motion(place.last);
  const Twist<D>& passes = evaluator_.recursion().load(place.last);
  const auto spin = [](const typename Geometry<D>::Spin& s) -> math::Vec3 {
    if constexpr (D == 3) {
      return s;
    } else {
      return {0.0, 0.0, s[0]};
    }
  };
  Wrench w;
  w.force = absolute::spatial<D>(passes.lin);
  w.torque = spin(passes.ang) + (absolute::spatial<D>(last.p) - point_b).cross(w.force);
  if (place.reversed) w.force = -w.force, w.torque = -w.torque;
  // Springs and motors of the joint are no reactions.
  for (const CoordinateLoad& load : compiled_->loads) {
    for (int f = 0; f < model::kFreedoms; ++f) {
      if (place.link[f] != load.link) continue;
      const double tau = evaluator_.load(load);
      const auto row = absolute::measure_row(element, static_cast<model::Freedom>(f), A, B);
      const math::Vec3 force = tau * absolute::spatial<D>(row.template head<D>().transpose());
      math::Vec3 torque = tau * spin(row.template tail<Geometry<D>::kRotations>().transpose());
      if constexpr (D == 3) torque = B.R * torque;
      w.force -= force;
      w.torque -= torque - (point_b - absolute::spatial<D>(B.p)).cross(force);
    }
  }
  return w;
}

template <int D>
std::vector<Restriction> JointObserver<D>::restrictions() const {
  std::vector<Restriction> rows = loops_.restrictions();
  for (Restriction& row : rows) {
    if (row.joint >= 0) row.joint = compiled_->cut[row.joint];
  }
  for (const SpeedDrive& drive : compiled_->speeds) {
    const Twist<D> s = evaluator_.recursion().column(drive.link, 0);
    Restriction row;
    const LinkKind kind = compiled_->tree.links[drive.link].kind;
    const bool turns = kind == LinkKind::hinge || kind == LinkKind::screw;
    row.kind = turns ? Restriction::Kind::rotation : Restriction::Kind::translation;
    if constexpr (D == 3) {
      row.axis = turns ? s.ang : s.lin;
    } else {
      row.axis = turns ? math::Vec3(0.0, 0.0, s.ang[0]) : absolute::spatial<2>(s.lin);
    }
    row.driven = true;
    for (std::size_t j = 0; j < compiled_->joints.size(); ++j) {
      const auto& links = compiled_->joints[j].link;
      if (std::find(links.begin(), links.end(), drive.link) != links.end()) {
        row.joint = static_cast<int>(j);
      }
    }
    rows.push_back(row);
  }
  return rows;
}

template class BodyState<2>;
template class BodyState<3>;
template class JointObserver<2>;
template class JointObserver<3>;

}  // namespace daedal::coordinates::joint
