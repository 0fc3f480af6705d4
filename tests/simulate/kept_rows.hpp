#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "daedal/simulate/simulation.hpp"
#include "support/build_model.hpp"

namespace daedal::testing {

using math::Vec3;

/// A recorder that keeps what it is given.
class KeptRows final : public simulate::Recorder {
 public:
  void begin(const simulate::RowNames& row_names) override { names = row_names; }
  void record(const simulate::Row& row) override {
    if (fail_at >= 0 && static_cast<int>(time.size()) == fail_at) {
      throw std::runtime_error("no space left");
    }
    time.push_back(row.state.t);
    for (std::size_t k = 0; k < names.outputs.size(); ++k) {
      outputs[names.outputs[k]].push_back(row.outputs[k]);
    }
    diagnostics.push_back(simulate::StepDiagnostics::from(row.diagnostics));
    last = row.state;
    last_outputs.assign(row.outputs.begin(), row.outputs.end());
  }
  void end(const simulate::Summary&) override { ended = true; }
  long kept() const override { return static_cast<long>(time.size()); }

  simulate::RowNames names;
  std::vector<double> time;
  std::map<std::string, std::vector<double>> outputs;
  std::vector<simulate::StepDiagnostics> diagnostics;
  integrate::State last;
  std::vector<double> last_outputs;
  bool ended = false;
  int fail_at = -1;
};

inline model::Output output(std::string name, model::Quantity quantity, std::string object = {},
                            int component = 0) {
  model::Output out;
  out.name = std::move(name);
  out.quantity = quantity;
  out.object = std::move(object);
  out.component = component;
  return out;
}

/// Two links in the plane under gravity, hanging; the upper one on the ground by 'shoulder', the
/// lower one by 'elbow'.
inline model::Model double_pendulum() {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(planar_rigid("upper", 1.0, 0.03, {0.0, -0.25, 0.0}));
  model.bodies.push_back(planar_rigid("lower", 0.8, 0.02, {0.0, -0.75, 0.0}));
  add_joint(model, "shoulder", model::JointType::revolute, "ground", "upper", Vec3::Zero());
  add_joint(model, "elbow", model::JointType::revolute, "upper", "lower", {0.0, -0.5, 0.0});
  model.outputs.push_back(output("shoulder", model::Quantity::angle, "shoulder"));
  model.outputs.push_back(output("elbow", model::Quantity::angle, "elbow"));
  model.outputs.push_back(output("elbow_speed", model::Quantity::speed, "elbow"));
  model.outputs.push_back(output("motor", model::Quantity::reaction_torque, "shoulder", 2));
  return model;
}

inline simulate::Settings settings(double until, double step) {
  simulate::Settings s;
  s.until = until;
  s.step = step;
  s.tolerance = 1e-9;
  return s;
}

}  // namespace daedal::testing
