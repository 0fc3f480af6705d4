// Joints: where they sit on their two bodies.
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "daedal/io/model_reader.hpp"

namespace daedal::io::reading {

using math::Mat3;
using math::Vec3;
using model::JointType;

namespace {

constexpr double kPerpendicular = 1e-6;  // largest cosine of axes that should be

/// A point or direction on each of a joint's two bodies, in its frame.
using OnBoth = std::array<Vec3, 2>;

class JointReader {
 public:
  JointReader(Reading& reading, const Item& item) : reading_(reading), item_(item) {}

  void read() {
    joint_.name = item_.name;
    joint_.type = *model::joint_type(item_.find("type")->text());
    if (!read_between()) return;
    read_points();
    if (joint_.type == JointType::universal || item_.find("axes")) {
      read_axes();
    } else {
      read_axis();
    }
    if (joint_.type == JointType::distance) read_length();
    if (joint_.type == JointType::screw) joint_.pitch = reading_.number_or(item_, "pitch", 0.0);
    if (const Node* height = item_.find("height")) {
      joint_.height = scope().height(*height, item_, "height");
    }
    if (const Node* tree = item_.find("tree")) joint_.tree = tree->text() == "true";
    if (const Node* drive = item_.find("drive")) read_drive(*drive);
    if (const Node* coordinates = item_.find("coordinates")) read_coordinates(*coordinates);
    reading_.joints.emplace(joint_.name, static_cast<int>(reading_.model.joints.size()));
    reading_.model.joints.push_back(std::move(joint_));
    if (item_.find("limits")) read_limits(reading_, item_);
  }

  /// The bodies and points of something that is placed like a joint, in the axes of the first.
  bool read_attachments(std::array<model::Attachment, 2>& on) {
    if (!read_between()) return false;
    read_points();
    place(rotation(0));
    on = joint_.on;
    return true;
  }

 private:
  /// False if the two bodies are not known by name at all; unknown bodies are left to
  /// model::validate, which knows what to suggest.
  bool read_between() {
    const Node& between = *item_.find("between");
    if (!scope().is_list(between, 2, item_, "between", "names of bodies")) return false;
    for (int k = 0; k < 2; ++k) {
      std::string& body = joint_.on[k].body;
      body = scope().name(between.elements()[k], item_, "between");
      if (body.empty()) return false;
      pose_[k] = reading_.pose(body);
    }
    return true;
  }

  Mat3 rotation(int k) const {
    return pose_[k] ? rotation_of(*pose_[k], reading_.planar()) : Mat3(Mat3::Identity());
  }

  /// The values of a map from the joint's two bodies to vectors in their frames; zero for a body
  /// that is not named, unless both must be.
  std::optional<OnBoth> read_map(const Node& node, std::string_view key, bool both = true) {
    OnBoth values{Vec3::Zero(), Vec3::Zero()};
    std::array<bool, 2> found{};
    for (const Node::Entry& entry : node.entries()) {
      const std::string body = scope().name(entry.key, entry.position(), item_, key);
      if (body.empty()) return std::nullopt;
      const int k = body == joint_.on[0].body ? 0 : body == joint_.on[1].body ? 1 : -1;
      if (k < 0 || found[k]) {
        scope().problems().add(
            entry.position(),
            fmt::format("{} {} '{}'; its bodies are '{}' and '{}'", item_.label(key),
                        k < 0 ? "names" : "names twice", body, joint_.on[0].body,
                        joint_.on[1].body));
        return std::nullopt;
      }
      values[k] = scope().vector(entry.value, item_, key);
      found[k] = true;
    }
    for (int k = 0; both && k < 2; ++k) {
      if (found[k] || joint_.on[0].body == joint_.on[1].body) continue;
      scope().report(node, item_, key,
                     fmt::format("has no value for '{}'; give one for each body",
                                 joint_.on[k].body));
      return std::nullopt;
    }
    return values;
  }

