// libFuzzer calls this; DAEDAL_FUZZ_TARGET is a function of targets.hpp.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  daedal::fuzz::DAEDAL_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
