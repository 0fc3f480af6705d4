#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "daedal/coordinates/absolute/touching.hpp"
#include "daedal/coordinates/mechanism.hpp"
#include "support/random.hpp"

namespace daedal::testing {

/// How many contacts a random model gets.
enum class Contacts {
  none,
  few,  // one in each mode, of parts that touch in one point: independent constraints
  all   // every pair of parts that can touch, in either order, and gaps of all joints
};

/// Contacts of a model in a given motion. Parts are placed where the distance is smooth: beside
/// edges of boxes, ends of capsules and corners of profiles, but on either side of them.
class RandomContacts {
 public:
  /// The observer says where the bodies are.
  RandomContacts(const model::Model& model, const coordinates::Observer& observer, Random& random,
                 Contacts which)
      : model_(model), observer_(observer), random_(random) {
    using enum model::TouchType;
    const auto types = {point, sphere, capsule, box, plane, cylinder, profile};
    std::vector<std::pair<model::TouchType, model::TouchType>> pairs;
    for (const auto a : types) {
      for (const auto b : types) {
        const bool spatial = a == cylinder || b == cylinder;
        if (model::can_touch(a, b) && !(model.planar && spatial)) pairs.push_back({a, b});
      }
    }
    if (which == Contacts::few) {
      std::erase_if(pairs, [](const auto& pair) { return points_of(pair.first, pair.second) > 1; });
      for (int k = 0; k < 3; ++k) {
        const auto& [a, b] = pairs[random_.below(static_cast<int>(pairs.size()))];
        touch(a, b);
      }
    } else {
      for (const auto& [a, b] : pairs) touch(a, b);
      for (const model::Joint& joint : model_.joints) add_gaps(joint);
    }
    model.planar ? choose_modes<2>() : choose_modes<3>();
  }

  const model::Model& model() const { return model_; }
  const std::vector<coordinates::ContactState>& states() const { return states_; }

 private:
  using TouchType = model::TouchType;

  static int points_of(TouchType a, TouchType b) {
    const auto points = [](TouchType t) {
      return t == TouchType::box ? 8 : t == TouchType::capsule ? 2 : 1;
    };
    const bool sided = a == TouchType::plane || b == TouchType::plane || a == TouchType::profile ||
                       b == TouchType::profile || a == b;
    return sided ? std::max(points(a), points(b)) : 1;
  }

  struct Place {
    Vec3 position = Vec3::Zero();
    Mat3 frame = Mat3::Identity();
    bool is_point = false;
  };
  Place place(const std::string& name) const {
    Place at;
    const int i = model_.find_body(name);
    if (i < 0) return at;
    const model::Pose pose = observer_.pose(i);
    at.position = pose.position;
    at.is_point = model_.bodies[i].kind == model::BodyKind::point;
    if (at.is_point) return at;
    at.frame =
        model_.planar ? frame_with_x_in_plane(pose.angle) : math::rotation_matrix(pose.rotation);
    return at;
  }

  std::string any_body(const std::function<bool(const std::string&)>& suits) {
    while (true) {
      const int i = random_.below(static_cast<int>(model_.bodies.size()) + 3);
      const std::string name =
          i < static_cast<int>(model_.bodies.size()) ? model_.bodies[i].name : "ground";
      if (suits(name)) return name;
    }
  }

  Mat3 any_frame() {
    return model_.planar ? frame_with_x_in_plane(3.0 * random_.uniform())
                         : math::rotation_matrix(random_.rotation());
  }

  model::Touch part(TouchType type) {
    model::Touch touch;
    touch.type = type;
    if (type == TouchType::sphere || type == TouchType::capsule || type == TouchType::cylinder) {
      touch.radius = random_.uniform(0.1, 0.4);
    }
    if (type == TouchType::capsule) touch.length = 1.0;
    if (type == TouchType::box) touch.size = {1.0, 0.8, 0.6};
    if (type == TouchType::profile) {
      const int kind = random_.below(3);
      if (kind == 0) touch.height = math::Expression::parse("0.3*sin(x + 0.2) + 0.1*x^2");
      if (kind > 0) touch.points = {{-1.5, 0.2}, {-0.6, -0.1}, {0.1, 0.5}, {0.7, 0.3}, {1.4, 0.4}};
      touch.smooth = kind == 1;
    }
    return touch;
  }

