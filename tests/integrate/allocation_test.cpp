// Nothing allocates inside a time step: operator new is counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/run.hpp"

namespace {
std::atomic<long> allocations{0};

[[maybe_unused]] void* counted(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
[[maybe_unused]] void* counted(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
}  // namespace

#ifndef __SANITIZE_ADDRESS__  // the sanitizer has an operator new of its own
void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, a); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#endif

namespace daedal::testing {
namespace {

class Allocation : public ::testing::TestWithParam<std::string> {};

TEST_P(Allocation, DoesNotHappenInAStep) {
  const std::vector<std::pair<Problem, double>> problems{
      {problem_of("", spatial_chain_model(20), 1.0, 0), 1e-3},
      {problem_of("", angle_driven_model(), 1.0, 0), 1e-3},
      {problem_of("", spatial_speed_driven_model(), 1.0, 0), 1e-3},
      {maxwell_problem(), 1e-3},
      {squeezer_problem(1.0, 0), 1e-5},
      {joint_problem_of("", spatial_chain_model(8), 1.0, 0), 1e-3},
      {joint_problem_of("", ball_chain_model(3), 1.0, 0), 1e-3},
      {joint_problem_of("", arch_model(30), 1.0, 0), 1e-3}};
  for (const FixedStep& method : fixed_steps()) {
    for (const auto& [problem, h] : problems) {
      for (const auto source : {correct::JacobianSource::analytic, correct::JacobianSource::grouped}) {
        integrate::Options options;
        options.linear_solver = GetParam();
        options.newton.source = source;
        options.newton.reuse = false;
        // Penalties need blocks.
        options.augmentation = problem.system->implicit_dynamics() ? 0.0 : 1.0;
        const auto integrator = method.make(*problem.system, options);
        integrate::State from = problem.start, to(problem.system->structure());
        to.memory.reserve(from.v.size() + from.x.size() + 1);
        integrator->start(from, h);
        integrator->step(from, h, to);  // the memory of `to` gets its size here
        std::swap(from, to);
        integrator->step(from, h, to);
        std::swap(from, to);
        const long before = allocations;
        bool ok = true;
        for (int n = 0; n < 5; ++n) {
          // Also with a new step size.
          ok &= integrator->step(from, n % 2 ? h : 0.7 * h, to).status == integrate::StepStatus::ok;
          std::swap(from, to);
        }
        EXPECT_EQ(allocations - before, 0)
            << method.name << " on " << problem.system->structure().dof() << " degrees of freedom";
        EXPECT_TRUE(ok);
      }
    }
  }
}

TEST_P(Allocation, DoesNotHappenInAnAdaptiveStepOfGeneralizedAlpha) {
  const std::vector<Problem> problems{problem_of("", spatial_chain_model(20), 1.0, 0),
                                      problem_of("", angle_driven_model(), 1.0, 0),
                                      problem_of("", spatial_speed_driven_model(), 1.0, 0),
                                      maxwell_problem(), squeezer_problem(0.01, 0)};
  for (const Problem& problem : problems) {
    integrate::Options options;
    options.linear_solver = GetParam();
    options.max_step = 0.1 * problem.end;
    const auto method =
        integrate::find_method("generalized-alpha")->make_adaptive(*problem.system, options);
    integrate::State start = problem.start, to(problem.system->structure()), between = to;
    method->start(start, 1e-3 * problem.end);
    for (int n = 0; n < 2; ++n) method->advance(problem.end, to);
    const long before = allocations;
    bool ok = true;
    for (int n = 0; n < 20 && to.t < problem.end; ++n) {
      const double t = to.t;
      ok &= method->advance(problem.end, to).status == integrate::StepStatus::ok;
      method->interpolate(0.5 * (t + to.t), between);
    }
    EXPECT_EQ(allocations - before, 0)
        << problem.system->structure().dof() << " degrees of freedom";
    EXPECT_TRUE(ok);
  }
}

TEST_P(Allocation, DoesNotHappenInAnAdaptiveStep) {
  const std::vector<Problem> problems{problem_of("", spatial_chain_model(20), 1.0, 0),
                                      problem_of("", angle_driven_model(), 1.0, 0),
                                      problem_of("", spatial_speed_driven_model(), 1.0, 0),
                                      maxwell_problem(), squeezer_problem(0.01, 0),
                                      joint_problem_of("", spatial_chain_model(8), 1.0, 0),
                                      joint_problem_of("", ball_chain_model(3), 1.0, 0),
                                      joint_problem_of("", arch_model(30), 1.0, 0)};
  for (const auto form :
       {formulate::Form::ggl, formulate::Form::index2, formulate::Form::index1}) {
    for (const Problem& problem : problems) {
      for (const auto source : {correct::JacobianSource::analytic, correct::JacobianSource::grouped}) {
        integrate::Options options;
        options.linear_solver = GetParam();
        options.newton.source = source;
        options.form = form;
        options.max_step = 0.1 * problem.end;
        // Partitions need blocks.
        options.jacobian_update = problem.system->implicit_dynamics()
                                      ? correct::JacobianUpdate::none
                                      : correct::JacobianUpdate::partitioned;
        const auto bdf = integrate::find_method("bdf")->make_adaptive(*problem.system, options);
        integrate::State start = problem.start, to(problem.system->structure());
        bdf->start(start, 1e-3 * problem.end);
        bdf->advance(problem.end, to);
        const long before = allocations;
        bool ok = true;
        for (int n = 0; n < 20 && to.t < problem.end; ++n) {
          ok &= bdf->advance(problem.end, to).status == integrate::StepStatus::ok;
        }
        EXPECT_EQ(allocations - before, 0)
            << name_of(form) << " on " << problem.system->structure().dof()
            << " degrees of freedom";
        EXPECT_TRUE(ok);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Allocation, ::testing::Values("dense", "tree"),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace daedal::testing
