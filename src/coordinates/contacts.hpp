#pragma once

#include <string>
#include <vector>

#include "daedal/model/model.hpp"

namespace daedal::coordinates {

/// One place at which two bodies may touch; a contact of the model has one or, where a box comes
/// down on a plane, several.
struct ContactPoint {
  std::string name;   // `floor`, or `floor.3` where there are several
  int contact = 0;    // in the model
  std::string first, second;  // the bodies
};

/// All of them, in an order that depends on the model alone.
std::vector<ContactPoint> contact_points(const model::Model& model);

/// What the equations of an epoch know of a contact point. Its rows are constraints:
///
///   depth  -g(q) = 0         position level; the multiplier is the normal force, lambda >= 0
///   slip   -t.w  = 0         velocity level, one per tangent; multipliers are forces along t
///
/// A sliding contact has the first row alone, and its multiplier acts along n - mu d.
enum class ContactMode {
  open,      // no rows
  closed,    // the depth, without friction
  sticking,  // depth and slip
  sliding    // the depth; in the plane towards +t or -t, in space against the present slip
};

struct ContactState {
  ContactMode mode = ContactMode::open;
  double direction = 0.0;  // planar, sliding: 1 or -1
};

/// Rows of a contact point in the vector of constraints, or -1.
struct ContactRows {
  int depth = -1;
  int slip = -1;  // the first of D - 1
};

}  // namespace daedal::coordinates
