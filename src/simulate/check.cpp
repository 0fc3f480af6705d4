#include "daedal/simulate/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "daedal/doctor/words.hpp"
#include "daedal/simulate/settings.hpp"

namespace daedal::simulate {

doctor::Dependence examine(const coordinates::Mechanism& mechanism, const integrate::State& state) {
  std::vector<math::Jet> u(mechanism.system->structure().excitations);
  mechanism.system->excitations(state.t, u);
  return doctor::examine(mechanism, {state.q, state.v, state.x, u});
}

namespace {

/// Which axis may be wrong, if any could.
std::string blocked_by(const coordinates::Mechanism& mechanism, const integrate::State& state) {
  std::vector<math::Jet> u(mechanism.system->structure().excitations);
  mechanism.system->excitations(state.t, u);
  const std::vector<std::string> joints =
      doctor::blocking_axes(mechanism, {state.q, state.v, state.x, u});
  if (joints.empty()) return "; if it should move, an axis or a point may be wrong";
  return fmt::format("; if it should move, the axis of {} may be wrong: another one would free it",
                     doctor::listed(joints, 3, "or"));
}

}  // namespace

std::string CheckReport::verdict() const {
  if (!sound()) return fmt::format("{}: it cannot be simulated as it is", name_of(assembly.status));
  if (!assembly.contradictions.empty()) {
    return fmt::format("it can be assembled, but not with the velocities given; constraints are {}",
                       dependence.verdict());
  }
  return fmt::format("it can be assembled; constraints are {}", dependence.verdict());
}

std::vector<std::string> CheckReport::warnings() const {
  std::vector<std::string> out;
  for (const model::Problem& problem : assembly.contradictions) out.push_back(problem.message);
  for (std::string& warning : near_warnings(dependence)) out.push_back(std::move(warning));
  out.insert(out.end(), inspection.warnings.begin(), inspection.warnings.end());
  return out;
}

CheckReport check(const model::Model& model) {
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  const system::Structure& structure = mechanism.system->structure();
  formulate::AccelerationLevel equations(
      *mechanism.system, default_solver({}, structure.dof() + structure.constraint_rows));
  integrate::State state(structure);
  CheckReport report;
  report.title = model.title;
  report.bodies = static_cast<int>(model.bodies.size());
  report.joints = static_cast<int>(model.joints.size());
  report.contacts = static_cast<int>(model.contacts.size());
  report.assembly = assemble(mechanism, equations, state);
  // Where a singular matrix was met, assembly has asked already.
  report.dependence =
      report.assembly.dependence.rows > 0 || report.assembly.status == Status::not_finite
          ? report.assembly.dependence
          : examine(mechanism, state);
  report.inspection = doctor::inspect(model, mechanism, state.q, report.assembly.closed);
  const bool driven = std::any_of(model.joints.begin(), model.joints.end(),
                                  [](const model::Joint& joint) { return joint.drive.has_value(); });
  if (report.sound() && !driven && report.dependence.degrees_of_freedom() == 0) {
    report.inspection.notes.push_back(
        "nothing can move: no degree of freedom is left and no joint is driven" +
        blocked_by(mechanism, state));
  }
  return report;
}

std::vector<std::string> nearly_dependent(const doctor::Dependence& dependence) {
  std::vector<std::string> out;
  for (const doctor::Dependence::Near& near : dependence.near) {
    out.push_back(fmt::format("{} are nearly dependent, to {:.1e}",
                              doctor::listed(near.constraints), near.distance));
  }
  return out;
}

std::vector<std::string> near_warnings(const doctor::Dependence& dependence) {
  std::vector<std::string> out = nearly_dependent(dependence);
  for (std::string& text : out) {
    text += ": axes or points that are almost but not quite aligned block a motion, and reactions "
            "become large; align them exactly, or clearly not";
  }
  return out;
}

std::string singular_start(const doctor::Dependence& dependence, double t) {
  std::vector<std::string> joints;
  std::set<std::string> known;  // loops next to each other share joints
  for (const doctor::Group& group : dependence.groups) {
    if (group.kind != doctor::Kind::singular) continue;
    for (const std::string& name : group.constraints) {
      if (known.insert(name).second) joints.push_back(name);
    }
  }
  if (joints.empty()) return {};
  return fmt::format("At t = {:.6g} s the mechanism stands in a singular position of {}: {}.", t,
                     doctor::listed(joints),
                     dependence.locked()
                         ? "it is locked, no motion leaves it, and a load across it has no finite "
                           "reaction; change a length or a place"
                         : "the motion may branch, and reactions may grow without bound; start "
                           "elsewhere, or give velocities that say which way");
}

std::string singular_position(const coordinates::Mechanism& mechanism,
                              const integrate::State& state, double tolerance) {
  std::vector<math::Jet> u(mechanism.system->structure().excitations);
  mechanism.system->excitations(state.t, u);
  const std::vector<std::string> joints =
      doctor::nearly_dependent(mechanism, {state.q, state.v, state.x, u}, tolerance);
  if (joints.empty()) return {};
  return fmt::format("Near t = {:.6g} s the mechanism passes a singular position of {}: constraints "
                     "depend on each other there, reactions grow without bound, and the motion may "
                     "branch. Compare with another step.",
                     state.t, doctor::listed(joints));
}

}  // namespace daedal::simulate
