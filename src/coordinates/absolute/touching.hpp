#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "daedal/coordinates/absolute/touch_part.hpp"
#include "daedal/coordinates/contacts.hpp"

namespace daedal::coordinates::absolute {

/// A ball on one body and a surface on another.
template <int D>
struct TouchPoint {
  std::string surface, ball;  // bodies
  TouchPart<D> part;          // about the bodies' centres of mass
};

/// What two parts of bodies come to: a sphere is one ball, a box its corners, and two boxes the
/// corners of both.
template <int D>
std::vector<TouchPoint<D>> touch_points(const model::Model& model, const model::Touch& a,
                                        const model::Touch& b);

/// Parts by their bodies, counted where a body has several.
inline std::vector<std::string> labels(const std::vector<model::Touch>& parts) {
  std::unordered_map<std::string, int> count;
  std::vector<std::string> out;
  for (const model::Touch& part : parts) {
    const int of_body = ++count[part.body];
    out.push_back(of_body == 1 ? part.body : part.body + "_" + std::to_string(of_body));
  }
  return out;
}

/// Calls `use` with the point and, of touching bodies, what touches; of gaps of joints null.
template <int D, class Use>
void for_each_contact_point(const model::Model& model, Use&& use) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const model::Contact& contact = model.contacts[i];
    ContactPoint point{contact.name, static_cast<int>(i), {}, {}};
    const model::Touching* touching = contact.touching();
    if (!touching) {
      const int joint = model.find_joint(contact.gap()->joint);
      point.first = model.joints[joint].on[0].body;
      point.second = model.joints[joint].on[1].body;
      use(point, static_cast<const TouchPoint<D>*>(nullptr));
      continue;
    }
    const bool several = touching->first.size() > 1 || touching->second.size() > 1;
    const std::vector<model::Touch>& others =
        touching->second.empty() ? touching->first : touching->second;
    const std::vector<std::string> first_labels = labels(touching->first),
                                   second_labels = labels(others);
    const auto pair = [&](std::size_t first, std::size_t second) {
      const model::Touch &a = touching->first[first], &b = others[second];
      if (a.body == b.body) return;
      const std::vector<TouchPoint<D>> points = touch_points<D>(model, a, b);
      const std::string name =
          several ? contact.name + "." + first_labels[first] + "." + second_labels[second]
                  : contact.name;
      point.first = a.body;
      point.second = b.body;
      for (std::size_t k = 0; k < points.size(); ++k) {
        point.name = points.size() > 1 ? name + "." + std::to_string(k) : name;
        use(point, &points[k]);
      }
    };
    for (std::size_t a = 0; a < touching->first.size(); ++a) {
      const std::size_t from = touching->second.empty() ? a + 1 : 0;
      for (std::size_t b = from; b < others.size(); ++b) pair(a, b);
    }
  }
}

}  // namespace daedal::coordinates::absolute
