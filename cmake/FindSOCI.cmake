# SOCI with its SQLite backend, whose header needs sqlite3.h. Its PostgreSQL backend is loaded at run time, by store/database.cc.
# Gives SOCI_FOUND and the target SOCI::SOCI: Debian's package brings no file of its own for CMake.
find_path(SOCI_INCLUDE soci/soci.h)
find_path(SOCI_SQLITE_INCLUDE sqlite3.h)
if(ICOUNT_STATIC_LIBRARIES)
  find_library(SOCI_SQLITE_ARCHIVE NAMES libsoci_sqlite3.a)
  find_library(SQLITE_ARCHIVE NAMES libsqlite3.a)
endif()
find_library(SOCI_CORE NAMES libsoci_core.so)  # shared: the backend loaded later brings it along, and there must be one
find_library(SOCI_SQLITE NAMES libsoci_sqlite3.so)
find_library(SQLITE_LIBRARY NAMES libsqlite3.so)
mark_as_advanced(SOCI_INCLUDE SOCI_SQLITE_INCLUDE SOCI_CORE SOCI_SQLITE SQLITE_LIBRARY SOCI_SQLITE_ARCHIVE SQLITE_ARCHIVE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SOCI REQUIRED_VARS
  SOCI_INCLUDE SOCI_SQLITE_INCLUDE SOCI_CORE SOCI_SQLITE SQLITE_LIBRARY)

if(SOCI_FOUND AND NOT TARGET SOCI::SOCI)
  add_library(SOCI::SOCI INTERFACE IMPORTED)
  target_include_directories(SOCI::SOCI INTERFACE ${SOCI_INCLUDE} ${SOCI_SQLITE_INCLUDE})
  if(SOCI_SQLITE_ARCHIVE AND SQLITE_ARCHIVE)
    target_link_libraries(SOCI::SOCI INTERFACE ${SOCI_SQLITE_ARCHIVE} ${SQLITE_ARCHIVE} ${SOCI_CORE} ${CMAKE_DL_LIBS} m)
  else()
    target_link_libraries(SOCI::SOCI INTERFACE ${SOCI_SQLITE} ${SQLITE_LIBRARY} ${SOCI_CORE})
  endif()
endif()
