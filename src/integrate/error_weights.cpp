#include "daedal/integrate/error_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "daedal/integrate/projection.hpp"

namespace daedal::integrate {

namespace {

/// What moves by less than this share of the length within the largest step is at rest.
constexpr double kSlow = 1e-3;

}  // namespace

ErrorWeights::ErrorWeights(const system::Structure& structure, const Options& options)
    : structure_(structure),
      speeds_(structure.coordinates.size(), 0.0),
      sizes_(structure.states.size(), 1.0),
      storage_of_(structure.dof()) {
  const double given = options.reference.length.value_or(0.0);
  length_ = given > 0.0 ? std::min(given, 1.0) : 1.0;
  speed_floor_ = options.max_step > 0.0 ? kSlow * length_ / options.max_step : 0.0;
  for (std::size_t i = 0; i < storage_of_.size(); ++i) storage_of_[i] = static_cast<int>(i);
  for (const system::Manifold::Rotation& r : structure_.manifold.rotations()) {
    std::fill_n(storage_of_.begin() + r.tangent, 3, -1);
    // A rotation takes one place more in q than among the coordinates.
    for (int i = r.tangent + 3; i < structure_.dof(); ++i) ++storage_of_[i];
  }
}

void ErrorWeights::start(const State& state) {
  speed_floor_ = std::max({speed_floor_, std::sqrt(length_ * largest(state.a)),
                           std::numeric_limits<double>::min()});
}

void ErrorWeights::of_positions(double tol, double absolute, std::span<const double> q,
                                std::span<double> w) const {
  const double least = absolute > 0.0 ? absolute : tol * length_;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const int k = storage_of_[i];
    w[i] = k < 0 ? 1.0 / (tol + absolute) : 1.0 / (tol * std::abs(q[k]) + least);
  }
}

void ErrorWeights::of_velocities(double tol, double absolute, std::span<const double> v,
                                 std::span<double> w) {
  for (std::size_t k = 0; k < structure_.coordinates.size(); ++k) {
    const system::Node& node = structure_.coordinates[k];
    speeds_[k] = std::max({speeds_[k], speed_floor_, largest(v.subspan(node.offset, node.size))});
    const double least = absolute > 0.0 ? absolute : tol * speeds_[k];
    for (int i = node.offset; i < node.offset + node.size; ++i) {
      w[i] = 1.0 / (tol * std::abs(v[i]) + least);
    }
  }
}

void ErrorWeights::of_states(double tol, double absolute, std::span<const double> x,
                             std::span<double> w) {
  for (std::size_t k = 0; k < structure_.states.size(); ++k) {
    const system::Node& node = structure_.states[k];
    sizes_[k] = std::max(sizes_[k], largest(x.subspan(node.offset, node.size)));
    const double least = absolute > 0.0 ? absolute : tol * sizes_[k];
    for (int i = node.offset; i < node.offset + node.size; ++i) {
      w[i] = 1.0 / (tol * std::abs(x[i]) + least);
    }
  }
}

}  // namespace daedal::integrate
