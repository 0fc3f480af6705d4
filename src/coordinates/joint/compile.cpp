#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "daedal/coordinates/joint/elements.hpp"

namespace daedal::coordinates::joint {

namespace {

using linear::BlockPattern;
using model::Freedom;
using model::JointType;

/// Entries of a pattern that are still reasonable: the mass matrix of a long chain is full.
constexpr std::size_t kLargestPattern = 20'000'000;

/// Cyclic exchange of axes that makes the first one the third.
math::Mat3 first_to_third() {
  math::Mat3 P;
  P << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return P;
}

using Pairs = std::vector<std::pair<int, int>>;

template <class Nodes>
std::vector<int> sizes(const Nodes& nodes) {
  std::vector<int> out;
  for (const auto& node : nodes) out.push_back(node.size);
  return out;
}

int offset(const BlockPattern& p, int i, int j) {
  const int block = p.find(i, j);
  return block < 0 ? -1 : p.value_offset(block);
}

/// Every link with coordinates with itself and those that carry it, and what the blocks of `coupling`
/// between nodes of the rest couple; with the rest's own coordinates where they have such blocks.
template <int D>
std::shared_ptr<const BlockPattern> square_pattern(const Compiled<D>& compiled,
                                                   const BlockPattern* coupling, bool own) {
  const auto& links = compiled.tree.links;
  Pairs pairs;
  for (int i = 1; i < static_cast<int>(links.size()); ++i) {
    if (links[i].width == 0) continue;
    compiled.for_carriers(i, [&](int j) {
      pairs.push_back({links[i].node, links[j].node});
      if (i != j) pairs.push_back({links[j].node, links[i].node});
    });
    if (pairs.size() > kLargestPattern) {
      throw model::ModelError(
          std::vector<model::Problem>{{"simulate.linear_solver",
                                       "simulate: joint coordinates make a mass matrix with more "
                                       "than 20 million blocks here, chains that long need "
                                       "linear_solver: tree with jacobian: analytic, or absolute "
                                       "coordinates"}});
    }
  }
  for (const auto& node : compiled.rest_nodes) {
    if (own && node.body < 0) pairs.push_back({node.node, node.node});
  }
  for (int k = 0; coupling && k < coupling->blocks(); ++k) {
    const int i = coupling->row_node(k), j = coupling->column_node(k);
    if (i == j && compiled.rest_nodes[i].body >= 0) continue;
    for (const auto& [li, ni] : compiled.movers(i)) {
      for (const auto& [lj, nj] : compiled.movers(j)) pairs.push_back({ni, nj});
    }
  }
  const std::vector<int> q = sizes(compiled.structure.coordinates);
  return std::make_shared<const BlockPattern>(q, q, std::move(pairs));
}

template <int D>
class Compiler {
 public:
  using Vector = typename Geometry<D>::Vector;
  using Matrix = typename Geometry<D>::Matrix;

  explicit Compiler(const model::Model& model, std::span<const ContactState> contacts = {})
      : model_(model),
        contacts_(contacts),
        bodies_(model::index_by_name(model.bodies)),
        spanning_(spanning_tree(model)) {}

  Tree<D> tree() {
    out_.joints.resize(model_.joints.size());
    make_tree();
    return std::move(out_.tree);
  }

  Compiled<D> run() {
    out_.joints.resize(model_.joints.size());
    make_tree();
    make_rest();
    add_loads();
    make_structure();
    return std::move(out_);
  }

 private:
  // The tree ------------------------------------------------------------------------------------

  /// How a body's own frame lies on its link: link coordinates of a point y are axes (y - origin).
  struct Mount {
    int link = 0;
    Matrix axes = Matrix::Identity();
    Vector origin = Vector::Zero();
    Vector point(const math::Vec3& y) const { return axes * (absolute::reduced<D>(y) - origin); }
  };

