#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace daedal::simulate {

/// Something happened at a contact.
struct ContactEvent {
  enum class Kind { impact, closes, opens, sticks, slides, settles };
  static constexpr std::array<std::string_view, 6> kNames{"impact", "closes", "opens",
                                                          "sticks", "slides", "settles"};
  double t = 0.0;
  Kind kind = Kind::impact;
  int contact = 0;                     // index of the contact point
  std::array<double, 3> impulse{};     // of an impact: normal, along the tangents [N s]
};

/// What contacts did in a run.
struct ContactSummary {
  std::vector<std::string> points;    // names of all
  long events = 0, impacts = 0;
  double impact_loss = 0.0;           // of kinetic energy [J]
  double largest_gain = 0.0;          // of kinetic energy in one impact [J], which should be none
  std::vector<std::string> settled;   // contacts that came to rest by an accumulation of impacts
};

}  // namespace daedal::simulate
