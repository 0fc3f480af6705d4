#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "daedal/coordinates/absolute/links.hpp"
#include "daedal/math/dual.hpp"
#include "daedal/math/expression.hpp"

/// Forces on wheels that roll on the ground.
///
/// A wheel is a body of revolution: its force depends on the centre c and the axis e alone, on
/// their velocities, and on the spin; so it is the same for a wheel that turns and one that does
/// not.
///
///     d = -(n - (n.e) e) / s      s = |n - (n.e) e|      the radius that points to the ground
///     v_C = v + omega x (rho d)                          the wheel at the contact
///
/// n is vertical, world z. The axis points to the left of a wheel that rolls forward. A law gives
/// force and moment at the centre, in world axes, for any scalar: Dual<12> yields the derivatives.
/// Singular for a wheel that lies flat on its side (s = 0).
namespace daedal::coordinates::absolute {

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;

template <class T>
struct WheelMotion {
  Vector3<T> c, e, v, omega;  // world axes
};

template <class T>
struct WheelLoad {
  Vector3<T> force, moment;  // on the wheel, world axes; the moment about its centre
};

struct WheelPower {
  double potential = 0.0;    // [J]
  double dissipation = 0.0;  // [W]
  double applied = 0.0;      // [W]
};

/// What slips at the contact, and how it is limited.
namespace slip {

/// sin(C atan(sigma / C)) / sigma as a function of sigma^2: the Magic Formula without curvature
/// [Pacejka2012] eq. 4.49 with E = 0, unit slope at zero and unit peak.
template <class T>
T magic(const T& squared, double C) {
  const double q = math::value_of(squared);
  if (q < 1e-5) {
    const double C2 = 1.0 / (C * C);
    const double a = -C2 / 3.0 - 1.0 / 6.0, b = C2 * C2 / 5.0 + C2 / 6.0 + 1.0 / 120.0;
    return math::chain(squared, 1.0 + q * (a + q * b), a + 2.0 * q * b);
  }
  const double sigma = std::sqrt(q), phase = C * std::atan(sigma / C);
  const double f = std::sin(phase), slope = std::cos(phase) / (1.0 + q / (C * C));
  return math::chain(squared, f / sigma, (slope - f / sigma) / (2.0 * q));
}

/// tanh(sigma) / sigma as a function of sigma^2.
template <class T>
T tanh(const T& squared) {
  const double q = math::value_of(squared);
  if (q < 1e-5) {
    return math::chain(squared, 1.0 + q * (-1.0 / 3.0 + q * 2.0 / 15.0),
                       -1.0 / 3.0 + q * 4.0 / 15.0);
  }
  const double sigma = std::sqrt(q), f = std::tanh(sigma), slope = 1.0 - f * f;
  return math::chain(squared, f / sigma, (slope - f / sigma) / (2.0 * q));
}

}  // namespace slip

/// max(x, 0) with a continuous slope: zero for x <= 0, x for x >= width.
template <class T>
T positive_part(const T& x, double width) {
  const double z = math::value_of(x) / width;
  if (z <= 0.0) return T(0.0);
  if (z >= 1.0) return x;
  return math::chain(x, width * z * z * (2.0 - z), z * (4.0 - 3.0 * z));
}

/// A tyre on the ground z = height.
///
///     delta = R - rho      rho = (c_z - height) / s       deflection and loaded radius
///     N s = [k delta + d delta']+                         so that the spring is conservative
///     s_x = -t.v_C / V     s_y = -l.v_C / V               V^2 = (t.v)^2 + v_0^2
///     (F_x, F_y) = (C_x s_x, C_y s_y) sin(C atan(sigma / C)) / sigma
///     sigma = |(C_x s_x, C_y s_y)| / (mu N)
///
/// t points forward, l to the left. The force sets in smoothly over kOnset of the radius. It rolls
/// on its loaded radius, has no aligning moment, no rolling resistance and no relaxation length.
struct TyreLaw {
  double radius = 0.0, height = 0.0;         // [m]
  double stiffness = 0.0, damping = 0.0;     // [N/m], [N s/m]
  double longitudinal = 0.0, lateral = 0.0;  // C_x [N], C_y [N/rad]
  double friction = 1.0, shape = 1.3;
  double slow_speed = 0.1;  // v_0 [m/s]