  void make_tree() {
    Tree<D>& tree = out_.tree;
    tree.gravity = absolute::reduced<D>(model_.gravity);
    tree.links.emplace_back();
    tree.bodies.resize(model_.bodies.size());
    mounts_.resize(model_.bodies.size() + 1);  // the last is the ground
    for (int b : spanning_.order) add_body(b);
    tree.body_of_link.assign(tree.links.size(), -1);
    for (int b = 0; b < static_cast<int>(tree.bodies.size()); ++b) {
      tree.body_of_link[tree.bodies[b].link] = b;
    }
    tree.carrier.assign(tree.links.size(), 0);
    for (std::size_t i = 1; i < tree.links.size(); ++i) {
      const int parent = tree.links[i].parent;
      tree.carrier[i] = tree.links[parent].width > 0 ? parent : tree.carrier[parent];
    }
    tree.dof = out_.structure.manifold.dimension();
  }

  void add_body(int b) {
    const model::Body& body = model_.bodies[b];
    const Branch& branch = spanning_.branch[b];
    Mount& mount = mounts_[b];
    if (branch.joint < 0) {
      add_free(body);
      mount.origin = absolute::reduced<D>(body.center);
    } else {
      add_joint(branch, mount);
      JointPlace& place = out_.joints[branch.joint];
      place.last = last();
      place.reversed = branch.reversed;
    }
    mount.link = last();
    BodyOnLink<D>& on = out_.tree.bodies[b];
    on.link = mount.link;
    on.rotates = body.kind == model::BodyKind::rigid;
    on.mass = body.mass;
    on.c = mount.point(body.center);
    on.axes = mount.axes;
    on.aligned = mount.axes.isIdentity(0.0);
    if (!on.rotates) return;
    if constexpr (D == 3) {
      on.inertia = mount.axes * body.inertia * mount.axes.transpose();
    } else {
      on.inertia(0, 0) = body.inertia(2, 2);
    }
  }

  int last() const { return static_cast<int>(out_.tree.links.size()) - 1; }

  Link<D>& push(int parent, LinkKind kind) {
    Link<D>& link = out_.tree.links.emplace_back();
    link.parent = parent;
    link.kind = kind;
    return link;
  }

  /// Gives the link its coordinates.
  void give(Link<D>& link, const std::string& name) {
    auto& s = out_.structure;
    link.storage = s.manifold.storage();
    link.dof = s.manifold.dimension();
    if (link.kind == LinkKind::ball) {
      s.manifold.add_rotation();
    } else {
      s.manifold.add_linear(link.kind == LinkKind::translation ? D : 1);
    }
    link.width = s.manifold.dimension() - link.dof;
    link.node = static_cast<int>(s.coordinates.size());
    s.coordinates.push_back({name, link.dof, link.width});
  }

  void add_free(const model::Body& body) {
    Link<D>& translation = push(0, LinkKind::translation);
    give(translation, body.kind == model::BodyKind::rigid ? body.name + ".position" : body.name);
    if (body.kind != model::BodyKind::rigid) return;
    Link<D>& rotation = push(last(), D == 3 ? LinkKind::ball : LinkKind::hinge);
    give(rotation, body.name + ".rotation");
  }

  /// A hinge or slide that stands for a freedom, which may be prescribed.
  void move(Link<D>& link, const Branch& branch, Freedom freedom) {
    const model::Joint& joint = model_.joints[branch.joint];
    link.sign = branch.reversed ? -1.0 : 1.0;
    out_.joints[branch.joint].link[static_cast<std::size_t>(freedom)] = last();
    if (joint.drive && !joint.drive->is_speed() && joint.drive->freedom() == freedom) {
      prescribed_.push_back({last(), joint.drive->motion});
      return;
    }
    give(link, single_freedom(joint)
                   ? joint.name
                   : joint.name + "." + std::string(model::name_of(freedom)));
    if (joint.drive && joint.drive->freedom() == freedom) driven_.push_back({last(), branch.joint});
  }

  bool single_freedom(const model::Joint& joint) const {
    return joint.type != JointType::surface && model::freedoms(joint.type).size() == 1;
  }

