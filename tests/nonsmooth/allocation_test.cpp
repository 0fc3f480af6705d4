// Nothing allocates in a solver that has its size; Siconos is left out.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <span>
#include <vector>

#include "daedal/nonsmooth/contact_forces.hpp"
#include "daedal/nonsmooth/impact.hpp"
#include "daedal/nonsmooth/mixed_lcp.hpp"
#include "nonsmooth/laws.hpp"
#include "nonsmooth/sphere_pile.hpp"

namespace {
std::atomic<long> allocations{0};
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// operator new and Eigen both come through here.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace daedal::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const LcpOptions kOwn{.pivoting = Pivoting::own};

template <class Function>
long allocations_of(Function&& function) {
  const long before = allocations;
  function();
  return allocations - before;
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
TEST(Allocation, IsSeen) {
  test::Random random(0);
  MatrixXd matrix;
  std::vector<double> numbers;
  EXPECT_GT(allocations_of([&] { matrix = random.matrix(40, 40); }), 0) << matrix;
  EXPECT_GT(allocations_of([&] { numbers.assign(100, matrix(0, 0)); }), 0) << numbers.back();
}
#endif

TEST(Allocation, NoneInLcpsOfAnySizeUpToTheReservedOne) {
  test::Random random(1);
  MatrixXd M = random.delassus(40, 40);
  M.diagonal().array() += 0.1;
  const VectorXd q = random.vector(40);
  VectorXd z(40), w(40);
  LcpSolver lcp(40, kOwn);
  MixedLcpSolver mixed(40, kOwn);
  for (const int n : {40, 7, 25}) {
    const auto A = M.topLeftCorner(n, n);
    EXPECT_EQ(allocations_of([&] { lcp.solve(A, q.head(n), z.head(n), w.head(n)); }), 0);
    EXPECT_EQ(allocations_of([&] { mixed.solve(n / 3, A, q.head(n), z.head(n), w.head(n)); }), 0);
  }
}

TEST(Allocation, NoneInImpactsAndForces) {
  test::Random random(2);
  FrictionOptions options;
  options.lcp = kOwn;
  for (const int dimension : {2, 3}) {
    const int contacts = 5, n = dimension * contacts;
    const MatrixXd W = random.delassus(n, n + 4);
    const VectorXd b = random.vector(n);
    const std::vector<ContactLaw> laws(contacts, {.mu = 0.2});
    const std::vector<double> e(n, 0.5);
    std::vector<ContactMotion> motions(contacts);
    VectorXd r = VectorXd::Zero(n), u(n);
    ImpactSolver impacts(options);
    impacts.reserve(n);
    impacts.reserve(contacts, dimension);
    ContactForceSolver forces({.friction = options});
    forces.reserve(contacts, dimension);
    EXPECT_EQ(allocations_of([&] {
                impacts.newton(W, b, e, r, u);
                impacts.poisson(W, b, e, r, u);
                impacts.in_sequence(W, b, e, r, u);
                impacts.newton_with_friction(dimension, W, b, std::span(e).first(contacts), laws, r,
                                             u);
                forces.solve(dimension, W, b, laws, r, u, motions);
              }),
              0);
  }
}

TEST(Allocation, NoneInSweepsNorInRefillingTheMatrix) {
  test::SpherePile pile(4, 4);
  const int n = static_cast<int>(pile.q.size());
  const std::vector<ContactLaw> laws(pile.W.contacts(), {.mu = 0.3});
  VectorXd r = VectorXd::Zero(n), u(n);
  ConeSolver solver({.tolerance = 1e-4});
  solver.reserve(pile.W.contacts(), 3);
  int sweeps = 0;
  EXPECT_EQ(allocations_of([&] { sweeps = solver.solve(pile.W, pile.q, laws, r, u).sweeps; }), 0);
  EXPECT_GT(sweeps, 1);
  ContactMatrix copy;
  copy.reserve(pile.W.contacts(), pile.W.blocks());
  EXPECT_EQ(allocations_of([&] {
              copy.clear(3);
              for (int k = 0; k < pile.W.contacts(); ++k) {
                copy.add_row();
                for (int b = pile.W.begin(k); b < pile.W.end(k); ++b) {
                  copy.add_block(pile.W.column(b)) =
                      Eigen::Map<const Eigen::Matrix3d>(pile.W.values(b));
                }
              }
            }),
            0);
  EXPECT_EQ(copy.dense(), pile.W.dense());
}

}  // namespace
}  // namespace daedal::nonsmooth
