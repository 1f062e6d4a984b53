# Unit tests: every file x_test.cpp beside its x.cpp, in one program a room.

find_package(GTest REQUIRED)
include(GoogleTest)

foreach(room lib stats reports properties)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*_test.cpp)
  if(NOT tests)
    continue()
  endif()
  add_executable(${room}_test ${tests})
  target_link_libraries(${room}_test PRIVATE rootdk_options GTest::gtest_main fmt::fmt
    nlohmann_json::nlohmann_json pugixml::pugixml)
  if(room STREQUAL "properties")
    target_link_libraries(${room}_test PRIVATE rootdk_cli)
  else()
    target_link_libraries(${room}_test PRIVATE rootdk_${room})
  endif()
  target_compile_definitions(${room}_test PRIVATE
    ROOTDK_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}" ROOTDK_COMMAND="$<TARGET_FILE:rootdk>")
  target_include_directories(${room}_test SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})
  gtest_discover_tests(${room}_test TEST_PREFIX "${room}." DISCOVERY_TIMEOUT 60)
endforeach()
# One entry an area of claims.
file(GLOB areas RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/properties/claims CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/properties/claims/*)
list(FILTER areas EXCLUDE REGEX "\\.cpp$")
foreach(area ${areas})
  add_test(NAME claims.${area}
    COMMAND rootdk run --effort quick --filter "^${area}\\." --no-progress --quiet)
endforeach()

# Each configuration that once failed.
foreach(regression ${ROOTDK_REGRESSIONS})
  string(REPLACE "|" ";" regression "${regression}")
  list(POP_FRONT regression name)
  add_test(NAME regressions.${name} COMMAND rootdk replay
    "${regression}:seed=1,effort=standard,alpha=1e-06,subject=library")
endforeach()

# Declared against measured error rates of every family of tests.
add_test(NAME calibration COMMAND rootdk calibrate)

# A kernel in C, and broken variants of it, as subjects.
add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/examples/kernel examples/kernel)

# Subjects in Python; skipped, by name, where their packages are absent.
find_program(ROOTDK_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(ROOTDK_PYTHON python3)
if(ROOTDK_PYTHON)
  foreach(module numpy torch)
    add_test(NAME python.${module} COMMAND ${CMAKE_COMMAND}
      -DCOMMAND=$<TARGET_FILE:rootdk> -DPYTHON=${ROOTDK_PYTHON} -DMODULE=${module}
      -DBUILD=${CMAKE_CURRENT_BINARY_DIR} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/examples/python
      -P ${CMAKE_CURRENT_SOURCE_DIR}/examples/python/check.cmake)
    set_tests_properties(python.${module} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  endforeach()
endif()

# What `./dev new` writes.
add_test(NAME templates COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_CURRENT_BINARY_DIR}
  -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DCXX=${CMAKE_CXX_COMPILER}
  -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/test_templates.cmake)

# A project outside the tree, built from an installed prefix.
add_test(NAME package.out_of_tree
  COMMAND ${CMAKE_COMMAND}
    -DBUILD=${CMAKE_CURRENT_BINARY_DIR} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}
    -DGENERATOR=${CMAKE_GENERATOR} -DCXX=${CMAKE_CXX_COMPILER} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    -DSANITIZE=${ROOTDK_SANITIZE}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/test_package.cmake)

# The same verdicts without this machine's instructions. It builds the command a second time.
if(ROOTDK_TEST_PLAIN)
  add_test(NAME same.plain
    COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:rootdk> -DBUILD=${CMAKE_CURRENT_BINARY_DIR}
      -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DGENERATOR=${CMAKE_GENERATOR} -DCXX=${CMAKE_CXX_COMPILER}
      -DBUILD_TYPE=${CMAKE_BUILD_TYPE} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/test_plain.cmake)
endif()

if(ROOTDK_MPI)
  add_test(NAME ranks
    COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:rootdk> -DMPIRUN=${MPIEXEC_EXECUTABLE}
      -DBUILD=${CMAKE_CURRENT_BINARY_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/test_ranks.cmake)
endif()

# The page in a browser; skipped by name without Node, Chromium or playwright-core (npm ci).
add_test(NAME reports.browser
  COMMAND sh -c "command -v node >/dev/null || { echo 'SKIPPED: Node is not installed'; exit 77; }; \
exec node '${CMAKE_CURRENT_SOURCE_DIR}/reports/web/browser/test.mjs' '$<TARGET_FILE:rootdk>' \
'${CMAKE_CURRENT_SOURCE_DIR}/reports/golden/result.json'")
set_tests_properties(reports.browser PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
