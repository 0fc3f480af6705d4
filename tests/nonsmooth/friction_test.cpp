#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "daedal/nonsmooth/friction_solver.hpp"
#include "daedal/nonsmooth/siconos.hpp"
#include "nonsmooth/laws.hpp"
#include "nonsmooth/sphere_pile.hpp"

namespace daedal::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::friction_violation;
using test::Random;

struct Solution {
  FrictionResult result;
  VectorXd r, u;
};

Solution solve(int dimension, const MatrixXd& W, const VectorXd& q,
               const std::vector<ContactLaw>& laws, FrictionOptions options = {}) {
  Solution s{{}, VectorXd::Zero(q.size()), VectorXd::Zero(q.size())};
  s.result = FrictionSolver(options).solve(dimension, W, q, laws, s.r, s.u);
  return s;
}

template <int D>
void expect_one_contact_solved(unsigned seed) {
  Random random(seed);
  int stick = 0, slip = 0, open = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const MatrixXd A = random.matrix(D, D);
    MatrixXd W = A * A.transpose();
    W.diagonal().array() += 1e-3;
    const VectorXd p = random.vector(D);
    const ContactLaw law{.mu = std::pow(10.0, random.number(-3.0, 1.0))};
    LocalContact<D> contact;
    contact.set(W, law);
    Eigen::Matrix<double, D, 1> r;
    ASSERT_TRUE(contact.solve(p, r));
    const VectorXd u = W * r + p;
    const double scale = 1.0 + (W.cwiseAbs() * r.cwiseAbs()).maxCoeff();
    ASSERT_LT(friction_violation(D, W, p, {{law}}, r, u, scale), 1e-12) << trial;
    ASSERT_LT(contact.error(r, u), 1e-11 * scale);
    const auto rT = r.template tail<D - 1>();
    if (r[0] == 0.0) {
      ++open;
    } else {
      ++(rT.norm() < law.mu * r[0] * (1.0 - 1e-9) ? stick : slip);
    }
  }
  for (const int count : {open, stick, slip}) EXPECT_GT(count, 100);
}

TEST(LocalContact, SatisfiesCoulombsLawToRoundOffInThePlane) {
  expect_one_contact_solved<2>(1);
}
TEST(LocalContact, SatisfiesCoulombsLawToRoundOffInSpace) {
  expect_one_contact_solved<3>(2);
}

TEST(LocalContact, ErrorSeesEachWayToBreakTheLaw) {
  LocalContact<3> contact;
  contact.set(Eigen::Matrix3d::Identity(), {.mu = 0.5});
  using V = Eigen::Vector3d;
  EXPECT_EQ(contact.error(V(1.0, 0.3, 0.0), V::Zero()), 0.0);
  EXPECT_EQ(contact.error(V::Zero(), V(1.0, 5.0, 0.0)), 0.0);
  EXPECT_LT(contact.error(V(1.0, 0.5, 0.0), V(0.0, -2.0, 0.0)), 1e-15);
  EXPECT_GT(contact.error(V(1.0, 0.3, 0.0), V(0.0, 0.1, 0.0)), 1e-3);    // slides inside the cone
  EXPECT_GT(contact.error(V(1.0, 0.5, 0.0), V(0.0, 0.1, 0.0)), 1e-3);    // friction drives
  EXPECT_GT(contact.error(V(1.0, 0.0, 0.5), V(0.0, -0.1, 0.0)), 1e-3);   // friction across
  EXPECT_GT(contact.error(V(1.0, 0.5, 0.0), V(0.05, -0.1, 0.0)), 1e-3);  // lifts while it presses
  EXPECT_GT(contact.error(V(1.0, 0.6, 0.0), V::Zero()), 1e-3);           // outside the cone
  EXPECT_GT(contact.error(V::Zero(), V(-0.1, 0.0, 0.0)), 1e-3);          // penetrates
}

class EveryMethod : public testing::TestWithParam<FrictionMethod> {
 protected:
  void SetUp() override {
    if (GetParam() == FrictionMethod::siconos && !siconos::available()) {
      GTEST_SKIP() << "built without Siconos";
    }
  }
  FrictionOptions options() const {
    FrictionOptions o{.method = GetParam()};
    o.sweeps.tolerance = 1e-9;
    return o;
  }
};