  /// A coordinate of a box or of a capsule's axis: inside or beyond.
  double beside(double half) {
    const double z =
        random_.below(2) ? random_.uniform(0.0, 0.6) * half : half + random_.uniform(0.2, 0.5);
    return random_.below(2) ? z : -z;
  }
  Vec3 off_axis(int axis, double along) {
    Vec3 z = random_.vector(model_.planar);
    z[axis] = 0.0;
    z = random_.uniform(0.4, 0.8) *
        (z.norm() > 1e-3 ? z : Vec3(Vec3::Unit(axis == 0 ? 1 : 0))).normalized();
    z[axis] = along;
    return z;
  }

  /// Where, in axes of the surface, the centre of what touches it is.
  Vec3 beside(const model::Touch& surface) {
    const int axis = model_.planar ? 0 : 2;
    switch (surface.type) {
      case TouchType::sphere:
        return off_axis(axis, random_.uniform());
      case TouchType::cylinder:
        return off_axis(axis, random_.uniform());
      case TouchType::capsule:
        return off_axis(axis, beside(0.5 * surface.length));
      case TouchType::box: {
        Vec3 z(beside(0.5), beside(0.4), model_.planar ? 0.0 : beside(0.3));
        return z;
      }
      case TouchType::profile: {
        const double x = random_.uniform(-1.7, 1.7), height = random_.uniform(-0.1, 0.4);
        return model_.planar ? Vec3(x, 0.3 + height, 0.0)
                             : Vec3(x, random_.uniform(), 0.3 + height);
      }
      case TouchType::plane:
      case TouchType::point:
        break;
    }
    return random_.vector(model_.planar);
  }

  void touch(TouchType a, TouchType b) {
    for (int tries = 0; tries < 1000; ++tries) {
      const bool second_is_surface = rank(b) > rank(a);
      model::Touch first = part(a), second = part(b);
      model::Touch& surface = second_is_surface ? second : first;
      model::Touch& ball = second_is_surface ? first : second;
      ball.body = any_body([&](const std::string& name) {
        return !place(name).is_point || ball.type == TouchType::point ||
               ball.type == TouchType::sphere;
      });
      surface.body = any_body(
          [&](const std::string& name) { return name != ball.body && !place(name).is_point; });
      const Place A = place(surface.body), B = place(ball.body);
      const Vec3 center =
          B.is_point ? B.position : Vec3(B.position + random_.vector(model_.planar));
      put(ball, B, center, any_frame());
      const Mat3 X = any_frame();
      put(surface, A, center - X * beside(surface), X);
      if (!(model_.planar ? smooth<2>(first, second) : smooth<3>(first, second))) continue;
      model::Contact contact;
      contact.name = fmt::format("contact{}", model_.contacts.size());
      contact.geometry = model::Touching{{first}, {second}};
      contact.friction = random_.uniform(0.2, 0.8);
      model_.contacts.push_back(std::move(contact));
      return;
    }
    ADD_FAILURE() << "no smooth place for " << name_of(a) << " on " << name_of(b);
  }

  /// Only for which of them is placed first.
  static int rank(TouchType type) {
    using enum model::TouchType;
    if (type == plane || type == cylinder || type == profile) return 3;
    return type == box || type == capsule ? 2 : type == sphere ? 1 : 0;
  }

  static void put(model::Touch& touch, const Place& on, const Vec3& center, const Mat3& frame) {
    touch.center = on.frame.transpose() * (center - on.position);
    touch.frame = on.frame.transpose() * frame;
  }

