// The keys of a model file by subject; model_schema.cpp puts them together.
#pragma once

#include <cstddef>
#include <vector>

#include "daedal/io/schema.hpp"

namespace daedal::io::keys {

using schema::Field;
using schema::join;
using schema::Object;
using schema::Type;

inline const std::vector<std::size_t> kVector{2, 3};  // planar, spatial

/// The key `repeat` of every template.
Field repeat();

Object body();
Object rotation();
Object initial_state();
std::vector<Object> joints();
/// Bounds of a joint's freedoms.
Field limits();
std::vector<Object> forces();
Object contact();
Object output();
Object settings();

}  // namespace daedal::io::keys
