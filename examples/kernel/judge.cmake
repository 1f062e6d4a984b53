# Runs the command on a subject: the exit code and the texts that its console must show. A replayed line must
# end with the same code.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" options "${OPTIONS}")
string(REPLACE "|" ";" expected "${EXPECTED}")
execute_process(COMMAND ${COMMAND} run --subject ${SUBJECT} ${options} --no-progress --jobs 2
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "exit code ${code} for ${CODE}\n${out}${err}")
endif()
foreach(text ${expected})
  if(NOT out MATCHES "${text}")
    message(FATAL_ERROR "'${text}' is missing in\n${out}")
  endif()
endforeach()
if(CODE EQUAL 0 OR NOT out MATCHES "rootdk replay '([^']*)'" OR "--timeout" IN_LIST options)
  return()
endif()
execute_process(COMMAND ${COMMAND} replay ${CMAKE_MATCH_1} RESULT_VARIABLE code OUTPUT_VARIABLE out
  ERROR_VARIABLE out)
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "replay: exit code ${code} for ${CODE}\n${out}")
endif()
