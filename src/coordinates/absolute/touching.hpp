#pragma once

#include <fmt/format.h>

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
    std::unordered_map<std::string, int> pairs;  // of the same bodies
    const auto pair = [&](const model::Touch& a, const model::Touch& b) {
      const std::vector<TouchPoint<D>> points = touch_points<D>(model, a, b);
      std::string name = contact.name;
      if (several) {
        name = fmt::format("{}.{}.{}", contact.name, a.body, b.body);
        if (const int same = pairs[name]++; same > 0) name = fmt::format("{}.{}", name, same + 1);
      }
      point.first = a.body;
      point.second = b.body;
      for (std::size_t k = 0; k < points.size(); ++k) {
        point.name = points.size() > 1 ? fmt::format("{}.{}", name, k) : name;
        use(point, &points[k]);
      }
    };
    for (std::size_t a = 0; a < touching->first.size(); ++a) {
      if (touching->second.empty()) {
        for (std::size_t b = a + 1; b < touching->first.size(); ++b) {
          pair(touching->first[a], touching->first[b]);
        }
      }
      for (const model::Touch& other : touching->second) {
        if (other.body != touching->first[a].body) pair(touching->first[a], other);
      }
    }
  }
}

}  // namespace daedal::coordinates::absolute
