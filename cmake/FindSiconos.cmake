# Siconos' own configuration in Debian names files that are not there: Siconos::numerics is made here.
include(FindPackageHandleStandardArgs)
find_path(Siconos_INCLUDE_DIR SiconosConfig.h PATH_SUFFIXES siconos)
find_path(Siconos_numerics_INCLUDE_DIR LCP_Solvers.h PATH_SUFFIXES siconos/numerics)
find_library(Siconos_numerics_LIBRARY siconos_numerics)
find_library(Siconos_externals_LIBRARY siconos_externals)
set(siconos_parts Siconos_INCLUDE_DIR Siconos_numerics_INCLUDE_DIR Siconos_numerics_LIBRARY
  Siconos_externals_LIBRARY)
mark_as_advanced(${siconos_parts})
find_package_handle_standard_args(Siconos REQUIRED_VARS ${siconos_parts})
if(Siconos_FOUND AND NOT TARGET Siconos::numerics)
  add_library(Siconos::numerics INTERFACE IMPORTED)
  target_include_directories(Siconos::numerics SYSTEM INTERFACE ${Siconos_INCLUDE_DIR}
    ${Siconos_numerics_INCLUDE_DIR})
  target_link_libraries(Siconos::numerics INTERFACE ${Siconos_numerics_LIBRARY}
    ${Siconos_externals_LIBRARY})
endif()
