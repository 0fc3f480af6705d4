#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <unordered_map>

#include "daedal/coordinates/absolute/elements.hpp"
#include "daedal/coordinates/absolute/touching.hpp"

namespace daedal::coordinates::absolute {

namespace {

using linear::BlockPattern;

/// Translates a model into elements. Nodes first, then elements, then patterns, then offsets.
template <int D>
class Compiler {
 public:
  using Vector = typename Geometry<D>::Vector;

  Compiler(const model::Model& model, const CompileOptions& options)
      : model_(model), joint_index_(model::index_by_name(model.joints)), options_(options) {}

  Compiled<D> run() {
    add_bodies();
    for (const model::Joint& joint : model_.joints) add_joint(joint);
    for (const model::Force& force : model_.forces) {
      std::visit([this](const auto& f) { this->add_force(f); }, force);
    }
    add_contacts();
    make_patterns();
    look_up_offsets();
    out_.structure.excitations = static_cast<int>(out_.excitations.size());
    return std::move(out_);
  }

 private:
  using Pairs = std::vector<std::pair<int, int>>;

  void add_bodies() {
    auto& s = out_.structure;
    for (const model::Body& body : model_.bodies) {
      BodyElement<D> element;
      element.storage = s.manifold.storage();
      element.dof = s.manifold.dimension();
      element.mass = body.mass;
      element.center = reduced<D>(body.center);
      element.weight = body.mass * reduced<D>(model_.gravity);
      s.manifold.add_linear(D);
      if (body.kind == model::BodyKind::rigid) {
        if constexpr (D == 3) {
          element.inertia = body.inertia;
          s.manifold.add_rotation();
        } else {
          element.inertia(0, 0) = body.inertia(2, 2);
          s.manifold.add_linear(1);
        }
      }
      element.width = s.manifold.dimension() - element.dof;
      index_[body.name] = static_cast<int>(out_.bodies.size());
      s.coordinates.push_back({body.name, element.dof, element.width});
      out_.bodies.push_back(element);
    }
    index_[std::string(model::kGround)] = out_.ground();
  }

  /// A point or direction of a model's body frame, relative to the centre of mass.
  Vector local(const std::string& body, const math::Vec3& point) const {
    const int i = index_.at(body);
    return i == out_.ground() ? reduced<D>(point) : Vector(reduced<D>(point) - out_.bodies[i].center);
  }

  double reference_angle(const std::string& body) const {
    const int i = index_.at(body);
    return i == out_.ground() ? 0.0 : model_.bodies[i].pose.angle;
  }

  Links<D> links(const std::string& a, const std::string& b) const {
    Links<D> link;
    link.frame = {index_.at(a), index_.at(b)};
    for (int k = 0; k < 2; ++k) {
      if (link.frame[k] == out_.ground()) continue;
      link.dof[k] = out_.bodies[link.frame[k]].dof;
      link.width[k] = out_.bodies[link.frame[k]].width;
    }
    return link;
  }

  int add_excitation(const math::Expression& expression) {
    out_.excitations.push_back(expression);
    return static_cast<int>(out_.excitations.size()) - 1;
  }

