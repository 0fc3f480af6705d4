// Time per body of factorisation and solve on a serial chain of rigid bodies (6 coordinates) joined
// by hinges (5 rows), the first one to ground. Column us_per_body is microseconds.
#include <benchmark/benchmark.h>

#include "daedal/linear/solver.hpp"
#include "linear/saddle_point.hpp"

namespace {

using namespace daedal::linear;

struct Case {
  test::Graph graph;
  BlockMatrix A;
  std::unique_ptr<Solver> solver;
  std::vector<double> b;

  Case(test::Graph mechanism, std::string_view name, Symmetry symmetry)
      : graph(std::move(mechanism)),
        A(graph.matrix(symmetry)),
        solver(make_solver(name)),
        b(test::random_vector(A.pattern().rows())) {
    solver->analyse(A.shared_pattern(), graph.kinds());
  }
};

void report(benchmark::State& state, int bodies) {
  // kIsRate | kInvert: seconds per (bodies * iterations)
  state.counters["us_per_body"] =
      benchmark::Counter(1e-6 * bodies, benchmark::Counter::kIsIterationInvariantRate |
                                            benchmark::Counter::kInvert);
}

void factorise(benchmark::State& state, const char* name, Symmetry symmetry) {
  Case c(test::chain(static_cast<int>(state.range(0))), name, symmetry);
  for (auto _ : state) benchmark::DoNotOptimize(c.solver->factorise(c.A, symmetry).ok);
  report(state, c.graph.body_count());
}

void solve(benchmark::State& state, const char* name, Symmetry symmetry) {
  Case c(test::chain(static_cast<int>(state.range(0))), name, symmetry);
  c.solver->factorise(c.A, symmetry);
  auto x = c.b;
  for (auto _ : state) {
    x = c.b;
    c.solver->solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  report(state, c.graph.body_count());
}

void factorise_graph(benchmark::State& state, test::Graph (*make)(int), const char* name,
                     Symmetry symmetry) {
  Case c(make(static_cast<int>(state.range(0))), name, symmetry);
  for (auto _ : state) {
    c.solver->factorise(c.A, symmetry);
    auto x = c.b;
    c.solver->solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  report(state, c.graph.body_count());
}

void analyse(benchmark::State& state, test::Graph (*make)(int)) {
  const test::Graph graph = make(static_cast<int>(state.range(0)));
  const auto pattern = graph.pattern();
  const auto kinds = graph.kinds();
  const auto solver = make_solver("tree");
  for (auto _ : state) solver->analyse(pattern, kinds);
  report(state, graph.body_count());
}

test::Graph hinged_chain(int n) { return test::chain(n); }
test::Graph hinged_star(int n) { return test::star(n); }
/// Position and velocity constraints together: 12 coordinates, 10 rows.
test::Graph wide_chain(int n) { return test::chain(n, 12, 10); }

#define SIZES Arg(10)->Arg(100)->Arg(1000)->Arg(10000)
BENCHMARK_CAPTURE(factorise, tree_symmetric, "tree", Symmetry::symmetric)->SIZES;
BENCHMARK_CAPTURE(solve, tree_symmetric, "tree", Symmetry::symmetric)->SIZES;
BENCHMARK_CAPTURE(factorise, tree_general, "tree", Symmetry::general)->SIZES;
BENCHMARK_CAPTURE(solve, tree_general, "tree", Symmetry::general)->SIZES;
BENCHMARK_CAPTURE(factorise, klu, "klu", Symmetry::general)->SIZES;
BENCHMARK_CAPTURE(solve, klu, "klu", Symmetry::general)->SIZES;
BENCHMARK_CAPTURE(factorise, dense, "dense", Symmetry::general)->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(solve, dense, "dense", Symmetry::general)->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(factorise_graph, four_bars_tree, &test::four_bar_chain, "tree",
                  Symmetry::symmetric)->Arg(1000);
BENCHMARK_CAPTURE(factorise_graph, four_bars_klu, &test::four_bar_chain, "klu",
                  Symmetry::symmetric)->Arg(1000);
BENCHMARK_CAPTURE(factorise_graph, star_tree, &hinged_star, "tree", Symmetry::symmetric)->Arg(800);
BENCHMARK_CAPTURE(factorise_graph, wide_chain_tree, &wide_chain, "tree", Symmetry::general)
    ->Arg(1000);
BENCHMARK_CAPTURE(factorise_graph, wide_chain_klu, &wide_chain, "klu", Symmetry::general)
    ->Arg(1000);
BENCHMARK_CAPTURE(analyse, chain, &hinged_chain)->Arg(1000)->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyse, star, &hinged_star)->Arg(1000)->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyse, four_bars, &test::four_bar_chain)->Arg(1000)->Arg(3000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
