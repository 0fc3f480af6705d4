// Contacts whose forces and accelerations can be written down, in all coordinates.
#include <gtest/gtest.h>

#include "support/dense_accelerations.hpp"
#include "support/random_mechanism.hpp"

namespace daedal::testing {
namespace {

using coordinates::ContactMode;
using coordinates::ContactState;
using model::JointType;
using model::TouchType;

constexpr double kMass = 2.0, kGravity = 9.81;

model::Touch touch(TouchType type, std::string body, const Vec3& center = Vec3::Zero(),
                   const Mat3& frame = Mat3::Identity()) {
  model::Touch part;
  part.type = type;
  part.body = std::move(body);
  part.center = center;
  part.frame = frame;
  return part;
}

model::Touch ball(std::string body, double radius, const Vec3& center = Vec3::Zero()) {
  model::Touch part = touch(TouchType::sphere, std::move(body), center);
  part.radius = radius;
  return part;
}

void add_contact(model::Model& model, const model::Touch& a, const model::Touch& b,
                 double friction = 0.0) {
  model::Contact contact;
  contact.name = fmt::format("contact{}", model.contacts.size());
  contact.geometry = model::Touching{{a}, {b}};
  contact.friction = friction;
  model.contacts.push_back(std::move(contact));
}

void add_gap(model::Model& model, std::string joint, std::vector<model::Freedom> of,
             std::string_view gap) {
  model::Contact contact;
  contact.name = "stop";
  contact.geometry = model::JointGap{std::move(joint), std::move(of), math::Expression::parse(gap)};
  model.contacts.push_back(std::move(contact));
}

/// A mechanism at its initial state, where its contacts are closed, with accelerations and forces.
struct Solved {
  Solved(const model::Model& model, View view, const std::vector<ContactState>& states)
      : mechanism(make_mechanism(model, view, states)), contacts(mechanism.contacts) {
    const system::Structure& s = mechanism.system->structure();
    const coordinates::InitialGuess& start = mechanism.initial;
    const auto evaluator = mechanism.system->evaluator();
    const system::Point at{start.q, start.v, start.x, {}};
    evaluator->move_to(at);
    std::vector<double> g(s.constraint_rows), rate(s.constraint_rows);
    evaluator->constraints(g);
    evaluator->constraint_rates(rate);
    for (int i = 0; i < s.constraint_rows; ++i) {
      EXPECT_NEAR(g[i], 0.0, 1e-12) << s.row_name(i);
      EXPECT_NEAR(rate[i], 0.0, 1e-12) << s.row_name(i);
    }
    const Accelerations solution = dense_accelerations(*evaluator, s);
    lambda = solution.lambda;
    friction_power = evaluator->drive_power(solution.a, lambda);
    mechanism.observer->move_to(at, solution.a, lambda);
  }

  double normal(int point = 0) const { return lambda[contacts[point].depth]; }
  Vec3 acceleration(int body = 0) const {
    return mechanism.observer->acceleration(body, Vec3::Zero());
  }

