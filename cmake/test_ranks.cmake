# One result for any number of ranks, and no file when a rank dies.
set(folder ${BUILD}/ranks)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
set(run run --effort quick --filter "^scores\\." --no-progress --quiet)

function(comparable FILE RESULT)
  file(STRINGS ${FILE} lines ENCODING UTF-8)
  list(FILTER lines EXCLUDE REGEX "\"(started|wall_s|jobs)\"")
  string(SHA256 sum "${lines}")
  set(${RESULT} ${sum} PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${COMMAND} ${run} --json ${folder}/alone.json COMMAND_ERROR_IS_FATAL ANY
  OUTPUT_QUIET)
comparable(${folder}/alone.json alone)
foreach(ranks 1 2 4)
  execute_process(COMMAND ${MPIRUN} --allow-run-as-root --oversubscribe -n ${ranks} ${COMMAND} ${run}
    --json ${folder}/${ranks}.json COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
  comparable(${folder}/${ranks}.json seen)
  if(NOT seen STREQUAL alone)
    message(FATAL_ERROR "${ranks} ranks give another result than one process")
  endif()
endforeach()

# The second rank kills itself soon after the start.
execute_process(COMMAND ${MPIRUN} --allow-run-as-root --oversubscribe
  -n 1 ${COMMAND} run --effort deep --no-progress --json ${folder}/dead.json :
  -n 1 sh -c "${COMMAND} run --effort deep --no-progress & sleep 1; kill -KILL $!; wait $!"
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(code EQUAL 0)
  message(FATAL_ERROR "a run with a dead rank exits with 0:\n${out}")
endif()
file(GLOB left ${folder}/dead.json*)
if(left)
  message(FATAL_ERROR "a run with a dead rank left ${left}")
endif()
