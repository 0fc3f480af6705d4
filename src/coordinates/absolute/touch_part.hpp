#pragma once

#include "daedal/coordinates/absolute/parts.hpp"
#include "daedal/coordinates/absolute/touch_field.hpp"

/// Contacts as constraint parts. They are stated as depths, s = -gap, so that the multiplier of a
/// closed contact is the force with which it pushes: 0 <= gap  _|_  lambda >= 0.
namespace daedal::coordinates::absolute {

/// A ball of B, of radius r about a point b, touches a surface of A:
///
///     s = r - phi(y),   y = R_A^T (p_B + R_B b - p_A)
///
/// With n = grad phi held fixed in A, s changes as the displacement along -n does; what the turning
/// of n adds is of second order, with the Hessian H of phi:
///
///     s_q = -slide_q(n)      s'' = -slide''(n) - y'.H y'
template <int D>
struct TouchPart {
  static constexpr int kRows = 1;
  static constexpr int kRot = Geometry<D>::kRotations;
  static constexpr int kDof = Geometry<D>::kDof;
  using Vector = typename Geometry<D>::Vector;
  using Value = Scalar1;
  TouchField<D> field;
  Vector b;
  double radius = 0.0;

  Vector place(const Frame<D>& A, const Frame<D>& B) const {
    return A.R.transpose() * (point_position(B, b) - A.p);
  }
  Distance<D> at(const Frame<D>& A, const Frame<D>& B) const { return distance(field, place(A, B)); }

  Value value(const Frame<D>& A, const Frame<D>& B) const { return Value(radius - at(A, B).value); }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, 1>& J) const {
    slide(at(A, B)).jacobian(A, B, J);
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    const Distance<D> d = at(A, B);
    const Vector rate = A.R.transpose() * (point_velocity(B, b) - A.v) - spun(A, place(A, B));
    return slide(d).quadratic(A, B) - Value(rate.dot(d.hessian * rate));
  }
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    const Distance<D> d = at(A, B);
    slide(d).hessian(A, B, mu, sink);
    if (d.hessian.isZero(0.0)) return;
    using Rows = Eigen::Matrix<double, D, kDof>;
    std::array<Rows, 2> Y;  // dy
    Y[0] << -A.R.transpose(), -A.R.transpose() * lever(A, place(A, B));
    Y[1] << A.R.transpose(), A.R.transpose() * lever(B, b);
    const auto H = (-mu[0] * d.hessian).eval();
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) hand_out(i, j, (Y[i].transpose() * H * Y[j]).eval(), sink);
    }
  }

  /// Hands a block of a pair of bodies to a sink in its four parts.
  template <class Block, class Sink>
  static void hand_out(int i, int j, const Block& block, Sink&& sink) {
    sink(i, j, 0, 0, block.template topLeftCorner<D, D>().eval());
    sink(i, j, 0, D, block.template topRightCorner<D, kRot>().eval());
    sink(i, j, D, 0, block.template bottomLeftCorner<kRot, D>().eval());
    sink(i, j, D, D, block.template bottomRightCorner<kRot, kRot>().eval());
  }

 private:
  SlidePart<D> slide(const Distance<D>& d) const { return {-d.normal, Vector::Zero(), b}; }
};

/// Two frames and what touches there, in numbers or duals: where, and in which axes.
template <int D, class T>
struct TouchPlace {
  using Vector = Eigen::Matrix<T, D, 1>;
  using Matrix = Eigen::Matrix<T, D, D>;
  std::array<Vector, 2> p;  // of the bodies
  std::array<Matrix, 2> R;
  Vector normal, point;
  std::array<Vector, D - 1> tangents;

  /// Needs p and R.
  void complete(const TouchPart<D>& part, const Distance<D>& d, const Vector& y0) {
    const Vector center = p[1] + R[1] * part.b.template cast<T>();
    const Vector y = R[0].transpose() * (center - p[0]);
    normal = R[0] * (d.normal.template cast<T>() + d.hessian.template cast<T>() * (y - y0));
    point = center - normal * T(part.radius);
    if constexpr (D == 2) {
      tangents[0] << normal[1], -normal[0];
    } else {
      // From the axis of A that is farthest from the normal.
      int axis = 0;
      d.normal.cwiseAbs().minCoeff(&axis);
      const Vector e = R[0].col(axis);
      const Vector t = e - normal * e.dot(normal);
      tangents[0] = t / sqrt(t.dot(t));
      tangents[1] = normal.cross(tangents[0]);
    }
  }
  /// What a unit force on B along a direction at the point does to body k, which gives way to B.
  Eigen::Matrix<T, Geometry<D>::kDof, 1> load(int k, const Vector& along) const {
    Eigen::Matrix<T, Geometry<D>::kDof, 1> out;
    const Vector force = k == 1 ? along : Vector(-along);
    const Vector arm = R[k].transpose() * (point - p[k]), own = R[k].transpose() * force;
    out.template head<D>() = force;
    if constexpr (D == 2) {
      out[2] = arm[0] * own[1] - arm[1] * own[0];
    } else {
      out.template tail<3>() = arm.cross(own);
    }
    return out;
  }
};

