#include "daedal/doctor/inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_set>

#include "daedal/doctor/words.hpp"

namespace daedal::doctor {

namespace {

/// Masses and radii of gyration further apart than this cost digits.
constexpr double kLargeRatio = 1e6;
/// Parts of machines are smaller than this, and larger than that [m].
constexpr double kLargePart = 1e3, kSmallPart = 1e-6;
/// Densities of what parts are made of, from foam to platinum [kg/m^3].
constexpr double kLightest = 5.0, kHeaviest = 2.3e4;
/// On the surface of no planet of ours does gravity exceed this [m/s^2].
constexpr double kLargeGravity = 26.0;
/// A body whose radius of gyration exceeds its joints' distances by more has odd inertia.
constexpr double kLargeGyration = 30.0;
/// A planar angle beyond two turns is seldom meant in radians.
constexpr double kLargeAngle = 4.0 * std::numbers::pi;
/// A rotation in space by more is the same as one by less; with room for a rounded 2 pi.
constexpr double kFullTurn = 6.3;
/// A start that turns a body by more than this may have closed the other way round.
constexpr double kLargeTurn = 0.6 * std::numbers::pi;

double volume_of(const model::Shape& shape) {
  using std::numbers::pi;
  if (shape.type == "box") return shape.size.prod();
  if (shape.type == "sphere") return 4.0 / 3.0 * pi * std::pow(shape.size.x(), 3);
  if (shape.type == "cylinder") return pi * shape.size.x() * shape.size.x() * shape.size.z();
  return 0.0;  // a rod's radius is often that of the drawing alone
}

class Inspector {
 public:
  Inspector(const model::Model& model, const coordinates::Mechanism& mechanism,
            std::span<const double> q, bool closed)
      : model_(model), mechanism_(mechanism), q_(q), closed_(closed), bodies_(model::index_by_name(model.bodies)) {}

  Inspection run() {
    measure();
    check_gravity();
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) check_body(i);
    check_masses();
    check_angles();
    check_massless();
    if (closed_) check_turns();
    check_connections();
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void warn(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    out_.warnings.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  /// The largest distance of a body's joints and drawing from its centre of mass.
  void measure() {
    size_.assign(model_.bodies.size(), 0.0);
    const auto extend = [&](std::size_t i, const math::Vec3& point) {
      size_[i] = std::max(size_[i], (point - model_.bodies[i].center).norm());
    };
    for (const model::Joint& joint : model_.joints) {
      for (const model::Attachment& on : joint.on) {
        if (on.body != model::kGround) extend(bodies_.at(on.body), on.point);
      }
    }
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      for (const model::Shape& shape : model_.bodies[i].shapes) {
        for (const math::Vec3& point : shape.points) extend(i, point);
        if (shape.points.empty()) extend(i, shape.center + 0.5 * shape.size);
      }
    }
  }

  void check_gravity() {
    const double g = model_.gravity.norm();
    if (g <= kLargeGravity) return;
    std::string_view guess = "it is far above the Earth's 9.81 m/s^2";
    if (std::abs(g / 9810.0 - 1.0) < 0.01) guess = "it looks like mm/s^2; in m/s^2 it is 9.81";
    if (std::abs(g / 981.0 - 1.0) < 0.01) guess = "it looks like cm/s^2; in m/s^2 it is 9.81";
    if (std::abs(g / 386.1 - 1.0) < 0.01) guess = "it looks like in/s^2; in m/s^2 it is 9.81";
    if (std::abs(g / 32.17 - 1.0) < 0.01) guess = "it looks like ft/s^2; in m/s^2 it is 9.81";
    warn("gravity is {:.5g} m/s^2: {}", g, guess);
  }