INSTANTIATE_TEST_SUITE_P(Friction, EveryMethod,
                         testing::Values(FrictionMethod::automatic, FrictionMethod::cone,
                                         FrictionMethod::facets, FrictionMethod::siconos));

TEST_P(EveryMethod, BlockOnASlopeSticksOrSlides) {
  const double mass = 2.0, mu = 0.5, step = 0.1;  // gravity's step in velocity
  for (const double angle : {0.2, 0.4, 0.5, 0.8}) {
    const double down = step * std::sin(angle), press = step * std::cos(angle);
    for (const int dimension : {2, 3}) {
      VectorXd q = VectorXd::Zero(dimension);
      q[0] = -press;
      q[1] = dimension == 2 ? down : 0.6 * down;
      if (dimension == 3) q[2] = 0.8 * down;
      const auto s = solve(dimension, MatrixXd::Identity(dimension, dimension) / mass, q,
                           {{.mu = mu}}, options());
      ASSERT_EQ(s.result.status, Status::solved) << dimension << ' ' << angle;
      const double speed = std::max(0.0, down - mu * press);
      EXPECT_NEAR(s.r[0], mass * press, 1e-9);
      EXPECT_NEAR(s.u[0], 0.0, 1e-9);  // De Saxce: it does not lift
      EXPECT_NEAR(s.u.tail(dimension - 1).norm(), speed, 1e-9);
      EXPECT_NEAR(s.r.tail(dimension - 1).norm(), mass * (down - speed), 1e-9);
    }
  }
}

TEST_P(EveryMethod, RandomContactsInThePlaneSatisfyTheLaw) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const int contacts = random.integer(1, 6), n = 2 * contacts;
    const MatrixXd W = random.delassus(n, n + 3);
    const VectorXd q = random.vector(n);
    std::vector<ContactLaw> laws(contacts);
    for (auto& law : laws) law.mu = random.number(0.0, 0.5);
    const auto s = solve(2, W, q, laws, options());
    ASSERT_EQ(s.result.status, Status::solved) << trial << ' ' << s.result.residual;
    ASSERT_LT(friction_violation(2, W, q, laws, s.r, s.u, 1.0), 1e-7) << trial;
  }
}

TEST_P(EveryMethod, RandomContactsInSpaceSatisfyTheLaw) {
  if (GetParam() == FrictionMethod::facets) GTEST_SKIP() << "polyhedral cones have their own test";
  Random random(4);
  for (int trial = 0; trial < 60; ++trial) {
    const int contacts = random.integer(1, 6), n = 3 * contacts;
    const MatrixXd W = random.delassus(n, n + 3);
    const VectorXd q = random.vector(n);
    std::vector<ContactLaw> laws(contacts);
    for (auto& law : laws) law.mu = random.number(0.0, 0.5);
    const auto s = solve(3, W, q, laws, options());
    ASSERT_EQ(s.result.status, Status::solved) << trial << ' ' << s.result.residual;
    ASSERT_LT(friction_violation(3, W, q, laws, s.r, s.u, 1.0), 1e-6) << trial;
  }
}

TEST_P(EveryMethod, BoxOnFourCornersIsHeldWithRedundantContacts) {
  const double mass = 3.0, step = 0.1, angle = 0.2, a = 0.4, b = 0.7, c = 0.3;
  const VectorXd inertia{{0.5, 0.4, 0.3}};
  MatrixXd G(12, 6);  // velocities of the centre, angular velocity; z is normal to the slope
  int row = 0;
  for (const double x : {-a, a}) {
    for (const double y : {-b, b}) {
      const Eigen::Vector3d arm(x, y, -c);
      for (const int axis : {2, 0, 1}) {
        G.row(row).head(3) = Eigen::Vector3d::Unit(axis);
        G.row(row++).tail(3) = arm.cross(Eigen::Vector3d::Unit(axis));
      }
    }
  }
  VectorXd inverse(6);
  inverse << VectorXd::Constant(3, 1.0 / mass), inertia.cwiseInverse();
  VectorXd v = VectorXd::Zero(6);
  v[0] = step * std::sin(angle);
  v[2] = -step * std::cos(angle);
  const auto s = solve(3, G * inverse.asDiagonal() * G.transpose(), G * v,
                       std::vector<ContactLaw>(4, {.mu = 0.5}), options());
  ASSERT_EQ(s.result.status, Status::solved);
  const VectorXd after = v + inverse.cwiseProduct(G.transpose() * s.r);
  EXPECT_LT(after.norm(), 1e-8);
}

