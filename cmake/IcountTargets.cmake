# The two kinds of targets of this project, so that a folder's CMakeLists.txt is a list of files and neighbours; one that has
# nothing else to say has none, and its target is made by the folder around it.

add_library(icount_flags INTERFACE)
target_compile_features(icount_flags INTERFACE cxx_std_20)
# -pthread for all: a library that asks for it (re2 does) would not take headers precompiled without.
target_compile_options(icount_flags INTERFACE -pthread -Wall -Wextra -Wno-missing-field-initializers)
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
  target_compile_options(icount_flags INTERFACE -fsanitize=fuzzer-no-link,float-cast-overflow -fno-sanitize-recover=float-cast-overflow)
endif()

# Headers are included as "icount/FOLDER/file.h", in the tree as after installing: links below the build folder give each
# folder of docs/layers.txt that prefix, and nothing else of the tree reaches an include path.
set(ICOUNT_LAYERS ${icount_SOURCE_DIR}/docs/layers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ICOUNT_LAYERS})
file(STRINGS ${ICOUNT_LAYERS} layer_rows REGEX "^[a-z]")
file(MAKE_DIRECTORY ${icount_BINARY_DIR}/include/icount)
foreach(row ${layer_rows})
  string(REGEX MATCH "^([a-z]+):([a-z ]*)" row "${row}")
  set(folder ${CMAKE_MATCH_1})
  separate_arguments(ICOUNT_USES_${folder} UNIX_COMMAND "${CMAKE_MATCH_2}")
  file(CREATE_LINK ${icount_SOURCE_DIR}/${folder} ${icount_BINARY_DIR}/include/icount/${folder} SYMBOLIC)
endforeach()
foreach(header icount region)
  file(CREATE_LINK ${icount_SOURCE_DIR}/include/icount/${header}.h ${icount_BINARY_DIR}/include/icount/${header}.h SYMBOLIC)
endforeach()
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(lone_headers COMMENT "Every header that has no source file of its own, compiled alone")
endif()

# Sets RESULT to "FOLDER/" where the folder lies in this one, to nothing where it is this one.
function(icount_folder_inside folder result)
  set(inside "")
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
    set(inside ${folder}/)
  endif()
  set(${result} "${inside}" PARENT_SCOPE)
endfunction()

