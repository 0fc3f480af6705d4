#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "daedal/math/jet.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::examples {

/// A railway wheelset on straight track at constant speed, problem `wheel` of the IVP test set
/// [Simeon1991]: a system of one's own, written for the waist without a model file.
///
///     q = (x, y, z, theta, phi, chi)   lateral, vertical and longitudinal displacement [m], yaw and
///                                      roll [rad], deviation of the spin from Omega t [rad]
///     M v' = f(q, v) - G^T lambda,   0 = g(q): one row for each wheel, left first
///
/// Where wheel and rail touch is given by two numbers for each wheel, its angle psi and the place xi
/// on the axle. They follow from q by two equations, at which dg/d(psi, xi) = 0: so g and G depend on
/// q alone, and derivatives of g along a motion are found with jets.
///
/// Creep forces depend on the normal forces, which are multipliers. The f of the waist does not know
/// lambda; here it is the one at which the accelerations satisfy the constraints, found by Newton.
/// That is the exact solution of the equations, and the multipliers of a run are the same.
class Wheelset final : public system::ConstrainedSystem {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Matrix26 = Eigen::Matrix<double, 2, 6>;
  using Vector3 = Eigen::Vector3d;
  using Vector2 = Eigen::Vector2d;

  Wheelset() {
    using Pattern = linear::BlockPattern;
    structure_.manifold.add_linear(6);
    structure_.coordinates = {{"wheelset", 0, 6}};
    system::ConstraintNode rails;
    rails.name = "rails";
    rails.size = 2;
    structure_.constraints = {rails};
    structure_.constraint_rows = 2;
    const std::vector<int> q{6}, g{2}, x{};
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
    return {0.14941e-2, 0.40089e-6, 0.11241e-5, -0.28573e-3, 0.26459e-3, 0.0};
  }

  const system::Structure& structure() const override { return structure_; }
  std::unique_ptr<system::Evaluator> evaluator() const override {
    return std::make_unique<AtPoint>(structure_);
  }
  void excitations(double, std::span<math::Jet>) const override {}
  std::vector<double> break_points(double, double) const override { return {}; }

  /// Where a wheel touches: angle on the wheel and place along the axle.
  struct Contact {
    double psi, xi;
  };
  static std::array<Contact, 2> contacts(const Vector6& q) {
    return {contact(kLeft, q), contact(kRight, q)};
  }

 private:
  // Parameters (SI).
  static constexpr double kMass = 16.08, kGravity = 9.81, kSpeed = 30.0, kRadius = 0.1;
  static constexpr double kSpinInertia = 0.0605, kInertia = 0.366;  // about the axle, across
  static constexpr double kFriction = 0.12;
  static constexpr double kArm = 0.19, kSpringX = 6400.0, kSpringZ = 6400.0;
  static constexpr double kHertzE = 1.3537956, kHertzG = 0.7115218, kPoisson = 0.28;
  static constexpr double kShear = 7.92e10, kC11 = 4.72772197, kC22 = 4.27526987,
                          kC23 = 1.97203505;
  static constexpr double kCone = 0.0262, kGauge = 0.1506, kRailRadius = 0.06;
  static constexpr double kPi = 3.1415926;  // as in the problem's definition
  static constexpr double kSpin = kSpeed / kRadius;

  enum Side { kLeft = 0, kRight = 1 };
  static constexpr double sign_of(Side side) { return side == kLeft ? 1.0 : -1.0; }

  // Arithmetic of numbers and of jets alike.
  static double number(double c, double) { return c; }
  static math::Jet number(double c, const math::Jet&) { return math::Jet::constant(c); }

