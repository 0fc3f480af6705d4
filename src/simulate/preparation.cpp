#include "daedal/simulate/preparation.hpp"

#include <algorithm>
#include <limits>

#include "daedal/integrate/methods.hpp"

namespace daedal::simulate {

namespace {

/// What all steps together may leave is this share of the run's tolerance: the motion can amplify it.
constexpr double kNewtonShare = 1e-3;
/// The length of a mechanism whose points are all in one place [m].
constexpr double kAssumedLength = 1.0;

/// Largest extent along an axis of what a model places in its reference pose: origins and centres of
/// bodies, points of joints.
double width(const model::Model& model) {
  math::Vec3 low = math::Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  const auto add = [&](const model::Pose& pose, const math::Vec3& point) {
    math::Mat3 R = math::rotation_matrix(pose.rotation);
    if (model.planar) R = math::rotation_matrix(math::exp_so3({0.0, 0.0, pose.angle}));
    const math::Vec3 x = pose.position + R * point;
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  };
  const auto bodies = model::index_by_name(model.bodies);
  for (const model::Body& body : model.bodies) {
    add(body.pose, math::Vec3::Zero());
    add(body.pose, body.center);
  }
  for (const model::Joint& joint : model.joints) {
    for (const model::Attachment& on : joint.on) {
      const auto it = bodies.find(on.body);
      add(it == bodies.end() ? model::Pose{} : model.bodies[it->second].pose, on.point);
    }
  }
  return model.bodies.empty() ? 0.0 : (high - low).maxCoeff();
}

}  // namespace

double mechanism_length(const model::Model& model, const Settings& settings) {
  if (without_length(model, settings)) return kAssumedLength;
  return settings.reference_length.value_or(width(model));
}

bool without_length(const model::Model& model, const Settings& settings) {
  return !settings.reference_length && !(width(model) > 0.0);
}

integrate::Options integrator_options(const model::Model& model, const Settings& settings,
                                      const system::Structure& structure) {
  integrate::Options o;
  o.linear_solver = settings.linear_solver;
  o.stabilised = settings.formulation == "ggl";
  if (integrate::find_method(settings.method)->is_explicit) {
    // Its matrices are those of the acceleration level.
    if (o.linear_solver == "auto") o.linear_solver = default_explicit_solver(structure);
  }
  if (settings.method == "bdf") {
    o.form = *formulate::form_from(settings.formulation);
    if (o.linear_solver == "auto") o.linear_solver = default_first_order_solver(structure);
  }
  if (o.linear_solver == "auto") {
    o.linear_solver = default_solver(settings, structure.dof() + structure.constraint_rows);
  }
  o.unknowns = *formulate::unknowns_from(settings.unknowns);
  o.scaling = *correct::scaling_from(settings.scaling);
  o.scaling_factor = settings.scaling_factor.value_or(0.0);
  o.augmentation = settings.augmentation;
  o.reference = {settings.reference_mass, settings.reference_damping, settings.reference_stiffness,
                 mechanism_length(model, settings)};
  o.newton.acceptable = kAcceptableShare * settings.tolerance;
  o.newton.tolerance =
      std::max(kSmallestNewtonTolerance,
               kNewtonShare * settings.tolerance * step_size(settings) / settings.until);
  o.newton.max_iterations = settings.max_iterations;
  o.newton.source = *correct::jacobian_source_from(settings.jacobian);
  o.newton.reuse = settings.jacobian_reuse;
  o.rho_inf = settings.rho_inf;
  o.alpha = settings.alpha;
  o.beta = settings.beta;
  o.gamma = settings.gamma;
  // Below it steps become tiny, drown in round-off, and never end.
  o.tolerance = std::max(settings.tolerance, kSmallestTolerance);
  o.absolute_tolerance = settings.absolute_tolerance.value_or(0.0);
  o.max_step = max_step_size(settings);
  o.min_step = settings.min_step.value_or(0.0);
  o.projection = settings.projection;
  o.drift_tolerance = settings.drift_tolerance.value_or(0.0);
  o.local_extrapolation = settings.local_extrapolation;
  o.max_order = settings.max_order;
  o.baumgarte_alpha = settings.baumgarte_alpha;
  o.baumgarte_beta = settings.baumgarte_beta;
  o.jacobian_pattern = *correct::jacobian_pattern_from(settings.jacobian_pattern);
  o.formalism = *formulate::formalism_from(settings.formalism);
  o.jacobian_update = *correct::jacobian_update_from(settings.jacobian_update);
  return o;
}

coordinates::Mechanism make_mechanism(const model::Model& model, const Settings& settings,
                                      std::optional<AssemblyReport>& assembly) {
  coordinates::Mechanism absolute = coordinates::make_absolute(model);
  if (settings.coordinates == "absolute") return absolute;
  const system::Structure& s = absolute.system->structure();
  formulate::AccelerationLevel equations(*absolute.system,
                                         default_solver(settings, s.dof() + s.constraint_rows));
  integrate::State state(s);
  AssemblyReport report = assemble(absolute, equations, state);
  if (report.status != Status::done || !report.contradictions.empty()) return absolute;
  assembly = std::move(report);
  return coordinates::make_joint(model, absolute, {state.q, state.v});
}

coordinates::Mechanism make_mechanism(const model::Model& model, const Settings& settings,
                                      coordinates::Mechanism& absolute,
                                      std::span<const coordinates::ContactState> contacts) {
  if (settings.coordinates == "absolute") return coordinates::make_absolute(model, contacts);
  return coordinates::make_joint(model, absolute, {absolute.initial.q, absolute.initial.v},
                                 contacts);
}

}  // namespace daedal::simulate
