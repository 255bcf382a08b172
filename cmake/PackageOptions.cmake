# Read by cpack for each kind of package: a .deb depends on the packages of its libraries, an archive brings them along.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_COMPONENTS_ALL runtime development)
endif()
