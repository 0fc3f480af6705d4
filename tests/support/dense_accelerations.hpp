#pragma once

#include <Eigen/LU>
#include <Eigen/QR>

#include "daedal/system/constrained_system.hpp"

namespace daedal::testing {

/// Accelerations and multipliers from [M H^T; G 0] by a dense solve, for the evaluator's point.
struct Accelerations {
  std::vector<double> a, lambda;
};

inline Accelerations dense_accelerations(system::Evaluator& evaluator,
                                         const system::Structure& structure) {
  const int n = structure.dof(), m = structure.constraint_rows;
  if (n + m == 0) return {};
  linear::BlockMatrix M(structure.mass);
  evaluator.mass(M);
  Eigen::MatrixXd KKT = Eigen::MatrixXd::Zero(n + m, n + m);
  KKT.topLeftCorner(n, n) = M.dense();
  KKT.bottomLeftCorner(m, n) = evaluator.G().dense();
  KKT.topRightCorner(n, m) = evaluator.H().dense().transpose();
  Eigen::VectorXd rhs(n + m);
  evaluator.force({rhs.data(), static_cast<std::size_t>(n)});
  evaluator.gamma({rhs.data() + n, static_cast<std::size_t>(m)});
  const Eigen::VectorXd solution = KKT.fullPivLu().solve(rhs);
  return {{solution.data(), solution.data() + n}, {solution.data() + n, solution.data() + n + m}};
}

/// Moves v to the nearest velocity that satisfies all constraints.
inline void make_velocity_consistent(system::Evaluator& evaluator, const system::Point& point,
                                     const system::Structure& structure, std::vector<double>& v) {
  Eigen::VectorXd rate(structure.constraint_rows);
  evaluator.move_to(point);
  evaluator.constraint_rates({rate.data(), static_cast<std::size_t>(rate.size())});
  const Eigen::VectorXd dv = evaluator.G().dense().completeOrthogonalDecomposition().solve(rate);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] -= dv[static_cast<Eigen::Index>(i)];
  evaluator.move_to(point);
}

}  // namespace daedal::testing
