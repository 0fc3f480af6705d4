#include "daedal/nonsmooth/local_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::nonsmooth {

namespace {

constexpr int kIterations = 100;
constexpr double kSingular = 1e-13;  // eigenvalues of S, relative to W

/// Projects (n, t) on the cone |t| <= mu n.
template <class Vector>
Vector project(const Vector& y, double mu) {
  constexpr int T = Vector::RowsAtCompileTime - 1;
  const auto t = y.template tail<T>();
  const double size = t.norm();
  if (size <= mu * y[0]) return y;
  Vector result = Vector::Zero();
  if (mu * size <= -y[0]) return result;
  result[0] = (y[0] + mu * size) / (1.0 + mu * mu);
  if (size > 0.0) result.template tail<T>() = (mu * result[0] / size) * t;
  return result;
}

}  // namespace

template <int D>
void LocalContact<D>::set(const Matrix& W, const ContactLaw& law) {
  mu_ = law.mu;
  sliding_ = law.sliding;
  normal_ = sliding_normal_ = W(0, 0);
  mean_ = W.trace() / D;
  if constexpr (D > 1) {
    const Tangent w = W.template bottomLeftCorner<T, 1>();
    for (int i = 0; i < T; ++i) direction_[i] = law.direction[i];
    if (sliding_) {
      sliding_normal_ -= mu_ * W.template topRightCorner<1, T>().transpose().dot(direction_);
    }
    Eigen::Matrix<double, T, T> S = W.template bottomRightCorner<T, T>();
    if (normal_ > 0.0) S -= w * w.transpose() / normal_;
    vectors_.setIdentity();
    if constexpr (D == 3) {  // one rotation makes S diagonal
      const double angle = 0.5 * std::atan2(2.0 * S(0, 1), S(0, 0) - S(1, 1));
      const double c = std::cos(angle), s = std::sin(angle);
      vectors_ << c, -s, s, c;
    }
    stiffness_ = (vectors_.transpose() * S * vectors_).diagonal();
    stiffness_ = stiffness_.cwiseMax(kSingular * W.trace());
    coupling_ = vectors_.transpose() * w;
  }
}

template <int D>
void LocalContact<D>::slide(const Tangent& b, double p_normal, Vector& r) const {
  if constexpr (D == 2) {
    const double side = b[0] > 0.0 ? -1.0 : 1.0;
    r[0] = -p_normal / (normal_ + mu_ * coupling_[0] * side);
    r[1] = side * mu_ * r[0];
  } else if constexpr (D == 3) {
    // f(s) = mu r_N / |r_T| - 1 is nearly linear in s, and grows through zero.
    Tangent t;
    double slope = 0.0;
    const auto f = [&](double s) {
      const Tangent inverse = (stiffness_.array() + s).inverse();
      t = -b.cwiseProduct(inverse);
      const Tangent dt = -t.cwiseProduct(inverse);
      const double size = t.norm(), normal = -(p_normal + coupling_.dot(t)) / normal_;
      slope = mu_ * (-coupling_.dot(dt) / normal_ - normal * t.dot(dt) / (size * size)) / size;
      return mu_ * normal / size - 1.0;
    };
    double low = 0.0, high = std::numeric_limits<double>::infinity();
    double s = std::max(-b.norm() * normal_ / (mu_ * p_normal) - stiffness_.mean(), 0.0);
    for (int i = 0; i < kIterations; ++i) {
      const double value = f(s);
      if (std::abs(value) <= 4.0 * std::numeric_limits<double>::epsilon()) break;
      (value < 0.0 ? low : high) = s;
      double next = s - value / slope;
      if (!(next > low && next < high)) {
        next = std::isinf(high) ? 2.0 * s + stiffness_.maxCoeff() : 0.5 * (low + high);
      }
      const bool arrived = std::abs(next - s) <= 1e-15 * (s + stiffness_.minCoeff());
      s = next;
      if (arrived) break;
    }
    f(s);
    r[0] = t.norm() / mu_;
    r.template tail<T>() = vectors_ * t;
  }
}

template <int D>
bool LocalContact<D>::solve(const Vector& p, Vector& r) const {
  r.setZero();
  if (p[0] >= 0.0) return true;
  if (!(normal_ > 0.0)) return false;
  if (D == 1 || mu_ == 0.0) {
    r[0] = -p[0] / normal_;
    return true;
  }
  if constexpr (D > 1) {
    if (sliding_) {
      if (!(sliding_normal_ > 0.0)) return false;
      r[0] = -p[0] / sliding_normal_;
      r.template tail<T>() = -mu_ * r[0] * direction_;
      return true;
    }
    const Tangent b = vectors_.transpose() * p.template tail<T>() - coupling_ * (p[0] / normal_);
    const Tangent stick = -b.cwiseQuotient(stiffness_);
    r[0] = -(p[0] + coupling_.dot(stick)) / normal_;
    if (stick.norm() <= mu_ * r[0]) {
      r.template tail<T>() = vectors_ * stick;
    } else {
      slide(b, p[0], r);
    }
  }
  return true;
}

template <int D>
double LocalContact<D>::error(const Vector& r, const Vector& u) const {
  if (!(mean_ > 0.0)) return std::max(-u[0], 0.0);
  if (D == 1 || mu_ == 0.0 || sliding_) {
    const double normal = std::abs(std::min(u[0], mean_ * r[0]));
    Tangent friction = r.template tail<T>();
    if (sliding_) friction += mu_ * r[0] * direction_;
    return std::max(normal, mean_ * friction.norm());
  }
  Vector shifted = r - u / mean_;
  shifted[0] -= mu_ * u.template tail<T>().norm() / mean_;
  return mean_ * (r - project(shifted, mu_)).norm();
}

template class LocalContact<1>;
template class LocalContact<2>;
template class LocalContact<3>;

}  // namespace daedal::nonsmooth