  void check_body(std::size_t i) {
    const model::Body& body = model_.bodies[i];
    if (size_[i] > kLargePart) {
      warn("body '{}' reaches {:.3g} m from its centre of mass: that looks like millimetres; lengths "
           "are in m",
           body.name, size_[i]);
    } else if (size_[i] > 0.0 && size_[i] < kSmallPart) {
      warn("body '{}' reaches only {:.3g} m from its centre of mass; lengths are in m", body.name,
           size_[i]);
    }
    double volume = 0.0;
    for (const model::Shape& shape : body.shapes) volume += volume_of(shape);
    if (volume > 0.0 && !model_.planar) {
      const double density = body.mass / volume;
      if (density < kLightest || density > kHeaviest) {
        warn("body '{}' has a density of {:.3g} kg/m^3, which no material has (water 1000, steel "
             "7850); check mass, density and lengths: units are kg and m",
             body.name, density);
      }
    }
    if (body.kind == model::BodyKind::point || size_[i] == 0.0) return;
    const double largest = model_.planar ? body.inertia(2, 2) : body.inertia.diagonal().maxCoeff();
    const double gyration = std::sqrt(largest / body.mass);
    if (gyration > kLargeGyration * size_[i]) {
      warn("body '{}' has an inertia of {:.3g} kg m^2, that of its mass at a distance of {:.3g} m, "
           "but it reaches only {:.3g} m; check the unit kg m^2",
           body.name, largest, gyration, size_[i]);
    } else if (gyration * kLargeRatio < size_[i]) {
      warn("body '{}' has an inertia of {:.3g} kg m^2, next to nothing for {:.3g} kg that reach "
           "{:.3g} m; check the unit kg m^2, or make it a point",
           body.name, largest, body.mass, size_[i]);
    }
  }

  void check_masses() {
    const auto [light, heavy] =
        std::minmax_element(model_.bodies.begin(), model_.bodies.end(),
                            [](const auto& a, const auto& b) { return a.mass < b.mass; });
    if (light == model_.bodies.end() || heavy->mass <= kLargeRatio * light->mass) return;
    warn("masses differ by a factor of {:.1g}: '{}' has {:.3g} kg, '{}' {:.3g} kg; that costs digits "
         "and small steps, so check the unit kg, or leave the light body out",
         heavy->mass / light->mass, light->name, light->mass, heavy->name, heavy->mass);
  }

  void check_angles() {
    const double large = model_.planar ? kLargeAngle : kFullTurn;
    const auto check = [&](const std::string& name, double angle) {
      if (std::abs(angle) > large) {
        warn("body '{}' stands at an angle of {:.4g} rad: that looks like degrees; write {:.4g}*pi/180",
             name, angle, angle);
      }
    };
    for (const model::Body& body : model_.bodies) check(body.name, body.pose.angle);
    for (const model::InitialState& state : model_.initial) {
      if (state.angle) check(state.body, *state.angle);
    }
    for (const model::Joint& joint : model_.joints) {
      if (joint.drive && joint.drive->kind == model::Drive::Kind::angle) check_drive(joint);
    }
  }

  /// A constant angle beyond two turns, or below that and a round number of degrees; 12 is neither.
  void check_drive(const model::Joint& joint) {
    const model::Expression& motion = joint.drive->motion;
    if (!motion.variables().empty()) return;
    const double angle = motion.evaluate(0.0);
    const bool round = std::remainder(angle, 5.0) == 0.0;
    if (std::abs(angle) <= (round ? kFullTurn : kLargeAngle)) return;
    warn("joint '{}' is driven to an angle of {:.4g} rad: that looks like degrees; write {:.4g}*pi/180",
         joint.name, angle, angle);
  }

