# The headers of Eigen, fmt, the standard library and GoogleTest take a third of a build; with
# DAEDAL_PRECOMPILED they are read once for the modules and once for the tests. The preset `fuzz`
# does without, so that a source which forgets an include is found there.
option(DAEDAL_PRECOMPILED "Precompile the headers of other libraries" ON)

# daedal_precompile(NAME LINK library... HEADERS header...): a target whose headers others reuse
function(daedal_precompile name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS" ${ARGN})
  if(NOT DAEDAL_PRECOMPILED)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE daedal_options daedal_arch ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

function(daedal_reuse_precompiled target name)
  if(DAEDAL_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
    endif()
  endif()
endfunction()

set(headers <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <numbers>
  <optional> <set> <span> <string> <string_view> <utility> <variant> <vector> <Eigen/Dense>
  <fmt/format.h>)
daedal_precompile(daedal_headers LINK Eigen3::Eigen fmt::fmt HEADERS ${headers})
if(DAEDAL_PRECOMPILED)
  set_target_properties(daedal_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
if(DAEDAL_TESTS AND NOT DAEDAL_FUZZ)
  daedal_precompile(daedal_test_headers LINK Eigen3::Eigen fmt::fmt GTest::gmock
    HEADERS ${headers} <gtest/gtest.h> <gmock/gmock.h> <random>)
endif()