  static constexpr double kOnset = 1.0 / 300.0;
  double onset() const { return kOnset * radius; }

  template <class T>
  WheelLoad<T> load(const WheelMotion<T>& w) const {
    using std::sqrt;
    const T s = sqrt(1.0 - w.e.z() * w.e.z());
    const Vector3<T> n(0.0, 0.0, 1.0);
    const Vector3<T> t(w.e.y() / s, -w.e.x() / s, 0.0), l(w.e.x() / s, w.e.y() / s, 0.0);
    const T rho = (w.c.z() - height) / s;
    const Vector3<T> arm = (w.e * w.e.z() - n) * (rho / s);
    const Vector3<T> v_C = w.v + w.omega.cross(arm);
    const T delta = radius - rho, delta_rate = -(v_C.z() / s);
    const T N = positive_part(T(stiffness * positive_part(delta, onset()) +
                                damping * engaged(delta) * delta_rate),
                              stiffness * onset()) /
                s;
    Vector3<T> force = n * N;
    if (math::value_of(N) > 0.0 && friction > 0.0) {
      const T forward = t.dot(w.v), V = sqrt(forward * forward + slow_speed * slow_speed);
      const T limit = friction * N;
      const T a = -(longitudinal * t.dot(v_C)) / V, b = -(lateral * l.dot(v_C)) / V;
      const T scale = slip::magic(T((a * a + b * b) / (limit * limit)), shape);
      force += t * (a * scale) + l * (b * scale);
    }
    return {force, arm.cross(force)};
  }

  /// 0 without contact, 1 beyond the onset.
  template <class T>
  T engaged(const T& delta) const {
    const double z = math::value_of(delta) / onset();
    if (z <= 0.0) return T(0.0);
    if (z >= 1.0) return T(1.0);
    return math::chain(delta, z * z * (3.0 - 2.0 * z), 6.0 * z * (1.0 - z) / onset());
  }

  WheelPower power(const WheelMotion<double>& w) const {
    const WheelLoad<double> on = load(w);
    const double s = std::sqrt(1.0 - w.e.z() * w.e.z()), delta = radius - (w.c.z() - height) / s;
    const double width = onset(), z = std::min(std::max(delta / width, 0.0), 1.0);
    WheelPower p;
    p.potential = stiffness * width * width * z * z * z * (2.0 / 3.0 - 0.25 * z);
    if (delta > width) p.potential += 0.5 * stiffness * (delta * delta - width * width);
    // s' = -(n.e) (n.e') / s
    const double s_rate = -w.e.z() * w.omega.cross(w.e).z() / s;
    const double delta_rate = -(w.v.z() / s - (radius - delta) * s_rate / s);
    p.dissipation = on.force.dot(w.v) + on.moment.dot(w.omega) +
                    stiffness * positive_part(delta, width) * delta_rate;
    return p;
  }
};

/// A railway wheel that creeps on its rail, with a given normal load N [Kalker1990]:
///
///     xi = t.v_C / V     eta = l.v_C / V     phi = n.omega / V        V^2 = (t.v)^2 + v_0^2
///     (F_x, F_y) = -(f11 xi, f22 eta + f23 phi) k,     M_z = (f23 eta - f33 phi) k
///     k = tanh(sigma) / sigma,   sigma = |(f11 xi, f22 eta + f23 phi)| / (mu N)
///
/// t is tangent to the track's centre line y = Y(x), l points to its left. The radius r(y) is that
/// at the contact's lateral position y, counted from the centre line. omega contains a nominal spin
/// about the axis for wheels whose body does not roll itself. The contact plane is horizontal.
struct CreepLaw {
  math::Expression radius, track;  // r(y), Y(x) [m]
  double normal = 0.0;             // N [N]
  double friction = 0.3;
  double f11 = 0.0, f22 = 0.0, f23 = 0.0, f33 = 0.0;  // [N], [N], [N m], [N m^2]
  double spin = 0.0;                                  // [rad/s]
  double slow_speed = 0.1;                            // v_0 [m/s]

