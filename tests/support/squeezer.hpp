#pragma once

#include <Eigen/Core>
#include <cmath>

#include "daedal/system/constrained_system.hpp"

namespace daedal::testing {

/// Andrews' squeezing mechanism in its seven classical angles, written out by hand:
///
///     q = (beta, Theta, gamma, Phi, delta, Omega, epsilon),  M(q) q'' = f(q, q') - G^T lambda,
///     six loop-closing constraints g(q) = 0
///
/// Parameters and equations: problem `andrews` of the IVP test set (IFToMM A03). It implements the
/// waist directly, so that numerics is tested on it without any of the physics modules. Its mass
/// matrix depends on q, unlike those of absolute coordinates.
class Squeezer final : public system::ConstrainedSystem {
 public:
  using Vector7 = Eigen::Matrix<double, 7, 1>;
  using Matrix7 = Eigen::Matrix<double, 7, 7>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6x7 = Eigen::Matrix<double, 6, 7>;

  Squeezer() {
    using Pattern = linear::BlockPattern;
    structure_.manifold.add_linear(7);
    structure_.coordinates = {{"angles", 0, 7}};
    system::ConstraintNode loops;
    loops.name = "loops";
    loops.size = 6;
    structure_.constraints = {loops};
    structure_.constraint_rows = 6;
    const std::vector<int> q{7}, g{6}, x{};
    const std::vector<std::pair<int, int>> one{{0, 0}}, none;
    structure_.mass = std::make_shared<const Pattern>(q, q, one);
    structure_.damping = structure_.mass;
    structure_.stiffness = structure_.mass;
    structure_.constraint = std::make_shared<const Pattern>(g, q, one);
    structure_.force_state = std::make_shared<const Pattern>(q, x, none);
    structure_.state_coordinate = std::make_shared<const Pattern>(x, q, none);
    structure_.state_state = std::make_shared<const Pattern>(x, x, none);
  }

  static std::vector<double> initial_q() {
    return {-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
            0.222668390165885884674473185609,   0.487364979543842550225598953530,
            -0.222668390165885884674473185609,  1.23054744454982119249735015568};
  }

  const system::Structure& structure() const override { return structure_; }
  std::unique_ptr<system::Evaluator> evaluator() const override {
    return std::make_unique<AtPoint>(structure_);
  }
  void excitations(double, std::span<math::Jet>) const override {}
  std::vector<double> break_points(double, double) const override { return {}; }

  // Parameters (SI).
  static constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050,
                          m6 = 0.00706, m7 = 0.05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7,
                          I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5;
  static constexpr double rr = 0.007, ra = 0.00092, d = 0.028, da = 0.0115, e = 0.02,
                          ea = 0.01421, zf = 0.02, fa = 0.01421, zt = 0.04, ta = 0.02308,
                          tb = 0.00916, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018,
                          sd = 0.02, u = 0.04, ua = 0.01228, ub = 0.00449;
  static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                          yc = 0.072;
  static constexpr double c0 = 4530.0, l0 = 0.07785, mom = 0.033;
  static constexpr double k = e - ea, w = zf - fa;

 private:
  class AtPoint final : public system::Evaluator {
   public:
    explicit AtPoint(const system::Structure& s) : G_(s.constraint) {}

    void move_to(const system::Point& point) override {
      q_ = Eigen::Map<const Vector7>(point.q.data());
      v_ = Eigen::Map<const Vector7>(point.v.data());
      G_.block(0) = jacobian(q_);
    }
    const linear::BlockMatrix& G() const override { return G_; }
    void constraints(std::span<double> g) override { map<6>(g) = loops(q_); }
    void constraint_rates(std::span<double> rate) override { map<6>(rate) = jacobian(q_) * v_; }
    void gamma(std::span<double> out) override { map<6>(out) = -curvature(q_, v_, v_); }
    void force(std::span<double> f) override { map<7>(f) = forces(q_, v_); }
    void residual(std::span<const double> a, std::span<const double> lambda,
                  std::span<double> r) override {
      map<7>(r) = mass_matrix(q_) * Eigen::Map<const Vector7>(a.data()) - forces(q_, v_) +
                  jacobian(q_).transpose() * Eigen::Map<const Vector6>(lambda.data());
    }
    void state_rates(std::span<double>) override {}
    void mass(linear::BlockMatrix& M) override { M.block(0) = mass_matrix(q_); }
    void linearise(std::span<const double> a, std::span<const double> mu,
                   system::Linearisation& out) override {
      out.M.block(0) = mass_matrix(q_);
      out.G.block(0) = jacobian(q_);
      out.W.set_zero();
      out.D.block(0) = damping(q_, v_);
      out.K.block(0) = stiffness(q_, v_, Eigen::Map<const Vector7>(a.data()),
                                 Eigen::Map<const Vector6>(mu.data()));
    }
    system::Energy energy() override {
      system::Energy out;
      out.kinetic = 0.5 * v_.dot(mass_matrix(q_) * v_);
      const double stretch = spring(q_[2]).length - l0;
      out.potential = 0.5 * c0 * stretch * stretch;
      out.applied_power = mom * v_[0];
      return out;
    }
    system::Momentum momentum() override { return {}; }
    double drive_power(std::span<const double>, std::span<const double>) override { return 0.0; }

