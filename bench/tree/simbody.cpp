#include <Simbody.h>

#include "tree/peers.hpp"

namespace daedal::bench {

namespace {

struct Simbody {
  int count;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::Gravity gravity;
  SimTK::State state;
  SimTK::Vector applied, accelerations, residual;
  SimTK::Vector_<SimTK::SpatialVec> loads;

  explicit Simbody(const ChainData& data)
      : count(data.count), gravity(forces, matter, SimTK::Vec3(0, 0, data.gravity)) {
    using namespace SimTK;
    const Body::Rigid bar(MassProperties(
        data.mass, Vec3(0),
        data.mass * UnitInertia(data.inertia[0] / data.mass, data.inertia[1] / data.mass,
                                data.inertia[2] / data.mass)));
    for (int i = 0; i < data.count; ++i) {
      const Rotation R(UnitVec3(data.axis[i][0], data.axis[i][1], data.axis[i][2]), ZAxis);
      const MobilizedBodyIndex parent(i);
      MobilizedBody::Pin(matter.updMobilizedBody(parent),
                         Transform(R, i == 0 ? Vec3(0) : Vec3(0.5 * data.length, 0, 0)), bar,
                         Transform(R, Vec3(-0.5 * data.length, 0, 0)));
    }
    state = system.realizeTopology();
    system.realizeModel(state);
    accelerations.resize(data.count);
    residual.resize(data.count);
  }

  void move(const double* q, const double* v) {
    SimTK::Vector& qs = state.updQ();
    SimTK::Vector& us = state.updU();
    for (int i = 0; i < count; ++i) {
      qs[i] = q[i];
      us[i] = v[i];
    }
  }
};

}  // namespace

Peer simbody_forward(const ChainData& data) {
  auto owner = std::make_shared<Simbody>(data);
  return {"Simbody",
          [o = owner.get()](auto q, auto v, auto, auto out) {
            o->move(q, v);
            o->system.realize(o->state, SimTK::Stage::Acceleration);
            const SimTK::Vector& a = o->state.getUDot();
            for (int i = 0; i < o->count; ++i) out[i] = a[i];
          },
          owner};
}

Peer simbody_inverse(const ChainData& data) {
  auto owner = std::make_shared<Simbody>(data);
  return {"Simbody",
          [o = owner.get()](auto q, auto v, auto in, auto out) {
            o->move(q, v);
            o->system.realize(o->state, SimTK::Stage::Dynamics);
            for (int i = 0; i < o->count; ++i) o->accelerations[i] = in[i];
            o->matter.calcResidualForceIgnoringConstraints(
                o->state, o->system.getMobilityForces(o->state, SimTK::Stage::Dynamics),
                o->system.getRigidBodyForces(o->state, SimTK::Stage::Dynamics), o->accelerations,
                o->residual);
            for (int i = 0; i < o->count; ++i) out[i] = o->residual[i];
          },
          owner};
}

}  // namespace daedal::bench