  /// Rail profile, a circle: height over the lateral coordinate, and its derivatives.
  template <class T>
  struct Rail {
    T height, slope;
    double curvature = 0.0;
  };
  template <class T>
  static Rail<T> rail(Side side, const T& at) {
    using std::sqrt;
    const auto c = [&](double value) { return number(value, at); };
    const T offset = c(sign_of(side)) * at - c(kGauge + std::sin(kCone) * kRailRadius);
    const T root = sqrt(c(kRailRadius * kRailRadius) - offset * offset);
    return {root - c(kRadius + std::cos(kCone) * kRailRadius),
            c(-sign_of(side)) * offset / root, 0.0};
  }
  static double rail_curvature(Side side, double at) {
    const double offset =
        sign_of(side) * at - (kGauge + std::sin(kCone) * kRailRadius);
    const double root = std::sqrt(kRailRadius * kRailRadius - offset * offset);
    return -kRailRadius * kRailRadius / (root * root * root);
  }
  static double wheel_slope(Side side) { return -sign_of(side) * std::tan(kCone); }
  /// Wheel profile, a cone.
  template <class T>
  static T wheel(Side side, const T& xi) {
    return number(kRadius, xi) +
           number(std::tan(kCone), xi) * (number(kGauge, xi) - number(sign_of(side), xi) * xi);
  }

  /// Position of a wheel in terms of sines and cosines.
  template <class T>
  struct Attitude {
    T x, y, st, ct, sp, cp;
  };
  template <class T>
  static Attitude<T> attitude(const T& x, const T& y, const T& theta, const T& phi) {
    using std::cos;
    using std::sin;
    return {x, y, sin(theta), cos(theta), sin(phi), cos(phi)};
  }
  static Attitude<double> attitude(const Vector6& q) { return attitude(q[0], q[1], q[3], q[4]); }

  template <class T>
  static T rail_place(const Attitude<T>& a, const T& R, const T& s, const T& c, const T& xi) {
    return a.x + xi * a.ct * a.cp + R * (a.ct * a.sp * c - a.st * s);
  }

  /// The two equations of contact: normals are parallel.
  template <class T>
  static std::array<T, 2> contact_equations(Side side, const Attitude<T>& a, const T& psi,
                                            const T& xi) {
    using std::cos;
    using std::sin;
    const T s = sin(psi), c = cos(psi), R = wheel(side, xi), R1 = number(wheel_slope(side), xi);
    const T slope = rail(side, rail_place(a, R, s, c, xi)).slope;
    return {slope * (R1 * a.sp + a.cp * c) + R1 * a.ct * a.cp - a.ct * a.sp * c + a.st * s,
            R1 * a.st * a.cp - a.st * a.sp * c - a.ct * s};
  }
  template <class T>
  static T gap(Side side, const Attitude<T>& a, const T& psi, const T& xi) {
    using std::cos;
    using std::sin;
    const T s = sin(psi), c = cos(psi), R = wheel(side, xi);
    return rail(side, rail_place(a, R, s, c, xi)).height - a.y - xi * a.sp + R * a.cp * c;
  }

  static Eigen::Matrix2d contact_slope(Side side, const Attitude<double>& a, const Contact& at) {
    constexpr double kStep = 1e-6;
    Eigen::Matrix2d J;
    for (int k = 0; k < 2; ++k) {
      const double d0 = k == 0 ? kStep : 0.0, d1 = k == 1 ? kStep : 0.0;
      const auto up = contact_equations(side, a, at.psi + d0, at.xi + d1);
      const auto down = contact_equations(side, a, at.psi - d0, at.xi - d1);
      for (int i = 0; i < 2; ++i) J(i, k) = (up[i] - down[i]) / (2.0 * kStep);
    }
    return J;
  }

  static Contact contact(Side side, const Vector6& q) {
    const Attitude<double> a = attitude(q);
    Contact at{0.0, sign_of(side) * kGauge - q[0]};
    for (int k = 0; k < 20; ++k) {
      const auto F = contact_equations(side, a, at.psi, at.xi);
      const Vector2 dz = -contact_slope(side, a, at).inverse() * Vector2(F[0], F[1]);
      at.psi += dz[0];
      at.xi += dz[1];
      if (dz.norm() < 1e-14) break;
    }
    return at;
  }

