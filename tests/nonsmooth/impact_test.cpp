#include "daedal/nonsmooth/impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "nonsmooth/laws.hpp"

namespace daedal::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Random;

struct Outcome {
  ImpactResult result;
  VectorXd P, u;
};

using Law = ImpactResult (ImpactSolver::*)(MatrixIn, VectorIn, std::span<const double>, VectorOut,
                                           VectorOut);

Outcome strike(Law law, const MatrixXd& W, const VectorXd& u, const std::vector<double>& e) {
  ImpactSolver solver;
  Outcome o{{}, VectorXd(u.size()), VectorXd(u.size())};
  o.result = (solver.*law)(W, u, e, o.P, o.u);
  return o;
}

Outcome strike_in_sequence(const MatrixXd& W, const VectorXd& u, const std::vector<double>& e) {
  ImpactSolver solver;
  Outcome o{{}, VectorXd(u.size()), VectorXd(u.size())};
  o.result = solver.in_sequence(W, u, e, o.P, o.u);
  return o;
}

TEST(Impact, BallReboundsWithItsRestitution) {
  const double mass = 2.0, speed = 4.202142;
  for (const double e : {0.0, 0.5, 0.9, 1.0}) {
    for (const Law law : {&ImpactSolver::newton, &ImpactSolver::poisson}) {
      const auto o =
          strike(law, MatrixXd::Constant(1, 1, 1.0 / mass), VectorXd::Constant(1, -speed), {e});
      ASSERT_EQ(o.result.status, Status::solved);
      EXPECT_NEAR(o.u[0], e * speed, 1e-14);
      EXPECT_NEAR(o.P[0], (1.0 + e) * mass * speed, 1e-13);
      EXPECT_NEAR(o.result.energy_change, -0.5 * mass * speed * speed * (1.0 - e * e), 1e-12);
      EXPECT_FALSE(o.result.gains_energy);
    }
  }
}

TEST(Impact, SeparatingContactsTakeNoImpulse) {
  const auto o =
      strike(&ImpactSolver::newton, MatrixXd::Identity(2, 2), VectorXd{{0.5, -1.0}}, {0.8, 0.8});
  EXPECT_EQ(o.P[0], 0.0);
  EXPECT_DOUBLE_EQ(o.u[0], 0.5);
  EXPECT_DOUBLE_EQ(o.u[1], 0.8);
}

TEST(Impact, BallInTheCornerOfTwoPlanesLosesEnergyByEach) {
  // Planes at 30 and -60 degrees: perpendicular, so each reflects its own component.
  const double angle = std::numbers::pi / 6.0;
  Eigen::Matrix2d G;
  G << std::sin(angle), std::cos(angle), -std::cos(angle), std::sin(angle);
  const VectorXd v{{0.2, -3.0}};
  const VectorXd u = G * v;
  ASSERT_LT(u.maxCoeff(), 0.0);
  for (const Law law : {&ImpactSolver::newton, &ImpactSolver::poisson}) {
    const auto o = strike(law, G * G.transpose(), u, {0.5, 0.9});
    ASSERT_EQ(o.result.status, Status::solved);
    const VectorXd after = v + G.transpose() * o.P;
    EXPECT_LT((G * after - VectorXd{{-0.5 * u[0], -0.9 * u[1]}}).norm(), 1e-14);
    EXPECT_NEAR(o.result.energy_change, 0.5 * (after.squaredNorm() - v.squaredNorm()), 1e-14);
  }
}

/// Contacts of n equal balls in a row, the first of which arrives at speed 1.
struct Cradle {
  explicit Cradle(int balls) : G(MatrixXd::Zero(balls - 1, balls)), v(VectorXd::Unit(balls, 0)) {
    for (int k = 0; k + 1 < balls; ++k) {
      G(k, k) = -1.0;
      G(k, k + 1) = 1.0;
    }
  }
  VectorXd after(const Outcome& o) const { return v + G.transpose() * o.P; }
  MatrixXd W() const { return G * G.transpose(); }
  MatrixXd G;
  VectorXd v;
};