  void add_joint(const Branch& branch, Mount& mount) {
    const model::Joint& joint = model_.joints[branch.joint];
    const Mount& parent = branch.parent < 0 ? mounts_.back() : mounts_[branch.parent];
    const auto& [first, second] = joint.on;
    const model::Attachment& here = branch.reversed ? second : first;  // on the parent
    const model::Attachment& there = branch.reversed ? first : second;
    mount.origin = absolute::reduced<D>(there.point);
    const Vector p0 = parent.point(here.point);
    const auto begin = [&](int on, LinkKind kind) -> Link<D>& { return push(on, kind); };

    if constexpr (D == 2) {
      // Links have the axes of bodies; angles are counted as in absolute coordinates.
      const double offset = angle_offset(joint);
      const double turn = branch.reversed ? -offset : offset;
      const bool slides =
          joint.type == JointType::prismatic || joint.type == JointType::cylindrical;
      const bool hinges = joint.type == JointType::revolute || joint.type == JointType::spherical;
      const bool at_point = !is_rigid(here.body) || !is_rigid(there.body);
      const bool turns = is_rigid(there.body);
      if (joint.type == JointType::free) {
        Link<D>& place = begin(parent.link, LinkKind::translation);
        place.p0 = p0;
        give(place, turns ? joint.name + ".position" : joint.name);
        if (turns) give(begin(last(), LinkKind::hinge), joint.name + ".rotation");
        return;
      }
      if (joint.type == JointType::surface) {
        // The line is the first body's; a body that is reached from its point turns before.
        if (branch.reversed) {
          Link<D>& hinge = begin(parent.link, LinkKind::hinge);
          hinge.p0 = p0;
          give(hinge, joint.name + ".rotation");
        }
        Link<D>& slide = begin(branch.reversed ? last() : parent.link, LinkKind::slide);
        if (!branch.reversed) slide.p0 = p0;
        slide.e = absolute::reduced<D>(first.frame.col(0));
        move(slide, branch, Freedom::displacement);
        if (turns && !branch.reversed) {
          give(begin(last(), LinkKind::hinge), joint.name + ".rotation");
        }
        return;
      }
      LinkKind kind = LinkKind::fixed;
      if (slides) kind = LinkKind::slide;
      if (hinges && !(at_point && !is_rigid(there.body))) kind = LinkKind::hinge;
      Link<D>& link = begin(parent.link, kind);
      link.p0 = p0;
      if (!at_point) {
        link.angle0 = turn;
        link.R0 = Eigen::Rotation2Dd(turn).toRotationMatrix();
        link.turned = turn != 0.0;
      }
      if (slides) {
        // The axis is the first body's; its axes are turned against those of the second.
        Vector e = absolute::reduced<D>(joint.on[0].frame.col(0));
        if (branch.reversed) e = Eigen::Rotation2Dd(turn) * e;
        link.e = e;
        move(link, branch, Freedom::displacement);
      } else if (kind == LinkKind::hinge) {
        move(link, branch, Freedom::angle);
      }
    } else {
      const math::Mat3 start = parent.axes * here.frame;
      const auto turn = [](Link<D>& link, const math::Mat3& R0) {
        link.R0 = R0;
        link.turned = !R0.isIdentity(0.0);
      };
      const bool turns = is_rigid(there.body);
      mount.axes = there.frame.transpose();
      switch (joint.type) {
        case JointType::fixed: {
          Link<D>& link = begin(parent.link, LinkKind::fixed);
          link.p0 = p0;
          turn(link, start);
          break;
        }
        case JointType::revolute: {
          Link<D>& link = begin(parent.link, LinkKind::hinge);
          link.p0 = p0;
          turn(link, start);
          move(link, branch, Freedom::angle);
          break;
        }
        case JointType::prismatic:
        case JointType::cylindrical: {
          Link<D>& slide = begin(parent.link, LinkKind::slide);
          slide.p0 = p0;
          slide.e = start.col(2);
          turn(slide, start);
          move(slide, branch, Freedom::displacement);
          if (joint.type == JointType::cylindrical) {
            Link<D>& hinge = begin(last(), LinkKind::hinge);
            move(hinge, branch, Freedom::angle);
          }
          break;
        }
        case JointType::universal: {
          const math::Mat3 P = first_to_third();
          Link<D>& link = begin(parent.link, LinkKind::hinge);
          link.p0 = p0;
          turn(link, branch.reversed ? math::Mat3(start * P) : start);
          move(link, branch, branch.reversed ? Freedom::second_angle : Freedom::angle);
          Link<D>& other = begin(last(), LinkKind::hinge);
          turn(other, branch.reversed ? math::Mat3(P.transpose()) : P);
          move(other, branch, branch.reversed ? Freedom::angle : Freedom::second_angle);
          if (!branch.reversed) mount.axes = P.transpose() * mount.axes;
          break;
        }
        case JointType::spherical: {
          mount.axes.setIdentity();
          Link<D>& link = begin(parent.link, turns ? LinkKind::ball : LinkKind::fixed);
          link.p0 = p0;
          turn(link, parent.axes);
          if (link.kind == LinkKind::ball) give(link, joint.name);
          break;
        }
        case JointType::free: {
          // Along the axes of the body it is relative to.
          mount.axes.setIdentity();
          Link<D>& place = begin(parent.link, LinkKind::translation);
          place.p0 = p0;
          turn(place, parent.axes);
          give(place, turns ? joint.name + ".position" : joint.name);
          if (turns) give(begin(last(), LinkKind::ball), joint.name + ".rotation");
          break;
        }
        case JointType::surface:
        case JointType::planar: {
          // x and y are the first body's: a body that is reached from the second turns before.
          const auto rotate = [&](int on) -> Link<D>& {
            if (joint.type == JointType::planar) {
              Link<D>& hinge = begin(on, LinkKind::hinge);
              move(hinge, branch, Freedom::angle);
              return hinge;
            }
            Link<D>& ball = begin(on, LinkKind::ball);
            give(ball, joint.name + ".rotation");
            return ball;
          };
          const auto shift = [&](int on) -> Link<D>& {
            begin(on, LinkKind::slide).e = Vector::UnitX();
            move(out_.tree.links.back(), branch, Freedom::displacement);
            begin(last(), LinkKind::slide).e = Vector::UnitY();
            move(out_.tree.links.back(), branch, Freedom::second_displacement);
            return out_.tree.links[last() - 1];
          };
          Link<D>& link = branch.reversed ? rotate(parent.link) : shift(parent.link);
          link.p0 = p0;
          turn(link, start);
          if (!branch.reversed) {
            link.e = start.col(0);
            if (turns) rotate(last());
          } else {
            shift(last());
          }
          break;
        }
        case JointType::screw: {
          Link<D>& link = begin(parent.link, LinkKind::screw);
          link.p0 = p0;
          link.pitch = joint.pitch / (2.0 * std::numbers::pi);
          turn(link, start);
          move(link, branch, Freedom::angle);
          break;
        }
        case JointType::distance:
          break;
      }
    }
  }