  coordinates::Mechanism mechanism;
  std::vector<coordinates::ContactRows> contacts;
  std::vector<double> lambda;
  double friction_power = 0.0;
};

void expect_near(const Vec3& actual, const Vec3& expected, double tolerance = 1e-10) {
  EXPECT_LT((actual - expected).norm(), tolerance)
      << actual.transpose() << " instead of " << expected.transpose();
}

class ContactForms : public ::testing::TestWithParam<std::tuple<View, bool>> {
 protected:
  View view() const { return std::get<0>(GetParam()); }
  bool planar() const { return std::get<1>(GetParam()); }
  model::Model model() const {
    model::Model out;
    out.planar = planar();
    return out;
  }
  /// The axes of a profile or plane whose normal is `n`.
  Mat3 frame_with_normal(const Vec3& n) const {
    return planar() ? frame_with_x_in_plane(std::atan2(-n.x(), n.y())) : frame_with_z(n);
  }
  Vec3 up() const { return planar() ? Vec3::UnitY() : Vec3::UnitZ(); }
  /// Horizontal directions.
  std::vector<Vec3> ways() const {
    if (planar()) return {Vec3::UnitX(), -Vec3::UnitX()};
    return {Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitX(), Vec3(0.6, -0.8, 0.0)};
  }
  /// With its axes along those of a frame.
  model::Body body(std::string name, double inertia, const Vec3& position,
                   const Mat3& frame = Mat3::Identity()) const {
    if (planar()) {
      return planar_rigid(std::move(name), kMass, inertia, position,
                          std::atan2(frame(1, 0), frame(0, 0)));
    }
    return rigid(std::move(name), kMass, Vec3::Constant(inertia), position,
                 math::quaternion_from_matrix(frame));
  }
};

TEST_P(ContactForms, BallRestsOnAPlaneWithItsWeight) {
  constexpr double radius = 0.3;
  const Vec3 foot(0.4, planar() ? -0.2 : 0.1, planar() ? 0.0 : -0.6);
  for (int k = 0; k < (planar() ? 2 : 3); ++k) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3 n = sign * Vec3::Unit(k);
      for (const bool ball_first : {true, false}) {
        model::Model m = model();
        m.gravity = -kGravity * n;
        m.bodies.push_back(body("ball", 0.1, foot + radius * n));
        const model::Touch floor = touch(TouchType::plane, "ground", foot, frame_with_normal(n));
        const model::Touch on = ball("ball", radius);
        add_contact(m, ball_first ? on : floor, ball_first ? floor : on, 0.4);
        const Solved s(m, view(), {{ContactMode::closed}});
        EXPECT_NEAR(s.normal(), kMass * kGravity, 1e-12);
        expect_near(s.acceleration(), Vec3::Zero());
        const Solved open(m, view(), {{ContactMode::open}});
        EXPECT_EQ(open.contacts[0].depth, -1);
        expect_near(open.acceleration(), m.gravity);
      }
    }
  }
}

TEST_P(ContactForms, BodyWithAPlaneRestsOnABallOfTheGround) {
  const Vec3 foot = 0.5 * up() + 0.3 * Vec3::UnitX();
  model::Model m = model();
  m.gravity = -kGravity * up();
  m.bodies.push_back(body("table", 0.7, foot + 0.2 * up()));
  add_contact(m, ball("ground", 0.1, foot - 0.1 * up()),
              touch(TouchType::plane, "table", -0.2 * up(), frame_with_normal(-up())));
  const Solved s(m, view(), {{ContactMode::sticking}});
  EXPECT_NEAR(s.normal(), kMass * kGravity, 1e-12);
  expect_near(s.acceleration(), Vec3::Zero());
}

/// A slope of angle alpha that falls towards a horizontal direction.
struct Slope {
  Vec3 along, normal;  // along: downhill
  Slope(const Vec3& towards, const Vec3& up)
      : along(std::cos(alpha) * towards - std::sin(alpha) * up),
        normal(std::sin(alpha) * towards + std::cos(alpha) * up) {}
  static constexpr double alpha = 0.4;
};

class BlockOnSlope : public ContactForms {
 protected:
  /// A block on a slope with a velocity downhill; its lower corners are the first points.
  model::Model block(const Slope& slope, double friction, double speed) const {
    model::Model m = model();
    m.gravity = -kGravity * up();
    const Vec3 size(0.4, 0.3, 0.2);
    const double half = 0.5 * (planar() ? size.y() : size.z());
    const Vec3 base = 0.4 * up() - 0.1 * Vec3::UnitX();
    const Mat3 floor = frame_with_normal(slope.normal);
    const Mat3 turned = planar() ? floor : Mat3(floor * frame_with_x_in_plane(0.3));
    m.bodies.push_back(body("block", 0.05, base + 0.7 * slope.along + half * slope.normal, turned));
    m.initial.push_back(moving("block", speed * slope.along, Vec3::Zero()));
    model::Touch box = touch(TouchType::box, "block");
    box.size = size;
    add_contact(m, touch(TouchType::plane, "ground", base, floor), box, friction);
    return m;
  }
  int lower() const { return planar() ? 2 : 4; }
  std::vector<ContactState> lower_corners(ContactState state) const {
    std::vector<ContactState> states(2 * lower());
    std::fill_n(states.begin(), lower(), state);
    return states;
  }
  double normal_force(const Solved& s) const {
    double sum = 0.0;
    for (int k = 0; k < lower(); ++k) sum += s.normal(k);
    return sum;
  }
};

