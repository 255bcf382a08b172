# What `cmake --install` and cpack put where. Everything is found relative to the program or to the package's own files,
# so that an installed tree may be moved. Two components: runtime (program, Valgrind, manual) and development.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ICOUNT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/icount)
set(ICOUNT_DATA_DIR ${CMAKE_INSTALL_DATADIR}/icount)

install(TARGETS icount COMPONENT runtime)
# Shared libraries that a system without icount's packages lacks, for the relocatable archive; a .deb depends on theirs instead.
include(BundleLibraries)
file(RELATIVE_PATH ICOUNT_LIBS_FROM_BIN /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/icount)
# In the build folder, too: a path that CMake is to replace ends with an empty part, which means the current folder, where the
# built icount would look for each of its libraries first.
set_target_properties(icount PROPERTIES INSTALL_RPATH "$ORIGIN/${ICOUNT_LIBS_FROM_BIN}" BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH_USE_LINK_PATH ON)
install_bundled_libraries(${CMAKE_INSTALL_LIBDIR}/icount libraries EXECUTABLES icount)
install(FILES ${icount_SOURCE_DIR}/suite/standard.toml ${icount_SOURCE_DIR}/suite/suite.schema.json
  DESTINATION ${ICOUNT_DATA_DIR} COMPONENT runtime)
install(FILES ${icount_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT runtime)
install(FILES ${icount_SOURCE_DIR}/CHANGELOG.md ${icount_SOURCE_DIR}/README.md ${icount_SOURCE_DIR}/SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
# What the help and README.md point to.
install(DIRECTORY ${icount_SOURCE_DIR}/docs ${icount_SOURCE_DIR}/ci DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

# Man pages and completions: the program writes them from its own tables.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:icount>\" manual --out \"${icount_BINARY_DIR}/manual\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT runtime)
install(DIRECTORY ${icount_BINARY_DIR}/manual/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT runtime)
install(FILES ${icount_BINARY_DIR}/manual/icount.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME icount COMPONENT runtime)
install(FILES ${icount_BINARY_DIR}/manual/_icount DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT runtime)
install(FILES ${icount_BINARY_DIR}/manual/icount.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT runtime)

if(ICOUNT_CARRY_VALGRIND)
  include(CarryValgrind)
  install_carried_valgrind(libexec/icount/valgrind runtime)
endif()

# Lowest layer first, as above; what a library uses is exported with it.
set(libraries "")
foreach(row ${layer_rows})
  string(REGEX MATCH "^[a-z]+" folder "${row}")
  list(APPEND libraries icount_${folder})
  set_target_properties(icount_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(icount_${folder} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(DIRECTORY ${icount_SOURCE_DIR}/${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/icount/${folder}
    COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN assets EXCLUDE PATTERN hooks EXCLUDE)
endforeach()
set_target_properties(icount_icount PROPERTIES EXPORT_NAME icount)
install(TARGETS ${libraries} icount_icount EXPORT icountTargets COMPONENT development)
install(FILES ${icount_SOURCE_DIR}/include/icount/growth.h ${icount_SOURCE_DIR}/include/icount/icount.h ${icount_SOURCE_DIR}/include/icount/region.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/icount COMPONENT development)
install(EXPORT icountTargets NAMESPACE icount:: DESTINATION ${ICOUNT_PACKAGE_DIR} COMPONENT development)

configure_package_config_file(${icount_SOURCE_DIR}/cmake/icountConfig.cmake.in ${icount_BINARY_DIR}/package/icountConfig.cmake
  INSTALL_DESTINATION ${ICOUNT_PACKAGE_DIR} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${icount_BINARY_DIR}/package/icountConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${icount_BINARY_DIR}/package/icountConfig.cmake ${icount_BINARY_DIR}/package/icountConfigVersion.cmake
  ${icount_SOURCE_DIR}/cmake/FindSOCI.cmake ${icount_SOURCE_DIR}/cmake/IcountAddSuite.cmake ${icount_SOURCE_DIR}/cmake/IcountSuiteScript.cmake
  DESTINATION ${ICOUNT_PACKAGE_DIR} COMPONENT development)

# pkg-config: the libraries that icount::icount needs, each behind those that use it.
set(ICOUNT_PC_LIBS "")
foreach(folder fuzzer report explain timer store harness callgrind verdict stats stacks shapes callgraph base)
  string(APPEND ICOUNT_PC_LIBS " -licount_${folder}")
endforeach()
file(RELATIVE_PATH ICOUNT_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${icount_SOURCE_DIR}/cmake/icount.pc.in ${icount_BINARY_DIR}/package/icount.pc @ONLY)
install(FILES ${icount_BINARY_DIR}/package/icount.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

include(IcountPackages)
