#pragma once

#include <tuple>
#include <type_traits>
#include <vector>

#include "daedal/coordinates/absolute/gap_part.hpp"
#include "daedal/coordinates/absolute/joint_coordinates.hpp"
#include "daedal/coordinates/absolute/parts.hpp"
#include "daedal/coordinates/absolute/screw_part.hpp"
#include "daedal/coordinates/absolute/surface_part.hpp"
#include "daedal/coordinates/absolute/touch_part.hpp"
#include "daedal/coordinates/absolute/wheels.hpp"
#include "daedal/coordinates/contacts.hpp"
#include "daedal/model/model.hpp"
#include "daedal/system/constrained_system.hpp"

namespace daedal::coordinates::absolute {

/// A rigid body or a point mass.
template <int D>
struct BodyElement {
  int storage = 0;  // first entry in q: position, then angle (D = 2) or quaternion (D = 3)
  int dof = 0;      // first entry in v
  int width = 0;    // D for a point mass, kDof for a rigid body
  int M = 0, D_ = -1, K = 0;  // value offsets of the diagonal blocks; -1: absent
  double mass = 0.0;
  typename Geometry<D>::SpinMatrix inertia = Geometry<D>::SpinMatrix::Zero();
  typename Geometry<D>::Vector weight = Geometry<D>::Vector::Zero();  // mass times gravity
  typename Geometry<D>::Vector center = Geometry<D>::Vector::Zero();  // in the user's frame

  bool rotates() const { return width == Geometry<D>::kDof; }
};

/// A constraint part at work between two bodies: s(q) - u(t) = 0, or s_q v - u(t) = 0; or, tied to a
/// coordinate of the joint, s(q) - phi = 0.
template <int D, class Part>
struct Constraint {
  Part part;
  Links<D> links;
  int row = 0;                      // in the vector of constraints
  std::array<int, 2> G{-1, -1};     // value offsets of its first row
  std::array<int, 2> W{-1, -1};     // the same in W, velocity rows alone
  int excitation = -1;
  ScalarCoordinate phi;
  int G_phi = -1;  // value offset
  system::Level level = system::Level::position;
};

template <int D>
using PointConstraint = Constraint<D, PointPart<D>>;

template <int D>
struct ConstraintLists {
  using Common =
      std::tuple<std::vector<PointConstraint<D>>, std::vector<Constraint<D, SlidePart<D>>>,
                 std::vector<Constraint<D, DistancePart<D>>>,
                 std::vector<Constraint<D, AnglePart<D>>>,
                 std::vector<Constraint<D, SurfacePart<D>>>,
                 std::vector<Constraint<D, TouchPart<D>>>, std::vector<Constraint<D, GapPart<D>>>,
                 std::vector<Constraint<D, SlipPart<D>>>>;
  using Spatial =
      std::tuple<std::vector<Constraint<3, DotPart>>, std::vector<Constraint<3, ScrewPart>>>;
  using type = std::conditional_t<
      D == 3, decltype(std::tuple_cat(std::declval<Common>(), std::declval<Spatial>())), Common>;
};

/// Spring and damper between two points.
template <int D>
struct SpringElement {
  Links<D> links;
  typename Geometry<D>::Vector a, b;
  double stiffness, damping, length;
};

/// Load on a scalar coordinate s(q): tau = u(t) + preload - stiffness (s - rest) - damping s'.
/// A spatial angle is known up to full turns only: the state x, with x' = s', counts them.
template <int D, class Part>
struct MeasureLoad {
  Part part;
  Links<D> links;
  double stiffness = 0.0, damping = 0.0, rest = 0.0, preload = 0.0;
  int excitation = -1;
  int joint = 0;  // and its freedom
  model::Freedom freedom = model::Freedom::angle;
  int state = -1;                          // index into x
  std::array<int, 2> state_block{-1, -1};  // value offsets in c_q and c_v
};

/// Force at a point, or pure torque, given as a function of time.
template <int D>
struct AppliedLoad {
  int body = 0;  // frame and body index
  typename Geometry<D>::Vector point = Geometry<D>::Vector::Zero();
  bool is_torque = false;
  bool in_body_frame = false;
  std::array<int, 3> excitation{-1, -1, -1};
};

/// A contact that slides: the multiplier of its depth acts along n - mu d, where d is the direction
/// of the slip. In the plane d = +-t, in space d = w / |w| of the tangential velocity w.
template <int D>
struct SlidingContact {
  TouchPart<D> touch;
  Links<D> links;
  int row = 0;                   // of the depth
  std::array<int, 2> G{-1, -1};  // its value offsets
  double friction = 0.0;
  double direction = 0.0;  // planar
};

/// Where a joint's rows and coordinates are, for observers.
template <int D>
struct JointElement {
  Links<D> links;
  std::vector<int> nodes;  // constraint nodes
  typename Geometry<D>::Vector point_b;
  AnglePart<D> angle;         // of a universal joint: of the cross about the first axis
  AnglePart<D> second_angle;  // universal: of the second body about the second axis
  SlidePart<D> slide, second_slide;
  double pitch = 0.0;  // of a screw [m/rad]
  std::array<ScalarCoordinate, model::kFreedoms> coordinate;  // by model::Freedom

