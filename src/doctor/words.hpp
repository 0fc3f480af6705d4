#pragma once

#include <span>
#include <string>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"

/// How the doctor speaks.
namespace daedal::doctor {

/// `a`, `a and b`, `a, b and c`; past `limit` names the rest are counted.
std::string listed(std::span<const std::string> names, std::size_t limit = 8,
                   std::string_view last = "and");

/// `x`, or `(0.6, 0.8, 0)`; a direction and its opposite have the same word.
std::string axis_word(const math::Vec3& axis);

/// `translation along x and y and rotation about z`.
std::string motion_words(std::span<const coordinates::Restriction> restrictions);

}  // namespace daedal::doctor
