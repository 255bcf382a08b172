# SOCI with its SQLite backend, whose header needs sqlite3.h. Its PostgreSQL backend is loaded at run time, by store/database.cc.
# Gives SOCI_FOUND and the target SOCI::SOCI: Debian's package brings no file of its own for CMake.
find_path(SOCI_INCLUDE soci/soci.h)
find_path(SOCI_SQLITE_INCLUDE sqlite3.h)
if(ICOUNT_STATIC_LIBRARIES)
  find_library(SOCI_CORE_ARCHIVE NAMES libsoci_core.a)
  find_library(SOCI_SQLITE_ARCHIVE NAMES libsoci_sqlite3.a)
  find_library(SQLITE_ARCHIVE NAMES libsqlite3.a)
endif()
find_library(SOCI_CORE NAMES libsoci_core.so)
find_library(SOCI_SQLITE NAMES libsoci_sqlite3.so)
mark_as_advanced(SOCI_INCLUDE SOCI_SQLITE_INCLUDE SOCI_CORE SOCI_SQLITE SOCI_CORE_ARCHIVE SOCI_SQLITE_ARCHIVE SQLITE_ARCHIVE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SOCI REQUIRED_VARS
  SOCI_INCLUDE SOCI_SQLITE_INCLUDE SOCI_CORE SOCI_SQLITE)

if(SOCI_FOUND AND NOT TARGET SOCI::SOCI)
  add_library(SOCI::SOCI INTERFACE IMPORTED)
  target_include_directories(SOCI::SOCI INTERFACE ${SOCI_INCLUDE} ${SOCI_SQLITE_INCLUDE})
  if(SOCI_CORE_ARCHIVE AND SOCI_SQLITE_ARCHIVE AND SQLITE_ARCHIVE)
    # The backend that is loaded later brings libsoci_core.so along, but must share its state with ours: so the program has all of
    # SOCI's core and exports it, and what the program exports goes before any library.
    target_link_libraries(SOCI::SOCI INTERFACE
      $<LINK_LIBRARY:WHOLE_ARCHIVE,${SOCI_CORE_ARCHIVE}> ${SOCI_SQLITE_ARCHIVE} ${SQLITE_ARCHIVE} ${CMAKE_DL_LIBS} m)
    target_link_options(SOCI::SOCI INTERFACE "LINKER:--export-dynamic-symbol=_Z*4soci*")
  else()
    target_link_libraries(SOCI::SOCI INTERFACE ${SOCI_SQLITE} ${SOCI_CORE})
  endif()
endif()
