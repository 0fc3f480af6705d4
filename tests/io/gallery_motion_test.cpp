// Motions of gallery models against solutions that share nothing with the program: reduced equations
// of motion from the geometry of each mechanism, or its integrals in closed form. The other models
// have reference files, see tests/integrate and tests/apps.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

#include "daedal/io/model_file.hpp"
#include "daedal/math/jet.hpp"
#include "simulate/kept_rows.hpp"

namespace daedal::io {
namespace {

/// One by one: g++ 12 misjudges the bounds of fixed vectors copied into dynamic ones.
Eigen::VectorXd numbers(std::initializer_list<double> values) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) out[i++] = value;
  return out;
}

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::Jet;

constexpr double kGravity = 9.81;

/// Rows of a gallery model.
daedal::testing::KeptRows rows_of(const std::string& name, std::vector<std::string> overrides) {
  const ModelFile file = read_model(
      std::filesystem::path(DAEDAL_SOURCE_DIR) / "models" / (name + ".yaml"), overrides);
  daedal::testing::KeptRows rows;
  simulate::RunOptions options;
  options.recorder = &rows;
  EXPECT_EQ(simulate::run(file.model, file.settings, options).status, simulate::Status::done);
  return rows;
}

/// One step of the classical Runge-Kutta method for y' = slope(y).
template <class Slope>
VectorXd runge_kutta(const Slope& slope, const VectorXd& y, double h) {
  const VectorXd k1 = slope(y), k2 = slope(y + h / 2 * k1), k3 = slope(y + h / 2 * k2),
                 k4 = slope(y + h * k3);
  return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

/// Largest difference of outputs from functions of the reduced state y, which is integrated from
/// row to row in `substeps`.
template <class Slope, class Outputs>
double deviation(const daedal::testing::KeptRows& rows, const std::vector<std::string>& names,
                 VectorXd y, const Slope& slope, const Outputs& outputs, int substeps) {
  double worst = 0.0;
  for (std::size_t k = 0; k < rows.time.size(); ++k) {
    for (int j = 0; k > 0 && j < substeps; ++j) {
      y = runge_kutta(slope, y, (rows.time[k] - rows.time[k - 1]) / substeps);
    }
    const std::vector<double> expected = outputs(y);
    for (std::size_t i = 0; i < names.size(); ++i) {
      worst = std::max(worst, std::abs(rows.outputs.at(names[i])[k] - expected[i]));
    }
  }
  return worst;
}

// One degree of freedom phi: I(phi) phi'' + I'(phi)/2 phi'^2 + V'(phi) = Q(phi').

Jet constant(double value) { return Jet::constant(value); }

/// Inertia and potential as functions of phi, gathered body by body. Jets in phi carry what is
/// needed of their derivatives.
struct Reduced {
  double I = 0.0, dI = 0.0, dV = 0.0;

  /// A rate s'(phi) with its derivative, of inertia `weight`.
  void add_rate(double weight, double rate, double derivative) {
    I += weight * rate * rate;
    dI += 2.0 * weight * rate * derivative;
  }
  void add_motion(double weight, const Jet& s) { add_rate(weight, s.first, s.second); }
  void add_height(double mass, const Jet& z) { dV += mass * kGravity * z.first; }
  double acceleration(double speed, double load) const {
    return (load - 0.5 * dI * speed * speed - dV) / I;
  }
};

// The crank-rocker: loop closure by the law of cosines, in closed form.
TEST(GalleryMotion, FourBarFollowsItsReducedEquation) {
  constexpr double a = 0.1, b = 0.35, c = 0.3, d = 0.4, torque = 0.5, friction = 0.05;
  struct Linkage {
    Jet coupler, rocker;
    explicit Linkage(const Jet& phi) {
      // From B, the end of the crank, to D, the foot of the rocker.
      const Jet x = constant(d) - constant(a) * cos(phi), y = -(constant(a) * sin(phi));
      const Jet s2 = x * x + y * y;
      const Jet bend = acos((s2 + constant(b * b - c * c)) / (constant(2.0 * b) * sqrt(s2)));
      coupler = atan2(y, x) + bend;
      const Jet cx = constant(a) * cos(phi) + constant(b) * cos(coupler) - constant(d);
      const Jet cy = constant(a) * sin(phi) + constant(b) * sin(coupler);
      rocker = atan2(cy, cx);
    }
  };
  const auto slope = [&](const VectorXd& y) {
    const Jet phi = Jet::time(y[0]);
    const Linkage at(phi);
    Reduced sum;
    const auto bar = [&](double length, const Jet& angle, const Jet& x0, const Jet& y0) {
      const Jet x = x0 + constant(length / 2) * cos(angle);
      const Jet h = y0 + constant(length / 2) * sin(angle);
      sum.add_motion(length, x);  // 1 kg/m
      sum.add_motion(length, h);
      sum.add_motion(length * length * length / 12, angle);
      sum.add_height(length, h);
    };
    bar(a, phi, constant(0), constant(0));
    bar(b, at.coupler, constant(a) * cos(phi), constant(a) * sin(phi));
    bar(c, at.rocker, constant(d), constant(0));
    return numbers({y[1], sum.acceleration(y[1], torque - friction * y[1])});
  };
  const auto outputs = [&](const VectorXd& y) {
    return std::vector<double>{y[0], Linkage(Jet::time(y[0])).rocker.value};
  };
  const auto error = [&](const char* step) {
    return deviation(rows_of("four-bar", {fmt::format("simulate.step={}", step),
                                          "simulate.output_step=0.02"}),
                     {"crank", "rocker"}, Eigen::Vector2d(0, 0), slope, outputs, 20);
  };
  const double coarse = error("1e-3"), fine = error("5e-4");
  fmt::print("four-bar: h = 1e-3 {:.2e} rad, h = 5e-4 {:.2e} rad\n", coarse, fine);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15);
}

