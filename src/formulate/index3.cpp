#include "daedal/formulate/index3.hpp"

#include <fmt/format.h>

namespace daedal::formulate {

Index3::Index3(const system::Structure& structure)
    : structure_(structure),
      n_(structure.dof()),
      m_(structure.constraint_rows),
      s_(structure.state_size) {
  for (const system::Node& node : structure.coordinates) {
    layout_.add(Role::displacement, node.size, 2, 0);
  }
  for (const system::ConstraintNode& node : structure.constraints) {
    const int order = node.level == system::Level::position ? 0 : 1;
    layout_.add(Role::multiplier, node.size, order, 2);
  }
  for (const system::Node& node : structure.states) {
    layout_.add(Role::state, node.size, 1, 0);
  }
}

std::vector<Term> Index3::terms(const system::Linearisation& dynamics,
                                const linear::BlockMatrix& rows_G,
                                const linear::BlockMatrix& rows_W) const {
  const int q = 0;
  const int lambda = static_cast<int>(structure_.coordinates.size());
  const int x = lambda + static_cast<int>(structure_.constraints.size());
  //            q                         lambda   x
  // dynamics   [ M q'' + D q' + K q      G^T     -f_x      ]
  // constraint [ G q  |  A q' + W q                        ]
  // states     [ -c_v q' - c_q q                  x' - c_x ]
  std::vector<Term> terms{
      {q, q, 2, &dynamics.M},
      {q, q, 1, &dynamics.D},
      {q, q, 0, &dynamics.K},
      {q, lambda, 0, &dynamics.G, true},
      {lambda, q, Term::kOfRow, &rows_G},
      {lambda, q, 0, &rows_W},
  };
  if (s_ > 0) {
    terms.push_back({q, x, 0, &dynamics.f_x, false, -1.0});
    terms.push_back({x, q, 1, &dynamics.c_v, false, -1.0});
    terms.push_back({x, q, 0, &dynamics.c_q, false, -1.0});
    terms.push_back({x, x, 0, &dynamics.c_x, false, -1.0});
  }
  return terms;
}

std::string Index3::equation_name(int equation) const {
  if (equation < n_) return structure_.coordinate_name(equation);
  if (equation < n_ + m_) return structure_.row_name(equation - n_);
  return fmt::format("state {}", equation - n_ - m_);
}

}  // namespace daedal::formulate
