// Solutions along the tree against the blocks of M, D and K, on random mechanisms of all joints, loops
// and forces between bodies.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "daedal/coordinates/joint/implicit_dynamics.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using coordinates::joint::Compiled;
using Part = system::ImplicitDynamics::Part;

/// P, V or A as a matrix.
MatrixXd dense(const Part& part, const system::Structure& s) {
  MatrixXd out = part.factor * MatrixXd::Identity(s.dof(), s.dof());
  const auto rotations = s.manifold.rotations();
  for (std::size_t r = 0; r < part.rotations.size(); ++r) {
    const int at = rotations[r].tangent;
    out.block(at, at, 3, 3) = part.factor * part.rotations[r];
  }
  return out;
}

class ImplicitDynamics : public ::testing::TestWithParam<std::tuple<bool, bool, unsigned>> {
 protected:
  template <int D>
  void compare() {
    const auto [planar, loops, seed] = GetParam();
    Sample s(planar, seed, loops ? View::joint_with_loops : View::joint);
    if (s.structure.has_massless()) {
      EXPECT_EQ(s.system.implicit_dynamics(), nullptr);
      return;
    }
    const auto compiled =
        coordinates::joint::compile<D>(RandomModel(planar, seed, loops).model());
    coordinates::joint::JointEvaluator<D> evaluator(compiled);
    coordinates::joint::JointImplicitDynamics<D> implicit(compiled);
    evaluator.move_to(s.at());
    system::Linearisation all(s.structure), own(s.structure, system::Linearisation::Blocks::own);
    s.evaluator->linearise(s.a, s.lambda, all);
    implicit.linearise(evaluator, s.a, s.lambda, own);
    const MatrixXd M = all.M.dense(), C = all.D.dense(), K = all.K.dense();
    expect_own_blocks(all, own);
    EXPECT_EQ(all.G.dense(), own.G.dense());
    expect_near(own.W.dense(), all.W.dense());
    expect_near(own.c_q.dense(), all.c_q.dense());
    expect_near(own.c_v.dense(), all.c_v.dense());

    Random random(seed + 100);
    const int n = s.structure.dof();
    const VectorXd dq = vector(random, n), dv = vector(random, n), da = vector(random, n);
    VectorXd y = VectorXd::Zero(n);
    implicit.multiply_add(span(dq), span(dv), span(da), span(y), 2.0);
    expect_near(y, 2.0 * (K * dq + C * dv + M * da));
    y.setZero();
    implicit.multiply_add({}, span(dv), {}, span(y), 1.0);
    expect_near(y, C * dv);

    std::vector<math::Mat3> first, second, third;
    for (std::size_t r = 0; r < s.structure.manifold.rotations().size(); ++r) {
      for (auto* blocks : {&first, &second, &third}) {
        blocks->push_back(math::Mat3::Identity() + 0.2 * math::skew(random.vector(false)));
      }
    }
    // Of small steps and of large ones.
    for (const double h : {1e-3, 0.05}) {
      const Part P{1.0, first}, V{2.0 / h, second}, A{4.0 / (h * h), third};
      const MatrixXd S = K * dense(P, s.structure) + C * dense(V, s.structure) +
                         M * dense(A, s.structure);
      ASSERT_TRUE(implicit.factorise(P, V, A));
      const VectorXd b = vector(random, n);
      VectorXd x = b;
      implicit.solve(span(x));
      expect_near(x, S.partialPivLu().solve(b), 1e-9);
    }

    linear::BlockMatrix masses(s.structure.own_blocks());
    implicit.mass(evaluator, masses);
    ASSERT_TRUE(implicit.factorise({}, {}, {1.0, {}}));
    const VectorXd b = vector(random, n);
    VectorXd x = b;
    implicit.solve(span(x));
    expect_near(x, M.llt().solve(b), 1e-10);
    expect_near(VectorXd(masses.dense().diagonal()), VectorXd(M.diagonal()));
  }

  static void expect_own_blocks(const system::Linearisation& all,
                                const system::Linearisation& own) {
    const auto compare = [](const linear::BlockMatrix& a, const linear::BlockMatrix& b) {
      const linear::BlockPattern& p = b.pattern();
      for (int i = 0; i < p.row_nodes(); ++i) {
        expect_near(b.block(i), a.block(a.pattern().find(i, i)));
      }
    };
    compare(all.M, own.M);
  }

  static void expect_near(const MatrixXd& actual, const MatrixXd& expected,
                          double tolerance = 1e-12) {
    ASSERT_EQ(actual.size(), expected.size());
    if (actual.size() == 0) return;
    const double size = std::max(expected.cwiseAbs().maxCoeff(), 1e-300);
    EXPECT_LT((actual - expected).cwiseAbs().maxCoeff(), tolerance * std::max(size, 1e-6)) << size;
  }
  static VectorXd vector(Random& random, int n) {
    VectorXd x(n);
    for (double& value : x) value = random.uniform();
    return x;
  }
  static std::span<double> span(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
  static std::span<const double> span(const VectorXd& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
};

TEST_P(ImplicitDynamics, AgreesWithTheBlocks) {
  std::get<0>(GetParam()) ? compare<2>() : compare<3>();
}

INSTANTIATE_TEST_SUITE_P(Random, ImplicitDynamics,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool(),
                                            ::testing::Range(1u, 9u)),
                         [](const auto& p) {
                           return fmt::format("{}{}{}", std::get<0>(p.param) ? "Plane" : "Space",
                                              std::get<1>(p.param) ? "Loops" : "Tree",
                                              std::get<2>(p.param));
                         });

}  // namespace
}  // namespace daedal::testing
