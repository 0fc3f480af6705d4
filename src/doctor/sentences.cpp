#include "daedal/doctor/sentences.hpp"

#include <fmt/format.h>

#include "daedal/doctor/words.hpp"

namespace daedal::doctor {

namespace {

std::string_view contradicted_words(Gap level) {
  return level == Gap::rates           ? "in velocity contradicted"
         : level == Gap::accelerations ? "in acceleration contradicted"
                                       : "contradicted";
}

}  // namespace

std::string sentence(const Statement& s, Kind kind, Gap level) {
  const std::string motion = motion_words(s.restrictions);
  const bool plural = motion.find(" and ") != std::string::npos;
  return fmt::format("{}: {} {} {} by {}", s.joint, motion, plural ? "are" : "is",
                     kind == Kind::conflicting ? contradicted_words(level)
                     : kind == Kind::singular  ? "at this position already prevented"
                     : s.restrictions.front().driven ? "already prescribed"
                                                     : "already prevented",
                     s.others.empty() ? "the joint itself" : listed(s.others));
}

std::string open_sentence(std::span<const std::string> constraints) {
  return fmt::format("the loop of {} cannot close", listed(constraints));
}

std::string locked_sentence(std::span<const std::string> constraints) {
  return fmt::format("it is locked: {} hold together in this position and in none next to it",
                     listed(constraints));
}

std::string gap_unit(const coordinates::Restriction& restriction, Gap level) {
  const bool turns = restriction.kind == coordinates::Restriction::Kind::rotation;
  return fmt::format("{}{}", turns ? "rad" : "m",
                     level == Gap::rates           ? "/s"
                     : level == Gap::accelerations ? "/s^2"
                                                   : "");
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::redundant: return "redundant";
    case Kind::singular: return "singular";
    case Kind::open: return "open";
    case Kind::conflicting: return "conflicting";
  }
  return "";
}

std::string Dependence::verdict() const {
  if (independent()) return "independent: motion and reactions are unique";
  const std::string joints = listed(not_unique);
  if (contradicts()) return fmt::format("conflicting: those of {}", joints);
  if (locked()) {
    return fmt::format("dependent at this position, which is locked: no motion leaves it, and the "
                       "reactions of {} are not determined",
                       joints);
  }
  if (has(Kind::singular)) {
    return fmt::format("dependent at this position: the motion may branch, the reactions of {} are "
                       "not unique",
                       joints);
  }
  return fmt::format("dependent: the motion is unique, the reactions of {} are not", joints);
}

}  // namespace daedal::doctor
