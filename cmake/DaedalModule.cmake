# daedal_module(NAME PUBLIC module... EXTERNAL_PUBLIC lib... EXTERNAL_PRIVATE lib...)
#
# One folder src/NAME is one library daedal_NAME. Its headers are reached as
# "daedal/NAME/file.hpp" through an include directory of its own, so that a module sees the headers
# of exactly those modules it links: the diagram of docs/architecture.md is enforced by the build.
function(daedal_module name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;EXTERNAL_PUBLIC;EXTERNAL_PRIVATE" ${ARGN})
  set(include_root ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${include_root}/daedal)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${include_root}/daedal/${name} SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp
    ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)

  set(target daedal_${name})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:daedal_options>
      ${ARG_EXTERNAL_PRIVATE})
    daedal_reuse_precompiled(${target} daedal_headers)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(Daedal::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${include_root}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_PUBLIC PREPEND daedal_)
  target_link_libraries(${target} ${scope} daedal_arch ${ARG_PUBLIC} ${ARG_EXTERNAL_PUBLIC})

  install(TARGETS ${target} EXPORT DaedalTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${name}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/daedal FILES_MATCHING PATTERN "*.hpp")
endfunction()
