# Judges a subject in Python and compares what is refuted with what is recorded of it.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${PYTHON} -c "import ${MODULE}" RESULT_VARIABLE code ERROR_VARIABLE err)
if(NOT code EQUAL 0)
  message("skipped: ${PYTHON} has no ${MODULE} (Debian: python3-${MODULE})")
  return()
endif()
set(result ${BUILD}/${MODULE}.json)
file(REMOVE ${result})
execute_process(COMMAND ${COMMAND} run --effort quick --no-progress --quiet --json ${result}
  --subject "${PYTHON} ${SOURCE}/${MODULE}_subject.py" OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT EXISTS ${result})
  message(FATAL_ERROR "${out}${err}")
endif()
execute_process(COMMAND ${PYTHON} ${SOURCE}/table.py ${result} ${SOURCE}/${MODULE}_facts.json
  RESULT_VARIABLE code OUTPUT_VARIABLE table ERROR_VARIABLE wrong)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${wrong}\n${out}")
endif()