TEST(NewtonsCradle, SimultaneousImpactsShareTheMomentum) {
  for (const int balls : {3, 5}) {
    const Cradle cradle(balls);
    const std::vector<double> e(balls - 1, 1.0);
    for (const Law law : {&ImpactSolver::newton, &ImpactSolver::poisson}) {
      const auto o = strike(law, cradle.W(), cradle.G * cradle.v, e);
      ASSERT_EQ(o.result.status, Status::solved);
      VectorXd expected = VectorXd::Constant(balls, 2.0 / balls);
      expected[0] -= 1.0;
      EXPECT_LT((cradle.after(o) - expected).norm(), 1e-13);
      EXPECT_NEAR(o.result.energy_change, 0.0, 1e-13);
      EXPECT_FALSE(o.result.gains_energy);
    }
  }
}

TEST(NewtonsCradle, ImpactsInSequencePassTheMomentumToTheLastBall) {
  for (const int balls : {3, 5}) {
    const Cradle cradle(balls);
    const auto o =
        strike_in_sequence(cradle.W(), cradle.G * cradle.v, std::vector<double>(balls - 1, 1.0));
    ASSERT_EQ(o.result.status, Status::solved);
    EXPECT_LT((cradle.after(o) - VectorXd::Unit(balls, balls - 1)).norm(), 1e-14);
    EXPECT_NEAR(o.result.energy_change, 0.0, 1e-14);
  }
}

TEST(NewtonsCradle, WithoutRestitutionAllBallsMoveTogether) {
  const Cradle cradle(5);
  const std::vector<double> e(4, 0.0);
  const VectorXd together = VectorXd::Constant(5, 0.2);
  EXPECT_LT(
      (cradle.after(strike(&ImpactSolver::newton, cradle.W(), cradle.G * cradle.v, e)) - together)
          .norm(),
      1e-14);
  EXPECT_LT(
      (cradle.after(strike_in_sequence(cradle.W(), cradle.G * cradle.v, e)) - together).norm(),
      1e-12);
}

/// Kinetic energy needs no mass matrix: its change is 1/2 P.WP + P.u-.
double energy_change(const MatrixXd& W, const VectorXd& u, const VectorXd& P) {
  return 0.5 * P.dot(W * P) + P.dot(u);
}

TEST(Impact, EnergyNeverGrowsWithEqualRestitution) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = random.integer(1, 10);
    const int coordinates = random.integer(1, 12);
    const MatrixXd G = random.matrix(n, coordinates), W = G * G.transpose();
    const VectorXd u = G * random.vector(coordinates);  // reachable, so that there is a solution
    const std::vector<double> e(n, random.number(0.0, 1.0));
    for (const Law law : {&ImpactSolver::newton, &ImpactSolver::poisson}) {
      const auto o = strike(law, W, u, e);
      ASSERT_EQ(o.result.status, Status::solved) << trial;
      const double size = 1e-8 * (1.0 + o.P.dot(W.diagonal().cwiseProduct(o.P)));
      ASSERT_LE(o.result.energy_change, size) << trial;
      ASSERT_FALSE(o.result.gains_energy) << trial;
      ASSERT_NEAR(o.result.energy_change, energy_change(W, u, o.P), size) << trial;
    }
    const double closed = -0.5 * (1.0 - e[0]) / (1.0 + e[0]);
    const auto newton = strike(&ImpactSolver::newton, W, u, e);
    ASSERT_NEAR(newton.result.energy_change, closed * newton.P.dot(W * newton.P),
                1e-8 * (1.0 + newton.P.dot(W.diagonal().cwiseProduct(newton.P))));
  }
}

TEST(Impact, EnergyNeverGrowsByNewtonsLawWhenAllContactsClose) {
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = random.integer(1, 10);
    MatrixXd W = random.delassus(n, n);
    W.diagonal().array() += 0.05;
    const VectorXd u = -random.vector(n).cwiseAbs();
    std::vector<double> e(n);
    for (double& one : e) one = random.number(0.0, 1.0);
    const auto o = strike(&ImpactSolver::newton, W, u, e);
    ASSERT_EQ(o.result.status, Status::solved);
    ASSERT_FALSE(o.result.gains_energy);
    ASSERT_LE(o.result.energy_change, 1e-10);
  }
}

