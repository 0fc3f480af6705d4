#include "daedal/formulate/index3.hpp"

#include <fmt/format.h>

#include <array>

namespace daedal::formulate {

namespace {

constexpr std::array<std::string_view, 3> kUnknowns{"u", "uv", "a"};

linear::BlockMatrix identity(const system::Structure& structure) {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> diagonal;
  for (const system::Node& node : structure.coordinates) {
    diagonal.push_back({static_cast<int>(sizes.size()), static_cast<int>(sizes.size())});
    sizes.push_back(node.size);
  }
  linear::BlockMatrix I(std::make_shared<const linear::BlockPattern>(sizes, sizes, diagonal));
  for (int k = 0; k < I.pattern().blocks(); ++k) I.block(k).setIdentity();
  return I;
}

}  // namespace

std::optional<Unknowns> unknowns_from(std::string_view name) {
  for (std::size_t i = 0; i < kUnknowns.size(); ++i) {
    if (kUnknowns[i] == name) return static_cast<Unknowns>(i);
  }
  return std::nullopt;
}

std::span<const std::string_view> unknowns_names() { return kUnknowns; }

Index3::Index3(const system::Structure& structure, Unknowns unknowns)
    : structure_(structure),
      n_(structure.dof()),
      m_(structure.constraint_rows),
      s_(structure.state_size),
      unknowns_(unknowns),
      identity_(identity(structure)) {
  for (const system::Node& node : structure.coordinates) {
    layout_.add(Role::displacement, node.size, 2, unknowns == Unknowns::a ? 2 : 0);
  }
  for (const system::ConstraintNode& node : structure.constraints) {
    const int order = node.level == system::Level::position ? 0 : 1;
    layout_.add(Role::multiplier, node.size, order, 2);
  }
  for (const system::Node& node : structure.states) {
    layout_.add(Role::state, node.size, 1, 0);
  }
  if (unknowns != Unknowns::uv) return;
  for (const system::Node& node : structure.coordinates) {
    layout_.add(Role::velocity, node.size, 0, 1);
  }
}

std::vector<Term> Index3::terms(const system::Linearisation& dynamics,
                                const linear::BlockMatrix& rows_G,
                                const linear::BlockMatrix& rows_W) const {
  const int q = 0;
  const int lambda = static_cast<int>(structure_.coordinates.size());
  const int x = lambda + static_cast<int>(structure_.constraints.size());
  //            q                         lambda   x
  // dynamics   [ M q'' + D q' + K q      H^T     -f_x      ]
  // constraint [ G q  |  A q' + W q                        ]
  // states     [ -c_v q' - c_q q                  x' - c_x ]
  const int v = unknowns_ == Unknowns::uv ? x + static_cast<int>(structure_.states.size()) : q;
  std::vector<Term> terms{
      {q, v, 2, &dynamics.M},
      {q, v, 1, &dynamics.D},
      {q, q, 0, &dynamics.K},
      {q, lambda, 0, &dynamics.directions(), true},
      {lambda, q, Term::kOfRow, &rows_G},
      {lambda, q, 0, &rows_W},
  };
  if (s_ > 0) {
    terms.push_back({q, x, 0, &dynamics.f_x, false, -1.0});
    terms.push_back({x, q, 1, &dynamics.c_v, false, -1.0});
    terms.push_back({x, q, 0, &dynamics.c_q, false, -1.0});
    terms.push_back({x, x, 0, &dynamics.c_x, false, -1.0});
  }
  if (unknowns_ == Unknowns::uv) {
    terms.push_back({v, q, 1, &identity_});
    terms.push_back({v, v, 1, &identity_, false, -1.0});
  }
  return terms;
}

std::string Index3::equation_name(int equation) const {
  if (equation < n_) return structure_.coordinate_name(equation);
  if (equation < n_ + m_) return structure_.row_name(equation - n_);
  if (equation < n_ + m_ + s_) return fmt::format("state {}", equation - n_ - m_);
  return "velocity of " + structure_.coordinate_name(equation - n_ - m_ - s_);
}

}  // namespace daedal::formulate
