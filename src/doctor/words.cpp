#include "daedal/doctor/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedal::doctor {

namespace {

using coordinates::Restriction;

std::string_view kind_words(const Restriction& r) {
  switch (r.kind) {
    case Restriction::Kind::translation:
      return r.driven ? "driven displacement along" : "translation along";
    case Restriction::Kind::rotation: return r.driven ? "driven rotation about" : "rotation about";
    case Restriction::Kind::distance: return "change of length along";
    case Restriction::Kind::screw: return "translation that is not the screw's along";
  }
  return "";
}

}  // namespace

std::string listed(std::span<const std::string> names, std::size_t limit, std::string_view last) {
  std::string text;
  const std::size_t shown = names.size() > limit + 1 ? limit : names.size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
    text += names[i];
  }
  if (shown < names.size()) text += fmt::format(" {} {} more", last, names.size() - shown);
  return text;
}

std::string axis_word(const math::Vec3& axis) {
  Eigen::Index main = 0;
  axis.cwiseAbs().maxCoeff(&main);
  math::Vec3 n = axis[main] < 0.0 ? math::Vec3(-axis) : axis;
  if ((n - math::Vec3::Unit(main)).norm() < 1e-6) return std::string(1, "xyz"[main]);
  for (double& value : n) {
    value = std::round(value * 1e4) / 1e4;
    if (value == 0.0) value = 0.0;  // no -0
  }
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", n.x(), n.y(), n.z());
}

std::string motion_words(std::span<const Restriction> restrictions) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
  for (const Restriction& r : restrictions) {
    const std::string kind(kind_words(r)), axis = axis_word(r.axis);
    auto found = std::find_if(kinds.begin(), kinds.end(),
                              [&](const auto& entry) { return entry.first == kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
    std::vector<std::string>& axes = found->second;
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  std::vector<std::string> parts;
  for (const auto& [kind, axes] : kinds) parts.push_back(kind + " " + listed(axes));
  return listed(parts);
}

}  // namespace daedal::doctor
