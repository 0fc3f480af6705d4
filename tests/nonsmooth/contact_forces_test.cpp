#include "daedal/nonsmooth/contact_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "nonsmooth/laws.hpp"

namespace daedal::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Random;

struct Outcome {
  FrictionResult result;
  VectorXd lambda, a;
  std::vector<ContactMotion> motions;
};

Outcome solve(int dimension, const MatrixXd& W, const VectorXd& b,
              const std::vector<ContactLaw>& laws) {
  Outcome o{{}, VectorXd::Zero(b.size()), VectorXd::Zero(b.size()), {}};
  o.motions.resize(laws.size());
  o.result = ContactForceSolver().solve(dimension, W, b, laws, o.lambda, o.a, o.motions);
  return o;
}

constexpr double kGravity = 9.81;

TEST(ContactForces, BlockOnASlopeSticksUpToTheAngleOfFriction) {
  const double mass = 2.0, mu = 0.5, critical = std::atan(mu);
  for (const double angle : {0.1, critical - 1e-6, critical + 1e-6, 1.0}) {
    const VectorXd b{{-kGravity * std::cos(angle), kGravity * std::sin(angle)}};
    const auto o = solve(2, Eigen::Matrix2d::Identity() / mass, b, {{.mu = mu}});
    ASSERT_EQ(o.result.status, Status::solved);
    EXPECT_NEAR(o.lambda[0], -mass * b[0], 1e-12);
    EXPECT_EQ(o.motions[0].motion, angle < critical ? Motion::sticks : Motion::slides);
    if (angle > critical) {
      EXPECT_EQ(o.motions[0].direction[0], 1.0);
      EXPECT_NEAR(o.a[1], kGravity * (std::sin(angle) - mu * std::cos(angle)), 1e-12);
    } else {
      EXPECT_NEAR(o.lambda[1], -mass * b[1], 1e-12);
    }
  }
}

TEST(ContactForces, InSpaceABlockBeginsToSlideDownhill) {
  const double mass = 2.0, mu = 0.5, heading = 0.7;
  for (const double angle : {0.3, 0.6}) {
    const double down = kGravity * std::sin(angle), press = kGravity * std::cos(angle);
    const VectorXd b{{-press, down * std::cos(heading), down * std::sin(heading)}};
    const auto o = solve(3, Eigen::Matrix3d::Identity() / mass, b, {{.mu = mu}});
    ASSERT_EQ(o.result.status, Status::solved);
    if (std::tan(angle) < mu) {
      EXPECT_EQ(o.motions[0].motion, Motion::sticks);
    } else {
      ASSERT_EQ(o.motions[0].motion, Motion::slides);
      EXPECT_NEAR(o.motions[0].direction[0], std::cos(heading), 1e-12);
      EXPECT_NEAR(o.motions[0].direction[1], std::sin(heading), 1e-12);
      EXPECT_NEAR(o.a.tail(2).norm(), down - mu * press, 1e-12);
    }
  }
}

TEST(ContactForces, SlidingContactIsBrakedAgainstItsDirection) {
  const double mass = 2.0, mu = 0.4;
  const std::vector<ContactLaw> laws{{.mu = mu, .sliding = true, .direction = {-1.0, 0.0}}};
  const auto o = solve(2, Eigen::Matrix2d::Identity() / mass, VectorXd{{-kGravity, 0.0}}, laws);
  ASSERT_EQ(o.result.status, Status::solved);
  EXPECT_NEAR(o.a[1], mu * kGravity, 1e-13);
  EXPECT_EQ(o.motions[0].motion, Motion::slides);
  EXPECT_EQ(o.motions[0].direction[0], -1.0);
}

TEST(ContactForces, ContactThatOpensSeparates) {
  for (const bool sliding : {false, true}) {
    const std::vector<ContactLaw> laws{{.mu = 0.3, .sliding = sliding, .direction = {1.0, 0.0}}};
    const auto o = solve(2, Eigen::Matrix2d::Identity(), VectorXd{{0.5, 1.0}}, laws);
    EXPECT_EQ(o.lambda, VectorXd::Zero(2));
    EXPECT_EQ(o.motions[0].motion, Motion::separates);
  }
}

TEST(ContactForces, TiltingBlockLeavesOneOfItsCorners) {
  // A block 1 wide and 4 high, pushed at its centre: it tips about one corner and stays on it.
  const double mass = 1.0, half = 0.5, height = 2.0, inertia = mass * (1.0 + 16.0) / 12.0;
  MatrixXd G(4, 3);  // normal and tangent of the left and the right corner; x, y, angle
  G << 0, 1, -half, 1, 0, height, 0, 1, half, 1, 0, height;
  const VectorXd inverse{{1.0 / mass, 1.0 / mass, 1.0 / inertia}};
  const MatrixXd W = G * inverse.asDiagonal() * G.transpose();
  for (const double push : {2.0, 4.0}) {  // tips beyond g half / height
    const VectorXd free{{push, -kGravity, 0.0}};
    const auto o = solve(2, W, G * free, std::vector<ContactLaw>(2, {.mu = 0.8}));
    ASSERT_EQ(o.result.status, Status::solved);
    if (push * height < kGravity * half) {
      EXPECT_EQ(o.motions[0].motion, Motion::sticks);
      EXPECT_NEAR(o.lambda[0] + o.lambda[2], mass * kGravity, 1e-11);
      EXPECT_NEAR(o.lambda[1] + o.lambda[3], -mass * push, 1e-11);
      EXPECT_NEAR(half * (o.lambda[2] - o.lambda[0]), mass * push * height, 1e-11);
    } else {
      EXPECT_EQ(o.motions[0].motion, Motion::separates);
      // About the right corner: the moment of push and weight.
      const double about = inertia + mass * (half * half + height * height);
      EXPECT_NEAR(o.a[0], 2.0 * half * (push * height - kGravity * half) * mass / about, 1e-11);
    }
    EXPECT_EQ(o.motions[1].motion, Motion::sticks);
  }
}

