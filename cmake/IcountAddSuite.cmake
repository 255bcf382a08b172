# icount_add_suite(NAME FILE suite.toml [LINK target...] [OUT results.json] [ARGS icount-option...])
#
# Adds a target NAME that measures the suite with the include paths, definitions, options and libraries of the linked
# targets, exactly as a program of this build would use them. Not part of "all": `cmake --build . --target NAME` runs it.
# Results go to OUT (default NAME.json in the current build folder). The program is the target icount, or ICOUNT_PROGRAM.
set(ICOUNT_SUITE_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/IcountSuiteScript.cmake)

function(icount_add_suite name)
  cmake_parse_arguments(ARG "" "FILE;OUT" "LINK;ARGS" ${ARGN})
  if(NOT ARG_FILE)
    message(FATAL_ERROR "icount_add_suite(${name}): FILE is missing")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "icount_add_suite(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_OUT)
    set(ARG_OUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.json)
  endif()
  if(TARGET icount)
    set(program $<TARGET_FILE:icount>)
  else()
    find_program(ICOUNT_PROGRAM icount REQUIRED)
    set(program ${ICOUNT_PROGRAM})
  endif()
  get_filename_component(file ${ARG_FILE} ABSOLUTE)

  # A program that links the same targets and does nothing: its compile properties and its link line are the flags. The
  # link line is saved by a launcher, because CMake can't spell out what static libraries bring along.
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.icount)
  file(GENERATE OUTPUT ${folder}/probe.cc CONTENT "int main() {}\n")
  set_source_files_properties(${folder}/probe.cc PROPERTIES GENERATED ON)
  add_executable(${name}_probe EXCLUDE_FROM_ALL ${folder}/probe.cc)
  target_link_libraries(${name}_probe PRIVATE ${ARG_LINK})
  set_target_properties(${name}_probe PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${folder}
    RULE_LAUNCH_LINK "\"${CMAKE_COMMAND}\" -DACTION=link -DFOLDER=${folder} -P \"${ICOUNT_SUITE_SCRIPT}\" --")
  set(probe $<TARGET_PROPERTY:${name}_probe,INCLUDE_DIRECTORIES>)
  file(GENERATE OUTPUT ${folder}/compile_flags.txt CONTENT
"$<$<BOOL:${probe}>:-I$<JOIN:${probe},\n-I>>
$<$<BOOL:$<TARGET_PROPERTY:${name}_probe,COMPILE_DEFINITIONS>>:-D$<JOIN:$<TARGET_PROPERTY:${name}_probe,COMPILE_DEFINITIONS>,\n-D>>
$<JOIN:$<TARGET_PROPERTY:${name}_probe,COMPILE_OPTIONS>,\n>
")
  add_custom_target(${name}
    COMMAND ${CMAKE_COMMAND} -DACTION=run -DFOLDER=${folder} -DPROGRAM=${program} -DFILE=${file} -DOUT=${ARG_OUT}
            "-DARGS=${ARG_ARGS}" -P ${ICOUNT_SUITE_SCRIPT}
    DEPENDS ${name}_probe ${file}
    VERBATIM USES_TERMINAL
    COMMENT "Counting the instructions of suite ${name}")
endfunction()
