#include <algorithm>

#include "daedal/coordinates/compiled_system.hpp"
#include "daedal/coordinates/joint/implicit_dynamics.hpp"
#include "daedal/coordinates/joint/observer.hpp"
#include "daedal/coordinates/mechanism.hpp"

namespace daedal::coordinates {

namespace joint {

namespace {

/// Reads the coordinates of links off bodies whose joints are closed.
template <int D>
class Reader {
 public:
  using Vector = typename Geometry<D>::Vector;
  using Matrix = typename Geometry<D>::Matrix;
  using Spin = typename Geometry<D>::Spin;

  Reader(const Compiled<D>& compiled, const Observer& observer, const BodyCoordinates& bodies)
      : compiled_(compiled), tree_(compiled.tree), observer_(observer), bodies_(bodies) {}

  InitialGuess read() const {
    const system::Structure& s = compiled_.structure;
    InitialGuess guess;
    guess.q.resize(s.storage());
    s.manifold.identity(guess.q);
    guess.v.assign(s.dof(), 0.0);
    guess.x.assign(s.state_size, 0.0);
    guess.position_weight.assign(s.dof(), 1.0);
    guess.velocity_weight.assign(s.dof(), 1.0);
    for (std::size_t j = 0; j < compiled_.joints.size(); ++j) {
      for (int f = 0; f < model::kFreedoms; ++f) {
        const int i = compiled_.joints[j].link[f];
        if (i < 0 || tree_.links[i].width == 0) continue;
        const auto freedom = static_cast<model::Freedom>(f);
        guess.q[tree_.links[i].storage] = observer_.joint_coordinate(static_cast<int>(j), freedom);
        guess.v[tree_.links[i].dof] = observer_.joint_rate(static_cast<int>(j), freedom);
      }
    }
    for (int i = 1; i < static_cast<int>(tree_.links.size()); ++i) read_link(i, guess);
    read_rest(guess);
    return guess;
  }

 private:
  void read_link(int i, InitialGuess& guess) const {
    const Link<D>& link = tree_.links[i];
    if (link.kind == LinkKind::translation) {
      // Its own axes turn as its parent does.
      const Matrix axes = rotation(link.parent) * link.R0;
      const Vector d = origin(i) - origin(link.parent);
      Eigen::Map<Vector>(guess.q.data() + link.storage) =
          axes.transpose() * (d - rotation(link.parent) * link.p0);
      Eigen::Map<Vector>(guess.v.data() + link.dof) =
          axes.transpose() * (velocity(i) - velocity(link.parent) - cross(spin(link.parent), d));
    }
    if constexpr (D == 3) {
      if (link.kind != LinkKind::ball) return;
      const int end = ending(i);
      const Matrix B = rotation(link.parent) * link.R0, R = rotation(end);
      const math::Quaternion r = math::quaternion_from_matrix(B.transpose() * R);
      double* at = guess.q.data() + link.storage;
      at[0] = r.w, at[1] = r.x, at[2] = r.y, at[3] = r.z;
      Eigen::Map<Spin>(guess.v.data() + link.dof) =
          R.transpose() * (spin(end) - spin(link.parent));
    } else {
      // Also hinges at point masses and of free bodies, whose angle no joint measures.
      if (link.kind != LinkKind::hinge || link.width == 0) return;
      const int end = ending(i);
      guess.q[link.storage] = link.sign * (angle(end) - angle(link.parent) - link.angle0);
      guess.v[link.dof] = link.sign * (spin(end) - spin(link.parent))[0];
    }
  }

  /// The link at which the joint of a link ends at a body.
  int ending(int i) const {
    while (tree_.body_of_link[i] < 0) ++i;
    return i;
  }

  void read_rest(InitialGuess& guess) const {
    std::vector<absolute::Frame<D>> frames(compiled_.bodies_and_ground());
    absolute::update_frames<D>(compiled_.rest.bodies, bodies_.q, bodies_.v, frames);
    compiled_.rest.start_states(frames, guess.x);
    if constexpr (D == 2) {
      for (const absolute::DirectionRow& d : compiled_.rest.coordinates.directions) {
        const auto& here = compiled_.rest_nodes[d.phi.node];
        const auto &A = frames[d.links.frame[0]], &B = frames[d.links.frame[1]];
        guess.q[here.storage] =
            std::atan2(d.normal(0.0).value(A, B)[0], d.along(0.0).value(A, B)[0]);
      }
    }
  }

