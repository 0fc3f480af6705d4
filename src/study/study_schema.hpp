#pragma once

#include "daedal/io/schema.hpp"

namespace daedal::study {

/// Keys of study files: the one table for checks, JSON Schema and docs/studies.md.
const io::schema::Object& study_schema();

}  // namespace daedal::study
