#pragma once

#include <random>
#include <vector>

#include "support/build_model.hpp"

namespace daedal::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<>(low, high)(engine_);
  }
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(engine_); }
  Vec3 vector(bool planar) {
    return {uniform(), uniform(), planar ? 0.0 : uniform()};
  }
  Quaternion rotation() { return math::exp_so3(2.0 * vector(false)); }
  std::vector<double> values(std::size_t n, double size = 1.0) {
    std::vector<double> out(n);
    for (double& value : out) value = size * uniform();
    return out;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace daedal::testing