   private:
    template <int N>
    static Eigen::Map<Eigen::Matrix<double, N, 1>> map(std::span<double> x) {
      return Eigen::Map<Eigen::Matrix<double, N, 1>>(x.data());
    }

    static Matrix7 mass_matrix(const Vector7& q) {
      const double ct = std::cos(q[1]), sp = std::sin(q[3]), so = std::sin(q[5]);
      Matrix7 M = Matrix7::Zero();
      M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * ct + da * da) + I1 + I2;
      M(1, 0) = M(0, 1) = m2 * (da * da - da * rr * ct) + I2;
      M(1, 1) = m2 * da * da + I2;
      M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
      M(3, 3) = m4 * k * k + I4;
      M(4, 3) = M(3, 4) = m4 * (k * k + zt * k * sp) + I4;
      M(4, 4) = m4 * (zt * zt + 2 * zt * k * sp + k * k) + m5 * (ta * ta + tb * tb) + I4 + I5;
      M(5, 5) = m6 * w * w + I6;
      M(6, 5) = M(5, 6) = m6 * (w * w - u * w * so) + I6;
      M(6, 6) = m6 * (w * w - 2 * u * w * so + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
      return M;
    }

    struct Spring {
      double length, load, load_slope;  // load on gamma and its derivative
    };
    static Spring spring(double gamma) {
      const double c = std::cos(gamma), s = std::sin(gamma);
      const double x = sd * c + sc * s + xb - xc, y = sd * s - sc * c + yb - yc;
      const double x1 = -sd * s + sc * c, y1 = sd * c + sc * s;  // d/dgamma
      const double L = std::hypot(x, y), L1 = (x * x1 + y * y1) / L;
      const double F = -c0 * (L - l0) / L, F1 = -c0 * l0 / (L * L) * L1;
      return {L, F * (x * x1 + y * y1),
              F1 * (x * x1 + y * y1) +
                  F * (x1 * x1 + y1 * y1 - x * (sd * c + sc * s) + y * (-sd * s + sc * c))};
    }

    static Vector7 forces(const Vector7& q, const Vector7& v) {
      const double st = std::sin(q[1]), cp = std::cos(q[3]), co = std::cos(q[5]);
      Vector7 f;
      f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * st;
      f[1] = m2 * da * rr * v[0] * v[0] * st;
      f[2] = spring(q[2]).load;
      f[3] = m4 * zt * k * v[4] * v[4] * cp;
      f[4] = -m4 * zt * k * v[3] * (v[3] + 2 * v[4]) * cp;
      f[5] = -m6 * u * w * v[6] * v[6] * co;
      f[6] = m6 * u * w * v[5] * (v[5] + 2 * v[6]) * co;
      return f;
    }

    static Matrix7 damping(const Vector7& q, const Vector7& v) {  // -df/dv
      const double st = std::sin(q[1]), cp = std::cos(q[3]), co = std::cos(q[5]);
      Matrix7 D = Matrix7::Zero();
      D(0, 0) = m2 * da * rr * 2 * v[1] * st;
      D(0, 1) = m2 * da * rr * (2 * v[1] + 2 * v[0]) * st;
      D(1, 0) = -m2 * da * rr * 2 * v[0] * st;
      D(3, 4) = -m4 * zt * k * 2 * v[4] * cp;
      D(4, 3) = m4 * zt * k * (2 * v[3] + 2 * v[4]) * cp;
      D(4, 4) = m4 * zt * k * 2 * v[3] * cp;
      D(5, 6) = m6 * u * w * 2 * v[6] * co;
      D(6, 5) = -m6 * u * w * (2 * v[5] + 2 * v[6]) * co;
      D(6, 6) = -m6 * u * w * 2 * v[5] * co;
      return D;
    }

