# cmake --install and find_package(Daedal).
include(CMakePackageConfigHelpers)

install(TARGETS daedal_arch EXPORT DaedalTargets)
install(EXPORT DaedalTargets NAMESPACE Daedal:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Daedal)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/DaedalConfig.cmake.in
  ${PROJECT_BINARY_DIR}/DaedalConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Daedal)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/DaedalConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/DaedalConfig.cmake
  ${PROJECT_BINARY_DIR}/DaedalConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Daedal)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSiconos.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Daedal)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/daedal)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/studies DESTINATION ${CMAKE_INSTALL_DATADIR}/daedal
  PATTERN drafts EXCLUDE)
