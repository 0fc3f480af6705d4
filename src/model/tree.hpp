#pragma once

#include "daedal/model/model.hpp"

namespace daedal::model {

/// Joints that must carry a body in joint coordinates and cannot, or that make a loop; a part of
/// validate().
std::vector<Problem> tree_problems(const Model& model);

}  // namespace daedal::model
