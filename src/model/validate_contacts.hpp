#pragma once

#include "daedal/model/model.hpp"

namespace daedal::model {

/// What is wrong with contacts; a part of validate(). `contacts.floor.first.3` is the fourth part
/// of the contact's first side.
std::vector<Problem> contact_problems(const Model& model);

}  // namespace daedal::model