  /// A coordinate that nothing accelerates and no spring or damper holds.
  void check_massless() {
    const system::Structure& s = mechanism_.system->structure();
    const auto evaluator = mechanism_.system->evaluator();
    std::vector<math::Jet> u(s.excitations);
    mechanism_.system->excitations(0.0, u);
    evaluator->move_to({q_, mechanism_.initial.v, mechanism_.initial.x, u});
    system::Linearisation at(s);
    const std::vector<double> zero_a(s.dof()), zero(s.constraint_rows);
    evaluator->mass(at.M);
    evaluator->linearise(zero_a, zero, at);
    std::vector<double> held(s.dof(), 0.0);
    for (const linear::BlockMatrix* matrix : {&at.M, &at.K, &at.D}) {
      const linear::BlockPattern& p = matrix->pattern();
      for (int k = 0; k < p.blocks(); ++k) {
        if (p.row_node(k) != p.column_node(k)) continue;
        const auto block = matrix->block(k);
        for (int i = 0; i < block.rows(); ++i) {
          held[p.row_offset(p.row_node(k)) + i] += std::abs(block(i, i));
        }
      }
    }
    std::unordered_set<std::string> driven;
    for (const model::Joint& joint : model_.joints) {
      for (const model::JointCoordinate& coordinate : joint.coordinates) {
        if (joint.drive && joint.drive->freedom() == coordinate.freedom) {
          driven.insert(coordinate.name);
        }
      }
    }
    for (const system::Node& node : s.coordinates) {
      const auto begin = held.begin() + node.offset;
      if (driven.contains(node.name) ||
          std::all_of(begin, begin + node.size, [](double value) { return value > 0.0; })) {
        continue;
      }
      warn("coordinate '{}' has no mass, and no spring or damper acts on it: it only follows the "
           "bodies, and solvers without pivoting need augmentation; give it a stiffness, or leave it "
           "out",
           node.name);
    }
  }

  /// Bodies that had to turn far until the joints closed. Whole turns bring a body back to where it
  /// was.
  void check_turns() {
    const system::Structure& s = mechanism_.system->structure();
    std::vector<double> moved(s.dof());
    s.manifold.local(mechanism_.initial.q, q_, moved);
    for (const system::Node& node : s.coordinates) {
      if (!bodies_.contains(node.name)) continue;
      double squares = 0.0;
      for (int i = node.offset; i < node.offset + node.size; ++i) {
        if (mechanism_.turns[i]) squares += moved[i] * moved[i];
      }
      const double turn = std::abs(std::remainder(std::sqrt(squares), 2.0 * std::numbers::pi));
      if (turn <= kLargeTurn) continue;
      warn("body '{}' was turned by {:.0f} degrees until its joints closed: a point or axis on it may "
           "be mirrored, or it is to be placed by 'initial'",
           node.name, turn * 180.0 / std::numbers::pi);
    }
  }

  /// Bodies that no chain of joints connects to the ground.
  void check_connections() {
    const int ground = static_cast<int>(model_.bodies.size());
    std::vector<int> parent(model_.bodies.size() + 1);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    const auto index = [&](const std::string& name) {
      return name == model::kGround ? ground : bodies_.at(name);
    };
    for (const model::Joint& joint : model_.joints) {
      parent[root(index(joint.on[0].body))] = root(index(joint.on[1].body));
    }
    std::vector<std::string> loose;
    for (int i = 0; i < ground; ++i) {
      if (root(i) != root(ground)) loose.push_back(model_.bodies[i].name);
    }
    if (loose.empty()) return;
    out_.notes.push_back(fmt::format("no joint connects {} to the ground: {} free as a whole",
                                     listed(loose), loose.size() == 1 ? "it is" : "they are"));
  }

  const model::Model& model_;
  const coordinates::Mechanism& mechanism_;
  std::span<const double> q_;
  bool closed_;
  std::unordered_map<std::string, int> bodies_;
  std::vector<double> size_;  // by body [m]
  Inspection out_;
};

}  // namespace

Inspection inspect(const model::Model& model, const coordinates::Mechanism& mechanism,
                   std::span<const double> q, bool closed) {
  return Inspector(model, mechanism, q, closed).run();
}

}  // namespace daedal::doctor
