#pragma once

#include "daedal/io/schema.hpp"

namespace daedal::io {

/// The keys of a model file, from which checks, JSON Schema and docs/model-file.md follow.
const schema::Object& model_schema();

}  // namespace daedal::io
