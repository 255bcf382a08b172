# Script half of embed_script: IN holds file names with | between them.
string(REPLACE "|" ";" files "${IN}")
file(WRITE "${OUT}" "(() => {\n\"use strict\";\n")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  file(APPEND "${OUT}" "${text}")
endforeach()
file(APPEND "${OUT}" "})();\n")