  void add_joint(const model::Joint& joint) {
    using model::JointType;
    const auto& [A, B] = joint.on;
    const Vector a = local(A.body, A.point), b = local(B.body, B.point);

    JointElement<D> element;
    element.links = links(A.body, B.body);
    element.point_b = b;
    if (joint.type != JointType::free) open_node(joint.name, system::Level::position, element);
    const bool guided = joint.type == JointType::prismatic ||
                        joint.type == JointType::cylindrical || joint.type == JointType::screw;
    const bool aligned = guided || joint.type == JointType::revolute ||
                         joint.type == JointType::fixed || joint.type == JointType::planar;
    const bool holds_point = joint.type == JointType::revolute || joint.type == JointType::fixed ||
                             joint.type == JointType::spherical ||
                             joint.type == JointType::universal;
    add_measures(joint, element);

    if (joint.type == JointType::distance) {
      add(DistancePart<D>{a, b, joint.length}, element);
    } else if (joint.type == JointType::surface) {
      add(SurfacePart<D>{A.frame.topLeftCorner<D, D>(), a, b,
                         joint.height.value_or(math::Expression())},
          element);
    } else if (holds_point) {
      const int first = element.links.frame[0];
      if (options_.gaps == Gaps::body && first != out_.ground() && out_.bodies[first].rotates()) {
        for (int k = 0; k < D; ++k) add(SlidePart<D>{Vector::Unit(k), a, b}, element);
      } else {
        add(PointPart<D>{a, b}, element);
      }
    }
    if constexpr (D == 3) {
      if (aligned) {
        add(DotPart{A.frame.col(2), B.frame.col(0)}, element);
        add(DotPart{A.frame.col(2), B.frame.col(1)}, element);
      }
      if (joint.type == JointType::prismatic || joint.type == JointType::fixed) {
        add(DotPart{A.frame.col(0), B.frame.col(1)}, element);
      }
      if (joint.type == JointType::universal) {
        add(DotPart{A.frame.col(2), B.frame.col(0)}, element);
      }
      if (guided) {
        add(SlidePart<D>{A.frame.col(0), a, b}, element);
        add(SlidePart<D>{A.frame.col(1), a, b}, element);
      }
      if (joint.type == JointType::planar) add(SlidePart<D>{A.frame.col(2), a, b}, element);
      if (joint.type == JointType::screw) {
        element.pitch = joint.pitch / (2.0 * std::numbers::pi);
        add(ScrewPart{element.slide, element.angle, element.pitch}, element);
      }
    } else {
      if (guided) add(SlidePart<D>{reduced<D>(A.frame.col(1)), a, b}, element);
      if (guided || joint.type == JointType::fixed) add(element.angle, element);
    }
    for (const model::JointCoordinate& coordinate : joint.coordinates) {
      add_coordinate(coordinate, joint, element);
    }
    if (joint.drive) add_drive(joint, element);
    out_.joints.push_back(std::move(element));
  }

  /// The parts that measure a joint's freedoms.
  void add_measures(const model::Joint& joint, JointElement<D>& element) const {
    using model::JointType;
    const auto& [A, B] = joint.on;
    const Vector a = local(A.body, A.point), b = local(B.body, B.point);
    const bool in_plane = joint.type == JointType::planar || joint.type == JointType::surface;
    if constexpr (D == 3) {
      element.angle = AnglePart<3>(A.frame, B.frame);
      element.second_angle = AnglePart<3>::about_second_axis(A.frame, B.frame);
      element.slide = {A.frame.col(in_plane ? 0 : 2), a, b};
      element.second_slide = {A.frame.col(1), a, b};
    } else {
      element.angle.offset =
          planar_angle_offset(joint, reference_angle(A.body), reference_angle(B.body));
      // The slide runs along the frame's x axis in the plane: its z points out of it.
      element.slide = {reduced<D>(A.frame.col(0)), a, b};
      element.second_slide = element.slide;  // one of each in the plane
      element.second_angle = element.angle;
    }
  }

  /// A scalar without mass and the row that ties it to the bodies.
  void add_coordinate(const model::JointCoordinate& coordinate, const model::Joint& joint,
                      JointElement<D>& element) {
    auto& s = out_.structure;
    ScalarCoordinate phi{s.manifold.storage(), s.manifold.dimension(),
                         static_cast<int>(s.coordinates.size())};
    s.manifold.add_linear(1);
    s.coordinates.push_back({coordinate.name, phi.dof, 1});
    out_.coordinates.all.push_back(phi);
    element.coordinate[static_cast<std::size_t>(coordinate.freedom)] = phi;

    // What the row transmits is the load of springs, unless the motion is driven.
    const bool is_reaction = joint.drive && joint.drive->freedom() == coordinate.freedom;
    open_node(coordinate.name, system::Level::position, element);
    if (!is_reaction) element.nodes.pop_back();
    const int node = static_cast<int>(s.constraints.size()) - 1;
    constraint_pairs_.push_back({node, phi.node});
    stiffness_pairs_.push_back({phi.node, phi.node});
    switch (coordinate.freedom) {
      case model::Freedom::direction:
        add_direction(joint, element, phi);
        break;
      case model::Freedom::angle:
        if (is_reaction && element.pitch != 0.0) {
          add(advance(element), element, -1, phi);
          break;
        }
        [[fallthrough]];
      default:
        element.with_part(coordinate.freedom,
                          [&](const auto& part) { this->add(part, element, -1, phi); });
    }
  }

