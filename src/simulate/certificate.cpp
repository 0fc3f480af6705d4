#include "daedal/simulate/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::simulate {

namespace {

/// Energy below which, beside that of the start or 1 J, there is only the rounding of rest.
constexpr double kRest = 1e-15;
/// A step that changes the balance by this many times all that moved before is no step of a mechanism.
constexpr double kBurst = 10.0;
/// Steps after which there is a before.
constexpr long kSettled = 20;

}  // namespace

void Certificate::add(const StepDiagnostics& s) {
  const double energy = s.kinetic_energy + s.potential_energy;
  if (empty_) {
    // A past that was cut away may have done work already.
    start_energy_ = energy - s.work;
    start_potential_ = s.potential_energy;
    empty_ = false;
  }
  position_ = std::max(position_, s.position_violation);
  velocity_ = std::max(velocity_, s.velocity_violation);
  work_ = s.work;
  const double moved_before = scale_;
  scale_ = std::max({scale_, s.kinetic_energy, std::abs(s.potential_energy - start_potential_),
                     std::abs(s.work)});
  const double imbalance = energy - start_energy_ - s.work;
  if (!(std::abs(imbalance) <= std::abs(imbalance_))) imbalance_ = imbalance;
  burst_ = ++steps_ > kSettled && moved_before > kRest * (1.0 + std::abs(start_energy_)) &&
           !(std::abs(imbalance - last_imbalance_) <= kBurst * moved_before);
  last_imbalance_ = imbalance;
}

std::optional<double> Certificate::relative_energy_error() const {
  if (scale_ <= kRest * (1.0 + std::abs(start_energy_))) return std::nullopt;
  return std::abs(imbalance_) / scale_;
}

}  // namespace daedal::simulate
