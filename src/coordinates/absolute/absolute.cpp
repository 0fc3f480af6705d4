#include <algorithm>
#include <cmath>
#include <type_traits>

#include "daedal/coordinates/absolute/evaluator.hpp"
#include "daedal/coordinates/absolute/observer.hpp"
#include "daedal/coordinates/compiled_system.hpp"
#include "daedal/coordinates/mechanism.hpp"

namespace daedal::coordinates {

namespace absolute {

namespace {

/// Of what is defined by other coordinates.
constexpr double kFollowingWeight = 1e-6;

double weight_of(model::Priority priority) {
  switch (priority) {
    case model::Priority::fixed: return kFixedWeight;
    case model::Priority::preferred: return kPreferredWeight;
    case model::Priority::free: break;
  }
  return 1.0;
}

/// Poses and velocities of the model's bodies as coordinates of their centres of mass.
template <int D>
InitialGuess initial_guess(const model::Model& model, const Compiled<D>& compiled) {
  const int n = compiled.structure.dof();
  InitialGuess guess;
  guess.q.resize(compiled.structure.storage());
  guess.v.assign(n, 0.0);
  guess.x.assign(compiled.structure.state_size, 0.0);
  guess.position_weight.assign(n, 1.0);
  guess.velocity_weight.assign(n, 1.0);

  std::vector<const model::InitialState*> given(model.bodies.size(), nullptr);
  const auto bodies = model::index_by_name(model.bodies);
  for (const model::InitialState& state : model.initial) given[bodies.at(state.body)] = &state;

  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyElement<D>& body = compiled.bodies[i];
    const model::InitialState none;
    const model::InitialState& start = given[i] ? *given[i] : none;
    const math::Vec3 origin = start.position.value_or(model.bodies[i].pose.position);
    const auto give = [&](std::vector<double>& weights, int first, int count) {
      std::fill_n(weights.begin() + body.dof + first, count, kPreferredWeight);
    };
    math::Vec3 arm;  // from the frame's origin to the centre of mass, world axes
    if constexpr (D == 3) {
      const math::Quaternion r = start.rotation.value_or(model.bodies[i].pose.rotation);
      const math::Mat3 R = math::rotation_matrix(r);
      arm = R * model.bodies[i].center;
      if (body.rotates()) {
        double* at = guess.q.data() + body.storage + 3;
        at[0] = r.w, at[1] = r.x, at[2] = r.y, at[3] = r.z;
        if (start.angular_velocity) {
          const math::Vec3 w = R.transpose() * *start.angular_velocity;
          std::copy_n(w.data(), 3, guess.v.data() + body.dof + 3);
        }
      }
    } else {
      const double angle = start.angle.value_or(model.bodies[i].pose.angle);
      const Eigen::Rotation2Dd R(angle);
      arm = spatial<2>(R * body.center);
      if (body.rotates()) {
        guess.q[body.storage + 2] = angle;
        if (start.angular_velocity) guess.v[body.dof + 2] = start.angular_velocity->z();
      }
    }
    if (start.position) give(guess.position_weight, 0, D);
    if (start.rotation || start.angle) give(guess.position_weight, D, Geometry<D>::kRotations);
    if (start.priority) {
      std::fill_n(guess.position_weight.begin() + body.dof, body.width, weight_of(*start.priority));
    }
    if (start.velocity) give(guess.velocity_weight, 0, D);
    if (start.angular_velocity) give(guess.velocity_weight, D, Geometry<D>::kRotations);

    const math::Vec3 center = origin + arm;
    const math::Vec3 velocity =
        start.velocity.value_or(math::Vec3::Zero()) +
        start.angular_velocity.value_or(math::Vec3::Zero()).cross(arm);
    for (int k = 0; k < D; ++k) {
      guess.q[body.storage + k] = center[k];
      guess.v[body.dof + k] = velocity[k];
    }
  }
  // A state that counts turns starts at the angle itself.
  std::vector<Frame<D>> frames(compiled.bodies.size() + 1);
  update_frames<D>(compiled.bodies, guess.q, guess.v, frames);
  compiled.start_states(frames, guess.x);
  // Coordinates of joints follow from the bodies, and never hold them.
  const auto follow = [&](const ScalarCoordinate& phi, double value) {
    guess.q[phi.storage] = value;
    guess.position_weight[phi.dof] = guess.velocity_weight[phi.dof] = kFollowingWeight;
  };
  for (const JointElement<D>& joint : compiled.joints) {
    const auto& [a, b] = joint.links.frame;
    for (int f = 0; f < model::kFreedoms; ++f) {
      const auto freedom = static_cast<model::Freedom>(f);
      if (joint.coordinate[f].node < 0 || freedom == model::Freedom::direction) continue;
      follow(joint.coordinate[f], joint.value(freedom, frames[a], frames[b]));
    }
  }
  if constexpr (D == 2) {
    for (const DirectionRow& d : compiled.coordinates.directions) {
      const Frame<2>&A = frames[d.links.frame[0]], &B = frames[d.links.frame[1]];
      follow(d.phi, std::atan2(d.normal(0.0).value(A, B)[0], d.along(0.0).value(A, B)[0]));
    }
  }
  return guess;
}

/// Calls `use` with each joint and the coordinate that stands for an angle of it.
template <int D, class Use>
void for_each_angle(const Compiled<D>& compiled, Use&& use) {
  for (const JointElement<D>& joint : compiled.joints) {
    for (const model::Freedom freedom : {model::Freedom::angle, model::Freedom::second_angle}) {
      const ScalarCoordinate& phi = joint.coordinate[static_cast<std::size_t>(freedom)];
      if (phi.node >= 0) use(joint, phi);
    }
  }
}

/// The largest lever of a body's joints about its centre of mass, or its radius of gyration.
template <int D>
std::vector<double> reach(const model::Model& model, const Compiled<D>& compiled) {
  std::vector<double> lever(model.bodies.size());
  for (std::size_t i = 0; i < lever.size(); ++i) {
    lever[i] = std::sqrt(model.bodies[i].inertia.trace() / model.bodies[i].mass);
  }
  const auto bodies = model::index_by_name(model.bodies);
  for (const model::Joint& joint : model.joints) {
    for (const model::Attachment& on : joint.on) {
      if (on.body == model::kGround) continue;
      const int i = bodies.at(on.body);
      lever[i] = std::max(lever[i], (on.point - model.bodies[i].center).norm());
    }
  }
  std::vector<double> out(compiled.structure.dof(), 1.0);
  for (std::size_t i = 0; i < lever.size(); ++i) {
    const BodyElement<D>& body = compiled.bodies[i];
    if (!(lever[i] > 0.0)) continue;
    std::fill_n(out.begin() + body.dof + D, body.width - D, lever[i]);
  }
  for_each_angle(compiled, [&](const JointElement<D>& joint, const ScalarCoordinate& phi) {
    double longest = 0.0;
    for (int k = 0; k < 2; ++k) {
      if (joint.links.present(k)) longest = std::max(longest, lever[joint.links.frame[k]]);
    }
    if (longest > 0.0) out[phi.dof] = longest;
  });
  return out;
}

template <int D>
std::vector<bool> turns(const Compiled<D>& compiled) {
  std::vector<bool> out(compiled.structure.dof(), false);
  for (const BodyElement<D>& body : compiled.bodies) {
    std::fill_n(out.begin() + body.dof + D, body.width - D, true);
  }
  for_each_angle(compiled, [&](const auto&, const ScalarCoordinate& phi) { out[phi.dof] = true; });
  if constexpr (D == 2) {
    for (const DirectionRow& d : compiled.coordinates.directions) out[d.phi.dof] = true;
  }
  return out;
}

template <int D>
Mechanism make(const model::Model& model, std::span<const ContactState> contacts) {
  auto compiled = std::make_shared<const Compiled<D>>(compile<D>(model, {.contacts = contacts}));
  Mechanism mechanism;
  mechanism.contacts = compiled->contacts;
  mechanism.initial = initial_guess<D>(model, *compiled);
  mechanism.reach = reach<D>(model, *compiled);
  mechanism.turns = turns<D>(*compiled);
  mechanism.observer = std::make_unique<AbsoluteObserver<D>>(compiled);
  mechanism.system = std::make_unique<CompiledSystem<Compiled<D>, AbsoluteEvaluator<D>>>(compiled);
  return mechanism;
}

}  // namespace

}  // namespace absolute

Mechanism make_absolute(const model::Model& model, std::span<const ContactState> contacts) {
  if (auto problems = model::validate(model); !problems.empty()) {
    throw model::ModelError(std::move(problems));
  }
  return model.planar ? absolute::make<2>(model, contacts) : absolute::make<3>(model, contacts);
}

}  // namespace daedal::coordinates
