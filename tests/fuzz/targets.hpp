#pragma once

#include <string_view>

namespace daedal::fuzz {

/// Each reads a text, however wrong, and uses what came out. Errors of the reader's own kind are
/// caught; any other exception, a broken promise (abort), a sanitizer's report or a long wait is a
/// bug of ours.

/// `EXPRESSION; NAME=EXPRESSION; ...`: parameters resolved and bound, then values, jets and break
/// points.
void expression(std::string_view text);

/// A model file: read, checked, and made into a mechanism that is evaluated once.
void model(std::string_view text);

/// A study file over the gallery.
void study(std::string_view text);

}  // namespace daedal::fuzz