TEST(Impact, EnergyNeverGrowsInSequence) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.integer(1, 6);
    MatrixXd W = random.delassus(n, n);
    W.diagonal().array() += 0.5;
    const VectorXd u = random.vector(n);
    std::vector<double> e(n);
    for (double& one : e) one = random.number(0.0, 0.9);
    const auto o = strike_in_sequence(W, u, e);
    ASSERT_EQ(o.result.status, Status::solved);
    ASSERT_GE(o.u.minCoeff(), -1e-12);
    ASSERT_FALSE(o.result.gains_energy);
  }
}

TEST(Impact, NewtonsLawWithUnequalRestitutionCanGainEnergyAndSaysSo) {
  Random random(4);
  int gains = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    MatrixXd W(2, 2);
    const double c = random.number(-0.99, 0.0);
    W << 1.0, c, c, 1.0;
    const VectorXd u = random.vector(2);
    const auto o =
        strike(&ImpactSolver::newton, W, u, {random.number(0.0, 1.0), random.number(0.0, 1.0)});
    ASSERT_EQ(o.result.status, Status::solved);
    const double change = energy_change(W, u, o.P);
    ASSERT_NEAR(o.result.energy_change, change, 1e-11 * (1.0 + o.P.squaredNorm()));
    if (std::abs(change) < 1e-6) continue;
    ASSERT_EQ(o.result.gains_energy, change > 0.0);
    if (change < 0.0) continue;
    ++gains;
    // Then a separating contact took an impulse.
    ASSERT_TRUE((u[0] > 0.0 && o.P[0] > 0.0) || (u[1] > 0.0 && o.P[1] > 0.0));
  }
  EXPECT_GT(gains, 0);
}

TEST(Impact, EnergyNeverGrowsByPoissonsLaw) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.integer(1, 6);
    MatrixXd W = random.delassus(n, n);
    W.diagonal().array() += 0.1;
    const VectorXd u = random.vector(n);
    std::vector<double> e(n);
    for (double& one : e) one = random.number(0.0, 1.0);
    const auto o = strike(&ImpactSolver::poisson, W, u, e);
    const auto compression = strike(&ImpactSolver::newton, W, u, std::vector<double>(n, 0.0));
    const VectorXd eP = Eigen::Map<const VectorXd>(e.data(), n).cwiseProduct(compression.P);
    const VectorXd z = o.P - compression.P - eP;
    ASSERT_GE(z.minCoeff(), -1e-10);
    ASSERT_LT(std::abs(z.dot(o.u)), 1e-9 * (1.0 + o.P.squaredNorm()));
    const double expected =
        -0.5 * (compression.P.dot(W * compression.P) - eP.dot(W * eP) + z.dot(W * z));
    const double size = 1e-9 * (1.0 + o.P.squaredNorm());
    ASSERT_NEAR(o.result.energy_change, expected, size);
    const double largest = *std::max_element(e.begin(), e.end());
    ASSERT_LE(o.result.energy_change,
              -0.5 * (1.0 - largest * largest) * compression.P.dot(W * compression.P) + size);
    ASSERT_FALSE(o.result.gains_energy);
  }
}

Outcome strike_with_friction(int dimension, const MatrixXd& W, const VectorXd& u,
                             const std::vector<double>& e, const std::vector<ContactLaw>& laws) {
  ImpactSolver solver;
  Outcome o{{}, VectorXd(u.size()), VectorXd(u.size())};
  o.result = solver.newton_with_friction(dimension, W, u, e, laws, o.P, o.u);
  return o;
}