    static Matrix7 stiffness(const Vector7& q, const Vector7& v, const Vector7& a,
                             const Vector6& mu) {  // d(M a - f + G^T mu)/dq
      const double st = std::sin(q[1]), ct = std::cos(q[1]), sp = std::sin(q[3]),
                   cp = std::cos(q[3]), so = std::sin(q[5]), co = std::cos(q[5]);
      Matrix7 K = Matrix7::Zero();
      K(0, 1) = m2 * da * rr * (st * (2 * a[0] + a[1]) + v[1] * (v[1] + 2 * v[0]) * ct);
      K(1, 1) = m2 * da * rr * (st * a[0] - v[0] * v[0] * ct);
      K(2, 2) = -spring(q[2]).load_slope;
      K(3, 3) = m4 * zt * k * (cp * a[4] + v[4] * v[4] * sp);
      K(4, 3) = m4 * zt * k * (cp * (a[3] + 2 * a[4]) - v[3] * (v[3] + 2 * v[4]) * sp);
      K(5, 5) = -m6 * u * w * (co * a[6] + v[6] * v[6] * so);
      K(6, 5) = -m6 * u * w * (co * (a[5] + 2 * a[6]) - v[5] * (v[5] + 2 * v[6]) * so);
      for (int j = 0; j < 7; ++j) {
        const Vector7 direction = Vector7::Unit(j);
        for (int i = 0; i < 7; ++i) {
          K(i, j) += mu.dot(curvature(q, Vector7::Unit(i), direction));
        }
      }
      return K;
    }

    static Vector6 loops(const Vector7& q) {
      const double X = rr * std::cos(q[0]) - d * std::cos(q[0] + q[1]);
      const double Y = rr * std::sin(q[0]) - d * std::sin(q[0] + q[1]);
      Vector6 g;
      g[0] = X - ss * std::sin(q[2]) - xb;
      g[1] = Y + ss * std::cos(q[2]) - yb;
      g[2] = X - e * std::sin(q[3] + q[4]) - zt * std::cos(q[4]) - xa;
      g[3] = Y + e * std::cos(q[3] + q[4]) - zt * std::sin(q[4]) - ya;
      g[4] = X - zf * std::cos(q[5] + q[6]) - u * std::sin(q[6]) - xa;
      g[5] = Y - zf * std::sin(q[5] + q[6]) + u * std::cos(q[6]) - ya;
      return g;
    }

    static Matrix6x7 jacobian(const Vector7& q) {
      Matrix6x7 G = Matrix6x7::Zero();
      const double s0 = std::sin(q[0]), c0_ = std::cos(q[0]);
      const double s01 = std::sin(q[0] + q[1]), c01 = std::cos(q[0] + q[1]);
      for (int r = 0; r < 6; r += 2) {
        G(r, 0) = -rr * s0 + d * s01;
        G(r, 1) = d * s01;
        G(r + 1, 0) = rr * c0_ - d * c01;
        G(r + 1, 1) = -d * c01;
      }
      G(0, 2) = -ss * std::cos(q[2]);
      G(1, 2) = -ss * std::sin(q[2]);
      const double s34 = std::sin(q[3] + q[4]), c34 = std::cos(q[3] + q[4]);
      G(2, 3) = -e * c34;
      G(2, 4) = -e * c34 + zt * std::sin(q[4]);
      G(3, 3) = -e * s34;
      G(3, 4) = -e * s34 - zt * std::cos(q[4]);
      const double s56 = std::sin(q[5] + q[6]), c56 = std::cos(q[5] + q[6]);
      G(4, 5) = zf * s56;
      G(4, 6) = zf * s56 - u * std::cos(q[6]);
      G(5, 5) = -zf * c56;
      G(5, 6) = -zf * c56 - u * std::sin(q[6]);
      return G;
    }

    /// g_qq(a, b)
    static Vector6 curvature(const Vector7& q, const Vector7& a, const Vector7& b) {
      const double c0_ = std::cos(q[0]), s0 = std::sin(q[0]);
      const double c01 = std::cos(q[0] + q[1]), s01 = std::sin(q[0] + q[1]);
      const double crank = a[0] * b[0], coupler = (a[0] + a[1]) * (b[0] + b[1]);
      const double X = -rr * c0_ * crank + d * c01 * coupler;
      const double Y = -rr * s0 * crank + d * s01 * coupler;
      const double s34 = std::sin(q[3] + q[4]), c34 = std::cos(q[3] + q[4]);
      const double p34 = (a[3] + a[4]) * (b[3] + b[4]), p4 = a[4] * b[4];
      const double s56 = std::sin(q[5] + q[6]), c56 = std::cos(q[5] + q[6]);
      const double p56 = (a[5] + a[6]) * (b[5] + b[6]), p6 = a[6] * b[6];
      Vector6 h;
      h[0] = X + ss * std::sin(q[2]) * a[2] * b[2];
      h[1] = Y - ss * std::cos(q[2]) * a[2] * b[2];
      h[2] = X + e * s34 * p34 + zt * std::cos(q[4]) * p4;
      h[3] = Y - e * c34 * p34 + zt * std::sin(q[4]) * p4;
      h[4] = X + zf * c56 * p56 + u * std::sin(q[6]) * p6;
      h[5] = Y + zf * s56 * p56 - u * std::cos(q[6]) * p6;
      return h;
    }

    Vector7 q_, v_;
    linear::BlockMatrix G_;
  };

  system::Structure structure_;
};

}  // namespace daedal::testing
