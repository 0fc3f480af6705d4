#pragma once

#include <fmt/format.h>

#include <Eigen/QR>

#include "daedal/coordinates/mechanism.hpp"
#include "support/build_model.hpp"
#include "support/random_contacts.hpp"

namespace daedal::testing {

/// A tree of bodies that contains every joint type, drive and force there is, and point masses.
/// Joints are placed in random frames; nothing is symmetric. With an odd seed two of three joints have
/// their relative motions as coordinates. Joints that close loops can be added; then nothing moves.
class RandomModel {
 public:
  RandomModel(bool planar, unsigned seed, bool loops = false) : random_(seed) {
    model_.planar = planar;
    model_.gravity = 9.81 * random_.vector(planar);
    const bool in_space = !planar;
    using enum model::JointType;
    using Kind = model::Drive::Kind;
    const std::string first = hang("ground", revolute);
    hang(any_body(), prismatic);
    hang(any_body(), fixed);
    hang(any_body(), distance);
    driven(revolute, Kind::angle, "0.2*sin(3*t) + 0.1*t*t");
    driven(revolute, Kind::angular_speed, "cos(2*t)");
    driven(prismatic, Kind::displacement, "0.1*cos(3*t)");
    driven(prismatic, Kind::speed, "t + 0.3*t*t");
    if (in_space) {
      hang(any_body(), spherical);
      hang(any_body(), universal);
      hang(any_body(), cylindrical);
      driven(cylindrical, Kind::angle, "0.3*t");
      driven(cylindrical, Kind::displacement, "0.1*exp(t)");
      driven(cylindrical, Kind::speed, "sin(t)");
      driven(cylindrical, Kind::angular_speed, "1 + t");
    }
    if (loops) {
      close(revolute);
      close(prismatic).drive = drive(Kind::speed, "sin(2*t)");
      close(fixed);
      if (in_space) {
        close(cylindrical).drive = drive(Kind::angle, "0.1*t");
        close(universal);
      }
    }
    hang(any_body(), free);
    hang(any_body(), surface);
    hang(any_body(), surface);
    model_.joints.back().height = height();
    driven(surface, Kind::speed, "0.2*t");
    if (in_space) {
      hang(any_body(), planar);
      hang(any_body(), screw);
      driven(planar, Kind::angle, "0.3*sin(t)");
      driven(planar, Kind::displacement, "0.1*t*t");
      driven(screw, Kind::angle, "0.4*sin(2*t)");
      driven(screw, Kind::angular_speed, "cos(t)");
    }
    if (loops) {
      close(surface);
      close(surface).height = height();
      if (in_space) {
        close(planar).drive = drive(Kind::displacement, "0.1*t");
        close(screw);
      }
    }
    add_points(first);
    if (seed % 2 == 1) add_coordinates();
    add_forces();
  }

  const model::Model& model() const { return model_; }
  Random& random() { return random_; }

 private:
  std::string any_body() {
    const int i = random_.below(static_cast<int>(model_.bodies.size()) + 1);
    return i == static_cast<int>(model_.bodies.size()) ? "ground" : model_.bodies[i].name;
  }

  std::string add_body() {
    const bool planar = model_.planar;
    model::Body body;
    body.name = fmt::format("body{}", model_.bodies.size());
    body.mass = random_.uniform(0.5, 3.0);
    body.center = random_.vector(planar);
    const Vec3 principal{random_.uniform(1.0, 1.5), random_.uniform(1.0, 1.5),
                         random_.uniform(1.0, 1.5)};
    const Mat3 R = math::rotation_matrix(random_.rotation());
    body.inertia = R * principal.asDiagonal() * R.transpose();
    body.pose.position = 2.0 * random_.vector(planar);
    body.pose.rotation = planar ? Quaternion::identity() : random_.rotation();
    body.pose.angle = planar ? 5.0 * random_.uniform() : 0.0;
    model_.bodies.push_back(body);
    return body.name;
  }