# icount_library(FOLDER [STAGES folder...] [COLD stage...] [EXCEPT file...] [PRIVATE lib...] [HEAVY file...]): the .cc files of
# a folder, and of the named folders in it, as one library, linked to the folders that docs/layers.txt lets it use. COLD: stages
# that ICOUNT_COLD_FLAGS compile. PRIVATE: third-party libraries whose headers stay out of ours. HEAVY: files that need, if only by others, a library that the rest does without:
# they are compiled apart, so that who links the archive for the rest needs nothing of it.
function(icount_library folder)
  cmake_parse_arguments(ARG "" "" "EXCEPT;PRIVATE;HEAVY;STAGES;COLD" ${ARGN})
  list(TRANSFORM ARG_STAGES APPEND /*.cc OUTPUT_VARIABLE stage_sources)
  list(TRANSFORM ARG_STAGES APPEND /*.h OUTPUT_VARIABLE stage_headers)
  icount_folder_inside(${folder} inside)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${inside}*.cc ${stage_sources})
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${inside}*.h ${stage_headers})
  if(ARG_EXCEPT)
    list(REMOVE_ITEM sources ${ARG_EXCEPT})
    list(REMOVE_ITEM headers ${ARG_EXCEPT})
  endif()
  set(cold_sources "")
  if(ICOUNT_COLD_FLAGS)
    foreach(stage ${ARG_COLD})
      set(of_stage ${sources})
      list(FILTER of_stage INCLUDE REGEX "^${stage}/")
      list(APPEND cold_sources ${of_stage})
    endforeach()
    list(REMOVE_ITEM sources ${cold_sources} "")
  endif()
  add_library(icount_${folder} STATIC ${sources})
  add_library(icount::${folder} ALIAS icount_${folder})
  set_target_properties(icount_${folder} PROPERTIES POSITION_INDEPENDENT_CODE ON
    ARCHIVE_OUTPUT_DIRECTORY ${icount_BINARY_DIR}/${folder})
  target_include_directories(icount_${folder} PUBLIC $<BUILD_INTERFACE:${icount_BINARY_DIR}/include>)
  # Warnings and sanitizers are for this tree, tests and examples included, not for another project that links its libraries.
  if(PROJECT_IS_TOP_LEVEL)
    target_link_libraries(icount_${folder} PUBLIC $<BUILD_INTERFACE:icount_flags>)
  else()
    target_link_libraries(icount_${folder} PRIVATE $<BUILD_INTERFACE:icount_flags>)
  endif()
  target_compile_features(icount_${folder} PUBLIC cxx_std_20)
  target_link_libraries(icount_${folder} PRIVATE ${ARG_PRIVATE})
  foreach(used ${ICOUNT_USES_${folder}})
    target_link_libraries(icount_${folder} PUBLIC icount::${used})
  endforeach()
  set(precompiled icount_precompiled)
  if(ICOUNT_COLD_FLAGS AND folder IN_LIST ICOUNT_COLD_FOLDERS)
    target_compile_options(icount_${folder} PRIVATE ${ICOUNT_COLD_FLAGS})
    set(precompiled icount_precompiled_cold)
  endif()
  if(ICOUNT_PRECOMPILE)
    target_precompile_headers(icount_${folder} REUSE_FROM ${precompiled})
  endif()
  if(ICOUNT_UNITY)
    set(others ${sources})
    list(REMOVE_ITEM others ${ARG_HEAVY} "")
    icount_compile_in_groups(icount_${folder} group ${others})
    if(ARG_HEAVY)
      icount_compile_in_groups(icount_${folder} heavy ${ARG_HEAVY})
    endif()
  endif()
  if(cold_sources)
    add_library(icount_${folder}_cold OBJECT ${cold_sources})
    set_target_properties(icount_${folder}_cold PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(icount_${folder}_cold PRIVATE icount_flags ${ARG_PRIVATE})
    target_include_directories(icount_${folder}_cold PRIVATE $<TARGET_PROPERTY:icount_${folder},INCLUDE_DIRECTORIES>)
    foreach(used ${ICOUNT_USES_${folder}})
      target_link_libraries(icount_${folder}_cold PRIVATE icount::${used})
    endforeach()
    target_compile_options(icount_${folder}_cold PRIVATE ${ICOUNT_COLD_FLAGS})
    if(ICOUNT_PRECOMPILE)
      target_precompile_headers(icount_${folder}_cold REUSE_FROM icount_precompiled_cold)
    endif()
    if(ICOUNT_UNITY)
      icount_compile_in_groups(icount_${folder}_cold group ${cold_sources})
    endif()
    target_sources(icount_${folder} PRIVATE $<TARGET_OBJECTS:icount_${folder}_cold>)
    list(APPEND sources ${cold_sources})
  endif()
  # A header whose own .cc includes it first (tests/layering_test checks that) compiles alone whenever the .cc compiles;
  # only the others need a translation unit that holds nothing else.
  set(lone "")
  foreach(header ${headers})
    string(REGEX REPLACE "\\.h$" ".cc" source ${header})
    if(NOT source IN_LIST sources)
      set(unit ${CMAKE_CURRENT_BINARY_DIR}/lone_headers/${source})
      set(include icount/${folder}/${header})
      if(inside)
        set(include icount/${header})
      endif()
      file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${include}\"\n")
      list(APPEND lone ${unit})
    endif()
  endforeach()
  if(lone AND PROJECT_IS_TOP_LEVEL)
    add_library(icount_${folder}_lone_headers OBJECT EXCLUDE_FROM_ALL ${lone})
    target_link_libraries(icount_${folder}_lone_headers PRIVATE icount_${folder})
    add_dependencies(lone_headers icount_${folder}_lone_headers)
  endif()
endfunction()

# Seconds after which ctest calls a test hung. On a busy machine a test takes many times what it takes alone.
set(ICOUNT_TEST_TIMEOUT 1800)

# add_gtests(NAME PATTERN LABEL): the tests of NAME_test that match the pattern, each as a ctest of its own: what it prints when it fails is its
# own, and long tests run side by side. Listing the tests of a program that links LibTorch reads hundreds of megabytes from a cold disk.
function(add_gtests name pattern label)
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 600 TEST_FILTER "${pattern}" ${ARGN}
    WORKING_DIRECTORY ${icount_SOURCE_DIR}
    PROPERTIES ENVIRONMENT "ICOUNT_SERVER=off" LABELS "${label}" TIMEOUT ${ICOUNT_TEST_TIMEOUT})
endfunction()

# share_out_gtests(NAME PATTERN LABEL): the same as two ctests: starting a process takes longer than most unit tests. GoogleTest deals them
# out in turn, so that neighbours that take long do not meet in one process.
function(share_out_gtests name pattern label)
  foreach(index 0 1)
    math(EXPR number "${index} + 1")
    set(test "${name} ${number} of 2")
    add_test(NAME "${test}" COMMAND ${name}_test "--gtest_filter=${pattern}" --gtest_brief=1 WORKING_DIRECTORY ${icount_SOURCE_DIR})
    # The longest first, also where ctest has not run them yet: cli's would else be waited for at the end.
    set_tests_properties("${test}" PROPERTIES LABELS "${label}" TIMEOUT ${ICOUNT_TEST_TIMEOUT} COST $<IF:$<STREQUAL:${name},cli>,60,10>
      ENVIRONMENT "ICOUNT_SERVER=off;GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# icount_test(FOLDER [SOURCES ...] USES folder... [LABELS label...] [PRIVATE lib...] [TOGETHER name pattern...] [DEEP pattern...]): one
# GoogleTest program named FOLDER_test; without SOURCES it has every .cc of the folder. A program with a label needs_... or slow starts other
# programs, and each of its tests is a ctest; every other one is of unit tests, which share a few processes. Tests that match the patterns after
# TOGETHER run in one process, as one ctest called by the name: they share something expensive (a database server). Tests that match the
# patterns after DEEP have the label "deep": scripts/test leaves them out, scripts/check runs them. A program with a label needs_..., slow or
# not_sanitized is not built or run under sanitizers (the target unit_tests has the others).
function(icount_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LABELS;PRIVATE;TOGETHER;DEEP" ${ARGN})
  if(NOT ARG_SOURCES)
    icount_folder_inside(${name} inside)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${inside}*.cc)
  endif()
  add_executable(${name}_test ${ARG_SOURCES})
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${icount_BINARY_DIR}/tests)
  target_link_libraries(${name}_test PRIVATE icount_test_support GTest::gtest_main ${ARG_PRIVATE})
  foreach(used ${ARG_USES})
    target_link_libraries(${name}_test PRIVATE icount::${used})
  endforeach()
  target_compile_options(${name}_test PRIVATE -O0)  # half of the compile time of a test, and no test asserts a time
  target_precompile_headers(${name}_test REUSE_FROM icount_test_support)
  if(ICOUNT_UNITY_TESTS)
    icount_compile_in_groups(${name}_test group ${ARG_SOURCES})
  endif()
  if(NOT "${ARG_LABELS}" MATCHES "needs_|slow|not_sanitized")
    add_dependencies(unit_tests ${name}_test)
  endif()
  # One label with every word in it: gtest_discover_tests keeps only the first of a list.
  string(REPLACE ";" "+" label "${name};${ARG_LABELS}")
  set(apart ${ARG_DEEP})
  if(ARG_TOGETHER)
    list(POP_FRONT ARG_TOGETHER together)
    list(APPEND apart ${ARG_TOGETHER})
    list(JOIN ARG_TOGETHER ":" pattern)
    add_test(NAME ${together} COMMAND ${name}_test --gtest_filter=${pattern} WORKING_DIRECTORY ${icount_SOURCE_DIR})
    set_tests_properties(${together} PROPERTIES ENVIRONMENT "ICOUNT_SERVER=off" LABELS "${label}" TIMEOUT ${ICOUNT_TEST_TIMEOUT} SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
  list(JOIN apart ":" pattern)
  if("${ARG_LABELS}" MATCHES "needs_|slow")
    add_gtests(${name} "-${pattern}" "${label}")
  else()
    share_out_gtests(${name} "-${pattern}" "${label}")
  endif()
  if(ARG_DEEP)
    list(JOIN ARG_DEEP ":" pattern)
    add_gtests(${name} "${pattern}" "${label}+deep" TEST_LIST ${name}_deep_tests)
  endif()
endfunction()
