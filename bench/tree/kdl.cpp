#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

#include "tree/peers.hpp"

namespace daedal::bench {

Peer kdl_inverse(const ChainData& data) {
  struct Owner {
    int count;
    KDL::Chain chain;
    std::unique_ptr<KDL::ChainIdSolver_RNE> solver;
    KDL::JntArray q, v, a, tau;
    KDL::Wrenches none;
  };
  auto owner = std::make_shared<Owner>();
  owner->count = data.count;
  for (int i = 0; i < data.count; ++i) {
    const auto& n = data.axis[i];
    const KDL::Joint joint("", KDL::Vector::Zero(), KDL::Vector(n[0], n[1], n[2]),
                           KDL::Joint::RotAxis);
    // The centre is half a length behind the tip.
    const KDL::RigidBodyInertia inertia(
        data.mass, KDL::Vector(-0.5 * data.length, 0.0, 0.0),
        KDL::RotationalInertia(data.inertia[0], data.inertia[1], data.inertia[2]));
    owner->chain.addSegment(
        KDL::Segment(joint, KDL::Frame(KDL::Vector(data.length, 0.0, 0.0)), inertia));
  }
  owner->solver =
      std::make_unique<KDL::ChainIdSolver_RNE>(owner->chain, KDL::Vector(0.0, 0.0, data.gravity));
  for (KDL::JntArray* array : {&owner->q, &owner->v, &owner->a, &owner->tau}) {
    array->resize(data.count);
  }
  owner->none.assign(data.count, KDL::Wrench::Zero());
  return {"KDL",
          [o = owner.get()](auto q, auto v, auto in, auto out) {
            for (int i = 0; i < o->count; ++i) {
              o->q(i) = q[i], o->v(i) = v[i], o->a(i) = in[i];
            }
            o->solver->CartToJnt(o->q, o->v, o->a, o->none, o->tau);
            for (int i = 0; i < o->count; ++i) out[i] = o->tau(i);
          },
          owner};
}

}  // namespace daedal::bench