TEST_P(BlockOnSlope, StickingCornersCarryItsWeight) {
  for (const Vec3& way : ways()) {
    const Slope slope(way, up());
    const Solved s(block(slope, 0.9, 0.0), view(), lower_corners({ContactMode::sticking}));
    expect_near(s.acceleration(), Vec3::Zero());
    EXPECT_NEAR(normal_force(s), kMass * kGravity * std::cos(slope.alpha), 1e-10);
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();  // the tangents of all corners agree
    for (int k = 0; k < lower(); ++k) {
      for (int i = 0; i < (planar() ? 1 : 2); ++i) friction[i] += s.lambda[s.contacts[k].slip + i];
    }
    EXPECT_NEAR(friction.norm(), kMass * kGravity * std::sin(slope.alpha), 1e-10);
    for (std::size_t k = lower(); k < s.contacts.size(); ++k) EXPECT_EQ(s.contacts[k].depth, -1);
  }
}

TEST_P(BlockOnSlope, SlidingIsHeldBackByFriction) {
  constexpr double mu = 0.3;
  for (const Vec3& way : ways()) {
    const Slope slope(way, up());
    for (const double speed : {0.8, -0.8}) {
      // The tangent in the plane is the normal turned to the right.
      const double along = Vec3(slope.normal.y(), -slope.normal.x(), 0.0).dot(slope.along);
      const ContactState sliding{ContactMode::sliding, along * speed > 0.0 ? 1.0 : -1.0};
      const Solved s(block(slope, mu, speed), view(), lower_corners(sliding));
      const double weight = kMass * kGravity * std::cos(slope.alpha);
      const double back = speed > 0.0 ? mu : -mu;
      expect_near(s.acceleration(),
                  kGravity * (std::sin(slope.alpha) - back * std::cos(slope.alpha)) * slope.along);
      EXPECT_NEAR(normal_force(s), weight, 1e-10);
      EXPECT_NEAR(s.friction_power, -mu * weight * std::abs(speed), 1e-10);
    }
  }
}

TEST_P(BlockOnSlope, ThatRestsHasNoDirectionOfSlipInSpace) {
  if (planar()) return;  // there it is given
  const coordinates::Mechanism mechanism =
      make_mechanism(block(Slope(Vec3::UnitX(), up()), 0.3, 0.0), view(),
                     lower_corners({ContactMode::sliding}));
  const system::Structure& s = mechanism.system->structure();
  const auto evaluator = mechanism.system->evaluator();
  evaluator->move_to({mechanism.initial.q, mechanism.initial.v, mechanism.initial.x, {}});
  EXPECT_EQ(evaluator->H().dense(), evaluator->G().dense());
  system::Linearisation out(s);
  const std::vector<double> a(s.dof()), lambda(s.constraint_rows, 1.0);
  evaluator->linearise(a, lambda, out);
  EXPECT_TRUE(out.K.dense().allFinite());
  EXPECT_TRUE(out.D.dense().allFinite());
}

TEST_P(ContactForms, BallRollsDownASlope) {
  constexpr double radius = 0.25;
  const double share = planar() ? 0.5 : 0.4;  // inertia / (m r^2), of a disc and of a ball
  for (const Vec3& way : ways()) {
    const Slope slope(way, up());
    for (const double speed : {0.0, 1.3}) {
      for (const bool ball_first : {true, false}) {
        model::Model m = model();
        m.gravity = -kGravity * up();
        const Vec3 base = 0.2 * up();
        m.bodies.push_back(
            body("ball", share * kMass * radius * radius, base + radius * slope.normal));
        m.initial.push_back(
            moving("ball", speed * slope.along, speed / radius * slope.normal.cross(slope.along)));
        const model::Touch floor =
            touch(TouchType::plane, "ground", base, frame_with_normal(slope.normal));
        const model::Touch on = ball("ball", radius);
        add_contact(m, ball_first ? on : floor, ball_first ? floor : on);
        const Solved s(m, view(), {{ContactMode::sticking}});
        const double pull = kGravity * std::sin(slope.alpha);
        expect_near(s.acceleration(), pull / (1.0 + share) * slope.along);
        EXPECT_NEAR(s.normal(), kMass * kGravity * std::cos(slope.alpha), 1e-10);
        const int slip = s.contacts[0].slip;
        const double friction =
            planar() ? std::abs(s.lambda[slip]) : std::hypot(s.lambda[slip], s.lambda[slip + 1]);
        EXPECT_NEAR(friction, kMass * pull * share / (1.0 + share), 1e-10);
        EXPECT_NEAR(s.friction_power, 0.0, 1e-12);
      }
    }
  }
}

