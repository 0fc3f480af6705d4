// IFToMM benchmarks against their reference files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/csv_table.hpp"
#include "support/run.hpp"

namespace daedal::testing {
namespace {

/// Largest and last deviation of a body's point from columns 1.. of a reference file, and of the
/// energy from its start.
struct Deviation {
  double position = 0.0, last = 0.0, energy = 0.0;
};

Deviation deviation(const model::Model& model, const integrate::Options& options,
                    std::string_view method, double h, double end, const CsvTable& table,
                    int body, const Vec3& point, int components) {
  coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  const system::ConstrainedSystem& system = *mechanism.system;
  const integrate::State start =
      consistent_start(system, 0.0, mechanism.initial.q, mechanism.initial.v, mechanism.initial.x);
  const auto integrator = integrate::find_method(method)->make(system, options);
  const auto evaluator = system.evaluator();
  const double E0 = energy_of(system, *evaluator, start);
  Deviation out;
  std::size_t row = 1;
  run(system, start, *integrator, h, static_cast<int>(std::lround(end / h)),
      [&](const integrate::State& state, const auto&) {
        out.energy = std::max(out.energy, std::abs(energy_of(system, *evaluator, state) - E0));
        if (row >= table.rows.size() || state.t < table.rows[row][0] - 0.5 * h) return;
        mechanism.observer->move_to({state.q, state.v, state.x, {}}, state.a, state.lambda);
        const Vec3 p = mechanism.observer->position(body, point);
        out.last = 0.0;
        for (int k = 0; k < components; ++k) {
          out.last = std::max(out.last, std::abs(p[k] - table.rows[row][1 + k]));
        }
        out.position = std::max(out.position, out.last);
        ++row;
      });
  return out;
}

// A01: point mass on a rod, started horizontally at rest.

TEST(Benchmarks, SimplePendulumMatchesTheEllipticFunctions) {
  const CsvTable table("iftomm_A01_pendulum.csv");
  const model::Model model = point_pendulum_model(-std::numbers::pi / 2, 0.0);
  for (const integrate::Method& method : integrate::fixed_step_methods()) {
    // The undamped rule is not meant for long runs of constrained systems, see NewmarkFamily.
    const double end = method.name == "newmark" ? 2.0 : 10.0;
    const auto at = [&](double h) {
      return deviation(model, {}, method.name, h, end, table, 0, Vec3::Zero(), 2);
    };
    const Deviation coarse = at(2e-3), fine = at(1e-3);
    fmt::print("A01 {}: h = 2e-3 {:.2e} m, h = 1e-3 {:.2e} m, {:.2e} J\n", method.name,
               coarse.position, fine.position, fine.energy);
    if (method.order > 2) {  // at round-off, summed up over the steps
      EXPECT_LT(fine.position, 1e-10);
      continue;
    }
    EXPECT_LT(fine.position, 2e-3);
    EXPECT_NEAR(std::log2(coarse.position / fine.position), 2.0, 0.15);
  }
}

// A02: N four-bars in a row.

model::Model n_four_bar(int N) {
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  const auto name = [](const char* what, int i) { return fmt::format("{}{}", what, i); };
  for (int i = 0; i <= N; ++i) {
    const Vec3 foot(i, 0.0, 0.0), top(i, 1.0, 0.0);
    model.bodies.push_back(planar_rigid(name("rocker", i), 1.0, 1.0 / 12.0, 0.5 * (foot + top)));
    model.initial.push_back(moving(name("rocker", i), {0.5, 0.0, 0.0}, {0.0, 0.0, -1.0}));
    add_joint(model, name("foot", i), model::JointType::revolute, "ground", name("rocker", i), foot);
    if (i == 0) continue;
    model.bodies.push_back(planar_rigid(name("coupler", i), 1.0, 1.0 / 12.0,
                                        {i - 0.5, 1.0, 0.0}));
    model.initial.push_back(moving(name("coupler", i), {1.0, 0.0, 0.0}, Vec3::Zero()));
    add_joint(model, name("left", i), model::JointType::revolute, name("rocker", i - 1),
              name("coupler", i), {i - 1.0, 1.0, 0.0});
    add_joint(model, name("right", i), model::JointType::revolute, name("rocker", i),
              name("coupler", i), top);
  }
  return model;
}

const Vec3 kTopOfRocker(0.0, 0.5, 0.0);

TEST(Benchmarks, DoubleFourBarMatchesItsReducedModel) {
  const CsvTable table("iftomm_A02_N2.csv");
  const model::Model model = n_four_bar(2);
  integrate::Options options;
  options.rho_inf = 0.95;
  for (const char* method : {"generalized-alpha", "midpoint"}) {
    const auto at = [&](double h) {
      return deviation(model, options, method, h, 10.0, table, 0, kTopOfRocker, 2);
    };
    const Deviation coarse = at(2e-3), fine = at(1e-3);
    fmt::print("A02 N = 2 {}: h = 2e-3 {:.2e} m ({:.2e} at the end) {:.2e} J, h = 1e-3 {:.2e} m "
               "({:.2e} at the end) {:.2e} J\n",
               method, coarse.position, coarse.last, coarse.energy, fine.position, fine.last,
               fine.energy);
    EXPECT_LT(fine.last, 1e-4);
    EXPECT_LT(fine.position, 2e-4);
    EXPECT_LT(fine.energy, 2e-3);
    EXPECT_NEAR(std::log2(coarse.position / fine.position), 2.0, 0.15);
    EXPECT_NEAR(std::log2(coarse.energy / fine.energy), 2.0, 0.15);
  }
}

// All links are horizontal twice per swing; there the mechanism could fold N ways, and the reactions
// pass through infinity. Which step comes how near to it is chance, so several sizes are tried.
TEST(Benchmarks, FortyFourBarsPassTheSingularConfiguration) {
  const CsvTable table("iftomm_A02_N40.csv");
  integrate::Options options;
  options.rho_inf = 0.95;
  struct Case {
    const char* method;
    double h, end, position, energy;
  };
  for (const Case& c : {Case{"generalized-alpha", 2e-3, 20.0, 3e-3, 0.1},
                        Case{"generalized-alpha", 1e-3, 20.0, 6e-4, 0.03},
                        Case{"generalized-alpha", 8e-4, 10.0, 4e-4, 0.02},
                        Case{"generalized-alpha", 4e-4, 10.0, 6e-5, 0.005},
                        Case{"generalized-alpha", 2e-4, 4.0, 1e-5, 0.002},
                        Case{"midpoint", 1e-3, 10.0, 1e-4, 2e-4},
                        Case{"midpoint", 4e-4, 10.0, 1.6e-5, 4e-5}}) {
    const Deviation d = deviation(n_four_bar(40), options, c.method, c.h, c.end, table, 0,
                                  kTopOfRocker, 2);
    fmt::print("A02 N = 40 {}: h = {} {:.2e} m {:.2e} J\n", c.method, c.h, d.position, d.energy);
    EXPECT_LT(d.position, c.position);
    EXPECT_LT(d.energy, c.energy);
  }
}

// A04: Bricard's mechanism, one redundant constraint.

model::Model bricard() {
  const Vec3 P[6] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vec3 axis[6] = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(),
                        Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  model::Model model;
  model.gravity = {0.0, -9.81, 0.0};
  const double axial = 0.01 / 6.0, transverse = 1.01 / 12.0;
  for (int i = 0; i < 5; ++i) {
    const Vec3 direction = (P[i + 1] - P[i]).cwiseAbs();
    const Vec3 inertia = Vec3::Constant(transverse) + (axial - transverse) * direction;
    model.bodies.push_back(
        rigid(fmt::format("rod{}", i + 1), 1.0, inertia, 0.5 * (P[i] + P[i + 1])));
  }
  for (int i = 0; i < 6; ++i) {
    add_joint(model, fmt::format("hinge{}", i + 1), model::JointType::revolute,
              i == 0 ? "ground" : fmt::format("rod{}", i),
              i == 5 ? "ground" : fmt::format("rod{}", i + 1), P[i], frame_with_z(axis[i]));
  }
  return model;
}

class Bricard : public ::testing::TestWithParam<std::string> {};

TEST_P(Bricard, RunsWithItsRedundantConstraint) {
  const CsvTable table("iftomm_A04_bricard.csv");
  for (const FixedStep& method : fixed_steps()) {
    integrate::Options options;
    options.stabilised = method.stabilised;
    options.linear_solver = GetParam();
    const Deviation d = deviation(bricard(), options, method.method->name, 1e-3, 5.0, table, 1,
                                  {0.0, -0.5, 0.0}, 3);
    fmt::print("A04 {} {}: {:.2e} m {:.2e} J\n", method.name, GetParam(), d.position, d.energy);
    EXPECT_LT(d.position, 1e-4) << method.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Bricard, ::testing::Values("dense", "tree", "klu"),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace daedal::testing
