#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "tree/peers.hpp"

namespace daedal::bench {

Peer bullet_forward(const ChainData& data) {
  struct Owner {
    int count;
    std::unique_ptr<btMultiBody> body;
    btAlignedObjectArray<btScalar> r;
    btAlignedObjectArray<btVector3> v;
    btAlignedObjectArray<btMatrix3x3> m;
    btVector3 weight;
  };
  auto owner = std::make_shared<Owner>();
  owner->count = data.count;
  owner->body = std::make_unique<btMultiBody>(data.count, 1.0, btVector3(1, 1, 1), true, false);
  owner->body->setLinearDamping(0.0);
  owner->body->setAngularDamping(0.0);
  owner->body->setUseGyroTerm(true);
  owner->body->setMaxCoordinateVelocity(1e30);
  const btVector3 half(0.5 * data.length, 0, 0);
  for (int i = 0; i < data.count; ++i) {
    const auto& n = data.axis[i];
    owner->body->setupRevolute(i, data.mass,
                               btVector3(data.inertia[0], data.inertia[1], data.inertia[2]), i - 1,
                               btQuaternion(0, 0, 0, 1), btVector3(n[0], n[1], n[2]),
                               i == 0 ? btVector3(0, 0, 0) : half, half, true);
  }
  owner->body->finalizeMultiDof();
  owner->weight = btVector3(0, 0, data.mass * data.gravity);
  return {"Bullet",
          [o = owner.get()](auto q, auto v, auto, auto out) {
            btMultiBody& body = *o->body;
            for (int i = 0; i < o->count; ++i) {
              body.setJointPos(i, q[i]);
              body.setJointVel(i, v[i]);
            }
            body.clearForcesAndTorques();
            for (int i = 0; i < o->count; ++i) {
              body.addLinkForce(i, o->weight);
            }
            // A step of one second adds the accelerations to the velocities.
            body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(1.0, o->r, o->v, o->m, false,
                                                                      false, false);
            for (int i = 0; i < o->count; ++i) out[i] = body.getJointVel(i) - v[i];
          },
          owner};
}

}  // namespace daedal::bench
