#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/coordinates/mechanism.hpp"
#include "daedal/doctor/dependence.hpp"

/// What the doctor found, in words.
namespace daedal::doctor {

/// The level on which rows do not hold. Rates are looked at where positions are closed,
/// accelerations where rates are met.
enum class Gap { none, positions, rates, accelerations };

/// Rows of a joint that follow from those of others.
struct Statement {
  std::string joint;
  std::vector<std::string> others;
  std::vector<coordinates::Restriction> restrictions;  // what the rows forbid
};

/// `upper: rotation about x and y are already prevented by lower`
std::string sentence(const Statement& statement, Kind kind, Gap level);

/// `the loop of A, B and C cannot close`
std::string open_sentence(std::span<const std::string> constraints);

/// `it is locked: A, B and C hold together in this position and in none next to it`
std::string locked_sentence(std::span<const std::string> constraints);

/// `rad/s`: of the gap in a row.
std::string gap_unit(const coordinates::Restriction& restriction, Gap level);

}  // namespace daedal::doctor