  bool is_rigid(const std::string& body) const {
    const auto it = bodies_.find(body);
    return it == bodies_.end() || model_.bodies[it->second].kind == model::BodyKind::rigid;
  }

  double angle_offset(const model::Joint& joint) const {
    const auto angle = [&](const std::string& body) {
      const auto it = bodies_.find(body);
      return it == bodies_.end() ? 0.0 : model_.bodies[it->second].pose.angle;
    };
    return absolute::planar_angle_offset(joint, angle(joint.on[0].body), angle(joint.on[1].body));
  }

  // The rest ------------------------------------------------------------------------------------

  /// The model without what the tree takes care of.
  void make_rest() {
    const model::Model whole = without_coordinates(model_);
    model::Model rest = model_;
    rest.joints.clear();
    rest.forces.clear();
    for (int j : spanning_.cut) {
      rest.joints.push_back(whole.joints[j]);
      out_.cut.push_back(j);
    }
    const auto joints = model::index_by_name(model_.joints);
    for (const model::Force& force : model_.forces) {
      const auto on_tree = [&](const auto& f) {
        if constexpr (requires { f.freedom; }) {
          const int j = joints.at(f.joint);
          const Freedom freedom = f.freedom ? *f.freedom : *model_.joints[j].loaded();
          const int link = out_.joints[j].link[static_cast<std::size_t>(freedom)];
          if (link < 0) return false;
          tree_forces_.push_back({link, &force});
          return true;
        }
        return false;
      };
      if (!std::visit(on_tree, force)) rest.forces.push_back(force);
    }
    out_.rest = absolute::compile<D>(
        rest, {.gaps = absolute::Gaps::body, .contacts = contacts_, .whole = &model_});
    out_.bare = rest.forces.empty() && out_.rest.structure.constraint_rows == 0;
    for (absolute::BodyElement<D>& body : out_.rest.bodies) {
      body.mass = 0.0;
      body.inertia.setZero();
      body.weight.setZero();
    }
    out_.excitations = out_.rest.excitations;
    for (int b = 0; b < static_cast<int>(out_.rest.bodies.size()); ++b) {
      out_.rest_nodes.push_back({.body = b});
    }
    auto& s = out_.structure;
    for (std::size_t k = out_.rest.bodies.size(); k < out_.rest.structure.coordinates.size(); ++k) {
      typename Compiled<D>::RestNode node;
      node.node = static_cast<int>(s.coordinates.size());
      node.storage = s.manifold.storage();
      node.dof = s.manifold.dimension();
      s.manifold.add_linear(1);
      s.coordinates.push_back({out_.rest.structure.coordinates[k].name, node.dof, 1});
      out_.rest_nodes.push_back(node);
    }
  }