// The slider-crank in space: pin on a circle, slider on a line, the rod's third axis normal to the
// world's x by the cross.
TEST(GalleryMotion, SliderCrankFollowsItsReducedEquation) {
  constexpr double r = 0.08, l = 0.3;
  struct Vector {
    Jet x, y, z;
    Jet dot(const Vector& o) const { return x * o.x + y * o.y + z * o.z; }
    Vector cross(const Vector& o) const {
      return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x};
    }
  };
  struct Linkage {
    Vector pin;
    Jet slider;
    explicit Linkage(const Jet& phi) {
      pin = {constant(0), constant(0.1) - constant(r) * sin(phi),
             constant(0.12) + constant(r) * cos(phi)};
      slider = sqrt(constant(l * l) - pin.y * pin.y - pin.z * pin.z);
    }
  };
  const auto slope = [&](const VectorXd& y) {
    const Linkage at(Jet::time(y[0]));
    const Jet scale = constant(1 / l);
    const Vector e1{at.slider * scale, -at.pin.y * scale, -at.pin.z * scale};  // pin to slider
    const Jet normal = sqrt(e1.y * e1.y + e1.z * e1.z);
    const Vector e3{constant(0), e1.z / normal, -e1.y / normal};
    const Vector e2 = e3.cross(e1);
    Reduced sum;
    sum.add_rate(1e-4, 1.0, 0.0);
    sum.add_motion(2.0, at.slider);
    const Jet half = constant(0.5);
    for (const Jet& coordinate :
         {half * at.slider, half * at.pin.y, half * at.pin.z}) {  // its centre of mass
      sum.add_motion(0.5, coordinate);
    }
    sum.add_height(0.5, half * at.pin.z);
    // omega_i per phi', in the rod's axes: e2'.e3, e3'.e1, e1'.e2.
    const auto spin = [&](double inertia, const Vector& u, const Vector& w) {
      const auto d = [](const Jet& j) { return Jet{j.first, j.second, 0.0}; };
      const Jet rate = Vector{d(u.x), d(u.y), d(u.z)}.dot(w);
      sum.add_rate(inertia, rate.value, rate.first);
    };
    spin(4e-4, e2, e3);
    spin(4e-3, e3, e1);
    spin(4e-3, e1, e2);
    return numbers({y[1], sum.acceleration(y[1], 0.0)});
  };
  const auto outputs = [&](const VectorXd& y) {
    const Jet slider = Linkage(Jet::time(y[0])).slider;
    return std::vector<double>{y[0], y[1], slider.value, slider.first * y[1]};
  };
  const auto error = [&](const char* step) {
    return deviation(rows_of("slider-crank", {fmt::format("simulate.step={}", step),
                                              "simulate.until=2", "simulate.output_step=0.02"}),
                     {"crank", "crank_speed", "slider", "slider_speed"}, Eigen::Vector2d(0, 6),
                     slope, outputs, 40);
  };
  const double coarse = error("1e-3"), fine = error("5e-4");
  fmt::print("slider-crank: h = 1e-3 {:.2e}, h = 5e-4 {:.2e} rad or rad/s\n", coarse, fine);
  EXPECT_LT(fine, 2e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15);
}

