#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/io/model_file.hpp"
#include "fuzz/require.hpp"
#include "fuzz/targets.hpp"

namespace daedal::fuzz {
namespace {

constexpr std::size_t kLargestMechanism = 200;  // bodies, and so on
constexpr io::Limits kLimits{.repeated = 2000};

/// One evaluation of all there is at the given start.
void evaluate(const coordinates::Mechanism& mechanism) {
  const system::Structure& s = mechanism.system->structure();
  std::vector<math::Jet> u(static_cast<std::size_t>(s.excitations));
  mechanism.system->excitations(0.0, u);
  const std::vector<double> a(static_cast<std::size_t>(s.dof()), 1.0);
  const std::vector<double> lambda(static_cast<std::size_t>(s.constraint_rows), 1.0);
  std::vector<double> rows(lambda.size()), forces(a.size());
  const coordinates::InitialGuess& start = mechanism.initial;
  const auto evaluator = mechanism.system->evaluator();
  evaluator->move_to({start.q, start.v, start.x, u});
  evaluator->constraints(rows);
  evaluator->gamma(rows);
  evaluator->residual(a, lambda, forces);
  system::Linearisation derivatives(s);
  evaluator->linearise(a, lambda, derivatives);
  evaluator->energy();
}

}  // namespace

void model(std::string_view text) {
  constexpr std::string_view kName = "model.yaml";
  try {
    const io::ModelFile file = io::parse_model(text, kName, {}, kLimits);
    file.position("simulate.step");
    const model::Model& model = file.model;
    if (std::max({model.bodies.size(), model.joints.size(), model.forces.size()}) <=
        kLargestMechanism) {
      evaluate(coordinates::make_absolute(model));
    }
  } catch (const io::InputError& error) {
    require(std::string_view(error.what()).starts_with(kName), "an error names the file");
  }
}

}  // namespace daedal::fuzz
