#include "daedal/model/contact.hpp"

#include <algorithm>
#include <utility>

namespace daedal::model {

namespace {

constexpr std::array<std::pair<TouchType, std::string_view>, 7> kTouchNames{{
    {TouchType::point, "point"},
    {TouchType::sphere, "sphere"},
    {TouchType::capsule, "capsule"},
    {TouchType::box, "box"},
    {TouchType::plane, "plane"},
    {TouchType::cylinder, "cylinder"},
    {TouchType::profile, "profile"},
}};

constexpr std::array<std::pair<ImpactLaw, std::string_view>, 2> kLawNames{{
    {ImpactLaw::newton, "newton"},
    {ImpactLaw::poisson, "poisson"},
}};

template <class Table, class Key>
std::string_view name_in(const Table& table, Key key) {
  const auto it = std::ranges::find(table, key, &Table::value_type::first);
  return it == table.end() ? "?" : it->second;
}

template <class Key, class Table>
std::optional<Key> key_in(const Table& table, std::string_view name) {
  const auto it = std::ranges::find(table, name, &Table::value_type::second);
  return it == table.end() ? std::nullopt : std::optional<Key>(it->first);
}

}  // namespace

std::string_view name_of(TouchType type) { return name_in(kTouchNames, type); }

std::optional<TouchType> touch_type(std::string_view name) {
  return key_in<TouchType>(kTouchNames, name);
}

std::string_view name_of(ImpactLaw law) { return name_in(kLawNames, law); }

std::optional<ImpactLaw> impact_law(std::string_view name) {
  return key_in<ImpactLaw>(kLawNames, name);
}

bool can_touch(TouchType a, TouchType b) {
  // One has corners or ends of its own, the other a surface.
  const auto pointed = [](TouchType t) {
    return t == TouchType::point || t == TouchType::sphere || t == TouchType::capsule ||
           t == TouchType::box;
  };
  const auto solid = [](TouchType t) { return t != TouchType::point; };
  // The ends of a capsule say nothing of what its middle meets, unless that is flat.
  const auto meets = [&](TouchType ends, TouchType surface) {
    if (!pointed(ends) || !solid(surface)) return false;
    if (ends == TouchType::capsule) return surface == TouchType::plane;
    if (ends == TouchType::box) {
      return surface == TouchType::plane || surface == TouchType::box ||
             surface == TouchType::profile;
    }
    return true;
  };
  return meets(a, b) || meets(b, a);
}

}  // namespace daedal::model