  model::Joint& connect(const std::string& parent, const std::string& child,
                        model::JointType type) {
    const bool planar = model_.planar;
    const Mat3 frame = planar ? frame_with_x_in_plane(3.0 * random_.uniform())
                              : math::rotation_matrix(random_.rotation());
    // Both orders of the bodies, so that ground comes first and second.
    const bool swap = random_.below(2) == 1;
    model::Joint& joint =
        add_joint(model_, fmt::format("joint{}", model_.joints.size()), type,
                  swap ? child : parent, swap ? parent : child, 2.0 * random_.vector(planar), frame);
    if (type == model::JointType::screw) joint.pitch = swap ? -4.0 : 5.0;
    if (type == model::JointType::distance) {
      joint.on[0].point += random_.vector(planar);
      joint.length = random_.uniform(0.5, 1.5);
    }
    return joint;
  }

  std::string hang(const std::string& parent, model::JointType type) {
    const std::string child = add_body();
    connect(parent, child, type);
    return child;
  }

  math::Expression height() const {
    return math::Expression::parse(model_.planar
                                       ? "0.3*sin(x + 0.4) + 0.1*x^2"
                                       : "0.3*sin(x + 0.4*y + 0.2) + 0.1*x*y + 0.05*y^2*x");
  }

  void driven(model::JointType type, model::Drive::Kind kind, std::string_view motion) {
    const std::string parent = any_body();
    const std::string child = add_body();
    connect(parent, child, type).drive = drive(kind, motion);
  }

  model::Joint& close(model::JointType type) {
    const int n = static_cast<int>(model_.bodies.size());
    const int a = random_.below(n), b = (a + 1 + random_.below(n - 1)) % n;
    return connect(model_.bodies[a].name, model_.bodies[b].name, type);
  }

  void add_points(const std::string& body) {
    const bool planar = model_.planar;
    model_.bodies.push_back(point_mass("point0", 0.7, random_.vector(planar)));
    model_.bodies.push_back(point_mass("point1", 1.3, random_.vector(planar)));
    add_distance(model_, "rope0", body, random_.vector(planar), "point0", Vec3::Zero(), 0.8);
    add_distance(model_, "rope1", "point0", Vec3::Zero(), "point1", Vec3::Zero(), 0.6);
    model_.bodies.push_back(point_mass("point2", 0.4, random_.vector(planar)));
    add_joint(model_, "pin", planar ? model::JointType::revolute : model::JointType::spherical,
              "point2", body, random_.vector(planar));
    model_.bodies.push_back(point_mass("point3", 0.6, random_.vector(planar)));
    add_joint(model_, "pin_on_plane", model::JointType::surface, body, "point3",
              random_.vector(planar),
              planar ? frame_with_x_in_plane(0.7) : frame_with_z({1.0, -0.5, 0.8}));
  }

  void add_coordinates() {
    for (std::size_t i = 0; i < model_.joints.size(); ++i) {
      model::Joint& joint = model_.joints[i];
      if (joint.name.starts_with("pin") || i % 3 == 1) continue;
      for (const model::Freedom freedom : freedoms(joint)) {
        joint.coordinates.push_back(
            {fmt::format("{}_of_{}", model::name_of(freedom), joint.name), freedom});
      }
    }
  }

  std::vector<model::Freedom> freedoms(const model::Joint& joint) const {
    return model::freedoms(joint.type, model_.planar);
  }

  void add_forces() {
    const bool planar = model_.planar;
    const auto e = [](std::string_view text) { return math::Expression::parse(text); };
    const auto spring = [&](std::string a, std::string b) {
      const auto at = [&](const std::string& body) {
        return body.starts_with("point") ? Vec3(Vec3::Zero()) : random_.vector(planar);
      };
      model_.forces.push_back(model::Spring{fmt::format("spring{}", model_.forces.size()),
                                            {{{a, at(a)}, {b, at(b)}}},
                                            random_.uniform(10.0, 50.0),
                                            random_.uniform(1.0, 5.0),
                                            random_.uniform(0.2, 1.0)});
    };
    spring("ground", "body0");
    spring("body1", "ground");
    spring("body2", "body3");
    spring("point0", "body1");
    spring("point1", "ground");
    spring("point0", "point2");
    for (int i = 0; i < static_cast<int>(model_.joints.size()); ++i) {
      const model::Joint& joint = model_.joints[i];
      if (joint.name.starts_with("pin")) continue;
      for (const model::Freedom freedom : freedoms(joint)) {
        if (freedom == model::Freedom::direction && !joint.coordinate(freedom)) continue;
        const std::string on = fmt::format("{}_{}", joint.name, model::name_of(freedom));
        model_.forces.push_back(model::JointSpring{"joint_spring_" + on, joint.name,
                                                   random_.uniform(5.0, 20.0),
                                                   random_.uniform(0.5, 2.0), 0.3, freedom});
        model_.forces.push_back(
            model::JointLoad{"load_" + on, joint.name, e("2*cos(t) + 0.5"), freedom});
      }
    }
    for (const model::Frame frame : {model::Frame::world, model::Frame::body}) {
      const char* name = frame == model::Frame::world ? "world" : "body";
      const std::array<math::Expression, 3> value{e("1 + t"), e("sin(t) - 2"),
                                                  e(planar ? "0" : "3*cos(t)")};
      model_.forces.push_back(model::AppliedForce{fmt::format("push_{}", name),
                                                  {"body1", random_.vector(planar)}, value, frame});
      model_.forces.push_back(model::AppliedTorque{
          fmt::format("twist_{}", name), "body2", {e("1"), e("t"), e("2 - t")}, frame});
    }
    model_.forces.push_back(model::AppliedForce{
        "pull", {"point1", Vec3::Zero()}, {e("0.5"), e("t"), e("0")}, model::Frame::world});
    add_bushing("ground", "body0");
    add_bushing("body3", "body1");
    add_bushing("point0", "point1");
    if (!planar) add_wheels();
  }