  /// Axes and spin of a link that ends at a body, or moves with one.
  Matrix rotation(int i) const {
    if (i == 0) return Matrix::Identity();
    if constexpr (D == 2) return Eigen::Rotation2Dd(angle(i)).toRotationMatrix();
    const Link<D>& link = tree_.links[i];
    const int body = tree_.body_of_link[i];
    if (body < 0 || !tree_.bodies[body].rotates) return rotation(link.parent) * link.R0;
    Matrix R = Matrix::Identity();
    if constexpr (D == 3) {
      const double* r = bodies_.q.data() + compiled_.rest.bodies[body].storage + 3;
      R = math::rotation_matrix({r[0], r[1], r[2], r[3]});
    }
    return R * tree_.bodies[body].axes.transpose();
  }
  /// Place and velocity of the origin of a link that ends at a body, or of one that such a link
  /// comes after.
  Vector origin(int i) const {
    const int end = i == 0 ? 0 : ending(i);
    if (end == 0) return Vector::Zero();
    const int body = tree_.body_of_link[end];
    const double* at = bodies_.q.data() + compiled_.rest.bodies[body].storage;
    return Eigen::Map<const Vector>(at) - rotation(end) * tree_.bodies[body].c;
  }
  Vector velocity(int i) const {
    const int end = i == 0 ? 0 : ending(i);
    if (end == 0) return Vector::Zero();
    const int body = tree_.body_of_link[end];
    const double* at = bodies_.v.data() + compiled_.rest.bodies[body].dof;
    const Vector c = rotation(end) * tree_.bodies[body].c;
    return Eigen::Map<const Vector>(at) - cross(spin(end), c);
  }
  double angle(int i) const {
    if (i == 0) return 0.0;
    const int body = tree_.body_of_link[i];
    if (body < 0 || !tree_.bodies[body].rotates) return angle(tree_.links[i].parent);
    return bodies_.q[compiled_.rest.bodies[body].storage + 2];
  }
  Spin spin(int i) const {
    if (i == 0) return Spin::Zero();
    const int body = tree_.body_of_link[i];
    if (body < 0 || !tree_.bodies[body].rotates) return spin(tree_.links[i].parent);
    const Spin own = Eigen::Map<const Spin>(bodies_.v.data() + compiled_.rest.bodies[body].dof + D);
    if constexpr (D == 3) {
      return rotation(i) * (tree_.bodies[body].axes * own);
    } else {
      return own;
    }
  }

  const Compiled<D>& compiled_;
  const Tree<D>& tree_;
  const Observer& observer_;
  const BodyCoordinates& bodies_;
};

/// The length by which a unit of a coordinate moves a body's joints, from that of its body.
template <int D>
std::vector<double> reach(const Compiled<D>& compiled, const std::vector<double>& of_bodies) {
  std::vector<double> out(compiled.structure.dof(), 1.0);
  std::vector<double> lever(compiled.tree.links.size(), 1.0);
  for (int i = static_cast<int>(compiled.tree.links.size()) - 1; i > 0; --i) {
    const int body = compiled.tree.body_of_link[i];
    if (body >= 0 && compiled.tree.bodies[body].rotates) {
      lever[i] = of_bodies[compiled.rest.bodies[body].dof + D];
    }
    const Link<D>& link = compiled.tree.links[i];
    if (compiled.tree.body_of_link[link.parent] < 0) lever[link.parent] = lever[i];
    if (link.kind == LinkKind::hinge || link.kind == LinkKind::ball ||
        link.kind == LinkKind::screw) {
      std::fill_n(out.begin() + std::max(link.dof, 0), link.width, lever[i]);
    }
  }
  return out;
}

template <int D>
std::vector<bool> turns(const Compiled<D>& compiled) {
  std::vector<bool> out(compiled.structure.dof(), false);
  for (const Link<D>& link : compiled.tree.links) {
    const bool turns = link.kind == LinkKind::hinge || link.kind == LinkKind::ball ||
                       link.kind == LinkKind::screw;
    for (int k = 0; k < link.width; ++k) out[link.dof + k] = turns;
  }
  for (const auto& node : compiled.rest_nodes) {
    if (node.body < 0) out[node.dof] = true;  // a direction
  }
  return out;
}

template <int D>
Mechanism make(const model::Model& model, Mechanism& absolute, const BodyCoordinates& bodies,
               std::span<const ContactState> contacts) {
  auto compiled = std::make_shared<const Compiled<D>>(compile<D>(model, contacts));
  auto whole = std::make_shared<const absolute::Compiled<D>>(
      absolute::compile<D>(without_coordinates(model)));
  Mechanism mechanism;
  mechanism.contacts = compiled->rest.contacts;
  mechanism.initial = Reader<D>(*compiled, *absolute.observer, bodies).read();
  mechanism.reach = reach<D>(*compiled, absolute.reach);
  mechanism.turns = turns<D>(*compiled);
  for (int joint : compiled->cut) mechanism.cut.push_back(model.joints[joint].name);
  mechanism.observer = std::make_unique<JointObserver<D>>(compiled, whole);
  mechanism.system = std::make_unique<CompiledSystem<Compiled<D>, JointEvaluator<D>>>(compiled);
  return mechanism;
}

}  // namespace

}  // namespace joint

Mechanism make_joint(const model::Model& model, Mechanism& absolute, const BodyCoordinates& bodies,
                     std::span<const ContactState> contacts) {
  const system::Structure& s = absolute.system->structure();
  std::vector<math::Jet> u(s.excitations);
  absolute.system->excitations(0.0, u);
  const std::vector<double> a(s.dof(), 0.0), lambda(s.constraint_rows, 0.0), x(s.state_size, 0.0);
  absolute.observer->move_to({bodies.q, bodies.v, x, u}, a, lambda);
  return model.planar ? joint::make<2>(model, absolute, bodies, contacts)
                      : joint::make<3>(model, absolute, bodies, contacts);
}

}  // namespace daedal::coordinates
