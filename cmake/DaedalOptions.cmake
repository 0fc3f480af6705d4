# Compiler settings shared by every target of the project.

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(daedal_options INTERFACE)
target_compile_options(daedal_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  # std::stable_sort of libstdc++ 12 calls what libstdc++ 12 calls deprecated.
  target_compile_options(daedal_options INTERFACE -Wno-deprecated-declarations)
endif()
if(DAEDAL_WERROR)
  target_compile_options(daedal_options INTERFACE -Werror)
endif()

# The block kernels gain a factor of two from AVX2 and FMA. The flag is part of the interface of
# every module, because Eigen's alignment, and so the layout of types in our headers, follows it.
add_library(daedal_arch INTERFACE)
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
check_cxx_source_runs(
  "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
  DAEDAL_HAVE_X86_64_V3)
unset(CMAKE_REQUIRED_FLAGS)
if(DAEDAL_HAVE_X86_64_V3)
  target_compile_options(daedal_arch INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=x86-64-v3>)
endif()