  /// g along q + t v with its derivatives at t = 0. Newton with the matrix at t = 0 adds one exact
  /// derivative of psi and xi in each iteration.
  static math::Jet gap_along(Side side, const Vector6& q, const Vector6& v, const Contact& at) {
    using math::Jet;
    const auto line = [&](int i) { return Jet{q[i], v[i], 0.0}; };
    const Attitude<Jet> a = attitude(line(0), line(1), line(3), line(4));
    const Eigen::Matrix2d inverse = contact_slope(side, attitude(q), at).inverse();
    Jet psi = Jet::constant(at.psi), xi = Jet::constant(at.xi);
    for (int k = 0; k < 4; ++k) {
      const auto F = contact_equations(side, a, psi, xi);
      const auto step = [&](int i) {
        return Jet::constant(inverse(i, 0)) * F[0] + Jet::constant(inverse(i, 1)) * F[1];
      };
      const Jet d_psi = step(0), d_xi = step(1);
      psi = psi - d_psi;
      xi = xi - d_xi;
    }
    return gap(side, a, psi, xi);
  }

  /// All that one wheel needs at a point.
  struct Wheel {
    Contact at{};
    double s = 0.0, c = 1.0, R = 0.0, slope = 0.0, curvature = 0.0;
    double delta = 0.0;                // angle of the contact plane
    Vector6 Q = Vector6::Zero();       // row of G
    Eigen::Matrix<double, 6, 3> load;  // generalised forces of a force at the contact
  };

  class AtPoint final : public system::Evaluator {
   public:
    explicit AtPoint(const system::Structure& s) : G_(s.constraint) {}

    void move_to(const system::Point& point) override {
      q_ = Eigen::Map<const Vector6>(point.q.data());
      v_ = Eigen::Map<const Vector6>(point.v.data());
      place(q_);
      G_.block(0) = rows();
    }
    const linear::BlockMatrix& G() const override { return G_; }
    void constraints(std::span<double> g) override {
      for (Side side : {kLeft, kRight}) {
        g[side] = gap(side, attitude(q_), wheels_[side].at.psi, wheels_[side].at.xi);
      }
    }
    void constraint_rates(std::span<double> rate) override {
      Eigen::Map<Vector2>(rate.data()) = rows() * v_;
    }
    void gamma(std::span<double> out) override { Eigen::Map<Vector2>(out.data()) = gamma(); }
    void force(std::span<double> f) override { Eigen::Map<Vector6>(f.data()) = forces(); }
    void residual(std::span<const double> a, std::span<const double> lambda,
                  std::span<double> r) override {
      Eigen::Map<Vector6>(r.data()) =
          residual(Eigen::Map<const Vector6>(a.data()), Eigen::Map<const Vector2>(lambda.data()));
    }
    void state_rates(std::span<double>) override {}
    void mass(linear::BlockMatrix& M) override { M.block(0) = masses().asDiagonal(); }
    /// D and K by central differences.
    void linearise(std::span<const double> a, std::span<const double> mu,
                   system::Linearisation& out) override {
      const Vector6 acceleration = Eigen::Map<const Vector6>(a.data());
      const Vector2 multipliers = Eigen::Map<const Vector2>(mu.data());
      out.M.block(0) = masses().asDiagonal();
      out.G.block(0) = rows();
      out.W.set_zero();
      const Vector6 q = q_, v = v_;
      const auto column = [&](Vector6& at, int j, double step) {
        const Vector6 before = at;
        at[j] += step;
        place(q_);
        const Vector6 up = residual(acceleration, multipliers);
        at[j] = before[j] - step;
        place(q_);
        const Vector6 down = residual(acceleration, multipliers);
        at = before;
        return ((up - down) / (2.0 * step)).eval();
      };
      for (int j = 0; j < 6; ++j) {
        out.K.block(0).col(j) = column(q_, j, 1e-8);
        out.D.block(0).col(j) = column(v_, j, 1e-6);
      }
      q_ = q;
      v_ = v;
      place(q_);
    }
    system::Energy energy() override {
      const double cp = std::cos(q_[4]), spin = kSpin + v_[5] + v_[3] * std::sin(q_[4]);
      system::Energy out;
      out.kinetic = 0.5 * (kMass * v_.head<3>().squaredNorm() +
                           kInertia * (v_[3] * v_[3] * cp * cp + v_[4] * v_[4]) +
                           kSpinInertia * spin * spin);
      out.potential = kMass * kGravity * q_[1] + kSpringX * q_[0] * q_[0] +
                      kSpringZ * (q_[2] * q_[2] + kArm * kArm * q_[3] * q_[3]);
      return out;
    }
    system::Momentum momentum() override { return {}; }
    double drive_power(std::span<const double>, std::span<const double>) override { return 0.0; }

