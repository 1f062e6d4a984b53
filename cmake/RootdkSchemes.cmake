# Lists the scaling schemes of a folder: DIR/NAME.hpp defines rootdk::schemes::NAME::Scheme.

function(rootdk_generate_schemes DIR FILE)
  file(GLOB headers CONFIGURE_DEPENDS ${DIR}/*.hpp)
  set(includes "")
  set(calls "")
  foreach(header ${headers})
    get_filename_component(name ${header} NAME_WE)
    string(APPEND includes "#include <rootdk/lib/attention/schemes/${name}.hpp>\n")
    string(APPEND calls "  f(std::string_view{\"${name}\"}, schemes::${name}::Scheme{});\n")
  endforeach()
  file(CONFIGURE OUTPUT ${FILE} @ONLY CONTENT
"#pragma once

// Generated from the files of lib/attention/schemes.
@includes@
#include <string_view>

namespace rootdk {

/// Calls f(name, scheme) for each scheme, by name.
template <class F>
void for_each_scheme(F&& f) {
@calls@}

}  // namespace rootdk
")
endfunction()
