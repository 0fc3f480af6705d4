# Installs the build into a fresh prefix, moves the prefix, and builds and runs the examples
# against it: cmake -DBUILD= -DSOURCE= -DWORK= -DGENERATOR= -P install.cmake
cmake_minimum_required(VERSION 3.25)

function(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${code}\n${out}${err}")
  endif()
  if(NOT expected STREQUAL "" AND NOT out MATCHES "${expected}")
    message(FATAL_ERROR "${ARGN}\ndid not say '${expected}':\n${out}${err}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
# Nothing in the installed copy may know where it was made or put.
file(RENAME ${WORK}/first ${WORK}/prefix)
file(GLOB_RECURSE configs ${WORK}/prefix/*.cmake)
foreach(config IN LISTS configs)
  file(READ ${config} text)
  foreach(place ${SOURCE} ${WORK}/first)
    string(FIND "${text}" "${place}/" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${config} mentions ${place}")
    endif()
  endforeach()
endforeach()

foreach(example embedding wheelset)
  run("" ${CMAKE_COMMAND} -S ${SOURCE}/examples/${example} -B ${WORK}/${example} -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
    -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run("" ${CMAKE_COMMAND} --build ${WORK}/${example})
endforeach()
# phi'' = -(3/2) g sin(phi), phi(0) = 0, phi'(0) = 2, at t = 1: by a Runge-Kutta method.
run("angle = -0\\.31101" ${WORK}/embedding/pendulum)
# x and yaw of the IVP test set at t = 10: 8.63554 mm, -13.64230 mrad.
run("10\\.00 +8\\.6355[0-9]+ +-13\\.642" ${WORK}/wheelset/wheelset)
run("energy" ${WORK}/embedding/pendulum ${WORK}/prefix/share/daedal/models/pendulum.yaml)

# The installed program finds the installed gallery, from any folder.
run("prefix/share/daedal/models/squeezer.yaml" ${CMAKE_COMMAND} -E chdir ${WORK}
  ${WORK}/prefix/bin/daedal models --format json)
run("\"status\": *\"done\"" ${CMAKE_COMMAND} -E chdir ${WORK}
  ${WORK}/prefix/bin/daedal run driven-crank --set simulate.until=0.01 --format json)
file(REMOVE_RECURSE ${WORK})
