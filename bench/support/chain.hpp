#pragma once

#include <fmt/format.h>

#include "daedal/model/model.hpp"

namespace daedal::bench {

/// N bars of 1 m and 1 kg, hinged to each other about alternating horizontal axes and hung from
/// the ground at one end, starting horizontal and at rest.
inline model::Model chain(int count) {
  model::Model m;
  m.title = "Chain";
  m.gravity = {0.0, 0.0, -9.81};
  for (int i = 0; i < count; ++i) {
    model::Body body;
    body.name = fmt::format("link[{}]", i);
    body.mass = 1.0;
    body.inertia = math::Vec3(1e-3, 1.0 / 12.0, 1.0 / 12.0).asDiagonal();
    body.pose.position = {i + 0.5, 0.0, 0.0};
    m.bodies.push_back(body);

    model::Joint joint;
    joint.name = fmt::format("hinge[{}]", i);
    joint.type = model::JointType::revolute;
    math::Mat3 frame;  // z is the axis: y, or y tilted by 30 degrees
    const double tilt = i % 2 == 0 ? 0.0 : 0.5235987755982988;
    const math::Vec3 z(0.0, std::cos(tilt), std::sin(tilt)), x(1.0, 0.0, 0.0);
    frame << x, z.cross(x), z;
    joint.on[0] = {i == 0 ? std::string(model::kGround) : fmt::format("link[{}]", i - 1),
                   i == 0 ? math::Vec3::Zero().eval() : math::Vec3(0.5, 0.0, 0.0), frame};
    joint.on[1] = {body.name, {-0.5, 0.0, 0.0}, frame};
    m.joints.push_back(joint);
  }
  return m;
}

}  // namespace daedal::bench
