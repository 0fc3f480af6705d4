// Laws of the configuration space over random samples.
#include "daedal/system/manifold.hpp"

#include <gtest/gtest.h>

#include <random>

namespace daedal::system {
namespace {

using Vector = std::vector<double>;

class ManifoldLaws : public ::testing::TestWithParam<unsigned> {
 protected:
  ManifoldLaws() : engine_(GetParam()) {
    manifold_.add_linear(2);
    manifold_.add_linear(1);
    manifold_.add_rotation();
    manifold_.add_linear(3);
    manifold_.add_rotation();
    manifold_.add_rotation();
  }
  Vector tangent(double size) {
    Vector x(manifold_.dimension());
    for (double& value : x) value = std::uniform_real_distribution<>(-size, size)(engine_);
    return x;
  }
  Vector point() {
    Vector q(manifold_.storage());
    manifold_.identity(q);
    manifold_.retract(q, tangent(1.5), q);
    return q;
  }
  Vector retract(const Vector& q, const Vector& x) {
    Vector out(q.size());
    manifold_.retract(q, x, out);
    return out;
  }
  Vector local(const Vector& q, const Vector& p) {
    Vector x(manifold_.dimension());
    manifold_.local(q, p, x);
    return x;
  }
  static void expect_near(const Vector& a, const Vector& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "entry " << i;
  }

  Manifold manifold_;
  std::mt19937 engine_;
};

TEST_P(ManifoldLaws, LocalUndoesRetract) {
  const Vector q = point(), x = tangent(1.5);
  expect_near(local(q, retract(q, x)), x, 1e-13);
}

TEST_P(ManifoldLaws, RetractUndoesLocal) {
  const Vector q = point(), p = point();
  // A quaternion and its negative are the same point: compare by local coordinates.
  expect_near(local(p, retract(q, local(q, p))), Vector(manifold_.dimension(), 0.0), 1e-13);
}

TEST_P(ManifoldLaws, ZeroIncrementStays) {
  const Vector q = point();
  expect_near(retract(q, Vector(manifold_.dimension(), 0.0)), q, 1e-15);
}

TEST_P(ManifoldLaws, RetractInPlaceEqualsRetract) {
  const Vector q = point(), x = tangent(1.0);
  Vector in_place = q;
  manifold_.retract(in_place, x, in_place);
  EXPECT_EQ(in_place, retract(q, x));
}

TEST_P(ManifoldLaws, TangentOperatorIsTheDerivativeOfRetract) {
  // retract(q, x + e y) = retract(retract(q, x), e T(x) y) + O(e^2)
  constexpr double e = 1e-5;
  const Vector q = point(), x = tangent(1.5), y = tangent(1.0);
  Vector plus = x, minus = x;
  for (std::size_t i = 0; i < x.size(); ++i) plus[i] += e * y[i], minus[i] -= e * y[i];
  const Vector forward = local(retract(q, x), retract(q, plus));
  const Vector backward = local(retract(q, x), retract(q, minus));
  Vector expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = (forward[i] - backward[i]) / (2.0 * e);

  std::vector<math::Mat3> T(manifold_.rotations().size()), T_inverse(T.size());
  manifold_.tangents(x, T);
  manifold_.inverse_tangents(x, T_inverse);
  Vector actual = y;
  manifold_.apply(T, actual);
  expect_near(actual, expected, 1e-9);
  manifold_.apply(T_inverse, actual);
  expect_near(actual, y, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ManifoldLaws, ::testing::Range(1u, 11u));

TEST(Manifold, CountsStorageAndDimension) {
  Manifold m;
  EXPECT_TRUE(m.is_linear());
  m.add_linear(3);
  m.add_rotation();
  EXPECT_EQ(m.storage(), 7);
  EXPECT_EQ(m.dimension(), 6);
  EXPECT_FALSE(m.is_linear());
}

}  // namespace
}  // namespace daedal::system
