#include "daedal/model/validate_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "daedal/math/text.hpp"

namespace daedal::model {

namespace {

constexpr std::size_t kMaxProblems = 1000;  // as many as validate() tells
constexpr std::size_t kMaxNearMisses = 100;
constexpr std::size_t kTypes = static_cast<std::size_t>(TouchType::profile) + 1;

/// The parts of one type in a list.
struct Kind {
  const Touch* first = nullptr;
  bool several = false;  // on more than one body
};
using Kinds = std::array<Kind, kTypes>;

Kinds kinds(const std::vector<Touch>& parts) {
  Kinds all;
  for (const Touch& part : parts) {
    Kind& kind = all[static_cast<std::size_t>(part.type)];
    if (!kind.first) kind.first = &part;
    kind.several |= kind.first->body != part.body;
  }
  return all;
}

std::string partners(TouchType type) {
  std::string words;
  for (std::size_t k = 0; k < kTypes; ++k) {
    const auto other = static_cast<TouchType>(k);
    if (can_touch(type, other))
      words += fmt::format("{}{}", words.empty() ? "" : ", ", name_of(other));
  }
  return words;
}

class ContactValidator {
 public:
  explicit ContactValidator(const Model& model)
      : model_(model), joints_(index_by_name(model.joints)) {
    for (const Body& body : model.bodies) {
      bodies_.insert(body.name);
      if (body.kind == BodyKind::point) points_.insert(body.name);
    }
  }

  std::vector<Problem> run() {
    std::unordered_set<std::string> names;
    for (const Contact& contact : model_.contacts) {
      if (problems_.size() >= kMaxProblems) break;
      path_ = "contacts." + contact.name;
      owner_ = fmt::format("contact '{}'", contact.name);
      if (!names.insert(contact.name).second) {
        report("",
               fmt::format("{}: another contact has the same name; rename one of them", owner_));
      }
      check(contact);
    }
    return std::move(problems_);
  }

 private:
  void report(const std::string& where, std::string message) {
    if (problems_.size() < kMaxProblems) problems_.push_back({path_ + where, std::move(message)});
  }

  void check(const Contact& contact) {
    if (!(contact.restitution >= 0.0 && contact.restitution <= 1.0)) {
      report(".restitution", fmt::format("{}: restitution is {}, it must be from 0 to 1", owner_,
                                         contact.restitution));
    }
    if (!(contact.friction >= 0.0) || !std::isfinite(contact.friction)) {
      report(".friction",
             fmt::format("{}: friction is {}, it must not be negative", owner_, contact.friction));
    }
    if (const Touching* touching = contact.touching()) {
      check_parts(touching->first, ".first");
      check_parts(touching->second, ".second");
      if (touching->second.empty()) {
        check_among(*touching);
      } else {
        check_between(*touching);
      }
    } else {
      check_gap(*contact.gap());
      if (contact.friction > 0.0) {
        report(".friction",
               fmt::format("{}: friction is {}, but a gap of a joint has no surface to "
                           "rub on; remove it, or let parts of bodies touch",
                           owner_, contact.friction));
      }
    }
  }

  void check_between(const Touching& touching) {
    if (touching.first.empty()) {
      report(".between", owner_ + ": there is no part on its first side; give one");
    }
    std::unordered_set<std::string> on_first, told;
    for (const Touch& part : touching.first) on_first.insert(part.body);
    for (const Touch& part : touching.second) {
      if (!on_first.contains(part.body) || !told.insert(part.body).second) continue;
      report(".between", fmt::format("{}: '{}' is on both sides, but a body does not touch itself; "
                                     "name it on one of them",
                                     owner_, part.body));
    }
    check_laws(kinds(touching.first), kinds(touching.second), ".between");
  }

  void check_among(const Touching& touching) {
    const std::vector<Touch>& parts = touching.first;
    const bool several = std::ranges::any_of(
        parts, [&](const Touch& part) { return part.body != parts.front().body; });
    if (!several) {
      report(".among",
             fmt::format("{}: {}; give parts of at least two bodies", owner_,
                         parts.empty() ? "there is no part"
                                       : fmt::format("all its parts are of '{}', and a body does "
                                                     "not touch itself",
                                                     parts.front().body)));
    }
    const Kinds all = kinds(parts);
    check_laws(all, all, ".among");
  }