/// The screw press in the angle of its thread, and the displacement and tilt of its ram, whose height
/// follows: the tip of the spindle is at 0.1 m along the ram's own vertical from its middle.
VectorXd press_slope(const VectorXd& y) {
  constexpr double J = 2.0, spindle = 40.0, ram = 15.0, I = 0.3, k = 2e5, a = 0.03, b = -0.1;
  const double p = 0.05 / (2.0 * std::numbers::pi);
  const double phi = y[0], x = y[1], c = std::cos(y[2]), s = std::sin(y[2]);
  const Vector3d rate = y.tail<3>();
  const double z = -0.3 + p * phi - (0.1 + x * s) / c;
  const Vector3d height(p, -s / c, -(x + 0.1 * s) / (c * c));  // derivatives of z
  const double bend = -2.0 * rate[1] * rate[2] / (c * c) -
                      (0.1 / c + 2.0 * (x + 0.1 * s) * s / (c * c * c)) * rate[2] * rate[2];
  // The workpiece, from (a, -0.6) to (a, b) on the ram.
  const double dx = x + a * c + b * s - a, dz = z - a * s + b * c + 0.6, l = std::hypot(dx, dz);
  const double tension = k * (l - 0.1) / l;
  const Vector3d by_x(0.0, 1.0, -a * s + b * c), by_z = height + Vector3d(0.0, 0.0, -a * c - b * s);
  const Matrix3d M = Vector3d(J + spindle * p * p, ram, I).asDiagonal().toDenseMatrix() +
                     ram * height * height.transpose();
  const Vector3d force = -Vector3d(spindle * kGravity * p, 0.0, 0.0) -
                         ram * (kGravity + bend) * height - tension * (dx * by_x + dz * by_z) -
                         Vector3d(0.0, 4e5 * x + 200.0 * rate[1], 2e4 * y[2] + 10.0 * rate[2]);
  const Vector3d acceleration = M.inverse() * force;
  return numbers({rate[0], rate[1], rate[2], acceleration[0], acceleration[1], acceleration[2]});
}

TEST(GalleryMotion, ScrewPressFollowsItsReducedEquations) {
  for (const char* coordinates : {"absolute", "joint"}) {
    const auto error = [&](const char* step) {
      return deviation(rows_of("screw-press", {fmt::format("simulate.step={}", step),
                                               fmt::format("simulate.coordinates={}", coordinates),
                                               "simulate.output_step=5e-3"}),
                       {"turn", "stroke", "sideways", "tilt"},
                       numbers({0.0, 0.0, 0.0, -12.0, 0.0, 0.0}), press_slope,
                       [](const VectorXd& y) {
                         return std::vector<double>{y[0], 0.05 / (2.0 * std::numbers::pi) * y[0],
                                                    y[1], y[2]};
                       },
                       20);
    };
    const double coarse = error("1e-3"), fine = error("5e-4");
    fmt::print("screw-press, {}: h = 1e-3 {:.2e}, h = 5e-4 {:.2e} rad or m\n", coordinates, coarse,
               fine);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15);
  }
}

