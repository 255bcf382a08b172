# icount_add_suite(NAME FILE suite.toml [LINK target...] [OUT results.json] [ARGS icount-option...] [TEST])
#
# Adds a target NAME that measures the suite as a program of this build that links the targets would be compiled: with this
# build's compiler, build type, CMAKE_CXX_FLAGS and standard, and with the include paths, definitions, options and libraries
# that the targets ask of those who link them. The language standard is the one of the first target, where that has one.
# Not part of "all": `cmake --build . --target NAME` runs it, and with TEST ctest does under the same name.
# Results go to OUT (default NAME.json in the current build folder). The program is the target icount, or ICOUNT_PROGRAM.

function(icount_add_suite name)
  # A variable of this file is not seen where a project calls the function that has icount as a subproject.
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/IcountSuiteScript.cmake)
  cmake_parse_arguments(ARG "TEST" "FILE;OUT" "LINK;ARGS" ${ARGN})
  if(NOT ARG_FILE)
    message(FATAL_ERROR "icount_add_suite(${name}): FILE is missing")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "icount_add_suite(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_OUT)
    set(ARG_OUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.json)
  endif()
  get_filename_component(ARG_OUT ${ARG_OUT} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  if(TARGET icount)
    set(program $<TARGET_FILE:icount>)
  else()
    find_program(ICOUNT_PROGRAM icount REQUIRED)
    set(program ${ICOUNT_PROGRAM})
  endif()
  get_filename_component(file ${ARG_FILE} ABSOLUTE)

  # A program that links the same targets and does nothing. Launchers save its command lines when it is built: CMake cannot
  # spell out all that stands on them.
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.icount)
  file(GENERATE OUTPUT ${folder}/probe.cc CONTENT "int main() {}\n")
  set_source_files_properties(${folder}/probe.cc PROPERTIES GENERATED ON)
  add_executable(${name}_probe EXCLUDE_FROM_ALL ${folder}/probe.cc)
  target_link_libraries(${name}_probe PRIVATE ${ARG_LINK})
  set(launcher "\"${CMAKE_COMMAND}\" -DFOLDER=${folder} -DCOMPILER=${CMAKE_CXX_COMPILER}")
  set_target_properties(${name}_probe PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${folder}
    DISABLE_PRECOMPILE_HEADERS ON
    RULE_LAUNCH_COMPILE "${launcher} -DACTION=compile -P \"${script}\" --"
    RULE_LAUNCH_LINK "${launcher} -DACTION=link -P \"${script}\" --")
  if(ARG_LINK)
    list(GET ARG_LINK 0 first)
    foreach(property CXX_STANDARD CXX_EXTENSIONS CXX_STANDARD_REQUIRED)
      if(TARGET ${first})
        get_target_property(value ${first} ${property})
        if(NOT value STREQUAL "value-NOTFOUND")
          set_target_properties(${name}_probe PROPERTIES ${property} ${value})
        endif()
      endif()
    endforeach()
  endif()
  # What the compiler takes where a command line names no standard.
  set(kind STANDARD)
  if(CMAKE_CXX_EXTENSIONS_COMPUTED_DEFAULT)
    set(kind EXTENSION)
  endif()
  set(default "${CMAKE_CXX${CMAKE_CXX_STANDARD_COMPUTED_DEFAULT}_${kind}_COMPILE_OPTION}")
  add_custom_target(${name}
    COMMAND ${CMAKE_COMMAND} -DACTION=run "-DSTANDARD=${default}" -DFOLDER=${folder} -DCOMPILER=${CMAKE_CXX_COMPILER} -DPROGRAM=${program} -DFILE=${file}
            -DOUT=${ARG_OUT} "-DARGS=${ARG_ARGS}" -P ${script}
    DEPENDS ${name}_probe ${file}
    VERBATIM USES_TERMINAL
    COMMENT "Counting the instructions of suite ${name}")
  if(ARG_TEST)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --config $<CONFIG> --target ${name})
  endif()
endfunction()
