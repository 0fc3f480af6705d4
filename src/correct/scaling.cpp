#include "daedal/correct/scaling.hpp"

#include <array>
#include <cmath>

namespace daedal::correct {

namespace {

constexpr std::array<std::string_view, 4> kNames{"none", "time-step-right", "time-step",
                                                 "physical"};

/// Mean absolute diagonal entry.
double mean_diagonal(const linear::BlockMatrix& A) {
  const linear::BlockPattern& p = A.pattern();
  double sum = 0.0;
  for (int k = 0; k < p.blocks(); ++k) {
    if (p.row_node(k) == p.column_node(k)) sum += A.block(k).diagonal().cwiseAbs().sum();
  }
  return p.rows() > 0 ? sum / p.rows() : 0.0;
}

}  // namespace

std::optional<Scaling> scaling_from(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Scaling>(i);
  }
  return std::nullopt;
}

std::string_view name_of(Scaling scaling) { return kNames[static_cast<std::size_t>(scaling)]; }

std::span<const std::string_view> scaling_names() { return kNames; }

ReferenceQuantities reference_quantities(const system::Linearisation& blocks) {
  return {mean_diagonal(blocks.M), mean_diagonal(blocks.D), mean_diagonal(blocks.K)};
}

void scale_factors(const formulate::Layout& layout, Scaling scaling, double h, double beta_prime,
                   double s, ScaleFactors& out) {
  const int nodes = layout.nodes();
  out.row.assign(nodes, 1.0);
  out.unknown.assign(nodes, 1.0);
  if (scaling == Scaling::none) return;
  for (int i = 0; i < nodes; ++i) {
    const bool multiplier = layout.role[i] == formulate::Role::multiplier;
    const int order = layout.row_order[i];
    if (scaling == Scaling::physical) {
      const double time = std::pow(h, order);
      out.row[i] = multiplier ? s * time : time;
      if (multiplier) out.unknown[i] = s / (h * h);
      continue;
    }
    if (layout.unknown_order[i] == 2) out.unknown[i] = beta_prime;
    if (scaling == Scaling::time_step) {
      out.row[i] = order == 2 ? 1.0 / beta_prime : std::pow(h, order);
    }
  }
}

}  // namespace daedal::correct