TEST(Friction, SolutionsAgreeWhereTheyAreUnique) {
  Random random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const int contacts = random.integer(1, 5), n = 2 * contacts;
    MatrixXd W = random.delassus(n, n);
    W.diagonal().array() += 1.0;
    const VectorXd q = random.vector(n);
    const std::vector<ContactLaw> laws(contacts, {.mu = 0.1});
    FrictionOptions fine{.method = FrictionMethod::cone};
    fine.sweeps.tolerance = 1e-12;
    const auto sweeps = solve(2, W, q, laws, fine);
    const auto pivots = solve(2, W, q, laws, {.method = FrictionMethod::facets});
    ASSERT_EQ(sweeps.result.status, Status::solved);
    ASSERT_EQ(pivots.result.status, Status::solved);
    ASSERT_LT((sweeps.u - pivots.u).norm(), 1e-9);
    ASSERT_LT((sweeps.r - pivots.r).norm(), 1e-9);
  }
}

TEST(Friction, FacetsApproachTheCone) {
  Random random(6);
  const int contacts = 3, n = 3 * contacts;
  MatrixXd W = random.delassus(n, n);
  W.diagonal().array() += 1.0;
  VectorXd q = random.vector(n);
  for (int k = 0; k < contacts; ++k) q[3 * k] = -1.0;
  const std::vector<ContactLaw> laws(contacts, {.mu = 0.2});
  FrictionOptions fine{.method = FrictionMethod::cone};
  fine.sweeps.tolerance = 1e-12;
  const auto exact = solve(3, W, q, laws, fine);
  ASSERT_EQ(exact.result.status, Status::solved);
  double last = 1.0;
  for (const int facets : {4, 8, 16, 32, 64}) {
    const auto s = solve(3, W, q, laws, {.method = FrictionMethod::facets, .facets = facets});
    ASSERT_EQ(s.result.status, Status::solved);
    const double error = (s.r - exact.r).norm() / exact.r.norm();
    std::printf("%2d facets: error %.2e\n", facets, error);
    // Directions are wrong by up to half the angle between facets.
    EXPECT_LT(error, 0.2 * 2.0 * std::numbers::pi / facets);
    for (int k = 0; k < contacts; ++k) {
      EXPECT_LE(s.r.segment<2>(3 * k + 1).norm(), 0.2 * s.r[3 * k] * (1.0 + 1e-12));
    }
    last = error;
  }
  EXPECT_LT(last, 0.02);
}

TEST(Friction, SlidingInAKnownDirectionHasItsImpulseThere) {
  Random random(7);
  for (const FrictionMethod method :
       {FrictionMethod::automatic, FrictionMethod::cone, FrictionMethod::facets}) {
    for (int trial = 0; trial < 40; ++trial) {
      const int contacts = 3;
      const MatrixXd W = random.delassus(3 * contacts, 12);
      const VectorXd q = random.vector(3 * contacts);
      std::vector<ContactLaw> laws(contacts);
      for (auto& law : laws) {
        const double angle = random.number(0.0, 6.28);
        law = {.mu = 0.2, .sliding = true, .direction = {std::cos(angle), std::sin(angle)}};
      }
      const auto s = solve(3, W, q, laws, {.method = method});
      if (s.result.status == Status::no_solution) continue;  // jammed
      ASSERT_EQ(s.result.status, Status::solved);
      ASSERT_LT(friction_violation(3, W, q, laws, s.r, s.u, 1.0), 1e-6);
    }
  }
}

TEST(Friction, WrongNumbersAreNotSolved) {
  VectorXd q = -VectorXd::Ones(3);
  q[1] = std::nan("");
  EXPECT_EQ(solve(3, MatrixXd::Identity(3, 3), q, {{.mu = 0.1}}).result.status,
            Status::not_converged);
  MatrixXd W = MatrixXd::Identity(2, 2);
  W(0, 0) = std::nan("");
  EXPECT_EQ(solve(2, W, VectorXd{{-1.0, 0.0}}, {{.mu = 0.1}}).result.status, Status::not_converged);
}

