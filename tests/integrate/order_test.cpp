// Every method of the table is of its order in q, v, x and its own multipliers, maximum over all
// steps, on every problem.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "daedal/integrate/methods.hpp"
#include "support/csv_table.hpp"
#include "support/problems.hpp"
#include "support/reference_solution.hpp"

namespace daedal::testing {
namespace {

/// A row of the table with the parameters it is tested with.
struct Variant {
  std::string name;
  const integrate::Method* method;
  integrate::Options options;
  /// Higher orders are at round-off where others begin: fewer steps show them.
  int coarsening() const {
    if (method->name == "hem5") return 4;
    return method->name == "rkf45" ? 2 : 1;
  }
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

std::vector<Variant> variants() {
  std::vector<Variant> out;
  for (const integrate::Method& method : integrate::fixed_step_methods()) {
    const auto add = [&](std::string_view suffix, const integrate::Options& options) {
      std::string name = fmt::format("{}{}", method.name, suffix);
      std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      out.push_back({name, &method, options});
    };
    const integrate::Options plain;
    if (method.name == "generalized-alpha") {
      for (const double rho : {0.0, 0.5, 0.8, 0.95}) {
        integrate::Options o = plain;
        o.rho_inf = rho;
        add(fmt::format("_rho{}", rho), o);
        o.stabilised = true;
        add(fmt::format("_ggl_rho{}", rho), o);
      }
    } else if (method.name == "hht") {
      for (const double alpha : {-0.05, -0.1, -1.0 / 3.0}) {
        integrate::Options o = plain;
        o.alpha = alpha;
        add(fmt::format("_alpha{:.2f}", alpha), o);
      }
    } else {
      integrate::Options o = plain;
      o.projection = false;  // the drift is part of the error
      add("", o);
    }
  }
  for (Variant& v : out) v.options.newton.tolerance = 1e-13;
  return out;
}

// h, h/2, h/4. Not finer: in undamped schemes round-off of eps |q| / h^2 in the multipliers adds up
// over the steps and soon exceeds their error.
constexpr int kRefinements = 3;

/// Problem and reference solution on a grid that contains every step and half step.
struct Studied {
  Problem problem;
  Trajectory reference;
  int points;
};

const Studied& studied(const std::string& name) {
  static std::map<std::string, Studied> cache;
  const auto found = cache.find(name);
  if (found != cache.end()) return found->second;
  for (const auto& [problem_name, make] : convergence_problems()) {
    if (problem_name != name) continue;
    Studied out;
    out.problem = make();
    out.points = 2 * (out.problem.steps << (kRefinements - 1));
    out.reference =
        reference_solution(*out.problem.system, out.problem.start, out.problem.end, out.points, 4);
    return cache.emplace(name, std::move(out)).first->second;
  }
  throw std::runtime_error("no such problem: " + name);
}

struct Errors {
  double q = 0.0, v = 0.0, lambda = 0.0, x = 0.0;
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

Errors run(const Studied& study, const Variant& variant, int steps) {
  const Problem& problem = study.problem;
  const system::Structure& s = problem.system->structure();
  const auto integrator = variant.method->make(*problem.system, variant.options);
  const double h = problem.end / steps;
  const int stride = study.points / steps;
  const bool midpoint = variant.method->name == "midpoint";
  integrate::State from = problem.start, to(s);
  integrator->start(from, h);
  Errors out;
  std::vector<double> dq(s.dof());
  for (int n = 1; n <= steps; ++n) {
    const integrate::StepReport report = integrator->step(from, h, to);
    EXPECT_EQ(report.status, integrate::StepStatus::ok) << "at step " << n << ", " << report.where;
    if (report.status != integrate::StepStatus::ok) return out;
    const int at = n * stride;
    s.manifold.local(study.reference.q[at], to.q, dq);
    for (double value : dq) out.q = std::max(out.q, std::abs(value));
    out.v = std::max(out.v, largest_difference(to.v, study.reference.v[at]));
    out.x = std::max(out.x, largest_difference(to.x, study.reference.x[at]));
    const int at_lambda = midpoint ? at - stride / 2 : at;
    out.lambda =
        std::max(out.lambda, largest_difference(to.lambda, study.reference.lambda[at_lambda]));
    std::swap(from, to);
  }
  return out;
}

class Order : public ::testing::TestWithParam<std::tuple<Variant, std::string>> {};

TEST_P(Order, HoldsForPositionsVelocitiesMultipliersAndStates) {
  const auto& [variant, problem_name] = GetParam();
  const Studied& study = studied(problem_name);
  std::vector<Errors> errors;
  for (int k = 0; k < kRefinements; ++k) {
    const int steps = (study.problem.steps << k) / variant.coarsening();
    errors.push_back(run(study, variant, steps));
    const Errors& e = errors.back();
    fmt::print("{:<28} {:<20} h = {:.3e}  q {:.3e}  v {:.3e}  lambda {:.3e}  x {:.3e}",
               variant.name, problem_name, study.problem.end / steps, e.q, e.v, e.lambda, e.x);
    if (k > 0) {
      const Errors& c = errors[k - 1];
      fmt::print("  slopes {:.2f} {:.2f} {:.2f} {:.2f}", std::log2(c.q / e.q),
                 std::log2(c.v / e.v), std::log2(c.lambda / e.lambda),
                 e.x > 0.0 ? std::log2(c.x / e.x) : 0.0);
    }
    fmt::print("\n");
    if (HasFailure()) return;
  }
  const Errors &fine = errors[kRefinements - 1], &coarse = errors[kRefinements - 2];
  const double order = variant.method->order;
  EXPECT_NEAR(std::log2(coarse.q / fine.q), order, 0.15);
  EXPECT_NEAR(std::log2(coarse.v / fine.v), order, 0.15);
  EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), order, 0.15);
  if (fine.x > 0.0) {
    EXPECT_NEAR(std::log2(coarse.x / fine.x), order, 0.15);
  }
}

std::vector<std::string> problem_names() {
  std::vector<std::string> out;
  for (const auto& [name, make] : convergence_problems()) out.push_back(name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Methods, Order,
                         ::testing::Combine(::testing::ValuesIn(variants()),
                                            ::testing::ValuesIn(problem_names())),
                         [](const auto& p) {
                           return std::get<0>(p.param).name + "_" + std::get<1>(p.param);
                         });

TEST(NewmarkOffTheTrapezoidalRule, IsOfFirstOrder) {
  Variant variant{"newmark", integrate::find_method("newmark"), {}};
  variant.options.gamma = 0.6;
  variant.options.beta = 0.3025;
  const Studied& study = studied("RigidPendulum");
  const int steps = study.problem.steps;
  const double ratio = run(study, variant, 2 * steps).q / run(study, variant, 4 * steps).q;
  EXPECT_NEAR(std::log2(ratio), 1.0, 0.15);
}

TEST(Rkf45WithoutLocalExtrapolation, IsOfOrderFour) {
  Variant variant{"rkf45", integrate::find_method("rkf45"), {}};
  variant.options.projection = variant.options.local_extrapolation = false;
  for (const char* name : {"PointPendulum", "HeavyTop"}) {
    const Studied& study = studied(name);
    const int steps = study.problem.steps;
    const Errors coarse = run(study, variant, steps), fine = run(study, variant, 2 * steps);
    fmt::print("{}: {:.2e} {:.2e}\n", name, coarse.q, fine.q);
    EXPECT_NEAR(std::log2(coarse.q / fine.q), 4.0, 0.2) << name;
  }
}

// The reference solutions themselves, against sources that share nothing with the library.

TEST(Reference, PendulumObeysItsReducedEquation) {
  const Studied& study = studied("RigidPendulum");
  // theta'' = -m g l sin(theta) / (J + m l^2), Runge-Kutta of order 4 with tiny steps.
  const double factor = 1.5 * 9.81 * 0.8 / (0.4 + 1.5 * 0.64);
  double theta = 1.2, omega = 0.7;
  const int fine = 20 * study.points;
  const double h = study.problem.end / fine;
  double worst = 0.0;
  for (int i = 1; i <= fine; ++i) {
    const auto f = [&](double angle) { return -factor * std::sin(angle); };
    const double k1 = omega, l1 = f(theta);
    const double k2 = omega + h / 2 * l1, l2 = f(theta + h / 2 * k1);
    const double k3 = omega + h / 2 * l2, l3 = f(theta + h / 2 * k2);
    const double k4 = omega + h * l3, l4 = f(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    if (i % 20) continue;
    const std::vector<double>& q = study.reference.q[i / 20];
    worst = std::max({worst, std::abs(q[2] - theta), std::abs(q[0] - 0.8 * std::sin(theta)),
                      std::abs(study.reference.v[i / 20][2] - omega)});
  }
  EXPECT_LT(worst, 1e-9);
}

TEST(Reference, TopObeysEulersEquationsAboutItsTip) {
  const Studied& study = studied("HeavyTop");
  // J omega' = (J omega) x omega + r x R^T m g,  p' = p o omega / 2, about the fixed point.
  const Vec3 arm(0.0, 0.0, kTopLength);
  Vec3 J = kTopInertia;
  J[0] += kTopMass * kTopLength * kTopLength;
  J[1] += kTopMass * kTopLength * kTopLength;
  using State7 = Eigen::Matrix<double, 7, 1>;
  const auto rate = [&](const State7& y) {
    const Quaternion p{y[0], y[1], y[2], y[3]};
    const Vec3 omega = y.tail<3>();
    const Vec3 weight = math::rotation_matrix(p.normalised()).transpose() *
                        Vec3(0.0, 0.0, -9.81 * kTopMass);
    const Vec3 torque = J.cwiseProduct(omega).cross(omega) + arm.cross(weight);
    const Quaternion turn = p * Quaternion{0.0, omega.x(), omega.y(), omega.z()};
    State7 out;
    out << 0.5 * turn.w, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, torque.cwiseQuotient(J);
    return out;
  };
  State7 y;
  y << kTopRotation.w, kTopRotation.x, kTopRotation.y, kTopRotation.z, kTopSpin;
  constexpr int kSub = 10;
  const double h = study.reference.spacing / kSub;
  double worst = 0.0;
  for (int i = 1; i <= study.points * kSub; ++i) {
    const State7 k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2),
                 k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (i % kSub) continue;
    const std::vector<double>& q = study.reference.q[i / kSub];
    const std::vector<double>& v = study.reference.v[i / kSub];
    const Quaternion p{y[0], y[1], y[2], y[3]};
    const Vec3 position = math::rotation_matrix(p.normalised()) * arm;
    const Vec3 turn = math::log_so3(p.conjugate() * Quaternion{q[3], q[4], q[5], q[6]});
    worst = std::max({worst, turn.norm(), (position - Vec3(q[0], q[1], q[2])).norm(),
                      (y.tail<3>() - Vec3(v[3], v[4], v[5])).norm()});
  }
  EXPECT_LT(worst, 1e-8);
}

TEST(Reference, SqueezerAgreesWithQuadPrecision) {
  const Studied& study = studied("Squeezer");
  const CsvTable table("andrews_quad_reference.csv");
  double worst_q = 0.0, worst_lambda = 0.0;
  for (const std::vector<double>& row : table.rows) {
    const double index = row[0] / study.reference.spacing;
    const int at = static_cast<int>(std::lround(index));
    if (at > study.points) break;
    for (int i = 0; i < 7; ++i) {
      worst_q = std::max(worst_q, std::abs(study.reference.q[at][i] - row[1 + i]));
    }
    for (int i = 0; i < 6; ++i) {
      worst_lambda = std::max(worst_lambda, std::abs(study.reference.lambda[at][i] - row[22 + i]));
    }
  }
  EXPECT_LT(worst_q, 1e-9);
  EXPECT_LT(worst_lambda, 1e-5);
}

}  // namespace
}  // namespace daedal::testing