   private:
    void place(const Vector6& q) {
      const Attitude<double> a = attitude(q);
      const double st = a.st, ct = a.ct, sp = a.sp, cp = a.cp;
      for (Side side : {kLeft, kRight}) {
        Wheel& w = wheels_[side];
        w.at = contact(side, q);
        const double s = w.s = std::sin(w.at.psi), c = w.c = std::cos(w.at.psi), xi = w.at.xi;
        const double R = w.R = wheel(side, xi), R1 = wheel_slope(side);
        const double place = rail_place(a, R, s, c, xi);
        w.slope = rail(side, place).slope;
        w.curvature = rail_curvature(side, place);
        w.delta = std::atan(((R1 * cp - sp * c) * ct + s * st) / (-sign_of(side) * (R1 * sp + c * cp)));
        w.Q << w.slope, -1.0, 0.0, w.slope * (R * (-ct * s - c * sp * st) - cp * st * xi),
            -c * R * sp - cp * xi + w.slope * (cp * c * ct * R - ct * sp * xi), 0.0;
        w.load.setZero();
        w.load.topRows<3>().setIdentity();
        w.load.row(3) << -(xi * st + R * s * ct * cp), -R * s * sp, -xi * ct + R * s * st * cp;
        w.load.row(4) << -(xi * ct * sp - R * c * ct * cp), xi * cp + R * c * sp,
            xi * st * sp - R * c * st * cp;
        w.load.row(5) << -R * (c * st + s * ct * sp), R * s * cp, -R * (c * ct - s * st * sp);
      }
    }

    Matrix26 rows() const {
      Matrix26 G;
      for (int i = 0; i < 2; ++i) G.row(i) = wheels_[i].Q.transpose();
      return G;
    }
    Vector6 masses() const {
      Vector6 m;
      m << kMass, kMass, kMass, kInertia * std::cos(q_[4]), kInertia, kSpinInertia;
      return m;
    }
    Vector2 gamma() const {
      return {-gap_along(kLeft, q_, v_, wheels_[0].at).second,
              -gap_along(kRight, q_, v_, wheels_[1].at).second};
    }
    Vector6 residual(const Vector6& a, const Vector2& lambda) const {
      return masses().cwiseProduct(a) - forces() + rows().transpose() * lambda;
    }

    /// Forces without creep; the equation of the spin less the part of theta''.
    Vector6 other_forces() const {
      const double sp = std::sin(q_[4]), cp = std::cos(q_[4]);
      const double spin = kSpinInertia * (kSpin + v_[5]), yaw = v_[3], roll = v_[4];
      const double moment = -2.0 * kArm * kArm * kSpringZ * q_[3];
      Vector6 f;
      f << -2.0 * kSpringX * q_[0], -kMass * kGravity, -2.0 * kSpringZ * q_[2],
          kInertia * yaw * roll * sp - spin * roll - (kSpinInertia - kInertia) * yaw * sp * roll +
              cp * moment,
          spin * yaw * cp + (kSpinInertia - kInertia) * yaw * sp * yaw * cp,
          -kSpinInertia * yaw * roll * cp + sp * moment;
      return f;
    }

    /// Forces for given multipliers.
    Vector6 forces(const Vector2& lambda) const {
      const Vector2 E = -lambda;
      const double dl = wheels_[0].delta, dr = wheels_[1].delta;
      const double D = -std::sin(dl) * std::cos(dr) - std::sin(dr) * std::cos(dl);
      const Vector6 sum = wheels_[0].Q * E[0] + wheels_[1].Q * E[1];
      const double normal[2] = {(std::cos(dr) * sum[0] - std::sin(dr) * sum[1]) / D,
                                (-std::cos(dl) * sum[0] - std::sin(dl) * sum[1]) / D};
      Vector6 f = other_forces();
      for (Side side : {kLeft, kRight}) f += wheels_[side].load * creep(side, normal[side]);
      return f;
    }