  int add_excitation(const math::Expression& expression) {
    out_.excitations.push_back(expression);
    return static_cast<int>(out_.excitations.size()) - 1;
  }

  void add_loads() {
    for (const auto& [link, motion] : prescribed_) {
      out_.tree.links[link].excitation = add_excitation(motion);
    }
    for (const auto& [link, force] : tree_forces_) {
      CoordinateLoad load;
      load.link = link;
      if (const auto* spring = std::get_if<model::JointSpring>(force)) {
        load.stiffness = spring->stiffness;
        load.damping = spring->damping;
        load.rest = spring->rest;
      } else {
        load.excitation = add_excitation(std::get<model::JointLoad>(*force).value);
      }
      out_.loads.push_back(load);
    }
    auto& s = out_.structure;
    s.constraints = out_.rest.structure.constraints;
    s.constraint_rows = out_.rest.structure.constraint_rows;
    s.directed = out_.rest.structure.directed;
    for (const auto& [link, joint] : driven_) {
      SpeedDrive drive;
      drive.link = link;
      drive.row = s.constraint_rows++;
      drive.excitation = add_excitation(model_.joints[joint].drive->motion);
      system::ConstraintNode node;
      node.name = model_.joints[joint].name + ".drive";
      node.offset = drive.row;
      node.size = 1;
      node.level = system::Level::velocity;
      s.constraints.push_back(node);
      out_.speeds.push_back(drive);
    }
    s.states = out_.rest.structure.states;
    s.state_size = out_.rest.structure.state_size;
    s.excitations = static_cast<int>(out_.excitations.size());
  }

  // Structure -----------------------------------------------------------------------------------