  void read_points() {
    const Node* given = item_.find("at");
    if (given == nullptr) return;  // a distance or free joint is of the origins
    const Node& at = *given;
    if (at.is_map()) {
      const bool both = joint_.type != JointType::distance && joint_.type != JointType::free;
      if (const auto points = read_map(at, "at", both)) {
        for (int k = 0; k < 2; ++k) joint_.on[k].point = (*points)[k];
      }
      return;
    }
    const Vec3 world = scope().vector(at, item_, "at");
    for (int k = 0; k < 2; ++k) {
      if (pose_[k]) joint_.on[k].point = rotation(k).transpose() * (world - pose_[k]->position);
    }
  }

  /// Both frames are `world` in the reference pose.
  void place(const Mat3& world) {
    for (int k = 0; k < 2; ++k) joint_.on[k].frame = rotation(k).transpose() * world;
  }

  bool has_axis() const {
    return joint_.type == JointType::prismatic || joint_.type == JointType::cylindrical ||
           joint_.type == JointType::surface || joint_.type == JointType::planar ||
           joint_.type == JointType::screw ||
           (joint_.type == JointType::revolute && !reading_.planar());
  }

  void read_axis() {
    const Node* axis = item_.find("axis");
    if (axis && !has_axis()) {
      scope().report(*axis, item_, "axis",
                     "is given, but a planar revolute joint turns about z; remove it");
    }
    if (!has_axis()) return place(Mat3::Identity());
    if (axis == nullptr) {
      reading_.missing(item_, "axis", "add it: a direction in the reference pose");
      return;
    }
    if (!axis->is_map()) {
      const Vec3 world = scope().vector(*axis, item_, "axis");
      if (is_direction(*axis, "axis", world)) place(frame(world));
      return;
    }
    const bool of_first = joint_.type == JointType::surface;
    auto axes = read_map(*axis, "axis", !of_first);
    if (!axes) return;
    if (of_first) {
      if (!is_direction(*axis, "axis", (*axes)[0])) return;
      return place(rotation(0) * frame((*axes)[0]));
    }
    for (const Vec3& direction : *axes) {
      if (!is_direction(*axis, "axis", direction)) return;
    }
    place_apart(*axes);
  }

  /// Axes given in the two bodies: the second frame is the first, turned in the reference pose by
  /// the smallest rotation that aligns the axes.
  void place_apart(const OnBoth& axes) {
    joint_.on[0].frame = frame(axes[0]);
    const Mat3 first = rotation(0) * joint_.on[0].frame;
    const Vec3 from = (rotation(0) * axes[0]).normalized();
    const Vec3 to = (rotation(1) * axes[1]).normalized();
    const bool opposite = from.dot(to) < -1.0 + 1e-12;
    const Vec3 half_turn = reading_.planar() ? Vec3::UnitZ() : Vec3(first.col(0));
    const Mat3 turn =
        opposite ? Eigen::AngleAxisd(std::numbers::pi, half_turn).toRotationMatrix()
                 : Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
    joint_.on[1].frame = rotation(1).transpose() * turn * first;
  }

  void read_axes() {
    const Node& axes = *item_.find("axes");
    if (const Node* axis = item_.find("axis")) {
      scope().report(*axis, item_, "axis", "is given beside 'axes', which says all; remove it");
    }
    if (reading_.planar() && joint_.type == JointType::surface) {
      scope().report(axes, item_, "axes", "have no meaning in the plane; give 'axis', the normal");
      return;
    }
    if (!scope().is_list(axes, 2, item_, "axes", "directions")) return;
    const Vec3 first = scope().vector(axes.elements()[0], item_, "axes");
    const Vec3 second = scope().vector(axes.elements()[1], item_, "axes");
    if (!is_direction(axes.elements()[0], "axes", first) ||
        !is_direction(axes.elements()[1], "axes", second)) {
      return;
    }
    const Vec3 z = first.normalized();
    const double cosine = z.dot(second.normalized());
    if (std::abs(cosine) > kPerpendicular) {
      scope().report(axes, item_, "axes",
                     fmt::format("are at {:.6g} degrees; they must be perpendicular",
                                 std::acos(cosine) * 180.0 / std::numbers::pi));
      return;
    }
    Mat3 world;
    world.col(2) = z;
    world.col(0) = (second - second.dot(z) * z).normalized();
    world.col(1) = world.col(2).cross(world.col(0));
    place(world);
  }