TEST(GalleryMotion, ScrewPressWithItsWorkpieceInTheMiddleIsHarmonic) {
  const double p = 0.05 / (2.0 * std::numbers::pi), inertia = 2.0 + 55.0 * p * p;
  const double omega = std::sqrt(2e5 * p * p / inertia), rest = -55.0 * kGravity / (2e5 * p);
  const auto rows = rows_of("screw-press", {"parameters.offset=0", "simulate.coordinates=joint"});
  for (std::size_t k = 0; k < rows.time.size(); ++k) {
    const double t = rows.time[k];
    EXPECT_NEAR(rows.outputs.at("turn")[k],
                rest * (1.0 - std::cos(omega * t)) - 12.0 / omega * std::sin(omega * t), 1e-4);
    EXPECT_NEAR(rows.outputs.at("tilt")[k], 0.0, 1e-12);
  }
}

// The top of Lagrange, whose axis d obeys L' = torque with L = L_s d + I1 d x d'. Its height u = d.z at
// 1 m has a closed form: the constants of the motion make u'^2 = f(u), a cubic with the roots
// u1 < u2 < 1 < u3, and, if it starts at u2,
//   u = u1 + (u2 - u1) cd^2(w t), w^2 = m g l (u3 - u1) / (2 I1), k^2 = (u2 - u1)/(u3 - u1).
// With these data u1 is nearly -1: the top passes the lowest point, where angles would fail.
TEST(GalleryMotion, HeavyTopFollowsEllipticFunctions) {
  constexpr double m = 15.0, mgl = m * kGravity, I1 = 0.234375 + m, I3 = 0.46875;
  constexpr double spin = I3 * 150.0, vertical = I1 * -4.61538;
  // At the start u = 0: f = (1 - u^2) (2 E - 2 mgl u)/I1 - ((L_z - L_s u)/I1)^2 with f(0) = 0.
  const double E2 = vertical * vertical / I1;  // 2 E
  // f(u)/u = A u^2 + B u + C
  const double A = 2 * mgl / I1, B = -E2 / I1 - spin * spin / (I1 * I1),
               C = -2 * mgl / I1 + 2 * vertical * spin / (I1 * I1);
  const double root = std::sqrt(B * B - 4 * A * C);
  const double u1 = (-B - root) / (2 * A), u3 = (-B + root) / (2 * A), u2 = 0.0;
  ASSERT_LT(u1, u2);
  ASSERT_GT(u3, 1.0);
  const double w = std::sqrt(mgl * (u3 - u1) / (2 * I1)), k = std::sqrt((u2 - u1) / (u3 - u1));
  // sn by the arithmetic-geometric mean (Abramowitz and Stegun, 16.4).
  const auto sn = [](double x, double modulus) {
    double a[16], c[16];
    double b = std::sqrt(1 - modulus * modulus);
    a[0] = 1.0, c[0] = modulus;
    int n = 0;
    for (; n < 15 && std::abs(c[n]) > 1e-17; ++n) {
      a[n + 1] = (a[n] + b) / 2, c[n + 1] = (a[n] - b) / 2, b = std::sqrt(a[n] * b);
    }
    double phi = std::ldexp(a[n] * x, n);
    for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
    return std::sin(phi);
  };
  const auto height = [&](double t) {
    const double s2 = std::pow(sn(w * t, k), 2);
    return u1 + (u2 - u1) * (1 - s2) / (1 - k * k * s2);
  };
  const auto slope = [&](const VectorXd& y) {
    const Vector3d d = y.head<3>(), rate = y.tail<3>();
    const Vector3d a = -rate.squaredNorm() * d + spin / I1 * d.cross(rate) +
                       mgl / I1 * (d.z() * d - Vector3d::UnitZ());
    return numbers({rate.x(), rate.y(), rate.z(), a.x(), a.y(), a.z()});
  };
  const auto axis = [](const VectorXd& y) { return std::vector<double>{y[0], y[1], y[2]}; };
  VectorXd start(6);
  start << 0, 1, 0, 4.61538, 0, 0;
  const auto error = [&](const char* step) {
    const auto rows = rows_of("heavy-top", {fmt::format("simulate.step={}", step),
                                            "simulate.output_step=0.01"});
    double worst = 0.0;
    for (std::size_t i = 0; i < rows.time.size(); ++i) {
      worst = std::max(worst, std::abs(rows.outputs.at("center.z")[i] - height(rows.time[i])));
    }
    return std::array{worst, deviation(rows, {"center.x", "center.y", "center.z"}, start, slope,
                                       axis, 100)};
  };
  const auto coarse = error("1e-3"), fine = error("5e-4");
  fmt::print("heavy top: u in [{:.7f}, 0]; height h = 1e-3 {:.2e} m, h = 5e-4 {:.2e} m; centre {:.2e} "
             "m, {:.2e} m\n",
             u1, coarse[0], fine[0], coarse[1], fine[1]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(fine[i], 5e-3);
    EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 2.0, 0.15);
  }
}

