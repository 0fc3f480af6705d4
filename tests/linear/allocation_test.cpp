// Nothing allocates between analyse() and the end of a run.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "daedal/linear/solver.hpp"
#include "linear/saddle_point.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined: GCC would see malloc paired with delete and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace daedal::linear {
namespace {

TEST(EverySolver, AllocatesNothingInFactoriseAndSolve) {
  for (const test::Graph& graph : test::graphs()) {
    for (const auto name : solver_names()) {
      const auto solver = make_solver(name);
      const BlockMatrix symmetric = graph.matrix(Symmetry::symmetric);
      const BlockMatrix general = graph.matrix(Symmetry::general);
      auto b = test::random_vector(symmetric.pattern().rows());
      solver->analyse(symmetric.shared_pattern(), graph.kinds());
      solver->factorise(general);  // klu chooses its pivots once
      const long before = allocations;
      for (int repeat = 0; repeat < 3; ++repeat) {
        solver->factorise(general);
        solver->solve(b);
        solver->solve_transposed(b);
        if (name == "klu") continue;
        solver->factorise(symmetric, Symmetry::symmetric);
        solver->solve(b);
      }
      EXPECT_EQ(allocations, before) << name << " on " << graph.name;
    }
  }
}

}  // namespace
}  // namespace daedal::linear
