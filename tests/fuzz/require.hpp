#pragma once

#include <cstdio>
#include <cstdlib>

namespace daedal::fuzz {

/// A promise of the reader; libFuzzer and GoogleTest both see an abort.
inline void require(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace daedal::fuzz
