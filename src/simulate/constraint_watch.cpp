#include "daedal/simulate/constraint_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "daedal/doctor/words.hpp"
#include "daedal/simulate/check.hpp"

namespace daedal::simulate {

namespace {

/// Constraints of a step may be open by this much of 1 + length, and rows of velocities by this much of
/// 1 + the largest: the run's tolerance, within limits.
constexpr double kLeastOpen = 1e-8;
constexpr double kMostOpen = 1e-4;
/// What was looked at is looked at again when it has grown by this.
constexpr double kWorse = 2.0;
/// No velocities satisfy constraints that are inconsistent by more.
constexpr double kInconsistent = 1e-6;
/// Distance of nearly dependent constraints, relative to their size, that makes a position singular:
/// where a matrix was, and where a step may have passed it.
constexpr double kSingularDistance = 1e-4;
constexpr double kPassingDistance = 2e-2;
/// Multipliers that are a surge, the weight of a step in what is usual, and how often one looks in vain.
constexpr double kSurge = 20.0;
constexpr double kMemory = 0.02;
constexpr int kLooks = 50;
/// Times of further singular positions in a warning.
constexpr std::size_t kTimesShown = 5;

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) m = std::max(m, std::abs(value));
  return m;
}

}  // namespace

void ConstraintWatch::Surge::add(double value, long steps) {
  high = usual > 0.0 && value > kSurge * usual;
  grown = high && value > kWorse * looked;
  if (grown) looked = value;
  if (high) return;
  looked = 0.0;
  usual = steps <= 1 ? value : usual + kMemory * (value - usual);
}

ConstraintWatch::ConstraintWatch(const coordinates::Mechanism& mechanism,
                                 formulate::AccelerationLevel& equations, Watch& watch,
                                 double tolerance, double length)
    : mechanism_(mechanism),
      equations_(equations),
      watch_(watch),
      tolerance_(tolerance),
      length_(length) {}

void ConstraintWatch::begin(const doctor::Dependence& dependence, std::string singular_start) {
  redundant_ = !dependence.independent();
  verdict_ = dependence.verdict();
  singular_start_ = std::move(singular_start);
  near_ = nearly_dependent(dependence);
  near_warnings_ = near_warnings(dependence);
  explained_ = equations_.regularised() || !singular_start_.empty();
}

double ConstraintWatch::open_share() const {
  return std::clamp(tolerance_, kLeastOpen, kMostOpen);
}

bool ConstraintWatch::leaves_open() const {
  return !(watch_.position_violation() <= open_share() * (1.0 + length_));
}

std::string ConstraintWatch::contradiction(const integrate::State& end) {
  if (!equations_.regularised()) return {};
  const bool slips = watch_.rate_violation() >
                     std::max(open_share() * (1.0 + largest(end.v)), kWorse * slip_);
  if (!leaves_open() && !slips) return {};
  if (slips) slip_ = watch_.rate_violation();
  return irreconcilable(end);
}

std::string ConstraintWatch::contradiction_at_end(const integrate::State& state) {
  // Next to a singular position it is the drive that comes to its limit.
  const bool elsewhere = redundant_ && passages_.empty() && singular_start_.empty();
  if (!elsewhere || !equations_.regularised()) return {};
  watch_.look(state);
  return irreconcilable(state);
}

/// The judge is whether any velocities satisfy G v + g_u u' = 0 there.
std::string ConstraintWatch::irreconcilable(const integrate::State& state) {
  if (!(watch_.inconsistency_of_rates(state) > kInconsistent)) return {};
  std::string text;
  for (const doctor::Group& group : examine(mechanism_, state).groups) {
    if (group.kind != doctor::Kind::conflicting) continue;
    for (const std::string& sentence : group.sentences) text += sentence + "; ";
  }
  if (text.empty()) {
    text = fmt::format("{} contradict each other; ", doctor::listed(watch_.violated_rates()));
  }
  return text + fmt::format("positions are violated by {:.3g}, velocities by {:.3g}",
                            watch_.position_violation(), watch_.velocity_violation());
}

void ConstraintWatch::notice_singularity(const integrate::State& state, bool certain, long steps) {
  if (explained_) return;
  certain |= equations_.regularised();
  multipliers_.add(largest(state.lambda), steps);
  compliance_.add(watch_.compliance(), steps);
  if (!certain && !multipliers_.high && !compliance_.high) passing_ = false;
  const bool grown = multipliers_.grown || compliance_.grown;
  if (!certain && (!grown || looks_ >= kLooks)) return;
  const std::string warning =
      singular_position(mechanism_, state, certain ? kSingularDistance : kPassingDistance);
  if (warning.empty() && !certain) {
    ++looks_;
    return;
  }
  explained_ = certain;
  if (warning.empty()) {
    verdict_ = fmt::format("independent; a matrix was singular near t = {:.6g} s, the position is not",
                           state.t);
    return;
  }
  if (!passing_) passages_.emplace_back();
  passages_.back() = state.t;  // the nearest so far
  passing_ = true;
  if (passages_.size() > 1) return;
  redundant_ |= certain;
  verdict_ = fmt::format("dependent near t = {:.6g} s, a singular position: the motion may branch there",
                         state.t);
  warning_ = warning;
}

std::string ConstraintWatch::singular_here(const integrate::State& state) const {
  if (!singular_start_.empty()) return ". " + singular_start_;
  std::vector<math::Jet> u(mechanism_.system->structure().excitations);
  mechanism_.system->excitations(state.t, u);
  const std::vector<std::string> joints =
      doctor::nearly_dependent(mechanism_, {state.q, state.v, state.x, u}, kPassingDistance);
  if (joints.empty()) return {};
  if (redundant_ && passages_.empty()) {
    return near_.empty() ? "" : fmt::format("; {}", fmt::join(near_, "; "));
  }
  return fmt::format("; it is next to a singular position of {}, where the mechanism locks or its "
                     "motion branches",
                     doctor::listed(joints));
}

void ConstraintWatch::complete(Summary& summary) const {
  summary.redundant = redundant_;
  summary.constraint_verdict = verdict_;
  summary.warnings.insert(summary.warnings.begin(), near_warnings_.begin(), near_warnings_.end());
  if (!singular_start_.empty()) {
    summary.warnings.insert(summary.warnings.begin(), singular_start_);
  }
  if (warning_.empty()) return;
  std::vector<std::string> times;
  for (std::size_t i = 1; i < std::min(passages_.size(), kTimesShown + 1); ++i) {
    times.push_back(fmt::format("{:.6g}", passages_[i]));
  }
  std::string warning = warning_;
  if (!times.empty()) {
    warning += fmt::format(" Such positions follow near t = {} s{}.", fmt::join(times, ", "),
                           passages_.size() > kTimesShown + 1 ? " and later" : "");
  }
  summary.warnings.push_back(std::move(warning));
}

}  // namespace daedal::simulate