  /// Of two types that meet on different bodies, once.
  void check_laws(const Kinds& first, const Kinds& second, const std::string& where) {
    std::array<std::array<bool, kTypes>, kTypes> told{};
    for (std::size_t i = 0; i < kTypes; ++i) {
      for (std::size_t j = 0; j < kTypes; ++j) {
        const Kind &a = first[i], &b = second[j];
        if (!a.first || !b.first || told[j][i]) continue;
        if (!a.several && !b.several && a.first->body == b.first->body) continue;
        const TouchType x = a.first->type, y = b.first->type;
        if (can_touch(x, y)) continue;
        told[i][j] = true;
        report(where, fmt::format("{}: there is no law for a {} that touches a {}; a {} touches {}",
                                  owner_, name_of(x), name_of(y), name_of(x), partners(x)));
      }
    }
  }

  void check_parts(const std::vector<Touch>& parts, const std::string& side) {
    for (std::size_t k = 0; k < parts.size() && problems_.size() < kMaxProblems; ++k) {
      check_part(parts[k], fmt::format("{}.{}", side, k));
    }
  }

  void check_part(const Touch& part, const std::string& where) {
    const std::string_view type = name_of(part.type);
    if (part.body != kGround && !bodies_.contains(part.body)) {
      report(where + ".body", fmt::format("{}: {}: unknown body '{}'; {}", owner_, type, part.body,
                                          near_body(part.body)));
      return;
    }
    const std::string owner = fmt::format("{}: {} of '{}'", owner_, type, part.body);
    if (model_.planar && part.type == TouchType::cylinder) {
      report(where,
             fmt::format("{} is a part of spatial models, but this one is planar; give a sphere, "
                         "which is a disk",
                         owner));
    }
    check_place(part, where, owner);
    if (has_radius(part.type)) check_positive(where + ".radius", owner, "radius", part.radius);
    if (part.type == TouchType::box) {
      const int edges = model_.planar ? 2 : 3;
      for (int k = 0; k < edges; ++k) check_positive(where + ".size", owner, "size", part.size[k]);
    }
    if (part.type == TouchType::capsule && !(part.length > 0.0 && std::isfinite(part.length))) {
      report(where + ".to",
             fmt::format("{}: its ends are {} m apart; give two different points, or "
                         "make it a sphere",
                         owner, part.length));
    } else if (!part.frame.allFinite() || std::abs(part.frame.determinant() - 1.0) > 1e-9) {
      const std::string key = part.type == TouchType::plane      ? "normal"
                              : part.type == TouchType::cylinder ? "axis"
                                                                 : "rotation";
      report(fmt::format("{}.{}", where, key),
             fmt::format("{}: {} has zero length; give a nonzero vector", owner, key));
    }
    if (part.type == TouchType::profile) check_profile(part, where, owner);
  }

  void check_place(const Touch& part, const std::string& where, const std::string& owner) {
    const bool middle = part.type == TouchType::sphere || part.type == TouchType::box;
    const std::string key = part.type == TouchType::capsule ? "from" : middle ? "center" : "at";
    if (!part.center.allFinite()) {
      report(fmt::format("{}.{}", where, key),
             fmt::format("{}: {} is not finite; give finite numbers", owner, key));
    }
    if (!points_.contains(part.body)) return;
    if (part.type != TouchType::point && part.type != TouchType::sphere) {
      report(
          where + ".body",
          fmt::format("{}: the body is a point mass, which has no axes; make it a rigid body, or "
                      "the part a point or a sphere",
                      owner));
    } else if (!part.center.isZero()) {
      report(fmt::format("{}.{}", where, key),
             fmt::format("{}: the body is a point mass; its parts are at its origin, remove {}",
                         owner, key));
    }
  }

  void check_profile(const Touch& part, const std::string& where, const std::string& owner) {
    if (part.height && !part.points.empty()) {
      report(where + ".points", owner + ": points are given beside height; keep one of them");
      return;
    }
    if (part.height) {
      for (const std::string& name : part.height->variables()) {
        if (name == "x") continue;
        report(where + ".height",
               fmt::format("{}: height depends on '{}'; it is a function of x", owner, name));
      }
      if (part.smooth) {
        report(where + ".smooth",
               owner + ": smooth says how points are joined; remove it beside height");
      }
      return;
    }
    if (part.points.empty()) {
      report(where, owner + ": it has neither height nor points; give one of them");
    } else if (part.points.size() == 1) {
      report(where + ".points",
             owner + ": it runs through one point; give at least 2, or a height");
    }
    for (std::size_t k = 0; k < part.points.size(); ++k) {
      const double x = part.points[k][0], before = k > 0 ? part.points[k - 1][0] : 0.0;
      if (!std::isfinite(x) || !std::isfinite(part.points[k][1])) {
        report(where + ".points",
               fmt::format("{}: point {} is not finite; give finite numbers", owner, k + 1));
        return;
      }
      if (k > 0 && !(x > before)) {
        report(where + ".points",
               fmt::format("{}: x of point {} is {} after {}; it must grow from point to point",
                           owner, k + 1, x, before));
        return;
      }
    }
  }