TEST_P(ContactForms, BallInAValleyAndOnAHillFeelsTheBend) {
  constexpr double R = 1.6, speed = 1.4;
  for (const double sign : {1.0, -1.0}) {
    for (const double radius : {0.0, 0.35}) {
      for (const Vec3& way : ways()) {
        model::Model m = model();
        m.gravity = -kGravity * up();
        const Vec3 base(0.3, planar() ? 0.2 : 0.1, planar() ? 0.0 : 0.5);
        m.bodies.push_back(body("ball", 0.1, base + radius * up()));
        // What runs across the profile in space does not bend.
        const Vec3 across = planar() ? Vec3(Vec3::Zero()) : Vec3(0.7 * up().cross(way));
        m.initial.push_back(moving("ball", speed * way + across, Vec3::Zero()));
        Mat3 frame = Mat3::Identity();
        if (!planar()) {
          frame.col(0) = way;
          frame.col(1) = up().cross(way);
        }
        model::Touch profile = touch(TouchType::profile, "ground", base, frame);
        profile.height = math::Expression::parse(sign > 0.0 ? "x^2/3.2" : "-x^2/3.2");
        add_contact(m, profile,
                    radius > 0.0 ? ball("ball", radius) : touch(TouchType::point, "ball"));
        const Solved s(m, view(), {{ContactMode::closed}});
        const double bend = sign / (R - sign * radius);
        EXPECT_NEAR(s.normal(), kMass * (kGravity + bend * speed * speed), 1e-10);
        expect_near(s.acceleration(), bend * speed * speed * up());
      }
    }
  }
}

TEST_P(ContactForms, BallPassesOverARoundTop) {
  constexpr double R = 0.9, radius = 0.2, speed = 0.8;
  for (const TouchType type : {TouchType::sphere, TouchType::capsule, TouchType::cylinder}) {
    if (planar() && type != TouchType::sphere) continue;
    for (const Vec3& way : ways()) {
      const Vec3 side = planar() ? Vec3(Vec3::Zero()) : Vec3(up().cross(way));
      model::Model m = model();
      m.gravity = -kGravity * up();
      m.bodies.push_back(body("ball", 0.1, (R + radius) * up()));
      // Along a cylinder there is no bend, on a sphere there is in all directions.
      const double across = type == TouchType::sphere ? 0.0 : 1.1;
      m.initial.push_back(moving("ball", speed * way + across * side, Vec3::Zero()));
      model::Touch ground = touch(type, "ground");
      ground.radius = R;
      ground.length = 2.0;
      if (!planar()) ground.frame = frame_with_z(side);
      add_contact(m, ground, ball("ball", radius));
      const Solved s(m, view(), {{ContactMode::closed}});
      EXPECT_NEAR(s.normal(), kMass * (kGravity - speed * speed / (R + radius)), 1e-10)
          << name_of(type);
    }
  }
}

TEST_P(ContactForms, StopOfASliderBearsIt) {
  // By the gap's slope: lambda h_x = m g.
  for (const auto& [gap, slope] : {std::pair{"x", 1.0}, std::pair{"2*x + x^2", 2.0}}) {
    model::Model m = model();
    m.gravity = -kGravity * up();
    m.bodies.push_back(body("slider", 0.1, 0.3 * up()));
    add_joint(m, "guide", JointType::prismatic, "ground", "slider", 0.3 * up(),
              planar() ? frame_with_x_in_plane(0.5 * M_PI) : frame_with_z(up()));
    add_gap(m, "guide", {model::Freedom::displacement}, gap);
    const Solved s(m, view(), {{ContactMode::closed}});
    EXPECT_NEAR(s.normal(), kMass * kGravity / slope, 1e-11);
    expect_near(s.acceleration(), Vec3::Zero());
  }
}

TEST_P(ContactForms, StopOfAHingeHoldsTheTorque) {
  constexpr double L = 0.7;
  model::Model m = model();
  m.gravity = -kGravity * up();
  m.bodies.push_back(body("arm", 0.1, L * Vec3::UnitX()));
  // Positive angles lift the arm.
  add_joint(m, "hinge", JointType::revolute, "ground", "arm", Vec3::Zero(),
            planar() ? Mat3(Mat3::Identity()) : frame_with_z(-Vec3::UnitY()));
  add_gap(m, "hinge", {model::Freedom::angle}, "x");
  const Solved s(m, view(), {{ContactMode::closed}});
  EXPECT_NEAR(s.normal(), kMass * kGravity * L, 1e-11);
  expect_near(s.acceleration(), Vec3::Zero());
}

