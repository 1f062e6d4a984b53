# Builds the command for any machine of this architecture and runs every claim with it and with the one at hand,
# which is built for this machine. Numbers differ in their last digits, since sums are cut into other lanes and
# products are fused with sums or not; the verdict of every test is the same.

include(${CMAKE_CURRENT_LIST_DIR}/test_step.cmake)

set(plain ${BUILD}/plain)
step(${CMAKE_COMMAND} -S ${SOURCE} -B ${plain} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DROOTDK_NATIVE=OFF -DROOTDK_BUILD_TESTS=OFF -DROOTDK_PLOTS=OFF)
step(${CMAKE_COMMAND} --build ${plain} --target rootdk)

# Of each line: claim, configuration, check, law, verdict.
function(verdicts COMMAND VARIABLE)
  set(file ${plain}/evidence.csv)
  step(${COMMAND} run --effort quick --no-progress --quiet --csv ${file})
  file(READ ${file} text)
  set(field "(\"[^\"]*\"|[^,\"\n]*)")
  string(REGEX REPLACE "(\n${field},${field},${field},${field},[A-Z_]+),[^\n]*" "\\1" text "${text}")
  set(${VARIABLE} "${text}" PARENT_SCOPE)
endfunction()
verdicts(${COMMAND} native)
verdicts(${plain}/rootdk portable)

string(REGEX MATCHALL "VERIFIED\n" found "${native}")
list(LENGTH found count)
if(count LESS 10000)
  message(FATAL_ERROR "of ${count} tests only the verdict was found")
endif()
if(NOT native STREQUAL portable)
  file(WRITE ${plain}/native.txt "${native}")
  file(WRITE ${plain}/portable.txt "${portable}")
  message(FATAL_ERROR "verdicts differ: ${plain}/native.txt, ${plain}/portable.txt")
endif()
message("${count} tests, the same verdicts")
