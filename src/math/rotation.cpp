#include "daedal/math/rotation.hpp"

namespace daedal::math {

Quaternion quaternion_from_matrix(const Mat3& m) {
  // Four times the square of each component; the largest is at least one.
  const double ww = 1.0 + m(0, 0) + m(1, 1) + m(2, 2);
  const double xx = 1.0 + m(0, 0) - m(1, 1) - m(2, 2);
  const double yy = 1.0 - m(0, 0) + m(1, 1) - m(2, 2);
  const double zz = 1.0 - m(0, 0) - m(1, 1) + m(2, 2);
  Quaternion q;
  if (ww >= xx && ww >= yy && ww >= zz) {
    q = {ww, m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)};
  } else if (xx >= yy && xx >= zz) {
    q = {m(2, 1) - m(1, 2), xx, m(0, 1) + m(1, 0), m(0, 2) + m(2, 0)};
  } else if (yy >= zz) {
    q = {m(0, 2) - m(2, 0), m(0, 1) + m(1, 0), yy, m(1, 2) + m(2, 1)};
  } else {
    q = {m(1, 0) - m(0, 1), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1), zz};
  }
  q = q.normalised();
  return q.w < 0.0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
}

Vec3 log_so3(const Quaternion& q) {
  const Vec3 u = q.vector();
  const double sine = u.stableNorm();  // of half the angle; squares of 1e-200 would underflow
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  if (sine == 0.0) return Vec3::Zero();
  return sign * (2.0 * std::atan2(sine, sign * q.w)) * (u / sine);
}

}  // namespace daedal::math
