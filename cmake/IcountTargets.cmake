# The two kinds of targets of this project, so that each folder's CMakeLists.txt is a list of files and neighbours.

add_library(icount_flags INTERFACE)
target_compile_features(icount_flags INTERFACE cxx_std_20)
target_compile_options(icount_flags INTERFACE -Wall -Wextra -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(icount_flags INTERFACE -Wno-restrict)  # false positives of g++ 12 in std::string
endif()
if(ICOUNT_WERROR)
  # nvcc's own -Werror wants a word behind it, and passes nothing on to the compiler that it calls.
  target_compile_options(icount_flags INTERFACE
    "$<IF:$<COMPILE_LANGUAGE:CUDA>,SHELL:-Werror all-warnings -Xcompiler -Werror,-Werror>")
endif()
if(ICOUNT_SANITIZE)
  target_compile_options(icount_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(icount_flags INTERFACE -fsanitize=address,undefined)
endif()
if(ICOUNT_BUILD_FUZZERS)  # a fuzzer sees which branches of the libraries its input takes
  target_compile_options(icount_flags INTERFACE -fsanitize=fuzzer-no-link,float-cast-overflow)
endif()

# icount_library(FOLDER SOURCES ... HEADERS ... USES folder... PRIVATE lib...)
# USES names lower folders (docs/layers.txt), PRIVATE third-party libraries whose headers stay out of ours.
function(icount_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;USES;PRIVATE;PUBLIC" ${ARGN})
  add_library(icount_${folder} STATIC ${ARG_SOURCES})
  add_library(icount::${folder} ALIAS icount_${folder})
  # A header whose own .cc includes it first (tests/layering_test checks that) compiles alone whenever the .cc compiles;
  # only the others need a translation unit that holds nothing else.
  set(lone ${ARG_HEADERS})
  foreach(source ${ARG_SOURCES})
    string(REGEX REPLACE "\\.cc$" ".h" header ${source})
    list(REMOVE_ITEM lone ${header})
  endforeach()
  target_sources(icount_${folder} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR} FILES ${ARG_HEADERS})
  if(lone)
    target_sources(icount_${folder} PUBLIC FILE_SET lone_headers TYPE HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR} FILES ${lone})
    set_target_properties(icount_${folder} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY lone_headers VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
  set_target_properties(icount_${folder} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(icount_${folder} PUBLIC icount_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  foreach(used ${ARG_USES})
    target_link_libraries(icount_${folder} PUBLIC icount::${used})
  endforeach()
endfunction()

# icount_test(FOLDER SOURCES ... USES folder... [LABELS label...] [PRIVATE lib...] [TOGETHER name pattern...]): one GoogleTest program per
# folder, named FOLDER_test. ctest runs every test in a process of its own, but those that match the pattern after TOGETHER in one
# process, as one ctest called by the name: they share something dear (a database server).
function(icount_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LABELS;PRIVATE;TOGETHER" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name}_test PRIVATE icount_test_support GTest::gtest_main ${ARG_PRIVATE})
  foreach(used ${ARG_USES})
    target_link_libraries(${name}_test PRIVATE icount::${used})
  endforeach()
  target_compile_options(${name}_test PRIVATE -O0)  # half of the compile time of a test, and no test asserts a time
  target_precompile_headers(${name}_test REUSE_FROM icount_test_support)
  add_dependencies(unit_tests ${name}_test)
  # One label with every word in it: gtest_discover_tests keeps only the first of a list.
  string(REPLACE ";" "+" label "${name};${ARG_LABELS}")
  set(filter "")
  if(ARG_TOGETHER)
    list(POP_FRONT ARG_TOGETHER together)
    list(JOIN ARG_TOGETHER ":" pattern)
    set(filter TEST_FILTER "-${pattern}")
    add_test(NAME ${together} COMMAND ${name}_test --gtest_filter=${pattern} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${together} PROPERTIES LABELS "${label}" TIMEOUT 300 SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST ${filter}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    PROPERTIES LABELS "${label}" TIMEOUT 300)
endfunction()