  /// The angle of a screw with all its turns, by its displacement.
  static SlidePart<D> advance(const JointElement<D>& element) {
    return {element.slide.n / element.pitch, element.slide.a, element.slide.b};
  }

  void add_direction(const model::Joint& joint, const JointElement<D>& element,
                     const ScalarCoordinate& phi) {
    if constexpr (D == 2) {
      auto& s = out_.structure;
      const auto& [A, B] = joint.on;
      DirectionRow row;
      row.links = element.links;
      row.a = local(A.body, A.point);
      row.b = local(B.body, B.point);
      row.phi = phi;
      row.row = s.constraint_rows++;
      s.constraints.back().size += 1;
      // Zero in the reference pose.
      const auto world = [&](const model::Attachment& at) -> Eigen::Vector2d {
        const int i = index_.at(at.body);
        if (i == out_.ground()) return reduced<2>(at.point);
        const model::Pose& pose = model_.bodies[i].pose;
        return reduced<2>(pose.position) + Eigen::Rotation2Dd(pose.angle) * reduced<2>(at.point);
      };
      const Eigen::Vector2d d = world(B) - world(A);
      row.reference = std::atan2(d.y(), d.x()) - reference_angle(A.body);
      const int node = static_cast<int>(s.constraints.size()) - 1;
      couple(stiffness_pairs_, row.links);
      for (int k = 0; k < 2; ++k) {
        if (!row.links.present(k)) continue;
        constraint_pairs_.push_back({node, row.links.frame[k]});
        stiffness_pairs_.push_back({row.links.frame[k], phi.node});
        stiffness_pairs_.push_back({phi.node, row.links.frame[k]});
      }
      out_.coordinates.directions.push_back(row);
    }
  }

  void add_drive(const model::Joint& joint, JointElement<D>& element) {
    const int u = add_excitation(joint.drive->motion);
    const auto freedom = static_cast<std::size_t>(joint.drive->freedom());
    if (const ScalarCoordinate phi = element.coordinate[freedom]; phi.node >= 0) {
      const system::Level level =
          joint.drive->is_speed() ? system::Level::velocity : system::Level::position;
      auto& s = out_.structure;
      open_node(joint.name + ".drive", level, element);
      element.nodes.pop_back();  // it holds the coordinate, and that the bodies
      constraint_pairs_.push_back({static_cast<int>(s.constraints.size()) - 1, phi.node});
      s.constraints.back().size = 1;
      out_.coordinates.drives.push_back({phi, s.constraint_rows++, u, -1, level});
      return;
    }
    if (joint.drive->is_speed()) {
      open_node(joint.name + ".drive", system::Level::velocity, element);
    }
    if (element.pitch != 0.0) {
      add(advance(element), element, u);
    } else {
      element.with_part(joint.drive->freedom(),
                        [&](const auto& part) { this->add(part, element, u); });
    }
  }

  /// Starts a new group of rows.
  void open_node(const std::string& name, system::Level level, JointElement<D>& element) {
    auto& s = out_.structure;
    system::ConstraintNode node;
    node.name = name;
    node.offset = s.constraint_rows;
    node.level = level;
    element.nodes.push_back(static_cast<int>(s.constraints.size()));
    s.constraints.push_back(node);
  }

  template <class Part>
  void add(const Part& part, JointElement<D>& element, int excitation = -1,
           const ScalarCoordinate& phi = {}) {
    auto& s = out_.structure;
    Constraint<D, Part> c;
    c.part = part;
    c.links = element.links;
    c.row = s.constraint_rows;
    c.excitation = excitation;
    c.phi = phi;
    c.level = s.constraints.back().level;
    s.constraints.back().size += Part::kRows;
    s.constraint_rows += Part::kRows;
    for (int k = 0; k < 2; ++k) {
      if (c.links.present(k)) {
        constraint_pairs_.push_back(
            {static_cast<int>(s.constraints.size()) - 1, c.links.frame[k]});
      }
    }
    constexpr bool couples = !std::is_same_v<Part, PointPart<D>> &&
                             !std::is_same_v<Part, AnglePart<2>>;
    if (couples) couple(stiffness_pairs_, c.links);
    std::get<std::vector<Constraint<D, Part>>>(out_.constraints).push_back(c);
  }