  void make_structure() {
    auto& s = out_.structure;
    const auto& r = out_.rest.structure;
    const auto& links = out_.tree.links;
    s.with_mass.assign(s.coordinates.size(), 1);
    for (const auto& node : out_.rest_nodes) {
      if (node.body < 0) s.with_mass[node.node] = 0;
    }
    Pairs constraint, state;
    // Symmetric patterns: loads of a joint coordinate on the diagonal are there already.
    const auto rows = [&](const BlockPattern& pattern, Pairs& to) {
      for (int k = 0; k < pattern.blocks(); ++k) {
        for (const auto& [link, node] : out_.movers(pattern.column_node(k))) {
          to.push_back({pattern.row_node(k), node});
        }
      }
    };
    constraint_rows(*r.constraint, constraint);
    rows(*r.state_coordinate, state);
    const int rest_constraints = static_cast<int>(r.constraints.size());
    for (std::size_t k = 0; k < out_.speeds.size(); ++k) {
      constraint.push_back(
          {rest_constraints + static_cast<int>(k), links[out_.speeds[k].link].node});
    }
    const std::vector<int> q = sizes(s.coordinates), g = sizes(s.constraints), x = sizes(s.states);
    const auto make = [](const auto& a, const auto& b, Pairs pairs) {
      return std::make_shared<const BlockPattern>(a, b, std::move(pairs));
    };
    s.constraint = make(g, q, std::move(constraint));
    s.force_state = make(q, x, Pairs{});
    s.state_coordinate = make(x, q, std::move(state));
    s.state_state = r.state_state;
    look_up_offsets();
    // Of a copy, which stays where it is.
    const auto compiled = std::make_shared<const Compiled<D>>(out_);
    s.mass = system::LazyPattern([compiled] { return square_pattern(*compiled, nullptr, false); });
    s.damping = system::LazyPattern(
        [compiled] { return square_pattern(*compiled, &*compiled->rest.structure.damping, false); });
    s.stiffness = system::LazyPattern([compiled] {
      return square_pattern(*compiled, &*compiled->rest.structure.stiffness, true);
    });
  }

  /// A joint that closes a loop does not see what moves both of its bodies alike; but a point mass
  /// has no axes that turn along.
  void constraint_rows(const BlockPattern& pattern, Pairs& to) {
    for (int i = 0; i < pattern.row_nodes(); ++i) {
      Pairs all;
      bool at_point = false;
      for (int k = pattern.row_begin(i); k < pattern.row_begin(i + 1); ++k) {
        const int body = out_.rest_nodes[pattern.column_node(k)].body;
        at_point |= body >= 0 && !out_.tree.bodies[body].rotates;
        for (const auto& mover : out_.movers(pattern.column_node(k))) all.push_back(mover);
      }
      std::sort(all.begin(), all.end());
      for (std::size_t k = 0; k < all.size(); ++k) {
        const bool twice =
            (k > 0 && all[k] == all[k - 1]) || (k + 1 < all.size() && all[k] == all[k + 1]);
        if (!twice || at_point) to.push_back({i, all[k].second});
      }
    }
  }

  void look_up_offsets() {
    auto& s = out_.structure;
    const auto& r = out_.rest.structure;
    const auto& links = out_.tree.links;
    for (std::size_t k = 0; k < out_.speeds.size(); ++k) {
      out_.speeds[k].G = offset(*s.constraint, static_cast<int>(r.constraints.size() + k),
                                links[out_.speeds[k].link].node);
    }
    for (int b = 0; b < out_.ground(); ++b) {
      out_.body_blocks.push_back({offset(*r.stiffness, b, b), offset(*r.damping, b, b)});
    }
    // Damping couples no nodes that stiffness does not.
    for (int k = 0; k < r.stiffness->blocks(); ++k) {
      const int i = r.stiffness->row_node(k), j = r.stiffness->column_node(k);
      if (i == j && out_.rest_nodes[i].body >= 0) continue;
      out_.couplings.push_back({i, j, r.stiffness->value_offset(k), offset(*r.damping, i, j)});
    }
    const auto add_rows = [&](auto& list, const BlockPattern& on_position, int first_row,
                              const BlockPattern* on_rate, const BlockPattern& to,
                              const BlockPattern* to_rate) {
      for (int k = 0; k < on_position.blocks(); ++k) {
        const int i = on_position.row_node(k), j = on_position.column_node(k);
        typename Compiled<D>::Rows rows;
        rows.node = j;
        rows.rows = on_position.row_size(i);
        rows.from = on_position.value_offset(k);
        if (on_rate) rows.from_rate = offset(*on_rate, i, j);
        for (const auto& [link, node] : out_.movers(j)) {
          const int at = offset(to, i + first_row, node);
          const int at_rate = to_rate ? offset(*to_rate, i + first_row, node) : -1;
          if (at >= 0 || at_rate >= 0) rows.to.push_back({link, at, at_rate});
        }
        list.push_back(std::move(rows));
      }
    };
    add_rows(out_.G_rows, *r.constraint, 0, nullptr, *s.constraint, nullptr);
    const auto rest_velocity = r.velocity_rows(), velocity = s.velocity_rows();
    add_rows(out_.W_rows, *rest_velocity, 0, r.constraint.get(), *velocity, nullptr);
    add_rows(out_.state_rows, *r.state_coordinate, 0, r.state_coordinate.get(), *s.state_coordinate,
             s.state_coordinate.get());
  }