TEST(ContactForces, WithoutFrictionContactsStayOrSeparate) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = random.integer(1, 6);
    MatrixXd W = random.delassus(n, n);
    W.diagonal().array() += 0.1;
    const VectorXd b = random.vector(n);
    const auto o = solve(1, W, b, std::vector<ContactLaw>(n));
    ASSERT_EQ(o.result.status, Status::solved);
    ASSERT_LT(test::lcp_violation(W, b, o.lambda, o.a), 1e-9);
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(o.motions[k].motion, o.lambda[k] > 0.0 ? Motion::stays : Motion::separates);
    }
  }
}

/// A uniform rod (mass 1, half length 1) that slides on its tip, at an angle to the ground.
Eigen::Matrix2d rod(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Eigen::Matrix2d W;
  W << 1.0 + 3.0 * c * c, 3.0 * s * c, 3.0 * s * c, 1.0 + 3.0 * s * s;
  return W;
}

TEST(ContactForces, PainlevesRodHasNoForces) {
  const double angle = std::atan(2.0), c = std::cos(angle), s = std::sin(angle);
  const auto slide = [&](double mu, double direction, double b) {
    return solve(2, rod(angle), VectorXd{{b, 0.0}},
                 {{.mu = mu, .sliding = true, .direction = {direction, 0.0}}});
  };
  // The paradox begins at mu = 4/3 for this angle, the least of all.
  const double mu = 4.0 / 3.0 - 1e-3;
  const auto below = slide(mu, 1.0, -1.0);
  ASSERT_EQ(below.result.status, Status::solved);
  EXPECT_NEAR(below.lambda[0], 1.0 / (1.0 + 3.0 * c * (c - mu * s)), 1e-8);
  const auto beyond = slide(4.0 / 3.0 + 1e-3, 1.0, -1.0);
  EXPECT_EQ(beyond.result.status, Status::no_solution);
  EXPECT_EQ(beyond.lambda, VectorXd::Zero(2));
  EXPECT_EQ(beyond.a, (VectorXd{{-1.0, 0.0}}));
  // The other way, or opening, it is no paradox.
  EXPECT_EQ(slide(2.0, -1.0, -1.0).result.status, Status::solved);
  EXPECT_EQ(slide(2.0, 1.0, 1.0).motions[0].motion, Motion::separates);
}

TEST(ContactForces, PainlevesRodInSpaceHasNoneEither) {
  const double angle = std::atan(2.0);
  Eigen::Matrix3d W = Eigen::Matrix3d::Identity();
  W.topLeftCorner<2, 2>() = rod(angle);
  const VectorXd b{{-1.0, 0.0, 0.0}};
  const std::vector<ContactLaw> laws{{.mu = 1.5, .sliding = true, .direction = {1.0, 0.0}}};
  EXPECT_EQ(solve(3, W, b, laws).result.status, Status::no_solution);
  // Beside a contact that sticks: through sweeps and facets.
  MatrixXd both = MatrixXd::Zero(6, 6);
  both.topLeftCorner(3, 3) = W;
  both.bottomRightCorner(3, 3).setIdentity();
  VectorXd b2(6);
  b2 << b, b;
  EXPECT_EQ(solve(3, both, b2, {laws[0], {.mu = 0.5}}).result.status, Status::no_solution);
}

TEST(ContactForces, RandomMixturesSatisfyTheirLaws) {
  Random random(2);
  for (const int dimension : {2, 3}) {
    for (int trial = 0; trial < 100; ++trial) {
      const int contacts = random.integer(1, 5), n = dimension * contacts;
      const MatrixXd W = random.delassus(n, n + 4);
      const VectorXd b = random.vector(n);
      std::vector<ContactLaw> laws(contacts);
      for (auto& law : laws) {
        const double angle = dimension == 2 ? 0.0 : random.number(0.0, 6.28);
        law = {.mu = random.number(0.0, 0.3),
               .sliding = random.integer(0, 1) == 1,
               .direction = {std::cos(angle), std::sin(angle)}};
      }
      const auto o = solve(dimension, W, b, laws);
      ASSERT_EQ(o.result.status, Status::solved) << dimension << ' ' << trial;
      ASSERT_LT(test::friction_violation(dimension, W, b, laws, o.lambda, o.a, 1.0), 1e-6);
    }
  }
}

}  // namespace
}  // namespace daedal::nonsmooth
