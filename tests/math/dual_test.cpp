#include "daedal/math/dual.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace daedal::math {
namespace {

using D2 = Dual<2>;

/// Two independent variables.
D2 variable(double value, int k) {
  D2 x(value);
  x.slope[k] = 1.0;
  return x;
}

template <class Function>
void expect_derivatives(const Function& f, double x, double y) {
  constexpr double e = 1e-6;
  const D2 value = f(variable(x, 0), variable(y, 1));
  EXPECT_NEAR(value.value, f(D2(x), D2(y)).value, 0.0);
  EXPECT_NEAR(value.slope[0], (f(D2(x + e), D2(y)).value - f(D2(x - e), D2(y)).value) / (2 * e),
              1e-8);
  EXPECT_NEAR(value.slope[1], (f(D2(x), D2(y + e)).value - f(D2(x), D2(y - e)).value) / (2 * e),
              1e-8);
}

TEST(Dual, CarriesTheDerivativesOfItsArithmetic) {
  expect_derivatives([](const D2& x, const D2& y) { return x * y - 2.0 * x + y / x; }, 0.7, -1.3);
  expect_derivatives([](const D2& x, const D2& y) { return sqrt(x * x + y * y) / (1.0 - x); }, 0.7,
                     -1.3);
  expect_derivatives(
      [](const D2& x, const D2& y) { return -chain(x, std::exp(x.value), std::exp(x.value)) + y; },
      0.7, -1.3);
}

TEST(Dual, MakesVectors) {
  const Eigen::Matrix<D2, 3, 1> a(variable(0.5, 0), D2(1.0), variable(-0.3, 1)),
      b(D2(2.0), D2(0.1), D2(0.4));
  const D2 z = a.cross(b).dot(a + b * D2(2.0));
  EXPECT_NEAR(z.value, 0.0, 1e-15);
  EXPECT_NEAR(z.slope.abs().maxCoeff(), 0.0, 1e-15);
  EXPECT_EQ(a.dot(b).slope[0], 2.0);
  EXPECT_EQ(a.dot(b).slope[1], 0.4);
}

}  // namespace
}  // namespace daedal::math
