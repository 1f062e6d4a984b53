# Installs the built tree into a fresh prefix and builds and runs the projects that find it there.

set(prefix ${BUILD}/out_of_tree/prefix)
file(REMOVE_RECURSE ${BUILD}/out_of_tree)

include(${CMAKE_CURRENT_LIST_DIR}/test_step.cmake)
function(must_match)
  foreach(text ${ARGN})
    if(NOT out MATCHES "${text}")
      message(FATAL_ERROR "'${text}' is missing in\n${out}")
    endif()
  endforeach()
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
step(${CMAKE_COMMAND} -S ${SOURCE}/examples/out_of_tree -B ${BUILD}/out_of_tree/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_C_FLAGS=${flags})
step(${CMAKE_COMMAND} --build ${BUILD}/out_of_tree/build)
set(command ${BUILD}/out_of_tree/build/out_of_tree)
step(${command} list subjects)
must_match("plain +scores as three loops" "tiled +attention by tiles in float")
# Its claim about its scheme, and the claims of the suite that apply to it.
step(${command} run --subject plain --effort quick --filter "^(scaled|scores)\\." --no-progress)
must_match("VERIFIED +scaled.cube_root" "VERIFIED +scores.variance")

# The kernel in C within the project, judged by the whole set; what it lacks is named and counted.
set(conformance "VERIFIED +softmax.simplex" "VERIFIED +scaling.gradient.learnable" "VERIFIED +scores.variance"
  "VERIFIED +gradient.attention" "NOT_APPLICABLE +linear.output_variance +subject has no linear"
  "NOT_APPLICABLE +scaling.variance.cosine +[^\n]*no scheme cosine"
  "[0-9]+ claims: [0-9]+ VERIFIED [0-9]+ NOT_APPLICABLE")
step(${command} run --subject tiled --effort quick --no-progress)
must_match(${conformance})

# The same kernel as a shared library, built against the installed header and served by the installed command.
step(${CMAKE_COMMAND} -S ${SOURCE}/examples/kernel -B ${BUILD}/out_of_tree/kernel -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_PREFIX_PATH=${prefix})
step(${CMAKE_COMMAND} --build ${BUILD}/out_of_tree/kernel --target attention)
step(${prefix}/bin/rootdk run --subject ${BUILD}/out_of_tree/kernel/libattention.so --effort quick
  --exclude "^training" --no-progress)
must_match(${conformance})
