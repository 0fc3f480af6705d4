// Runs from event to event against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/simulate/simulation.hpp"
#include "support/build_model.hpp"

namespace daedal::testing {
namespace {

using Kind = simulate::ContactEvent::Kind;
using ::testing::DoubleNear;

/// Keeps rows and events.
struct Kept final : simulate::Recorder {
  struct Instant {
    double t;
    std::vector<double> q, v, lambda;
  };
  void begin(const simulate::RowNames& all) override { names = all; }
  void record(const simulate::Row& row) override {
    rows.push_back({row.state.t, row.state.q, row.state.v,
                    {row.multipliers.begin(), row.multipliers.end()}});
  }
  void event(const simulate::ContactEvent& event) override { events.push_back(event); }
  void end(const simulate::Summary&) override {}
  long kept() const override { return static_cast<long>(rows.size()); }

  std::vector<double> times(Kind kind) const {
    std::vector<double> out;
    for (const auto& e : events) {
      if (e.kind == kind) out.push_back(e.t);
    }
    return out;
  }

  simulate::RowNames names;
  std::vector<Instant> rows;
  std::vector<simulate::ContactEvent> events;
};

simulate::Settings settings(double until, std::string coordinates = "absolute",
                            std::string method = "hem5", double tolerance = 1e-9) {
  simulate::Settings s;
  s.until = until;
  s.coordinates = std::move(coordinates);
  s.method = std::move(method);
  s.steps = "adaptive";
  s.tolerance = tolerance;
  return s;
}

simulate::RunOptions recorded_by(simulate::Recorder& recorder) {
  simulate::RunOptions options;
  options.recorder = &recorder;
  return options;
}

model::Touch plane(const Vec3& normal, const Vec3& point = Vec3::Zero(), bool planar = false) {
  model::Touch touch;
  touch.type = model::TouchType::plane;
  touch.center = point;
  if (planar) {
    touch.frame.col(1) = normal.normalized();
    touch.frame.col(0) = Vec3(normal.y(), -normal.x(), 0.0).normalized();
  } else {
    touch.frame = frame_with_z(normal);
  }
  return touch;
}

model::Touch sphere(std::string body, double radius) {
  model::Touch touch;
  touch.type = radius > 0.0 ? model::TouchType::sphere : model::TouchType::point;
  touch.body = std::move(body);
  touch.radius = radius;
  return touch;
}

model::Contact contact(std::string name, model::Touch a, model::Touch b, double restitution,
                       double friction = 0.0) {
  model::Contact c;
  c.name = std::move(name);
  c.geometry = model::Touching{{std::move(a)}, {std::move(b)}};
  c.restitution = restitution;
  c.friction = friction;
  return c;
}

class BouncingBall : public ::testing::TestWithParam<std::tuple<std::string, int>> {};

/// Dropped from rest at height h: impacts at t0 and then after flights 2 e^k sqrt(2 h / g).
TEST_P(BouncingBall, MeetsTheFloorWhenTheClosedFormSaysAndComesToRest) {
  const auto& [method, axis] = GetParam();
  const double g = 9.81, height = 0.7, radius = 0.1, e = 0.6;
  model::Model model;
  const Vec3 up = axis < 3 ? Vec3(Vec3::Unit(axis)) : Vec3(Vec3(1.0, -2.0, 2.0) / 3.0);
  model.gravity = -g * up;
  model.bodies.push_back(rigid("ball", 2.0, {0.1, 0.1, 0.1}, (radius + height) * up));
  model.contacts.push_back(contact("floor", plane(up), sphere("ball", radius), e));
  Kept kept;
  simulate::Settings s = settings(3.0, "absolute", method);
  if (method == "bdf") s.tolerance = 1e-12, s.absolute_tolerance = 1e-15;
  const simulate::Summary summary = simulate::run(model, s, recorded_by(kept));
  ASSERT_EQ(summary.status, simulate::Status::done) << summary.message;

  std::vector<double> expected{std::sqrt(2.0 * height / g)};
  double flight = 2.0 * e * expected.front();
  // The guard acts where a flight is shorter than a millionth of the run.
  while (flight > 3e-6) {
    expected.push_back(expected.back() + flight);
    flight *= e;
  }
  const std::vector<double> impacts = kept.times(Kind::impact);
  // Explicit methods are exact for free fall; bdf starts every flight at order one.
  const bool exact = method != "bdf";
  if (exact) {
    ASSERT_EQ(impacts.size(), expected.size());
  }
  ASSERT_GE(impacts.size(), 15u);
  for (std::size_t i = 0; i < std::min(impacts.size(), expected.size()); ++i) {
    EXPECT_NEAR(impacts[i], expected[i], exact ? 1e-10 : 1e-6) << "impact " << i;
  }
  EXPECT_EQ(kept.times(Kind::settles).size(), 1u);
  EXPECT_THAT(summary.contacts->settled, ::testing::ElementsAre("floor"));
  // At rest but for rounding, and carried by the floor.
  const Kept::Instant& last = kept.rows.back();
  const Vec3 position(last.q[0], last.q[1], last.q[2]), velocity(last.v[0], last.v[1], last.v[2]);
  EXPECT_NEAR(position.dot(up), radius, 1e-14);
  EXPECT_LT(velocity.norm(), 1e-14);
  ASSERT_THAT(kept.names.multipliers, ::testing::Contains("floor.0"));
  EXPECT_NEAR(last.lambda[0], 2.0 * g, 1e-12);
  EXPECT_NEAR(summary.contacts->impact_loss, 2.0 * g * height, 1e-9);
  EXPECT_LT(summary.relative_energy_error.value(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, BouncingBall,
                         ::testing::Combine(::testing::Values("hem5", "rkf45", "bdf"),
                                            ::testing::Range(0, 4)));

/// A block on a slope, pulled by a force that grows: it sticks until F = mu N - m g sin a, slides, and
/// sticks again.
TEST(BlockOnSlope, SticksAndSlidesWhereTheClosedFormSays) {
  for (const bool planar : {true, false}) {
    for (const std::string method : {"hem5", "rkf45"}) {
      const double g = 9.81, a = 0.3, mu = 0.5, m = 2.0;
      const Vec3 normal = planar ? Vec3(-std::sin(a), std::cos(a), 0.0)
                                 : Vec3(-std::sin(a), 0.0, std::cos(a));
      const Vec3 down = planar ? Vec3(-std::cos(a), -std::sin(a), 0.0)
                               : Vec3(-std::cos(a), 0.0, -std::sin(a));
      model::Model model;
      model.planar = planar;
      model.gravity = planar ? Vec3(0.0, -g, 0.0) : Vec3(0.0, 0.0, -g);
      model.bodies.push_back(point_mass("block", m, Vec3::Zero()));
      // Down the slope, F = 10 sin t: the block moves while F + m g sin a > mu m g cos a.
      model::AppliedForce pull;
      pull.name = "pull";
      pull.at.body = "block";
      for (int k = 0; k < 3; ++k) {
        pull.value[k] = math::Expression::parse(fmt::format("{:.17g}*sin(t)", 10.0 * down[k]));
      }
      model.forces.push_back(pull);
      model.contacts.push_back(contact("slope", plane(normal, Vec3::Zero(), planar),
                                       sphere("block", 0.0), 0.0, mu));
      Kept kept;
      const simulate::Summary summary =
          simulate::run(model, settings(3.0, "absolute", method, 1e-10), recorded_by(kept));
      ASSERT_EQ(summary.status, simulate::Status::done) << summary.message;

      const double weight = m * g * std::sin(a), limit = mu * m * g * std::cos(a);
      const double slips = std::asin((limit - weight) / 10.0);
      // v = (weight - limit)/m (t - t1) + 10/m (cos t1 - cos t) vanishes again.
      const auto speed = [&](double t) {
        return (weight - limit) / m * (t - slips) + 10.0 / m * (std::cos(slips) - std::cos(t));
      };
      double low = M_PI - slips, high = 4.0;
      while (high - low > 1e-15) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        (speed(middle) > 0.0 ? low : high) = middle;
      }
      SCOPED_TRACE(fmt::format("{} {} slips {} sticks {}", method, planar, slips, low));
      const std::vector<double> slides = kept.times(Kind::slides), sticks = kept.times(Kind::sticks);
      ASSERT_FALSE(slides.empty());
      EXPECT_NEAR(slides.front(), slips, 1e-8);
      if (low < 3.0) {
        ASSERT_FALSE(sticks.empty());
        EXPECT_NEAR(sticks.back(), low, 1e-8);
      }
      EXPECT_LT(summary.relative_energy_error.value(), 1e-7);
      // The forces: along the normal, and along the tangents what holds or what rubs.
      for (const Kept::Instant& row : kept.rows) {
        const double friction =
            planar ? std::abs(row.lambda[1]) : std::hypot(row.lambda[1], row.lambda[2]);
        const bool holds = row.t < slips - 1e-6, moves = row.t > slips + 1e-3 && row.t < low - 1e-3;
        EXPECT_NEAR(row.lambda[0], m * g * std::cos(a), 1e-9) << row.t;
        if (holds || moves) {
          EXPECT_NEAR(friction, holds ? weight + 10.0 * std::sin(row.t) : limit, 1e-9) << row.t;
        }
      }
    }
  }
}

/// Each landing is an epoch of its own: more than are kept. All are carried in the end.
TEST(Contacts, EpochsThatAreForgottenAreMadeAnew) {
  constexpr int kBalls = 80;
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model::Touching touching;
  for (int i = 0; i < kBalls; ++i) {
    const std::string name = fmt::format("ball{}", i);
    model.bodies.push_back(point_mass(name, 1.0 + i, {0.1 * i, 0.1 + 0.01 * i, 0.0}));
    touching.first.push_back(sphere(name, 0.0));
  }
  touching.second.push_back(plane(Vec3::UnitY(), Vec3::Zero(), true));
  model::Contact floor;
  floor.name = "floor";
  floor.geometry = touching;
  model.contacts.push_back(floor);
  Kept kept;
  const simulate::Summary summary = simulate::run(model, settings(1.0), recorded_by(kept));
  ASSERT_EQ(summary.status, simulate::Status::done) << summary.message;
  const std::vector<double> impacts = kept.times(Kind::impact);
  ASSERT_EQ(impacts.size(), static_cast<std::size_t>(kBalls));
  ASSERT_EQ(kept.rows.back().lambda.size(), static_cast<std::size_t>(kBalls));
  for (int i = 0; i < kBalls; ++i) {
    EXPECT_NEAR(impacts[i], std::sqrt(2.0 * (0.1 + 0.01 * i) / 9.81), 1e-10);
    EXPECT_NEAR(kept.rows.back().lambda[i], 9.81 * (1.0 + i), 1e-9);
  }
}

/// Housner's block: an impact takes it from one corner to the other and leaves 1 - 3/2 sin^2(alpha) of
/// its rate; between impacts it keeps its energy.
TEST(RockingBlock, ChangesCornersByHousnersRatio) {
  const double b = 0.1, h = 0.4, m = 10.0, tilt = 0.12, g = 9.81;
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -g, 0.0};
  model.bodies.push_back(
      planar_rigid("block", m, m * (b * b + h * h) / 3.0,
                   {0.0, b * std::sin(tilt) + h * std::cos(tilt), 0.0}, tilt));
  for (const double side : {-1.0, 1.0}) {
    model::Touch corner = sphere("block", 0.0);
    corner.center = {side * b, -h, 0.0};
    model.contacts.push_back(contact(side < 0.0 ? "left" : "right",
                                     plane(Vec3::UnitY(), Vec3::Zero(), true), corner, 0.0, 2.0));
  }
  Kept kept;
  const simulate::Summary summary =
      simulate::run(model, settings(4.0, "absolute", "hem5", 1e-10), recorded_by(kept));
  ASSERT_EQ(summary.status, simulate::Status::done) << summary.message;
  const double alpha = std::atan(b / h), ratio = 1.0 - 1.5 * std::pow(std::sin(alpha), 2);
  const double R = std::hypot(b, h);
  // From rest at the tilt to the impact: 2/3 m R^2 w^2 = m g R (cos(alpha - tilt) - cos(alpha)).
  double rate = std::sqrt(1.5 * g / R * (std::cos(alpha - tilt) - std::cos(alpha)));
  int impacts = 0;
  for (std::size_t k = 1; k < kept.rows.size() && impacts < 8; ++k) {
    const Kept::Instant &before = kept.rows[k - 1], &after = kept.rows[k];
    if (before.t != after.t || std::abs(before.v[2] - after.v[2]) < 1e-3) continue;
    SCOPED_TRACE(impacts++);
    EXPECT_NEAR(std::abs(before.v[2]), rate, 1e-7);
    rate *= ratio;
    EXPECT_NEAR(std::abs(after.v[2]), rate, 1e-7);
    EXPECT_GT(before.v[2] * after.v[2], 0.0);
  }
  EXPECT_EQ(impacts, 8);
}

/// A stop given as a gap of a joint, and the same in joint coordinates, where it is a row of one angle.
TEST(JointGap, StopsAPendulumInBothCoordinates) {
  const double g = 9.81, L = 1.0, e = 0.5;
  std::array<std::vector<double>, 2> impacts;
  for (const bool joint : {false, true}) {
    model::Model model;
    model.gravity = {0.0, 0.0, -g};
    model.bodies.push_back(rigid("bar", 1.0, {0.1, 0.1, 0.1}, {L, 0.0, 0.0}));
    add_joint(model, "hinge", model::JointType::revolute, "ground", "bar", Vec3::Zero(),
              frame_with_z({0.0, 1.0, 0.0}));
    model::Contact stop;
    stop.name = "stop";
    stop.geometry =
        model::JointGap{"hinge", {model::Freedom::angle}, math::Expression::parse("1.2 - x")};
    stop.restitution = e;
    model.contacts.push_back(stop);
    Kept kept;
    const simulate::Summary summary =
        simulate::run(model, settings(4.0, joint ? "joint" : "absolute", "hem5", 1e-11),
                      recorded_by(kept));
    ASSERT_EQ(summary.status, simulate::Status::done) << summary.message;
    impacts[joint] = kept.times(Kind::impact);
    // The rate at the first impact from the energy: 1/2 (I + m L^2) w^2 = m g L sin(1.2).
    bool found = false;
    for (std::size_t k = 1; k < kept.rows.size() && !found; ++k) {
      if (kept.rows[k - 1].t != kept.rows[k].t) continue;
      found = true;
      const double rate = std::sqrt(2.0 * g * L * std::sin(1.2) / (0.1 + L * L));
      const std::vector<double>&before = kept.rows[k - 1].v, &after = kept.rows[k].v;
      const double w = joint ? std::abs(before[0]) : Vec3(before[3], before[4], before[5]).norm();
      const double back = joint ? std::abs(after[0]) : Vec3(after[3], after[4], after[5]).norm();
      EXPECT_NEAR(w, rate, 1e-8);
      EXPECT_NEAR(back, e * rate, 1e-8);
    }
    EXPECT_TRUE(found);
  }
  ASSERT_GE(impacts[0].size(), 3u);
  ASSERT_GE(impacts[1].size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(impacts[0][k], impacts[1][k], 1e-8);
}

TEST(Contacts, StartingInEachOtherIsAnErrorThatNamesThem) {
  model::Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.bodies.push_back(rigid("ball", 2.0, {0.1, 0.1, 0.1}, {0.0, 0.0, 0.08}));
  model.contacts.push_back(contact("floor", plane(Vec3::UnitZ()), sphere("ball", 0.1), 0.5));
  try {
    simulate::run(model, settings(1.0));
    ADD_FAILURE() << "accepted";
  } catch (const model::ModelError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("penetrate each other by 0.02 m"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("'floor'"));
  }
}

/// A rod that slides on its tip, tilted towards the slip, with more friction than 4/3: Painleve's
/// paradox, where neither forces nor a separation satisfy the laws.
TEST(Contacts, PainleveIsAStatusThatNamesTheContact) {
  const double l = 1.0, theta = 1.1071487177940904, m = 1.0;  // tan theta = 2
  model::Model model;
  model.planar = true;
  model.gravity = {0.0, -9.81, 0.0};
  model.bodies.push_back(planar_rigid("rod", m, m * l * l / 3.0,
                                      {-l * std::cos(theta), l * std::sin(theta), 0.0}, -theta));
  model.initial.push_back({});
  model.initial[0].body = "rod";
  model::Touch tip = sphere("rod", 0.0);
  tip.center = {l, 0.0, 0.0};
  model.contacts.push_back(
      contact("tip", plane(Vec3::UnitY(), Vec3::Zero(), true), tip, 0.0, 1.8));
  for (const double speed : {2.0, -2.0}) {
    model.initial[0].velocity = Vec3(speed, 0.0, 0.0);
    Kept kept;
    const simulate::Summary summary = simulate::run(model, settings(0.05), recorded_by(kept));
    if (speed > 0.0) {
      EXPECT_EQ(summary.status, simulate::Status::no_contact_forces) << summary.message;
      EXPECT_THAT(summary.message, ::testing::HasSubstr("'tip'"));
    } else {
      EXPECT_EQ(summary.status, simulate::Status::done) << summary.message;
    }
  }
}

}  // namespace
}  // namespace daedal::testing