TEST(ImpactWithFriction, SpinningBallGainsTangentialVelocity) {
  // A ball lands with spin: it slides through the impact for small mu, else it rolls off.
  const double mass = 0.5, radius = 0.1, inertia = 0.4 * mass * radius * radius;
  const VectorXd u{{-2.0, 3.0}};  // normal; of the contact point along the ground
  Eigen::Matrix2d W;
  W << 1.0 / mass, 0.0, 0.0, 1.0 / mass + radius * radius / inertia;
  for (const double mu : {0.05, 0.9}) {
    const auto o = strike_with_friction(2, W, u, {0.7}, {{.mu = mu}});
    ASSERT_EQ(o.result.status, Status::solved);
    EXPECT_NEAR(o.u[0], 1.4, 1e-13);
    EXPECT_NEAR(o.P[0], 1.7 * 2.0 * mass, 1e-13);
    const double stick = -u[1] / W(1, 1), slide = -mu * o.P[0];
    EXPECT_NEAR(o.P[1], std::max(stick, slide), 1e-13);
    EXPECT_NEAR(o.u[1], u[1] + W(1, 1) * o.P[1], 1e-13);
    EXPECT_FALSE(o.result.gains_energy);
  }
}

TEST(ImpactWithFriction, KanesParadoxIsReported) {
  // Normal and tangential motion coupled as at the tip of a rod, a small slip that the impulse
  // reverses.
  Eigen::Matrix2d W;
  W << 1.0, 0.8, 0.8, 1.0;
  const VectorXd u{{-1.0, -0.5}};
  const auto elastic = strike_with_friction(2, W, u, {1.0}, {{.mu = 0.7}});
  ASSERT_EQ(elastic.result.status, Status::solved);
  EXPECT_NEAR(elastic.u[0], 1.0, 1e-13);
  EXPECT_NEAR(elastic.u[1], 0.0, 1e-13);
  // r_T u_T / 2 with the r that stops the contact
  EXPECT_NEAR(elastic.result.energy_change, 0.5 * (1.6 - 0.5) / 0.36 * 0.5, 1e-12);
  EXPECT_TRUE(elastic.result.gains_energy);
  // The same without restitution loses energy.
  const auto plastic = strike_with_friction(2, W, u, {0.0}, {{.mu = 0.7}});
  EXPECT_LT(plastic.result.energy_change, 0.0);
  EXPECT_FALSE(plastic.result.gains_energy);
}

TEST(ImpactWithFriction, PlasticImpactsNeverGainEnergy) {
  Random random(6);
  for (const int dimension : {2, 3}) {
    for (int trial = 0; trial < 100; ++trial) {
      const int contacts = random.integer(1, 4), n = contacts * dimension;
      const MatrixXd W = random.delassus(n, n + 2);
      const VectorXd u = random.vector(n);
      std::vector<ContactLaw> laws(contacts);
      for (auto& law : laws) law.mu = random.number(0.0, 0.8);
      const auto o =
          strike_with_friction(dimension, W, u, std::vector<double>(contacts, 0.0), laws);
      ASSERT_EQ(o.result.status, Status::solved) << dimension << ' ' << trial;
      ASSERT_FALSE(o.result.gains_energy) << o.result.energy_change;
    }
  }
}

TEST(ImpactWithFriction, WithoutFrictionItIsNewtonsLaw) {
  Random random(7);
  const int contacts = 4;
  const MatrixXd W = random.delassus(3 * contacts, 16);
  const VectorXd u = random.vector(3 * contacts);
  MatrixXd normal(contacts, contacts);
  VectorXd u_normal(contacts);
  for (int i = 0; i < contacts; ++i) {
    u_normal[i] = u[3 * i];
    for (int j = 0; j < contacts; ++j) normal(i, j) = W(3 * i, 3 * j);
  }
  const std::vector<double> e{0.1, 0.5, 0.5, 1.0};
  const auto plain = strike(&ImpactSolver::newton, normal, u_normal, e);
  const auto full = strike_with_friction(3, W, u, e, std::vector<ContactLaw>(contacts));
  for (int i = 0; i < contacts; ++i) EXPECT_NEAR(full.P[3 * i], plain.P[i], 1e-11);
  EXPECT_NEAR(full.result.energy_change, plain.result.energy_change, 1e-10);
}

}  // namespace
}  // namespace daedal::nonsmooth