  void add_bushing(const std::string& a, const std::string& b) {
    const bool planar = model_.planar;
    const auto positive = [&](double low, double high) {
      return Vec3(random_.uniform(low, high), random_.uniform(low, high),
                  random_.uniform(low, high));
    };
    model::Bushing bushing;
    bushing.name = fmt::format("bushing{}", model_.forces.size());
    const std::string names[2] = {a, b};
    const int first = model_.find_body(a);
    const Mat3 frame = first < 0 ? Mat3(Mat3::Identity()) : rotation_of(model_, model_.bodies[first]);
    bool rotates = true;
    for (int k = 0; k < 2; ++k) {
      model::Attachment& on = bushing.on[k];
      on.body = names[k];
      const int i = model_.find_body(names[k]);
      const bool is_point = i >= 0 && model_.bodies[i].kind == model::BodyKind::point;
      rotates &= !is_point;
      if (!is_point) on.point = random_.vector(planar);
      on.frame = i < 0 ? frame : Mat3(rotation_of(model_, model_.bodies[i]).transpose() * frame);
    }
    bushing.stiffness = positive(10.0, 30.0);
    bushing.damping = positive(1.0, 3.0);
    bushing.preload = 5.0 * random_.vector(planar);
    if (rotates) {
      bushing.rotational_stiffness = positive(5.0, 10.0);
      bushing.rotational_damping = positive(0.5, 1.0);
    }
    model_.forces.push_back(bushing);
  }

  /// Wheels in contact, with axes near the horizontal.
  void add_wheels() {
    const auto e = [](std::string_view text) { return math::Expression::parse(text); };
    const auto wheel = [&](const std::string& name) {
      const model::Body& body = model_.bodies[model_.find_body(name)];
      const Vec3 axis = Vec3(random_.uniform(), 2.0, 0.0) + 0.3 * random_.vector(false);
      return model::Wheel{name, random_.vector(false),
                          math::rotation_matrix(body.pose.rotation).transpose() * axis};
    };
    const auto height = [&](const model::Wheel& w) {
      const model::Body& body = model_.bodies[model_.find_body(w.body)];
      return (body.pose.position + math::rotate(body.pose.rotation, w.center)).z();
    };
    model::Tyre tyre;
    tyre.name = "tyre";
    tyre.wheel = wheel("body0");
    tyre.radius = 8.0;
    tyre.height = height(tyre.wheel) - 5.0;
    tyre.stiffness = 20.0;
    tyre.damping = 3.0;
    tyre.longitudinal_stiffness = 30.0;
    tyre.lateral_stiffness = 20.0;
    tyre.friction = 0.8;
    tyre.slow_speed = 2.0;
    model_.forces.push_back(tyre);
    model::Creep creep;
    creep.name = "creep";
    creep.wheel = wheel("body1");
    creep.radius = e("1 + 0.1*tanh(y)");
    creep.track = e("0.3*sin(x)");
    creep.load = 20.0;
    creep.f11 = 10.0;
    creep.f22 = 8.0;
    creep.f23 = 2.0;
    creep.f33 = 1.0;
    creep.spin = 1.5;
    creep.slow_speed = 2.0;
    model_.forces.push_back(creep);
  }