  void couple(Pairs& pairs, const Links<D>& l) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        if (l.present(i) && l.present(j)) pairs.push_back({l.frame[i], l.frame[j]});
      }
    }
  }

  void add_force(const model::Spring& spring) {
    const auto& [A, B] = spring.between;
    SpringElement<D> element{links(A.body, B.body), local(A.body, A.point),
                             local(B.body, B.point), spring.stiffness, spring.damping,
                             spring.length};
    couple(stiffness_pairs_, element.links);
    if (spring.damping != 0.0) couple(damping_pairs_, element.links);
    out_.springs.push_back(element);
  }

  void add_force(const model::JointSpring& spring) {
    const int index = joint_index_.at(spring.joint);
    const JointElement<D>& joint = out_.joints[index];
    const model::Freedom freedom = freedom_of(index, spring.freedom);
    if (const ScalarCoordinate& phi = joint.coordinate[static_cast<std::size_t>(freedom)];
        phi.node >= 0) {
      if (spring.damping != 0.0) damping_pairs_.push_back({phi.node, phi.node});
      out_.coordinates.loads.push_back({phi, spring.stiffness, spring.damping, spring.rest});
      return;
    }
    const auto fill = [&](auto load, const auto& part) {
      load.part = part;
      load.links = joint.links;
      load.joint = index;
      load.freedom = freedom;
      load.stiffness = spring.stiffness;
      load.damping = spring.damping;
      load.rest = spring.rest;
      return load;
    };
    couple(stiffness_pairs_, joint.links);
    if (spring.damping != 0.0) couple(damping_pairs_, joint.links);
    joint.with_part(freedom, [&]<class Part>(const Part& part) {
      auto load = fill(MeasureLoad<D, Part>{}, part);
      if constexpr (std::is_same_v<Part, SlidePart<D>>) {
        out_.slide_loads.push_back(load);
      } else {
        if (D == 3 && spring.stiffness != 0.0) load.state = add_state(spring.name, joint.links);
        out_.angle_loads.push_back(load);
      }
    });
  }

  model::Freedom freedom_of(int joint, std::optional<model::Freedom> wanted) const {
    return wanted ? *wanted : *model_.joints[joint].loaded();
  }

  int add_state(const std::string& name, const Links<D>& l) {
    auto& s = out_.structure;
    const int node = static_cast<int>(s.states.size());
    s.states.push_back({name, s.state_size, 1});
    for (int k = 0; k < 2; ++k) {
      if (l.present(k)) state_pairs_.push_back({node, l.frame[k]});
    }
    return s.state_size++;
  }

  void add_force(const model::JointLoad& force) {
    const int index = joint_index_.at(force.joint);
    const JointElement<D>& joint = out_.joints[index];
    const model::Freedom freedom = freedom_of(index, force.freedom);
    const int u = add_excitation(force.value);
    if (const ScalarCoordinate& phi = joint.coordinate[static_cast<std::size_t>(freedom)];
        phi.node >= 0) {
      out_.coordinates.loads.push_back({phi, 0.0, 0.0, 0.0, u});
      return;
    }
    const auto push = [&](auto& list, const auto& part) {
      auto& load = list.emplace_back();
      load.part = part;
      load.links = joint.links;
      load.excitation = u;
    };
    couple(stiffness_pairs_, joint.links);
    joint.with_part(freedom, [&]<class Part>(const Part& part) {
      if constexpr (std::is_same_v<Part, SlidePart<D>>) {
        push(out_.slide_loads, part);
      } else {
        push(out_.angle_loads, part);
      }
    });
  }

  void add_force(const model::AppliedForce& force) {
    AppliedLoad<D> load;
    load.body = index_.at(force.at.body);
    load.point = local(force.at.body, force.at.point);
    load.in_body_frame = force.frame == model::Frame::body;
    for (int k = 0; k < D; ++k) load.excitation[k] = add_excitation(force.value[k]);
    out_.applied.push_back(load);
  }

  void add_force(const model::AppliedTorque& torque) {
    AppliedLoad<D> load;
    load.body = index_.at(torque.body);
    load.is_torque = true;
    load.in_body_frame = torque.frame == model::Frame::body;
    for (int k = D == 3 ? 0 : 2; k < 3; ++k) load.excitation[k] = add_excitation(torque.value[k]);
    out_.applied.push_back(load);
  }

  void add_force(const model::Bushing& bushing) {
    const auto& [A, B] = bushing.on;
    const Links<D> link = links(A.body, B.body);
    couple(stiffness_pairs_, link);
    couple(damping_pairs_, link);
    const auto push = [&](auto& list, const auto& part, double stiffness, double damping,
                          double preload) {
      if (stiffness == 0.0 && damping == 0.0 && preload == 0.0) return;
      auto& load = list.emplace_back();
      load.part = part;
      load.links = link;
      load.stiffness = stiffness;
      load.damping = damping;
      load.preload = preload;
    };
    const Vector a = local(A.body, A.point), b = local(B.body, B.point);
    for (int k = 0; k < D; ++k) {
      push(out_.slide_loads, SlidePart<D>{reduced<D>(A.frame.col(k)), a, b}, bushing.stiffness[k],
           bushing.damping[k], bushing.preload[k]);
    }
    const math::Vec3 &stiffness = bushing.rotational_stiffness,
                     &damping = bushing.rotational_damping;
    if constexpr (D == 3) {
      for (int k = 0; k < 3; ++k) {
        push(out_.rotation_loads, RotationPart{A.frame, B.frame, k}, stiffness[k], damping[k], 0.0);
      }
    } else {
      model::Joint frames;
      frames.on = bushing.on;
      AnglePart<2> angle;
      angle.offset =
          planar_angle_offset(frames, reference_angle(A.body), reference_angle(B.body));
      push(out_.angle_loads, angle, stiffness[2], damping[2], 0.0);
    }
  }

  void add_force(const model::Tyre& tyre) {
    if constexpr (D == 3) {
      add_wheel(out_.tyres, tyre.wheel).law = {.radius = tyre.radius,
                                               .height = tyre.height,
                                               .stiffness = tyre.stiffness,
                                               .damping = tyre.damping,
                                               .longitudinal = tyre.longitudinal_stiffness,
                                               .lateral = tyre.lateral_stiffness,
                                               .friction = tyre.friction,
                                               .shape = tyre.shape,
                                               .slow_speed = tyre.slow_speed};
    }
  }

  void add_force(const model::Creep& creep) {
    if constexpr (D == 3) {
      add_wheel(out_.creeps, creep.wheel).law = {.radius = creep.radius,
                                                 .track = creep.track,
                                                 .normal = creep.load,
                                                 .friction = creep.friction,
                                                 .f11 = creep.f11,
                                                 .f22 = creep.f22,
                                                 .f23 = creep.f23,
                                                 .f33 = creep.f33,
                                                 .spin = creep.spin,
                                                 .slow_speed = creep.slow_speed};
    }
  }

  template <class List>
  auto& add_wheel(List& list, const model::Wheel& wheel) {
    auto& element = list.emplace_back();
    element.links = links(std::string(model::kGround), wheel.body);
    element.center = local(wheel.body, wheel.center);
    element.axis = wheel.axis.normalized();
    couple(damping_pairs_, element.links);
    return element;
  }

  /// Rows of the contacts that are not open. They are those of joints without a name among joints.
  void add_contacts() {
    out_.joint_rows = out_.structure.constraint_rows;
    if (options_.contacts.empty()) return;
    for_each_contact_point<D>(whole(), [&](const ContactPoint& point, const TouchPoint<D>* touch) {
      const ContactState& state = options_.contacts[out_.contacts.size()];
      ContactRows rows;
      if (state.mode != ContactMode::open) {
        JointElement<D> element;
        rows.depth = out_.structure.constraint_rows;
        if (touch) {
          element.links = links(touch->surface, touch->ball);
          open_node(point.name, system::Level::position, element);
          add(touch->part, element);
          add_friction(point, state, touch->part, element, rows);
        } else {
          element.links = links(point.first, point.second);
          open_node(point.name, system::Level::position, element);
          add(gap_part(*model_.contacts[point.contact].gap()), element);
        }
      }
      out_.contacts.push_back(rows);
    });
  }

  void add_friction(const ContactPoint& point, const ContactState& state,
                    const TouchPart<D>& touch, JointElement<D>& element, ContactRows& rows) {
    if (state.mode == ContactMode::sticking) {
      rows.slip = out_.structure.constraint_rows;
      open_node(point.name + ".slip", system::Level::velocity, element);
      for (int k = 0; k < D - 1; ++k) add(SlipPart<D>{touch, k}, element);
    } else if (state.mode == ContactMode::sliding) {
      SlidingContact<D> slide;
      slide.touch = touch;
      slide.links = element.links;
      slide.row = rows.depth;
      slide.friction = model_.contacts[point.contact].friction;
      slide.direction = state.direction;
      if (D == 3) couple(damping_pairs_, element.links);
      out_.sliding.push_back(slide);
    }
  }

  /// The model with all its joints.
  const model::Model& whole() const { return options_.whole ? *options_.whole : model_; }

  GapPart<D> gap_part(const model::JointGap& gap) const {
    const model::Joint& joint = whole().joints[whole().find_joint(gap.joint)];
    JointElement<D> element;
    add_measures(joint, element);
    GapPart<D> part;
    part.gap = gap.gap;
    for (const model::Freedom freedom : gap.of) {
      element.with_part(freedom, [&](const auto& measure) { part.of.push_back(measure); });
    }
    return part;
  }

  void make_patterns() {
    auto& s = out_.structure;
    const auto sizes = [](const auto& nodes) {
      std::vector<int> out;
      for (const auto& node : nodes) out.push_back(node.size);
      return out;
    };
    const std::vector<int> bodies = sizes(s.coordinates), rows = sizes(s.constraints),
                           states = sizes(s.states);
    Pairs diagonal;
    for (int i = 0; i < out_.ground(); ++i) {
      diagonal.push_back({i, i});
      // Gyroscopic terms make the damping of a spatial rigid body.
      if (D == 3 && out_.bodies[i].rotates()) damping_pairs_.push_back({i, i});
    }
    stiffness_pairs_.insert(stiffness_pairs_.end(), diagonal.begin(), diagonal.end());
    Pairs state_diagonal;
    for (int i = 0; i < static_cast<int>(s.states.size()); ++i) state_diagonal.push_back({i, i});

    const auto make = [](const auto& r, const auto& c, Pairs pairs) {
      return std::make_shared<const BlockPattern>(r, c, std::move(pairs));
    };
    s.mass = make(bodies, bodies, diagonal);
    s.damping = make(bodies, bodies, damping_pairs_);
    s.stiffness = make(bodies, bodies, stiffness_pairs_);
    s.constraint = make(rows, bodies, constraint_pairs_);
    s.force_state = make(bodies, states, Pairs{});
    s.state_coordinate = make(states, bodies, state_pairs_);
    s.state_state = make(states, states, state_diagonal);
  }

  void look_up_offsets() {
    auto& s = out_.structure;
    const auto offset = [](const BlockPattern& p, int i, int j) {
      const int block = p.find(i, j);
      return block < 0 ? -1 : p.value_offset(block);
    };
    for (int i = 0; i < out_.ground(); ++i) {
      BodyElement<D>& body = out_.bodies[i];
      body.M = offset(*s.mass, i, i);
      body.D_ = offset(*s.damping, i, i);
      body.K = offset(*s.stiffness, i, i);
    }
    const auto complete = [&](Links<D>& l) {
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          if (!l.present(i) || !l.present(j)) continue;
          l.K[i][j] = offset(*s.stiffness, l.frame[i], l.frame[j]);
          l.D_[i][j] = offset(*s.damping, l.frame[i], l.frame[j]);
        }
      }
    };
    // Node of each row.
    std::vector<int> node_of_row(s.constraint_rows);
    for (int k = 0; k < static_cast<int>(s.constraints.size()); ++k) {
      std::fill_n(node_of_row.begin() + s.constraints[k].offset, s.constraints[k].size, k);
    }
    const auto velocity_rows = s.velocity_rows();
    const auto finish = [&](auto& list) {
      for (auto& c : list) {
        complete(c.links);
        const int node = node_of_row[c.row];
        if (c.phi.node >= 0) c.G_phi = offset(*s.constraint, node, c.phi.node);
        for (int k = 0; k < 2; ++k) {
          if (!c.links.present(k)) continue;
          const int row = (c.row - s.constraints[node].offset) * c.links.width[k];
          c.G[k] = offset(*s.constraint, node, c.links.frame[k]) + row;
          if (c.level == system::Level::velocity) {
            c.W[k] = offset(*velocity_rows, node, c.links.frame[k]) + row;
          }
        }
      }
    };
    std::apply([&](auto&... lists) { (finish(lists), ...); }, out_.constraints);
    for (SlidingContact<D>& slide : out_.sliding) {
      complete(slide.links);
      for (int k = 0; k < 2; ++k) {
        if (slide.links.present(k)) {
          slide.G[k] = offset(*s.constraint, node_of_row[slide.row], slide.links.frame[k]);
        }
      }
    }
    s.directed = !out_.sliding.empty();
    for (CoordinateLoad& load : out_.coordinates.loads) {
      load.K = offset(*s.stiffness, load.phi.node, load.phi.node);
      load.D_ = offset(*s.damping, load.phi.node, load.phi.node);
    }
    for (CoordinateDrive& drive : out_.coordinates.drives) {
      drive.G = offset(*s.constraint, node_of_row[drive.row], drive.phi.node);
    }
    if constexpr (D == 2) {
      for (DirectionRow& d : out_.coordinates.directions) {
        complete(d.links);
        const int node = node_of_row[d.row];
        d.G_phi = offset(*s.constraint, node, d.phi.node);
        d.K_phi = offset(*s.stiffness, d.phi.node, d.phi.node);
        for (int k = 0; k < 2; ++k) {
          if (!d.links.present(k)) continue;
          d.G[k] = offset(*s.constraint, node, d.links.frame[k]);
          d.K_body_phi[k] = offset(*s.stiffness, d.links.frame[k], d.phi.node);
          d.K_phi_body[k] = offset(*s.stiffness, d.phi.node, d.links.frame[k]);
        }
      }
    }
    for (auto& spring : out_.springs) complete(spring.links);
    const auto finish_measures = [&](auto& list) {
      for (auto& load : list) {
        complete(load.links);
        for (int k = 0; k < 2; ++k) {
          if (load.state < 0 || !load.links.present(k)) continue;
          load.state_block[k] = offset(*s.state_coordinate, load.state, load.links.frame[k]);
        }
      }
    };
    finish_measures(out_.angle_loads);
    finish_measures(out_.slide_loads);
    if constexpr (D == 3) {
      finish_measures(out_.rotation_loads);
      for (auto& wheel : out_.tyres) complete(wheel.links);
      for (auto& wheel : out_.creeps) complete(wheel.links);
    }
  }

  const model::Model& model_;
  std::unordered_map<std::string, int> joint_index_;
  CompileOptions options_;
  Compiled<D> out_;
  std::unordered_map<std::string, int> index_;
  Pairs constraint_pairs_, stiffness_pairs_, damping_pairs_, state_pairs_;
};

}  // namespace

double planar_angle_offset(const model::Joint& joint, double angle_a, double angle_b) {
  const auto turn = [](const math::Mat3& R) { return std::atan2(R(1, 0), R(0, 0)); };
  const double reference = angle_b - angle_a;
  return reference - wrapped(reference - (turn(joint.on[0].frame) - turn(joint.on[1].frame)));
}

template <int D>
Compiled<D> compile(const model::Model& model, const CompileOptions& options) {
  return Compiler<D>(model, options).run();
}

template Compiled<2> compile<2>(const model::Model&, const CompileOptions&);
template Compiled<3> compile<3>(const model::Model&, const CompileOptions&);

}  // namespace daedal::coordinates::absolute
