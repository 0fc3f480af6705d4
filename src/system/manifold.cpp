#include "daedal/system/manifold.hpp"

#include <algorithm>
#include <cassert>

namespace daedal::system {

using math::Quaternion;
using math::Vec3;

namespace {

Quaternion load_quaternion(std::span<const double> q, int at) {
  return {q[at], q[at + 1], q[at + 2], q[at + 3]};
}

void store(const Quaternion& p, std::span<double> q, int at) {
  q[at] = p.w, q[at + 1] = p.x, q[at + 2] = p.y, q[at + 3] = p.z;
}

}  // namespace

void Manifold::add_linear(int dimension) {
  if (!linears_.empty() && linears_.back().storage + linears_.back().size == storage_) {
    linears_.back().size += dimension;
  } else {
    linears_.push_back({storage_, dimension_, dimension});
  }
  storage_ += dimension;
  dimension_ += dimension;
}

void Manifold::add_rotation() {
  rotations_.push_back({storage_, dimension_});
  storage_ += 4;
  dimension_ += 3;
}

void Manifold::retract(std::span<const double> q, std::span<const double> x,
                       std::span<double> out) const {
  for (const Linear& f : linears_) {
    for (int i = 0; i < f.size; ++i) out[f.storage + i] = q[f.storage + i] + x[f.tangent + i];
  }
  for (const Rotation& f : rotations_) {
    const Vec3 theta(x[f.tangent], x[f.tangent + 1], x[f.tangent + 2]);
    const Quaternion p = load_quaternion(q, f.storage) * math::exp_so3(theta);
    store(p.normalised(), out, f.storage);
  }
}

void Manifold::local(std::span<const double> q, std::span<const double> p,
                     std::span<double> x) const {
  for (const Linear& f : linears_) {
    for (int i = 0; i < f.size; ++i) x[f.tangent + i] = p[f.storage + i] - q[f.storage + i];
  }
  for (const Rotation& f : rotations_) {
    const Vec3 theta =
        math::log_so3(load_quaternion(q, f.storage).conjugate() * load_quaternion(p, f.storage));
    for (int i = 0; i < 3; ++i) x[f.tangent + i] = theta[i];
  }
}

void Manifold::identity(std::span<double> q) const {
  assert(static_cast<int>(q.size()) == storage_);
  std::fill(q.begin(), q.end(), 0.0);
  for (const Rotation& f : rotations_) q[f.storage] = 1.0;
}

void Manifold::tangents(std::span<const double> x, std::span<math::Mat3> T) const {
  for (std::size_t k = 0; k < rotations_.size(); ++k) {
    T[k] = math::tangent_so3(Eigen::Map<const Vec3>(x.data() + rotations_[k].tangent));
  }
}

void Manifold::inverse_tangents(std::span<const double> x, std::span<math::Mat3> T_inverse) const {
  for (std::size_t k = 0; k < rotations_.size(); ++k) {
    T_inverse[k] =
        math::tangent_inverse_so3(Eigen::Map<const Vec3>(x.data() + rotations_[k].tangent));
  }
}

void Manifold::apply(std::span<const math::Mat3> blocks, std::span<double> w) const {
  for (std::size_t k = 0; k < rotations_.size(); ++k) {
    Eigen::Map<Vec3> part(w.data() + rotations_[k].tangent);
    part = (blocks[k] * part).eval();
  }
}

}  // namespace daedal::system
