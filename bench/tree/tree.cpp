// Recursions of joint coordinates on serial chains and binary trees: forward dynamics (articulated
// bodies) and inverse dynamics (Newton-Euler), kinematics included, beside peers in the same run.
//
// Figures are microseconds per body, the best of several repetitions, on one thread; a ratio is our
// time over the peer's.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "daedal/coordinates/joint/recursion.hpp"
#include "daedal/coordinates/mechanism.hpp"
#include "support/chain.hpp"
#include "tree/peers.hpp"

namespace {

using namespace daedal;
using Clock = std::chrono::steady_clock;

/// Best time of one call [us], over at least 0.2 s.
template <class Call>
double best_time(Call&& call) {
  double best = std::numeric_limits<double>::max(), total = 0.0;
  for (int k = 0; k < 5 || total < 0.2; ++k) {
    const auto begin = Clock::now();
    call();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    best = std::min(best, seconds);
    total += seconds;
  }
  return best * 1e6;
}

/// The chain's bars, hung from each other as a binary tree.
model::Model binary_tree(int count) {
  model::Model m = bench::chain(count);
  for (int i = 1; i < count; ++i) m.joints[i].on[0].body = fmt::format("link[{}]", (i - 1) / 2);
  return m;
}

struct Ours {
  explicit Ours(const model::Model& model)
      : tree(coordinates::joint::tree_of<3>(model)), recursion(tree) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<> uniform(-1.0, 1.0);
    for (std::vector<double>* x : {&q, &v, &a, &tau, &out}) x->assign(tree.dof, 0.0);
    for (int i = 0; i < tree.dof; ++i) q[i] = uniform(engine), v[i] = uniform(engine);
    for (int i = 0; i < tree.dof; ++i) a[i] = uniform(engine);
  }
  void forward() {
    recursion.kinematics(q, v, {});
    recursion.clear_loads();
    recursion.forward(tau, v, {}, out);
  }
  void inverse() {
    recursion.kinematics(q, v, {});
    recursion.accelerate(a, v, {});
    recursion.clear_loads();
    recursion.add_inertia();
    recursion.collect(out);
  }

  coordinates::joint::Tree<3> tree;
  coordinates::joint::Recursion<3> recursion;
  std::vector<double> q, v, a, tau, out;
};

bench::ChainData data_of(int count) {
  bench::ChainData data;
  data.count = count;
  data.inertia = {1e-3, 1.0 / 12.0, 1.0 / 12.0};
  for (int i = 0; i < count; ++i) {
    const double tilt = i % 2 == 0 ? 0.0 : 0.5235987755982988;
    data.axis.push_back({0.0, std::cos(tilt), std::sin(tilt)});
  }
  return data;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    d = std::max(d, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return d / size;
}

void growth(const char* name, model::Model (*make)(int)) {
  fmt::print("\n{}, microseconds per body\n{:>8} {:>10} {:>10}\n", name, "N", "forward", "inverse");
  std::vector<std::array<double, 3>> rows;
  for (int n : {10, 30, 100, 300, 1000, 3000, 10000}) {
    Ours ours(make(n));
    rows.push_back({static_cast<double>(n), best_time([&] { ours.forward(); }),
                    best_time([&] { ours.inverse(); })});
    fmt::print("{:>8} {:>10.3f} {:>10.3f}\n", n, rows.back()[1] / n, rows.back()[2] / n);
  }
  for (int k : {1, 2}) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& row : rows) {
      const double x = std::log(row[0]), y = std::log(row[k]);
      sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double m = static_cast<double>(rows.size());
    fmt::print("growth exponent, {}: {:.3f}\n", k == 1 ? "forward" : "inverse",
               (m * sxy - sx * sy) / (m * sxx - sx * sx));
  }
}

void compare(int n) {
  Ours ours(bench::chain(n));
  const bench::ChainData data = data_of(n);
  const auto print = [&](const char* what, double own, const std::vector<double>& result,
                         const bench::Peer& peer) {
    std::vector<double> out(n);
    const double time =
        best_time([&] { peer.run(ours.q.data(), ours.v.data(), ours.a.data(), out.data()); });
    fmt::print("{:>8} {:>8} {:>10} {:>10.3f} {:>10.3f} {:>8.2f} {:>12.1e}\n", n, what, peer.name,
               own / n, time / n, own / time, difference(result, out));
  };
  const double forward = best_time([&] { ours.forward(); });
  const std::vector<double> accelerations = ours.out;
  print("forward", forward, accelerations, bench::bullet_forward(data));
  print("forward", forward, accelerations, bench::simbody_forward(data));
  const double inverse = best_time([&] { ours.inverse(); });
  const std::vector<double> torques = ours.out;
  print("inverse", inverse, torques, bench::kdl_inverse(data));
  print("inverse", inverse, torques, bench::simbody_inverse(data));
}

/// Analytic derivatives of the residual of an arm, in residuals.
void derivatives(int n) {
  const model::Model model = bench::chain(n);
  coordinates::Mechanism absolute = coordinates::make_absolute(model);
  const coordinates::Mechanism mechanism =
      coordinates::make_joint(model, absolute, {absolute.initial.q, absolute.initial.v});
  const system::Structure& s = mechanism.system->structure();
  const auto evaluator = mechanism.system->evaluator();
  Ours point(model);
  system::Linearisation blocks(s);
  const system::Point at{point.q, point.v, {}, {}};
  const double residual = best_time([&] {
    evaluator->move_to(at);
    evaluator->residual(point.a, {}, point.out);
  });
  const double all = best_time([&] {
    evaluator->move_to(at);
    evaluator->linearise(point.a, {}, blocks);
  });
  fmt::print("{:>8} {:>12.3f} {:>12.3f} {:>8.2f}\n", n, residual, all, all / residual);
}

}  // namespace

int main() {
  fmt::print("Peers, microseconds per body\n{:>8} {:>8} {:>10} {:>10} {:>10} {:>8} {:>12}\n", "N",
             "", "peer", "daedal", "peer", "ratio", "difference");
  for (int n : {10, 30, 100}) compare(n);
  fmt::print("\nDerivatives of the residual, microseconds\n{:>8} {:>12} {:>12} {:>8}\n", "N",
             "residual", "M, D, K", "ratio");
  for (int n : {7, 14, 28}) derivatives(n);
  growth("Serial chain", bench::chain);
  growth("Binary tree", binary_tree);
}