  const model::Model& model_;
  std::span<const ContactState> contacts_;
  std::unordered_map<std::string, int> bodies_;
  SpanningTree spanning_;
  Compiled<D> out_;
  std::vector<Mount> mounts_;
  struct Prescribed {
    int link;
    math::Expression motion;
  };
  std::vector<Prescribed> prescribed_;
  std::vector<std::pair<int, int>> driven_;  // link and joint
  std::vector<std::pair<int, const model::Force*>> tree_forces_;
};

}  // namespace

model::Model without_coordinates(model::Model model) {
  for (model::Joint& joint : model.joints) {
    std::erase_if(joint.coordinates,
                  [](const model::JointCoordinate& c) { return c.freedom != Freedom::direction; });
  }
  return model;
}

template <int D>
Compiled<D> compile(const model::Model& model, std::span<const ContactState> contacts) {
  return Compiler<D>(model, contacts).run();
}

template <int D>
typename Compiled<D>::BlockPlaces find_places(const Compiled<D>& compiled) {
  typename Compiled<D>::BlockPlaces places;
  const system::Structure& s = compiled.structure;
  const auto& links = compiled.tree.links;
  for (int i = 1; i < static_cast<int>(links.size()); ++i) {
    if (links[i].width == 0) continue;
    compiled.for_carriers(i, [&](int j) {
      const int a = links[i].node, b = links[j].node;
      places.pairs.push_back({i, j, offset(*s.mass, a, b), offset(*s.mass, b, a),
                              offset(*s.damping, a, b), offset(*s.damping, b, a),
                              offset(*s.stiffness, a, b), offset(*s.stiffness, b, a)});
    });
  }
  for (const auto& coupling : compiled.couplings) {
    auto& to = places.couplings.emplace_back();
    for (const auto& [li, ni] : compiled.movers(coupling.row)) {
      for (const auto& [lj, nj] : compiled.movers(coupling.column)) {
        to.push_back({li, lj, offset(*s.stiffness, ni, nj), offset(*s.damping, ni, nj)});
      }
    }
  }
  for (const CoordinateLoad& load : compiled.loads) {
    const int node = links[load.link].node;  // none: a prescribed motion
    places.loads.push_back({node < 0 ? -1 : offset(*s.stiffness, node, node),
                            node < 0 ? -1 : offset(*s.damping, node, node)});
  }
  return places;
}

template Compiled<2>::BlockPlaces find_places<2>(const Compiled<2>&);
template Compiled<3>::BlockPlaces find_places<3>(const Compiled<3>&);

template <int D>
Tree<D> tree_of(const model::Model& model) {
  return Compiler<D>(model).tree();
}

template Tree<2> tree_of<2>(const model::Model&);
template Tree<3> tree_of<3>(const model::Model&);
template Compiled<2> compile<2>(const model::Model&, std::span<const ContactState>);
template Compiled<3> compile<3>(const model::Model&, std::span<const ContactState>);

}  // namespace daedal::coordinates::joint
