# embed_text(TARGET HEADER FUNCTION FILE): generates HEADER (below the build folder's generated/) that defines
# icount::FUNCTION(), the bytes of FILE as a string view. The file is a dependency: a change rebuilds its users.
function(embed_text target header function file)
  set(out ${CMAKE_BINARY_DIR}/generated/${header})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${out} -DFUNCTION=${function} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedTextRun.cmake
    DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/EmbedTextRun.cmake
    COMMENT "Embedding ${header}")
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated)
endfunction()
