# Stored configurations that once failed: DIR/NAME.json holds {"claim", "configuration", "why"}. The list
# is generated into the target; with tests, each is replayed as a test of its own.

function(rootdk_add_regressions TARGET DIR)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${DIR}/*.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(calls "")
  set(tests "")
  foreach(file ${files})
    file(READ ${file} text)
    foreach(field claim configuration why)
      string(JSON ${field} GET "${text}" ${field})
    endforeach()
    get_filename_component(name ${file} NAME_WE)
    string(APPEND calls "  add_regression({\"${name}\", \"${claim}\", \"${configuration}\"});\n")
    list(APPEND tests "${name}|${claim}:${configuration}")
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_regressions.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Generated from the files of ${DIR}.
#include <rootdk/properties/regressions.hpp>

namespace rootdk {
void register_regressions();
void register_regressions() {
@calls@}
}  // namespace rootdk
")
  target_sources(${TARGET} PRIVATE ${output})
  set(ROOTDK_REGRESSIONS "${tests}" PARENT_SCOPE)
endfunction()