  model::Model model_;
  Random random_;
};

/// In which coordinates a model is looked at. With loops, some joints close them.
enum class View { absolute, joint, joint_with_loops };

inline std::string name_of(View view) {
  switch (view) {
    case View::absolute: return "Absolute";
    case View::joint: return "Joint";
    case View::joint_with_loops: break;
  }
  return "Loops";
}

inline coordinates::Mechanism make_mechanism(
    const model::Model& model, View view,
    std::span<const coordinates::ContactState> contacts = {}) {
  if (view == View::absolute) return coordinates::make_absolute(model, contacts);
  coordinates::Mechanism absolute = coordinates::make_absolute(model);
  return coordinates::make_joint(model, absolute, {absolute.initial.q, absolute.initial.v},
                                 contacts);
}

/// A random point of a mechanism near its reference pose, at which everything can be evaluated.
struct Sample {
  Sample(bool planar, unsigned seed, View view = View::absolute, Contacts contacts = Contacts::none)
      : Sample(Drawn(RandomModel(planar, seed, view == View::joint_with_loops), view, contacts)) {}

  /// Values at the point moved along q' = v, v' = a for a time s; x and t move too.
  system::Point at() const { return {q, v, x, u}; }

  coordinates::Mechanism mechanism;
  const system::ConstrainedSystem& system;
  const system::Structure& structure;
  std::unique_ptr<system::Evaluator> evaluator;
  double t = kTime;
  std::vector<double> q, v, a, lambda, x;
  std::vector<math::Jet> u;

 private:
  static constexpr double kTime = 0.4;

  /// Contacts are placed where the bodies are, and have no coordinates.
  struct Drawn {
    Drawn(RandomModel random_model, View view, Contacts contacts)
        : mechanism(make_mechanism(random_model.model(), view)) {
      const system::Structure& s = mechanism.system->structure();
      Random& random = random_model.random();
      q = mechanism.initial.q;
      v = random.values(s.dof());
      a = random.values(s.dof());
      lambda = random.values(s.constraint_rows);
      s.manifold.retract(q, random.values(s.dof(), 0.2), q);
      if (contacts == Contacts::none) return;
      std::vector<math::Jet> u(s.excitations);
      mechanism.system->excitations(kTime, u);
      mechanism.observer->move_to({q, v, mechanism.initial.x, u}, a, lambda);
      for (int tries = 0; tries < 100; ++tries) {
        const RandomContacts drawn(random_model.model(), *mechanism.observer, random, contacts);
        coordinates::Mechanism touching = make_mechanism(drawn.model(), view, drawn.states());
        if (contacts == Contacts::few && !suits(touching)) continue;
        mechanism = std::move(touching);
        lambda = random.values(mechanism.system->structure().constraint_rows);
        return;
      }
      ADD_FAILURE() << "no independent contacts";
    }
    /// Contacts of which one slides, none of them between bodies that are held anyway.
    bool suits(const coordinates::Mechanism& touching) const {
      const system::Structure &with = touching.system->structure(),
                              &without = mechanism.system->structure();
      return with.directed &&
             rank(touching) - rank(mechanism) == with.constraint_rows - without.constraint_rows;
    }
    /// How many constraints are independent, with a margin.
    int rank(const coordinates::Mechanism& of) const {
      std::vector<math::Jet> u(of.system->structure().excitations);
      of.system->excitations(kTime, u);
      const auto evaluator = of.system->evaluator();
      evaluator->move_to({q, v, of.initial.x, u});
      const Eigen::MatrixXd G = evaluator->G().dense();
      if (G.rows() == 0) return 0;
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G);
      qr.setThreshold(1e-3);
      return static_cast<int>(qr.rank());
    }
    coordinates::Mechanism mechanism;
    std::vector<double> q, v, a, lambda;
  };

  explicit Sample(Drawn drawn)
      : mechanism(std::move(drawn.mechanism)),
        system(*mechanism.system),
        structure(system.structure()),
        evaluator(system.evaluator()),
        q(std::move(drawn.q)),
        v(std::move(drawn.v)),
        a(std::move(drawn.a)),
        lambda(std::move(drawn.lambda)),
        x(mechanism.initial.x),
        u(structure.excitations) {
    system.excitations(t, u);
    evaluator->move_to(at());
  }
};

}  // namespace daedal::testing
