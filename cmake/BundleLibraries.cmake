# install_bundled_libraries(FOLDER COMPONENT EXECUTABLES|LIBRARIES TARGET): the shared libraries that the target needs and that no
# system is sure to have, in FOLDER below the prefix, where the target's INSTALL_RPATH must look.
function(install_bundled_libraries folder component kind target)
  set(names "fmt|soci_[a-z0-9]+|tomlplusplus|pugixml|re2|xxhash|zstd|lzma|z|sqlite3|dw|elf|capstone|boost_program_options|crypto|absl_[a-z0-9_]+")
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES ${kind} \"$<TARGET_FILE:${target}>\" RESOLVED_DEPENDENCIES_VAR libraries
      PRE_EXCLUDE_REGEXES \"^lib(c|m|stdc[+][+]|gcc_s|dl|pthread|rt)[.]so\" \"^ld-\"
      POST_INCLUDE_REGEXES \"/lib(${names})[.]so[0-9.]*$\" \"/lib(dw|elf)-[0-9.]+[.]so$\" POST_EXCLUDE_REGEXES \".*\")
    foreach(library IN LISTS libraries)  # by the name that is looked for; a wheel keeps no links
      get_filename_component(name \${library} NAME)
      file(REAL_PATH \${library} library)
      file(INSTALL \${library} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${folder}\" RENAME \${name})
    endforeach()"
    COMPONENT ${component})
endfunction()
