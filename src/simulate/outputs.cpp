#include "daedal/simulate/outputs.hpp"

#include <cmath>
#include <numbers>

namespace daedal::simulate {

using model::Quantity;

Outputs::Outputs(const model::Model& model, coordinates::Observer& observer)
    : model_(model), observer_(&observer), turning_of_(model.outputs.size(), -1) {
  const auto joints = model::index_by_name(model.joints);
  const auto bodies = model::index_by_name(model.bodies);
  const auto find = [](const auto& index, const std::string& name) {
    const auto it = index.find(name);
    return it == index.end() ? -1 : it->second;
  };
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const model::Output& output = model.outputs[k];
    const int joint = find(joints, output.object);
    object_.push_back(joint >= 0 ? joint : find(bodies, output.object));
    of_joint_.push_back(joint >= 0);
    freedom_.push_back(
        joint >= 0 ? model::freedom_of(output, model.joints[joint].type) : std::nullopt);
    if (output.quantity == Quantity::angle && joint >= 0 && !model.planar) {
      turning_of_[k] = static_cast<int>(turning_.size());
      turning_.push_back({k, joint, *freedom_[k]});
    }
  }
}

void Outputs::follow(double time) {
  for (Turning& t : turning_) {
    // Of all full turns the one nearest to where the rates lead.
    const double angle = observer_->joint_coordinate(t.joint, t.freedom);
    const double rate = observer_->joint_rate(t.joint, t.freedom);
    const double expected = t.seen ? t.last + 0.5 * (t.rate + rate) * (time - t.time) : angle;
    t.last = expected + std::remainder(angle - expected, 2.0 * std::numbers::pi);
    t.rate = rate;
    t.time = time;
    t.seen = true;
  }
}

void Outputs::continue_from(std::span<const double> last_values, double time) {
  for (Turning& t : turning_) {
    t.last = last_values[t.output];
    t.time = time;
    t.seen = true;
  }
}

void Outputs::evaluate(const system::Energy& energy, std::span<double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(k, energy);
}

double Outputs::value(std::size_t k, const system::Energy& energy) const {
  const model::Output& output = model_.outputs[k];
  const int i = object_[k], c = output.component;
  switch (output.quantity) {
    case Quantity::position:
      return observer_->position(i, output.point)[c];
    case Quantity::velocity:
      return observer_->velocity(i, output.point)[c];
    case Quantity::acceleration:
      return observer_->acceleration(i, output.point)[c];
    case Quantity::angular_velocity:
      return (of_joint_[k] ? observer_->relative_angular_velocity(i)
                           : observer_->angular_velocity(i))[c];
    case Quantity::angle:
      if (turning_of_[k] >= 0) return turning_[turning_of_[k]].last;
      if (!of_joint_[k]) return observer_->pose(i).angle;
      [[fallthrough]];
    case Quantity::displacement:
      return observer_->joint_coordinate(i, *freedom_[k]);
    case Quantity::angular_speed:
    case Quantity::speed:
      return observer_->joint_rate(i, *freedom_[k]);
    case Quantity::reaction_force:
      return observer_->reaction(i).force[c];
    case Quantity::reaction_torque:
      return observer_->reaction(i).torque[c];
    case Quantity::kinetic_energy:
      return energy.kinetic;
    case Quantity::potential_energy:
      return energy.potential;
    case Quantity::energy:
      return energy.total();
  }
  return 0.0;
}

}  // namespace daedal::simulate