  /// Calls `use` with the part that measures a freedom.
  template <class Use>
  auto with_part(model::Freedom freedom, Use&& use) const {
    if (freedom == model::Freedom::displacement) return use(slide);
    if (freedom == model::Freedom::second_displacement) return use(second_slide);
    return freedom == model::Freedom::second_angle ? use(second_angle) : use(angle);
  }
  /// A freedom's coordinate; an angle in space in (-pi, pi], but for a screw, whose displacement
  /// tells the turns.
  double value(model::Freedom freedom, const Frame<D>& A, const Frame<D>& B) const {
    if constexpr (D == 3) {
      if (pitch != 0.0 && freedom == model::Freedom::angle) {
        return ScrewPart{slide, angle, pitch}.continuous_angle(A, B);
      }
    }
    return with_part(freedom, [&](const auto& part) { return part.value(A, B)[0]; });
  }
};

/// A model compiled to elements with all offsets known.
template <int D>
struct Compiled {
  system::Structure structure;
  std::vector<math::Expression> excitations;
  std::vector<BodyElement<D>> bodies;
  typename ConstraintLists<D>::type constraints;
  std::vector<SpringElement<D>> springs;
  std::vector<MeasureLoad<D, AnglePart<D>>> angle_loads;
  std::vector<MeasureLoad<D, SlidePart<D>>> slide_loads;
  std::vector<MeasureLoad<3, RotationPart>> rotation_loads;  // in space alone
  std::vector<WheelElement<TyreLaw>> tyres;                  // so are wheels
  std::vector<WheelElement<CreepLaw>> creeps;
  std::vector<AppliedLoad<D>> applied;
  std::vector<JointElement<D>> joints;
  JointCoordinates coordinates;
  std::vector<SlidingContact<D>> sliding;
  std::vector<ContactRows> contacts;  // by contact point
  int joint_rows = 0;                 // of constraints: those of contacts come after

  int ground() const { return static_cast<int>(bodies.size()); }
  template <class Visitor>
  void for_each_constraint(Visitor&& visit) const {
    std::apply([&](const auto&... lists) { (visit_list(lists, visit), ...); }, constraints);
  }
  template <class Visitor>
  void for_each_measure(Visitor&& visit) const {
    visit_list(angle_loads, visit);
    visit_list(slide_loads, visit);
    if constexpr (D == 3) visit_list(rotation_loads, visit);
  }
  template <class Visitor>
  void for_each_wheel(Visitor&& visit) const {
    if constexpr (D == 3) {
      visit_list(tyres, visit);
      visit_list(creeps, visit);
    }
  }
  /// Where the states that count the turns of loads start.
  void start_states(const std::vector<Frame<D>>& frames, std::vector<double>& x) const {
    for_each_measure([&](const auto& load) {
      if (load.state < 0) return;
      const auto& [a, b] = load.links.frame;
      x[load.state] = joints[load.joint].value(load.freedom, frames[a], frames[b]);
    });
  }

 private:
  template <class List, class Visitor>
  static void visit_list(const List& list, Visitor& visit) {
    for (const auto& element : list) visit(element);
  }
};

/// The axes in which the gap between two points that coincide is stated.
enum class Gaps {
  world,
  body,  // of the first body, if it has axes: unchanged by what moves both bodies alike
};

struct CompileOptions {
  Gaps gaps = Gaps::world;
  std::span<const ContactState> contacts;  // by contact point; none: all open
  const model::Model* whole = nullptr;  // where the joints are of which gaps are measured
};

template <int D>
Compiled<D> compile(const model::Model& model, const CompileOptions& options = {});

/// What a planar joint's angle is less than the difference of its bodies' angles, given their
/// reference angles. Frames are known up to full turns: the angle is in (-pi, pi] in the reference
/// pose.
double planar_angle_offset(const model::Joint& joint, double angle_a, double angle_b);

/// The D components of a model's vector.
template <int D>
typename Geometry<D>::Vector reduced(const math::Vec3& v) {
  return v.head<D>();
}

/// Back to three components.
template <int D>
math::Vec3 spatial(const typename Geometry<D>::Vector& v) {
  math::Vec3 w = math::Vec3::Zero();
  w.template head<D>() = v;
  return w;
}

/// Frames of all bodies and, last, of the ground.
template <int D>
void update_frames(const std::vector<BodyElement<D>>& bodies, std::span<const double> q,
                   std::span<const double> v, std::vector<Frame<D>>& frames) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyElement<D>& body = bodies[i];
    Frame<D>& frame = frames[i];
    frame.p = Eigen::Map<const typename Geometry<D>::Vector>(q.data() + body.storage);
    frame.v = Eigen::Map<const typename Geometry<D>::Vector>(v.data() + body.dof);
    if (!body.rotates()) continue;
    const double* r = q.data() + body.storage + D;
    if constexpr (D == 3) {
      frame.R = math::rotation_matrix({r[0], r[1], r[2], r[3]});
    } else {
      const double c = std::cos(r[0]), s = std::sin(r[0]);
      frame.angle = r[0];
      frame.R << c, -s, s, c;
    }
    frame.omega = Eigen::Map<const typename Geometry<D>::Spin>(v.data() + body.dof + D);
  }
}

}  // namespace daedal::coordinates::absolute