  /// The contact: where it is and how the wheel moves there.
  template <class T>
  struct Contact {
    Vector3<T> arm, t, l, v, omega;
    T speed;
  };

  template <class T>
  Contact<T> contact(const WheelMotion<T>& w) const {
    using std::sqrt;
    const T s = sqrt(1.0 - w.e.z() * w.e.z());
    const Vector3<T> n(0.0, 0.0, 1.0), d = (w.e * w.e.z() - n) / s;
    // The radius at the contact, whose place depends on the radius a little.
    T r(0.0), slope(0.0);
    for (int k = 0; k < 2; ++k) {
      const T x = w.c.x() + r * d.x(), y = w.c.y() + r * d.y();
      const math::Partials line = track.evaluate_partials(math::value_of(x), 0.0);
      const T lateral = y - math::chain(x, line.value, line.x);
      const math::Partials profile = radius.evaluate_partials(0.0, math::value_of(lateral));
      r = math::chain(lateral, profile.value, profile.y);
      slope = math::chain(x, line.x, line.xx);
    }
    const T length = sqrt(1.0 + slope * slope);
    Contact<T> at;
    at.t = Vector3<T>(1.0 / length, slope / length, 0.0);
    at.l = Vector3<T>(-slope / length, 1.0 / length, 0.0);
    at.arm = d * r;
    at.omega = w.omega + w.e * T(spin);
    at.v = w.v + at.omega.cross(at.arm);
    const T forward = at.t.dot(w.v);
    at.speed = sqrt(forward * forward + slow_speed * slow_speed);
    return at;
  }

  template <class T>
  WheelLoad<T> load(const WheelMotion<T>& w) const {
    const Contact<T> at = contact(w);
    const T xi = at.t.dot(at.v) / at.speed, eta = at.l.dot(at.v) / at.speed;
    const T phi = at.omega.z() / at.speed;
    const T a = -(f11 * xi), b = -(f22 * eta) - f23 * phi;
    const double limit = friction * normal;
    const T scale = slip::tanh(T((a * a + b * b) / (limit * limit)));
    const Vector3<T> force = at.t * (a * scale) + at.l * (b * scale);
    Vector3<T> moment = at.arm.cross(force);
    moment.z() += (f23 * eta - f33 * phi) * scale;
    return {force, moment};
  }

  /// What the nominal spin takes in or gives is applied power: something holds it.
  WheelPower power(const WheelMotion<double>& w) const {
    const WheelLoad<double> on = load(w);
    WheelPower p;
    p.applied = -on.moment.dot(w.e) * spin;
    p.dissipation = on.force.dot(w.v) + on.moment.dot(w.omega) - p.applied;
    return p;
  }
};

/// A wheel on a body.
template <class Law>
struct WheelElement {
  Law law;
  Links<3> links;  // the ground and the body
  Eigen::Vector3d center, axis;

  WheelMotion<double> motion(const Frame<3>& f) const {
    return {point_position(f, center), f.R * axis, point_velocity(f, center), f.R * f.omega};
  }

  /// With derivatives by the body's position and rotation, its velocity and spin.
  WheelMotion<math::Dual<12>> differentiable(const Frame<3>& f) const {
    const WheelMotion<double> at = motion(f);
    using Slopes = Eigen::Matrix<double, 3, 12>;
    const auto seeded = [](const Eigen::Vector3d& value, const Slopes& slopes) {
      Vector3<math::Dual<12>> out;
      for (int k = 0; k < 3; ++k) out[k] = {value[k], slopes.row(k).transpose().array()};
      return out;
    };
    const Eigen::Matrix3d I = Eigen::Matrix3d::Identity(), O = Eigen::Matrix3d::Zero();
    const Eigen::Matrix3d P = lever(f, center);
    Slopes c, e, v, omega;
    c << I, P, O, O;
    e << O, lever(f, axis), O, O;
    v << O, lever(f, spun(f, center)), I, P;
    omega << O, lever(f, f.omega), O, f.R;
    return {seeded(at.c, c), seeded(at.e, e), seeded(at.v, v), seeded(at.omega, omega)};
  }
};

}  // namespace daedal::coordinates::absolute
