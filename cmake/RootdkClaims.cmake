# rootdk_add_claims(TARGET DIR): every file DIR/AREA/…/NAME.cpp is a claim of the id AREA.….NAME and
# defines rootdk::claims::AREA::…::NAME::claim(). The target's registry is generated from the list of
# files, so that an id is its path and adding a claim touches one file. rootdk_add_defects does the same
# for rootdk::defects::AREA::NAME::defect(), rootdk_add_subjects for rootdk::subjects::NAME::subject().
#
# A target that is a library defines rootdk::register_claims_TARGET(), to be called before the first
# use; an executable registers by itself.

function(rootdk_add_registry TARGET DIR KIND RESULT FUNCTION ADD)
  get_filename_component(root ${DIR} ABSOLUTE)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  set(declarations "")
  set(calls "")
  foreach(source ${sources})
    file(RELATIVE_PATH path ${root} ${source})
    string(REGEX REPLACE "\\.cpp$" "" path ${path})
    string(REPLACE "/" "." id ${path})
    string(REPLACE "/" "::" scope ${path})
    string(APPEND declarations
      "namespace rootdk::${KIND}::${scope} {\n${RESULT} ${FUNCTION}();\n}\n")
    string(APPEND calls "  ${ADD}(\"${id}\", ${KIND}::${scope}::${FUNCTION});\n")
  endforeach()
  get_target_property(type ${TARGET} TYPE)
  set(at_start "")
  if(type STREQUAL "EXECUTABLE")
    set(at_start "namespace {\n[[maybe_unused]] const bool registered = (rootdk::register_${KIND}_${TARGET}(), true);\n}\n")
  endif()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_${KIND}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated from the files of ${DIR}.
#include <rootdk/properties/subjects/named.hpp>

@declarations@
namespace rootdk {
void register_@KIND@_@TARGET@();
void register_@KIND@_@TARGET@() {
@calls@}
}  // namespace rootdk
@at_start@")
  target_sources(${TARGET} PRIVATE ${file} ${sources})
  # Many small files: compiled in batches, each file in a namespace of its own.
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(batch 0)
  set(in_batch 0)
  foreach(source ${sources})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${TARGET}_${KIND}_${batch}")
    math(EXPR in_batch "${in_batch} + 1")
    if(in_batch EQUAL 8)
      math(EXPR batch "${batch} + 1")
      set(in_batch 0)
    endif()
  endforeach()
endfunction()

function(rootdk_add_claims TARGET DIR)
  rootdk_add_registry(${TARGET} ${DIR} claims Claims claim add_claims)
endfunction()

function(rootdk_add_defects TARGET DIR)
  rootdk_add_registry(${TARGET} ${DIR} defects Defect defect add_defect)
endfunction()

function(rootdk_add_subjects TARGET DIR)
  rootdk_add_registry(${TARGET} ${DIR} subjects NamedSubject subject add_named_subject)
endfunction()
