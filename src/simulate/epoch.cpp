#include "daedal/simulate/epoch.hpp"

#include <utility>

#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/preparation.hpp"

namespace daedal::simulate {

AnyIntegrator::AnyIntegrator(const MethodChoice& choice, const system::ConstrainedSystem& system,
                             const integrate::Options& options) {
  const integrate::Method& method = *integrate::find_method(choice.method);
  if (choice.adaptive) {
    adaptive = method.make_adaptive(system, options);
  } else {
    fixed = method.make(system, options);
  }
}

Epoch::Epoch(const model::Model& model, const Settings& settings, const MethodChoice& choice,
             coordinates::Mechanism equations_of)
    : mechanism(std::move(equations_of)),
      options(integrator_options(model, settings, structure())),
      equations(system(), options.linear_solver),
      integrator(choice, system(), options) {}

}  // namespace daedal::simulate
