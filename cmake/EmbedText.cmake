# embed_text(TARGET HEADER FUNCTION FILE): generates HEADER (below the build folder's generated/) that defines
# icount::FUNCTION(), the bytes of FILE as a string view, and FUNCTION_sha256(). The file is a dependency: a change rebuilds its users.
function(embed_text target header function file)
  set(out ${icount_BINARY_DIR}/generated/${header})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${out} -DFUNCTION=${function} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/EmbedTextRun.cmake
    DEPENDS ${file} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/EmbedTextRun.cmake
    COMMENT "Embedding ${header}")
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PRIVATE ${icount_BINARY_DIR}/generated)
endfunction()

# embed_script(TARGET HEADER FUNCTION FILE...): the same for script files in order, as one strict function of its own, so that
# they share one scope and the page's globals stay clean.
function(embed_script target header function)
  set(joined ${icount_BINARY_DIR}/generated/${header}.js)
  set(files ${ARGN})
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  string(REPLACE ";" "|" words "${files}")
  add_custom_command(
    OUTPUT ${joined}
    COMMAND ${CMAKE_COMMAND} "-DIN=${words}" -DOUT=${joined} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/JoinScripts.cmake
    DEPENDS ${files} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/JoinScripts.cmake
    VERBATIM
    COMMENT "Joining ${header}.js")
  embed_text(${target} ${header} ${function} ${joined})
endfunction()