  void check_gap(const JointGap& gap) {
    const auto found = joints_.find(gap.joint);
    if (found == joints_.end()) {
      report(".gap.joint",
             fmt::format("{}: unknown joint '{}'{}", owner_, gap.joint, near_joint(gap.joint)));
      return;
    }
    const Joint& joint = model_.joints[found->second];
    if (gap.of.empty() || gap.of.size() > 2 || (gap.of.size() == 2 && gap.of[0] == gap.of[1])) {
      report(
          gap.of.empty() ? ".gap" : ".gap.of",
          fmt::format("{}: joint '{}' is {}; say of which of its freedoms the gap is, one or two "
                      "different ones: {}",
                      owner_, joint.name, name_of(joint.type), free_motions(joint)));
      return;
    }
    for (const Freedom freedom : gap.of) check_freedom(joint, freedom);
    const std::vector<std::string> names = gap.gap.variables();
    for (const std::string& name : names) {
      if (name == "x" || (name == "y" && gap.of.size() == 2)) continue;
      report(".gap.is",
             fmt::format(
                 "{}: its gap depends on '{}'; it is a function of {}", owner_, name,
                 gap.of.size() == 2 ? "x and y, two freedoms" : "x, the one freedom it is of"));
    }
    if (names.empty()) {
      report(".gap.is", fmt::format("{}: its gap is {} whatever the joint does; give an expression "
                                    "of x, as in 1.2 - x",
                                    owner_, gap.gap.value()));
    }
  }

  void check_freedom(const Joint& joint, Freedom freedom) {
    const std::vector<Freedom> all = freedoms(joint.type, model_.planar);
    if (std::ranges::find(all, freedom) == all.end()) {
      report(".gap.of", fmt::format("{}: joint '{}' is {} and has no {}{}; {}", owner_, joint.name,
                                    name_of(joint.type), name_of(freedom),
                                    !has_freedom(joint.type, freedom) ? ""
                                    : model_.planar                   ? " in the plane"
                                                                      : " in space",
                                    free_motions(joint)));
    } else if (freedom == Freedom::direction && !joint.coordinate(freedom)) {
      report(".gap.of", fmt::format("{}: joint '{}' is distance; name the direction of its line "
                                    "first, as in coordinates: {{direction: phi}}",
                                    owner_, joint.name));
    }
  }

  std::string free_motions(const Joint& joint) const {
    std::string words;
    for (const Freedom freedom : freedoms(joint.type, model_.planar)) {
      words += fmt::format("{}{}", words.empty() ? "it has " : " and ", name_of(freedom));
    }
    return words.empty() ? "no single number describes its motion" : words;
  }

  void check_positive(const std::string& where, const std::string& owner, std::string_view what,
                      double value) {
    if (value > 0.0 && std::isfinite(value)) return;
    report(where, fmt::format("{}: {} is {}, it must be positive", owner, what, value));
  }

  static bool has_radius(TouchType type) {
    return type == TouchType::sphere || type == TouchType::capsule || type == TouchType::cylinder;
  }

  std::string near_body(const std::string& name) const {
    if (const auto near = near_miss(name, model_.bodies))
      return fmt::format("did you mean '{}'?", *near);
    return "name a body of this file or 'ground'";
  }

  std::string near_joint(const std::string& name) const {
    if (const auto near = near_miss(name, model_.joints))
      return fmt::format("; did you mean '{}'?", *near);
    return "; name a joint of this file";
  }

  template <class Items>
  std::optional<std::string> near_miss(const std::string& name, const Items& items) const {
    if (problems_.size() >= kMaxNearMisses) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& item : items) names.push_back(item.name);
    return math::nearest(name, names);
  }

  const Model& model_;
  std::unordered_map<std::string, int> joints_;
  std::unordered_set<std::string> bodies_, points_;
  std::string path_, owner_;  // of the contact that is checked
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> contact_problems(const Model& model) {
  return ContactValidator(model).run();
}

}  // namespace daedal::model
