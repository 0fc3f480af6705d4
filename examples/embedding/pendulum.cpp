// Daedal as a library: a pendulum built in C++, simulated, and its last angle printed. With an
// argument, a model file is simulated instead.
#include <cstdio>

#include "daedal/io/model_file.hpp"
#include "daedal/simulate/simulation.hpp"

using namespace daedal;

/// A bar of 1 m and 1 kg on a hinge, hanging down, pushed at 2 rad/s.
model::Model pendulum() {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};

  model::Body bar;
  bar.name = "bar";
  bar.mass = 1.0;
  bar.inertia(2, 2) = 1.0 / 12.0;
  bar.center = {0.0, -0.5, 0.0};
  model.bodies.push_back(bar);

  model::Joint hinge;
  hinge.name = "hinge";
  hinge.type = model::JointType::revolute;
  hinge.on[1].body = "bar";  // between the ground's origin and the bar's
  model.joints.push_back(hinge);

  model::InitialState push;
  push.body = "bar";
  push.angular_velocity = {0.0, 0.0, 2.0};
  model.initial.push_back(push);

  model.outputs.push_back({.name = "angle", .quantity = model::Quantity::angle, .object = "hinge"});
  return model;
}

int main(int argc, char** argv) {
  try {
    io::ModelFile file;
    if (argc > 1) {
      file = io::read_model(argv[1]);
    } else {
      file.model = pendulum();
      file.settings.until = 1.0;
      file.settings.step = 1e-3;
    }
    const simulate::Summary summary = simulate::run(file.model, file.settings);
    for (const auto& [name, value] : summary.final) std::printf("%s = %.9f\n", name.c_str(), value);
    return summary.status == simulate::Status::done ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