/// The tangential velocity of B at a contact vanishes: s_q v = -t.(v_B - v_A) at the point c that
/// both share, t being one of the D - 1 tangents. A row of velocities: it is no gradient.
///
///     c = p_B + R_B b - r n      (s_q v)' = -t'.w - t.(w_B x (c' - v_B) - w_A x (c' - v_A))
template <int D>
struct SlipPart {
  static constexpr int kRows = 1;
  static constexpr int kDof = Geometry<D>::kDof;
  using Vector = typename Geometry<D>::Vector;
  using Value = Scalar1;
  TouchPart<D> touch;
  int tangent = 0;

  /// Not held on position level.
  Value value(const Frame<D>&, const Frame<D>&) const { return Value::Zero(); }
  void jacobian(const Frame<D>& A, const Frame<D>& B, PartJacobian<D, 1>& J) const {
    const TouchPlace<D, double> place = place_at(A, B);
    for (int k = 0; k < 2; ++k) J[k] = -place.load(k, place.tangents[tangent]).transpose();
  }
  Value quadratic(const Frame<D>& A, const Frame<D>& B) const {
    const Distance<D> d = touch.at(A, B);
    const TouchPlace<D, double> place = place_at(A, B);
    const Vector arm = touch.place(A, B);
    const Vector y_rate = A.R.transpose() * (point_velocity(B, touch.b) - A.v) - spun(A, arm);
    const Vector n_rate = A.R * (spun(A, d.normal) + d.hessian * y_rate);
    const Vector c_rate = point_velocity(B, touch.b) - touch.radius * n_rate;
    const Vector w = velocity_at(B, place.point) - velocity_at(A, place.point);
    const Vector turning = turned_by(B, c_rate - B.v) - turned_by(A, c_rate - A.v);
    const Vector& t = place.tangents[tangent];
    return Value(-tangent_rate(A, d, place, n_rate).dot(w) - t.dot(turning));
  }
  /// d(s_q^T)/dq of each body by the increments of both; unsymmetric.
  using Slopes = std::array<Eigen::Matrix<double, kDof, 2 * kDof>, 2>;
  Slopes slopes(const Frame<D>& A, const Frame<D>& B) const;
  template <class Sink>
  void hessian(const Frame<D>& A, const Frame<D>& B, const Value& mu, Sink&& sink) const {
    const Slopes H = slopes(A, B);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const Eigen::Matrix<double, kDof, kDof> block =
            mu[0] * H[i].template middleCols<kDof>(j * kDof);
        TouchPart<D>::hand_out(i, j, block, sink);
      }
    }
  }
  Vector direction(const Frame<D>& A, const Frame<D>& B) const {
    return place_at(A, B).tangents[tangent];
  }

 private:
  TouchPlace<D, double> place_at(const Frame<D>& A, const Frame<D>& B) const {
    TouchPlace<D, double> place;
    place.p = {A.p, B.p};
    place.R = {A.R, B.R};
    place.complete(touch, touch.at(A, B), touch.place(A, B));
    return place;
  }
  static Vector velocity_at(const Frame<D>& f, const Vector& point) {
    return f.v + turned_by(f, point - f.p);
  }
  /// omega x a, of a vector in world axes.
  static Vector turned_by(const Frame<D>& f, const Vector& a) {
    return f.R * spun(f, Vector(f.R.transpose() * a));
  }
  Vector tangent_rate(const Frame<D>& A, const Distance<D>& d, const TouchPlace<D, double>& place,
                      const Vector& n_rate) const {
    if constexpr (D == 2) {
      return {n_rate[1], -n_rate[0]};
    } else {
      int axis = 0;
      d.normal.cwiseAbs().minCoeff(&axis);
      const Vector &n = place.normal, e = A.R.col(axis), &t = place.tangents[0];
      const Vector e_rate = turned_by(A, e);
      const double length = (e - n * e.dot(n)).norm();
      const Vector raw = e_rate - n * (e_rate.dot(n) + e.dot(n_rate)) - n_rate * e.dot(n);
      const Vector t_rate = (raw - t * t.dot(raw)) / length;
      if (tangent == 0) return t_rate;
      return n_rate.cross(t) + n.cross(t_rate);
    }
  }
};

}  // namespace daedal::coordinates::absolute