  /// Whether each distance is what its derivatives say, in a neighbourhood.
  template <int D>
  bool smooth(const model::Touch& a, const model::Touch& b) const {
    constexpr double step = 1e-3, tolerance = 1e-4;
    for (const auto& point : coordinates::absolute::touch_points<D>(model_, a, b)) {
      const auto y = point.part.place(frame<D>(point.surface), frame<D>(point.ball));
      const auto here = distance(point.part.field, y);
      if (here.hessian.norm() > 4.0) return false;
      for (int k = 0; k < 2 * D; ++k) {
        const typename coordinates::absolute::Geometry<D>::Vector dy =
            (k < D ? step : -step) * coordinates::absolute::Geometry<D>::Vector::Unit(k % D);
        const auto there = distance(point.part.field, y + dy);
        if ((there.normal - here.normal - here.hessian * dy).norm() > tolerance) return false;
      }
    }
    return true;
  }

  template <int D>
  coordinates::absolute::Frame<D> frame(const std::string& name) const {
    coordinates::absolute::Frame<D> f;
    const int i = model_.find_body(name);
    if (i < 0) return f;
    const Vec3 center = model_.bodies[i].center, spin = observer_.angular_velocity(i);
    const Place at = place(name);
    f.p = observer_.position(i, center).template head<D>();
    f.v = observer_.velocity(i, center).template head<D>();
    f.R = at.frame.topLeftCorner<D, D>();
    if (at.is_point) return f;
    if constexpr (D == 3) {
      f.omega = at.frame.transpose() * spin;
    } else {
      f.omega[0] = spin.z();
    }
    return f;
  }

  void add_gaps(const model::Joint& joint) {
    std::vector<model::Freedom> of = model::freedoms(joint.type, model_.planar);
    std::erase(of, model::Freedom::direction);
    if (joint.name.starts_with("pin")) return;
    while (!of.empty()) {
      const bool pair = of.size() == 2;
      model::Contact contact;
      contact.name = "gap_of_" + joint.name + (pair ? "_pair" : "");
      if (of.size() < 3) {
        contact.geometry = model::JointGap{
            joint.name, of,
            math::Expression::parse(pair ? "0.2 + x + 0.3*x*y - 0.2*y^2 + 0.1*sin(x)"
                                         : "0.3 - x + 0.2*x^2")};
        model_.contacts.push_back(std::move(contact));
      }
      of.pop_back();
    }
  }

  template <int D>
  void choose_modes() {
    using enum coordinates::ContactMode;
    const auto modes = {closed, sticking, sliding, open};
    coordinates::absolute::for_each_contact_point<D>(
        model_, [&](const coordinates::ContactPoint&, const auto* touch) {
          coordinates::ContactState state;
          state.mode = modes.begin()[states_.size() % modes.size()];
          state.direction = random_.below(2) ? 1.0 : -1.0;
          if (!touch && state.mode != open) state.mode = closed;
          if (touch && D == 3 && state.mode == sliding && slip<D>(*touch) < 0.7) {
            state.mode = sticking;  // the direction of a slow slip is all but undefined
          }
          states_.push_back(state);
        });
  }

  /// The tangential speed.
  template <int D>
  double slip(const coordinates::absolute::TouchPoint<D>& touch) const {
    const auto A = frame<D>(touch.surface), B = frame<D>(touch.ball);
    double sum = 0.0;
    for (int k = 0; k < D - 1; ++k) {
      coordinates::absolute::PartJacobian<D, 1> J;
      coordinates::absolute::SlipPart<D>{touch.part, k}.jacobian(A, B, J);
      Eigen::Matrix<double, coordinates::absolute::Geometry<D>::kDof, 1> a, b;
      a << A.v, A.omega;
      b << B.v, B.omega;
      sum += std::pow(J[0].dot(a) + J[1].dot(b), 2);
    }
    return std::sqrt(sum);
  }

  model::Model model_;
  const coordinates::Observer& observer_;
  Random& random_;
  std::vector<coordinates::ContactState> states_;
};

}  // namespace daedal::testing