TEST(ConeSolver, ContactThatNothingMovesIsNotSolved) {
  ContactMatrix W;
  W.assign(MatrixXd::Zero(2, 2), 2);
  VectorXd r = VectorXd::Zero(2), u(2);
  const std::vector<ContactLaw> laws{{.mu = 0.3}};
  const auto result = ConeSolver().solve(W, VectorXd{{-1.0, 0.0}}, laws, r, u);
  EXPECT_EQ(result.status, Status::not_converged);
  EXPECT_LT(result.sweeps, 10);
}

TEST(ContactMatrix, KeepsWhatItIsGiven) {
  Random random(8);
  MatrixXd dense = random.matrix(9, 9);
  dense.block(0, 3, 3, 3).setZero();
  ContactMatrix W;
  W.assign(dense, 3);
  EXPECT_EQ(W.dense(), dense);
  EXPECT_EQ(W.contacts(), 3);
  EXPECT_EQ(W.blocks(), 8);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(W.column(W.diagonal(k)), k);
}

TEST(ConeSolver, APileOfSpheresRestsOnTheGround) {
  for (const int width : {3, 7}) {
    const test::SpherePile pile(width, width);
    const int n = static_cast<int>(pile.q.size());
    const std::vector<ContactLaw> laws(pile.W.contacts(), {.mu = 0.3});
    VectorXd r = VectorXd::Zero(n), u(n);
    ConeSolver solver({.tolerance = 1e-6});
    const auto begin = std::chrono::steady_clock::now();
    const auto cold = solver.solve(pile.W, pile.q, laws, r, u);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    std::printf("%d contacts, %d blocks: %d sweeps, %.3f s, %.0f ns per sweep and block\n",
                pile.W.contacts(), pile.W.blocks(), cold.sweeps, wall.count(),
                1e9 * wall.count() / cold.sweeps / pile.W.blocks());
    ASSERT_EQ(cold.status, Status::solved);
    const double scale = pile.q.cwiseAbs().maxCoeff();
    if (width == 3) {
      EXPECT_LT(friction_violation(3, pile.W.dense(), pile.q, laws, r, u, scale), 1e-4);
    }
    // Momentum: what is left of the fall goes through the ground.
    double weight = 0.0;
    for (const double mass : pile.mass) weight += mass * pile.gravity_step;
    double ground = 0.0, fall = 0.0;
    for (int b = 0; b < width * width; ++b) ground += r[3 * pile.ground(b)];
    for (std::size_t b = 0; b < pile.mass.size(); ++b) {
      fall -= pile.mass[b] * pile.velocity[6 * b + 2];
    }
    EXPECT_NEAR(ground / fall, 1.0, 0.05);
    EXPECT_GT(ground, 0.9 * weight);
    // The same again from its solution, and from nearby.
    EXPECT_EQ(solver.solve(pile.W, pile.q, laws, r, u).sweeps, 0);
    VectorXd near = 1.001 * pile.q;
    const auto warm = solver.solve(pile.W, near, laws, r, u);
    EXPECT_EQ(warm.status, Status::solved);
    EXPECT_LT(warm.sweeps, cold.sweeps);
  }
}

TEST(ConeSolver, AgreesWithSiconosOnAPile) {
  if (!siconos::available()) GTEST_SKIP() << "built without Siconos";
  const test::SpherePile pile(3, 3);
  const int n = static_cast<int>(pile.q.size());
  const std::vector<ContactLaw> laws(pile.W.contacts(), {.mu = 0.3});
  const std::vector<double> mu(pile.W.contacts(), 0.3);
  VectorXd r = VectorXd::Zero(n), u(n);
  int sweeps = 0;
  EXPECT_EQ(siconos::friction(pile.W, pile.q, mu, 1e-10, 100000, r, sweeps), Status::solved);
  EXPECT_LT(ConeSolver().residual(pile.W, pile.q, laws, r, u), 1e-7);
  std::printf("Siconos: %d sweeps for %d contacts\n", sweeps, pile.W.contacts());
}

}  // namespace
}  // namespace daedal::nonsmooth