TEST_P(ContactForms, GapOfTwoFreedomsGuidesAlongACurve) {
  if (planar()) return;  // no joint there has two
  // z = x^2 at its bottom: h = y - x^2, whose y'' = 2 x'^2.
  constexpr double speed = 1.5;
  model::Model m = model();
  m.gravity = -kGravity * up();
  m.bodies.push_back(body("slider", 0.1, Vec3::Zero()));
  Mat3 frame;
  frame << Vec3::UnitX(), Vec3::UnitZ(), -Vec3::UnitY();
  add_joint(m, "table", JointType::planar, "ground", "slider", Vec3::Zero(), frame);
  m.initial.push_back(moving("slider", speed * Vec3::UnitX(), Vec3::Zero()));
  add_gap(m, "table", {model::Freedom::displacement, model::Freedom::second_displacement},
          "y - x^2");
  const Solved s(m, view(), {{ContactMode::closed}});
  EXPECT_NEAR(s.normal(), kMass * (kGravity + 2.0 * speed * speed), 1e-10);
  expect_near(s.acceleration(), 2.0 * speed * speed * up());
}

const auto kAll =
    ::testing::Combine(::testing::Values(View::absolute, View::joint), ::testing::Bool());
std::string test_name(const ::testing::TestParamInfo<std::tuple<View, bool>>& p) {
  return name_of(std::get<0>(p.param)) + (std::get<1>(p.param) ? "Plane" : "Space");
}
INSTANTIATE_TEST_SUITE_P(All, ContactForms, kAll, test_name);
INSTANTIATE_TEST_SUITE_P(All, BlockOnSlope, kAll, test_name);

TEST(ContactPoints, HaveNamesOfTheirOwn) {
  model::Model m;
  for (const char* name : {"a", "b"}) {
    m.bodies.push_back(rigid(name, kMass, Vec3::Ones(), Vec3::Zero()));
  }
  model::Touch box = touch(TouchType::box, "a");
  box.size = Vec3::Ones();
  add_contact(m, box, touch(TouchType::plane, "ground"));
  model::Contact each;  // two balls on one body, which do not touch each other, and one elsewhere
  each.name = "balls";
  each.geometry = model::Touching{{ball("a", 0.1), ball("a", 0.2), ball("b", 0.3)}, {}};
  m.contacts.push_back(each);
  add_contact(m, box, [] {
    model::Touch other = touch(TouchType::box, "b");
    other.size = Vec3::Ones();
    return other;
  }());
  std::vector<std::string> names;
  for (const coordinates::ContactPoint& point : coordinates::contact_points(m))
    names.push_back(point.name);
  ASSERT_EQ(names.size(), 8u + 2u + 16u);
  EXPECT_EQ(names[0], "contact0.0");
  EXPECT_EQ(names[7], "contact0.7");
  EXPECT_EQ(names[8], "balls.a.b");
  EXPECT_EQ(names[9], "balls.a_2.b");
  EXPECT_EQ(names[25], "contact2.15");
}

TEST(ContactRows, ComeAfterThoseOfTheJoints) {
  model::Model m;
  m.bodies.push_back(rigid("arm", kMass, Vec3::Ones(), Vec3::Zero()));
  add_joint(m, "hinge", JointType::revolute, "ground", "arm", Vec3::Zero());
  add_contact(m, touch(TouchType::plane, "ground", -Vec3::UnitZ()), ball("arm", 1.0));
  const coordinates::Mechanism mechanism =
      coordinates::make_absolute(m, std::vector<ContactState>{{ContactMode::sticking}});
  const system::Structure& s = mechanism.system->structure();
  ASSERT_EQ(mechanism.contacts.size(), 1u);
  EXPECT_EQ(mechanism.contacts[0].depth, 5);
  EXPECT_EQ(mechanism.contacts[0].slip, 6);
  EXPECT_EQ(s.constraint_rows, 8);
  const std::vector<double> zero(s.constraint_rows), a(s.dof());
  mechanism.observer->move_to({mechanism.initial.q, mechanism.initial.v, {}, {}}, a, zero);
  const std::vector<coordinates::Restriction> rows = mechanism.observer->restrictions();
  for (int i = 0; i < s.constraint_rows; ++i) EXPECT_EQ(rows[i].joint, i < 5 ? 0 : -1) << i;
}

}  // namespace
}  // namespace daedal::testing
