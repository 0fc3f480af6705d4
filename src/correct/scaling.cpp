#include "daedal/correct/scaling.hpp"

#include <array>
#include <cmath>

namespace daedal::correct {

namespace {

constexpr std::array<std::string_view, 4> kNames{"none", "time-step-right", "time-step",
                                                 "physical"};

/// Mean absolute diagonal entry, over all rows or those where it is not zero.
double mean_diagonal(const linear::BlockMatrix& A, bool of_all_rows) {
  const linear::BlockPattern& p = A.pattern();
  double sum = 0.0;
  int count = 0;
  for (int k = 0; k < p.blocks(); ++k) {
    if (p.row_node(k) != p.column_node(k)) continue;
    const auto diagonal = A.block(k).diagonal();
    sum += diagonal.cwiseAbs().sum();
    count += static_cast<int>((diagonal.array() != 0.0).count());
  }
  if (of_all_rows) count = p.rows();
  return count > 0 ? sum / count : 0.0;
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
  ReferenceQuantities r;
  r.mass = mean_diagonal(blocks.M, false);
  r.damping = mean_diagonal(blocks.D, true);
  r.stiffness = mean_diagonal(blocks.K, true);
  return r;
}

void scale_factors(const formulate::Layout& layout, Scaling scaling, double h,
                   const MethodFactors& factors, double s, ScaleFactors& out) {
  using formulate::Role;
  const double beta_prime = factors.displacement[2], gamma_prime = factors.displacement[1];
  const bool physical = scaling == Scaling::physical;
  const bool left = physical || scaling == Scaling::time_step;
  const bool right = left || scaling == Scaling::time_step_right;
  const double per_second = physical ? 1.0 / (h * h) : beta_prime;  // of order 2
  const int nodes = layout.nodes();
  out.row.assign(nodes, 1.0);
  out.unknown.assign(nodes, 1.0);
  for (int i = 0; i < nodes; ++i) {
    const int row = layout.row_order[i], unknown = layout.unknown_order[i];
    if (left) out.row[i] = row == 2 ? 1.0 / per_second : std::pow(h, row);
    if (right && unknown > 0) out.unknown[i] = unknown == 2 ? per_second : 1.0 / h;
    if (physical && layout.role[i] == Role::multiplier) {
      out.row[i] *= s;
      out.unknown[i] *= s;
    }
    if (layout.role[i] == Role::velocity) out.row[i] /= gamma_prime;
    if (layout.role[i] == Role::displacement && unknown == 2) out.unknown[i] /= beta_prime;
  }
}

}  // namespace daedal::correct
