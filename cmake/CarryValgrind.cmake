# Installs Valgrind beside icount: launcher, Callgrind and DHAT, their preloaded libraries, suppressions, the two headers that
# compiled statements need, the licence and where the source is. Packages bring the one of the machine that makes them.
#   install_carried_valgrind(FOLDER COMPONENT)   FOLDER below the prefix: libexec/icount/valgrind beside the folder of the program's bin/
set(ICOUNT_VALGRIND_ARCH amd64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(ICOUNT_VALGRIND_ARCH arm64)
endif()
find_program(ICOUNT_VALGRIND_LAUNCHER NAMES valgrind.bin valgrind)  # Debian's `valgrind` is a script
find_path(ICOUNT_VALGRIND_TOOLS callgrind-${ICOUNT_VALGRIND_ARCH}-linux
  PATHS /usr/libexec/valgrind /usr/lib/valgrind /usr/lib64/valgrind /usr/local/libexec/valgrind NO_DEFAULT_PATH)
find_path(ICOUNT_VALGRIND_HEADERS valgrind/callgrind.h)
mark_as_advanced(ICOUNT_VALGRIND_LAUNCHER ICOUNT_VALGRIND_TOOLS ICOUNT_VALGRIND_HEADERS)
set(version "")
if(ICOUNT_VALGRIND_LAUNCHER AND ICOUNT_VALGRIND_TOOLS)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env VALGRIND_LIB=${ICOUNT_VALGRIND_TOOLS} ${ICOUNT_VALGRIND_LAUNCHER} --tool=callgrind --version
    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
string(REGEX REPLACE "^valgrind-" "" ICOUNT_CARRIED_VERSION "${version}")
find_program(ICOUNT_DPKG_QUERY dpkg-query)
mark_as_advanced(ICOUNT_DPKG_QUERY)
set(ICOUNT_CARRIED_SOURCE "valgrind-${ICOUNT_CARRIED_VERSION}.tar.bz2 of https://valgrind.org/downloads/")
if(ICOUNT_DPKG_QUERY)
  execute_process(COMMAND ${ICOUNT_DPKG_QUERY} -W -f "\${Version}" valgrind
    OUTPUT_VARIABLE package ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND package MATCHES "^([0-9]+:)?${ICOUNT_CARRIED_VERSION}-")  # not where another Valgrind was named
    set(ICOUNT_CARRIED_SOURCE "Debian's source package valgrind ${package} (apt-get source valgrind=${package}; https://snapshot.debian.org/package/valgrind/)")
  endif()
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/valgrind_notice.txt.in ${icount_BINARY_DIR}/package/README @ONLY)
file(WRITE ${icount_BINARY_DIR}/package/VERSION "${ICOUNT_CARRIED_VERSION}\n")

function(install_carried_valgrind folder component)
  if(NOT ICOUNT_VALGRIND_LAUNCHER OR NOT ICOUNT_VALGRIND_TOOLS OR NOT ICOUNT_VALGRIND_HEADERS)
    message(WARNING "No Valgrind found to install beside icount, which then uses the system's (ICOUNT_CARRY_VALGRIND=OFF says so)")
    return()
  endif()
  install(PROGRAMS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/valgrind_launcher.sh DESTINATION ${folder} RENAME valgrind COMPONENT ${component})
  install(PROGRAMS ${ICOUNT_VALGRIND_LAUNCHER} DESTINATION ${folder} RENAME valgrind.bin COMPONENT ${component})
  foreach(file callgrind-ARCH-linux dhat-ARCH-linux vgpreload_core-ARCH-linux.so vgpreload_dhat-ARCH-linux.so)
    string(REPLACE ARCH ${ICOUNT_VALGRIND_ARCH} file ${file})
    install(PROGRAMS ${ICOUNT_VALGRIND_TOOLS}/${file} DESTINATION ${folder} COMPONENT ${component} OPTIONAL)
  endforeach()
  if(TARGET icount_tool)  # built for this very Valgrind
    install(PROGRAMS $<TARGET_FILE:icount_tool> DESTINATION ${folder} COMPONENT ${component})
    install(FILES $<TARGET_FILE_DIR:icount_tool>/valgrind-version DESTINATION ${folder} COMPONENT ${component})
  endif()
  install(FILES ${ICOUNT_VALGRIND_TOOLS}/default.supp ${icount_BINARY_DIR}/package/README ${icount_BINARY_DIR}/package/VERSION
    ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/GPL-2 DESTINATION ${folder} COMPONENT ${component})
  install(FILES ${ICOUNT_VALGRIND_HEADERS}/valgrind/valgrind.h ${ICOUNT_VALGRIND_HEADERS}/valgrind/callgrind.h
    DESTINATION ${folder}/include/valgrind COMPONENT ${component})
endfunction()