// The chain in its N joint angles: M(q) q'' = Q(q, q') from the Jacobians of the links.
class Chain : public ::testing::TestWithParam<int> {};

TEST_P(Chain, FollowsItsEquationInJointCoordinates) {
  const int N = GetParam();
  constexpr double L = 0.2, edge = 0.02, m = 2700 * L * edge * edge;
  const Vector3d inertia(m * edge * edge / 6, m * (L * L + edge * edge) / 12,
                         m * (L * L + edge * edge) / 12);
  const auto axis = [](int i) { return i % 2 == 0 ? Vector3d::UnitY() : Vector3d::UnitZ(); };
  // Links in order: rotation R, base p; angular velocity and that of the base as J q', and the
  // parts of their derivatives without q''.
  const auto slope = [&](const VectorXd& y) {
    const VectorXd q = y.head(N), rate = y.tail(N);
    MatrixXd M = MatrixXd::Zero(N, N), spin = MatrixXd::Zero(3, N), base = spin;
    VectorXd Q = VectorXd::Zero(N);
    Matrix3d R = Matrix3d::Identity();
    Vector3d alpha = Vector3d::Zero(), a = Vector3d::Zero();
    const auto lever = [](const Vector3d& d) {  // w x d as a matrix on w
      Matrix3d S;
      S << 0, d.z(), -d.y(), -d.z(), 0, d.x(), d.y(), -d.x(), 0;
      return S;
    };
    for (int i = 0; i < N; ++i) {
      const Vector3d n = R * axis(i), before = spin * rate;
      alpha += before.cross(n * rate[i]);
      for (int c = 0; c < 3; ++c) spin(c, i) = n[c];
      R = R * Eigen::AngleAxisd(q[i], axis(i)).toRotationMatrix();
      const Vector3d omega = spin * rate, half = R * Vector3d(L / 2, 0, 0);
      const Matrix3d J = R * inertia.asDiagonal() * R.transpose();
      const MatrixXd center = base + lever(half) * spin;
      const Vector3d a_center = a + alpha.cross(half) + omega.cross(omega.cross(half));
      M += m * center.transpose() * center + spin.transpose() * J * spin;
      Q += center.transpose() * (m * (Vector3d(0, 0, -kGravity) - a_center)) -
           spin.transpose() * (J * alpha + omega.cross(J * omega));
      base += lever(2 * half) * spin;
      a += alpha.cross(2 * half) + omega.cross(omega.cross(2 * half));
    }
    VectorXd out(2 * N);
    out << rate, M.ldlt().solve(Q);
    return out;
  };
  const auto outputs = [&](const VectorXd& y) {
    Matrix3d R = Matrix3d::Identity();
    Vector3d tip = Vector3d::Zero();
    for (int i = 0; i < N; ++i) {
      R = R * Eigen::AngleAxisd(y[i], axis(i)).toRotationMatrix();
      tip += R * Vector3d(L, 0, 0);
    }
    return std::vector<double>{tip.x(), tip.y(), tip.z(), y[0]};
  };
  // The push: of all velocities with 0.5 m/s of the last link's origin sidewards the program takes
  // the one nearest to rest, in the norm of the bodies' own velocities.
  const auto rows = [&](const char* step) {
    return rows_of("chain", {fmt::format("parameters.N={}", N), "simulate.until=1",
                             fmt::format("simulate.step={}", step), "simulate.output_step=0.01"});
  };
  const auto start = [&] {
    VectorXd y = VectorXd::Zero(2 * N);
    const ModelFile file = read_model(
        std::filesystem::path(DAEDAL_SOURCE_DIR) / "models" / "chain.yaml",
        std::vector<std::string>{fmt::format("parameters.N={}", N)});
    model::Model model = file.model;
    for (int i = 1; i <= N; ++i) {
      model::Output rate;
      rate.name = fmt::format("rate{}", i);
      rate.quantity = model::Quantity::angular_speed;
      rate.object = fmt::format("hinge[{}]", i);
      model.outputs.push_back(rate);
    }
    daedal::testing::KeptRows kept;
    simulate::RunOptions options;
    options.recorder = &kept;
    simulate::Settings settings = file.settings;
    settings.until = settings.step.value();
    simulate::run(model, settings, options);
    for (int i = 1; i <= N; ++i) y[N + i - 1] = kept.outputs.at(fmt::format("rate{}", i))[0];
    return y;
  }();
  const std::vector<std::string> names{"tip.x", "tip.y", "tip.z", "first_angle"};
  const double coarse = deviation(rows("1e-3"), names, start, slope, outputs, 20);
  const double fine = deviation(rows("5e-4"), names, start, slope, outputs, 20);
  fmt::print("chain of {}: h = 1e-3 {:.2e} m, h = 5e-4 {:.2e} m\n", N, coarse, fine);
  EXPECT_LT(fine, 1e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
  // Sidewards it is pushed where it gives way.
  EXPECT_EQ(start.tail(N).norm() > 0.0, N >= 3);
}

INSTANTIATE_TEST_SUITE_P(Links, Chain, ::testing::Values(1, 2, 3, 10), [](const auto& n) {
  return std::to_string(n.param);
});

/// sum over j of M_max(i,j) l^2 [cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2]
///     = -M_i l [(g + y'') sin a_i + x'' cos a_i],      M_k = mass of all from k on,
/// with the angles a against the vertical and the suspension (x, y); the state is (a, a', t).
TEST(PendulumChain, FollowsTheEquationsOfItsAngles) {
  static constexpr int kMasses = 5;
  static constexpr double kOmega = 0.1 * 3.14159265358979323846;
  const auto rows = rows_of(
      "pendulum-chain", {"parameters.N=4", "simulate.until=20", "simulate.output_step=1",
                         "simulate.tolerance=1e-9", "simulate.absolute_tolerance=1e-11"});
  const auto slope = [](const VectorXd& y) {
    const double t = y[2 * kMasses], wave = -kOmega * kOmega * std::sin(kOmega * t);
    MatrixXd M(kMasses, kMasses);
    VectorXd f(kMasses);
    for (int i = 0; i < kMasses; ++i) {
      const double carried = kMasses - i;
      f[i] = -carried * ((kGravity + 0.2 * wave) * std::sin(y[i]) + 0.3 * wave * std::cos(y[i]));
      for (int j = 0; j < kMasses; ++j) {
        const double both = kMasses - std::max(i, j), rate = y[kMasses + j];
        M(i, j) = both * std::cos(y[i] - y[j]);
        f[i] -= both * std::sin(y[i] - y[j]) * rate * rate;
      }
    }
    VectorXd out(2 * kMasses + 1);
    out << y.segment(kMasses, kMasses), M.llt().solve(f), 1.0;
    return out;
  };
  const auto outputs = [](const VectorXd& y) {
    const double wave = std::sin(kOmega * y[2 * kMasses]);
    double x = 2.0 + 0.3 * wave, height = 0.2 * wave;
    for (int i = 0; i < kMasses; ++i) x += std::sin(y[i]), height -= std::cos(y[i]);
    return std::vector<double>{x, height, y[0], y[kMasses - 1] - y[kMasses - 2]};
  };
  // The rods' own inertia, 1e-9 of what they carry, is the floor of the comparison.
  EXPECT_LT(deviation(rows, {"tip.x", "tip.y", "first_angle", "last_angle"},
                      VectorXd::Zero(2 * kMasses + 1), slope, outputs, 400),
            1e-7);
}

}  // namespace
}  // namespace daedal::io