    /// Forces at the multipliers that belong to them; theta'' taken out of the spin's equation.
    Vector6 forces() const {
      const Matrix26 G = rows();
      const Vector6 m = masses();
      const Vector2 target = gamma();
      const auto open = [&](const Vector2& lambda) {
        const Vector6 a = (forces(lambda) - G.transpose() * lambda).cwiseQuotient(m);
        return (G * a - target).eval();
      };
      Vector2 lambda = Vector2::Constant(-0.5 * kMass * kGravity);
      for (int k = 0; k < 30; ++k) {
        const double step = 1e-6 * std::max(1.0, lambda.norm());
        const Vector2 r = open(lambda);
        Eigen::Matrix2d J;
        J.col(0) = (open(lambda + Vector2(step, 0.0)) - r) / step;
        J.col(1) = (open(lambda + Vector2(0.0, step)) - r) / step;
        const Vector2 change = -J.inverse() * r;
        lambda += change;
        if (!(change.norm() > 1e-13 * lambda.norm())) break;
      }
      Vector6 f = forces(lambda);
      const double yaw = (f[3] - G.col(3).dot(lambda)) / m[3];
      f[5] -= kSpinInertia * std::sin(q_[4]) * yaw;
      return f;
    }

    /// Creep force at a wheel in the track's axes, for its normal force.
    Vector3 creep(Side side, double normal) const {
      const Wheel& w = wheels_[side];
      const double sp = std::sin(q_[4]), cp = std::cos(q_[4]);
      const double sd = sign_of(side) * std::sin(w.delta), cd = std::cos(w.delta);
      const double st = std::sin(q_[3] / cd), ct = std::cos(q_[3] / cd);
      const double R = w.R, s = w.s, c = w.c, xi = w.at.xi, spin = kSpin + v_[5];
      const double yaw = v_[3], roll = v_[4];
      const Vector3 shift = v_.head<3>();
      // Velocity of the wheel's material at the contact.
      const Vector3 slip(
          -spin * R * (st * c + ct * sp * s) + shift[0] -
              yaw * (R * (st * sp * c + ct * s) + xi * st * cp) - roll * ct * (xi * sp - R * cp * c),
          spin * R * cp * s + shift[1] + roll * (xi * cp + R * sp * c),
          -spin * R * (ct * c - st * sp * s) + kSpeed + shift[2] -
              yaw * (xi * ct * cp + R * (ct * sp * c - st * s)) + roll * st * (xi * sp - R * cp * c));
      const Vector3 rolling = slip - 2.0 * shift - Vector3(0.0, 0.0, 2.0 * kSpeed);
      const double speed = 0.5 * rolling.norm();
      const double along = (st * slip[0] + ct * slip[2]) / speed;
      const double across = (ct * cd * slip[0] + sd * slip[1] - st * cd * slip[2]) / speed;
      const double turning = (-sd * spin + cd * yaw) / speed;

      const double R1 = wheel_slope(side);
      const double A = 0.5 / (R * std::sqrt(1.0 + R1 * R1));
      const double B = -0.5 * w.curvature / std::pow(1.0 + w.slope * w.slope, 1.5);
      const double ellipse = std::cbrt(3.0 * std::abs(normal) * (1.0 - kPoisson) * kHertzE /
                                       (2.0 * kPi * (A + B) * kShear * std::sqrt(kHertzG)));
      const double bound = kFriction * normal, stiffness = kShear * ellipse * ellipse / bound;
      double tx = -bound * std::tanh(stiffness * kC11 * along);
      double ty = -bound * std::tanh(stiffness * (kC22 * across + ellipse * kC23 * turning));
      const double size = std::hypot(tx, ty);
      if (size > std::abs(bound)) tx *= std::abs(bound) / size, ty *= std::abs(bound) / size;
      return {st * tx + ct * cd * ty, sd * ty, ct * tx - st * cd * ty};
    }

    Vector6 q_ = Vector6::Zero(), v_ = Vector6::Zero();
    std::array<Wheel, 2> wheels_;
    linear::BlockMatrix G_;
  };

  system::Structure structure_;
};

}  // namespace daedal::examples