  bool is_direction(const Node& node, std::string_view key, const Vec3& direction) {
    if (!direction.allFinite()) return false;
    if (direction.norm() > 0.0) return true;
    scope().report(node, item_, key, "has zero length; give a nonzero vector");
    return false;
  }

  /// z is the axis in space; in the plane x is, and z points out of it.
  Mat3 frame(const Vec3& axis) const {
    if (!reading_.planar()) return frame_about(axis);
    Mat3 result = Mat3::Identity();
    // The axis of a slide is x, the normal of a line y.
    result.col(0) = axis.normalized();
    if (joint_.type == JointType::surface) {
      result.col(0) = Vec3(axis.y(), -axis.x(), 0.0).normalized();
    }
    result.col(1) = Vec3(-result(1, 0), result(0, 0), 0.0);
    return result;
  }

  void read_length() {
    double distance = 0.0;
    if (pose_[0] && pose_[1]) {
      distance = (in_world(*pose_[1], joint_.on[1].point, reading_.planar()) -
                  in_world(*pose_[0], joint_.on[0].point, reading_.planar()))
                     .norm();
    } else {
      distance = 1.0;  // an unknown body is the problem, not the length
    }
    joint_.length = reading_.number_or(item_, "length", distance);
  }

  void read_drive(const Node& node) {
    using Kind = model::Drive::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{
        {{"angle", Kind::angle},
         {"displacement", Kind::displacement},
         {"angular_speed", Kind::angular_speed},
         {"speed", Kind::speed}}};
    if (node.size() != 1) {
      scope().report(node, item_, "drive",
                     fmt::format("has {} motions; give one of angle, displacement, angular_speed, "
                                 "speed",
                                 node.size()));
      return;
    }
    for (const auto& [key, kind] : kKinds) {
      if (const Node* motion = node.find(key)) {
        joint_.drive = model::Drive{
            kind, scope().function(*motion, item_, fmt::format("drive: {}", key))};
      }
    }
  }

  void read_coordinates(const Node& node) {
    if (node.size() == 0) scope().report(node, item_, "coordinates", "names no motion; remove it");
    for (int k = 0; k < model::kFreedoms; ++k) {
      const auto freedom = static_cast<model::Freedom>(k);
      const Node* name = node.find(model::name_of(freedom));
      if (!name) continue;
      if (!name->text().empty() && !math::is_identifier(name->text().substr(0, 1))) {
        scope().report(*name, item_, "coordinates",
                       fmt::format("'{}' is no name; begin with a letter, as in {{{}: phi}}",
                                   name->text(), model::name_of(freedom)));
        continue;
      }
      joint_.coordinates.push_back({scope().name(*name, item_, "coordinates"), freedom});
    }
  }

  Scope& scope() { return reading_.scope; }

  Reading& reading_;
  const Item& item_;
  model::Joint joint_;
  std::array<const model::Pose*, 2> pose_{};
};

}  // namespace

Mat3 frame_about(const Vec3& axis) {
  Mat3 frame;
  const Vec3 z = axis.normalized();
  int largest = 2;  // ties go to z, then y: -z before -y before -x
  for (int k = 1; k >= 0; --k) {
    if (std::abs(z[k]) > std::abs(z[largest])) largest = k;
  }
  const Vec3 next = Vec3::Unit((largest + 1) % 3);
  frame.col(2) = z;
  frame.col(0) = (next - next.dot(z) * z).normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

void read_joint(Reading& reading, const Item& item) {
  JointReader(reading, item).read();
}

bool read_attachments(Reading& reading, const Item& item, std::array<model::Attachment, 2>& on) {
  return JointReader(reading, item).read_attachments(on);
}

}  // namespace daedal::io::reading
