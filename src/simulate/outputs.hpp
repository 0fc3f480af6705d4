#pragma once

#include <optional>
#include <span>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"

namespace daedal::simulate {

/// The values of a model's outputs along a run. Spatial joint angles, which geometry gives up to
/// full turns only, are continued from call to call: follow() must see every step.
class Outputs {
 public:
  Outputs(const model::Model& model, coordinates::Observer& observer);

  /// Looks through the observer of other equations from now on.
  void observe(coordinates::Observer& observer) { observer_ = &observer; }

  /// True if angles must be followed between recorded rows.
  bool needs_following() const { return !turning_.empty(); }
  /// Updates the turn counts of angles from the observer's present point.
  void follow(double time);
  /// All outputs at the observer's present point.
  void evaluate(const system::Energy& energy, std::span<double> values);
  std::size_t size() const { return model_.outputs.size(); }

  /// Turn counts, so that a continued run goes on where it stopped.
  void continue_from(std::span<const double> last_values, double time);

 private:
  struct Turning {
    std::size_t output;
    int joint;
    model::Freedom freedom;
    double last = 0.0, rate = 0.0, time = 0.0;
    bool seen = false;
  };
  double value(std::size_t k, const system::Energy& energy) const;

  const model::Model& model_;
  coordinates::Observer* observer_;
  std::vector<int> object_;        // body or joint index of each output
  std::vector<bool> of_joint_;
  std::vector<std::optional<model::Freedom>> freedom_;  // of each output of a joint's coordinate
  std::vector<Turning> turning_;
  std::vector<int> turning_of_;    // output -> index into turning_, or -1
};

}  // namespace daedal::simulate
