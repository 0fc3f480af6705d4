#include "daedal/study/pattern.hpp"

#include <algorithm>
#include <optional>

#include "daedal/correct/first_order_matrix.hpp"
#include "daedal/simulate/choice.hpp"
#include "daedal/simulate/preparation.hpp"

namespace daedal::study {

namespace {

/// The factor of dF/dy' [1/s]: any that is not zero shows the same entries.
constexpr double kAlpha = 1.0;

}  // namespace

struct PatternCollector::Equations {
  Equations(const model::Model& model, const simulate::Settings& settings)
      : mechanism(simulate::make_mechanism(model, settings, assembly)),
        options(simulate::integrator_options(model, settings, mechanism.system->structure())),
        form(*mechanism.system, {options.form, options.baumgarte_alpha, options.baumgarte_beta, 1.0,
                                 options.formalism}),
        matrix(form, options.newton.source, correct::JacobianUpdate::none, options.scaling),
        u(mechanism.system->structure().excitations),
        y(form.size(), 0.0),
        y_rate(form.size()),
        F(form.size()) {}

  void evaluate(const integrate::State& state) {
    const std::span<double> to(y);
    std::ranges::copy(state.q, form.q(to).begin());
    std::ranges::copy(state.v, form.v(to).begin());
    std::ranges::copy(state.lambda, form.lambda(to).begin());
    std::ranges::copy(state.x, form.x(to).begin());
    form.rates(y, state.a, state.x_rate, y_rate);
    form.excitations(state.t, u);
    form.residual(u, y, y_rate, F);
    matrix.evaluate(u, y, y_rate, F);
    matrix.assemble(kAlpha, y, 0.0);
  }

  std::optional<simulate::AssemblyReport> assembly;
  coordinates::Mechanism mechanism;
  integrate::Options options;
  formulate::FirstOrder form;
  correct::FirstOrderMatrix matrix;
  std::vector<math::Jet> u;
  std::vector<double> y, y_rate, F;
};

PatternCollector::PatternCollector(const io::ModelFile& file, simulate::Recorder* next)
    : next_(next) {
  const simulate::MethodChoice choice = simulate::choose_method(file.model, file.settings);
  if (choice.method != "bdf") return;
  equations_ = std::make_unique<Equations>(file.model, with_choice(file.settings, choice));
}

PatternCollector::~PatternCollector() = default;

void PatternCollector::begin(const simulate::RowNames& names) {
  if (next_) next_->begin(names);
}

void PatternCollector::record(const simulate::Row& row) {
  if (equations_) {
    equations_->evaluate(row.state);
    const linear::BlockMatrix& J = equations_->matrix.matrix();
    const linear::BlockPattern& p = J.pattern();
    for (int k = 0; k < p.blocks(); ++k) {
      const auto block = J.block(k);
      const int first = p.row_offset(p.row_node(k)), left = p.column_offset(p.column_node(k));
      for (int r = 0; r < block.rows(); ++r) {
        for (int c = 0; c < block.cols(); ++c) {
          if (block(r, c) != 0.0) entries_.emplace(first + r, left + c);
        }
      }
    }
  }
  if (next_) next_->record(row);
}

void PatternCollector::end(const simulate::Summary& summary) {
  if (next_) next_->end(summary);
}

Pattern PatternCollector::pattern() const {
  Pattern pattern;
  if (!equations_) return pattern;
  const system::Structure& s = equations_->form.structure();
  pattern.parts = {s.dof(), s.dof(), s.constraint_rows, equations_->form.etas(), s.state_size};
  for (const auto& [row, column] : entries_) {
    pattern.rows.push_back(row);
    pattern.columns.push_back(column);
  }
  return pattern;
}

}  // namespace daedal::study
